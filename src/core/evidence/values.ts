import { conversionsOf, constantsAmong, definitionOf, functionsOn } from "./flow.ts";
import { findExport, resolveModule } from "../code/modules.ts";
import { covers, guardsWithin, type Lines } from "../code/structure.ts";
import type { PieceKind, Stretch } from "./pack.ts";
import { type Adapters, flaggedLines, namesInClaim, namesOn, type Site, siteAt } from "./site.ts";

/** Functions up to this many lines are shown whole, longer ones as their head and their guards. */
const MOST_WHOLE = 45;
/** How many functions, and names, are followed from one place. */
const MOST_FOLLOWED = 6;
/** Lines a declaration may go on for. */
const MOST_DECLARATION = 8;

/** What the flagged lines compute with: where names get their values, constants down to their literals, and the functions used. */
export async function valueStretches(site: Site, message: string, adapters: Adapters): Promise<Stretch[]> {
  const flagged = flaggedLines(site);
  const conversions = await conversionsOf(site, flagged, adapters);
  const claimed = namesInClaim(message);
  const bounds = site.within === null ? [] : guardsWithin(site.structure, site.within).flatMap(({ names }) => names);
  const names = [...new Set([...namesOn(site.code, flagged), ...claimed, ...bounds])];
  const found = await definitions(names, claimed, site, adapters);
  const lines = [...flagged, ...conversions.map(({ line }) => line)];
  const callees = await functionsOn(site, lines, adapters);
  for (const callee of callees.slice(0, MOST_FOLLOWED)) {
    found.push(...(await bodyOf(callee.file, callee.span, `${callee.name} is used here`, "callee", adapters)));
    found.push(...(await deeper(callee.file, callee.span, adapters)));
  }
  return found;
}

/** Where names are defined, with the import that brings them here and the constants their definitions rest on. */
async function definitions(
  names: readonly string[],
  claimed: readonly string[],
  site: Site,
  adapters: Adapters,
): Promise<Stretch[]> {
  const found: Stretch[] = [];
  for (const constant of await constantsAmong(names, site, adapters))
    found.push(stretch("value", constant.file, constant, `${constant.name} = ${constant.value}`));
  for (const name of names) {
    if (site.within?.parameters.includes(name) === true) continue;
    const place =
      (await definitionOf(name, site, adapters.repository)) ??
      (claimed.includes(name) ? await findExport(site.file, name, adapters.repository) : null);
    if (place === null) continue;
    found.push(...(await imported(name, place.file, site, adapters)));
    const home = place.file === site.file ? site : await siteAt(place.file, place.line, null, adapters);
    if (home === null) continue;
    const span = home.structure.functions.find(({ line }) => line === place.line);
    if (span !== undefined) {
      if (span !== site.within) found.push(...(await bodyOf(place.file, span, `defines ${name}`, "callee", adapters)));
      continue;
    }
    const endLine = endOfDeclaration(home, place.line);
    found.push(stretch("definition", place.file, { line: place.line, endLine }, `defines ${name}`));
    const rest = namesOn(home.code, [place.line]).filter((other) => other !== name && !names.includes(other));
    for (const constant of await constantsAmong(rest, home, adapters))
      found.push(stretch("value", constant.file, constant, `${constant.name} = ${constant.value}`));
  }
  return found;
}

/** The import of a name, and the line of the module that hands it on where it is defined further away. */
async function imported(name: string, home: string, site: Site, { repository }: Adapters): Promise<Stretch[]> {
  const statement = site.structure.imports.find(({ local }) => local === name);
  if (statement === undefined) return [];
  const found = [stretch("definition", site.file, statement, `imports ${name}`)];
  const module = await resolveModule(site.file, statement.specifier, repository);
  const text = module === null || module === home ? null : await repository.text(module);
  const line = (text?.lines ?? []).findIndex((each) =>
    new RegExp(`^\\s*export\\b.*(?:\\*|\\b${statement.imported}\\b).*\\bfrom\\b`).test(each),
  );
  if (module !== null && line >= 0)
    found.push(stretch("definition", module, { line: line + 1, endLine: line + 1 }, `hands ${name} on`));
  return found;
}

/** What the functions of a callee rest on: a guard is only as good as what it calls. */
async function deeper(file: string, span: Lines, adapters: Adapters): Promise<Stretch[]> {
  const site = await siteAt(file, span.line, null, adapters);
  if (site === null) return [];
  const inside = Array.from({ length: span.endLine - span.line }, (_unused, index) => span.line + 1 + index);
  const found: Stretch[] = [];
  for (const callee of (await functionsOn(site, inside, adapters)).slice(0, MOST_FOLLOWED)) {
    if (callee.file === file && covers(span, callee.span.line)) continue;
    found.push(...(await bodyOf(callee.file, callee.span, `${callee.name} is used by it`, "callee", adapters)));
  }
  return found;
}

/** A function with the comment above it; of a long one the head, and the guards that stand in it. */
export async function bodyOf(
  file: string,
  span: Lines,
  why: string,
  kind: PieceKind,
  adapters: Adapters,
): Promise<Stretch[]> {
  const site = await siteAt(file, span.line, null, adapters);
  if (site === null) return [];
  const line = commentAbove(site, span.line);
  if (span.endLine - line < MOST_WHOLE) return [stretch(kind, file, { line, endLine: span.endLine }, why)];
  const guards = guardsWithin(site.structure, span).slice(0, MOST_FOLLOWED);
  return [
    stretch(kind, file, { line, endLine: span.line + 4 }, why),
    ...guards.map((guard) =>
      stretch(
        kind,
        file,
        { line: guard.line, endLine: Math.min(guard.endLine, guard.line + 3) },
        `${guard.kind} in it`,
      ),
    ),
  ];
}

/** First line of the comment, decorators and attributes right above a declaration: invariants stand there (claim class 23). */
export function commentAbove({ text, code }: Site, line: number): number {
  let first = line;
  while (first > 1 && line - first < 14) {
    const above = text.lines[first - 2] ?? "";
    const comment = above.trim() !== "" && (code[first - 2] ?? "").trim() === "";
    if (!comment && !/^\s*[@#[]\w/.test(above)) break;
    first -= 1;
  }
  return first;
}

/** Last line of a declaration that may go over several. */
function endOfDeclaration({ code }: Site, line: number): number {
  let open = 0;
  for (let at = line; at < line + MOST_DECLARATION && at <= code.length; at += 1) {
    for (const character of code[at - 1] ?? "")
      open += "([{".includes(character) ? 1 : ")]}".includes(character) ? -1 : 0;
    if (open <= 0) return at;
  }
  return Math.min(code.length, line + MOST_DECLARATION - 1);
}

/** A stretch of one file. */
export function stretch(
  kind: PieceKind,
  file: string,
  lines: { readonly line: number; readonly endLine?: number },
  why: string,
): Stretch {
  return { kind, file, line: lines.line, endLine: lines.endLine ?? lines.line, why };
}
