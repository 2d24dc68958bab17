import { isKeyword } from "./names.ts";
import { enclosingFunction, type FunctionSpan, type NamedValue, type Structure } from "./structure.ts";

/** A constant with the literal it comes to. */
export interface Constant {
  readonly name: string;
  readonly line: number;
  /** A number or truth value as it is written, or the number that its arithmetic comes to. */
  readonly value: string;
}

const NUMBER =
  /^(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d(?:[\d_]|'(?=\d))*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?)(?:n|[uUlLfFdDmM]{1,3}|[iu](?:8|16|32|64|128|size)|f(?:32|64))?$/;
const TRUTH = /^(?:true|false|True|False|TRUE|FALSE)$/;
const TOKEN = /\s*(?:(\d[\w.']*(?:(?<=[eE])[-+]\d+)?)|([A-Za-z_$][\w$]*)|(\*\*|<<|>>|[-+*/%&|^()~]))/y;

/** How long a value may be. */
const LONGEST = 120;
/** How far constants are followed through others. */
const DEEPEST = 8;

/**
 * A value as a structure may carry it, from the source text of an initialiser: numbers, truth values, and arithmetic on
 * numbers and names. Null for anything else, so that no text and no secret gets through.
 */
export function valueText(source: string): string | null {
  const text = source
    .replace(/\s+as\s+const$/, "")
    .replace(/\s+/g, " ")
    .trim();
  if (text.length > LONGEST) return null;
  if (TRUTH.test(text)) return text;
  const tokens = tokensOf(text);
  if (tokens === null || !tokens.some((token) => /^[\dA-Za-z_$]/.test(token))) return null;
  const calls = tokens.some((token, at) => /^[A-Za-z_$]/.test(token) && (isKeyword(token) || tokens[at + 1] === "("));
  return calls ? null : text;
}

/** Numbers, names and operators; null where there is anything else. */
function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    const token = match?.[1] ?? match?.[2] ?? match?.[3];
    if (token === undefined || (match?.[1] !== undefined && !NUMBER.test(token))) return null;
    tokens.push(token);
  }
  return tokens;
}

/**
 * The constant that a name means on a line, with the literal it stands for; names in its value are followed within the
 * file. Null where there is none or more than one of that name, where the name is a parameter there, or where the value
 * does not come down to a literal (R0.10).
 */
export function constantOf(structure: Structure, name: string, at: number): Constant | null {
  const around = enclosingFunction(structure, at);
  const found = around?.parameters.includes(name) === true ? null : onlyOne(structure, name, around);
  if (found === null) return null;
  const { line, value } = found;
  if (TRUTH.test(value) || !/[A-Za-z_$]/.test(withoutNumbers(value))) return { name, line, value };
  // A name in a function may be one of its own variables.
  const number = enclosingFunction(structure, line) === null ? evaluate(value, structure, DEEPEST) : null;
  return number === null ? null : { name, line, value: String(number) };
}

/** The one constant of a name that is known in a function: one of the file or its own. */
function onlyOne(structure: Structure, name: string, around: FunctionSpan | null): NamedValue | null {
  const [only, second] = structure.constants.filter((constant) => {
    const home = constant.name === name ? enclosingFunction(structure, constant.line) : null;
    return constant.name === name && (home === null || home === around);
  });
  return only === undefined || second !== undefined ? null : only;
}

function withoutNumbers(value: string): string {
  return (tokensOf(value) ?? []).filter((token) => !/^\d/.test(token)).join(" ");
}

/** The number that arithmetic comes to, exact within the safe integers; null where it is none. */
function evaluate(value: string, structure: Structure, depth: number): number | null {
  const tokens = tokensOf(value);
  if (tokens === null || depth === 0) return null;
  const reader: Reader = { tokens, at: 0, resolve: (name) => resolveName(name, structure, depth) };
  const number = binary(reader, 0);
  if (number === null || reader.at !== tokens.length) return null;
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : null;
}

function resolveName(name: string, structure: Structure, depth: number): number | null {
  const found = onlyOne(structure, name, null);
  return found === null ? null : evaluate(found.value, structure, depth - 1);
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  readonly resolve: (name: string) => number | null;
}

/** Operators by how weakly they bind. Bit operators and division depend on the language's number types and stay open. */
const LEVELS: readonly (readonly string[])[] = [["<<"], ["+", "-"], ["*"]];

function binary(reader: Reader, level: number): number | null {
  const operators = LEVELS[level];
  if (operators === undefined) return unary(reader);
  let left = binary(reader, level + 1);
  for (let operator = reader.tokens[reader.at]; operator !== undefined && operators.includes(operator);) {
    reader.at += 1;
    const right = binary(reader, level + 1);
    if (left === null || right === null) return null;
    left = apply(operator, left, right);
    operator = reader.tokens[reader.at];
  }
  return left;
}

function apply(operator: string, left: number, right: number): number {
  if (operator === "<<") return left * 2 ** right;
  if (operator === "*") return left * right;
  return operator === "+" ? left + right : left - right;
}

function unary(reader: Reader): number | null {
  const token = reader.tokens[reader.at];
  if (token === undefined) return null;
  reader.at += 1;
  if (token === "-" || token === "+") {
    const inner = unary(reader);
    return inner === null ? null : token === "-" ? -inner : inner;
  }
  if (token === "(") {
    const inner = binary(reader, 0);
    const closed = reader.tokens[reader.at] === ")";
    reader.at += 1;
    return closed ? inner : null;
  }
  if (/^\d/.test(token)) return numberOf(token);
  return /^[A-Za-z_$]/.test(token) ? reader.resolve(token) : null;
}

function numberOf(token: string): number | null {
  // A leading zero is octal in some languages and decimal in others.
  if (/^0\d/.test(token)) return null;
  const bare = token.replace(/[_']/g, "");
  const digits = /^0[xXbBoO]/.test(bare)
    ? (/^0[xX][\da-fA-F]+?(?=[uUlL]*$|[iu]\d)|^0[bBoO]\d+/.exec(bare)?.[0] ?? bare)
    : (/^\d+(?:\.\d*)?(?:[eE][-+]?\d+)?/.exec(bare)?.[0] ?? bare);
  const number = Number(digits);
  return Number.isNaN(number) ? null : number;
}
