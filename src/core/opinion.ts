import { overlap } from "./citation.ts";
import type { Intent } from "./method.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { CheckedCitation } from "./round.ts";

/** What a blind second opinion says (R1.11). */
export const OPINIONS = ["ACTIONABLE", "NON_ACTIONABLE", "UNCERTAIN"] as const;
export type OpinionVerdict = (typeof OPINIONS)[number];

export const IMPACT_ASSESSMENTS = ["HIGH_IMPACT", "LOW_IMPACT", "UNCERTAIN", "NOT_ASSESSED"] as const;
export type ImpactAssessment = (typeof IMPACT_ASSESSMENTS)[number];

/** What a policy makes of an opinion: for `dismiss` (R1.14-R1.18), `confirm` (R1.22) and `clarify` (R1.23). */
export const MAPPED = [
  "DISMISS_VERIFIED",
  "DISMISS_CANDIDATE",
  "FIX_REQUIRED",
  "NEED_HUMAN",
  "CONFIRMED",
  "DISPUTED",
  "HIGH_IMPACT",
  "LOW_IMPACT",
  "UNCERTAIN",
] as const;
export type Mapped = (typeof MAPPED)[number];

/** An opinion as it was given. */
export interface OpinionAnswer {
  readonly verdict: OpinionVerdict;
  readonly impact: ImpactAssessment;
  /** 0..1, as it says of itself; in no way a share of votes (C5). */
  readonly verdictConfidence: number;
  /** Files, lines or commands, each with what was seen there. */
  readonly evidenceRefs: readonly string[];
  readonly reasoning: string;
}

/** One reference, held against the workspace or against what the opinion itself had run. */
export interface CheckedRef {
  readonly text: string;
  readonly ok: boolean;
  /** The line it names, re-read; null for a command. */
  readonly citation: CheckedCitation | null;
  /** Receipt of the command it names; null where it names none that was run. */
  readonly receipt: string | null;
}

/** An objective thing that a person puts against an opinion (R1.25). */
export const ARTEFACT_KINDS = ["test-output", "specification", "language-rule"] as const;
export interface Artefact {
  readonly kind: (typeof ARTEFACT_KINDS)[number];
  /** Where it is from: a path with a line, a section, a command. */
  readonly source: string;
  readonly text: string;
}

/** An opinion, finished. */
export type Opinion =
  | {
      readonly kind: "gave";
      readonly intent: Intent;
      /** Id of its conversation; a rebuttal goes on in the same one. */
      readonly thread: string;
      /** What counts; UNCERTAIN where a dismissal did not carry. */
      readonly verdict: OpinionVerdict;
      readonly stated: OpinionVerdict;
      readonly impact: ImpactAssessment;
      readonly verdictConfidence: number;
      readonly refs: readonly CheckedRef[];
      readonly reasoning: string;
      readonly by: ModelIdentity;
      /** Why `verdict` differs from `stated`; null where it does not. */
      readonly note: string | null;
      /** What it was answered with, once, and this is the answer to that; null where it stands as first given. */
      readonly rebuttal: readonly Artefact[] | null;
    }
  | { readonly kind: "abstained"; readonly intent: Intent; readonly reason: string; readonly by: ModelIdentity };

/**
 * References that count: each line once, however often and in however wide a range it is named, and each run once. It is the largest number
 * of cited places that share no line; a line that reads the same at the same height of another file is a copy or a link of it.
 */
export function countedRefs(refs: readonly CheckedRef[]): number {
  const sound = refs.filter(({ ok }) => ok);
  const runs = new Set(sound.flatMap(({ citation, receipt }) => (citation === null ? [receipt ?? ""] : [])));
  const cited = sound
    .flatMap(({ citation }) => citation ?? [])
    .sort((a, b) => a.endLine - b.endLine || b.line - a.line);
  const apart: CheckedCitation[] = [];
  for (const place of cited) {
    const known = apart.some(
      (other) => overlap(place, other) || (place.line === other.line && place.shown.trim() === other.shown.trim()),
    );
    if (!known) apart.push(place);
  }
  return runs.size + apart.length;
}
