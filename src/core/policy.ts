import type { CheckResult } from "./check.ts";
import type { Finding, Severity } from "./finding.ts";
import {
  confirmedPart,
  keepOpen,
  missingForFilter,
  reasonsOf,
  refutesWithEvidence,
  rejectionReasons,
  upheldBy,
} from "./grounds.ts";
import type { Because, Outcome } from "./outcome.ts";
import type { Round, Ruling, Vote } from "./round.ts";
import { escalated, handedOver, setAside } from "./setAside.ts";

/** The one table of authority: what each severity gets and who may close it (R0.1, R0.19, C4, C12, rulings 1, 2). */
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
/** INVALID rounds of different questions that an automatic filter needs (ruling 4). */
export const FILTER_ROUNDS = 2;

/** True where only a person may take the finding off the open list (C4); a hard fact always needs one (R0.2). */
export function needsPerson(finding: Pick<Finding, "severity" | "hard">): boolean {
  return finding.hard !== null || AUTHORITY[finding.severity].closedBy === "person";
}

/** What happens with a finding before any round. */
export type Admission =
  | { readonly kind: "bypass"; readonly because: readonly Because[] }
  | { readonly kind: "advisory"; readonly because: readonly Because[] }
  | { readonly kind: "triage" };

/** Who goes to the rounds: P0 and P1, and whatever a person asked for; hard facts never (R0.1-R0.3, C12, ruling 7). */
export function admit(finding: Finding, asked: boolean): Admission {
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
  if (AUTHORITY[finding.severity].rounds === "always" || asked) return { kind: "triage" };
  const text = `${finding.severity} goes to the rounds only when asked for.`;
  return { kind: "advisory", because: [{ rule: "R0.1", text }] };
}

/** Claim classes in which a check may refute a P0 or P1: the whole finding is a checker or structural claim. */
export const REFUTABLE_AT_P0_P1: readonly number[] = [1, 2, 3, 5, 6, 11];

/** What the checks entail about the whole finding: every atom that carries weight must be refuted, or confirmed. */
export function settlement(
  finding: Pick<Finding, "severity" | "hard">,
  checks: readonly CheckResult[],
): "refuted" | "confirmed" | null {
  const weighty = checks.filter((check) => check.atom?.weight === true);
  if (weighty.length === 0) return null;
  const sound = (check: CheckResult): boolean =>
    check.verdict === "refuted" &&
    (!needsPerson(finding) || REFUTABLE_AT_P0_P1.includes(check.atom?.claimClass ?? Number.NaN));
  if (weighty.every(sound)) return "refuted";
  if (weighty.every((check) => check.verdict === "confirmed")) return "confirmed";
  return null;
}

/** Everything the judgement rests on. `vote` and `ruling` are null where no rounds ran. */
export interface Case {
  readonly finding: Finding;
  readonly admission: Admission;
  readonly checks: readonly CheckResult[];
  readonly rounds: readonly Round[];
  readonly vote: Vote | null;
  readonly ruling: Ruling | null;
}

/** The outcome of a case: what may happen without a person, and why. Nothing here ever closes a P0, a P1 or a hard fact. */
export function judge(input: Case): Outcome {
  const { finding, admission, checks } = input;
  if (admission.kind === "bypass") {
    return keepOpen(finding.severity, "bypass", admission.because, "It stays as it is; only a person may dismiss it.");
  }
  const decided = decidedByChecks(finding, checks);
  if (decided !== null) return decided;
  if (admission.kind === "triage") return escalated(judgeRounds(input), checks);
  const next = "It is listed and blocks nothing. Triage it to have it judged.";
  return escalated(keepOpen(finding.severity, "advisory", admission.because, next), checks);
}

/** What the checks alone come to: settled, handed to a person, or set aside; null where it needs to be judged. */
export function decidedByChecks(finding: Finding, checks: readonly CheckResult[]): Outcome | null {
  const settled = settlement(finding, checks);
  if (settled === "refuted") return settledRefuted(finding, checks);
  if (settled === "confirmed") {
    const because = reasonsOf(checks, "confirmed");
    return {
      ...keepOpen(finding.severity, "settled", because, "A check confirms it: fix it."),
      settledAs: "confirmed",
    };
  }
  return handedOver(finding, checks) ?? setAside(finding, checks, AUTHORITY[finding.severity].demotesTo);
}

