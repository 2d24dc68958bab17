import { BLANK_PRINT, printOf } from "../../core/print.ts";
import type { Entry } from "./entry.ts";

/** Where a flagged region stood and what it read like: the thing that is followed through edits. */
export interface Anchor {
  /** Number that stands for the flagged lines, white space folded. */
  readonly print: number;
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
}

/** Follows flagged regions through the edits of their files. */
export class Follower {
  /** Texts of files that were edited, as they last read. */
  readonly #texts = new Map<string, readonly string[]>();

  /**
   * A file reads differently now. The answer tells where a finding's region stands: a 1-based line, null where its text is
   * gone, `unknown` where it was never placed in this file.
   */
  edit(file: string, now: readonly string[]): (entry: Pick<Entry, "finding" | "print">) => number | "unknown" | null {
    const before = this.#texts.get(file) ?? now;
    this.#texts.set(file, now);
    return ({ finding: { place }, print }) => {
      const { line, endLine } = place;
      if (place.file !== file || line === null) return "unknown";
      return follow({ print, line, endLine: Math.max(line, endLine ?? line) }, before, now);
    };
  }
}

/** Where an anchor stands now: 1-based line, or null where its text is gone. */
export function follow(anchor: Anchor, before: readonly string[], now: readonly string[]): number | null {
  const expected = anchor.line + shiftAt(anchor.line, before, now);
  if (anchor.print === BLANK_PRINT) return expected;
  const height = anchor.endLine - anchor.line;
  if (printOf(now, expected, expected + height) === anchor.print) return expected;
  let best: number | null = null;
  for (let line = 1; line + height <= now.length; line += 1) {
    const nearer = best === null || Math.abs(line - expected) < Math.abs(best - expected);
    if (nearer && printOf(now, line, line + height) === anchor.print) best = line;
  }
  return best;
}

/** By how many lines an edit moved a line: lines after the first changed one move with the text's length. */
function shiftAt(line: number, before: readonly string[], now: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < now.length && before[same] === now[same]) same += 1;
  return line <= same ? 0 : now.length - before.length;
}
