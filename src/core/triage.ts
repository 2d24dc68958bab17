import type { CheckResult, Receipt } from "./check.ts";
import type { CheckContext } from "./checks/check.ts";
import type { Checkers } from "./checkers.ts";
import { buildPack } from "./evidence/gather.ts";
import type { Finding } from "./finding.ts";
import { type Case, judge, needsOpinion } from "./judge.ts";
import { decidedByChecks } from "./settlement.ts";
import { type Judgement, judgementOf, UNJUDGED } from "./judgement.ts";
import type { JudgingEvent } from "./judging/events.ts";
import { judgeByRefuters } from "./judging/refuteProtocol.ts";
import { judgeByRounds } from "./judging/roundsProtocol.ts";
import type { SeenLenses, Sitting } from "./judging/sitting.ts";
import { askOpinion } from "./judging/verdictProtocol.ts";
import { createLanguageDesk, type LanguageDesk } from "./language.ts";
import { createLedger, type Ledger, type LedgerRow } from "./ledger.ts";
import type { Method } from "./method.ts";
import type { Artefact } from "./opinion.ts";
import { runChecks } from "./oracle.ts";
import type { Outcome } from "./outcome.ts";
import { buildPacket } from "./packet.ts";
import { admit, type Terms } from "./policy.ts";
import type { Hash, LanguageServers, Mask, Repository, Structures, Usage, Verbs } from "./ports.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import { type Region, regionsOf } from "./regions.ts";
import { createDesk, type EvidenceBudget, type EvidenceDesk, type Reviewer } from "./reviewer.ts";

/** What a triage needs from outside. */
export interface TriagePorts {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly verbs: Verbs;
  /** Left out where no checker may be run. */
  readonly checkers?: Checkers | undefined;
  /** The editor's own; absent where there are none. */
  readonly languages?: LanguageServers | undefined;
  readonly reviewer: Reviewer;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly budget: EvidenceBudget;
  /** Calls for it are let through in falling order of this, among all that wait (R4.3). */
  readonly urgency?: number;
  readonly method: Method;
  /** What a person has set for this finding, and where the session stands; asked when the finding is judged. */
  readonly terms: (finding: Finding) => Terms;
  /** Lenses that were used against findings before; left out: none are remembered. */
  readonly lenses?: SeenLenses | undefined;
  readonly reviewedTree?: CheckContext["reviewedTree"];
  readonly sameFile?: CheckContext["sameFile"];
}

/** What happens on the way, reported when it happens. */
export type TriageEvent =
  | JudgingEvent
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "check"; readonly check: CheckResult };

/** A finished triage of one finding. */
export interface Triaged extends Judgement {
  readonly key: string;
  /** Key of the exact duplicate whose words these are (C18); left out where it was judged itself. */
  readonly twinOf?: string | undefined;
  readonly checks: readonly CheckResult[];
  readonly outcome: Outcome;
  readonly receipts: readonly Receipt[];
  readonly regions: readonly Region[];
  /** Who answered; null where nobody was asked. */
  readonly reviewer: ModelIdentity | null;
  /** Model calls. */
  readonly calls: number;
  readonly tokens: Usage;
  /** What each role cost; empty where nobody was asked, and for what is known from the log alone. */
  readonly ledger: readonly LedgerRow[];
}

/** Searches a pack may make; they are the program's own, and cost no model anything. */
const PACK_BUDGET: EvidenceBudget = { calls: 12, bytes: 2_000_000 };

/** Searches a second opinion may make: it researches the repository by itself (R1.10). */
const OPINION_FACTOR = 2;

/**
 * One finding's way: checks, then those whom the method asks where checks did not settle it, then the policy (design, section 5).
 * `asked` says that a person wants it judged whatever the severity (C12). Rejects only when cancelled, with the signal's reason.
 */
export async function triage(
  finding: Finding,
  asked: boolean,
  ports: TriagePorts,
  report: (event: TriageEvent) => void,
  signal: AbortSignal,
): Promise<Triaged> {
  const run = startRun(ports.languages, report, signal);
  report({ kind: "stage", stage: { kind: "checks" } });
  const context = contextOf(ports, run, signal);
  const checks = await runChecks(finding, context, (check) => report({ kind: "check", check }));
  const terms = ports.terms(finding);
  const admission = admit(finding, asked, terms.costMode);
  const open = admission.kind === "triage" && decidedByChecks(finding, checks, terms) === null;
  const base = { finding, admission, checks, terms, reviewers: [ports.reviewer.identity] };
  const judged = open ? await judgeWith(await sit(base, ports, run, context, signal), base) : UNJUDGED;
  signal.throwIfAborted();
  return {
    key: finding.key,
    checks,
    ...judged,
    outcome: judge({ ...base, ...judged }),
    receipts: run.receipts,
    regions: await regionsOf(finding, { checks, ...judged }, ports.repository, ports.hash),
    reviewer: judged.method === null ? null : ports.reviewer.identity,
    calls: run.ledger.calls(),
    tokens: run.ledger.tokens(),
    ledger: run.ledger.rows(),
  };
}

