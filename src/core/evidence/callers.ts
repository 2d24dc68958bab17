import { covers, type FunctionSpan, guardsBefore } from "../code/structure.ts";
import { conversionsOf, functionsOn } from "./flow.ts";
import type { Stretch } from "./pack.ts";
import { loadersOf, missingCompanion, type Reach, reachOf, type Searcher, type Use } from "./reach.ts";
import { type Adapters, type Site, siteAt } from "./site.ts";
import { bodyOf, stretch } from "./values.ts";

/** How many callers are shown, and how far up an entry point is looked for. */
const MOST_CALLERS = 5;
const MOST_LEVELS = 3;
const MOST_ON_THE_WAY = 6;
/** A caller up to this many lines is shown whole. */
const MOST_WHOLE = 18;

/** Who reaches the flagged function, and what the search for them was worth. */
export interface Callers {
  readonly stretches: readonly Stretch[];
  readonly reach: Reach | null;
}

/**
 * The way to the flagged function: its callers with the guards on their way, up to an entry point; where it is handed on,
 * what is handed on beside it; where no name reaches it, who loads its file. Tests come last.
 */
export async function callerStretches(site: Site, searcher: Searcher, adapters: Adapters): Promise<Callers> {
  const name = site.within?.name;
  const reach = name === undefined ? null : await reachOf(name, site, searcher, adapters);
  const product = (reach?.uses ?? []).filter(({ test }) => !test);
  const found: Stretch[] = [];
  for (const use of product.slice(0, MOST_CALLERS)) found.push(...(await usedAt(use, site, adapters)));
  if (product.length === 1) found.push(...(await upwards(product[0], site, searcher, adapters)));
  if (product.length === 0) found.push(...(await loaders(site, searcher, adapters)));
  for (const use of (reach?.uses ?? []).filter(({ test }) => test).slice(0, 2)) found.push(testAt(use));
  return { stretches: found, reach };
}

/**
 * One use: the caller, the guards before it, every function named on the line, as middleware is, and what makes the values
 * that are handed over.
 */
async function usedAt(use: Use, site: Site, adapters: Adapters): Promise<Stretch[]> {
  const caller = await siteAt(use.file, use.line, null, adapters);
  if (caller === null) return [];
  const name = site.within?.name ?? "it";
  const made = use.kind === "call" ? (await conversionsOf(caller, [use.line], adapters)).map(({ line }) => line) : [];
  const found = [around(use, caller, `${use.kind === "call" ? "calls" : "hands on"} ${name}`)];
  for (const guard of guardsBefore(caller.structure, use.line).slice(-3))
    found.push(
      stretch(
        "caller",
        use.file,
        { line: guard.line, endLine: Math.min(guard.endLine, guard.line + 2) },
        `${guard.kind} before the call`,
      ),
    );
  for (const line of made) found.push(stretch("caller", use.file, { line }, "makes a value that is handed over"));
  for (const callee of (await functionsOn(caller, [use.line, ...made], adapters)).slice(0, MOST_ON_THE_WAY)) {
    const itself = callee.file === site.file && site.within !== null && covers(site.within, callee.span.line);
    if (!itself)
      found.push(...(await bodyOf(callee.file, callee.span, `${callee.name} stands on the way`, "caller", adapters)));
  }
  return use.kind === "handed on" && use.file === site.file
    ? [...found, ...(await lacking(use.line, caller, adapters))]
    : found;
}

/** What is handed on with most others and not with the flagged function. */
async function lacking(line: number, site: Site, adapters: Adapters): Promise<Stretch[]> {
  const missing = missingCompanion(site, line);
  const other = missing?.others[0];
  if (missing === null || other === undefined) return [];
  const found = [stretch("similar", other.file, other, `hands on ${missing.name} too, as most do`)];
  for (const { name, file, span } of await functionsOn(site, [other.line], adapters))
    if (name === missing.name)
      found.push(...(await bodyOf(file, span, `is ${name}, which is missing`, "similar", adapters)));
  return found;
}

function around(use: Use, caller: Site, why: string): Stretch {
  const { within } = caller;
  if (within !== null && within.endLine - within.line < MOST_WHOLE) return stretch("caller", use.file, within, why);
  return stretch("caller", use.file, { line: use.line - 1, endLine: use.line + 1 }, why);
}

/** The callers of the only caller, up to where nobody calls any more. */
async function upwards(use: Use | undefined, site: Site, searcher: Searcher, adapters: Adapters): Promise<Stretch[]> {
  const found: Stretch[] = [];
  const seen = new Set<string>([idOf(site.file, site.within)]);
  let current = use;
  for (let level = 1; level < MOST_LEVELS && current !== undefined; level += 1) {
    const caller = await siteAt(current.file, current.line, null, adapters);
    if (caller === null || caller.within === null || seen.has(idOf(caller.file, caller.within))) break;
    seen.add(idOf(caller.file, caller.within));
    const { uses } = await reachOf(caller.within.name, caller, searcher, adapters);
    const next = uses.find(({ test }) => !test);
    if (next !== undefined) found.push(...(await usedAt(next, caller, adapters)));
    current = next;
  }
  return found;
}

function idOf(file: string, within: FunctionSpan | null): string {
  return `${file}:${within?.line ?? 0}`;
}

async function loaders(site: Site, searcher: Searcher, adapters: Adapters): Promise<Stretch[]> {
  const found: Stretch[] = [];
  for (const { file, line } of (await loadersOf(site, searcher, adapters.repository)).slice(0, 3)) {
    const text = await adapters.repository.text(file);
    const short = (text?.lines.length ?? 0) <= 30;
    const lines = short ? { line: 1, endLine: text?.lines.length ?? line } : { line: line - 2, endLine: line + 6 };
    found.push(stretch("loader", file, lines, `loads ${site.file}`));
  }
  return found;
}

function testAt({ file, line, within }: Use): Stretch {
  const whole = within !== null && within.endLine - within.line < MOST_WHOLE;
  return stretch("test", file, whole ? within : { line: line - 2, endLine: line + 4 }, "a test uses it");
}
