import type { TriagedRecord } from "../../core/audit.ts";
import { LENS_IDS, type Lens } from "../../core/lens.ts";
import { type Method, USUAL_METHOD } from "../../core/method.ts";
import type { Opinion } from "../../core/opinion.ts";
import type { Outcome } from "../../core/outcome.ts";
import { recount, type Refutation, type Refuter } from "../../core/refuter.ts";
import { QUESTIONS, type Round } from "../../core/round.ts";
import type { Triaged } from "../../core/triage.ts";
import { countVotes } from "../../core/vote.ts";

/** A triage as its line in the log tells it: verdicts and figures, without reasoning and lines of code, which no log holds. */
export function fromRecord(record: TriagedRecord): Triaged {
  const rounds = record.rounds.map(roundOf);
  const { arbiter } = record;
  return {
    key: record.key,
    twinOf: record.twinOf,
    checks: [],
    method: methodOf(record),
    rounds,
    vote: rounds.length === 0 ? null : countVotes(rounds),
    ruling: arbiter === null ? null : { ...arbiter, reasoning: "", citations: [] },
    refutation: record.refutation === undefined ? null : refutationOf(record.refutation),
    opinion: record.opinion === undefined ? null : opinionOf(record.opinion),
    asked: [],
    reductions: record.reductions ?? [],
    outcome: outcomeOf(record),
    receipts: [],
    regions: record.regions,
    reviewer: record.reviewer,
    calls: record.calls,
    tokens: record.tokens,
    ledger: [],
  };
}

/** Lines of earlier versions name no method; rounds were the only one. */
function methodOf({ method, rounds }: TriagedRecord): Method | null {
  if (method !== undefined) return { ...USUAL_METHOD, ...method };
  return rounds.length === 0 ? null : USUAL_METHOD;
}

function roundOf(round: TriagedRecord["rounds"][number]): Round {
  const question = QUESTIONS[round.n - 1] ?? "premise";
  const { n, verdict, crux, grepUsed, by } = round;
  if (verdict === null) return { kind: "abstained", n, question, reason: crux };
  return {
    kind: "counted",
    n,
    question,
    verdict,
    stated: verdict,
    crux,
    reasoning: "",
    citations: [],
    grepUsed,
    note: null,
    by,
  };
}

function refutationOf(logged: NonNullable<TriagedRecord["refutation"]>): Refutation {
  const refuters = logged.refuters.map((one): Refuter => {
    const lens = lensOf(one.lens);
    const { pass, side, text, refuterConfidence, impact, by } = one;
    if (side === null) return { kind: "abstained", lens, pass, reason: text, attack: "" };
    return {
      kind: "counted",
      lens,
      pass,
      side,
      stated: side === "needs-check" ? "needs_oracle" : side === "against" ? "refuted" : "confirmed_bug",
      refuterConfidence: refuterConfidence ?? "low",
      impact: impact ?? "medium",
      attack: side === "against" ? text : "",
      scenario: side === "against" ? "" : text,
      citations: [],
      reReadSources: [],
      note: null,
      by,
    };
  });
  const { polarity, passes } = logged;
  const stopped = (["quiet", "angles exhausted", "refuted", "undecided", "budget"] as const).find(
    (why) => why === logged.stopped,
  );
  return { polarity, refuters, recount: recount(refuters), passes, stopped: stopped ?? null, untouched: [] };
}

function lensOf(id: string): Lens {
  const own = LENS_IDS.find((known) => known === id);
  return own === undefined ? { kind: "given", id, text: id } : { kind: "own", id: own };
}

function opinionOf(logged: NonNullable<TriagedRecord["opinion"]>): Opinion {
  const { intent, thread, by, verdict, impact, verdictConfidence } = logged;
  if (logged.status === "abstained" || verdict === null)
    return { kind: "abstained", intent, reason: "as the log says, it was not given", by };
  return {
    kind: "gave",
    intent,
    thread,
    verdict,
    stated: verdict,
    impact: impact ?? "NOT_ASSESSED",
    verdictConfidence: verdictConfidence ?? 0,
    refs: [],
    reasoning: "",
    by,
    note: null,
    rebuttal: logged.rebutted ? [] : null,
  };
}

function outcomeOf(record: TriagedRecord): Outcome {
  const { action, finalSeverity, settledAs, proposesDismissal, because } = record;
  const person = record.severity === "P0" || record.severity === "P1";
  // The log is a file that can be edited: a line that closes a P0 or P1 without a person says what no writer of ours says.
  const authorization = person && record.authorization === "automated" ? "human-required" : record.authorization;
  const next = proposesDismissal
    ? `${record.severity}: a false alarm needs your confirmation.`
    : "As the log says; triage it again to see the evidence.";
  return {
    action,
    severity: finalSeverity,
    authorization,
    settledAs,
    proposesDismissal,
    because,
    next,
    mapped: record.opinion?.mapped ?? null,
    severitySuggestion: record.severitySuggestion ?? null,
  };
}
