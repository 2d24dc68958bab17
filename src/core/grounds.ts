import type { CheckResult } from "./check.ts";
import { overlap } from "./citation.ts";
import type { Severity } from "./finding.ts";
import type { Because, Outcome } from "./outcome.ts";
import type { Refutation } from "./refuter.ts";
import type { CheckedCitation, Round, Ruling, Vote } from "./round.ts";

/** An outcome that leaves the finding on the open list. */
export function keepOpen(
  severity: Severity,
  action: Outcome["action"],
  because: readonly Because[],
  next: string,
): Outcome {
  return {
    action,
    severity,
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    because,
    next,
    mapped: null,
    severitySuggestion: null,
  };
}

/** One reason for each atom that a check refuted or confirmed. */
export function reasonsOf(checks: readonly CheckResult[], verdict: "refuted" | "confirmed"): Because[] {
  const lead = verdict === "refuted" ? "Refuted by a check" : "Confirmed by a check";
  return checks
    .filter((check) => check.atom?.weight === true && check.verdict === verdict)
    .map((check) => ({ rule: `class ${check.atom?.claimClass ?? "?"}`, text: `${lead}: ${check.text}` }));
}

/** The first check that confirms a part of the claim: nothing is closed or demoted against it. */
export function confirmedPart(checks: readonly CheckResult[]): CheckResult | undefined {
  return checks.find((check) => check.atom !== null && check.verdict === "confirmed");
}

/** Why the finding counts as rejected: the arbiter's word, and plainly where it parts from the rounds (R0.20, R0.22, C14). */
export function rejectionReasons(ruling: Ruling, vote: Vote): Because[] {
  if (ruling.overrideRejected) {
    const text =
      "All rounds call it a false alarm; the arbiter said otherwise without a new line that resolves, so the vote stands.";
    return [{ rule: "C14", text }];
  }
  const because: Because[] = [{ rule: "R0.20", text: `The arbiter calls it a false alarm: ${ruling.crux}` }];
  if (vote.valid > vote.invalid) {
    because.push({ rule: "R0.22", text: `It disagrees with the rounds: ${vote.valid} of ${vote.counted} say real.` });
  }
  return because;
}

/** Who upholds the finding, in words: the arbiter, or the vote where the arbiter's contrary word did not count (C14). */
export function upheldBy(ruling: Ruling): string {
  return ruling.overrideRejected
    ? "All rounds uphold it; the arbiter said false alarm without a new line that resolves, so the vote stands, and"
    : "The arbiter upholds it and";
}

/** True for a counted INVALID round with a citation that resolves. */
export function refutesWithEvidence(round: Round): boolean {
  return round.kind === "counted" && round.verdict === "INVALID" && evidenceOf(round).length > 0;
}

/** What an automatic filter of a P2 or Nit still lacks; null where it may happen (ruling 4). */
export function missingForFilter(rounds: readonly Round[], ruling: Ruling, needed: number): string | null {
  if (ruling.overrideRejected) return "The arbiter itself said otherwise.";
  const against = rounds.filter(refutesWithEvidence);
  if (new Set(against.map((round) => round.question)).size < needed)
    return `${against.length} of ${needed} rounds needed speak against it with a line that resolves.`;
  const apart = against.some((one, index) =>
    against
      .slice(index + 1)
      .some(
        (other) =>
          one.question !== other.question && evidenceOf(one).some((a) => evidenceOf(other).some((b) => !overlap(a, b))),
      ),
  );
  return apart ? null : "The rounds against it all rest on the same line.";
}

/**
 * What refuters still lack for an automatic filter; null where it may happen. They are held against all that were asked, not only those that
 * counted: a refuter that fails must never make a dismissal easier.
 */
export function missingForRefuted({ refuters, recount }: Refutation, needed: number): string | null {
  const against = refuters.filter((one) => one.kind === "counted" && one.side === "against");
  const wanted = Math.max(needed, Math.floor(recount.asked / 2) + 1);
  if (against.length < wanted) return `${against.length} of the ${wanted} refuters needed speak against it.`;
  const lines = against.map((one) => ({
    lens: one.lens.id,
    cited: one.kind === "counted" ? one.citations.filter(({ ok }) => ok) : [],
  }));
  const apart = lines.some((one, index) =>
    lines
      .slice(index + 1)
      .some((other) => one.lens !== other.lens && one.cited.some((a) => other.cited.some((b) => !overlap(a, b)))),
  );
  return apart ? null : "The refuters against it share one lens or all rest on the same line.";
}

/** Lines of checks about parts that carry weight and that wait for a person's word (R4.1). */
export function awaitedChecks(checks: readonly CheckResult[]): readonly string[] {
  const lines = checks.flatMap(({ atom, verdict, proposal }) =>
    atom?.weight === true && verdict === "unknown" && proposal !== undefined ? [proposal.line] : [],
  );
  return [...new Set(lines)];
}

function evidenceOf(round: Round): readonly CheckedCitation[] {
  return round.kind === "counted" ? round.citations.filter((citation) => citation.ok) : [];
}
