import { ASKED, closes, dismisses } from "../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckResult } from "../../src/core/check.ts";
import { overlap } from "../../src/core/citation.ts";
import { SEVERITIES } from "../../src/core/finding.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import { type Case, judge } from "../../src/core/judge.ts";
import { REFUTABLE_AT_P0_P1, settlement } from "../../src/core/settlement.ts";
import { admit, AUTHORITY, needsPerson } from "../../src/core/policy.ts";
import type { Round } from "../../src/core/round.ts";
import { countVotes } from "../../src/core/vote.ts";
import {
  agreeing,
  checks,
  finding,
  findings,
  methods,
  opinions,
  rank,
  refutations,
  rulings,
  terms,
  threeRounds,
} from "../support/arbitraries.ts";

const RUNS = { numRuns: 12_000 };

/** Any state the pipeline can hand to the policy, and some it cannot. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    finding: findings,
    asked: fc.boolean(),
    checks: fc.array(checks, { maxLength: 4 }),
    rounds: threeRounds,
    ruling: fc.option(rulings, { freq: 8 }),
    ran: fc.boolean(),
    method: methods,
    refutation: fc.option(refutations, { freq: 6 }),
    opinion: fc.option(opinions, { freq: 3 }),
    terms,
  })
  .map((drawn) => ({
    ...ASKED,
    method: drawn.method,
    refutation: drawn.ran ? drawn.refutation : null,
    opinion: drawn.ran ? drawn.opinion : null,
    terms: drawn.terms,
    finding: drawn.finding,
    admission: admit(drawn.finding, drawn.asked),
    checks: drawn.checks,
    rounds: drawn.ran ? drawn.rounds : [],
    vote: drawn.ran ? countVotes(drawn.rounds) : null,
    ruling: drawn.ran ? drawn.ruling : null,
  }));

/** Those that rounds judge. */
const byRounds = cases.map((input): Case => ({ ...input, method: USUAL_METHOD }));

function withRounds(input: Case, rounds: readonly Round[]): Case {
  return { ...input, rounds, vote: countVotes(rounds) };
}

test("policy: no triage closes a P0, a P1 or a hard fact; it proposes at most (C4, R0.2, rulings 1 and 7)", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const outcome = judge(input);
      if (!needsPerson(input.finding)) return;
      assert.notEqual(outcome.authorization, "automated");
      assert.notEqual(outcome.authorization, "human-confirmed");
      assert.equal(outcome.proposesDismissal, dismisses(outcome));
      assert.equal(outcome.authorization, dismisses(outcome) ? "human-required" : "none");
      if (input.finding.hard !== null) assert.equal(outcome.action, "bypass");
    }),
    RUNS,
  );
});

test("policy: every outcome says why and what comes next, and only a demotion moves the severity, by one step", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const outcome = judge(input);
      assert.ok(outcome.because.length > 0);
      assert.ok(outcome.because.every(({ rule, text }) => rule !== "" && text !== ""));
      assert.notEqual(outcome.next, "");
      assert.equal(outcome.settledAs !== null, outcome.action === "settled");
      const steps = rank(outcome.severity) - rank(input.finding.severity);
      assert.equal(steps, outcome.action === "demote" ? 1 : 0);
    }),
    RUNS,
  );
});

test("policy: a demotion needs a share under a half and an INVALID whose citation resolves (R0.19, ruling 3)", () => {
  fc.assert(
    fc.property(cases, (input) => {
      if (judge(input).action !== "demote") return;
      assert.ok((input.vote?.validShare ?? 1) < 0.5);
      assert.equal(input.ruling?.verdict, "VALID");
      assert.ok(
        input.rounds.some((r) => r.kind === "counted" && r.verdict === "INVALID" && r.citations.some(({ ok }) => ok)),
      );
      assert.ok(!input.checks.some((check) => check.atom !== null && check.verdict === "confirmed"));
    }),
    RUNS,
  );
});

