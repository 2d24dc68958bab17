import { isAbsolute, join } from "node:path";
import * as z from "zod";
import type { Receipt } from "../../core/check.ts";
import type {
  Hash,
  LanguageAnswer,
  LanguagePlace,
  LanguageQuestion,
  LanguageRun,
  LanguageServers,
  Mask,
  Now,
  Repository,
} from "../../core/ports.ts";
import { AskLanguageResult, type AskLanguageParams } from "../../protocol/language.ts";
import { holdPath, realpathOfExisting, workspaceRelative } from "../paths.ts";

/** What a client made of one question: its reply, not parsed yet; or that it has nobody to ask. */
export type TransportReply =
  | { readonly kind: "replied"; readonly reply: unknown }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "nobody" };

type Sent = TransportReply | { readonly kind: "late" };

/** Asks the client. Rejects only when aborted. */
export type LanguageTransport = (params: AskLanguageParams, signal: AbortSignal) => Promise<TransportReply>;

export interface LanguageServersOptions {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly repository: Repository;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly now: Now;
  /** Files that must not be shown to a reviewer (ruling 17). */
  readonly withheld: (file: string) => boolean;
  readonly transport: LanguageTransport;
  /** Time for one try of the client, in milliseconds; default 2000. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 2000;
/** How much longer than its two tries a client is waited for. */
const SLACK_MS = 500;
/** After so many questions in a row that the client let pass, nobody is asked for a while: each costs seconds. */
const MOST_LATE = 2;
const COOL_OFF_MS = 60_000;
/** Most lines a receipt keeps, and of each line. */
const KEPT_LINES = 60;
const LONGEST_LINE = 300;

/**
 * The editor's language servers as the core asks them. Only places inside the folder count, after links are resolved, in files
 * whose text was re-read here; everything else is dropped and counted in the receipt. Never rejects but for the signal.
 */
export function createLanguageServers(options: LanguageServersOptions): LanguageServers {
  let [runs, late, until] = [0, 0, 0];
  return {
    ask: async (question, by, signal) => {
      signal.throwIfAborted();
      const start = options.now().getTime();
      if (start < until) return nobody("The editor did not answer lately.");
      const reply = await send(question, options, signal);
      signal.throwIfAborted();
      if (reply.kind === "nobody") return nobody("There are no language servers to ask.");
      late = reply.kind === "late" ? late + 1 : 0;
      if (late >= MOST_LATE) [late, until] = [0, options.now().getTime() + COOL_OFF_MS];
      const read = await readReply(reply, options).catch((error: unknown) => nothing(options.mask(describe(error))));
      signal.throwIfAborted();
      runs += 1;
      const receipt = receiptOf(question, read, options, {
        id: `language-${options.hash(JSON.stringify([runs, by, question]), 12)}`,
        by,
        durationMs: Math.max(0, options.now().getTime() - start),
      });
      return { answer: read.answer, receipt };
    },
  };
}

function nobody(why: string): LanguageRun {
  return { answer: { kind: "unknown", why }, receipt: null };
}

/** Waits for the client, and no longer than it was given: one that never answers is as good as none. */
async function send(
  question: LanguageQuestion,
  { root, transport, deadlineMs = DEADLINE_MS }: LanguageServersOptions,
  signal: AbortSignal,
): Promise<Sent> {
  const held = await holdPath(root, question.file);
  if (held.kind !== "held") return { kind: "failed", why: "The file is not one of the workspace." };
  const { ask, line, column } = question;
  const late = AbortSignal.timeout(2 * deadlineMs + SLACK_MS);
  const either = AbortSignal.any([signal, late]);
  const stopped = Promise.withResolvers<Sent>();
  const stop = (): void => stopped.resolve({ kind: "late" });
  either.addEventListener("abort", stop, { once: true });
  // It may have happened before there was anybody to hear it.
  if (either.aborted) stop();
  try {
    const params = { ask, path: join(root, question.file), line, column, deadlineMs };
    return await Promise.race([
      stopped.promise,
      transport(params, either).catch((error: unknown): TransportReply => ({ kind: "failed", why: describe(error) })),
    ]);
  } finally {
    either.removeEventListener("abort", stop);
  }
}

interface Read {
  readonly answer: LanguageAnswer;
  /** Output for the receipt: a line for each place and text, masked. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly truncated: boolean;
}

async function readReply(reply: Exclude<Sent, { kind: "nobody" }>, options: LanguageServersOptions): Promise<Read> {
  if (reply.kind === "late") return nothing("The editor did not answer in time.");
  if (reply.kind === "failed") return nothing(options.mask(reply.why));
  const parsed = AskLanguageResult.safeParse(reply.reply);
  if (!parsed.success)
    return nothing(`The answer does not fit: ${options.mask(z.prettifyError(parsed.error)).slice(0, 300)}`);
  if (parsed.data.kind === "unknown") return nothing(options.mask(parsed.data.why));
  const { cut } = parsed.data;
  const texts = parsed.data.texts.map((text) => options.mask(text));
  const { places, lines, dropped } = await rereadPlaces(parsed.data.places, options);
  const shown = [...lines, ...texts.flatMap((text) => text.split(/\r\n|\r|\n/))];
  const notes = [
    ...(dropped === 0 ? [] : [`${dropped} places are not in files that are read here and do not count`]),
    ...(cut ? ["there were more than are shown"] : []),
    ...(shown.length === 0 ? ["nothing was named; that proves nothing"] : []),
  ];
  return { answer: { kind: "known", places, texts }, lines: shown, notes, truncated: cut };
}

function nothing(why: string): Read {
  return { answer: { kind: "unknown", why }, lines: [], notes: [why], truncated: false };
}

/** The places that can be read again, each once, with their masked lines. */
async function rereadPlaces(
  given: readonly { readonly path: string; readonly line: number; readonly column: number }[],
  options: LanguageServersOptions,
): Promise<{ places: LanguagePlace[]; lines: string[]; dropped: number }> {
  const byPath = Map.groupBy(given, ({ path }) => path);
  // What version control ignores is built or installed: a use there is none of the product's source.
  const listed = new Set(given.length === 0 ? [] : await options.repository.files());
  const found = new Map<string, { place: LanguagePlace; text: string }>();
  let dropped = 0;
  for (const [path, places] of byPath) {
    const held = await heldFile(path, options);
    const file = held !== null && listed.has(held) ? held : null;
    const text = file === null ? null : await options.repository.text(file);
    // Masked with the whole file in view, so that a key of many lines is seen as one; the number of lines stays.
    const masked = text === null ? [] : options.mask(text.lines.join("\n")).split("\n");
    for (const { line, column } of places) {
      const own = text?.lines[line - 1];
      if (file === null || own === undefined || column > own.length) dropped += 1;
      else found.set(`${file}:${line}:${column}`, { place: { file, line, column }, text: masked[line - 1] ?? "" });
    }
  }
  const lines = [...found].map(([id, { text }]) => `${options.mask(id)}: ${text.trim()}`);
  return { places: [...found.values()].map(({ place }) => place), lines, dropped };
}

/** The workspace file of an absolute path that someone else named; null outside the folder, behind links too. */
async function heldFile(path: string, { root, withheld }: LanguageServersOptions): Promise<string | null> {
  if (!isAbsolute(path) || path.includes("\0")) return null;
  const real = await realpathOfExisting(root);
  const below = workspaceRelative(root, path) ?? (real === null ? null : workspaceRelative(real.path, path));
  if (below === null || below === "") return null;
  const held = await holdPath(root, below);
  return held.kind === "held" && !withheld(held.file) ? held.file : null;
}

function receiptOf(
  { ask, file, line, column }: LanguageQuestion,
  { lines, notes, truncated }: Read,
  { mask, hash }: LanguageServersOptions,
  head: Pick<Receipt, "id" | "by" | "durationMs">,
): Receipt {
  const kept = lines.slice(0, KEPT_LINES).map((each) => shorten(each));
  const left = lines.length - kept.length;
  return {
    ...head,
    verb: "language",
    argv: [ask, mask(`${file}:${line}:${column}`)],
    cwd: ".",
    exitCode: null,
    outputHash: hash(lines.join("\n")),
    truncated,
    lines: [...kept, ...(left > 0 ? [`… ${left} more lines`] : []), ...notes.map((note) => `[${note}]`)],
  };
}

function shorten(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}… [line cut, ${line.length} characters]`;
}

function describe(error: unknown): string {
  return `The editor could not be asked: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300);
}
