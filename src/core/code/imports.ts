import { codeOnly, depths, syntaxOf } from "./lexer.ts";

/** One imported name: `local` is what the file calls it, `imported` what the module calls it (`*` for the namespace). */
export interface ImportedName {
  readonly local: string;
  readonly imported: string;
  readonly specifier: string;
  /** 1-based lines of the statement, inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** True for `import type`: it names no value at run time. */
  readonly typeOnly: boolean;
}

/** Most lines of one import statement. */
const LONGEST_STATEMENT = 60;

/**
 * The static top-level imports of a JavaScript/TypeScript or Python file. Conditional, local and dynamic ones are left out on
 * purpose: they bind nothing that is there in every case.
 */
export function importsOf(file: string, lines: readonly string[]): ImportedName[] {
  const language = syntaxOf(file);
  const code = codeOnly(lines, language);
  if (language.name === "javascript") return javascriptImports(lines, code);
  if (language.name === "python") return pythonImports(code);
  return [];
}

function javascriptImports(lines: readonly string[], code: readonly string[]): ImportedName[] {
  const depth = depths(code);
  const found: ImportedName[] = [];
  for (let index = 0; index < code.length; index += 1) {
    if (depth[index] !== 0 || !/^import\b(?!\s*[(.])/.test(code[index] ?? "")) continue;
    let end = index;
    while (end < code.length - 1 && end - index < LONGEST_STATEMENT && !/["'].*["']/.test(code[end] ?? "")) end += 1;
    const clause = code.slice(index, end + 1).join(" ");
    const specifier = /["']([^"']*)["']/.exec(lines[end] ?? "")?.[1];
    if (specifier === undefined) continue;
    for (const name of clauseNames(clause)) found.push({ ...name, specifier, line: index + 1, endLine: end + 1 });
    index = end;
  }
  return found;
}

function clauseNames(clause: string): Pick<ImportedName, "local" | "imported" | "typeOnly">[] {
  const head = /^import\s+(type\s+(?!from\b))?([^;"']*?)\s*\bfrom\b/.exec(clause);
  if (head === null) return [];
  const typeOnly = head[1] !== undefined;
  const names: Pick<ImportedName, "local" | "imported" | "typeOnly">[] = [];
  const bindings = head[2] ?? "";
  const namespace = /\*\s+as\s+([\w$]+)/.exec(bindings)?.[1];
  if (namespace !== undefined) names.push({ local: namespace, imported: "*", typeOnly });
  const fallback = /^([\w$]+)/.exec(bindings)?.[1];
  if (fallback !== undefined) names.push({ local: fallback, imported: "default", typeOnly });
  for (const part of (/\{([^}]*)\}/.exec(bindings)?.[1] ?? "").split(",")) {
    const match = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[2] === undefined) continue;
    names.push({
      local: match[3] ?? match[2],
      imported: match[2],
      typeOnly: typeOnly || match[1] !== undefined,
    });
  }
  return names;
}

function pythonImports(code: readonly string[]): ImportedName[] {
  const found: ImportedName[] = [];
  code.forEach((text, index) => {
    const from = /^from\s+([.\w]+)\s+import\s+(.*)$/.exec(text);
    if (from?.[1] !== undefined) {
      let names = from[2] ?? "";
      let end = index;
      while (goesOn(names) && end < code.length - 1 && end - index < LONGEST_STATEMENT) {
        end += 1;
        names = `${names.replace(/\\\s*$/, "")} ${code[end] ?? ""}`;
      }
      for (const part of names.replace(/[()]/g, "").split(",")) {
        const match = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
        if (match?.[1] !== undefined) found.push(named(match[2] ?? match[1], match[1], from[1], index + 1, end + 1));
      }
    }
    const plain = /^import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(text);
    if (plain?.[1] !== undefined)
      found.push(named(plain[2] ?? plain[1].split(".")[0] ?? plain[1], "*", plain[1], index + 1, index + 1));
  });
  return found;
}

function goesOn(names: string): boolean {
  return (names.includes("(") && !names.includes(")")) || /\\\s*$/.test(names);
}

function named(local: string, imported: string, specifier: string, line: number, endLine: number): ImportedName {
  return { local, imported, specifier, line, endLine, typeOnly: false };
}
