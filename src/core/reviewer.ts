import type { CheckResult, Receipt } from "./check.ts";
import type { Finding } from "./finding.ts";
import type { AskLanguage } from "./language.ts";
import type { Packet } from "./packet.ts";
import type { ModelIdentity, Usage, VerbCall, VerbRun } from "./ports.ts";
import type { Answer, Citation, Question, Round, RoundNumber } from "./round.ts";

/** An answer, or why there is none. */
export type Given<T> =
  | { readonly kind: "gave"; readonly answer: T }
  | { readonly kind: "abstained"; readonly reason: string };

/** What every task of a reviewer holds. */
interface Task {
  readonly finding: Finding;
  readonly packet: Packet;
  readonly checks: readonly CheckResult[];
  readonly desk: EvidenceDesk;
  readonly signal: AbortSignal;
  /** As in `ModelRequest`. */
  readonly urgency?: number | undefined;
  /** Counts one model call and its tokens. */
  readonly spent: (usage: Usage) => void;
}

export interface RoundTask extends Task {
  readonly n: RoundNumber;
  readonly question: Question;
  /** Rounds before this one; the sequential contract of R0.8. */
  readonly earlier: readonly Round[];
}

export interface ArbiterTask extends Task {
  readonly rounds: readonly Round[];
}

export interface ArbiterAnswer {
  readonly verdict: "VALID" | "INVALID";
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly Citation[];
}

/**
 * Whoever answers rounds and arbiter: a model behind prompts, or the built-in reviewer behind checks.
 * Neither throws but for cancellation; what cannot be answered is an abstention with its reason.
 */
export interface Reviewer {
  readonly identity: ModelIdentity;
  round(task: RoundTask): Promise<Given<Answer>>;
  arbiter(task: ArbiterTask): Promise<Given<ArbiterAnswer>>;
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
