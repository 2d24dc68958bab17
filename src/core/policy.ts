import type { Finding, Severity } from "./finding.ts";
import type { Because } from "./outcome.ts";
import type { Mapped, Opinion } from "./opinion.ts";
import { countedRefs } from "./opinion.ts";

// The one table of authority (design, idea 4): every number that decides what may happen without a person stands here.

/** What each severity gets and who may close it (R0.1, R0.19, C4, C12, rulings 1, 2). */
export const AUTHORITY = {
  P0: { rounds: "always", demotesTo: "P1", closedBy: "person" },
  P1: { rounds: "always", demotesTo: "P2", closedBy: "person" },
  P2: { rounds: "on request", demotesTo: "Nit", closedBy: "program or person" },
  Nit: { rounds: "on request", demotesTo: "Nit", closedBy: "program or person" },
} as const satisfies Record<
  Severity,
  { rounds: "always" | "on request"; demotesTo: Severity; closedBy: "person" | "program or person" }
>;

/** Below this share of VALID rounds a finding that the arbiter upholds is demoted (R0.18, R0.19). */
export const KEEP_SHARE = 0.5;
/** INVALID rounds of different questions that an automatic filter needs (ruling 4); one more in the warned state. */
export const FILTER_ROUNDS = 2;
/** Refuters against a claim that an automatic filter needs at least; one more in the warned state. Never one voice (evaluation, section 4). */
export const FILTER_REFUTERS = 2;

/** What a second opinion "not actionable" has to reach, both inclusive (R1.14), and in the warned state (R1.27). */
export const BARS = {
  P0: { usual: { confidence: 0.95, refs: 4 }, warned: { confidence: 1, refs: 5 } },
  P1: { usual: { confidence: 0.9, refs: 3 }, warned: { confidence: 0.95, refs: 4 } },
  P2: { usual: { confidence: 0.8, refs: 2 }, warned: { confidence: 0.85, refs: 3 } },
  Nit: { usual: { confidence: 0.7, refs: 1 }, warned: { confidence: 0.75, refs: 2 } },
} as const satisfies Record<Severity, Record<"usual" | "warned", Bar>>;
interface Bar {
  readonly confidence: number;
  readonly refs: number;
}

/** Confidence from which any other word of a second opinion counts (R1.15, R1.22, R1.23); the warned state does not move it. */
export const WORD_FLOOR = 0.7;
/** Dismissals in a row after which a session is warned (R1.26). */
export const WARN_AFTER = 3;
/** Findings of one claim class that checks close in a row before a person looks at one (ruling 35, claims.md section 4). */
export const BRAKE_AFTER = 3;
/** Times that a finding may be asked about with one informational intent at one commit (R1.29). */
export const MOST_ASKED = 1;
/** From so many judged findings on, the share of false alarms is advice (R0.25), and these are its bounds. */
export const ADVICE = { from: 50, low: 0.1, high: 0.4 } as const;

/** What of the policy a person has set, and where the session stands. */
export interface Terms {
  /** `p0-only`: P1 is judged when asked for (R0.7). */
  readonly costMode: "normal" | "p0-only";
  /** True in the warned state (R1.27). */
  readonly heightened: boolean;
  /** Why the program never closes this finding alone, whatever its severity; null where it may. */
  readonly untouchable: string | null;
  /** Claim class of which checks have closed so many in a row that a person looks at the next one (ruling 35); null: none. */
  readonly braked: number | null;
}

export const USUAL_TERMS: Terms = { costMode: "normal", heightened: false, untouchable: null, braked: null };

/** True where only a person may take the finding off the open list (C4); a hard fact always needs one (R0.2). */
export function needsPerson(finding: Pick<Finding, "severity" | "hard">): boolean {
  return finding.hard !== null || AUTHORITY[finding.severity].closedBy === "person";
}

/** The bar of a severity. */
export function barOf(severity: Severity, heightened: boolean): Bar {
  return BARS[severity][heightened ? "warned" : "usual"];
}

/**
 * What the policy makes of a second opinion (R1.14-R1.18, R1.22-R1.24). A candidate never becomes verified here, whatever its confidence;
 * an opinion that was not given is for a person.
 */
export function mapOpinion(severity: Severity, opinion: Opinion, heightened: boolean): Mapped {
  if (opinion.kind === "abstained") return opinion.intent === "dismiss" ? "NEED_HUMAN" : "UNCERTAIN";
  const { verdict, impact, verdictConfidence } = opinion;
  const sure = verdictConfidence >= WORD_FLOOR;
  if (opinion.intent === "clarify") {
    if (!sure) return "UNCERTAIN";
    return impact === "HIGH_IMPACT" || impact === "LOW_IMPACT" ? impact : "UNCERTAIN";
  }
  if (opinion.intent === "confirm") {
    if (!sure || verdict === "UNCERTAIN") return "UNCERTAIN";
    return verdict === "ACTIONABLE" ? "CONFIRMED" : "DISPUTED";
  }
  if (verdict === "ACTIONABLE") return sure ? "FIX_REQUIRED" : "NEED_HUMAN";
  const bar = barOf(severity, heightened);
  const reached = verdictConfidence >= bar.confidence && countedRefs(opinion.refs) >= bar.refs;
  if (verdict === "UNCERTAIN" || !reached) return "NEED_HUMAN";
  return AUTHORITY[severity].closedBy === "person" ? "DISMISS_CANDIDATE" : "DISMISS_VERIFIED";
}

/** What happens with a finding before anyone is asked. */
export type Admission =
  | { readonly kind: "bypass"; readonly because: readonly Because[] }
  | { readonly kind: "advisory"; readonly because: readonly Because[] }
  | { readonly kind: "triage" };

/** Who is judged: P0 and P1, and whatever a person asked for; hard facts never (R0.1-R0.3, R0.7, C12, ruling 7). */
export function admit(finding: Finding, asked: boolean, costMode: Terms["costMode"] = "normal"): Admission {
  if (finding.hard !== null) {
    return {
      kind: "bypass",
      because: [{ rule: "R0.2", text: `A hard fact (${finding.hard}) is never triaged away.` }],
    };
  }
  if (finding.status !== "open" && !asked) {
    const text = `The source itself marks it as ${finding.status}; it goes to the rounds only when asked for.`;
    return { kind: "advisory", because: [{ rule: "C12", text }] };
  }
  if (asked) return { kind: "triage" };
  if (costMode === "p0-only" && finding.severity === "P1") {
    const text = "The cost mode leaves P1 for when it is asked for; it stays open.";
    return { kind: "advisory", because: [{ rule: "R0.7", text }] };
  }
  if (AUTHORITY[finding.severity].rounds === "always") return { kind: "triage" };
  const text = `${finding.severity} goes to the rounds only when asked for.`;
  return { kind: "advisory", because: [{ rule: "R0.1", text }] };
}

/** What the share of false alarms among judged findings advises; null below 50 or where there is nothing to say (R0.25, C21). */
export function adviceOn(judged: number, invalid: number): string | null {
  if (judged < ADVICE.from) return null;
  const share = invalid / judged;
  const figures = `${invalid} of ${judged} judged findings (${Math.round(share * 100)} %) were false alarms`;
  if (share < ADVICE.low)
    return `${figures}: triage hardly earns its cost here. Judge fewer severities, or skip this source.`;
  return share > ADVICE.high
    ? `${figures}: the source of these findings reports too readily. Look at its rules.`
    : null;
}
