import { importsOf } from "../code/imports.ts";
import { codeOnly, syntaxOf } from "../code/lexer.ts";
import { resolveModule } from "../code/modules.ts";
import type { FunctionSpan } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import type { CheckContext } from "../checks/check.ts";
import { namesIn } from "../tokens.ts";

/** A file that was read to see what its code names. */
export interface Code {
  readonly lines: readonly string[];
  readonly code: readonly string[];
  readonly functions: readonly FunctionSpan[];
}

/** Files in which a change can change no behaviour. */
const PROSE = /\.(?:md|markdown|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG)[^/]*$/i;

/** True for a text for readers. */
export function isProse(file: string): boolean {
  return PROSE.test(file);
}

/** True where a change of this file does more than its names tell: configuration, data, lock files, templates. */
export function worksUnnamed(file: string): boolean {
  return syntaxOf(file).name === "other";
}

/**
 * The given files and what they import inside the workspace, directly and through others; where imports are not read, every file of that
 * language. Null where that is more than `most` files, or an import may be a file of the workspace that cannot be told.
 */
export async function openCode(
  files: readonly string[],
  most: number,
  context: CheckContext,
): Promise<ReadonlyMap<string, Code> | null> {
  const opened = new Map<string, Code>();
  const all = await context.repository.files(context.signal);
  const open = [...new Set(files)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    context.signal.throwIfAborted();
    if (opened.has(file)) continue;
    if (opened.size >= most) return null;
    const text = await context.repository.text(file);
    if (text === null) continue;
    if (text.truncated) return null;
    const code = codeOnly(text.lines, syntaxOf(file));
    const { functions } = await structureOf(file, text.lines, context.structures);
    opened.set(file, { lines: text.lines, code, functions });
    const next = await behind(file, text.lines, all, context);
    if (next === null) return null;
    open.push(...next);
  }
  return opened;
}

const SPECIFIER = /(?:\bfrom\s*|\b(?:require|import)\s*\(\s*)["']([^"'\n]+)["']/g;

/** The files of the workspace that a file may take code from; null where one of them cannot be told. */
async function behind(
  file: string,
  lines: readonly string[],
  all: readonly string[],
  { repository }: CheckContext,
): Promise<readonly string[] | null> {
  const { name } = syntaxOf(file);
  if (name === "c-like") return all.filter((other) => endingOf(other) === endingOf(file));
  if (name !== "javascript" && name !== "python") return [];
  const specifiers =
    name === "python"
      ? lines.flatMap(pythonModules)
      : [
          ...Array.from(lines.join("\n").matchAll(SPECIFIER), ([, specifier]) => specifier ?? ""),
          ...importsOf(file, lines).map(({ specifier }) => specifier),
        ];
  const found: string[] = [];
  for (const specifier of new Set(specifiers)) {
    const target = await resolveModule(file, specifier, repository);
    if (target !== null) found.push(target);
    else if (name === "javascript" && mayBeOwn(specifier, all)) return null;
  }
  return found;
}

/** `from .a import b` may take in the module `.a` or the module `.a.b`. */
function pythonModules(line: string): string[] {
  const [, from, names] = /^\s*from\s+([.\w]+)\s+import\s+(.*)$/.exec(line) ?? [];
  const plain = /^\s*import\s+([\w.]+)/.exec(line)?.[1];
  if (from === undefined) return plain === undefined ? [] : [plain];
  const inner = names?.match(/\w+/g) ?? [];
  return [from, ...inner.map((one) => (from.endsWith(".") ? from + one : `${from}.${one}`))];
}

/** A path alias, or a relative path to what is no single file: some file of the workspace has that name. */
function mayBeOwn(specifier: string, all: readonly string[]): boolean {
  const last = stemOf(specifier);
  return all.some((file) => stemOf(file) === last || file.endsWith(`/${last}/index${endingOf(file)}`));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

function endingOf(file: string): string {
  return /\.\w+$/.exec(file)?.[0] ?? "";
}

/**
 * What stands for what in the opened files: the names of each function's body by its own name (functions of one name are one), and the
 * names behind an import. A default or whole-module import stands for everything that its module names.
 */
export async function namedBy(
  opened: ReadonlyMap<string, Code>,
  context: CheckContext,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const bodies = new Map<string, Set<string>>();
  const add = (name: string, used: Iterable<string>): void => {
    const body = bodies.get(name) ?? new Set<string>();
    for (const one of used) body.add(one);
    bodies.set(name, body);
  };
  for (const [file, { lines, code, functions }] of opened) {
    for (const { name, line, endLine } of functions) add(name, code.slice(line - 1, endLine).flatMap(namesIn));
    for (const [, from, to] of code.join("\n").matchAll(/([\w$]+)\s+as\s+([\w$]+)/g)) add(to ?? "", [from ?? ""]);
    for (const { local, imported, specifier } of importsOf(file, lines)) {
      const whole = imported === "default" || imported === "*";
      const target = whole ? await resolveModule(file, specifier, context.repository) : null;
      add(local, target === null ? [imported] : (opened.get(target)?.code.flatMap(namesIn) ?? []));
    }
  }
  return bodies;
}
