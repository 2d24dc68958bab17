import { fold } from "../../core/citation.ts";
import type { Place } from "../../core/finding.ts";
import type { SourceText } from "../../core/ports.ts";

/** What a flagged region read like when its finding was placed: the thing that is followed through edits. */
export interface Anchor {
  /** Flagged lines, white space folded. */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** The anchor of a place in a text; null where there is no line to follow. */
export function anchorOf(place: Place, text: SourceText): Anchor | null {
  if (place.line === null || place.line > text.lines.length) return null;
  const endLine = Math.max(place.line, place.endLine ?? place.line);
  return { text: regionText(text.lines, place.line, endLine), line: place.line, endLine };
}

/** Where an anchor stands now: 1-based line, or null where its text is gone. */
export function follow(anchor: Anchor, before: readonly string[], now: readonly string[]): number | null {
  const expected = anchor.line + shiftAt(anchor.line, before, now);
  if (anchor.text === "") return expected;
  const height = anchor.endLine - anchor.line;
  if (regionText(now, expected, expected + height) === anchor.text) return expected;
  let best: number | null = null;
  for (let line = 1; line + height <= now.length; line += 1) {
    const nearer = best === null || Math.abs(line - expected) < Math.abs(best - expected);
    if (nearer && regionText(now, line, line + height) === anchor.text) best = line;
  }
  return best;
}

/** By how many lines an edit moved a line: lines after the changed stretch move with the text's length. */
function shiftAt(line: number, before: readonly string[], now: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < now.length && before[same] === now[same]) same += 1;
  return line <= same ? 0 : now.length - before.length;
}

function regionText(lines: readonly string[], line: number, endLine: number): string {
  return line < 1 ? "" : fold(lines.slice(line - 1, endLine).join("\n"));
}
