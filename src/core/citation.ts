import type { Mask, Repository, SourceText } from "./ports.ts";
import type { CheckedCitation, Citation } from "./round.ts";

/** Word characters a quote must hold at least: a lone brace stands on every page and proves nothing. */
const FEWEST_QUOTED = 3;
/** Longest run of lines one citation may show. */
const MOST_SHOWN = 12;

/**
 * Re-reads a citation (design, idea 3): it counts only when the quoted text, white space folded, stands in the file.
 * Text found on other lines is relocated and marked; the text shown is always what the program read, secrets masked.
 */
export async function checkCitation(citation: Citation, repository: Repository, mask: Mask): Promise<CheckedCitation> {
  const file = normalisePath(citation.file);
  const failed = (note: string, shown = ""): CheckedCitation => ({ ...citation, file, ok: false, shown, note });
  const text = await repository.text(file);
  if (text === null) return failed("There is no such file in the workspace.");
  const masked = mask(text.lines.join("\n")).split("\n");
  const quote = fold(citation.quote);
  const here = showLines(masked, citation.line, citation.endLine);
  if ((quote.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) < FEWEST_QUOTED)
    return failed("It quotes nothing that could be found again.", here);
  const found = findQuote(text, masked, quote, citation.line);
  if (found === null) {
    const part = text.truncated ? " in the part of the file that was read" : "";
    return failed(`The quoted text is not in the file${part}.`, here);
  }
  const inside = found.line >= citation.line && found.line <= Math.max(citation.line, citation.endLine);
  return {
    file,
    line: found.line,
    endLine: found.endLine,
    quote: mask(citation.quote),
    ok: true,
    shown: showLines(masked, found.line, found.endLine),
    note: inside ? null : `Cited at line ${citation.line}, found at line ${found.line}.`,
  };
}

/** Re-reads many citations; the order stays. */
export async function checkCitations(
  citations: readonly Citation[],
  repository: Repository,
  mask: Mask,
): Promise<CheckedCitation[]> {
  return await Promise.all(citations.map((citation) => checkCitation(citation, repository, mask)));
}

/** Folds white space to single blanks and trims: the form in which quotes are compared. */
export function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A path as reviewers write it, in the workspace's form: `/` as separator, no leading `./`. */
export function normalisePath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "");
}

interface Found {
  readonly line: number;
  readonly endLine: number;
}

/** The occurrence nearest to the cited line, tried in the file's own text and in its masked form; line numbers in front are forgiven. */
function findQuote(text: SourceText, masked: readonly string[], quote: string, near: number): Found | null {
  const bare = fold(quote.replace(/^\d+\s*[:|]\s?/, ""));
  for (const wanted of quote === bare ? [quote] : [quote, bare]) {
    for (const lines of [text.lines, masked]) {
      const found = nearest(lines, wanted, near);
      if (found !== null) return found;
    }
  }
  return null;
}

function nearest(lines: readonly string[], wanted: string, near: number): Found | null {
  const starts: number[] = [];
  let flat = "";
  for (const line of lines) {
    starts.push(flat.length);
    const folded = fold(line);
    if (folded !== "") flat += `${folded} `;
  }
  let best: Found | null = null;
  for (let at = flat.indexOf(wanted); at >= 0; at = flat.indexOf(wanted, at + 1)) {
    const found = { line: lineAt(starts, at), endLine: lineAt(starts, at + wanted.length - 1) };
    if (best === null || Math.abs(found.line - near) < Math.abs(best.line - near)) best = found;
    else if (found.line > near) break;
  }
  return best;
}

/** The last line that starts at or before an offset of the folded text, 1-based; empty lines share their follower's start. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function showLines(lines: readonly string[], from: number, to: number): string {
  return lines.slice(Math.max(0, from - 1), Math.min(Math.max(from, to), from - 1 + MOST_SHOWN)).join("\n");
}
