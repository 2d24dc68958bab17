import type { CheckResult } from "../check.ts";
import type { Finding } from "../finding.ts";
import { cutPack, placeWords } from "./budget.ts";
import { callerStretches } from "./callers.ts";
import { dutiesOf } from "./duties.ts";
import { implementationStretches } from "./languageReach.ts";
import type { Pack, Stretch } from "./pack.ts";
import type { Searcher } from "./reach.ts";
import { type Adapters, namesInClaim, type Site, siteAt } from "./site.ts";
import { claimedStretches, configurationStretches, markStretches, ownStretches } from "./surroundings.ts";
import { stretch, valueStretches } from "./values.ts";

/** Lines shown of a file that is flagged as a whole. */
const HEAD = 12;

/** What a pack is made from. */
export interface PackPorts extends Adapters, Searcher {}

/**
 * Cuts the pack of a finding: what decides it, as far as reading finds it, and which duties that meets. Nothing is asked of
 * a model, and nothing of it settles anything. Rejects only when cancelled.
 */
export async function buildPack(finding: Finding, checks: readonly CheckResult[], ports: PackPorts): Promise<Pack> {
  const { file, line, endLine } = finding.place;
  const site = file === null ? null : await siteAt(file, line ?? 1, endLine, ports);
  if (site === null) {
    const { pieces, tokens, left } = await cutPack(await namedStretches(finding, ports), ports);
    return { pieces, tokens, cut: left.map(leftOut), duties: dutiesOf(finding, checks, null) };
  }
  // Searches wait for another process most of their time: the rest is read meanwhile.
  const [callers, own, values, claimed, implementations, configuration] = await Promise.all([
    callerStretches(site, ports, ports),
    line === null ? headOf(site) : ownStretches(site, finding, ports),
    valueStretches(site, finding.message, ports),
    claimedStretches(site, finding.message, ports),
    implementationStretches(site, ports.desk.language, ports),
    configurationStretches(finding, checks, ports),
  ]);
  const stretches = [
    ...own,
    ...values,
    ...claimed,
    ...callers.stretches,
    ...implementations,
    ...configuration,
    ...markStretches(site),
  ];
  const { pieces, tokens, left } = await cutPack(stretches, ports);
  const duties = dutiesOf(finding, checks, { site, callers, values, left });
  return { pieces, tokens, cut: left.map(leftOut), duties };
}

function leftOut(left: Stretch): string {
  return `${placeWords(left)} (${left.why})`;
}

function headOf({ file, text }: Site): Stretch[] {
  return [stretch("flagged", file, { line: 1, endLine: Math.min(HEAD, text.lines.length) }, "the head of the file")];
}

/** Without a place, the names of the claim are all there is to look for. */
async function namedStretches(finding: Finding, ports: PackPorts): Promise<Stretch[]> {
  const found: Stretch[] = [];
  for (const name of namesInClaim(finding.message).slice(0, 3)) {
    const run = await ports.desk.run({ verb: "grep", pattern: name, path: ".", literal: true });
    if ("refused" in run) continue;
    for (const { file, line } of run.hits.slice(0, 3))
      found.push(stretch("definition", file, { line: line - 3, endLine: line + 3 }, `holds ${name}`));
  }
  return found;
}
