/** Tokens of a piece of code, whatever its language: words, and each other character but white space; quote characters are one. */
export function tokensOf(code: string): string[] {
  return code.replace(/["`´“”‘’]/g, "'").match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

/** Words of a piece of code that can be names, without doubles, longest first; words that every language has are left out. */
export function namesIn(code: string): string[] {
  const words = code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return [...new Set(words)].filter((word) => !KEYWORDS.has(word)).sort((a, b) => b.length - a.length);
}

const KEYWORDS: ReadonlySet<string> = new Set(
  "as async await break case catch class const continue def default do elif else enum except export extends false finally fn for from func function if import in interface is lambda let match new nil none not null or pass private protected public raise return self static struct switch then this throw true try type typeof undefined use var void when while with yield and None True False".split(
    " ",
  ),
);

/**
 * The largest share of a pattern's tokens, 0-1, that some stretch of a text has in the same order (1 minus the edit distance to
 * the closest stretch over the pattern's length), letter case aside.
 */
export function closestShare(pattern: readonly string[], text: readonly string[]): number {
  if (pattern.length === 0) return 0;
  const wanted = pattern.map((token) => token.toLowerCase());
  let column = wanted.map((_token, index) => index + 1);
  let best = wanted.length;
  for (const raw of text) {
    const token = raw.toLowerCase();
    const next: number[] = [];
    for (const [index, one] of wanted.entries()) {
      const diagonal = index === 0 ? 0 : (column[index - 1] ?? 0);
      const above = index === 0 ? 0 : (next[index - 1] ?? 0);
      next.push(Math.min(diagonal + (one === token ? 0 : 1), (column[index] ?? 0) + 1, above + 1));
    }
    column = next;
    best = Math.min(best, column.at(-1) ?? best);
  }
  return 1 - best / wanted.length;
}
