import type { Repository } from "../ports.ts";
import { codeOnly, occurrences, syntaxOf } from "./lexer.ts";

/** One imported name: `local` is what the file calls it, `imported` what the module calls it (`*` for the namespace). */
export interface ImportedName {
  readonly local: string;
  readonly imported: string;
  readonly specifier: string;
  /** 1-based line of the statement's first word. */
  readonly line: number;
  /** True for `import type`: it names no value at run time. */
  readonly typeOnly: boolean;
}

/** A place in a file, 1-based. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
}

/** The static imports of a JavaScript/TypeScript or Python file; conditional and dynamic ones are left out on purpose. */
export function importsOf(file: string, lines: readonly string[]): ImportedName[] {
  const syntax = syntaxOf(file);
  if (syntax.name === "javascript") return javascriptImports(lines);
  if (syntax.name === "python") return pythonImports(lines);
  return [];
}

function javascriptImports(lines: readonly string[]): ImportedName[] {
  const syntax = syntaxOf("x.ts");
  const code = codeOnly(lines, syntax);
  const found: ImportedName[] = [];
  for (let index = 0; index < code.length; index += 1) {
    if (!/^import\b(?!\s*\()/.test(code[index] ?? "")) continue;
    let end = index;
    while (end < code.length - 1 && end - index < 60 && !/["']\s*["']|["'].*["']/.test(code[end] ?? "")) end += 1;
    const clause = code.slice(index, end + 1).join(" ");
    const specifier = /["']([^"']*)["']/.exec(lines[end] ?? "")?.[1];
    if (specifier === undefined) continue;
    found.push(...clauseNames(clause, specifier, index + 1));
    index = end;
  }
  return found;
}

function clauseNames(clause: string, specifier: string, line: number): ImportedName[] {
  const head = /^import\s+(type\s+(?!from\b))?([\s\S]*?)\s*from\b/.exec(clause);
  if (head === null) return [];
  const typeOnly = head[1] !== undefined;
  const names: ImportedName[] = [];
  const bindings = head[2] ?? "";
  const namespace = /\*\s+as\s+([\w$]+)/.exec(bindings)?.[1];
  if (namespace !== undefined) names.push({ local: namespace, imported: "*", specifier, line, typeOnly });
  const fallback = /^([\w$]+)/.exec(bindings)?.[1];
  if (fallback !== undefined) names.push({ local: fallback, imported: "default", specifier, line, typeOnly });
  for (const part of (/\{([^}]*)\}/.exec(bindings)?.[1] ?? "").split(",")) {
    const match = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[2] === undefined) continue;
    names.push({
      local: match[3] ?? match[2],
      imported: match[2],
      specifier,
      line,
      typeOnly: typeOnly || match[1] !== undefined,
    });
  }
  return names;
}

function pythonImports(lines: readonly string[]): ImportedName[] {
  const code = codeOnly(lines, syntaxOf("x.py"));
  const found: ImportedName[] = [];
  code.forEach((text, index) => {
    const from = /^from\s+([.\w]+)\s+import\s+\(?(.*)$/.exec(text);
    if (from?.[1] !== undefined) {
      let names = from[2] ?? "";
      for (let next = index + 1; text.includes("(") && !names.includes(")") && next < code.length; next += 1)
        names += code[next] ?? "";
      for (const part of names.replace(/[()\\]/g, "").split(",")) {
        const match = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
        if (match?.[1] !== undefined) found.push(named(match[2] ?? match[1], match[1], from[1], index + 1));
      }
    }
    const plain = /^import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(text);
    if (plain?.[1] !== undefined)
      found.push(named(plain[2] ?? plain[1].split(".")[0] ?? plain[1], "*", plain[1], index + 1));
  });
  return found;
}

function named(local: string, imported: string, specifier: string, line: number): ImportedName {
  return { local, imported, specifier, line, typeOnly: false };
}

/** The workspace file that a relative specifier names; null for packages, and where no or more than one file fits. */
export async function resolveModule(from: string, specifier: string, repository: Repository): Promise<string | null> {
  const candidates =
    syntaxOf(from).name === "python" ? pythonCandidates(from, specifier) : javascriptCandidates(from, specifier);
  const files = new Set(await repository.files());
  return candidates.find((candidate) => files.has(candidate)) ?? null;
}

function javascriptCandidates(from: string, specifier: string): string[] {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return [];
  const base = joinPath(from, specifier);
  if (base === null) return [];
  const bare = base.replace(/\.[cm]?jsx?$/, "");
  const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
  return [
    base,
    ...endings.map((ending) => base + ending),
    ...endings.map((ending) => bare + ending),
    ...endings.map((ending) => `${base}/index${ending}`),
  ];
}

function pythonCandidates(from: string, specifier: string): string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const path = specifier.slice(dots).split(".").filter(Boolean).join("/");
  const folder = from.split("/").slice(0, dots === 0 ? 0 : -dots);
  const base = [...folder, path].filter(Boolean).join("/");
  const beside = [...from.split("/").slice(0, -1), path].filter(Boolean).join("/");
  return [...new Set([base, beside])].flatMap((stem) => [`${stem}.py`, `${stem}/__init__.py`]);
}

function joinPath(from: string, specifier: string): string | null {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** How deep re-exports are followed. */
const DEEPEST_REEXPORT = 5;

/**
 * Where a module exports a value of this name; follows re-exports. `typeOnly` exports do not count.
 * Null means "not found by reading", which proves nothing.
 */
export async function findExport(
  file: string,
  name: string,
  repository: Repository,
  depth = 0,
): Promise<CodePlace | null> {
  const text = await repository.text(file);
  if (text === null || text.truncated || depth > DEEPEST_REEXPORT) return null;
  const code = codeOnly(text.lines, syntaxOf(file));
  if (syntaxOf(file).name === "python") return declaredIn(file, code, name);
  const direct = code.findIndex((line) => exportsDirectly(line, name));
  if (direct >= 0) return { file, line: direct + 1 };
  for (let index = 0; index < code.length; index += 1) {
    const line = code[index] ?? "";
    if (!/^export\b(?!\s+type\b)/.test(line)) continue;
    const list = exportList(code, index);
    const inner = list === null ? null : innerName(list.names, name);
    const star = /^export\s+\*\s+from/.test(line) && name !== "default";
    if (inner === null && !star) continue;
    const specifier = /from\s*["']([^"']*)["']/.exec(text.lines[list?.end ?? index] ?? "")?.[1];
    if (specifier === undefined) {
      const own = inner === null ? null : declaredIn(file, code, inner);
      if (own !== null) return own;
      continue;
    }
    const target = await resolveModule(file, specifier, repository);
    const found = target === null ? null : await findExport(target, inner ?? name, repository, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function exportsDirectly(line: string, name: string): boolean {
  if (name === "default") return /^export\s+default\b/.test(line);
  const match =
    /^export\s+(?:async\s+)?(?:const|let|var|function\*?|class|abstract\s+class|enum|namespace)\s+([\w$]+)/.exec(line);
  return match?.[1] === name;
}

function exportList(code: readonly string[], from: number): { names: string; end: number } | null {
  if (!/^export\s*\{/.test(code[from] ?? "")) return null;
  let end = from;
  while (end < code.length - 1 && end - from < 60 && !(code[end] ?? "").includes("}")) end += 1;
  return { names: /\{([^}]*)\}/.exec(code.slice(from, end + 1).join(" "))?.[1] ?? "", end };
}

function innerName(list: string, name: string): string | null {
  for (const part of list.split(",")) {
    const match = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[1] !== undefined && (match[2] ?? match[1]) === name) return match[1];
  }
  return null;
}

/** A top-level declaration of a value in a file's code; null where there is none. */
export function declaredIn(file: string, code: readonly string[], name: string): CodePlace | null {
  const python = syntaxOf(file).name === "python";
  const found = occurrences(code, name).find(({ line, column }) => {
    const before = (code[line - 1] ?? "").slice(0, column);
    if (python)
      return (
        /^(?:async\s+)?(?:def|class)\s+$/.test(before) ||
        (before === "" && /^\w+\s*(?::[^=]+)?=[^=]/.test(code[line - 1] ?? ""))
      );
    return /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|abstract\s+class|enum)\s+$/.test(
      before,
    );
  });
  return found === undefined ? null : { file, line: found.line };
}
