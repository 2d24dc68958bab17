import type { Impact } from "./impact.ts";
import type { Polarity } from "./claimKind.ts";
import type { Lens } from "./lens.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { CheckedCitation } from "./round.ts";

/** What a refuter says (R4.8); its members are the contract's own. */
export interface RefuterAnswer {
  readonly claimId: string;
  readonly lens: string;
  readonly verdict: "confirmed_bug" | "refuted" | "survives" | "needs_oracle";
  /** Speaks about the claim as it stands, not about whether there is a defect (R4.10). */
  readonly refuted: boolean;
  readonly severity: Impact;
  readonly confidence: RefuterConfidence;
  readonly workDone: boolean;
  /** Sources it opened again, as `file` or `file:line`. */
  readonly reReadSources: readonly string[];
  /** `file:line` and a short quote each. */
  readonly evidence: readonly string[];
  /** What breaks the claim; required when refuted. */
  readonly attack: string;
  /** How the defect would show. */
  readonly scenario: string;
  /** A claim of a kind that the program itself can check, in one sentence; empty where it wants none. */
  readonly needsOracle: string;
}

export const REFUTER_CONFIDENCES = ["high", "medium", "low"] as const;
export type RefuterConfidence = (typeof REFUTER_CONFIDENCES)[number];

/** One refuter, finished. `pass` counts from 1: in a loop others come again with fresh lenses. */
export type Refuter =
  | {
      readonly kind: "counted";
      readonly lens: Lens;
      readonly pass: number;
      /** Against the claim, for it, or undecided until a check has run that the program does not have. */
      readonly side: "against" | "for" | "needs-check";
      /** As it was said. */
      readonly stated: RefuterAnswer["verdict"];
      readonly refuterConfidence: RefuterConfidence;
      readonly impact: Impact;
      /** Kept whichever way the vote went (R4.17). */
      readonly attack: string;
      readonly scenario: string;
      readonly citations: readonly CheckedCitation[];
      readonly reReadSources: readonly string[];
      /** Why `side` differs from what was said; null where it does not. */
      readonly note: string | null;
      /** Who answered, where that is not the reviewer of the whole triage. */
      readonly by?: ModelIdentity | undefined;
    }
  | {
      readonly kind: "abstained";
      readonly lens: Lens;
      readonly pass: number;
      readonly reason: string;
      /** What it said against the claim without doing the work; it counts for nothing and is kept (R4.17). */
      readonly attack: string;
    };

/** The vote of refuters (R4.13-R4.15). */
export interface Recount {
  /** Refuters asked. */
  readonly asked: number;
  /** Refuters that did the work: k. */
  readonly counted: number;
  readonly against: number;
  readonly forClaim: number;
  readonly needsCheck: number;
  /** Majority of k. */
  readonly threshold: number;
  /** `none`: fewer than two counted, which is no verdict (R4.4). `undecided`: neither side carries. */
  readonly result: "survives" | "refuted" | "undecided" | "none";
  /** "N = 3, 1 dropped, vote over k = 2." */
  readonly text: string;
  /** One sentence for each refuter that did not count: lens and reason. */
  readonly dropped: readonly string[];
}

/** All that refuters came to (R4.21). */
export interface Refutation {
  readonly polarity: Polarity;
  readonly refuters: readonly Refuter[];
  readonly recount: Recount;
  /** Passes that were made; more than one only in a loop. */
  readonly passes: number;
  /** Why a loop ended (R4.29); null without one. */
  readonly stopped: "quiet" | "angles exhausted" | "refuted" | "undecided" | "budget" | null;
  /** What no refuter looked at, in sentences (R4.19). */
  readonly untouched: readonly string[];
}

/** Refuters below which there is no verdict (R4.4). */
export const FEWEST_REFUTERS = 2;

/**
 * Counts refuters: survival needs the majority of those that counted, and one counted refutation of high confidence outweighs less than that
 * (R4.13-R4.15). This says what the panel came to; what may be done about it is the policy's.
 */
export function recount(refuters: readonly Refuter[]): Recount {
  const counted = refuters.filter((refuter) => refuter.kind === "counted");
  const count = (side: "against" | "for" | "needs-check"): number => counted.filter((one) => one.side === side).length;
  const [against, forClaim, needsCheck] = [count("against"), count("for"), count("needs-check")];
  const threshold = Math.floor(counted.length / 2) + 1;
  const strong = counted.some((one) => one.side === "against" && one.refuterConfidence === "high");
  const [asked, lost] = [refuters.length, refuters.length - counted.length];
  const result = ((): Recount["result"] => {
    if (counted.length < FEWEST_REFUTERS) return "none";
    if (forClaim >= threshold) return "survives";
    return against >= threshold || (strong && against > 0) ? "refuted" : "undecided";
  })();
  return {
    asked,
    counted: counted.length,
    against,
    forClaim,
    needsCheck,
    threshold,
    result,
    text: `N = ${asked}${lost === 0 ? "" : `, ${lost} dropped`}, vote over k = ${counted.length}.`,
    dropped: refuters.flatMap((one) => (one.kind === "abstained" ? [`${one.lens.id}: ${one.reason}`] : [])),
  };
}
