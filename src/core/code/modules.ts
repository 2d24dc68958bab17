import type { Repository } from "../ports.ts";
import { importsOf } from "./imports.ts";
import { depths, lexCode, occurrences, syntaxOf } from "./lexer.ts";

/** A place in a file, 1-based. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
}

const SETS = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The set of a list that is asked again and again. */
function setOf(files: readonly string[]): ReadonlySet<string> {
  const known = SETS.get(files) ?? new Set(files);
  SETS.set(files, known);
  return known;
}

/** The workspace file that an import specifier names; null for packages and path aliases, and where no or more than one file fits. */
export async function resolveModule(from: string, specifier: string, repository: Repository): Promise<string | null> {
  const files = setOf(await repository.files());
  const candidates =
    syntaxOf(from).name === "python" ? pythonCandidates(from, specifier, files) : javascriptCandidates(from, specifier);
  const there = [...new Set(candidates)].filter((candidate) => files.has(candidate));
  return there.length === 1 ? (there[0] ?? null) : null;
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
    ...endings.map((ending) => (base === "" ? `index${ending}` : `${base}/index${ending}`)),
  ];
}

/** Dotted names start at the root or, for a script outside a package, beside it; leading dots climb from the file's folder. */
function pythonCandidates(from: string, specifier: string, files: ReadonlySet<string>): string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const path = specifier.slice(dots).split(".").filter(Boolean).join("/");
  const folder = from.split("/").slice(0, -1);
  const climbed = dots === 0 ? [] : folder.slice(0, folder.length - (dots - 1));
  if (dots > folder.length + 1) return [];
  const stems = [[...climbed, path].filter(Boolean).join("/")];
  const script = dots === 0 && !files.has([...folder, "__init__.py"].join("/"));
  if (script) stems.push([...folder, path].filter(Boolean).join("/"));
  return stems.filter(Boolean).flatMap((stem) => [`${stem}.py`, `${stem}/__init__.py`]);
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
 * Where a module exports a value of this name; follows re-exports. Exports of types do not count, and a name that two
 * `export *` offer is exported by neither. Null means "not found by reading", which proves nothing.
 */
export async function findExport(
  file: string,
  name: string,
  repository: Repository,
  depth = 0,
): Promise<CodePlace | null> {
  const text = await repository.text(file);
  if (text === null || text.truncated || depth > DEEPEST_REEXPORT) return null;
  const { code, sound } = lexCode(text.lines, syntaxOf(file));
  if (!sound) return null;
  const module: ModuleText = { file, lines: text.lines, code, depth, repository };
  if (syntaxOf(file).name === "python") return declaredIn(file, code, name) ?? (await importedFrom(module, name));
  const levels = depths(code);
  const direct = code.findIndex((line, index) => levels[index] === 0 && exportsDirectly(line, name));
  if (direct >= 0) return { file, line: direct + 1 };
  const lists = code.flatMap((_line, index) => (levels[index] === 0 ? exportList(code, index) : []));
  for (const list of lists) {
    const inner = innerName(list.names, name);
    if (inner !== null) return await listed(module, inner, list.end);
  }
  return name === "default" ? null : await starred(module, name, levels);
}

interface ModuleText {
  readonly file: string;
  readonly lines: readonly string[];
  readonly code: readonly string[];
  readonly depth: number;
  readonly repository: Repository;
}

async function listed(module: ModuleText, inner: string, end: number): Promise<CodePlace | null> {
  const specifier = specifierOn(module.lines[end]);
  if (specifier !== null) return await follow(module, specifier, inner);
  return declaredIn(module.file, module.code, inner) ?? (await importedFrom(module, inner));
}

/** A name that the module itself imports and hands on. */
async function importedFrom(module: ModuleText, name: string): Promise<CodePlace | null> {
  const imported = importsOf(module.file, module.lines).find((candidate) => candidate.local === name);
  if (imported === undefined || imported.typeOnly || imported.imported === "*") return null;
  return await follow(module, imported.specifier, imported.imported);
}

/** The one `export *` that offers the name; null where another one does too or cannot be read. */
async function starred(module: ModuleText, name: string, levels: readonly number[]): Promise<CodePlace | null> {
  const found = new Map<string, CodePlace>();
  for (const [index, line] of module.code.entries()) {
    if (levels[index] !== 0 || !/^export\s*\*\s*from\b/.test(line)) continue;
    const specifier = specifierOn(module.lines[index]);
    const target = specifier === null ? null : await resolveModule(module.file, specifier, module.repository);
    if (target === null) return null;
    const place = await findExport(target, name, module.repository, module.depth + 1);
    if (place !== null) found.set(`${place.file}:${place.line}`, place);
  }
  const [only, second] = [...found.values()];
  return only !== undefined && second === undefined ? only : null;
}

async function follow(module: ModuleText, specifier: string, name: string): Promise<CodePlace | null> {
  const target = await resolveModule(module.file, specifier, module.repository);
  return target === null ? null : await findExport(target, name, module.repository, module.depth + 1);
}

function specifierOn(line: string | undefined): string | null {
  return /\bfrom\s*["']([^"']*)["']/.exec(line ?? "")?.[1] ?? null;
}

function exportsDirectly(line: string, name: string): boolean {
  if (name === "default") return /^export\s+default\b(?!\s+interface\b)/.test(line);
  const match = /^export\s+(?:async\s+)?(?:const|let|var|function\s*\*?|class|abstract\s+class|enum)\s+([\w$]+)/.exec(
    line,
  );
  return match?.[1] === name;
}

function exportList(code: readonly string[], from: number): { names: string; end: number }[] {
  if (!/^export\s*\{/.test(code[from] ?? "")) return [];
  let end = from;
  while (end < code.length - 1 && end - from < 60 && !(code[end] ?? "").includes("}")) end += 1;
  return [{ names: /\{([^}]*)\}/.exec(code.slice(from, end + 1).join(" "))?.[1] ?? "", end }];
}

function innerName(list: string, name: string): string | null {
  for (const part of list.split(",")) {
    const match = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[1] !== undefined && match[1] !== "type" && (match[2] ?? match[1]) === name) return match[1];
  }
  return null;
}

/** A top-level declaration of a value in a file's code; null where there is none, or where Python deletes it again. */
export function declaredIn(file: string, code: readonly string[], name: string): CodePlace | null {
  const python = syntaxOf(file).name === "python";
  const levels = depths(code);
  const places = occurrences(code, name);
  if (python && places.some(({ line, column }) => /^\s*del\b/.test((code[line - 1] ?? "").slice(0, column))))
    return null;
  const found = places.find(({ line, column }) => {
    const text = code[line - 1] ?? "";
    if (levels[line - 1] !== 0) return false;
    const before = text.slice(0, column);
    if (!python) return DECLARES.test(before);
    return /^(?:async\s+)?(?:def|class)\s+$/.test(before) || (before === "" && assigns(text));
  });
  return found === undefined ? null : { file, line: found.line };
}

/** `NAME = ...` and `NAME: type = ...`; an equals sign inside the brackets of the type gives no value. */
function assigns(text: string): boolean {
  let bare = text;
  for (let inner = ""; inner !== bare;) {
    inner = bare;
    bare = inner.replace(/\([^()[\]]*\)|\[[^()[\]]*\]/g, "");
  }
  return /^\w+\s*(?::[^=([]+)?=(?!=)/.test(bare);
}

const DECLARES =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const|let|var|function\s*\*?|class|abstract\s+class|enum)\s+$/;
