/** How a language writes comments and strings; enough to tell code from text. */
export interface Syntax {
  readonly name: "javascript" | "python" | "c-like" | "other";
  readonly lineComments: readonly string[];
  readonly blockComments: boolean;
  readonly quotes: readonly string[];
}

const JAVASCRIPT: Syntax = { name: "javascript", lineComments: ["//"], blockComments: true, quotes: ['"', "'", "`"] };
const PYTHON: Syntax = { name: "python", lineComments: ["#"], blockComments: false, quotes: ['"""', "'''", '"', "'"] };
const C_LIKE: Syntax = { name: "c-like", lineComments: ["//"], blockComments: true, quotes: ['"', "'", "`"] };
const OTHER: Syntax = { name: "other", lineComments: ["#"], blockComments: false, quotes: ['"', "'"] };

/** The syntax of a file by its extension. */
export function syntaxOf(file: string): Syntax {
  if (/\.[cm]?[jt]sx?$/.test(file)) return JAVASCRIPT;
  if (/\.pyi?$/.test(file)) return PYTHON;
  if (/\.(?:go|java|kt|c|cc|cpp|cxx|h|hh|hpp|cs|rs|php|swift|scala|dart)$/.test(file)) return C_LIKE;
  return OTHER;
}

/**
 * The lines with every comment and the inside of every string blanked, columns kept: what is left is code.
 * A line inside a template literal's `${}` stays blank too: missing a reference there is safe, inventing one is not.
 */
export function codeOnly(lines: readonly string[], syntax: Syntax): string[] {
  const out: string[] = [];
  let open: Open = null;
  for (const line of lines) {
    const blanked = blankLine(line, syntax, open);
    out.push(blanked.code);
    open = blanked.open;
  }
  return out;
}

/** What is still open at the end of a line: a block comment, or a string with its closing mark. */
type Open = { readonly until: string; readonly comment: boolean } | null;

function blankLine(line: string, syntax: Syntax, openBefore: Open): { code: string; open: Open } {
  let code = "";
  let open = openBefore;
  let at = 0;
  while (at < line.length) {
    if (open !== null) {
      const end = closing(line, at, open);
      if (end < 0) {
        const carries = open.comment || open.until === "`" || open.until.length === 3;
        return { code: code.padEnd(line.length), open: carries ? open : null };
      }
      code = code.padEnd(end) + (open.comment ? "" : open.until);
      at = end + open.until.length;
      code = code.padEnd(at);
      open = null;
      continue;
    }
    if (syntax.lineComments.some((mark) => line.startsWith(mark, at)))
      return { code: code.padEnd(line.length), open: null };
    if (syntax.blockComments && line.startsWith("/*", at)) {
      open = { until: "*/", comment: true };
      at += 2;
      code = code.padEnd(at);
      continue;
    }
    const quote = syntax.quotes.find((mark) => line.startsWith(mark, at));
    if (quote !== undefined && !isRegularExpressionText(line, at)) {
      open = { until: quote, comment: false };
      code += quote;
      at += quote.length;
      continue;
    }
    code += line[at] ?? "";
    at += 1;
  }
  const carries = open !== null && (open.comment || open.until === "`" || open.until.length === 3);
  return { code, open: carries ? open : null };
}

function closing(line: string, from: number, open: { readonly until: string; readonly comment: boolean }): number {
  for (let at = from; at < line.length; at += 1) {
    if (!open.comment && line[at] === "\\") at += 1;
    else if (line.startsWith(open.until, at)) return at;
  }
  return -1;
}

/** A quote inside a JavaScript regular expression such as /["']/ opens no string: the bracket before it tells. */
function isRegularExpressionText(line: string, at: number): boolean {
  return /\/[^/\s]*\[[^\]/]*$/.test(line.slice(0, at)) && /^[^\]]*\][^/]*\//.test(line.slice(at));
}

/** Every place where a whole identifier stands in code: 1-based line and 0-based column. */
export function occurrences(code: readonly string[], name: string): { line: number; column: number }[] {
  const found: { line: number; column: number }[] = [];
  code.forEach((text, index) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      if (!isNameCharacter(text[at - 1]) && !isNameCharacter(text[at + name.length]))
        found.push({ line: index + 1, column: at });
    }
  });
  return found;
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character);
}

/** True for a text that can be an identifier. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}
