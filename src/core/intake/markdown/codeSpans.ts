/** A stretch of a line, in UTF-16 units, end exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The inline code of one line, backticks included: a run of backticks closed by the next run of the same length. A run that is never
 * closed is text. Linear, whatever the line holds.
 */
export function codeSpans(line: string): Stretch[] {
  const runs = Array.from(line.matchAll(/`+/g), (run) => ({ from: run.index, length: run[0].length }));
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const length = runs[index]?.length ?? 0;
    closing[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  const spans: Stretch[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const to = closing[index] ?? -1;
    const [open, close] = [runs[index], runs[to]];
    if (open === undefined || close === undefined) continue;
    spans.push({ from: open.from, to: close.from + close.length });
    index = to;
  }
  return spans;
}

/**
 * Splits at each place where one of these characters stands outside inline code and is not escaped. The pieces keep their blanks;
 * `from` is where each starts.
 */
export function splitOutsideCode(
  line: string,
  isSplit: (character: string) => boolean,
): { from: number; text: string }[] {
  const spans = codeSpans(line);
  const pieces: { from: number; text: string }[] = [];
  let [from, span] = [0, 0];
  for (let index = 0; index < line.length; index += 1) {
    const code = spans[span];
    if (code !== undefined && index === code.from) {
      index = code.to - 1;
      span += 1;
    } else if (line[index] === "\\") index += 1;
    else if (isSplit(line[index] ?? "")) {
      pieces.push({ from, text: line.slice(from, index) });
      from = index + 1;
    }
  }
  pieces.push({ from, text: line.slice(from) });
  return pieces;
}
