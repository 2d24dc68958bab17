import type { CodePlace } from "../code/modules.ts";
import { type Guard, guardsBefore } from "../code/outline.ts";
import type { Mask, Repository } from "../ports.ts";
import type { Given, RoundTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import { answerFrom, calleesOn, callersOf, constantsOn, listPlaces, type Site, siteOf } from "./look.ts";

/** Most guards and callees that are told. */
const MOST = 4;

interface Adapters {
  readonly repository: Repository;
  readonly mask: Mask;
}

/** Round 2: which lines stand between the input and the flagged one, with constants resolved to their values (R0.10). */
export async function answerDefences(task: RoundTask, adapters: Adapters): Promise<Given<Answer>> {
  const site = await siteOf(task, adapters.repository);
  if (site === null)
    return {
      kind: "gave",
      answer: {
        verdict: "UNCERTAIN",
        crux: "There is no code to look for defences in.",
        reasoning: "",
        citations: [],
        grepUsed: false,
      },
    };
  const flagged = range(site.line, site.endLine);
  const own = site.within === null ? [] : guardsBefore(site.file, site.text.lines, site.within, site.line).slice(-MOST);
  const callees = await guardsInCallees(site, flagged, adapters.repository);
  const callers = await guardsInCallers(site, task, adapters.repository);
  const constants = await constantsOn(site, [...flagged, ...own.map((guard) => guard.line)], adapters.repository);
  const ownPlaces = own.map((guard) => ({ file: site.file, line: guard.line }));
  const sentences = [
    own.length === 0
      ? "No condition, early exit or assertion stands before the line in its function."
      : `Before it in the same function: ${describe(own)}.`,
    callees.length === 0 ? null : `Functions called on the line check for themselves at ${listPlaces(callees)}.`,
    callers.length === 0 ? null : `Callers check before the call at ${listPlaces(callers)}.`,
    constants.length === 0
      ? null
      : `Resolved: ${constants.map((c) => `${c.name} = ${c.value} (${c.file}:${c.line})`).join(", ")}.`,
    "Whether these cover the failure the finding names is for a reader to judge: that a guard exists does not show that it suffices.",
  ].filter((sentence) => sentence !== null);
  const places = [...ownPlaces, ...callees, ...callers, ...constants].slice(0, 2 * MOST);
  const answer = await answerFrom(task, cruxOf(ownPlaces, callees, callers), sentences, places, adapters);
  return { kind: "gave", answer: { ...answer, grepUsed: true } };
}

function cruxOf(own: readonly CodePlace[], callees: readonly CodePlace[], callers: readonly CodePlace[]): string {
  const all = [...own, ...callees, ...callers];
  if (all.length === 0) return "No defence was found by reading; that alone proves nothing.";
  return `${all.length} possible defence${all.length === 1 ? "" : "s"}: ${listPlaces(all, 3)}.`;
}

function describe(guards: readonly Guard[]): string {
  return guards.map((guard) => `${guard.kind} at line ${guard.line}`).join(", ");
}

async function guardsInCallees(site: Site, lines: readonly number[], repository: Repository): Promise<CodePlace[]> {
  const places: CodePlace[] = [];
  for (const callee of (await calleesOn(site, lines, repository)).slice(0, MOST)) {
    const text = await repository.text(callee.file);
    if (text === null) continue;
    const guards = guardsBefore(callee.file, text.lines, callee.span, callee.span.endLine).filter(
      (guard) => guard.line > callee.span.line,
    );
    places.push(...guards.slice(0, 2).map((guard) => ({ file: callee.file, line: guard.line })));
  }
  return places;
}

async function guardsInCallers(site: Site, task: RoundTask, repository: Repository): Promise<CodePlace[]> {
  if (site.within === null) return [];
  const places: CodePlace[] = [];
  const { callers } = await callersOf(site.within.name, site, task, repository);
  for (const caller of callers.filter((candidate) => candidate.within?.name !== site.within?.name).slice(0, MOST)) {
    const text = caller.within === null ? null : await repository.text(caller.file);
    if (text === null || caller.within === null) continue;
    const guards = guardsBefore(caller.file, text.lines, caller.within, caller.line).filter(
      (guard) => guard.line < caller.line,
    );
    places.push(...guards.slice(-2).map((guard) => ({ file: caller.file, line: guard.line })));
  }
  return places;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(1, Math.min(to - from + 1, 20)) }, (_unused, index) => from + index);
}
