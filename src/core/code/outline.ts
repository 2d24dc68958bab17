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
  /^\s*(?:[\w:<>,*&[\]?]+\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*\)\s*(?:const\s*)?\{?\s*$/,
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
    const name = declaredName(text);
    if (name === null) return;
    const endLine = syntax.name === "python" ? indentedEnd(code, index) : bracedEnd(code, index);
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

/** Names that a line declares as functions. */
function declaredName(text: string): string | null {
  for (const pattern of DECLARATIONS) {
    const match = pattern.exec(text);
    const name = match?.[1];
    // Brackets that do not close again belong to a call that is given a function.
    if (match === null || match[0].split("(").length < match[0].split(")").length) continue;
    if (match[0].endsWith("{") && match[0].split("(").length !== match[0].split(")").length) continue;
    if (name !== undefined && !NOT_NAMES.has(name) && !/^\s*(?:return|throw|await|new|else)\b/.test(text)) return name;
  }
  return null;
}

function bracedEnd(code: readonly string[], from: number): number | null {
  let depth = 0;
  let opened = false;
  for (let index = from; index < code.length; index += 1) {
    for (const character of code[index] ?? "") {
      if (character === "{") {
        depth += 1;
        opened = true;
      } else if (character === "}") depth -= 1;
      if (opened && depth === 0) return Math.max(index, from) + 1;
    }
    if (!opened && /;\s*$/.test(code[index] ?? "")) return index + 1;
    if (!opened && index - from > 12) return null;
  }
  return null;
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
const EXITS = /\b(?:return|throw|raise|continue|break|panic|exit)\b/;

/** Conditions, early exits, assertions and bounds of enclosing loops between a function's head and a line, nearest last. */
export function guardsBefore(file: string, lines: readonly string[], within: FunctionSpan, line: number): Guard[] {
  const syntax = syntaxOf(file);
  const code = codeOnly(lines, syntax);
  const endOf = (at: number): number =>
    syntax.name === "python" ? indentedEnd(code, at - 1) : (bracedEnd(code, at - 1) ?? at);
  const guards: Guard[] = [];
  for (let at = within.line; at < Math.min(line, within.endLine + 1); at += 1) {
    const text = code[at - 1] ?? "";
    if (BRANCHES.test(text)) {
      const block = code.slice(at - 1, Math.max(at + 1, endOf(at))).join("\n");
      const around = endOf(at) >= line && /\{\s*$|:\s*$/.test(text);
      guards.push({ line: at, kind: EXITS.test(block) && !around ? "early exit" : "condition" });
    } else if (/^\s*(?:for|while)\b/.test(text)) {
      if (endOf(at) >= line) guards.push({ line: at, kind: "loop bound" });
    } else if (ASSERTS.test(text) && !/\b(?:function|def|func|fn)\b/.test(text))
      guards.push({ line: at, kind: "assertion" });
  }
  return guards;
}
