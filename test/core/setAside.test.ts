import { ASKED } from "../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckResult, Notice } from "../../src/core/check.ts";
import { type Case, judge } from "../../src/core/judge.ts";
import { settlement } from "../../src/core/settlement.ts";
import { admit, needsPerson } from "../../src/core/policy.ts";
import { countVotes } from "../../src/core/vote.ts";
import { checks, findings, rank, rulings, threeRounds } from "../support/arbitraries.ts";

const DOES: Readonly<Record<Notice["claimClass"], readonly Notice["does"][]>> = {
  15: ["route"],
  16: ["route"],
  17: ["route", "tell"],
  18: ["route", "tell"],
  19: ["route", "tell", "escalate"],
  20: ["demote"],
};
const notices: fc.Arbitrary<CheckResult> = fc.constantFrom(15, 16, 17, 18, 19, 20).chain((claimClass) =>
  fc.constantFrom(...DOES[claimClass]).map((does) => ({
    check: "fact",
    atom: null,
    verdict: "confirmed",
    text: `class ${claimClass} holds`,
    citations: [],
    receipts: [],
    notice: { claimClass, does },
  })),
);

const cases: fc.Arbitrary<Case> = fc
  .record({
    finding: findings,
    asked: fc.boolean(),
    facts: fc.array(notices, { minLength: 1, maxLength: 3 }),
    more: fc.array(checks, { maxLength: 2 }),
    rounds: threeRounds,
    ruling: rulings,
    ran: fc.boolean(),
  })
  .map(({ finding, asked, facts, more, rounds, ruling, ran }) => ({
    ...ASKED,
    finding,
    admission: admit(finding, asked),
    checks: [...facts, ...more],
    rounds: ran ? rounds : [],
    vote: ran ? countVotes(rounds) : null,
    ruling: ran ? ruling : null,
  }));

const has = (input: Case, does: Notice["does"]): boolean => input.checks.some(({ notice }) => notice?.does === does);
const RUNS = { numRuns: 12_000 };

test("facts about a finding never close it, never settle it, and never move it by more than one step", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const outcome = judge(input);
      if (outcome.action === "route" || outcome.because[0]?.rule === "class 20") {
        assert.equal(outcome.authorization, "none");
        assert.equal(outcome.proposesDismissal, false);
        assert.equal(outcome.settledAs, null);
      }
      if (outcome.action === "route") assert.equal(outcome.severity, input.finding.severity);
      assert.ok(rank(outcome.severity) - rank(input.finding.severity) <= 1);
      if (needsPerson(input.finding)) assert.notEqual(outcome.authorization, "automated");
      if (input.finding.hard !== null) assert.equal(outcome.action, "bypass");
    }),
    RUNS,
  );
});

test("a finding is set aside only where a fact says so, no check confirms a part of it, and no fact asks for a person", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const outcome = judge(input);
      const confirmed = input.checks.some(({ atom, verdict }) => atom !== null && verdict === "confirmed");
      if (outcome.action === "route") {
        assert.ok(has(input, "route") && !confirmed && !has(input, "escalate"));
        assert.ok(outcome.because.every(({ rule }) => /^class 1[5-9]$/.test(rule)));
      }
      const open = input.finding.hard === null && settlement(input.finding, input.checks) === null;
      if (open && has(input, "escalate"))
        assert.ok(outcome.authorization !== "automated" && outcome.action !== "advisory");
    }),
    RUNS,
  );
});

test("taking a fact away never turns what was open into something closed by a check", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const without = { ...input, checks: input.checks.filter(({ notice }) => notice === undefined) };
      assert.equal(settlement(input.finding, input.checks), settlement(without.finding, without.checks));
    }),
    RUNS,
  );
});

test("a P0 or P1 about code that is nowhere is handed to a person with the reason, and a P2 is closed (classes 8, 10)", () => {
  fc.assert(
    fc.property(findings, fc.constantFrom(8, 10), fc.boolean(), (finding, claimClass, asked) => {
      const atom = {
        id: 0,
        kind: "structural",
        claimClass,
        text: "it stands there",
        weight: true,
        subject: null,
      } as const;
      const check = {
        check: "premise",
        atom,
        verdict: "refuted",
        text: "Nowhere.",
        citations: [],
        receipts: [],
      } as const;
      const admission = admit(finding, asked);
      const outcome = judge({ ...ASKED, finding, admission, checks: [check] });
      if (finding.hard !== null) assert.equal(outcome.action, "bypass");
      else if (needsPerson(finding)) {
        assert.deepEqual([outcome.action, outcome.authorization], ["needs-human", "none"]);
        assert.deepEqual(
          outcome.because.map(({ rule }) => rule),
          [`class ${claimClass}`, "ruling 1"],
        );
      } else
        assert.deepEqual(
          [outcome.action, outcome.settledAs, outcome.authorization],
          ["settled", "refuted", "automated"],
        );
    }),
    RUNS,
  );
});
