/** A condition that never holds, or holds for a type checker only. */
const NEVER_JS =
  /\b(?:if|while)\s*\(\s*(?:false|0|!\s*(?:true|1))\b[^()]*\)\s*(?:[^{};]*|\{[^{}]*)$|\bfalse\s*&&[^;]*$/;
const NEVER_PYTHON = /^\s*(?:if|elif|while)\s+(?:False|0|(?:typing\.)?TYPE_CHECKING)\b[^:]*:/;
const LEAVES = /^\s*(?:return|throw|raise|break|continue)\b/;

/**
 * True where reading the code around a line shows that it never runs: below a condition that is written as false, or right behind
 * a statement that leaves its block. In: code as `lexCode` gives it, 1-based line, 0-based column. False means no more than
 * “not seen”.
 */
export function neverRuns(code: readonly string[], line: number, column: number): boolean {
  const before = (code[line - 1] ?? "").slice(0, column);
  if (NEVER_JS.test(before) || NEVER_PYTHON.test(before)) return true;
  let indent = indentOf(code[line - 1] ?? "");
  for (let at = line - 2; at >= 0; at -= 1) {
    const text = code[at] ?? "";
    if (text.trim() === "") continue;
    const own = indentOf(text);
    if (own === indent && LEAVES.test(text) && followsDirectly(code, at, indent)) return true;
    if (own >= indent) continue;
    if (NEVER_JS.test(text) || NEVER_PYTHON.test(text)) return true;
    indent = own;
  }
  return false;
}

/** Where the next statement of the same block is no new branch, so that nothing but the statement above leads to it. */
function followsDirectly(code: readonly string[], at: number, indent: number): boolean {
  const behind = endOfBrackets(code, at) + 1;
  const next = code.slice(behind).find((text) => text.trim() !== "" && indentOf(text) <= indent) ?? "";
  return indentOf(next) === indent && !/^\s*(?:[)\]}]|case\b|default\b|else\b|elif\b|except\b|finally\b)/.test(next);
}

/** Index of the line on which the brackets that a line opens are closed again. */
function endOfBrackets(code: readonly string[], at: number): number {
  let open = 0;
  for (let line = at; line < code.length; line += 1) {
    for (const character of code[line] ?? "")
      open += "([{".includes(character) ? 1 : ")]}".includes(character) ? -1 : 0;
    if (open <= 0) return line;
  }
  return at;
}

/**
 * The last line (1-based) of the statement that begins at the first column of a line of the top level: lines inside its brackets
 * and lines that are indented below it belong to it.
 */
export function endOfStatement(levels: readonly number[], code: readonly string[], line: number): number {
  let end = line;
  for (let next = line; next < code.length; next += 1) {
    const text = code[next] ?? "";
    if (text.trim() === "") continue;
    if ((levels[next] ?? 0) <= (levels[line - 1] ?? 0) && !/^\s/.test(text)) break;
    end = next + 1;
  }
  return end;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
