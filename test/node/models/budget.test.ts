import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import * as z from "zod";
import type { Model, ModelReply, ModelRequest, Usage } from "../../../src/core/ports.ts";
import { UNJUDGED } from "../../../src/core/judgement.ts";
import { undecided } from "../../../src/core/judging/finishRounds.ts";
import { budgetModel, createBudget, cutShort, overBudget } from "../../../src/node/models/budget.ts";
import { SEED } from "../../support/seed.ts";

const never = new AbortController().signal;

function model(usage: Usage, raw = "{}"): Model & { calls(): number } {
  let calls = 0;
  return {
    identity: { provider: "p", model: "m" },
    calls: () => calls,
    async ask<T>({ schema }: ModelRequest<T>): Promise<ModelReply<T>> {
      calls += 1;
      return await Promise.resolve({ kind: "answered", value: schema.parse({}), raw, usage });
    },
  };
}

function request(characters: number): ModelRequest<unknown> {
  const messages = [{ role: "user" as const, content: "x".repeat(characters) }];
  return { messages, schema: z.unknown(), schemaName: "round", tools: false };
}

test("the seed of this run", () => console.log(`FUZZ_SEED=${SEED}`));

test("R4.23: once the budget is spent no call is made, and the reason names it", async () => {
  const asked = model({ prompt: 90, completion: 20 });
  const budget = createBudget(300);
  const limited = budgetModel(asked, budget);
  for (let n = 0; n < 2; n += 1) assert.equal((await limited.ask(request(240), never)).kind, "answered");
  assert.deepEqual([budget.spent(), budget.isOver()], [220, false]);
  const third = await limited.ask(request(243), never);
  assert.deepEqual(third.kind === "failed" ? [third.reason, third.usage] : third, [
    "the budget of 300 tokens for this run is spent",
    { prompt: 0, completion: 0 },
  ]);
  assert.equal(budget.isOver(), true);
  assert.equal((await limited.ask(request(3), never)).kind, "failed", "nor is a smaller one asked after it");
  assert.equal(asked.calls(), 2);
});

test("where the server gives no figures, the bytes of prompt and answer count, three to a token", async () => {
  const budget = createBudget(1000);
  await budgetModel(model({ prompt: 0, completion: 0 }, "é".repeat(30)), budget).ask(request(300), never);
  assert.equal(budget.spent(), 100 + 20);
});

test("calls that run at once do not spend the same tokens twice", async () => {
  const held: (() => void)[] = [];
  const slow: Model = {
    identity: { provider: "p", model: "m" },
    async ask<T>({ schema }: ModelRequest<T>): Promise<ModelReply<T>> {
      const wait = Promise.withResolvers<void>();
      held.push(wait.resolve);
      await wait.promise;
      return { kind: "answered", value: schema.parse({}), raw: "{}", usage: { prompt: 100, completion: 0 } };
    },
  };
  const limited = budgetModel(slow, createBudget(250));
  const calls = [1, 2, 3].map(async () => await limited.ask(request(300), never));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(held.length, 2);
  for (const release of held) release();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ kind }) => kind),
    ["answered", "answered", "failed"],
  );
});

test("a call that was cancelled or broke gives its tokens up, counted as its prompt", async () => {
  const broken: Model = {
    identity: { provider: "p", model: "m" },
    ask: async () => await Promise.reject(new Error("cancelled")),
  };
  const budget = createBudget(1000);
  await assert.rejects(budgetModel(broken, budget).ask(request(300), never), /cancelled/);
  assert.equal(budget.spent(), 100);
});

test("whatever calls come, none is begun that would not fit beside what is spent and under way", () => {
  const steps = fc.array(fc.record({ take: fc.integer({ min: 1, max: 60 }), settles: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 400 }), (given, limit) => {
      const budget = createBudget(limit);
      const open: { tokens: number; settle: (used: number) => void }[] = [];
      let over = false;
      for (const { take, settles } of given) {
        const underWay = open.reduce((total, { tokens }) => total + tokens, 0);
        const fits: boolean = !over && budget.spent() + underWay + take <= limit;
        const settle = budget.take(take);
        assert.equal(settle !== null, fits);
        over ||= !fits;
        if (settle !== null) open.push({ tokens: take, settle });
        if (settles) {
          const first = open.shift();
          first?.settle(first.tokens);
        }
        over ||= budget.isOver();
        assert.ok(budget.spent() <= limit);
      }
    }),
    { numRuns: 500, seed: SEED },
  );
});

test("R4.23, ruling 21: a judgement that lacks an answer because the budget was spent is told from one that is whole", () => {
  const budget = createBudget(10);
  const abstained = (reason: string) => ({ kind: "abstained", n: 3, question: "missed", reason }) as const;
  assert.equal(cutShort(UNJUDGED, budget), false);
  assert.equal(cutShort({ ...UNJUDGED, rounds: [abstained("its answer was malformed twice")] }, budget), false);
  assert.equal(cutShort({ ...UNJUDGED, rounds: [abstained(overBudget(budget))] }, budget), true);
  assert.equal(cutShort({ ...UNJUDGED, ruling: undecided(overBudget(budget)) }, budget), true);
  const by = { provider: "p", model: "m" };
  const opinion = { kind: "abstained", intent: "dismiss", reason: overBudget(budget), by } as const;
  assert.equal(cutShort({ ...UNJUDGED, opinion }, budget), true);
});