test("policy: rounds close a P2 or Nit only as ruling 4 allows", () => {
  fc.assert(
    fc.property(byRounds, (input) => {
      const outcome = judge(input);
      if (outcome.action !== "filter" || !closes(outcome)) return;
      assert.ok(rank(input.finding.severity) >= rank("P2"));
      assert.equal(input.ruling?.verdict, "INVALID");
      assert.equal(input.ruling.overrideRejected, false);
      assert.ok(!input.checks.some((check) => check.atom !== null && check.verdict === "confirmed"));
      const against = input.rounds.filter((r) => r.kind === "counted").filter((r) => r.verdict === "INVALID");
      const resolving = against.map((r) => ({ question: r.question, lines: r.citations.filter(({ ok }) => ok) }));
      const apart = resolving.some((a) =>
        resolving.some((b) => a.question !== b.question && a.lines.some((x) => b.lines.some((y) => !overlap(x, y)))),
      );
      assert.ok(apart, "two rounds of different questions, each with its own resolving line");
    }),
    RUNS,
  );
});

test("policy: a check closes only where every atom with weight is refuted, and a P0 or P1 only in the allowed classes", () => {
  fc.assert(
    fc.property(cases, (input) => {
      if (judge(input).settledAs !== "refuted") return;
      const weighty = input.checks.filter((check) => check.atom?.weight === true);
      assert.ok(weighty.length > 0);
      assert.ok(weighty.every((check) => check.verdict === "refuted"));
      if (needsPerson(input.finding))
        assert.ok(weighty.every((check) => REFUTABLE_AT_P0_P1.includes(check.atom?.claimClass ?? 0)));
    }),
    RUNS,
  );
});

/** A state, and the same with one round taken away or turned into doubt. */
const doubted = fc
  .record({ input: cases, index: fc.nat({ max: 2 }), how: fc.constantFrom("abstained", "uncertain") })
  .map(({ input, index, how }) => {
    const rounds = input.rounds.map((round, at): Round => {
      if (at !== index) return round;
      const { n, question } = round;
      if (how === "abstained" || round.kind === "abstained") return { kind: "abstained", n, question, reason: "down" };
      return { ...round, verdict: "UNCERTAIN", stated: "UNCERTAIN", note: null };
    });
    return { before: input, after: input.vote === null ? input : withRounds(input, rounds) };
  });

test("policy: a round that fails or doubts never turns an open finding into a dismissal (design, idea 2)", () => {
  fc.assert(
    fc.property(doubted, ({ before, after }) => {
      if (!dismisses(judge(before))) assert.ok(!dismisses(judge(after)));
      if (!closes(judge(before))) assert.ok(!closes(judge(after)));
    }),
    RUNS,
  );
});

test("policy: an arbiter that fails or is missing never turns an open finding into a dismissal", () => {
  fc.assert(
    fc.property(byRounds, fc.boolean(), (input, missing) => {
      const ruling = missing || input.ruling === null ? null : { ...input.ruling, verdict: null, reason: "down" };
      const outcome = judge({ ...input, ruling });
      if (dismisses(outcome)) assert.equal(outcome.settledAs, "refuted");
      assert.notEqual(outcome.action, "demote");
    }),
    RUNS,
  );
});

test("policy: a check that becomes unknown never turns an open finding into a dismissal by checks", () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: 3 }), (input, index) => {
      const changed = input.checks.map((check, at): CheckResult =>
        at === index ? { ...check, verdict: "unknown" } : check,
      );
      if (settlement(input.finding, input.checks) !== "refuted")
        assert.notEqual(settlement(input.finding, changed), "refuted");
    }),
    RUNS,
  );
});

test("policy: citations that stop resolving never close anything", () => {
  fc.assert(
    fc.property(byRounds, (input) => {
      const rounds = input.rounds.map((round): Round =>
        round.kind === "counted"
          ? { ...round, citations: round.citations.map((citation) => ({ ...citation, ok: false })) }
          : round,
      );
      const outcome = judge({ ...input, rounds });
      if (closes(outcome)) assert.equal(outcome.settledAs, "refuted");
    }),
    RUNS,
  );
});

