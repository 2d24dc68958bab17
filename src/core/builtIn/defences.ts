import type { CodePlace } from "../code/modules.ts";
import { type Guard, guardsBefore, guardsWithin, isSound } from "../code/structure.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { type Constant, constantsAmong, conversionsOf, functionsOn, type Origin } from "../evidence/flow.ts";
import { type Adapters, flaggedLines, namesInClaim, namesOn, type Site, siteAt, siteOf } from "../evidence/site.ts";
import { answerFrom, listPlaces, quoteAt } from "./look.ts";
import { companionsOf, reachOf, type Use } from "../evidence/reach.ts";

/** Most lines of one sort that are told. */
const MOST = 4;
/** How many calls up a value is followed. */
const MOST_LEVELS = 2;

/** Guards that can turn a value away, wherever they stand in a function. */
const CHECKS: ReadonlySet<Guard["kind"]> = new Set(["condition", "early exit", "assertion"]);

const MADE = "the value is made there";
const HANDLER = "error handler";

/** A line that may defend, why, and how many names it shares with the flagged line and the claim. */
interface Defence extends CodePlace {
  readonly how: string;
  readonly shared: number;
  /** Names in its condition. */
  readonly names: readonly string[];
}

/** Round 2: which lines stand between the input and the flagged one, with constants resolved to their values (R0.10). */
export async function answerDefences(task: RoundTask, adapters: Adapters): Promise<Given<Answer>> {
  const site = await siteOf(task, adapters);
  if (site === null) return await withoutSite(task);
  const flagged = flaggedLines(site);
  const wanted = new Set([...namesOn(site.code, flagged, true), ...namesInClaim(task.finding.message)]);
  const own = ownGuards(site, wanted);
  const conversions = made(await conversionsOf(site, flagged, adapters), wanted);
  const callees = await guardsIn(site, null, [...flagged, ...conversions.map(({ line }) => line)], adapters);
  const reach = site.within === null ? null : await reachOf(site.within.name, site, task, adapters);
  const product = reach?.uses.filter((use) => !use.test) ?? [];
  const before = await guardsOnTheWay(site, product, wanted, task, adapters);
  const names = namesOn(site.code, [...flagged, ...conversions.map(({ line }) => line)]);
  const constants = await constantsAmong(
    [...new Set([...names, ...own.flatMap((guard) => guard.names), ...namesInClaim(task.finding.message)])],
    site,
    adapters,
  );
  const sentences = [
    site.structure.reader === "grammar" ? null : `The file was read by patterns only: ${site.structure.why}.`,
    own.length === 0 ? withoutGuards(site) : `Before or around it in the same function: ${tell(own)}.`,
    conversions.length === 0 ? null : `Its values are made at ${listPlaces(conversions)}.`,
    callees.length === 0 ? null : `Functions it uses check at ${listPlaces(callees)}.`,
    before.length === 0 ? null : `On the way to it: ${tell(before)}.`,
    constants.length === 0 ? null : `Resolved: ${constants.map(tellConstant).join(", ")}.`,
    own.length + callees.length + before.length === 0
      ? null
      : "That a guard exists does not show that it covers the failure the finding names: that is for a reader to judge.",
  ];
  const places = [...own, ...conversions, ...callees, ...before, ...constants].slice(0, 2 * MOST);
  const crux = await cruxOf([...own, ...conversions, ...callees, ...before], constants, adapters);
  return { kind: "gave", answer: { ...(await answerFrom(task, crux, sentences, places, adapters)), grepUsed: true } };
}

/** Without a place the names of the claim are all there is to look for. */
async function withoutSite(task: RoundTask): Promise<Given<Answer>> {
  const found: string[] = [];
  const absent: string[] = [];
  for (const name of namesInClaim(task.finding.message).slice(0, 3)) {
    const run = await task.desk.run({ verb: "grep", pattern: name, path: ".", literal: true });
    if ("refused" in run || run.error !== null) continue;
    if (run.hits.length === 0) absent.push(`\`${name}\``);
    else found.push(`\`${name}\` at ${listPlaces(run.hits, 2)}`);
  }
  const crux =
    found.length > 0
      ? `The finding has no place here, but this workspace holds ${found.join("; ")}.`
      : absent.length > 0
        ? `No line of this workspace holds ${absent.join(" or ")}.`
        : "There is no code to look for defences in.";
  const reasoning =
    "The place may have been renamed, or another tree was reviewed: neither shows that the claim is wrong.";
  return {
    kind: "gave",
    answer: { verdict: "UNCERTAIN", crux, reasoning, citations: [], grepUsed: found.length + absent.length > 0 },
  };
}

/** That nothing was found is said only of what was read whole. */
function withoutGuards({ structure, within, line }: Site): string {
  return isSound(structure, within ?? { line, endLine: line })
    ? "No condition, early exit, assertion or loop bound stands before the line in its function."
    : "Not all of its function was understood, so that no guard was found there means nothing.";
}

