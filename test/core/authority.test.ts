import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { Finding } from "../../src/core/finding.ts";
import { type Case, judge, needsOpinion } from "../../src/core/judge.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import type { Opinion } from "../../src/core/opinion.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { admit, AUTHORITY, BARS, mapOpinion, needsPerson } from "../../src/core/policy.ts";
import type { Refuter } from "../../src/core/refuter.ts";
import { countVotes } from "../../src/core/vote.ts";
import {
  agreeing,
  checks,
  finding,
  findings,
  methods,
  opinions,
  opinionWith,
  rank,
  refutationOf,
  refutations,
  refuters,
  rulings,
  terms,
  threeRounds,
} from "../support/arbitraries.ts";
import { ASKED, closes, dismisses } from "../support/asked.ts";

/** States of all strategies: with and without each part, in every session state. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    finding: findings,
    asked: fc.boolean(),
    checks: fc.array(checks, { maxLength: 3 }),
    rounds: threeRounds,
    ruling: fc.option(rulings, { freq: 8 }),
    method: methods,
    refutation: fc.option(refutations, { freq: 8 }),
    opinion: fc.option(opinions, { freq: 3 }),
    terms,
  })
  .map(({ asked, ...drawn }) => ({
    ...ASKED,
    ...drawn,
    admission: admit(drawn.finding, asked, drawn.terms.costMode),
    vote: countVotes(drawn.rounds),
  }));

/** How near an outcome is to a dismissal: kept, proposed to a person, closed. */
const nearness = (outcome: Outcome): number => (closes(outcome) ? 2 : dismisses(outcome) ? 1 : 0);

test("authority: over 120,000 states of all strategies no P0, P1, hard or untouchable finding is closed without a person (C1, C4, R1.18, ruling 34)", () => {
  let proposed = 0;
  fc.assert(
    fc.property(cases, (input) => {
      const outcome = judge(input);
      assert.notEqual(outcome.authorization, "human-confirmed");
      if (needsPerson(input.finding) || input.terms.untouchable !== null) assert.ok(!closes(outcome));
      // What checks have just closed several of in a row is shown to a person (ruling 35).
      const { braked } = input.terms;
      if (
        outcome.settledAs === "refuted" &&
        input.checks.some(
          ({ atom, verdict }) => atom?.weight === true && verdict === "refuted" && atom.claimClass === braked,
        )
      ) {
        assert.ok(braked === null || !closes(outcome));
      }
      if (outcome.proposesDismissal) {
        proposed += 1;
        assert.equal(outcome.authorization, "human-required");
      }
      // What rounds or refuters reject is proposed only with a blind opinion that agrees (ruling 5).
      if (dismisses(outcome) && outcome.settledAs === null && needsPerson(input.finding)) {
        assert.equal(outcome.mapped, "DISMISS_CANDIDATE");
      }
      assert.ok(outcome.because.length > 0 && outcome.because.every(({ rule, text }) => rule !== "" && text !== ""));
    }),
    { numRuns: 120_000 },
  );
  assert.ok(proposed > 100, "the states reach proposals at all");
});

const doubtful: readonly ((input: Case) => Case)[] = [
  (input) => ({ ...input, opinion: input.opinion === null ? null : gone(input.opinion) }),
  (input) => ({ ...input, refutation: input.refutation === null ? null : withOne(input, "abstained") }),
  (input) => ({ ...input, refutation: input.refutation === null ? null : withOne(input, "needs-check") }),
  (input) => ({ ...input, ruling: null }),
  (input) => ({ ...input, terms: { ...input.terms, heightened: true } }),
  (input) => ({ ...input, checks: input.checks.map((check) => ({ ...check, verdict: "unknown" as const })) }),
];

