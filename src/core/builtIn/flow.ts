import { importsOf } from "../code/imports.ts";
import { type CodePlace, declaredIn, findExport, resolveModule } from "../code/modules.ts";
import { type FunctionSpan, functionsOf } from "../code/outline.ts";
import type { Repository } from "../ports.ts";
import { namesOn, type Site } from "./look.ts";

/** Where a value on the flagged line comes from. */
export interface Origin extends CodePlace {
  readonly name: string;
  readonly kind: "local" | "parameter" | "module";
}

/** For each name used on some lines: the nearest line before that gives it its value, or the parameter it is, or its definition. */
export async function originsOf(site: Site, lines: readonly number[], repository: Repository): Promise<Origin[]> {
  const origins: Origin[] = [];
  for (const name of namesOn(site.code, lines)) {
    const local = localOrigin(site, name, Math.min(...lines));
    if (local !== null) origins.push({ ...local, name });
    else {
      const place = await definitionOf(name, site, repository);
      if (place !== null) origins.push({ ...place, name, kind: "module" });
    }
  }
  return origins;
}

/** A call or an operator that can narrow a value; the head of a loop is neither. */
const COMPUTES = /(?<!\bfor\s*)\(|[|&%?]/;

/** Lines before some others that give their values through a call or a computation: where a value may be made harmless. */
export async function conversionsOf(site: Site, lines: readonly number[], repository: Repository): Promise<Origin[]> {
  const origins = await originsOf(site, lines, repository);
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
  const header = headerOf(site, within);
  const parameter = new RegExp(`[(,{[]\\s*(?:\\.\\.\\.|[\\w<>*&]+\\s+)?${escaped}(?![\\w$])`);
  return parameter.test(header) ? { file, line: within.line, kind: "parameter" } : null;
}

/** A function's head up to its body. */
function headerOf(site: Site, within: FunctionSpan): string {
  const lines: string[] = [];
  for (let line = within.line; line <= Math.min(within.endLine, within.line + 12); line += 1) {
    const text = site.code[line - 1] ?? "";
    lines.push(text);
    if (/[{:]\s*$|=>/.test(text)) break;
  }
  const head = lines.join(" ");
  return /^(.*?\))\s*(?::[^{]*)?(?:\{|=>|:)/.exec(head)?.[1] ?? head;
}

/** Where a name used in the file is defined: in the file itself, or in the module it is imported from. */
export async function definitionOf(name: string, site: Site, repository: Repository): Promise<CodePlace | null> {
  const imported = importsOf(site.file, site.text.lines).find((candidate) => candidate.local === name);
  if (imported === undefined) return declaredIn(site.file, site.code, name);
  const module = await resolveModule(site.file, imported.specifier, repository);
  return module === null ? null : await findExport(module, imported.imported, repository);
}

/** A constant and the number or truth value it stands for. */
export interface Constant extends CodePlace {
  readonly name: string;
  readonly value: string;
}

// Numbers and truth values only: a string may be a secret, and bounds are numbers (R0.10).
const LITERAL =
  /=\s*(-?\d[\w.]*(?:\s*(?:\*\*|<<|[*+/-])\s*\d[\w.]*)*|true|false|True|False)\s*(?:as\s+const)?\s*[;,]?\s*(?:\/\/.*|#.*)?$/;

/** Constants among some names, resolved to their literal in the same file or through an import (R0.10). */
export async function constantsAmong(
  names: readonly string[],
  site: Site,
  repository: Repository,
): Promise<Constant[]> {
  const found = new Map<string, Constant>();
  for (const name of names) {
    const place = await definitionOf(name, site, repository);
    const text = place === null ? null : await repository.text(place.file);
    const value = place === null ? undefined : LITERAL.exec(text?.lines[place.line - 1] ?? "")?.[1];
    if (place !== null && value !== undefined) found.set(name, { ...place, name, value });
  }
  return [...found.values()];
}

/** A function that some lines call or hand on, with its definition in this workspace. */
export interface Callee {
  readonly name: string;
  readonly file: string;
  readonly span: FunctionSpan;
}

/** Functions named on some lines whose definition could be found; the flagged one itself left out. */
export async function functionsOn(site: Site, lines: readonly number[], repository: Repository): Promise<Callee[]> {
  const callees: Callee[] = [];
  for (const name of namesOn(site.code, lines)) {
    const place = name === site.within?.name ? null : await definitionOf(name, site, repository);
    const text = place === null ? null : await repository.text(place.file);
    if (place === null || text === null) continue;
    const span = functionsOf(place.file, text.lines).find((candidate) => candidate.line === place.line);
    if (span !== undefined) callees.push({ name, file: place.file, span });
  }
  return callees;
}
