import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { Round } from "../../src/core/round.ts";
import { countVotes, voteNotation } from "../../src/core/vote.ts";
import { rulings, threeRounds } from "../support/arbitraries.ts";

const RUNS = { numRuns: 6_000 };

test("vote: counts add up, and UNCERTAIN counts in the denominator only (R0.17, C6, C7)", () => {
  fc.assert(
    fc.property(threeRounds, (rounds) => {
      const vote = countVotes(rounds);
      assert.equal(vote.valid + vote.invalid + vote.uncertain, vote.counted);
      assert.equal(vote.counted + vote.dropped.length, 3);
      if (vote.counted < 2) assert.deepEqual([vote.validShare, vote.unanimous], [null, null]);
      else assert.equal(vote.validShare, vote.valid / vote.counted);
    }),
    RUNS,
  );
});

test("vote: unanimous names the one verdict that all counted rounds share", () => {
  fc.assert(
    fc.property(threeRounds, (rounds) => {
      const { unanimous, counted } = countVotes(rounds);
      const verdicts = new Set(rounds.flatMap((round) => (round.kind === "counted" ? [round.verdict] : [])));
      assert.equal(unanimous, counted >= 2 && verdicts.size === 1 ? [...verdicts][0] : null);
    }),
    RUNS,
  );
});

test("vote: the order of the rounds changes no figure", () => {
  fc.assert(
    fc.property(threeRounds, (rounds) => {
      assert.deepEqual({ ...countVotes(rounds.toReversed()), dropped: [] }, { ...countVotes(rounds), dropped: [] });
    }),
    RUNS,
  );
});

test("vote: what a round says makes no figure once it abstains, and each abstention is named with its reason", () => {
  const rounds: Round[] = [1, 2, 3].map((n) => ({
    kind: "abstained",
    n: n === 1 ? 1 : n === 2 ? 2 : 3,
    question: "premise",
    reason: `reason ${n}`,
  }));
  assert.deepEqual(countVotes(rounds), {
    counted: 0,
    valid: 0,
    invalid: 0,
    uncertain: 0,
    validShare: null,
    unanimous: null,
    dropped: ["round 1: reason 1", "round 2: reason 2", "round 3: reason 3"],
  });
});

test("vote: the notation has one letter a round and one for the arbiter (R0.23)", () => {
  fc.assert(
    fc.property(threeRounds, rulings, (rounds, { verdict }) => {
      assert.match(voteNotation(rounds, verdict), /^[VIU-]{3}→[VI?]$/);
    }),
    RUNS,
  );
});
