import type { Repository, Structures } from "../ports.ts";
import { readBrackets } from "./brackets.ts";
import { valueText } from "./constants.ts";
import { importsOf } from "./imports.ts";
import { lexCode, type Syntax, syntaxOf } from "./lexer.ts";
import { isKeyword } from "./names.ts";
import { innermost, LONGEST_LINE, readFunctions, readGuards } from "./outline.ts";
import type { Call, FunctionSpan, NamedValue, Structure } from "./structure.ts";

const NO_GRAMMAR = "there is no grammar for this language";

/**
 * The structure of a file as patterns read it: what is left where no grammar can be used. It knows functions, guards, calls,
 * constants and imports, no declarations and no classes. Never throws, whatever the text.
 */
export function readStructure(file: string, lines: readonly string[], why: string = NO_GRAMMAR): Structure {
  const syntax = syntaxOf(file);
  const { code, sound } = lexCode(lines, syntax);
  const brackets = readBrackets(code);
  const functions = readFunctions(syntax, code, brackets);
  return {
    file,
    language: syntax.name,
    reader: "text",
    why,
    sound: sound && syntax.name !== "other" && !code.some((text) => text.length > LONGEST_LINE),
    broken: [],
    functions,
    guards: readGuards(syntax, code, functions, brackets),
    calls: readCalls(code, functions),
    constants: readConstants(syntax, code),
    declarations: [],
    imports: importsOf(file, lines),
  };
}

/** Structures by patterns alone, for a workspace without grammars. */
export function createTextStructures(repository: Pick<Repository, "text">, why?: string): Structures {
  return {
    of: async (file) => {
      const text = await repository.text(file);
      return text === null ? null : readStructure(file, text.lines, why);
    },
  };
}

const CALL = /(?:([A-Za-z_$][\w$.]*)(?:\?\.|->|::|\.))?([A-Za-z_$][\w$]*)\s*\(/g;

function readCalls(code: readonly string[], functions: readonly FunctionSpan[]): Call[] {
  const heads = new Set(functions.map((span) => `${span.line} ${span.name}`));
  const inside = innermost(code.length, functions);
  const calls: Call[] = [];
  code.forEach((text, index) => {
    if (text.length > LONGEST_LINE) return;
    for (const match of text.matchAll(CALL)) {
      const name = match[2] ?? "";
      if (isKeyword(name) || heads.has(`${index + 1} ${name}`)) continue;
      const column = match.index + match[0].lastIndexOf(name);
      calls.push({ name, receiver: match[1] ?? null, line: index + 1, column, within: inside[index] ?? null });
    }
  });
  return calls;
}

const CONSTANTS = {
  javascript: /^\s*(?:export\s+)?const\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(.+)$/,
  python: /^\s*(_*[A-Z][A-Z\d_]*)\s*(?::[^=]+)?=\s*(.+)$/,
  "c-like":
    /^\s*(?:#\s*define\s+([A-Za-z_]\w*)\s+|.*\b(?:const|final|readonly|constexpr|static)\b[^=;(]*?\b([A-Za-z_]\w*)\s*(?::[^=]+)?=\s*)(.+)$/,
  other: null,
} as const satisfies Record<Syntax["name"], RegExp | null>;

function readConstants(syntax: Syntax, code: readonly string[]): NamedValue[] {
  const pattern = CONSTANTS[syntax.name];
  if (pattern === null) return [];
  return code.flatMap((text, index) => {
    const match = text.length > LONGEST_LINE ? null : pattern.exec(text);
    const name = match?.[1] ?? match?.[2];
    const value = valueText((match?.at(-1) ?? "").replace(/\s*[;,]\s*$/, ""));
    return name === undefined || value === null ? [] : [{ name, line: index + 1, value }];
  });
}

/** The structure of a text that was read, by patterns where the port gives none. */
export async function structureOf(file: string, lines: readonly string[], structures: Structures): Promise<Structure> {
  return (await structures.of(file)) ?? readStructure(file, lines);
}
