import { codeOnly, syntaxOf } from "./lexer.ts";

/** A function found by reading: 1-based inclusive lines. */
export interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
}

const DECLARATIONS: readonly RegExp[] = [
  /\bfunction\*?\s+([A-Za-z_$][\w$]*)\s*[(<]/,
  /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]*)?=>/,
  /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s+)?function\b/,
  /^\s*(?:async\s+)?def\s+([A-Za-z_]\w*)\s*\(/,
  /^\s*func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)\s*[([]/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+([A-Za-z_]\w*)/,
  /^\s*(?:(?:public|private|protected|static|async|override|readonly|final|abstract|get|set)\s+)*([A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^{;]*|\s+throws\s+[\w.,\s]+|\s+const)?\{/,
  /^\s*(?:[\w:<>,*&[\]?]+\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*\)\s*(?:const\s*|throws\s[^{;]*)?\{?\s*$/,
];
const NOT_NAMES = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "function",
  "else",
  "do",
  "try",
  "new",
  "await",
  "throw",
  "with",
]);

/** All functions of a file, by declaration line and by braces or indentation; nested ones included, in order of their lines. */
export function functionsOf(file: string, lines: readonly string[]): FunctionSpan[] {
  const syntax = syntaxOf(file);
  const code = codeOnly(lines, syntax);
  const found: FunctionSpan[] = [];
  code.forEach((text, index) => {
    const declared = declaredName(text);
    if (declared === null) return;
    const { name, column } = declared;
    const endLine = syntax.name === "python" ? indentedEnd(code, index) : bracedEnd(code, index, column);
    if (endLine !== null) found.push({ name, line: index + 1, endLine });
  });
  return found;
}

/** The innermost function around a 1-based line; null at top level or where reading did not find one. */
export function enclosingFunction(file: string, lines: readonly string[], line: number): FunctionSpan | null {
  let best: FunctionSpan | null = null;
  for (const candidate of functionsOf(file, lines)) {
    if (candidate.line <= line && line <= candidate.endLine && (best === null || candidate.line >= best.line))
      best = candidate;
  }
  return best;
}

/** The function that a line declares, with the column of its name. */
function declaredName(text: string): { name: string; column: number } | null {
  if (/^\s*(?:return|throw|await|new|else)\b/.test(text)) return null;
  for (const pattern of DECLARATIONS) {
    const match = pattern.exec(text);
    const name = match?.[1];
    if (match === null || name === undefined || NOT_NAMES.has(name)) continue;
    // Brackets that do not close again belong to a call that is given a function.
    const [opened, closed] = [match[0].split("(").length, match[0].split(")").length];
    if (opened < closed || (match[0].endsWith("{") && opened !== closed)) continue;
    return { name, column: match.index + match[0].indexOf(name) };
  }
  return null;
}

/**
 * The last line of a body in braces, counted from a column of the line it is declared on. Braces between round brackets, and
 * those of types before the body (`Promise<{ ok: boolean }> {`), are part of the head.
 */
function bracedEnd(code: readonly string[], from: number, column: number): number | null {
  const open = { round: 0, braces: 0 };
  for (let index = from; index < code.length; index += 1) {
    const text = code[index] ?? "";
    for (let at = index === from ? column : 0; at < text.length; at += 1)
      if (closesBody(text, at, open)) return index + 1;
    if (open.braces > 0) continue;
    if (/;\s*$/.test(text)) return index + 1;
    if (index - from > MOST_HEAD) return null;
  }
  return null;
}

/** Most lines between a declaration and the brace of its body. */
const MOST_HEAD = 12;

function closesBody(text: string, at: number, open: { round: number; braces: number }): boolean {
  const character = text[at];
  if (open.braces === 0 && character === "(") open.round += 1;
  else if (open.braces === 0 && character === ")") open.round -= 1;
  else if (open.round <= 0 && character === "{") open.braces += 1;
  else if (open.round <= 0 && character === "}") {
    open.braces -= 1;
    return open.braces <= 0 && !/^\s*[>|&{[]/.test(text.slice(at + 1));
  }
  return false;
}

function indentedEnd(code: readonly string[], from: number): number {
  const indent = (code[from] ?? "").search(/\S/);
  let end = from;
  for (let index = from + 1; index < code.length; index += 1) {
    const own = (code[index] ?? "").search(/\S/);
    if (own < 0) continue;
    if (own <= indent && !/^\s*[)\]]/.test(code[index] ?? "")) break;
    end = index;
  }
  return end + 1;
}

/** A line that can keep the flow or a value from the flagged line: 1-based, with its kind. */
export interface Guard {
  readonly line: number;
  readonly kind: "condition" | "early exit" | "assertion" | "loop bound";
}

const ASSERTS = /\b(?:assert\w*|invariant|require\w*|ensure\w*|check\w*|validate\w*|expect)\s*\(/;
const BRANCHES = /^\s*(?:\}?\s*else\s+)?(?:if|guard|unless|elif|case|match)\b/;
/** Loops with a bound of their own; one over a collection bounds nothing that could be too large. */
const BOUNDS = /^\s*(?:for\b[^;]*;|while\b|for\b.*\brange\s*\()/;
const EXITS = /\b(?:return|throw|raise|continue|break|panic|exit)\b/;

/** Conditions, early exits, assertions and bounds of enclosing loops between a function's head and a line, nearest last. */
export function guardsBefore(file: string, lines: readonly string[], within: FunctionSpan, line: number): Guard[] {
  const syntax = syntaxOf(file);
  const code = codeOnly(lines, syntax);
  const endOf = (at: number): number =>
    syntax.name === "python"
      ? indentedEnd(code, at - 1)
      : (bracedEnd(code, at - 1, /^\s*\}?/.exec(code[at - 1] ?? "")?.[0].length ?? 0) ?? at);
  const guards: Guard[] = [];
  for (let at = within.line; at < Math.min(line, within.endLine + 1); at += 1) {
    const text = code[at - 1] ?? "";
    if (BRANCHES.test(text)) {
      const block = code.slice(at - 1, Math.max(at + 1, endOf(at))).join("\n");
      const around = endOf(at) >= line && /\{\s*$|:\s*$/.test(text);
      guards.push({ line: at, kind: EXITS.test(block) && !around ? "early exit" : "condition" });
    } else if (BOUNDS.test(text)) {
      if (endOf(at) >= line) guards.push({ line: at, kind: "loop bound" });
    } else if (ASSERTS.test(text) && !/\b(?:function|def|func|fn)\b/.test(text))
      guards.push({ line: at, kind: "assertion" });
  }
  return guards;
}
