import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { estimateRun, type RunPlan, TYPICAL } from "../../src/core/estimate.ts";
import { SEVERITIES, type Severity } from "../../src/core/finding.ts";
import { type Method, USUAL_METHOD } from "../../src/core/method.ts";
import { SEED } from "../support/seed.ts";

const SIZES = { rules: 900, question: 300, refuter: 400, opinion: 350 };

function plan(severities: readonly Severity[], method: Partial<Method> = {}, more: Partial<RunPlan> = {}): RunPlan {
  const base = { sizes: SIZES, measured: null, price: null, concurrency: 4 };
  return { ...base, severities, method: { ...USUAL_METHOD, ...method }, ...more };
}

test("the seed of this run", () => console.log(`FUZZ_SEED=${SEED}`));

const ANSWERS: readonly (readonly [string, Severity, Partial<Method>, number])[] = [
  ["three rounds and the arbiter", "P2", {}, 4],
  ["for a P1 perhaps a second opinion besides", "P1", {}, 4.5],
  ["a second opinion in any case", "P2", { secondOpinion: "always" }, 5],
  ["as many refuters as were asked for", "Nit", { strategy: "refute", refuters: 5 }, 5],
  ["refuters in a loop, by their quiet passes", "Nit", { strategy: "refute", refuters: 3, quietRounds: 2 }, 9],
  ["a second opinion alone", "P0", { strategy: "verdict", secondOpinion: "always" }, 1],
];

for (const [name, severity, method, answers] of ANSWERS) {
  test(`R0.27: a finding takes ${name}`, () => {
    const { calls, findings } = estimateRun(plan([severity], method));
    assert.deepEqual([findings, calls], [1, Math.ceil(answers * TYPICAL.turns)]);
  });
}

test("blind rounds are told of nothing, so their prompts are shorter", () => {
  const [told, blind] = [estimateRun(plan(["P2"])), estimateRun(plan(["P2"], { visibility: "blind" }))];
  assert.equal(told.prompt - blind.prompt, Math.ceil(3 * TYPICAL.round * TYPICAL.turns));
});

test("time and sizes are told from what was measured in this session, and are said to be unknown without", () => {
  const measured = { latencyMs: 800, prompt: 5000, completion: 200 };
  const known = estimateRun(plan(["P2", "P2"], {}, { measured, concurrency: 3 }));
  assert.deepEqual([known.calls, known.prompt, known.completion, known.durationMs], [12, 60_000, 2400, 3200]);
  const unknown = estimateRun(plan(["P2"]));
  assert.equal(unknown.durationMs, null);
  assert.match(unknown.assumed.join(" "), /No call has been measured in this session/);
});

test("money is told by the person's prices alone", () => {
  const measured = { latencyMs: 1, prompt: 1000, completion: 100 };
  const price = { prompt: 2, completion: 10 };
  const { money, calls } = estimateRun(plan(["P2"], {}, { measured, price }));
  assert.equal(money, (calls * 1000 * 2 + calls * 100 * 10) / 1_000_000);
  assert.equal(estimateRun(plan(["P2"])).money, null);
});

test("more findings never cost less, their order does not matter, and no finding costs nothing", () => {
  const severities = fc.array(fc.constantFrom(...SEVERITIES), { maxLength: 30 });
  fc.assert(
    fc.property(severities, fc.constantFrom(...SEVERITIES), (given, more) => {
      const [one, two] = [estimateRun(plan(given)), estimateRun(plan([...given, more]))];
      assert.ok(two.calls > one.calls && two.prompt > one.prompt);
      assert.deepEqual(estimateRun(plan(given.toReversed())), one);
    }),
    { numRuns: 300, seed: SEED },
  );
  const { calls, prompt, completion } = estimateRun(plan([]));
  assert.deepEqual([calls, prompt, completion], [0, 0, 0]);
});
