import type { ZodType } from "zod";
import type { Receipt } from "./check.ts";
import type { Structure } from "./code/structure.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { PromptId } from "./promptIds.ts";

/** SHA-256 of a UTF-8 text, as 64 hex digits or its first `digits`, which are even. A slice of the whole would keep the whole alive. */
export type Hash = (text: string, digits?: number) => string;

/** Replaces every secret in a text by `[REDACTED:type#n]` (R1.33). */
export type Mask = (text: string) => string;

/** The wall clock. */
export type Now = () => Date;

/** One text of the workspace, split into lines without their ends. */
export interface SourceText {
  readonly file: string;
  readonly lines: readonly string[];
  /** True where only the head was read because the file is over the size limit. */
  readonly truncated: boolean;
  /** How its lines end, for offsets that count line ends; "\n" where it is not said. */
  readonly eol?: "\n" | "\r\n";
}

/** A unified diff. Where it was cut, that stands beside the text and never in it: no mark of ours can be taken for code. */
export interface FileDiff {
  readonly text: string;
  readonly cut: boolean;
}

/** Read access to one workspace folder. Live editor buffers come before the disk. Paths are workspace-relative with `/`. */
export interface Repository {
  /** All files that are not ignored, sorted; never outside the workspace. */
  files(signal?: AbortSignal): Promise<readonly string[]>;
  /** The text of a file; null where it is absent, outside the workspace after links are resolved, or not text. */
  text(file: string): Promise<SourceText | null>;
  /** The file's VCS revision (HEAD) or null. */
  head(): Promise<string | null>;
  /** Working tree against HEAD for one file; an empty text where unchanged, null where there is no repository. */
  diff(file: string, signal?: AbortSignal): Promise<FileDiff | null>;
  /** What version control knows besides; left out where there is none. */
  readonly history?: History;
}

/** The change under review: live texts against the merge base with the default branch (against HEAD on that branch itself). */
export interface Change {
  /** Commit id of the base. */
  readonly base: string;
  /** Unified diff of each changed file, by its present path. */
  readonly files: readonly { readonly file: string; readonly diff: string; readonly cut?: boolean }[];
  /** False where a file could not be compared or there were too many: what is not in `files` may have changed too. */
  readonly complete: boolean;
}

/** Questions to version control. Each answers null where it cannot tell: a shallow clone, a time-out, too much output. */
export interface History {
  change(signal?: AbortSignal): Promise<Change | null>;
  /** Present path of a file that earlier commits of HEAD or the index knew under `path`; null too where it was not renamed. */
  renamed(path: string, signal?: AbortSignal): Promise<string | null>;
  /** True where a known commit, on any branch, added or removed these tokens in a row, white space aside. */
  everHeld(tokens: readonly string[], signal?: AbortSignal): Promise<boolean | null>;
  /** True where a known commit, on any branch, added a file of this base name, letter case aside. */
  everNamed(name: string, signal?: AbortSignal): Promise<boolean | null>;
  /** True where ignore rules cover the path, whether it exists or not. */
  ignores(path: string, signal?: AbortSignal): Promise<boolean | null>;
}

/** Functions, guards, calls and constants of the workspace's files, as their live text holds them now. */
export interface Structures {
  /**
   * The structure of a file; null where `Repository.text` gives none. Read by a grammar where there is one, else by patterns,
   * and it says which and why. Never throws.
   */
  of(file: string): Promise<Structure | null>;
}

