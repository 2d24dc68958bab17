import type { CodePlace } from "../code/modules.ts";
import { type Guard, guardsBefore } from "../code/outline.ts";
import type { Repository } from "../ports.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { type Constant, constantsAmong, conversionsOf, functionsOn, type Origin } from "./flow.ts";
import {
  type Adapters,
  answerFrom,
  flaggedLines,
  listPlaces,
  namesInClaim,
  namesOn,
  quoteAt,
  type Site,
  siteAt,
  siteOf,
} from "./look.ts";
import { companionsOf, reachOf, type Use } from "./reach.ts";

/** Most lines of one sort that are told. */
const MOST = 4;

const MADE = "the value is made there";

/** A line that may defend, why, and how many names it shares with the flagged line and the claim. */
interface Defence extends CodePlace {
  readonly how: string;
  readonly shared: number;
}

/** Round 2: which lines stand between the input and the flagged one, with constants resolved to their values (R0.10). */
export async function answerDefences(task: RoundTask, adapters: Adapters): Promise<Given<Answer>> {
  const { repository } = adapters;
  const site = await siteOf(task, repository);
  if (site === null) return await withoutSite(task);
  const flagged = flaggedLines(site);
  const wanted = new Set([...namesOn(site.code, flagged, true), ...namesInClaim(task.finding.message)]);
  const own = ownGuards(site, wanted);
  const conversions = made(await conversionsOf(site, flagged, repository), wanted);
  const callees = await guardsIn(site, null, [...flagged, ...conversions.map(({ line }) => line)], repository);
  const reach = site.within === null ? null : await reachOf(site.within.name, site, task, repository);
  const product = reach?.uses.filter((use) => !use.test) ?? [];
  const before = await guardsOnTheWay(site, product, wanted, repository);
  const names = namesOn(site.code, [
    ...flagged,
    ...own.map(({ line }) => line),
    ...conversions.map(({ line }) => line),
  ]);
  const constants = await constantsAmong(
    [...new Set([...names, ...namesInClaim(task.finding.message)])],
    site,
    repository,
  );
  const sentences = [
    own.length === 0
      ? "No condition, early exit, assertion or loop bound stands before the line in its function."
      : `Before it in the same function: ${tell(own)}.`,
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

function ownGuards(site: Site, wanted: ReadonlySet<string>): Defence[] {
  if (site.within === null) return [];
  const guards = guardsBefore(site.file, site.text.lines, site.within, site.line).slice(-2 * MOST);
  return ranked(guards.map((guard) => toDefence(site.file, site.code, guard, wanted))).slice(0, MOST);
}

function toDefence(file: string, code: readonly string[], guard: Guard, wanted: ReadonlySet<string>): Defence {
  const shared = namesOn(code, [guard.line], true).filter((name) => wanted.has(name)).length;
  return { file, line: guard.line, how: guard.kind, shared };
}

/** Best first: more names in common, then nearer to the flagged line. */
function ranked(defences: readonly Defence[]): Defence[] {
  return defences.toReversed().toSorted((a, b) => b.shared - a.shared);
}

function made(origins: readonly Origin[], wanted: ReadonlySet<string>): Defence[] {
  return origins
    .slice(0, MOST)
    .map(({ file, line, name }) => ({ file, line, how: MADE, shared: wanted.has(name) ? 1 : 0 }));
}

/** Checks inside the functions that some lines of the site use; only those of the given names, where names are given. */
async function guardsIn(
  site: Site,
  names: readonly string[] | null,
  lines: readonly number[],
  repository: Repository,
): Promise<Defence[]> {
  const found: Defence[] = [];
  const callees = (await functionsOn(site, lines, repository)).filter(({ name }) => names?.includes(name) ?? true);
  for (const callee of callees.slice(0, MOST)) {
    const text = await repository.text(callee.file);
    if (text === null) continue;
    const guards = guardsBefore(callee.file, text.lines, callee.span, callee.span.endLine + 1);
    const telling = guards.filter((guard) => guard.line > callee.span.line && guard.kind !== "loop bound").slice(0, 2);
    found.push(
      ...telling.map((guard) => ({
        file: callee.file,
        line: guard.line,
        how: `${guard.kind} in ${callee.name}`,
        shared: 0,
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
  repository: Repository,
): Promise<Defence[]> {
  const found: Defence[] = [];
  for (const use of uses.slice(0, MOST)) {
    if (use.kind === "handed on" && use.file === site.file)
      found.push(...(await guardsIn(site, companionsOf(site, use.line), [use.line], repository)).slice(0, 2));
    const caller = use.kind === "call" ? await siteAt(use.file, use.line, null, repository) : null;
    if (caller === null || caller.within === null || caller.within.name === site.within?.name) continue;
    const guards = guardsBefore(use.file, caller.text.lines, caller.within, use.line).slice(-2);
    const conversions = made(await conversionsOf(caller, [use.line], repository), wanted);
    const lines = conversions.map(({ line }) => line);
    found.push(
      ...guards.map((guard) => ({ file: use.file, line: guard.line, how: `${guard.kind} before the call`, shared: 0 })),
      ...conversions,
      ...(await guardsIn(caller, null, lines, repository)).slice(0, MOST),
    );
  }
  return found;
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
