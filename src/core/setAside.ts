import type { CheckResult, Notice } from "./check.ts";
import type { Finding, Severity } from "./finding.ts";
import { confirmedPart, keepOpen, reasonsOf } from "./grounds.ts";
import type { Because, Outcome } from "./outcome.ts";

/** Classes whose refutation of a P0 or P1 is no proposal: the finding goes to a person with it (claims.md 2, classes 8 and 10). */
const HANDED_OVER: ReadonlySet<number> = new Set([8, 10]);

/**
 * A P0 or P1 about code that is nowhere: the rounds would have nothing to judge, and the program proposes nothing, so a person is
 * handed what was looked for. Null where some claim stands or rests on another class.
 */
export function handedOver(finding: Finding, checks: readonly CheckResult[]): Outcome | null {
  const weighty = checks.filter((check) => check.atom?.weight === true);
  if (weighty.length === 0 || !weighty.every(({ verdict }) => verdict === "refuted")) return null;
  if (!weighty.some(({ atom }) => HANDED_OVER.has(atom?.claimClass ?? Number.NaN))) return null;
  const text = `${finding.severity} is closed only by a person, and what is absent here may stand elsewhere.`;
  return keepOpen(
    finding.severity,
    "needs-human",
    [...reasonsOf(checks, "refuted"), { rule: "ruling 1", text }],
    "A check found nothing of what it speaks about: dismiss it, or say where the code is.",
  );
}

/** What happens next with a finding that a fact sets aside; it stays on the open list and at its severity. */
const NEXT = {
  15: "It belongs to the existing code, not to this change: keep it for another day, or confirm it.",
  16: "Judge the other one. This one stays listed beside it.",
  17: "The file's origin decides its style: change the generator or the source it was copied from.",
  18: "It is about a test, not about what ships.",
  19: "Its author has acknowledged it. Look at the reason, and confirm the finding if it does not hold.",
  20: "",
} as const satisfies Record<Notice["claimClass"], string>;

/**
 * What facts about the finding as a whole ask for: to be set aside, or to be shown one step lower because it takes itself back. Null
 * where they ask for nothing, where a check confirms a part of the claim, or where one fact sends it to a person.
 */
export function setAside(finding: Finding, checks: readonly CheckResult[], lower: Severity): Outcome | null {
  if (confirmedPart(checks) !== undefined || escalates(checks)) return null;
  const routes = noticesOf(checks, "route");
  const first = checks.find(({ notice }) => notice?.does === "route")?.notice;
  if (first !== undefined) return keepOpen(finding.severity, "route", routes, NEXT[first.claimClass]);
  const withdrawn = noticesOf(checks, "demote");
  if (withdrawn.length === 0) return null;
  if (lower === finding.severity)
    return keepOpen(
      finding.severity,
      "advisory",
      withdrawn,
      "It is listed and blocks nothing. Triage it to have it judged.",
    );
  const next = `Shown as ${lower}. It counts as ${finding.severity} until you decide.`;
  return { ...keepOpen(finding.severity, "demote", withdrawn, next), severity: lower };
}

/** True where a fact keeps the program from closing or setting the finding aside alone. */
function escalates(checks: readonly CheckResult[]): boolean {
  return checks.some(({ notice }) => notice?.does === "escalate");
}

/** Hands what the program alone would close or leave unjudged to a person, where a fact asks for that (class 19). */
export function escalated(outcome: Outcome, checks: readonly CheckResult[]): Outcome {
  const alone = outcome.authorization === "automated" || outcome.action === "advisory";
  if (!escalates(checks) || !alone || outcome.action === "settled") return outcome;
  const because = [...noticesOf(checks, "escalate"), ...outcome.because];
  return keepOpen(
    outcome.severity,
    "needs-human",
    because,
    "The change silences this very finding: look at it yourself.",
  );
}

function noticesOf(checks: readonly CheckResult[], does: Notice["does"]): Because[] {
  return checks.flatMap(({ notice, text }) =>
    notice?.does === does ? [{ rule: `class ${notice.claimClass}`, text }] : [],
  );
}