test("policy: the order of checks and of citations changes nothing", () => {
  fc.assert(
    fc.property(cases, (input) => {
      const rounds = input.rounds.map((round): Round =>
        round.kind === "counted" ? { ...round, citations: round.citations.toReversed() } : round,
      );
      const outcome = judge({ ...input, rounds, checks: input.checks.toReversed() });
      const plain = { because: [], next: "", severitySuggestion: null };
      assert.deepEqual({ ...outcome, ...plain }, { ...judge(input), ...plain });
    }),
    RUNS,
  );
});

test("policy: the severity as ingested decides, so a finding cannot be demoted and then closed (ruling 2)", () => {
  fc.assert(
    fc.property(cases, cases, (first, second) => {
      const shown = judge(first).severity;
      const again = judge({
        ...second,
        finding: { ...first.finding, gate: { from: first.finding.severity, to: shown, reason: "no_evidence" } },
      });
      if (needsPerson(first.finding)) assert.ok(!closes(again));
    }),
    RUNS,
  );
});

test("policy: less than two counted rounds is no verdict, whatever the arbiter says (C6)", () => {
  fc.assert(
    fc.property(byRounds, (input) => {
      if (input.admission.kind !== "triage" || settlement(input.finding, input.checks) !== null) return;
      if (input.vote === null || input.vote.counted < 2) assert.equal(judge(input).action, "needs-human");
    }),
    RUNS,
  );
});

test("admission: P0 and P1 go to the rounds, P2 and Nit when asked for, hard facts never, whatever is asked (R0.1, R0.2, C12)", () => {
  for (const severity of SEVERITIES) {
    const worst = severity === "P0" || severity === "P1";
    assert.equal(admit(finding({ severity }), false).kind, worst ? "triage" : "advisory");
    assert.equal(admit(finding({ severity }), true).kind, "triage");
    for (const asked of [true, false]) assert.equal(admit(finding({ severity, hard: "secret" }), asked).kind, "bypass");
  }
});

test("admission: what the source itself marks as suppressed, absent or passed is triaged only when asked for", () => {
  for (const status of ["suppressed", "absent", "pass"] as const) {
    assert.equal(admit(finding({ severity: "P0", status }), false).kind, "advisory");
    assert.equal(admit(finding({ severity: "P0", status }), true).kind, "triage");
  }
});

test("authority: P0 and P1 are closed by a person alone, and each severity steps down by one (C4, R0.19)", () => {
  assert.deepEqual(
    SEVERITIES.map((severity) => [severity, AUTHORITY[severity].closedBy, AUTHORITY[severity].demotesTo]),
    [
      ["P0", "person", "P1"],
      ["P1", "person", "P2"],
      ["P2", "program or person", "Nit"],
      ["Nit", "program or person", "Nit"],
    ],
  );
});

/** The rounds in letters (`V`, `I` with its own line, `U`, `-`), the arbiter's verdict, and what becomes of each severity. */
const TABLE: readonly (readonly [string, "VALID" | "INVALID" | null, string, string])[] = [
  ["VVV", "VALID", "keep none", "keep none"],
  ["VVI", "VALID", "keep none", "keep none"],
  ["V-I", "VALID", "keep none", "keep none"],
  ["VII", "VALID", "demote none", "demote none"],
  ["III", "VALID", "demote none", "demote none"],
  ["VUU", "VALID", "keep none", "keep none"],
  ["UUU", "VALID", "keep none", "keep none"],
  ["III", "INVALID", "filter human-required", "filter automated"],
  ["VII", "INVALID", "filter human-required", "filter automated"],
  ["UII", "INVALID", "filter human-required", "filter automated"],
  ["-II", "INVALID", "filter human-required", "filter automated"],
  ["VVI", "INVALID", "filter human-required", "needs-human none"],
  ["VVV", "INVALID", "filter human-required", "needs-human none"],
  ["UUU", "INVALID", "filter human-required", "needs-human none"],
  ["III", null, "needs-human none", "needs-human none"],
  ["VVV", null, "needs-human none", "needs-human none"],
  ["--I", "INVALID", "needs-human none", "needs-human none"],
  ["---", "VALID", "needs-human none", "needs-human none"],
];

