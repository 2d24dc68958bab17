import type { Finding } from "../../core/finding.ts";
import type { Mapped } from "../../core/opinion.ts";
import type { Action, Outcome } from "../../core/outcome.ts";
import type { Triaged } from "../../core/triage.ts";
import { type Entry, stateOf } from "../engine/entry.ts";

const ACTION_WORDS = {
  keep: () => "stands",
  demote: (outcome) => `stands, shown as ${outcome.severity}`,
  filter: (outcome) => (outcome.proposesDismissal ? "false alarm, waits for you" : "false alarm, closed"),
  route: () => "set aside, still open",
  "needs-human": () => "yours to decide",
  settled: (outcome) => settledWords(outcome),
  bypass: () => "hard fact",
  advisory: () => "advisory",
} as const satisfies Record<Action, (outcome: Outcome) => string>;

/** An outcome in two or three words. */
export function outcomeWords(outcome: Outcome): string {
  return ACTION_WORDS[outcome.action](outcome);
}

function settledWords(outcome: Outcome): string {
  if (outcome.settledAs === "confirmed") return "confirmed by a check";
  return outcome.proposesDismissal ? "refuted by a check, waits for you" : "refuted by a check, closed";
}

/** The state of a finding in words, as lens, view and hover show it: "P1 · 2 of 3 refuters against · second opinion: false alarm · waits for you". */
export function summaryOf(entry: Entry): string {
  const { finding, triaged } = entry;
  const parts = [severityWords(finding, triaged)];
  const state = stateOf(entry);
  if (state === "running") parts.push(`triage: ${stageWords(entry)}`);
  else if (entry.decided !== null && state === "decided")
    parts.push(entry.decided.decision === "dismissed" ? "dismissed by you" : "confirmed by you");
  else if (state === "stale") parts.push("code changed since", ...(triaged === null ? [] : ["triage again"]));
  else if (triaged === null) parts.push(finding.hard === null ? "not triaged" : "hard fact");
  else parts.push(...verdictWords(triaged));
  return parts.join(" · ");
}

function verdictWords(triaged: Triaged): string[] {
  const { outcome } = triaged;
  const said = [...roundsWords(triaged), ...refutersWords(triaged), ...opinionWords(triaged)];
  if (said.length === 0) return [outcomeWords(outcome)];
  if (outcome.proposesDismissal) said.push("waits for you");
  else if (outcome.action === "needs-human") said.push("yours to decide");
  else if (outcome.authorization === "automated") said.push("closed");
  return said;
}

function roundsWords({ vote, ruling }: Triaged): string[] {
  if (vote === null) return [];
  const share =
    vote.validShare === null ? `only ${vote.counted} of 3 rounds counted` : `${vote.valid} of ${vote.counted} say real`;
  if (ruling === null) return [share];
  const ruled = ruling.verdict === null ? "not decided" : ruling.verdict === "VALID" ? "real" : "false alarm";
  return [share, `arbiter: ${ruled}`];
}

/** "2 of 3 refuters against": what the vote came to, seen from its own side; abstentions are no voters. */
function refutersWords({ refutation }: Triaged): string[] {
  if (refutation === null) return [];
  const { result, counted, asked, against, forClaim } = refutation.recount;
  if (result === "none") return [`only ${counted} of ${asked} refuters counted`];
  if (result === "survives") return [`${forClaim} of ${counted} refuters for it`];
  return [`${against} of ${counted} refuters against`];
}

/** What follows from a second opinion, in two or three words. */
const MAPPED_WORDS = {
  DISMISS_VERIFIED: "false alarm",
  DISMISS_CANDIDATE: "false alarm",
  FIX_REQUIRED: "fix it",
  NEED_HUMAN: "not decided",
  CONFIRMED: "it holds",
  DISPUTED: "disputed",
  HIGH_IMPACT: "high impact",
  LOW_IMPACT: "low impact",
  UNCERTAIN: "not decided",
} as const satisfies Record<Mapped, string>;

function opinionWords({ opinion, outcome }: Triaged): string[] {
  if (opinion === null) return [];
  if (opinion.kind === "abstained") return ["second opinion: no answer"];
  return [`second opinion: ${MAPPED_WORDS[outcome.mapped ?? "NEED_HUMAN"]}`];
}

/** What a policy made of a second opinion, in two or three words. */
export function mappedWords(mapped: Mapped): string {
  return MAPPED_WORDS[mapped];
}

function severityWords(finding: Finding, triaged: Triaged | null): string {
  const shown = triaged?.outcome.severity ?? finding.severity;
  return shown === finding.severity ? finding.severity : `${finding.severity} (shown as ${shown})`;
}

/** Where a running triage is. */
export function stageWords(entry: Entry): string {
  const stage = entry.progress?.stage;
  if (stage === undefined) return "not running";
  if (stage.kind === "round") return `round ${stage.n} of 3`;
  if (stage.kind === "refuters") return stage.pass === 1 ? `${stage.of} refuters` : `refuters, pass ${stage.pass}`;
  return { checks: "checks", arbiter: "arbiter", opinion: "second opinion", saving: "writing the log" }[stage.kind];
}

/** `src/cart.ts:14`, or the words for a finding without a place. */
export function placeWords(finding: Finding): string {
  const file = finding.place.file ?? finding.citedPath;
  if (file === null) return "no file named";
  return finding.place.line === null ? file : `${file}:${finding.place.line}`;
}
