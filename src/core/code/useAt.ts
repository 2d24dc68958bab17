import { mentionsOf } from "./mentions.ts";
import { callersOf, type Structure } from "./structure.ts";

/** The identifier that begins at a 0-based column of a line of code; null where none does. */
export function identifierAt(code: readonly string[], line: number, column: number): string | null {
  const text = code[line - 1] ?? "";
  if (/[\w$]$/.test(text.slice(0, column))) return null;
  return /^[A-Za-z_$][\w$]*/.exec(text.slice(column))?.[0] ?? null;
}

/**
 * What the code does with the name at a place, which need not be what it is called elsewhere (`import { a as b }`): calls it
 * or uses its value. Null for declarations, imports, exports, properties and text, and where nothing was understood.
 */
export function useAt(
  structure: Structure,
  code: readonly string[],
  { line, column }: { readonly line: number; readonly column: number },
): "call" | "use" | null {
  const name = identifierAt(code, line, column);
  if (name === null) return null;
  if (
    structure.reader === "grammar" &&
    callersOf(structure, name).some((call) => call.line === line && call.column === column)
  )
    return "call";
  const mention = mentionsOf(structure.file, code, name).find((one) => one.line === line && one.column === column);
  if (mention?.kind === "use") return "use";
  return mention?.kind === "call" && structure.reader === "text" ? "call" : null;
}
