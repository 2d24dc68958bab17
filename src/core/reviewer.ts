import type { CheckResult, Receipt } from "./check.ts";
import type { Finding } from "./finding.ts";
import type { AskLanguage } from "./language.ts";
import type { ClaimTopic, Polarity } from "./claimKind.ts";
import type { Lens } from "./lens.ts";
import type { Intent, Visibility } from "./method.ts";
import type { Artefact, Opinion, OpinionAnswer } from "./opinion.ts";
import type { Packet } from "./packet.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { Usage, VerbCall, VerbRun } from "./ports.ts";
import type { Impact } from "./impact.ts";
import type { RefuterAnswer } from "./refuter.ts";
import type { Answer, Citation, Question, Round, RoundNumber } from "./round.ts";

/** An answer, or why there is none. `by` where somebody else answered than the reviewer names. */
export type Given<T> =
  | { readonly kind: "gave"; readonly answer: T; readonly by?: ModelIdentity | undefined }
  | { readonly kind: "abstained"; readonly reason: string; readonly by?: ModelIdentity | undefined };

/** What every task of a reviewer holds. */
interface Task {
  readonly finding: Finding;
  readonly packet: Packet;
  readonly checks: readonly CheckResult[];
  readonly topic: ClaimTopic;
  /** What checks said that somebody asked for on the way, in sentences (C7). */
  readonly asked: readonly string[];
  readonly desk: EvidenceDesk;
  readonly signal: AbortSignal;
  /** As in `ModelRequest`. */
  readonly urgency?: number | undefined;
  /** Counts a model's reply and its tokens: as one call where `calls` is left out. */
  readonly spent: (usage: Usage, calls?: number, model?: ModelIdentity) => void;
}

export interface RoundTask extends Task {
  readonly n: RoundNumber;
  readonly question: Question;
  /** Rounds before this one (R0.8); empty where rounds are blind (C1). */
  readonly earlier: readonly Round[];
  readonly visibility: Visibility;
}

export interface ArbiterTask extends Task {
  readonly rounds: readonly Round[];
}

/** One refuter: the raw claim, one lens, and nothing of anyone else's (R4.6). */
export interface RefuteTask extends Task {
  readonly lens: Lens;
  readonly polarity: Polarity;
}

/** A second opinion in a conversation of its own (R1.8); with `rebuttal` the same conversation goes on, once (R1.25). */
export interface OpinionTask extends Task {
  readonly intent: Intent;
  readonly rebuttal: {
    readonly to: Extract<Opinion, { kind: "gave" }>;
    readonly artefacts: readonly Artefact[];
  } | null;
}

export interface ArbiterAnswer {
  readonly verdict: "VALID" | "INVALID";
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly Citation[];
  /** How much damage a real defect would do; with it `reach`, how the place is reached (C15). */
  readonly impact?: Impact | null | undefined;
  readonly reach?: string | undefined;
}

/**
 * Whoever answers rounds, arbiter, refuters and second opinions: a model behind prompts, or the built-in reviewer behind checks.
 * Neither throws but for cancellation; what cannot be answered is an abstention with its reason.
 */
export interface Reviewer {
  readonly identity: ModelIdentity;
  /** All who may answer in some role, where that is not `identity` alone: what is remembered of one does not speak for another. */
  readonly models?: readonly ModelIdentity[] | undefined;
  round(task: RoundTask): Promise<Given<Answer>>;
  arbiter(task: ArbiterTask): Promise<Given<ArbiterAnswer>>;
  /** One call for several findings whose cruxes are independent (C11), answers in their order; left out where that is not offered. */
  arbiters?(tasks: readonly ArbiterTask[], signal: AbortSignal): Promise<readonly Given<ArbiterAnswer>[]>;
  refute(task: RefuteTask): Promise<Given<RefuterAnswer>>;
  opinion(task: OpinionTask): Promise<Given<OpinionAnswer>>;
}

/** Where a reviewer gets evidence: runs verbs until a budget of calls or bytes is spent, and leaves a receipt for each run. */
export interface EvidenceDesk {
  /** False when the budget is spent. */
  open(): boolean;
  run(call: VerbCall): Promise<VerbRun | { readonly refused: string }>;
  /** The editor's language servers; they cost nothing of the budget. Absent where there are none. */
  readonly language?: AskLanguage | undefined;
}

/** Budget of one round. */
export interface EvidenceBudget {
  readonly calls: number;
  readonly bytes: number;
}

/** A desk for one round or for the arbiter. */
export function createDesk(
  run: (call: VerbCall) => Promise<VerbRun>,
  budget: EvidenceBudget,
  receipt: (receipt: Receipt) => void,
  language?: AskLanguage,
): EvidenceDesk {
  let calls = 0;
  let bytes = 0;
  const open = (): boolean => calls < budget.calls && bytes < budget.bytes;
  return {
    open,
    language,
    async run(call) {
      if (!open()) return { refused: `The evidence budget of this round is spent (${calls} calls, ${bytes} bytes).` };
      calls += 1;
      const done = await run(call);
      bytes += done.output.length;
      receipt(done.receipt);
      return done;
    },
  };
}