/**
 * Puts an objection against the second opinion of a finished triage and judges anew with what it answers (R1.25). Whether an objection may
 * be made is `refuseRebuttal`'s. Rejects only when cancelled.
 */
export async function rebut(
  finding: Finding,
  triaged: Triaged,
  artefacts: readonly Artefact[],
  ports: TriagePorts,
  report: (event: TriageEvent) => void,
  signal: AbortSignal,
): Promise<Triaged> {
  const { opinion } = triaged;
  if (opinion?.kind !== "gave") return triaged;
  const run = startRun(ports.languages, report, signal);
  const context = contextOf(ports, run, signal);
  const checks = await runChecks(finding, context, (check) => report({ kind: "check", check }));
  const base = {
    finding,
    admission: { kind: "triage" } as const,
    checks,
    terms: ports.terms(finding),
    reviewers: triaged.reviewer === null ? [] : [triaged.reviewer],
  };
  const sitting = await sit(base, ports, run, context, signal);
  const answered = await askOpinion(sitting, opinion.intent, [], { to: opinion, artefacts });
  // An objection that nobody answered leaves the opinion as it was.
  const judged: Judgement = {
    ...judgementOf(triaged),
    opinion: answered.kind === "gave" ? answered : { ...opinion, rebuttal: artefacts },
  };
  signal.throwIfAborted();
  return {
    ...triaged,
    checks,
    ...judged,
    outcome: judge({ ...base, ...judged }),
    receipts: [...triaged.receipts, ...run.receipts],
    regions: await regionsOf(finding, { checks, ...judged }, ports.repository, ports.hash),
    calls: triaged.calls + run.ledger.calls(),
    tokens: addUsage(triaged.tokens, run.ledger.tokens()),
    ledger: [...triaged.ledger, ...run.ledger.rows()],
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
}

/** Asks those whom the method names, and a blind second opinion where the outcome needs one (C1, ruling 5). */
async function judgeWith(sitting: Sitting, base: Omit<Case, keyof Judgement>): Promise<Judgement> {
  const { method } = sitting;
  const empty: Judgement = { ...UNJUDGED, method };
  if (method.strategy === "verdict") return { ...empty, opinion: await askOpinion(sitting, method.intent, []) };
  const said = method.strategy === "refute" ? await judgeByRefuters(sitting) : await judgeByRounds(sitting);
  const judged: Judgement = { ...empty, ...said };
  if (!needsOpinion({ ...base, ...judged })) return judged;
  return { ...judged, opinion: await askOpinion(sitting, "dismiss", []) };
}

/** Collects what those who are asked work with. */
async function sit(
  { finding, checks }: Pick<Case, "finding" | "checks">,
  ports: TriagePorts,
  run: Run,
  context: CheckContext,
  signal: AbortSignal,
): Promise<Sitting> {
  const { repository, mask, hash, budget, method, reviewer } = ports;
  const pack = await buildPack(finding, checks, { ...ports, desk: deskFor("pack", ports, run, signal, PACK_BUDGET) });
  const packet = await buildPacket(finding, checks, ports, signal, pack);
  const footing = { duties: pack.duties, ran: packet.ran };
  const own = { calls: budget.calls * OPINION_FACTOR, bytes: budget.bytes * OPINION_FACTOR };
  return {
    finding,
    checks,
    pack,
    packet,
    method,
    reviewer,
    ground: { repository, mask, footing, about: finding },
    hash,
    context,
    lenses: ports.lenses ?? null,
    signal,
    urgency: ports.urgency,
    report: run.report,
    spent: (role, usage, calls, model) => run.ledger.add(role, usage, calls, model),
    desk: (by) => deskFor(by, ports, run, signal, by === "second-opinion" || by === "rebuttal" ? own : budget),
    receiptsOf: (by) => run.receipts.filter((receipt) => receipt.by === by),
  };
}

function contextOf(ports: TriagePorts, run: Run, signal: AbortSignal): CheckContext {
  const { repository, structures, verbs, checkers, mask, reviewedTree, sameFile } = ports;
  return {
    repository,
    structures,
    verbs,
    checkers,
    mask,
    reviewedTree,
    sameFile,
    signal,
    receipt: run.receipt,
    language: run.language?.askFor("check"),
  };
}

interface Run {
  readonly receipts: Receipt[];
  readonly report: (event: TriageEvent) => void;
  readonly receipt: (receipt: Receipt) => void;
  readonly language: LanguageDesk | null;
  readonly ledger: Ledger;
}

function startRun(
  languages: LanguageServers | undefined,
  report: (event: TriageEvent) => void,
  signal: AbortSignal,
): Run {
  const receipts: Receipt[] = [];
  const keep = (receipt: Receipt): void => {
    receipts.push(receipt);
    report({ kind: "receipt", receipt });
  };
  return {
    receipts,
    report,
    receipt: keep,
    language: languages === undefined ? null : createLanguageDesk(languages, keep, signal),
    ledger: createLedger(),
  };
}

function deskFor(by: string, ports: TriagePorts, run: Run, signal: AbortSignal, budget: EvidenceBudget): EvidenceDesk {
  const ask = run.language?.askFor(by);
  return createDesk((call) => ports.verbs.run(call, by, signal), budget, run.receipt, ask);
}
