import type { CheckResult, Receipt } from "./check.ts";
import type { CheckContext } from "./checks/check.ts";
import type { Checkers } from "./checkers.ts";
import type { Finding } from "./finding.ts";
import { runChecks } from "./oracle.ts";
import type { Outcome } from "./outcome.ts";
import { buildPack } from "./evidence/gather.ts";
import { createLanguageDesk, type LanguageDesk } from "./language.ts";
import { buildPacket } from "./packet.ts";
import { admit, decidedByChecks, judge } from "./policy.ts";
import type { Hash, LanguageServers, Mask, ModelIdentity, Repository, Structures, Usage, Verbs } from "./ports.ts";
import { type Region, regionsOf } from "./regions.ts";
import { createDesk, type EvidenceBudget, type EvidenceDesk, type Given, type Reviewer } from "./reviewer.ts";
import { QUESTIONS, type Question, type Round, type RoundNumber, type Ruling, type Vote } from "./round.ts";
import { finishRound, finishRuling } from "./rounds.ts";
import { countVotes } from "./vote.ts";

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
  readonly reviewedTree?: CheckContext["reviewedTree"];
  readonly sameFile?: CheckContext["sameFile"];
}

/** What happens on the way, reported when it happens. */
export type TriageEvent =
  | {
      readonly kind: "stage";
      readonly stage:
        | { readonly kind: "checks" }
        | { readonly kind: "round"; readonly n: RoundNumber }
        | { readonly kind: "arbiter" };
    }
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "check"; readonly check: CheckResult }
  | { readonly kind: "round"; readonly round: Round }
  | { readonly kind: "vote"; readonly vote: Vote }
  | { readonly kind: "ruling"; readonly ruling: Ruling };

/** A finished triage of one finding. */
export interface Triaged {
  readonly key: string;
  readonly checks: readonly CheckResult[];
  readonly rounds: readonly Round[];
  readonly vote: Vote | null;
  readonly ruling: Ruling | null;
  readonly outcome: Outcome;
  readonly receipts: readonly Receipt[];
  readonly regions: readonly Region[];
  /** Who answered the rounds; null where none ran. */
  readonly reviewer: ModelIdentity | null;
  /** Model calls. */
  readonly calls: number;
  readonly tokens: Usage;
}

/** Searches a pack may make; they are the program's own, and cost no model anything. */
const PACK_BUDGET: EvidenceBudget = { calls: 12, bytes: 2_000_000 };

const ROUNDS = [1, 2, 3] as const satisfies readonly RoundNumber[];

/**
 * One finding's way: checks, then three rounds and an arbiter where checks did not settle it, then the policy
 * (design, section 5). `asked` says that a person wants rounds whatever the severity (C12). Rejects only when
 * cancelled, with the signal's reason.
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
  const { repository, structures, verbs, checkers, mask, reviewedTree, sameFile } = ports;
  const context = {
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
  const checks = await runChecks(finding, context, (check) => report({ kind: "check", check }));
  const admission = admit(finding, asked);
  const settled = decidedByChecks(finding, checks) !== null;
  const judged =
    admission.kind === "triage" && !settled
      ? await runRounds(finding, checks, ports, run, signal)
      : { rounds: [], vote: null, ruling: null };
  signal.throwIfAborted();
  const outcome = judge({ finding, admission, checks, ...judged });
  return {
    key: finding.key,
    checks,
    ...judged,
    outcome,
    receipts: run.receipts,
    regions: await regionsOf(finding, { checks, ...judged }, ports.repository, ports.hash),
    reviewer: judged.vote === null ? null : ports.reviewer.identity,
    calls: run.calls(),
    tokens: run.tokens(),
  };
}

interface Run {
  readonly receipts: Receipt[];
  readonly report: (event: TriageEvent) => void;
  readonly receipt: (receipt: Receipt) => void;
  readonly language: LanguageDesk | null;
  readonly spent: (usage: Usage) => void;
  readonly calls: () => number;
  readonly tokens: () => Usage;
}

function startRun(
  languages: LanguageServers | undefined,
  report: (event: TriageEvent) => void,
  signal: AbortSignal,
): Run {
  const receipts: Receipt[] = [];
  let calls = 0;
  let tokens: Usage = { prompt: 0, completion: 0 };
  const keep = (receipt: Receipt): void => {
    receipts.push(receipt);
    report({ kind: "receipt", receipt });
  };
  return {
    receipts,
    report,
    receipt: keep,
    language: languages === undefined ? null : createLanguageDesk(languages, keep, signal),
    spent: (usage) => {
      if (usage.cached !== true) calls += 1;
      tokens = { prompt: tokens.prompt + usage.prompt, completion: tokens.completion + usage.completion };
    },
    calls: () => calls,
    tokens: () => tokens,
  };
}

async function runRounds(
  finding: Finding,
  checks: readonly CheckResult[],
  ports: TriagePorts,
  run: Run,
  signal: AbortSignal,
): Promise<{ rounds: Round[]; vote: Vote; ruling: Ruling }> {
  const pack = await buildPack(finding, checks, {
    ...ports,
    desk: deskFor("pack", ports, run, signal, PACK_BUDGET),
  });
  const packet = await buildPacket(finding, checks, ports, signal, pack);
  const footing = { duties: pack.duties, ran: packet.ran };
  const task = { finding, packet, checks, signal, spent: run.spent, urgency: ports.urgency };
  const rounds: Round[] = [];
  for (const n of ROUNDS) {
    signal.throwIfAborted();
    run.report({ kind: "stage", stage: { kind: "round", n } });
    const question: Question = QUESTIONS[n - 1] ?? "premise";
    const desk = deskFor(`round-${n}`, ports, run, signal);
    const given = await orAbstain(signal, () =>
      ports.reviewer.round({ ...task, n, question, earlier: [...rounds], desk }),
    );
    const finished = await finishRound(n, question, given, ports.repository, ports.mask, footing);
    const round = withSearch(finished, run.receipts);
    rounds.push(round);
    run.report({ kind: "round", round });
  }
  const vote = countVotes(rounds);
  run.report({ kind: "vote", vote });
  run.report({ kind: "stage", stage: { kind: "arbiter" } });
  const desk = deskFor("arbiter", ports, run, signal);
  const given = await orAbstain(signal, () => ports.reviewer.arbiter({ ...task, rounds, desk }));
  const ruling = await finishRuling(given, rounds, vote, ports.repository, ports.mask, footing);
  run.report({ kind: "ruling", ruling });
  return { rounds, vote, ruling };
}

/** A reviewer that breaks has given no answer: that is an abstention, never the end of the triage. */
async function orAbstain<T>(signal: AbortSignal, ask: () => Promise<Given<T>>): Promise<Given<T>> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "abstained", reason: `it broke: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function deskFor(
  by: string,
  ports: TriagePorts,
  run: Run,
  signal: AbortSignal,
  budget: EvidenceBudget = ports.budget,
): EvidenceDesk {
  const ask = run.language?.askFor(by);
  return createDesk((call) => ports.verbs.run(call, by, signal), budget, run.receipt, ask);
}

/** A round searched where a search of its own left a receipt: its word alone is a claim like any other (R0.10, design, idea 3). */
function withSearch(round: Round, receipts: readonly Receipt[]): Round {
  if (round.kind !== "counted" || round.grepUsed === null) return round;
  return { ...round, grepUsed: receipts.some(({ by, verb }) => by === `round-${round.n}` && verb === "grep") };
}
