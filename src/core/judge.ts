import type { CheckResult } from "./check.ts";
import type { Finding } from "./finding.ts";
import {
  awaitedChecks,
  confirmedPart,
  keepOpen,
  missingForFilter,
  missingForRefuted,
  refutesWithEvidence,
  rejectionReasons,
  upheldBy,
} from "./grounds.ts";
import { judgesIn, type Judgement } from "./judgement.ts";
import { opinionReason } from "./opinionWords.ts";
import type { Because, Outcome } from "./outcome.ts";
import {
  type Admission,
  AUTHORITY,
  barOf,
  FILTER_REFUTERS,
  FILTER_ROUNDS,
  KEEP_SHARE,
  mapOpinion,
  type Terms,
} from "./policy.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { Refutation } from "./refuter.ts";
import type { Ruling, Vote } from "./round.ts";
import { escalated } from "./setAside.ts";
import { decidedByChecks, personOnly } from "./settlement.ts";
import { suggestSeverity } from "./severitySuggestion.ts";

/** Everything the judgement rests on: what was said, and what it is held against. */
export interface Case extends Judgement {
  readonly finding: Finding;
  readonly admission: Admission;
  readonly checks: readonly CheckResult[];
  readonly terms: Terms;
  /** Whose answers those of rounds, arbiter and refuters are that name nobody else; at most one. */
  readonly reviewers: readonly ModelIdentity[];
}

/** The outcome of a case: what may happen without a person, and why. Nothing here ever closes a P0, a P1 or a hard fact. */
export function judge(input: Case): Outcome {
  const { finding, opinion, terms } = input;
  const outcome = act(input);
  const mapped = mappedOf(input);
  const asked = opinion?.intent === "dismiss" ? barOf(finding.severity, terms.heightened) : null;
  const bar = asked === null ? {} : { bar: { ...asked, heightened: terms.heightened } };
  return { ...outcome, mapped, ...bar, severitySuggestion: suggestSeverity(input) };
}

function act(input: Case): Outcome {
  const { finding, admission, checks, terms } = input;
  if (admission.kind === "bypass") {
    return keepOpen(finding.severity, "bypass", admission.because, "It stays as it is; only a person may dismiss it.");
  }
  const decided = decidedByChecks(finding, checks, terms);
  if (decided !== null) return decided;
  if (admission.kind === "triage") return escalated(fullyChecked(judgeAsked(input), input), checks);
  const next = "It is listed and blocks nothing. Triage it to have it judged.";
  return escalated(keepOpen(finding.severity, "advisory", admission.because, next), checks);
}

/** A finding whose judgement leaves out a check that is at hand is not done, whichever way it was judged (R4.1). */
function fullyChecked(outcome: Outcome, { checks, finding }: Case): Outcome {
  const awaited = awaitedChecks(checks);
  if (awaited.length === 0 || outcome.action === "needs-human") return outcome;
  const text = `Not done: a check that could settle it has not run: ${awaited.join("; ")}`;
  const next = "Run the check that waits for your word, or decide it yourself.";
  return keepOpen(finding.severity, "needs-human", [...outcome.because, { rule: "R4.1", text }], next);
}

function judgeAsked(input: Case): Outcome {
  if (input.method?.strategy === "refute") return judgeRefutation(input);
  if (input.method?.strategy === "verdict") return judgeOpinion(input);
  return judgeRounds(input);
}

function judgeRounds(input: Case): Outcome {
  const { vote, ruling } = input;
  if (vote === null || vote.validShare === null) {
    const counted = vote?.counted ?? 0;
    const text = `Only ${counted} of 3 rounds counted; fewer than two is no verdict (incomplete).`;
    return forPerson(input, [{ rule: "C6", text }], "Triage it again, or decide it yourself.");
  }
  if (ruling === null || ruling.verdict === null) {
    const text = `The arbiter did not decide: ${ruling?.reason ?? "it did not run"}`;
    return forPerson(input, [{ rule: "R0.21", text }], "Nobody could decide it from the evidence: it is yours.");
  }
  if (ruling.verdict === "VALID") return judgeUpheld(input, ruling, vote);
  return reject(input, rejectionReasons(ruling, vote), missingRounds(input, ruling), {
    rule: "ruling 4",
    text: "Two rounds with different questions cite different lines against it.",
  });
}