test("authority: doubt, errors, refusals, missing checks and abstentions never move a finding towards dismissal (design, idea 2)", () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: doubtful.length - 1 }), (input, which) => {
      const [before, after] = [judge(input), judge((doubtful[which] ?? ((same) => same))(input))];
      // A check that stops confirming may free a finding for a dismissal that the others carry: that is no doubt of theirs.
      if (which === 5 && input.checks.some(({ verdict }) => verdict === "confirmed")) return;
      if (which === 5 && before.settledAs !== null) return;
      assert.ok(nearness(after) <= nearness(before), `${before.action} became ${after.action}`);
    }),
    { numRuns: 40_000 },
  );
});

test("authority: the order of rounds' citations and of refuters changes nothing", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const { refutation } = input;
      const turned = refutation === null ? null : refutationOf(refutation.refuters.toReversed(), refutation.polarity);
      const [a, b] = [judge(input), judge({ ...input, refutation: turned })];
      assert.deepEqual([a.action, a.authorization, a.severity], [b.action, b.authorization, b.severity]);
    }),
    { numRuns: 12_000 },
  );
});

test("authority: one more refuter that abstains never helps a dismissal (R4.12)", () => {
  const abstained: Refuter = {
    kind: "abstained",
    lens: { kind: "own", id: "limits" },
    pass: 1,
    reason: "down",
    attack: "",
  };
  fc.assert(
    fc.property(cases, (input) => {
      if (input.refutation === null) return;
      const more = refutationOf([...input.refutation.refuters, abstained], input.refutation.polarity);
      assert.ok(nearness(judge({ ...input, refutation: more })) <= nearness(judge(input)));
    }),
    { numRuns: 12_000 },
  );
});

test("authority: refuters close a P2 or Nit only with two of them against it, of different lenses and lines, and more than half of all (ruling 4)", () => {
  fc.assert(
    fc.property(fc.array(refuters, { minLength: 1, maxLength: 7 }), fc.constantFrom("P2", "Nit"), (all, severity) => {
      const input = caseOf(finding({ severity }), {
        refutation: refutationOf(all),
        method: { ...USUAL_METHOD, strategy: "refute" },
      });
      if (!closes(judge(input))) return;
      const against = all.filter((one) => one.kind === "counted" && one.side === "against");
      assert.ok(against.length >= 2 && against.length > all.length / 2);
      assert.ok(new Set(against.map(({ lens }) => lens.id)).size >= 2);
    }),
    { numRuns: 12_000 },
  );
});

test("authority: a P0 or P1 that refuters or rounds reject asks for a blind second opinion, and only then (C1, R1.9)", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const bare: Case = { ...input, opinion: null };
      if (bare.admission.kind !== "triage" || bare.method === null || bare.method.strategy === "verdict") {
        assert.equal(needsOpinion({ ...bare, method: { ...USUAL_METHOD, strategy: "verdict" } }), false);
        return;
      }
      const wants = needsOpinion(bare);
      const agreed = judge({ ...bare, opinion: agreeing(bare.finding.severity) });
      if (agreed.action === "filter" && agreed.proposesDismissal) assert.ok(wants);
      if (!wants) assert.ok(!judge(bare).proposesDismissal || judge(bare).settledAs !== null);
    }),
    { numRuns: 12_000 },
  );
});

for (const [severity, { usual, warned }] of Object.entries(BARS)) {
  for (const [heightened, bar] of [
    [false, usual],
    [true, warned],
  ] as const) {
    test(`mapping: ${severity}, ${heightened ? "warned" : "usual"} state: ${bar.confidence} and ${bar.refs} references dismiss, a hundredth or one less do not (R1.14, R1.17, R1.27)`, () => {
      const level = severityOf(severity);
      const expected = AUTHORITY[level].closedBy === "person" ? "DISMISS_CANDIDATE" : "DISMISS_VERIFIED";
      const mapped = (verdictConfidence: number, refs: number) =>
        mapOpinion(level, opinionWith({ verdictConfidence }, refs), heightened);
      assert.equal(mapped(bar.confidence, bar.refs), expected);
      assert.equal(mapped(1, bar.refs + 5), expected);
      assert.equal(mapped(bar.confidence - 0.01, bar.refs + 5), "NEED_HUMAN");
      assert.equal(mapped(1, bar.refs - 1), "NEED_HUMAN");
    });
  }
}

