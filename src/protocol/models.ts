import * as z from "zod/mini";

// The editor's own language models. The worker parses what comes back from them: it was written by other extensions and by
// the models themselves.

/** What an exchange with one of the editor's models may hold; the client ends one that grows beyond it. */
export const EDITOR_MODEL_LIMITS = { characters: 4_000_000, calls: 200, name: 500, why: 600 } as const;

const Name = z.string().check(z.maxLength(EDITOR_MODEL_LIMITS.name));

/** One language model that the editor offers. */
export const EditorModelRow = z.object({
  vendor: Name,
  /** Opaque; unique within its vendor. */
  id: Name,
  name: Name,
  family: Name,
  version: Name,
  /** Tokens that one request may hold. */
  maxInputTokens: z.number(),
  /** Whether the editor lets us ask it: `unasked` where the first request makes the editor ask the person. */
  access: z.enum(["granted", "denied", "unasked"]),
  /** Whether a person agreed to send code to this vendor (ruling 32). */
  agreed: z.boolean(),
});
export type EditorModelRow = z.infer<typeof EditorModelRow>;

/** Worker -> client request, before a run and while a model is set up: what the editor offers. Never asks the person anything. */
export const listEditorModels = "skepticalTriage/listEditorModels";
export const ListEditorModelsResult = z.object({ models: z.array(EditorModelRow) });
export type ListEditorModelsResult = z.infer<typeof ListEditorModelsResult>;

/** A message to one of the editor's models: it knows these two roles. `arguments` is JSON text of an object. */
export interface EditorMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** Answers to the calls of the message before. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

/** Worker -> client request, only for a run or a test call that a person started. Cancelling it ends the model's work. */
export const askEditorModel = "skepticalTriage/askEditorModel";
export interface AskEditorModelParams {
  /** Names this request in `editorModelAlive`. */
  readonly request: string;
  readonly vendor: string;
  readonly id: string;
  readonly messages: readonly EditorMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  /** `required`: it has to call one of the tools. */
  readonly toolMode: "required" | "auto";
}

/** Why an exchange came to nothing. `other` is everything that the editor gives no kind for. */
export const EDITOR_MODEL_FAILURES = [
  "not-found",
  "no-permission",
  "blocked",
  "quota",
  "filtered",
  "empty",
  "too-long",
  "cancelled",
  "other",
] as const;

export const AskEditorModelResult = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ended"),
    text: z.string().check(z.maxLength(EDITOR_MODEL_LIMITS.characters)),
    calls: z
      .array(z.object({ id: z.string(), name: z.string(), arguments: z.string() }))
      .check(z.maxLength(EDITOR_MODEL_LIMITS.calls)),
  }),
  z.object({
    kind: z.literal("failed"),
    failure: z.enum(EDITOR_MODEL_FAILURES),
    /** What the model's extension said; empty where it said nothing. */
    why: z.string().check(z.maxLength(EDITOR_MODEL_LIMITS.why)),
  }),
]);
export type AskEditorModelResult = z.infer<typeof AskEditorModelResult>;

/** Client -> worker notification, while an answer streams: a sign of life, at most ten a second. The answer itself is in the response. */
export const editorModelAlive = "skepticalTriage/editorModelAlive";
export interface EditorModelAliveParams {
  readonly request: string;
}
