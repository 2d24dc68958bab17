import { constantOf } from "../code/constants.ts";
import { type CodePlace, declaredIn, findExport, resolveModule } from "../code/modules.ts";
import { calleesOn, type FunctionSpan } from "../code/structure.ts";
import type { Repository } from "../ports.ts";
import { type Adapters, namesOn, type Site } from "./site.ts";

/** Where a value on the flagged line comes from. */
export interface Origin extends CodePlace {
  readonly name: string;
  readonly kind: "local" | "parameter" | "module";
}

/** For each name used on some lines: the nearest line before that gives it its value, or the parameter it is, or its definition. */
export async function originsOf(site: Site, lines: readonly number[], adapters: Adapters): Promise<Origin[]> {
  const origins: Origin[] = [];
  for (const name of namesOn(site.code, lines)) {
    const local = localOrigin(site, name, Math.min(...lines));
    if (local !== null) origins.push({ ...local, name });
    else {
      const place = await definitionOf(name, site, adapters.repository);
      if (place !== null) origins.push({ ...place, name, kind: "module" });
    }
  }
  return origins;
}

/** A call or an operator that can narrow a value; the head of a loop is neither. */
const COMPUTES = /(?<!\bfor\s*)\(|[|&%?]/;

/** Lines before some others that give their values through a call or a computation: where a value may be made harmless. */
export async function conversionsOf(site: Site, lines: readonly number[], adapters: Adapters): Promise<Origin[]> {
  const origins = await originsOf(site, lines, adapters);
  return origins.filter((origin) => origin.kind === "local" && COMPUTES.test(site.code[origin.line - 1] ?? ""));
}

function localOrigin(site: Site, name: string, before: number): Omit<Origin, "name"> | null {
  const { within, file, code } = site;
  if (within === null) return null;
  const escaped = name.replaceAll("$", "\\$");
  const given = new RegExp(
    `\\b(?:const|let|var|auto|final)\\b[^=;]*(?<![\\w$.])${escaped}(?![\\w$])[^=;]*=|^\\s*${escaped}\\s*(?::[^=]+)?:?=(?!=)|\\bfor\\b[^;]*\\b${escaped}\\b[^;]*\\b(?:of|in|range)\\b|\\b${escaped}\\s*,?[\\w\\s,]*:=`,
  );
  for (let line = before - 1; line > within.line; line -= 1)
    if (given.test(code[line - 1] ?? "")) return { file, line, kind: "local" };
  return within.parameters.includes(name) ? { file, line: within.line, kind: "parameter" } : null;
}

/** Where a name used in the file is defined: in the file itself, or in the module it is imported from. */
export async function definitionOf(name: string, site: Site, repository: Repository): Promise<CodePlace | null> {
  const imported = site.structure.imports.find((candidate) => candidate.local === name);
  if (imported === undefined) return declaredIn(site.file, site.code, name) ?? onlyFunction(name, site);
  const module = await resolveModule(site.file, imported.specifier, repository);
  return module === null ? null : await findExport(module, imported.imported, repository);
}

/** The one plain function of this name in the file, in languages whose declarations no pattern knows. */
function onlyFunction(name: string, { file, structure }: Site): CodePlace | null {
  const [only, second] = structure.functions.filter((span) => span.name === name && span.owner === null);
  return structure.reader === "text" || only === undefined || second !== undefined ? null : { file, line: only.line };
}

/** A constant and the number or truth value it stands for. */
export interface Constant extends CodePlace {
  readonly name: string;
  readonly value: string;
}

/** Constants among some names, resolved to their literal in the same file or through an import (R0.10). */
export async function constantsAmong(names: readonly string[], site: Site, adapters: Adapters): Promise<Constant[]> {
  const found = new Map<string, Constant>();
  for (const name of names) {
    const place = await definitionOf(name, site, adapters.repository);
    const elsewhere = place === null ? null : await adapters.structures.of(place.file);
    const named = elsewhere?.constants.find((candidate) => candidate.line === place?.line);
    const constant =
      place === null
        ? constantOf(site.structure, name, site.line)
        : elsewhere === null || named === undefined
          ? null
          : constantOf(elsewhere, named.name, named.line);
    if (constant !== null) found.set(name, { file: place?.file ?? site.file, ...constant, name });
  }
  return [...found.values()];
}

/** A function that some lines call or hand on, with its definition in this workspace. */
export interface Callee {
  readonly name: string;
  readonly file: string;
  readonly span: FunctionSpan;
}

/** The function that is defined at a place; none where something else is. */
async function calleeAt(name: string, { file, line }: CodePlace, { structures }: Adapters): Promise<Callee[]> {
  const span = (await structures.of(file))?.functions.find((candidate) => candidate.line === line);
  return span === undefined ? [] : [{ name, file, span }];
}

/** Functions of modules that are imported whole: `paths.resolve()` after `import * as paths`. */
async function membersOn(site: Site, lines: readonly number[], adapters: Adapters): Promise<Callee[]> {
  const callees: Callee[] = [];
  for (const { name, receiver } of calleesOn(site.structure, lines)) {
    const whole = site.structure.imports.find(({ local, imported }) => local === receiver && imported === "*");
    const module = whole === undefined ? null : await resolveModule(site.file, whole.specifier, adapters.repository);
    const place = module === null ? null : await findExport(module, name, adapters.repository);
    if (place !== null) callees.push(...(await calleeAt(name, place, adapters)));
  }
  return callees;
}

/** What a method calls its own object or class. */
const OWN = new Set(["this", "self", "cls", "Self", "$this", "static", "super"]);

/** Functions named on some lines whose definition could be found, methods of the same class too; the flagged one itself left out. */
export async function functionsOn(site: Site, lines: readonly number[], adapters: Adapters): Promise<Callee[]> {
  const callees: Callee[] = [];
  for (const name of namesOn(site.code, lines)) {
    const place = name === site.within?.name ? null : await definitionOf(name, site, adapters.repository);
    if (place !== null) callees.push(...(await calleeAt(name, place, adapters)));
  }
  callees.push(...(await membersOn(site, lines, adapters)));
  const owner = site.within?.owner ?? null;
  for (const { name, receiver } of owner === null ? [] : calleesOn(site.structure, lines)) {
    if (receiver !== null && !OWN.has(receiver)) continue;
    const span = site.structure.functions.find((candidate) => candidate.owner === owner && candidate.name === name);
    const known = callees.some((callee) => callee.file === site.file && callee.span === span);
    if (span !== undefined && span !== site.within && !known) callees.push({ name, file: site.file, span });
  }
  return callees;
}
