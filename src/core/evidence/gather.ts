import type { CheckResult } from "../check.ts";
import type { Finding } from "../finding.ts";
import { cutPack } from "./budget.ts";
import { callerStretches } from "./callers.ts";
import { dutiesOf } from "./duties.ts";
import { implementationStretches } from "./languageReach.ts";
import { EMPTY_PACK, type Pack, type Stretch } from "./pack.ts";
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
    const named = await namedStretches(finding, ports);
    return { ...EMPTY_PACK, ...(await cutPack(named, ports)), duties: dutiesOf(finding, checks, null, null) };
  }
  const callers = await callerStretches(site, ports, ports);
  const stretches = [
    ...(line === null ? headOf(site) : await ownStretches(site, finding, ports)),
    ...(await valueStretches(site, finding.message, ports)),
    ...(await claimedStretches(site, finding.message, ports)),
    ...callers.stretches,
    ...(await implementationStretches(site, ports.desk.language, ports)),
    ...(await configurationStretches(finding, checks, ports)),
    ...markStretches(site),
  ];
  return { ...(await cutPack(stretches, ports)), duties: dutiesOf(finding, checks, site, callers) };
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