/** A hit of a search: 1-based line, the line's text. */
export interface Hit {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * What a reviewer may ask the program to do (tier 0): the members of a call by its verb. The verbs that the core itself runs
 * stand here; a verb that only models run adds itself in its own file.
 */
export interface VerbCalls {
  /** Lines `from`..`to` of a file, 1-based, inclusive. */
  readonly read: { readonly file: string; readonly from: number; readonly to: number };
  readonly grep: { readonly pattern: string; readonly path: string; readonly literal: boolean };
  /** Who last changed lines `from`..`to` of a file as committed in HEAD. */
  readonly blame: { readonly file: string; readonly from: number; readonly to: number };
}

export type VerbName = keyof VerbCalls;
export type CallOf<V extends VerbName> = { readonly verb: V } & VerbCalls[V];
export type VerbCall = { [V in VerbName]: CallOf<V> }[VerbName];

/** What one verb run gave. A verb never throws but for cancellation: what went wrong stands in `error`. */
export interface VerbRun {
  readonly receipt: Receipt;
  readonly hits: readonly Hit[];
  /** The output as the reviewer may see it: numbered lines, secrets masked, and no word of ours. */
  readonly output: string;
  /** What the program has to say about that output: what was cut, where it ends. A reviewer reads it outside the data. */
  readonly notes: readonly string[];
  readonly error: string | null;
}

/** Runs verbs inside one workspace. `by` names who asks and goes into the receipt. */
export interface Verbs {
  run(call: VerbCall, by: string, signal: AbortSignal): Promise<VerbRun>;
}

/** What the editor's language servers can be asked about a place of the code. */
export const LANGUAGE_ASKS = [
  "definition",
  "references",
  "implementations",
  "incomingCalls",
  "hover",
  "diagnostics",
] as const;

/** A question about one place: a workspace-relative file, 1-based line, 0-based column in UTF-16 units. */
export interface LanguageQuestion {
  readonly ask: (typeof LANGUAGE_ASKS)[number];
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place that a language server named, in a file of the workspace whose line the program re-read. Counted as in the question. */
export interface LanguagePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * What the servers said. Only what is there counts: no places in a `known` answer is never evidence of absence. `texts` are
 * hovers and messages of diagnostics: words of other programs, secrets masked.
 */
export type LanguageAnswer =
  | { readonly kind: "known"; readonly places: readonly LanguagePlace[]; readonly texts: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };

/** One question asked. `receipt` is null where there was nobody to ask. */
export interface LanguageRun {
  readonly answer: LanguageAnswer;
  readonly receipt: Receipt | null;
}

/**
 * The editor's own language servers (design, section 6, tier 0). Absent on the command line and in clients that do not offer
 * them. Late, broken, not ready or empty without a sign of readiness: `unknown`. Rejects only with the signal's reason.
 */
export interface LanguageServers {
  ask(question: LanguageQuestion, by: string, signal: AbortSignal): Promise<LanguageRun>;
}

/** A message of a conversation with a model. `evidence` answers the calls of the `assistant` message before it. */
export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "evidence"; readonly callId: string; readonly content: string };

/** A model's wish to run a verb; `arguments` were parsed against the verb's shape, or `call` is null and `problem` says why not. */
export interface ModelCall {
  readonly callId: string;
  readonly call: VerbCall | null;
  readonly problem: string | null;
  /** The arguments as the model wrote them, for the conversation that goes back to it. */
  readonly raw: string;
}

/** Tokens as the server counted them; 0 where it does not say. */
export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  /** True where no call was made: the reply was kept from an earlier one. */
  readonly cached?: boolean;
}

/** What a model made of one request. */
export type ModelReply<T> =
  | { readonly kind: "answered"; readonly value: T; readonly raw: string; readonly usage: Usage }
  | { readonly kind: "wants"; readonly calls: readonly ModelCall[]; readonly content: string; readonly usage: Usage }
  | { readonly kind: "refused"; readonly reason: string; readonly usage: Usage }
  | { readonly kind: "malformed"; readonly raw: string; readonly problem: string; readonly usage: Usage }
  | { readonly kind: "failed"; readonly reason: string; readonly usage: Usage };

/** One request. `schemaName` is the schema's short name (`round`, `arbiter`); `tools` false forbids evidence requests. */
export interface ModelRequest<T> {
  readonly messages: readonly ModelMessage[];
  /** What the answer is held to once it is here. */
  readonly schema: ZodType<T>;
  /** What the server is told of its form, where that is wider than `schema`: one form for all roles keeps the head of their requests alike. */
  readonly wire?: ZodType;
  /** Calls that wait are let through in falling order of this; 0 where not given. */
  readonly urgency?: number | undefined;
  /** Key of the finding it is about: once that is judged, what is kept for a resumption goes with it. No part of what is asked. */
  readonly about?: string;
  readonly schemaName: string;
  readonly tools: boolean;
}

/** One language model. Transport retries (429, 503, resets) happen inside; cancellation rejects with the signal's reason. */
export interface Model {
  /** Shown to the person and logged: who judged. */
  readonly identity: ModelIdentity;
  ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>>;
}

/** A prompt file: `prompts/ID.md`, its front matter checked. */
export interface Prompt {
  readonly id: string;
  readonly version: number;
  readonly body: string;
  /** SHA-256 of the whole file. */
  readonly hash: string;
}

/** Loads a prompt; throws with file and reason where it is missing or its front matter is wrong. */
export type Prompts = (id: PromptId) => Prompt;
