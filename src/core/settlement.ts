import type { CheckResult } from "./check.ts";
import type { Finding } from "./finding.ts";
import { keepOpen, reasonsOf } from "./grounds.ts";
import type { Because, Outcome } from "./outcome.ts";
import { AUTHORITY, BRAKE_AFTER, needsPerson, type Terms } from "./policy.ts";
import { handedOver, setAside } from "./setAside.ts";

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

/** What the checks alone come to: settled, handed to a person, or set aside; null where it needs to be judged. */
export function decidedByChecks(finding: Finding, checks: readonly CheckResult[], terms: Terms): Outcome | null {
  const settled = settlement(finding, checks);
  if (settled === "refuted") return settledRefuted(finding, checks, terms);
  if (settled === "confirmed") {
    const because = reasonsOf(checks, "confirmed");
    return {
      ...keepOpen(finding.severity, "settled", because, "A check confirms it: fix it."),
      settledAs: "confirmed",
    };
  }
  return handedOver(finding, checks) ?? setAside(finding, checks, AUTHORITY[finding.severity].demotesTo);
}

function settledRefuted(finding: Finding, checks: readonly CheckResult[], terms: Terms): Outcome {
  const because = reasonsOf(checks, "refuted");
  const person = personOnly(finding, terms) ?? braked(checks, terms);
  return {
    ...keepOpen(finding.severity, "settled", person === null ? because : [...because, person], ""),
    authorization: person === null ? "automated" : "human-required",
    settledAs: "refuted",
    proposesDismissal: person !== null,
    next:
      person === null
        ? "A check refutes it: closed. Reopen it if the check missed something."
        : `A check refutes it. ${finding.severity}: dismissing it needs your confirmation.`,
  };
}

/** Why a person looks at this one, where checks have closed several of its class in a row; null where they have not. */
function braked(checks: readonly CheckResult[], { braked: claimClass }: Terms): Because | null {
  const same = checks.some(
    ({ atom, verdict }) => atom?.weight === true && verdict === "refuted" && atom.claimClass === claimClass,
  );
  if (claimClass === null || !same) return null;
  const text = `Checks have just closed ${BRAKE_AFTER} findings of this kind in a row: this one is shown to you.`;
  return { rule: "ruling 35", text };
}

/** Why only a person may close the finding; null where the program may too. */
export function personOnly(finding: Finding, terms: Terms): Because | null {
  if (needsPerson(finding)) return { rule: "ruling 1", text: `${finding.severity} is closed only by a person.` };
  return terms.untouchable === null ? null : { rule: "setting", text: terms.untouchable };
}
