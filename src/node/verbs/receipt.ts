import type { Receipt } from "../../core/check.ts";
import type { Hash, Hit, Mask, Now, SourceText, VerbRun } from "../../core/ports.ts";
import type { WorkspaceRepository } from "../repository/repository.ts";

/** What a verb works with. */
export interface VerbContext {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly repository: WorkspaceRepository;
  /** Absolute path of ripgrep; null: search in-process. */
  readonly ripgrep: string | null;
  readonly mask: Mask;
  readonly now: Now;
  readonly hash: Hash;
  /** Files that must not be read for a reviewer: the review files themselves, which name severities (ruling 17). */
  readonly withheld: (file: string) => boolean;
  /** A text's lines with secrets masked over the whole text, so that a key of many lines is seen as one. */
  readonly maskedLines: (text: SourceText) => readonly string[];
}

/** What a verb found out, before its receipt is written. */
export interface VerbResult {
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly hits: readonly Hit[];
  /** All output lines, masked; hashed whole, then cut for the reviewer and the receipt. */
  readonly lines: readonly string[];
  /** Sentences about how far the output can be trusted; always kept. */
  readonly notes: readonly string[];
  readonly truncated: boolean;
  readonly error: string | null;
}

/** Characters of output a reviewer gets in one call, and of one line. */
const LARGEST_OUTPUT = 60_000;
export const LONGEST_LINE = 1000;
/** Lines a receipt keeps for the panel. */
const KEPT_LINES = 60;
const LONGEST_KEPT_LINE = 300;

/** A failed call: nothing was read. */
export function failed(argv: readonly string[], error: string): VerbResult {
  return { argv, exitCode: null, hits: [], lines: [], notes: [], truncated: false, error };
}

/** Cuts a line for display and says by how much. */
export function cutLine(line: string, longest = LONGEST_LINE): string {
  return line.length <= longest ? line : `${line.slice(0, longest)}… [line cut, ${line.length} characters]`;
}

/** Writes the receipt of a result and cuts its output to what a reviewer may get; whatever is cut is said in the output. */
export function writeRun(
  result: VerbResult,
  head: { readonly id: string; readonly verb: string; readonly durationMs: number; readonly by: string },
  hash: Hash,
): VerbRun {
  const shown: string[] = [];
  let characters = 0;
  for (const line of result.lines) {
    const cut = cutLine(line);
    if (characters + cut.length + 1 > LARGEST_OUTPUT) break;
    shown.push(cut);
    characters += cut.length + 1;
  }
  const hidden = result.lines.length - shown.length;
  const notes = hidden === 0 ? result.notes : [...result.notes, `${hidden} more lines are not shown; ask for less.`];
  const kept = result.lines.slice(0, KEPT_LINES).map((line) => cutLine(line, LONGEST_KEPT_LINE));
  const left = result.lines.length - kept.length;
  const receipt: Receipt = {
    ...head,
    argv: result.argv,
    cwd: ".",
    exitCode: result.exitCode,
    outputHash: hash(result.lines.join("\n")),
    truncated: result.truncated || hidden > 0,
    lines: [...kept, ...(left > 0 ? [`… ${left} more lines`] : []), ...result.notes.map((note) => `[${note}]`)],
  };
  const output = [...shown, ...notes.map((note) => `[${note}]`)].join("\n");
  return { receipt, hits: result.hits, output: result.error ?? output, error: result.error };
}
