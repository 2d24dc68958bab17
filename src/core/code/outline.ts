import type { Brackets } from "./brackets.ts";
import type { Syntax } from "./lexer.ts";
import { namesIn } from "./names.ts";
import type { FunctionSpan, Guard } from "./structure.ts";

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

/** How a line begins that declares no function, however much the rest looks like one. */
const NO_DECLARATION =
  /^\s*(?:[?:]|(?:return|throw|raise|yield|await|new|else|assert|del|delete|echo|goto|print|typeof|use|if|elif|for|foreach|while|switch|case|and|or)\b)/;

/** Longest line that is read, in characters: longer ones are generated, and patterns are slow on them. */
export const LONGEST_LINE = 400;
/** Most lines between a declaration and the brace of its body. */
const MOST_HEAD = 12;

/** All functions of a file, by declaration line and by braces or indentation; nested ones included, in order of their lines. */
export function readFunctions(syntax: Syntax, code: readonly string[], brackets: Brackets): FunctionSpan[] {
  const found: FunctionSpan[] = [];
  code.forEach((text, index) => {
    const declared = text.length > LONGEST_LINE ? null : declaredName(text);
    if (declared === null) return;
    const { name, column } = declared;
    const last = syntax.name === "python" ? brackets.indentedEnd(index) : bracedEnd(code, index, column, brackets);
    if (last === null) return;
    const exported = syntax.name === "javascript" && /^\s*export\b/.test(text);
    const parameters = parametersAt(syntax, code, index, column + name.length, brackets);
    found.push({ name, line: index + 1, endLine: last + 1, parameters, public: exported ? true : null, owner: null });
  });
  return nested(found);
}

/** Without those that begin in another one and end behind it: of two that cross, one was misread. */
function nested(functions: readonly FunctionSpan[]): FunctionSpan[] {
  const open: FunctionSpan[] = [];
  return functions.filter((span) => {
    while ((open.at(-1)?.endLine ?? Infinity) <= span.line) open.pop();
    if (span.endLine > (open.at(-1)?.endLine ?? Infinity)) return false;
    open.push(span);
    return true;
  });
}

