import type { Severity } from "./finding.ts";
import type { Lens } from "./lens.ts";
import type { Mapped } from "./opinion.ts";
import type { RoundNumber } from "./round.ts";

/** What happens to a finding (ruling 13). */
export const ACTIONS = ["keep", "demote", "filter", "route", "needs-human", "settled", "bypass", "advisory"] as const;
export type Action = (typeof ACTIONS)[number];

export type Authorization = "none" | "automated" | "human-required" | "human-confirmed";

/** Where a finding stands in the workflow (ruling 14). */
export type State = "new" | "running" | "proposed" | "decided" | "stale";

/** Where a running triage stands. */
export type Stage =
  | { readonly kind: "checks" }
  | { readonly kind: "round"; readonly n: RoundNumber }
  | { readonly kind: "arbiter" }
  /** `lenses`: those of this pass. */
  | { readonly kind: "refuters"; readonly pass: number; readonly of: number; readonly lenses: readonly Lens[] }
  | { readonly kind: "opinion" }
  | { readonly kind: "saving" };

/** One reason for an outcome: the requirement or ruling, and a plain sentence with its figures. */
export interface Because {
  readonly rule: string;
  readonly text: string;
}

/** What the policy made of checks, vote and ruling. */
export interface Outcome {
  readonly action: Action;
  /** The severity shown from now on; authority, counts and exit codes keep the one ingested (ruling 2). */
  readonly severity: Severity;
  readonly authorization: Authorization;
  /** Only with action `settled`. */
  readonly settledAs: "refuted" | "confirmed" | null;
  /** True where a dismissal is proposed and waits for a person. */
  readonly proposesDismissal: boolean;
  readonly because: readonly Because[];
  /** One sentence: what happens next and what would change it. */
  readonly next: string;
  /** What the policy made of a second opinion; null where there is none. */
  readonly mapped: Mapped | null;
  /** What a second opinion had to reach for a dismissal when it was held against it; absent where none was asked to dismiss. */
  readonly bar?: OpinionBar | undefined;
  /** Another severity that was argued for; only a person applies it (C15, R4.20). */
  readonly severitySuggestion: SeveritySuggestion | null;
}

/** Lowest confidence (0..1) and fewest references, both inclusive; `heightened` in the warned state (R1.14, R1.27). */
export interface OpinionBar {
  readonly confidence: number;
  readonly refs: number;
  readonly heightened: boolean;
}

export interface SeveritySuggestion {
  readonly to: Severity;
  readonly why: string;
}
