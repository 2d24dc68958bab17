import { lineAt } from "./lines.ts";

/** Where a quote stands: 1-based lines, inclusive. */
export interface QuotePlace {
  readonly line: number;
  readonly endLine: number;
}

/** A file's text folded for searching quotes; `starts[i]` is where line i+1 begins in `folded`. */
export interface FoldedText {
  readonly folded: string;
  readonly starts: readonly number[];
}

// How far apart the parts of a quote with an ellipsis may stand, in folded characters.
const ELLIPSIS_REACH = 2000;

/**
 * Folds what quoting changes (claim class 7): white space and line joins go, all quote characters become one, backslashes before
 * punctuation (markdown escapes) go.
 */
export function foldCode(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(/["`´“”‘’‚‛„‟«»]/g, "'")
    .replace(/[\s\u200b\ufeff]+/g, "");
}

/** Folds a file line by line. */
export function foldLines(lines: readonly string[]): FoldedText {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    const folded = foldCode(line);
    parts.push(folded);
    length += folded.length;
  }
  return { folded: parts.join(""), starts };
}

/** True for a quote in which its source hid a secret: no file holds it as it stands. */
export function hidesSecret(quote: string): boolean {
  return /redacted|\*{4}/i.test(quote);
}

/** Characters that carry meaning in a quote: a lone brace stands everywhere and proves nothing. */
export function quoteWeight(quote: string): number {
  return foldCode(quote).replace(/[^\p{L}\p{N}]/gu, "").length;
}

/** The occurrence of a quote nearest to a 1-based line (to the start of the file where null); null where the quote is nowhere. */
export function findQuote(text: FoldedText, quote: string, near: number | null): QuotePlace | null {
  const parts = quote
    .split(/…|\.{3}/)
    .map(foldCode)
    .filter((part) => part.length >= 3);
  const first = parts[0] ?? foldCode(quote);
  if (first === "") return null;
  let best: QuotePlace | null = null;
  for (let from = text.folded.indexOf(first); from !== -1; from = text.folded.indexOf(first, from + 1)) {
    const end = endOfParts(text.folded, parts, from, first.length);
    const line = lineAt(text.starts, from);
    if (end === null) continue;
    const nearer = best === null || Math.abs(line - (near ?? 1)) < Math.abs(best.line - (near ?? 1));
    if (nearer) best = { line, endLine: lineAt(text.starts, end - 1) };
    else if (line > (near ?? 1)) break;
  }
  return best;
}

function endOfParts(folded: string, parts: readonly string[], from: number, firstLength: number): number | null {
  let end = from + firstLength;
  for (const part of parts.slice(1)) {
    const at = folded.slice(end, end + ELLIPSIS_REACH + part.length).indexOf(part);
    if (at === -1) return null;
    end += at + part.length;
  }
  return end;
}
