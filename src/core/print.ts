import { fold } from "./citation.ts";

/** Print of lines that hold nothing to recognise. */
export const BLANK_PRINT = 0;

/**
 * A 53-bit number for the text of some lines, white space folded (two 32-bit FNV-1a rounds): small enough to keep for half
 * a million findings, to find their lines again after edits. Never proof of anything; lines are 1-based, inclusive.
 */
export function printOf(lines: readonly string[], line: number, endLine: number): number {
  const text = line < 1 ? "" : fold(lines.slice(line - 1, endLine).join("\n"));
  if (text === "") return BLANK_PRINT;
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000197);
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0) || 1;
}