function roundsOf(letters: string): Round[] {
  const questions = ["premise", "defences", "missed"] as const;
  return questions.map((question, index): Round => {
    const n = ([1, 2, 3] as const)[index] ?? 1;
    const letter = letters[index] ?? "-";
    if (letter === "-") return { kind: "abstained", n, question, reason: "down" };
    const verdict = ({ V: "VALID", I: "INVALID", U: "UNCERTAIN" } as const)[letter] ?? "UNCERTAIN";
    const citation = { file: "src/a.ts", line: 10 * n, endLine: 10 * n, quote: "q", ok: true, shown: "q", note: null };
    const citations = letter === "I" ? [citation] : [];
    return {
      kind: "counted",
      n,
      question,
      verdict,
      stated: verdict,
      crux: "c",
      reasoning: "r",
      citations,
      grepUsed: null,
      note: null,
    };
  });
}

for (const [letters, verdict, p1, p2] of TABLE) {
  test(`policy: ${letters} and the arbiter ${verdict ?? "undecided"} gives P1 ${p1}, P2 ${p2} (R0.18-R0.21)`, () => {
    const rounds = roundsOf(letters);
    const ruling = { verdict, crux: "c", reasoning: "r", citations: [], overrideRejected: false, reason: "why" };
    for (const [severity, expected] of [
      ["P1", p1],
      ["P2", p2],
    ] as const) {
      const input = { finding: finding({ severity }), admission: { kind: "triage" } as const, checks: [] };
      const opinion = severity === "P1" && verdict === "INVALID" ? agreeing("P1") : null;
      const outcome = judge({ ...ASKED, ...input, rounds, vote: countVotes(rounds), ruling, opinion });
      assert.equal(`${outcome.action} ${outcome.authorization}`, expected);
    }
  });
}

test("policy: an arbiter against the majority is said plainly, with the figures (R0.22)", () => {
  const rounds = roundsOf("VVI");
  const ruling = {
    verdict: "INVALID",
    crux: "c",
    reasoning: "r",
    citations: [],
    overrideRejected: false,
    reason: null,
  } as const;
  const outcome = judge({
    ...ASKED,
    finding: finding(),
    admission: { kind: "triage" },
    checks: [],
    rounds,
    vote: countVotes(rounds),
    ruling,
  });
  assert.match(outcome.because.map(({ text }) => text).join(" "), /disagrees with the rounds: 2 of 3 say real/);
});

test("policy: a vote that stands against the arbiter is not told as the arbiter's word (C14)", () => {
  const rounds = roundsOf("VVV");
  const ruling = {
    verdict: "VALID",
    crux: "c",
    reasoning: "r",
    citations: [],
    overrideRejected: true,
    reason: "w",
  } as const;
  const outcome = judge({
    ...ASKED,
    finding: finding(),
    admission: { kind: "triage" },
    checks: [],
    rounds,
    vote: countVotes(rounds),
    ruling,
  });
  assert.equal(outcome.action, "keep");
  assert.match(outcome.because[0]?.text ?? "", /the vote stands/);
});

test("policy: a vote that stands against the arbiter closes no P2: the arbiter itself said otherwise (ruling 4, C14)", () => {
  const rounds = roundsOf("III");
  const ruling = { verdict: "INVALID", crux: "c", reasoning: "r", citations: [], reason: "w" } as const;
  const input = { finding: finding({ severity: "P2" }), admission: { kind: "triage" }, checks: [], rounds } as const;
  const outcome = judge({
    ...ASKED,
    ...input,
    vote: countVotes(rounds),
    ruling: { ...ruling, overrideRejected: true },
  });
  assert.equal(outcome.action, "needs-human");
});