test("mapping: the words of each intent, with the floor of 0.70 inclusive (R1.15, R1.16, R1.22-R1.24)", () => {
  const said = (more: Parameters<typeof opinionWith>[0], heightened = false) =>
    mapOpinion("P2", opinionWith(more, 0), heightened);
  assert.equal(said({ verdict: "ACTIONABLE", verdictConfidence: 0.7 }), "FIX_REQUIRED");
  assert.equal(said({ verdict: "ACTIONABLE", verdictConfidence: 0.7 }, true), "FIX_REQUIRED");
  assert.equal(said({ verdict: "ACTIONABLE", verdictConfidence: 0.69 }), "NEED_HUMAN");
  assert.equal(said({ verdict: "UNCERTAIN", verdictConfidence: 1 }), "NEED_HUMAN");
  const confirm = (verdict: "ACTIONABLE" | "NON_ACTIONABLE" | "UNCERTAIN", verdictConfidence: number) =>
    said({ intent: "confirm", verdict, verdictConfidence });
  assert.deepEqual(
    [confirm("ACTIONABLE", 0.7), confirm("NON_ACTIONABLE", 0.7), confirm("ACTIONABLE", 0.69), confirm("UNCERTAIN", 1)],
    ["CONFIRMED", "DISPUTED", "UNCERTAIN", "UNCERTAIN"],
  );
  const clarify = (impact: "HIGH_IMPACT" | "LOW_IMPACT" | "UNCERTAIN" | "NOT_ASSESSED", verdictConfidence: number) =>
    said({ intent: "clarify", impact, verdictConfidence });
  assert.deepEqual(
    [clarify("HIGH_IMPACT", 0.7), clarify("LOW_IMPACT", 0.7), clarify("HIGH_IMPACT", 0.69), clarify("UNCERTAIN", 1)],
    ["HIGH_IMPACT", "LOW_IMPACT", "UNCERTAIN", "UNCERTAIN"],
  );
  assert.equal(clarify("NOT_ASSESSED", 1), "UNCERTAIN");
});

test("mapping: an intent other than dismiss dismisses nothing, whatever it says (R1.24)", () => {
  fc.assert(
    fc.property(cases, fc.constantFrom("confirm", "clarify"), opinions, (input, intent, opinion) => {
      const method = { ...USUAL_METHOD, strategy: "verdict", intent } as const;
      const outcome = judge({ ...input, method, opinion: { ...opinion, intent } });
      if (outcome.settledAs === null) assert.ok(!dismisses(outcome));
    }),
    { numRuns: 6000 },
  );
});

function severityOf(text: string): Finding["severity"] {
  return (["P0", "P1", "P2", "Nit"] as const).find((one) => one === text) ?? "P0";
}

function caseOf(of: Finding, more: Partial<Case>): Case {
  return { ...ASKED, finding: of, admission: { kind: "triage" }, checks: [], ...more };
}

/** An opinion that was not given after all. */
function gone({ intent, by }: Opinion): Opinion {
  return { kind: "abstained", intent, reason: "down", by };
}

/** The refuters with the first of them lost, or in doubt. */
function withOne({ refutation }: Case, how: "abstained" | "needs-check") {
  const [first, ...rest] = refutation?.refuters ?? [];
  if (first === undefined) return refutation;
  const { lens, pass } = first;
  const changed: Refuter =
    how === "abstained" || first.kind === "abstained"
      ? { kind: "abstained", lens, pass, reason: "down", attack: "" }
      : { ...first, side: "needs-check" };
  return refutationOf([changed, ...rest], refutation?.polarity);
}

test("authority: no case makes a finding worse than it was, and a suggestion never moves it (C15, R4.20)", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const { severity, action } = judge(input);
      assert.equal(rank(severity) - rank(input.finding.severity), action === "demote" ? 1 : 0);
    }),
    { numRuns: 12_000 },
  );
});