function missingRounds({ rounds, terms }: Case, ruling: Ruling): string | null {
  return missingForFilter(rounds, ruling, FILTER_ROUNDS + (terms.heightened ? 1 : 0));
}

function judgeUpheld(input: Case, ruling: Ruling, vote: Vote): Outcome {
  const { severity } = input.finding;
  const share = vote.validShare ?? 0;
  const figures = `${vote.valid} of ${vote.counted} rounds say real (${share.toFixed(2)})`;
  const kept = (rule: string, text: string): Outcome =>
    keepOpen(severity, "keep", [{ rule, text }, ...opinionReasons(input)], "It stands: fix it.");
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
  if (mappedOf(input) === "FIX_REQUIRED")
    return kept("R1.15", `The arbiter upholds it, ${figures}, and a second opinion asks for a fix.`);
  const text = `The arbiter upholds it, but only ${figures}, and a round cites contrary evidence.`;
  const next = `Shown as ${to}. It counts as ${severity} until you decide.`;
  const because = [{ rule: "R0.19", text }, ...opinionReasons(input)];
  return { ...keepOpen(severity, "demote", because, next), severity: to };
}

function judgeRefutation(input: Case): Outcome {
  const { refutation, finding } = input;
  const recount = refutation?.recount;
  if (refutation === null || recount === undefined || recount.result === "none") {
    const text = `Only ${recount?.counted ?? 0} of ${recount?.asked ?? 0} refuters counted; fewer than two is no verdict (incomplete).`;
    return forPerson(input, [{ rule: "R4.4", text }], "Challenge it again, or decide it yourself.");
  }
  const figures = `${recount.against} against it, ${recount.forClaim} for it. ${recount.text}`;
  if (recount.result === "undecided") {
    const text = `Neither side of the refuters carries: ${figures}`;
    return forPerson(input, [{ rule: "R4.15", text }], "Nobody could decide it from the evidence: it is yours.");
  }
  const stands = (recount.result === "survives") === (refutation.polarity === "bug");
  if (!stands && refutation.polarity === "safe") {
    const text = `It claims that all is well, and the refuters could not break that: ${figures}`;
    return forPerson(input, [{ rule: "R4.10", text }], "It names nothing to fix: yours to close.");
  }
  if (stands) {
    const how =
      refutation.polarity === "bug" ? "It survives the refuters" : "The refuters break its claim that all is well";
    const because = [{ rule: "R4.13", text: `${how}: ${figures}` }, ...opinionReasons(input)];
    return keepOpen(finding.severity, "keep", because, "It stands: fix it.");
  }
  const because = [{ rule: "R4.14", text: `The refuters refute it: ${figures}` }];
  return reject(input, because, missingRefuters(input, refutation), {
    rule: "ruling 4",
    text: "Refuters with different lenses refute it, each with a line of its own.",
  });
}

function missingRefuters({ terms }: Case, refutation: Refutation): string | null {
  return missingForRefuted(refutation, FILTER_REFUTERS + (terms.heightened ? 1 : 0));
}

function judgeOpinion(input: Case): Outcome {
  const { opinion, finding } = input;
  const because = opinionReasons(input);
  const mapped = mappedOf(input);
  if (opinion === null || mapped === null) {
    const text = "No second opinion was given (incomplete).";
    return forPerson(input, [{ rule: "R1.37", text }], "Ask again, or decide it yourself.");
  }
  if (mapped === "FIX_REQUIRED" || mapped === "CONFIRMED" || mapped === "HIGH_IMPACT" || mapped === "LOW_IMPACT")
    return keepOpen(finding.severity, "keep", because, "It stands: fix it.");
  if (mapped !== "DISMISS_VERIFIED" && mapped !== "DISMISS_CANDIDATE")
    return forPerson(input, because, "The second opinion does not decide it: it is yours.");
  return reject(input, because, null, null);
}

