import type { Receipt } from "../../core/check.ts";
import type { Hash, Hit, Mask, Now, SourceText, VerbRun } from "../../core/ports.ts";
import type { WorkspaceRepository } from "../repository/repository.ts";
import type { Search } from "./joinedSearch.ts";

/** What a verb works with. */
export interface VerbContext {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly repository: WorkspaceRepository;
  /** Absolute path of ripgrep; null: search in-process. */
  readonly ripgrep: string | null;
  /** Starts ripgrep. */
  readonly search: Search;
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
/** Cut lines that are named one by one. */
const MOST_NAMED = 5;
/** Lines a receipt keeps for the panel. */
const KEPT_LINES = 60;
const LONGEST_KEPT_LINE = 300;

/** A failed call: nothing was read. */
export function failed(argv: readonly string[], error: string): VerbResult {
  return { argv, exitCode: null, hits: [], lines: [], notes: [], truncated: false, error };
}

/** Cuts a line for a person and says by how much. */
function cutLine(line: string): string {
  if (line.length <= LONGEST_KEPT_LINE) return line;
  return `${line.slice(0, LONGEST_KEPT_LINE)}… [line cut, ${line.length} characters]`;
}

/** Writes the receipt of a result and cuts its output to what a reviewer may get; whatever is cut is said in notes beside it. */
export function writeRun(
  result: VerbResult,
  head: { readonly id: string; readonly verb: string; readonly durationMs: number; readonly by: string },
  hash: Hash,
): VerbRun {
  const { shown, hidden, notes: cuts } = shorten(result.lines);
  const kept = result.lines.slice(0, KEPT_LINES).map((line) => cutLine(line));
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
  const notes = [...cuts, ...result.notes].map(sentence);
  return { receipt, hits: result.hits, output: result.error ?? shown.join("\n"), notes, error: result.error };
}

/** Output lines as a reviewer gets them: each cut, and as many as there is room for; what was left out is said beside them. */
function shorten(lines: readonly string[]): { shown: string[]; hidden: number; notes: string[] } {
  const shown: string[] = [];
  const long: string[] = [];
  let characters = 0;
  for (const line of lines) {
    const cut = line.slice(0, LONGEST_LINE);
    if (characters + cut.length + 1 > LARGEST_OUTPUT) break;
    shown.push(cut);
    characters += cut.length + 1;
    if (cut.length < line.length) long.push(`line ${shown.length} of this output, ${line.length} characters`);
  }
  const hidden = lines.length - shown.length;
  const more = long.length > MOST_NAMED ? ` and ${long.length - MOST_NAMED} others` : "";
  const cut = `cut after ${LONGEST_LINE} characters: ${long.slice(0, MOST_NAMED).join("; ")}${more}`;
  const rest = `${hidden} more lines are not shown; ask for less`;
  return { shown, hidden, notes: [...(long.length === 0 ? [] : [cut]), ...(hidden === 0 ? [] : [rest])] };
}

/** A note stands outside the data, and may quote a path or a pattern: it stays on one line, and short. */
function sentence(note: string): string {
  return note.replace(/[\s\p{C}]+/gu, " ").slice(0, 400);
}