function settledRefuted(finding: Finding, checks: readonly CheckResult[]): Outcome {
  const because = reasonsOf(checks, "refuted");
  const person = needsPerson(finding);
  return {
    action: "settled",
    severity: finding.severity,
    authorization: person ? "human-required" : "automated",
    settledAs: "refuted",
    proposesDismissal: person,
    because: person
      ? [...because, { rule: "ruling 1", text: `${finding.severity} is closed only by a person.` }]
      : because,
    next: person
      ? `A check refutes it. ${finding.severity}: dismissing it needs your confirmation.`
      : "A check refutes it: closed. Reopen it if the check missed something.",
  };
}

function judgeRounds(input: Case): Outcome {
  const { vote, ruling } = input;
  if (vote === null || vote.validShare === null) {
    const counted = vote?.counted ?? 0;
    const text = `Only ${counted} of 3 rounds counted; fewer than two is no verdict (incomplete).`;
    return keepOpen(
      input.finding.severity,
      "needs-human",
      [{ rule: "C6", text }],
      "Triage it again, or decide it yourself.",
    );
  }
  if (ruling === null || ruling.verdict === null) {
    const text = `The arbiter did not decide: ${ruling?.reason ?? "it did not run"}`;
    return keepOpen(
      input.finding.severity,
      "needs-human",
      [{ rule: "R0.21", text }],
      "Nobody could decide it from the evidence: it is yours.",
    );
  }
  return ruling.verdict === "VALID" ? judgeUpheld(input, ruling, vote) : judgeRejected(input, ruling, vote);
}

function judgeUpheld(input: Case, ruling: Ruling, vote: Vote): Outcome {
  const { severity } = input.finding;
  const share = vote.validShare ?? 0;
  const figures = `${vote.valid} of ${vote.counted} rounds say real (${share.toFixed(2)})`;
  const kept = (rule: string, text: string): Outcome =>
    keepOpen(severity, "keep", [{ rule, text }], "It stands: fix it.");
  if (share >= KEEP_SHARE) return kept("R0.18", `${upheldBy(ruling)} ${figures}.`);
  const to = AUTHORITY[severity].demotesTo;
  if (confirmedPart(input.checks) !== undefined)
    return kept("R0.18", `The arbiter upholds it and a check confirms a part of it; ${figures}.`);
  if (!input.rounds.some(refutesWithEvidence)) {
    const text = `The arbiter upholds it; ${figures}, but no round shows contrary evidence, and doubt alone demotes nothing.`;
    return kept("ruling 3", text);
  }
  if (to === severity)
    return kept("R0.19", `The arbiter upholds it, but only ${figures}; there is no step below ${severity}.`);
  const text = `The arbiter upholds it, but only ${figures}, and a round cites contrary evidence.`;
  const next = `Shown as ${to}. It counts as ${severity} until you decide.`;
  return { ...keepOpen(severity, "demote", [{ rule: "R0.19", text }], next), severity: to };
}

function judgeRejected(input: Case, ruling: Ruling, vote: Vote): Outcome {
  const { severity } = input.finding;
  const because = rejectionReasons(ruling, vote);
  const confirmed = confirmedPart(input.checks);
  const left = (text: string, next: string): Outcome =>
    keepOpen(severity, "needs-human", [...because, { rule: "ruling 4", text }], next);
  if (confirmed !== undefined)
    return left(
      `A check confirms a part of the claim: ${confirmed.text}`,
      "The check and the arbiter disagree: decide it yourself.",
    );
  if (needsPerson(input.finding)) return proposed(severity, because);
  const missing = missingForFilter(input.rounds, ruling, FILTER_ROUNDS);
  if (missing !== null) return left(missing, "Not enough evidence to close it alone: decide it yourself.");
  const text = "Two rounds with different questions cite different lines against it.";
  const next = "Closed as a false alarm. Reopen it if you know better.";
  return {
    ...keepOpen(severity, "filter", [...because, { rule: "ruling 4", text }], next),
    authorization: "automated",
  };
}

/** A dismissal that waits for a person: all that rounds can do about a P0, a P1 or a hard fact (C4). */
function proposed(severity: Severity, because: readonly Because[]): Outcome {
  const text = `${severity} is closed only by a person. No second opinion yet.`;
  const next = `${severity}: a false alarm needs your confirmation.`;
  return {
    ...keepOpen(severity, "filter", [...because, { rule: "C4", text }], next),
    authorization: "human-required",
    proposesDismissal: true,
  };
}
