import { lexCode, syntaxOf } from "./code/lexer.ts";
import { lineAt, maskLines } from "./lines.ts";
import type { Mask, Repository, SourceText } from "./ports.ts";
import type { CheckedCitation, Citation } from "./round.ts";

/** Word characters a quote must hold at least: a lone brace stands on every page and proves nothing. */
const FEWEST_QUOTED = 3;
/** Word characters from which a quote that is no whole line is found away from the lines it is said to stand on. */
const FEWEST_RELOCATED = 10;
/** Code that does nothing: none at all, or the marks of a docstring, whose text has been blanked. */
const UNSPOKEN = /^(?:[rbfu]{0,2}(?:"""|''')\s*(?:"""|''')?)?$/i;
/** Longest run of lines one citation may show. */
const MOST_SHOWN = 12;

/**
 * Re-reads a citation (design, idea 3): it counts only when the quoted text, white space aside, stands in the file.
 * Text found on other lines is relocated and marked; the text shown is always what the program read, secrets masked.
 */
export async function checkCitation(citation: Citation, repository: Repository, mask: Mask): Promise<CheckedCitation> {
  const file = normalisePath(citation.file);
  const line = Math.max(1, citation.line);
  const endLine = Math.max(line, citation.endLine);
  const failed = (note: string, shown = ""): CheckedCitation => {
    return { file, line, endLine, quote: mask(citation.quote), ok: false, shown, note };
  };
  const text = await repository.text(file);
  if (text === null) return failed("There is no such file in the workspace.");
  const masked = maskLines(text.lines, mask);
  const here = showLines(masked, line, endLine);
  if (wordCharacters(citation.quote) < FEWEST_QUOTED)
    return failed("It quotes nothing that could be found again.", here);
  const found = findQuote(text, masked, citation.quote, { line, endLine });
  if (found === null) {
    const part = text.truncated ? " in the part of the file that was read" : "";
    return failed(`The quoted text is not in the file${part}.`, here);
  }
  return {
    file,
    line: found.line,
    endLine: found.endLine,
    quote: mask(citation.quote),
    ok: true,
    shown: showLines(masked, found.line, found.endLine),
    note: found.line >= line && found.line <= endLine ? null : `Cited at line ${line}, found at line ${found.line}.`,
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

/**
 * Takes the force from citations that show comments or docstrings alone: text in the code that waives or excuses a defect is data and
 * refutes nothing (R0.38). They stay listed, marked as not supporting.
 */
export async function discountComments(
  citations: readonly CheckedCitation[],
  repository: Repository,
): Promise<CheckedCitation[]> {
  return await Promise.all(
    citations.map(async (citation) => {
      const text = citation.ok ? await repository.text(citation.file) : null;
      if (text === null) return citation;
      const code = lexCode(text.lines, syntaxOf(citation.file)).code.slice(citation.line - 1, citation.endLine);
      const shown = text.lines.slice(citation.line - 1, citation.endLine);
      const silent = code.every((line) => UNSPOKEN.test(line.trim())) && shown.some((line) => line.trim() !== "");
      return silent ? { ...citation, ok: false, note: "A comment shows nothing about what the code does." } : citation;
    }),
  );
}

/** True where two citations show a line in common. */
export function overlap(
  a: Pick<CheckedCitation, "file" | "line" | "endLine">,
  b: Pick<CheckedCitation, "file" | "line" | "endLine">,
): boolean {
  return a.file === b.file && a.line <= b.endLine && b.line <= a.endLine;
}

/** Folds white space to single blanks and trims: the form in which regions and quotes of findings are compared. */
export function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A path as reviewers write it, in the workspace's form: `/` as separator, no step that leads nowhere: one file has one name. */
export function normalisePath(path: string): string {
  const written = path.trim().replaceAll("\\", "/");
  const steps: string[] = [];
  for (const step of written.split("/")) {
    if (step === "." || (step === "" && steps.length > 0)) continue;
    const before = steps.at(-1);
    if (step === ".." && before !== undefined && before !== "" && before !== "..") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}

/** True for a text that holds enough to be found again. */
export function isQuotable(text: string): boolean {
  return wordCharacters(text) >= FEWEST_QUOTED;
}

interface Lines {
  readonly line: number;
  readonly endLine: number;
}

/** The occurrence nearest to the cited lines, in the file's own text and in its masked form. */
function findQuote(text: SourceText, masked: readonly string[], quote: string, cited: Lines): Lines | null {
  for (const wanted of formsOf(quote)) {
    for (const lines of masked.every((line, index) => line === text.lines[index]) ? [masked] : [text.lines, masked]) {
      const found = nearest(lines, wanted, cited);
      if (found !== null) return found;
    }
  }
  return null;
}

/** The forms in which a quote may have been written: as it is, without line numbers or diff marks, without a wrapping or ellipsis. */
function formsOf(quote: string): string[] {
  const numbered = quote.replace(/^[ \t]*(?:L?\d+[ \t]*[:|][ \t]?|\+(?!\+))/gm, "");
  const unwrapped = numbered.trim().replace(/^(`{1,3}|")([\s\S]*)\1$/, "$2");
  const whole = unwrapped.replace(/^\s*(?:…|\.{3})|(?:…|\.{3})\s*$/g, "");
  const forms = [quote, numbered, unwrapped, whole].map(squeeze);
  return [...new Set(forms)].filter(isQuotable);
}

/** White space away, but for one blank between two words: reformatted code reads the same. */
function squeeze(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ (?![\p{L}\p{N}_$])|(?<![\p{L}\p{N}_$]) /gu, "");
}

function nearest(lines: readonly string[], wanted: string, cited: Lines): Lines | null {
  const { flat, starts } = flatten(lines);
  const sizable = wordCharacters(wanted) >= FEWEST_RELOCATED;
  let best: Lines | null = null;
  for (let at = flat.indexOf(wanted); at >= 0; at = flat.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (cutsWord(flat, at) || cutsWord(flat, end)) continue;
    const found = { line: lineAt(starts, at), endLine: lineAt(starts, end - 1) };
    const inside = found.line >= cited.line && found.line <= cited.endLine;
    const whole = starts[found.line - 1] === at && endsLine(flat, end, starts[found.endLine]);
    if (!inside && !sizable && !whole) continue;
    if (best === null || distance(found, cited) < distance(best, cited)) best = found;
    else if (found.line > cited.endLine) break;
  }
  return best;
}

/** The lines squeezed into one text, and where each begins in it. Words of neighbouring lines stay apart. */
function flatten(lines: readonly string[]): { flat: string; starts: number[] } {
  const starts: number[] = [];
  let flat = "";
  for (const line of lines) {
    const squeezed = squeeze(line);
    if (/[\p{L}\p{N}_$]$/u.test(flat.slice(-2)) && /^[\p{L}\p{N}_$]/u.test(squeezed)) flat += " ";
    starts.push(flat.length);
    flat += squeezed;
  }
  return { flat, starts };
}

/** True where a match ends with its line: at the end, or where the next line starts (behind the blank that keeps words apart). */
function endsLine(flat: string, end: number, next: number | undefined): boolean {
  if (next === undefined) return end === flat.length;
  return next === end || (next === end + 1 && flat[end] === " ");
}

function distance(found: Lines, cited: Lines): number {
  if (found.line < cited.line) return cited.line - found.line;
  return Math.max(0, found.line - cited.endLine);
}

function cutsWord(flat: string, at: number): boolean {
  return isWord(flat[at - 1]) && isWord(flat[at]);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

function wordCharacters(text: string): number {
  return text.match(/[\p{L}\p{N}_]/gu)?.length ?? 0;
}

function showLines(lines: readonly string[], from: number, to: number): string {
  return lines.slice(from - 1, Math.min(to, from - 1 + MOST_SHOWN)).join("\n");
}
