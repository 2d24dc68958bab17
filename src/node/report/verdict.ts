import type { Triaged } from "../../core/triage.ts";

type Verdict = "VALID" | "INVALID" | null;

/** What those who were asked came to: the arbiter, else the refuters, else a second opinion alone; null where nobody decided. */
export function judgedAs({ method, ruling, refutation, outcome }: Triaged): Verdict {
  if (ruling !== null) return ruling.verdict;
  if (refutation !== null) {
    const { result } = refutation.recount;
    // Whoever breaks the claim that all is well speaks for a defect; whoever cannot has shown none (R4.10).
    if (refutation.polarity === "safe") return result === "refuted" ? "VALID" : null;
    return result === "survives" ? "VALID" : result === "refuted" ? "INVALID" : null;
  }
  return method?.strategy === "verdict" && outcome.mapped !== null ? AS[outcome.mapped] : null;
}

const AS = {
  DISMISS_VERIFIED: "INVALID",
  DISMISS_CANDIDATE: "INVALID",
  FIX_REQUIRED: "VALID",
  CONFIRMED: "VALID",
  NEED_HUMAN: null,
  DISPUTED: null,
  HIGH_IMPACT: null,
  LOW_IMPACT: null,
  UNCERTAIN: null,
} as const satisfies Record<NonNullable<Triaged["outcome"]["mapped"]>, Verdict>;
