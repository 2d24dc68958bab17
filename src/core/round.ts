import type { ModelIdentity } from "./modelIdentity.ts";
import type { Impact } from "./impact.ts";

/** What a round may say (R0.12). */
export type Verdict = "VALID" | "INVALID" | "UNCERTAIN";

/** The three questions, in order (R0.9-R0.11). */
export const QUESTIONS = ["premise", "defences", "missed"] as const;
export type Question = (typeof QUESTIONS)[number];
export type RoundNumber = 1 | 2 | 3;

/** A line that a reviewer names: file workspace-relative with `/`, lines 1-based and inclusive, `quote` the text said to stand there. */
export interface Citation {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly quote: string;
}

/** A citation after the program re-read it. `ok` is false where the quoted text is nowhere in the file. */
export interface CheckedCitation extends Citation {
  readonly ok: boolean;
  /** What the program read at `line`..`endLine`, secrets masked; the only text that is ever shown. */
  readonly shown: string;
  /** For a person: "found at line 14, cited at 12", "the file does not hold this text"; null where all is well. */
  readonly note: string | null;
}

/** A round's or an arbiter's answer as it was given, before its citations are re-read. */
export interface Answer {
  readonly verdict: Verdict;
  /** One key fact. */
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly Citation[];
  /** Round 2 only (R0.10). */
  readonly grepUsed?: boolean | undefined;
  /** A claim of a kind that the program itself can check, in one sentence; empty where it wants none (C7). */
  readonly needsOracle?: string | undefined;
}

/** One finished round. */
export type Round =
  | {
      readonly kind: "counted";
      readonly n: RoundNumber;
      readonly question: Question;
      /** What counts; UNCERTAIN where an INVALID had no resolving citation (C8). */
      readonly verdict: Verdict;
      /** What the reviewer said. */
      readonly stated: Verdict;
      readonly crux: string;
      readonly reasoning: string;
      readonly citations: readonly CheckedCitation[];
      readonly grepUsed: boolean | null;
      /** Why `verdict` differs from `stated`; null where it does not. */
      readonly note: string | null;
      /** Who answered, where that is not the reviewer of the whole triage. */
      readonly by?: ModelIdentity | undefined;
    }
  | { readonly kind: "abstained"; readonly n: RoundNumber; readonly question: Question; readonly reason: string };

/** The vote over the counted rounds (R0.17, C6). */
export interface Vote {
  readonly counted: number;
  readonly valid: number;
  readonly invalid: number;
  readonly uncertain: number;
  /** VALID / counted, 0..1; null with fewer than two counted rounds: no verdict. */
  readonly validShare: number | null;
  /** The verdict all counted rounds share; null where they differ or fewer than two counted. */
  readonly unanimous: Verdict | null;
  /** One sentence for each round that did not count. */
  readonly dropped: readonly string[];
}

/** The last word (R0.13-R0.15, C14). `verdict` null means: not decided, for `reason`. */
export interface Ruling {
  readonly verdict: "VALID" | "INVALID" | null;
  readonly crux: string;
  readonly reasoning: string;
  readonly citations: readonly CheckedCitation[];
  /** True where it tried to flip a unanimous vote without a new resolving citation: the vote stands (C14). */
  readonly overrideRejected: boolean;
  readonly reason: string | null;
  /** How much damage a real defect would do, with the way it is reached: a person may raise the severity for it (C15). */
  readonly suggests?: { readonly impact: Impact; readonly argument: string } | undefined;
  /** Who answered, where that is not the reviewer of the whole triage. */
  readonly by?: ModelIdentity | undefined;
}
