import type { Finding } from "./finding.ts";
import { createLanguageDesk } from "./language.ts";
import { runChecks } from "./oracle.ts";
import { judge, needsOpinion } from "./judge.ts";
import { decidedByChecks } from "./settlement.ts";
import { type Judgement, judgementOf, UNJUDGED } from "./judgement.ts";
import { admit } from "./policy.ts";
import { regionsOf } from "./regions.ts";
import type { Receipt } from "./check.ts";
import type { Triaged, TriagePorts } from "./triage.ts";

/**
 * Judges a finding whose exact duplicate has been triaged (C18, ruling 11). Its own severity and its own checks decide what
 * may happen: a cluster masks names, and a check on one name says nothing about another. Null where the duplicate has no
 * words to share, because its checks settled it and these do not settle this one, or where this one needs a second opinion: it needs a
 * triage of its own.
 */
export async function judgeTwin(
  finding: Finding,
  asked: boolean,
  triaged: Triaged,
  ports: Pick<
    TriagePorts,
    | "repository"
    | "structures"
    | "verbs"
    | "checkers"
    | "languages"
    | "mask"
    | "hash"
    | "reviewedTree"
    | "sameFile"
    | "terms"
  >,
  signal: AbortSignal,
): Promise<Triaged | null> {
  const receipts: Receipt[] = [];
  const keep = (receipt: Receipt): void => void receipts.push(receipt);
  const desk = ports.languages === undefined ? null : createLanguageDesk(ports.languages, keep, signal);
  const context = { ...ports, signal, receipt: keep, language: desk?.askFor("check") };
  const checks = await runChecks(finding, context, () => undefined);
  const terms = ports.terms(finding);
  const admission = admit(finding, asked, terms.costMode);
  const own = admission.kind !== "triage" || decidedByChecks(finding, checks, terms) !== null;
  if (!own && triaged.method === null) return null;
  const judged: Judgement = own ? UNJUDGED : judgementOf(triaged);
  const reviewers = triaged.reviewer === null ? [] : [triaged.reviewer];
  const input = { finding, admission, checks, terms, reviewers, ...judged };
  // Its own severity may ask for a second opinion that the other one's did not.
  if (!own && needsOpinion(input)) return null;
  return {
    key: finding.key,
    ...(own ? {} : { twinOf: triaged.key }),
    checks,
    ...judged,
    outcome: judge(input),
    receipts: own ? receipts : [...receipts, ...triaged.receipts],
    regions: await regionsOf(finding, { checks, ...judged }, ports.repository, ports.hash),
    reviewer: own ? null : triaged.reviewer,
    calls: 0,
    tokens: { prompt: 0, completion: 0 },
    ledger: [],
  };
}
