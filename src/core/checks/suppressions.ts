/** Marks by which a line, the lines around it, or a whole file is taken out of a checker's sight (claims.md, class 19). */
const MARK =
  /@ts-(?:expect-error|ignore|nocheck)|\b(?:eslint|oxlint|tslint|standard)-disable|\bbiome-ignore|#\s*(?:flake8:\s*|ruff:\s*)?noqa\b|#\s*type:\s*ignore|#\s*(?:pyright|mypy|ruff|pylint):|\bnolint\b|#\s*nosec\b|\bnosemgrep\b|#\s*shellcheck\s+disable|\/\/\s*lint:|@SuppressWarnings/i;

/** Marks that reach further than the line they stand on: to the end of the file, or all of it. */
const WIDE =
  /@ts-nocheck|\b(?:eslint|oxlint|tslint)-disable(?!-(?:next-)?line)|\bbiome-ignore-(?:all|start)|^\s*#\s*(?:flake8|ruff):\s*noqa|^\s*#\s*type:\s*ignore|^\s*#\s*(?:pyright|mypy|ruff|pylint):|^\s*\/\/\s*nolint|^\s*#\s*shellcheck\s+disable|\/\/\s*lint:/i;

/** Lines around a place whose marks may belong to it. */
const REACH = 3;

/**
 * The first suppression that may hide a report at a place; null where there is none. In: all lines of the file, the place's
 * 1-based first and last line. Out: 1-based line. A mark anywhere that reaches further than its own line counts too.
 */
export function suppressionNear(lines: readonly string[], from: number | null, to: number | null): number | null {
  const near = (line: number): boolean => from === null || (line >= from - REACH && line <= (to ?? from) + REACH);
  for (const [index, text] of lines.entries())
    if (WIDE.test(text) || (near(index + 1) && MARK.test(text))) return index + 1;
  return null;
}