/** What becomes of a finding that those who were asked reject. `missing`: what an automatic filter still lacks. */
function reject(input: Case, reasons: readonly Because[], missing: string | null, grounds: Because | null): Outcome {
  const { finding, opinion, checks, terms, method } = input;
  const { severity } = finding;
  const told = method?.strategy === "verdict" ? reasons : [...reasons, ...opinionReasons(input)];
  const left = (rule: string, text: string, next: string): Outcome => forPerson(input, [...told, { rule, text }], next);
  const confirmed = confirmedPart(checks);
  if (confirmed !== undefined)
    return left(
      "ruling 4",
      `A check confirms a part of the claim: ${confirmed.text}`,
      "The check and the others disagree: decide it yourself.",
    );
  const mapped = mappedOf(input);
  const agreed = mapped === "DISMISS_VERIFIED" || mapped === "DISMISS_CANDIDATE";
  const person = personOnly(finding, terms);
  if (person !== null) {
    if (method?.strategy === "refute" && missing !== null)
      return left("ruling 4", missing, "Not enough evidence to propose a dismissal: decide it yourself.");
    if (!agreed)
      return left(
        "ruling 5",
        `A dismissal is proposed only where a blind second opinion agrees and reaches its bar; ${unagreed(opinion)}.`,
        "Decide it yourself, or challenge it again with another model.",
      );
    return {
      ...keepOpen(severity, "filter", [...told, person], `${severity}: a false alarm needs your confirmation.`),
      authorization: "human-required",
      proposesDismissal: true,
    };
  }
  if (missing !== null) return left("ruling 4", missing, "Not enough evidence to close it alone: decide it yourself.");
  if (opinion !== null && !agreed)
    return left("ruling 5", `A second opinion was asked for, and ${unagreed(opinion)}.`, "Decide it yourself.");
  const because = grounds === null ? told : [...told, grounds];
  return {
    ...keepOpen(severity, "filter", because, "Closed as a false alarm. Reopen it if you know better."),
    authorization: "automated",
  };
}

/** Why a second opinion is no agreement: silence is not told as disagreement. */
function unagreed(opinion: Case["opinion"]): string {
  return opinion?.kind === "gave" ? "this one does not" : "none was given";
}

/** Whether a blind second opinion is still needed before the outcome can be told (C1, ruling 5). */
export function needsOpinion(input: Case): boolean {
  const { finding, method, opinion, terms, checks } = input;
  if (method === null || method.strategy === "verdict" || opinion !== null) return false;
  if (method.secondOpinion === "always") return true;
  if (personOnly(finding, terms) === null || confirmedPart(checks) !== undefined) return false;
  if (method.strategy === "rounds") return input.vote?.validShare != null && input.ruling?.verdict === "INVALID";
  const { refutation } = input;
  return (
    refutation?.recount.result === "refuted" &&
    refutation.polarity === "bug" &&
    missingRefuters(input, refutation) === null
  );
}

function forPerson({ finding }: Case, because: readonly Because[], next: string): Outcome {
  return keepOpen(finding.severity, "needs-human", because, next);
}

function mappedOf({ finding, opinion, terms }: Case): Outcome["mapped"] {
  const mapped = opinion === null ? null : mapOpinion(finding.severity, opinion, terms.heightened);
  // Whoever else is needed to close it, the program has only a candidate (R1.18).
  return mapped === "DISMISS_VERIFIED" && personOnly(finding, terms) !== null ? "DISMISS_CANDIDATE" : mapped;
}

function opinionReasons(input: Case): Because[] {
  const { finding, opinion, terms, reviewers } = input;
  const others = judgesIn(input, reviewers[0] ?? null);
  return opinion === null ? [] : [opinionReason(finding.severity, opinion, terms.heightened, others)];
}
