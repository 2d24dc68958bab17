import type { Claimed, ReviewReading, Unread } from "../finding.ts";
import { NO_SPAN } from "../finding.ts";
import type { SeverityMap } from "../severity.ts";

/** One review file on its way through the readers. `json` is its parsed content, or null where it is no JSON document. */
export interface ReviewSource {
  /** As it will stand in `Unread.path`. */
  readonly path: string;
  /** Without byte order mark. */
  readonly text: string;
  readonly json: { readonly value: unknown } | null;
  readonly severityMap: SeverityMap;
}

/** One format. A reader looks at content, never at the file name, and answers null where the text is not its own. */
export interface Reader {
  readonly format: string;
  /** Named in the sentence that says which formats are read. */
  readonly title: string;
  readonly read: (source: ReviewSource) => ReviewReading | null;
}

/** A `Claimed` with every optional member empty; readers fill in what their source says. */
export const BLANK_CLAIM = {
  sourceId: null,
  path: null,
  span: NO_SPAN,
  rule: null,
  category: null,
  status: "open",
  quote: null,
  fix: null,
  help: null,
  helpUri: null,
  cwe: [],
  finderConfidence: null,
  fingerprints: {},
  related: [],
  flows: [],
  prose: false,
  extra: {},
} as const satisfies Omit<Claimed, "severity" | "sourceSeverity" | "tool" | "message" | "pointer">;

const SEVERITY_WORD = /\b(?:critical|blocker|high|major|medium|moderate|minor|low|warning|error|info|P[0-2]|nit)\b/i;

/** True where a text carries a word of one of the severity scales. */
export function hasSeverityWord(text: string): boolean {
  return SEVERITY_WORD.test(text);
}

/**
 * One thing that was not understood (C20); `text` is cut to its first 200 characters. `isFinding` says that it counts for the exit
 * code whatever its words (ruling 21): a broken member of a list of results.
 */
export function unread(
  path: string,
  where: { readonly line?: number; readonly pointer?: string },
  text: string,
  reason: string,
  isFinding = false,
): Unread {
  return {
    path,
    line: where.line ?? null,
    pointer: where.pointer ?? null,
    text: text.trim().slice(0, 200),
    reason,
    severityWord: isFinding || hasSeverityWord(text),
  };
}
