import { isTestFile } from "../fileKind.ts";
import { codeOnly, syntaxOf } from "../code/lexer.ts";
import { type Mention, mentionsOf } from "../code/mentions.ts";
import { type CodePlace, declaredIn, resolveModule } from "../code/modules.ts";
import { callersOf, enclosingFunction, type FunctionSpan, isSound, type Structure } from "../code/structure.ts";
import { structureOf } from "../code/textStructure.ts";
import type { Repository } from "../ports.ts";
import type { EvidenceDesk } from "../reviewer.ts";
import { usesByServer } from "./languageReach.ts";
import { type Adapters, namesOn, type Site } from "./site.ts";

/** A place from which a function is reached. */
export interface Use extends CodePlace {
  /** `call`: called there; `handed on`: passed or stored as a value, as routes and callbacks are. */
  readonly kind: "call" | "handed on";
  readonly within: FunctionSpan | null;
  readonly test: boolean;
}

/** Uses of a function found by search; `searched` false where the search could not run, `complete` false where it was cut. */
export interface Reach {
  readonly uses: readonly Use[];
  readonly searched: boolean;
  readonly complete: boolean;
}

/** Whoever searches, so that each search leaves a receipt. */
export interface Searcher {
  readonly desk: Pick<EvidenceDesk, "run" | "language">;
}

/** Most uses that are kept, and most files that are opened for them. */
const MOST_USES = 12;
const MOST_FILES = 60;

/**
 * Looks for uses of the flagged function in the whole workspace through the evidence desk, so that the search leaves a receipt;
 * what the editor's language servers name besides is added. Their silence adds nothing and takes nothing away.
 */
export async function reachOf(name: string, site: Site, task: Searcher, adapters: Adapters): Promise<Reach> {
  const run = await task.desk.run({ verb: "grep", pattern: name, path: ".", literal: true });
  if ("refused" in run || run.error !== null) return { uses: [], searched: false, complete: false };
  const files = [...new Set([site.file, ...run.hits.map((hit) => hit.file)])];
  const uses: Use[] = [];
  for (const file of files.slice(0, MOST_FILES)) uses.push(...(await usesIn(file, name, site, adapters)));
  uses.push(...(await usesBesides(uses, name, site, task, adapters)));
  const ordered = uses.toSorted((a, b) => Number(a.test) - Number(b.test));
  const complete = uses.length <= MOST_USES && files.length <= MOST_FILES && !run.receipt.truncated;
  return { uses: ordered.slice(0, MOST_USES), searched: true, complete };
}

/** Uses that only a language server knows, each re-read. */
async function usesBesides(
  found: readonly Use[],
  name: string,
  site: Site,
  { desk }: Searcher,
  adapters: Adapters,
): Promise<Use[]> {
  if (site.within?.name !== name) return [];
  const known = new Set(found.map(({ file, line }) => `${file}:${line}`));
  const uses: Use[] = [];
  for (const named of await usesByServer(site, desk.language, adapters)) {
    if (known.has(`${named.file}:${named.line}`) || PROSE.test(named.file)) continue;
    const structure = await adapters.structures.of(named.file);
    const within = structure === null ? null : enclosingFunction(structure, named.line);
    uses.push({ ...named, within, test: isTestFile(named.file) });
  }
  return uses;
}

