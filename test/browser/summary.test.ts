import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { remarksOf } from "../../src/browser/remarks.ts";
import {
  arbiterSlot,
  hasRounds,
  majorityOf,
  pipsOf,
  roundSlots,
  standingOf,
  voteFigure,
  voteWords,
} from "../../src/browser/summary.ts";
import type { Vote } from "../../src/core/round.ts";
import type { PanelState } from "../../src/protocol/panel.ts";
import * as states from "../support/panelStates.ts";

/** A vote from counts; the share as the core computes it (R0.17, C6). */
function voteOf(valid: number, invalid: number, uncertain: number): Vote {
  const counted = valid + invalid + uncertain;
  const enough = counted >= 2;
  const unanimous =
    valid === counted ? "VALID" : invalid === counted ? "INVALID" : uncertain === counted ? "UNCERTAIN" : null;
  return {
    counted,
    valid,
    invalid,
    uncertain,
    validShare: enough ? valid / counted : null,
    unanimous: enough ? unanimous : null,
    dropped: Array.from({ length: 3 - counted }, () => "a round"),
  };
}

function standing(vote: Vote, verdict: "VALID" | "INVALID" | null, overrideRejected = false): string {
  const { ruling } = states.proposed;
  assert.ok(ruling !== null);
  const state: PanelState = { ...states.proposed, vote, ruling: { ...ruling, verdict, overrideRejected } };
  return standingOf(state).lead;
}

test("the vote is one named figure with its counts, never an average of others (C5, R0.17)", () => {
  assert.equal(voteFigure(voteOf(2, 1, 0)), "vote 67 % (2 of 3)");
  assert.equal(voteFigure(voteOf(1, 0, 1)), "vote 50 % (1 of 2)");
  assert.equal(voteFigure(voteOf(0, 3, 0)), "vote 0 % (0 of 3)");
  assert.equal(voteFigure(voteOf(1, 0, 0)), null);
});

test("the vote in words accounts for every round (C6, C7)", () => {
  assert.equal(voteWords(voteOf(2, 1, 0)), "2 of 3 rounds say real, 1 says false alarm");
  assert.equal(voteWords(voteOf(1, 0, 2)), "1 of 3 rounds says real, 2 could not decide");
  assert.equal(
    voteWords(voteOf(1, 1, 0)),
    "1 of 2 rounds that counted says real, 1 says false alarm; 1 gave no answer",
  );
});

test("where rounds and arbiter disagree it is said plainly (R0.22, C14)", () => {
  const cases: readonly (readonly [Vote, "VALID" | "INVALID" | null, string])[] = [
    [voteOf(3, 0, 0), "VALID", "Rounds and arbiter agree: real."],
    [voteOf(0, 3, 0), "INVALID", "Rounds and arbiter agree: false alarm."],
    [voteOf(2, 1, 0), "VALID", "The rounds differ; the arbiter sides with the majority."],
    [voteOf(2, 1, 0), "INVALID", "The arbiter overrules the vote."],
    [voteOf(3, 0, 0), "INVALID", "The arbiter overrules the vote."],
    [voteOf(1, 2, 0), "VALID", "The arbiter overrules the vote."],
    [voteOf(1, 1, 1), "VALID", "The vote is open; the arbiter decides."],
    [voteOf(0, 0, 3), "INVALID", "The vote is open; the arbiter decides."],
    [voteOf(2, 1, 0), null, "The arbiter could not decide."],
    [voteOf(1, 0, 0), "VALID", "No verdict: fewer than two rounds counted."],
  ];
  for (const [vote, verdict, lead] of cases) assert.equal(standing(vote, verdict), lead);
});

test("a rejected override says that the vote stands (C14)", () => {
  assert.equal(standing(voteOf(3, 0, 0), "VALID", true), "Override rejected: the vote stands.");
});

test("an arbiter against the majority is never shown as agreement", () => {
  const counts = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).filter(([a, b, c]) => a + b + c >= 2 && a + b + c <= 3);
  fc.assert(
    fc.property(
      counts,
      fc.constantFrom("VALID" as const, "INVALID" as const),
      ([valid, invalid, uncertain], verdict) => {
        const vote = voteOf(valid, invalid, uncertain);
        const against = majorityOf(vote) !== verdict;
        assert.equal(against, !/agree|sides with/.test(standing(vote, verdict)));
      },
    ),
  );
});

test("before the vote the words say what is in so far", () => {
  assert.equal(standingOf(states.running1).text, "");
  assert.equal(standingOf(states.running3).text, "So far: round 1 says real, round 2 says false alarm.");
  assert.match(standingOf({ ...states.running2, state: "new", stage: null }).text, /^Before it stopped: round 1/);
});

test("three rounds and an arbiter have their place as soon as triage runs", () => {
  assert.equal(hasRounds(states.untriaged), false);
  assert.equal(hasRounds(states.hard), false);
  assert.equal(hasRounds(states.runningChecks), true);
  assert.deepEqual(
    roundSlots(states.running2).map(({ kind }) => kind),
    ["done", "running", "waiting"],
  );
  assert.equal(arbiterSlot(states.running2).kind, "waiting");
  assert.equal(arbiterSlot(states.runningArbiter).kind, "running");
  const stopped: PanelState = { ...states.running2, state: "new", stage: null };
  assert.deepEqual(
    roundSlots(stopped).map(({ kind }) => kind),
    ["done", "not-run", "not-run"],
  );
});

test("the marks of the vote use the verdict that counts, not the one that was stated (C8)", () => {
  const marks = pipsOf(states.needsHuman).map(({ name, word }) => `${name}: ${word}`);
  assert.deepEqual(marks, ["Premise: real", "Defences: not decided", "Missed: no answer", "Arbiter: not decided"]);
  assert.deepEqual(
    pipsOf(states.running2).map(({ busy }) => busy),
    [false, true, false, false],
  );
});

test("place, gate, source status, hard fact and group are said where there is something to say", () => {
  assert.deepEqual(remarksOf(states.untriaged), []);
  const hard = remarksOf(states.hard).map(({ text }) => text);
  assert.equal(hard.length, 3);
  assert.match(hard[0] ?? "", /never triaged away/);
  assert.match(hard[1] ?? "", /suppressed/);
  assert.match(hard[2] ?? "", /2 more findings.*all 3/);
  const stale = remarksOf(states.stale).map(({ text }) => text);
  assert.deepEqual(stale[0], "Cited at line 40; the quoted text stands at line 42.");
  assert.match(stale[1] ?? "", /Nit instead of P1.*counts as P1 until a person decides/);
});

test("a finding without a place, or with one that is not here, says so", () => {
  const { finding } = states;
  for (const status of ["none", "missing-file", "out-of-range"] as const) {
    const place = { ...finding.place, status, file: null, note: null };
    assert.equal(remarksOf({ ...states.untriaged, finding: { ...finding, place } }).length, 1, status);
  }
});
