import type { Mask } from "./ports.ts";

/** What stands in place of a line whose secret ran over several lines. */
const HIDDEN = "[REDACTED]";

/**
 * The lines of a text with its secrets masked and the count of lines kept, so that numbers stay true: a secret over several
 * lines (a private key) is masked as one piece, and every line it touched is hidden.
 */
export function maskLines(lines: readonly string[], mask: Mask): readonly string[] {
  const masked = mask(lines.join("\n")).split("\n");
  if (masked.length === lines.length) return masked;
  let head = 0;
  while (head < Math.min(lines.length, masked.length) && masked[head] === lines[head]) head += 1;
  let tail = 0;
  const most = Math.min(lines.length, masked.length) - head;
  while (tail < most && masked[masked.length - 1 - tail] === lines[lines.length - 1 - tail]) tail += 1;
  return lines.map((line, index) => (index < head || index >= lines.length - tail ? line : HIDDEN));
}

/**
 * The last line, 1-based, that starts at or before an offset, found by halving; `starts[i]` is where line i+1 begins. Empty lines share
 * their start with the next one.
 */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
