import * as z from "zod/mini";

// One message of its own file: both sides parse it, because what it carries was written by other extensions.

/**
 * Worker -> client request, during a triage: what the editor's own language servers know of a place. The client opens no
 * editor, changes nothing, and answers in about twice `deadlineMs` at most. A client that does not know it refuses the method,
 * and is not asked again; only places inside the open folders are asked about and given back.
 */
export const askLanguage = "skepticalTriage/askLanguage";

/** What an answer may hold; the client cuts it to this before it is sent, and more is refused. */
export const LANGUAGE_LIMITS = {
  places: 200,
  texts: 20,
  text: 2000,
  path: 4096,
  why: 300,
  deadlineMs: 10_000,
} as const;

const Count = z.int().check(z.minimum(0), z.maximum(10_000_000));
const Line = z.int().check(z.minimum(1), z.maximum(10_000_000));
const Path = z.string().check(z.minLength(1), z.maxLength(LANGUAGE_LIMITS.path));

export const AskLanguageParams = z.object({
  ask: z.enum(["definition", "references", "implementations", "incomingCalls", "hover", "diagnostics"]),
  /** Absolute path of a file in an open folder. */
  path: Path,
  /** 1-based. */
  line: Line,
  /** 0-based, in UTF-16 units. */
  column: Count,
  /** Time for one try; there is a second one where a server is not ready. */
  deadlineMs: z.int().check(z.minimum(1), z.maximum(LANGUAGE_LIMITS.deadlineMs)),
});
export type AskLanguageParams = z.infer<typeof AskLanguageParams>;

/** Where something is: absolute path, 1-based line, 0-based column. */
const Place = z.object({ path: Path, line: Line, column: Count });

export const AskLanguageResult = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answered"),
    places: z.array(Place).check(z.maxLength(LANGUAGE_LIMITS.places)),
    /** Hovers and messages of diagnostics as other programs wrote them: text, never markup. */
    texts: z.array(z.string().check(z.maxLength(LANGUAGE_LIMITS.text))).check(z.maxLength(LANGUAGE_LIMITS.texts)),
    /** True where more was there than is sent. */
    cut: z.boolean(),
  }),
  /** Late, broken, or empty while no server had shown that it is ready for this file. */
  z.object({ kind: z.literal("unknown"), why: z.string().check(z.maxLength(LANGUAGE_LIMITS.why)) }),
]);
export type AskLanguageResult = z.infer<typeof AskLanguageResult>;