function ownGuards(site: Site, wanted: ReadonlySet<string>): Defence[] {
  if (site.within === null) return [];
  const { within, file } = site;
  const guards = guardsBefore(site.structure, site.line).filter(({ line }) => line >= within.line);
  return ranked(guards.slice(-2 * MOST).map((guard) => toDefence(file, guard, wanted))).slice(0, MOST);
}

function toDefence(file: string, { line, kind, names }: Guard, wanted: ReadonlySet<string>): Defence {
  const shared = names.filter((name) => wanted.has(name)).length;
  return { file, line, how: kind === "handler" ? HANDLER : kind, shared, names };
}

/** Best first: more names in common, then nearer to the flagged line; a handler lets the failure happen and comes last. */
function ranked(defences: readonly Defence[]): Defence[] {
  const late = ({ how }: Defence): number => Number(how === HANDLER);
  return defences.toReversed().toSorted((a, b) => b.shared - a.shared || late(a) - late(b));
}

function made(origins: readonly Origin[], wanted: ReadonlySet<string>): Defence[] {
  return origins
    .slice(0, MOST)
    .map(({ file, line, name }) => ({ file, line, how: MADE, shared: wanted.has(name) ? 1 : 0, names: [] }));
}

/** Checks inside the functions that some lines of the site use; only those of the given names, where names are given. */
async function guardsIn(
  site: Site,
  names: readonly string[] | null,
  lines: readonly number[],
  adapters: Adapters,
): Promise<Defence[]> {
  const found: Defence[] = [];
  const callees = (await functionsOn(site, lines, adapters)).filter(({ name }) => names?.includes(name) ?? true);
  for (const callee of callees.slice(0, MOST)) {
    const structure = await adapters.structures.of(callee.file);
    const guards = structure === null ? [] : guardsWithin(structure, callee.span);
    const telling = guards.filter(({ line, kind }) => line > callee.span.line && CHECKS.has(kind)).slice(0, 2);
    found.push(
      ...telling.map((guard) => ({
        file: callee.file,
        line: guard.line,
        how: `${guard.kind} in ${callee.name}`,
        shared: 0,
        names: guard.names,
      })),
    );
  }
  return found;
}

/** What stands before the uses of the flagged function: guards, values made for it, and what is handed on beside it, as middleware is. */
async function guardsOnTheWay(
  site: Site,
  uses: readonly Use[],
  wanted: ReadonlySet<string>,
  task: RoundTask,
  adapters: Adapters,
  level = 1,
): Promise<Defence[]> {
  const found: Defence[] = [];
  for (const use of uses.slice(0, MOST)) {
    if (use.kind === "handed on" && use.file === site.file)
      found.push(...(await guardsIn(site, companionsOf(site, use.line), [use.line], adapters)).slice(0, 2));
    const caller = use.kind === "call" ? await siteAt(use.file, use.line, null, adapters) : null;
    if (caller === null || caller.within === null || caller.within.name === site.within?.name) continue;
    const guards = guardsBefore(caller.structure, use.line).slice(-2);
    const conversions = made(await conversionsOf(caller, [use.line], adapters), wanted);
    const lines = conversions.map(({ line }) => line);
    found.push(
      ...guards.map((guard) => onTheWay(use, guard)),
      ...conversions,
      ...(await guardsIn(caller, null, lines, adapters)).slice(0, MOST),
    );
    // Where there is one way only, the value may have been made harmless before it came to the caller.
    if (uses.length > 1 || level >= MOST_LEVELS) continue;
    const reach = await reachOf(caller.within.name, caller, task, adapters);
    const above = reach.uses.filter(({ test }) => !test);
    found.push(...(await guardsOnTheWay(caller, above, wanted, task, adapters, level + 1)));
  }
  return found;
}

function onTheWay({ file }: Use, { line, kind, names }: Guard): Defence {
  return {
    file,
    line,
    how: kind === "handler" ? "handler around the call" : `${kind} before the call`,
    shared: 0,
    names,
  };
}

async function cruxOf(
  defences: readonly Defence[],
  constants: readonly Constant[],
  adapters: Adapters,
): Promise<string> {
  const best = defences.find((defence) => defence.shared > 0) ?? defences[0];
  const values = constants.length === 0 ? "" : ` (${constants.map((c) => `${c.name} = ${c.value}`).join(", ")})`;
  if (best !== undefined) return `Possible defence, ${best.how}: ${await quoteAt(best, adapters)}${values}.`;
  if (constants.length > 0) return `Values that bear on it: ${constants.map(tellConstant).join(", ")}.`;
  return "No defence was found by reading, which does not show that there is none.";
}

function tell(defences: readonly Defence[]): string {
  return defences
    .slice(0, MOST)
    .map(({ how, file, line }) => `${how} at ${file}:${line}`)
    .join(", ");
}

function tellConstant({ name, value, file, line }: Constant): string {
  return `${name} = ${value} (${file}:${line})`;
}