/** The function that a line declares, with the column of its name. */
function declaredName(text: string): { name: string; column: number } | null {
  if (NO_DECLARATION.test(text)) return null;
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
 * The last line (0-based) of a body in braces, looked for from a column of the line it is declared on. Braces between round
 * brackets, and those of types before the body (`Promise<{ ok: boolean }> {`), are part of the head. A head that ends in a
 * semicolon is a declaration without a body. Null where no body was found.
 */
function bracedEnd(code: readonly string[], from: number, column: number, brackets: Brackets): number | null {
  let [line, at] = [from, column];
  while (line < code.length && line - from <= MOST_HEAD) {
    const text = code[line] ?? "";
    const next = text.slice(at).search(/[({]/);
    if (next < 0) {
      if (/;\s*$/.test(text)) return line;
      [line, at] = [line + 1, 0];
      continue;
    }
    const close = brackets.closing(line, at + next);
    if (close === null) return null;
    const after = (code[close.line] ?? "").slice(close.column + 1);
    if (text[at + next] === "{" && !/^\s*[>|&{[]/.test(after)) return close.line;
    [line, at] = [close.line, close.column + 1];
  }
  return null;
}

/** Names of the parameters in the round brackets behind a function's name. */
function parametersAt(
  syntax: Syntax,
  code: readonly string[],
  line: number,
  column: number,
  brackets: Brackets,
): string[] {
  const open = (code[line] ?? "").indexOf("(", column);
  const close = open < 0 ? null : brackets.closing(line, open);
  if (close === null || close.line - line > MOST_HEAD) return [];
  const whole = code.slice(line, close.line + 1).join(" ");
  const offset = code.slice(line, close.line).reduce((sum, text) => sum + text.length + 1, 0);
  const parts = splitTop(whole.slice(open + 1, offset + close.column));
  const first = syntax.name !== "c-like" || /\b(?:func|fn)\b/.test(code[line] ?? "");
  const pattern = first
    ? /^\s*(?:[a-z]+\s+)*[.*&\s]*([A-Za-z_$][\w$]*)/
    : /([A-Za-z_$][\w$]*)\s*(?:\[[^\]]*\])?\s*(?:=.*)?$/;
  return parts.flatMap((part) =>
    /^\s*\{/.test(part) ? namesIn(part.split("}")[0] ?? "", false) : (pattern.exec(part)?.[1] ?? []),
  );
}

/** The parts between commas that stand in no bracket. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if ("([{<".includes(character)) depth += 1;
    else if (")]}>".includes(character)) depth -= 1;
    else if (character === "," && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part.trim() !== "");
}

/** Calls by whose name a value is checked. */
const ASSERTS = /\b(?:assert\w*|invariant|require\w*|ensure\w*|check\w*|validate\w*|expect)\s*\(/;
const BRANCHES = /^\s*(?:\}?\s*else\s+)?(?:if|guard|unless|elif|case|match)\b/;
/** Loops with a bound of their own; one over a collection bounds nothing that could be too large. */
const BOUNDS = /^\s*(?:for\b[^;]*;|while\b|for\b.*\brange\s*\()/;
const EXITS = /\b(?:return|throw|raise|continue|break|panic|exit)\b/;

/**
 * Conditions, early exits, assertions and bounds of loops inside the functions. Patterns cannot tell which lines a condition
 * rules: all that follow in its function count as protected, so that no caller is called unguarded by mistake.
 */
export function readGuards(
  syntax: Syntax,
  code: readonly string[],
  functions: readonly FunctionSpan[],
  brackets: Brackets,
): Guard[] {
  const exits = exitCounts(code);
  const inside = innermost(code.length, functions);
  const guards: Guard[] = [];
  code.forEach((text, index) => {
    const within = inside[index] ?? null;
    if (within === null || text.length > LONGEST_LINE) return;
    const last = bodyEnd(syntax, code, index, brackets);
    const line = index + 1;
    const rest = [{ line: line + 1, endLine: within.endLine }];
    const names = namesIn(text, true);
    if (BRANCHES.test(text)) {
      const leaves = (exits[Math.max(index + 2, last + 1)] ?? exits.at(-1) ?? 0) > (exits[index] ?? 0);
      const opens = /\{\s*$|:\s*$/.test(text);
      const ruled = { line: line + 1, endLine: last + 1 };
      if (leaves && opens && last > index) {
        // Inside its own block a condition, behind it an exit.
        guards.push({ line, endLine: last + 1, kind: "condition", protects: [ruled], names });
        guards.push({
          line,
          endLine: last + 1,
          kind: "early exit",
          protects: [{ line: last + 2, endLine: within.endLine }],
          names,
        });
      } else guards.push({ line, endLine: last + 1, kind: leaves ? "early exit" : "condition", protects: rest, names });
    } else if (BOUNDS.test(text))
      guards.push({
        line,
        endLine: last + 1,
        kind: "loop bound",
        protects: [{ line: line + 1, endLine: last + 1 }],
        names,
      });
    else if (ASSERTS.test(text) && !/\b(?:function|def|func|fn)\b/.test(text))
      guards.push({ line, endLine: line, kind: "assertion", protects: rest, names });
  });
  return guards;
}

function bodyEnd(syntax: Syntax, code: readonly string[], index: number, brackets: Brackets): number {
  if (syntax.name === "python") return brackets.indentedEnd(index);
  return bracedEnd(code, index, /^\s*\}?/.exec(code[index] ?? "")?.[0].length ?? 0, brackets) ?? index;
}

/** How many lines before each one can leave a block. */
function exitCounts(code: readonly string[]): number[] {
  let count = 0;
  const counts = [0];
  for (const text of code) {
    if (EXITS.test(text)) count += 1;
    counts.push(count);
  }
  return counts;
}

/** The innermost function of each 0-based line. */
export function innermost(lines: number, functions: readonly FunctionSpan[]): readonly (FunctionSpan | null)[] {
  const open: FunctionSpan[] = [];
  let next = 0;
  return Array.from({ length: lines }, (_unused, index) => {
    while ((open.at(-1)?.endLine ?? Infinity) < index + 1) open.pop();
    for (let begun = functions[next]; begun !== undefined && begun.line <= index + 1; begun = functions[next]) {
      open.push(begun);
      next += 1;
    }
    return open.at(-1) ?? null;
  });
}
