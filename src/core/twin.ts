import type { Finding } from "./finding.ts";
import { createLanguageDesk } from "./language.ts";
import { runChecks } from "./oracle.ts";
import { admit, decidedByChecks, judge } from "./policy.ts";
import { regionsOf } from "./regions.ts";
import type { Receipt } from "./check.ts";
import type { Triaged, TriagePorts } from "./triage.ts";

/**
 * Judges a finding whose exact duplicate has been triaged (C18, ruling 11). Its own severity and its own checks decide what
 * may happen: a cluster masks names, and a check on one name says nothing about another. Null where the duplicate has no
 * rounds to share, because its checks settled it and these do not settle this one: it needs a triage of its own.
 */
export async function judgeTwin(
  finding: Finding,
  asked: boolean,
  triaged: Triaged,
  ports: Pick<
    TriagePorts,
    "repository" | "structures" | "verbs" | "checkers" | "languages" | "mask" | "hash" | "reviewedTree" | "sameFile"
  >,
  signal: AbortSignal,
): Promise<Triaged | null> {
  const receipts: Receipt[] = [];
  const keep = (receipt: Receipt): void => void receipts.push(receipt);
  const desk = ports.languages === undefined ? null : createLanguageDesk(ports.languages, keep, signal);
  const context = { ...ports, signal, receipt: keep, language: desk?.askFor("check") };
  const checks = await runChecks(finding, context, () => undefined);
  const admission = admit(finding, asked);
  const own = admission.kind !== "triage" || decidedByChecks(finding, checks) !== null;
  if (!own && triaged.vote === null) return null;
  const judged = own
    ? { rounds: [], vote: null, ruling: null }
    : { rounds: triaged.rounds, vote: triaged.vote, ruling: triaged.ruling };
  return {
    key: finding.key,
    checks,
    ...judged,
    outcome: judge({ finding, admission, checks, ...judged }),
    receipts: own ? receipts : [...receipts, ...triaged.receipts],
    regions: await regionsOf(finding, { checks, ...judged }, ports.repository, ports.hash),
    reviewer: own ? null : triaged.reviewer,
    calls: 0,
    tokens: { prompt: 0, completion: 0 },
  };
}