/** Text that speaks about code: a name in it is no use. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc|log|csv|sarif)$/i;

async function usesIn(file: string, name: string, site: Site, adapters: Adapters): Promise<Use[]> {
  if (PROSE.test(file)) return [];
  const text = await adapters.repository.text(file);
  if (text === null) return [];
  const structure = await structureOf(file, text.lines, adapters.structures);
  const method = declaredIn(site.file, site.code, name) === null;
  const local = await localName(name, structure, site, method, adapters.repository);
  if (local === null) return [];
  const code = codeOnly(text.lines, syntaxOf(file));
  return mentionsOf(file, code, local).flatMap((mention) => {
    const kind = kindOf(mention, local, code, method, structure);
    if (kind === null || isInside(site, file, mention.line, name)) return [];
    const within = enclosingFunction(structure, mention.line);
    return [{ file, line: mention.line, kind, within, test: isTestFile(file) }];
  });
}

/** What a mention does with the function; null where it does not use it. A grammar knows calls, patterns guess at them. */
function kindOf(
  mention: Mention,
  name: string,
  code: readonly string[],
  method: boolean,
  structure: Structure,
): Use["kind"] | null {
  if (structure.reader === "text") {
    if (method && isMemberCall(code[mention.line - 1] ?? "", mention.column, name.length)) return "call";
    return mention.kind === "call" ? "call" : mention.kind === "use" ? "handed on" : null;
  }
  const call = callersOf(structure, name).find(
    ({ line, column }) => line === mention.line && column === mention.column,
  );
  if (call !== undefined) return call.receiver === null || method ? "call" : null;
  if (mention.kind === "use") return "handed on";
  // Where the tree is broken a call may have been missed; where it is not, this declares something.
  return mention.kind === "call" && !isSound(structure, { line: mention.line, endLine: mention.line }) ? "call" : null;
}

/** What a file calls the flagged function: its own name at home, the imported name elsewhere; null where it cannot mean it. */
async function localName(
  name: string,
  { file, imports }: Structure,
  site: Site,
  method: boolean,
  repository: Repository,
): Promise<string | null> {
  if (file === site.file || method) return name;
  const language = syntaxOf(file).name;
  if (language !== "javascript" && language !== "python") return name;
  for (const imported of imports) {
    if (imported.imported !== name) continue;
    const module = await resolveModule(file, imported.specifier, repository);
    // A re-export may stand between: any module of the workspace will do to be shown.
    if (module !== null) return imported.local;
  }
  return null;
}

function isMemberCall(line: string, column: number, length: number): boolean {
  return /\.\s*$/.test(line.slice(0, column)) && /^\s*(?:<[^<>]*>)?\s*\(/.test(line.slice(column + length));
}

function isInside(site: Site, file: string, line: number, name: string): boolean {
  const { within } = site;
  return file === site.file && within !== null && within.name === name && within.line <= line && line <= within.endLine;
}

/** Files that load the flagged one by a dynamic import or a `require`, in which no name of it need stand. */
export async function loadersOf(site: Site, task: Searcher, repository: Repository): Promise<CodePlace[]> {
  const base = (site.file.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");
  const run = await task.desk.run({ verb: "grep", pattern: base, path: ".", literal: true });
  if ("refused" in run) return [];
  const places: CodePlace[] = [];
  for (const hit of run.hits.slice(0, 200)) {
    const specifier = /\b(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/.exec(hit.text)?.[1];
    const script = hit.file.endsWith("package.json") && hit.text.includes(site.file);
    if (specifier === undefined ? script : (await resolveModule(hit.file, specifier, repository)) === site.file)
      places.push({ file: hit.file, line: hit.line });
  }
  return places;
}

/** Names that are handed on beside the flagged function on a line, as middleware is: the called function itself left out. */
export function companionsOf(site: Site, line: number): string[] {
  const code = site.code[line - 1] ?? "";
  return namesOn(site.code, [line]).filter(
    (name) => name !== site.within?.name && !new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}\\s*\\(`).test(code),
  );
}

/** What most other lines hand on to the same function beside theirs, and the flagged one does not; null where there is no such habit. */
export function missingCompanion(site: Site, line: number): { name: string; others: CodePlace[] } | null {
  const registrar = /(?<![\w$])([\w$.]+)\s*\(/.exec(site.code[line - 1] ?? "")?.[1];
  if (registrar === undefined) return null;
  const here = companionsOf(site, line);
  const siblings = site.code.flatMap((text, index) =>
    index + 1 !== line && text.trimStart().startsWith(`${registrar}(`) ? [index + 1] : [],
  );
  for (const name of new Set(siblings.flatMap((sibling) => companionsOf(site, sibling)))) {
    const others = siblings.filter((sibling) => companionsOf(site, sibling).includes(name));
    if (!here.includes(name) && others.length >= 2 && others.length * 2 > siblings.length)
      return { name, others: others.map((other) => ({ file: site.file, line: other })) };
  }
  return null;
}
