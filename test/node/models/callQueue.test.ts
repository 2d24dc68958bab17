import assert from "node:assert/strict";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import test from "node:test";
import * as fc from "fast-check";
import * as z from "zod";
import type { Model, ModelReply, ModelRequest } from "../../../src/core/ports.ts";
import { createCallQueues } from "../../../src/node/models/callQueue.ts";
import { SEED } from "../../support/seed.ts";

const now = (): Date => new Date();
const never = new AbortController().signal;

interface Held {
  readonly name: string;
  /** Lets the call come back. */
  readonly release: () => void;
}

/** A model that holds every call until it is released. */
function holdingModel(provider = "https://one.test"): { model: Model; held: Held[] } {
  const held: Held[] = [];
  const model: Model = {
    identity: { provider, model: "m" },
    async ask<T>({ schema, schemaName }: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
      const answered = Promise.withResolvers<void>();
      held.push({ name: schemaName, release: answered.resolve });
      signal.addEventListener("abort", () => answered.reject(signal.reason), { once: true });
      await answered.promise;
      const value = schema.parse({});
      return { kind: "answered", value, raw: "{}", usage: { prompt: 1, completion: 1 } };
    },
  };
  return { model, held };
}

function request(schemaName: string, urgency?: number): ModelRequest<unknown> {
  const base = { messages: [], schema: z.unknown(), schemaName, tools: false };
  return urgency === undefined ? base : { ...base, urgency };
}

test("the seed of this run", () => console.log(`FUZZ_SEED=${SEED}`));

test("R4.3: calls that wait go out by falling urgency, equals in the order of asking, never more than the limit at once", async () => {
  const urgencies = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(urgencies, fc.integer({ min: 1, max: 5 }), async (given, limit) => {
      const { model, held } = holdingModel();
      const queued = createCallQueues(() => limit, now, 0).queued(model);
      const asked = given.map((urgency, at) => ({ name: String(at), urgency, at }));
      const calls = asked.map(async ({ name, urgency }) => await queued.ask(request(name, urgency), never));
      for (let released = 0; released < given.length; released += 1) {
        await turn();
        assert.equal(held.length, Math.min(given.length, limit + released));
        held[released]?.release();
        await turn();
      }
      await Promise.all(calls);
      const waiting = asked.slice(limit).toSorted((left, right) => right.urgency - left.urgency || left.at - right.at);
      const wanted = [...asked.slice(0, limit), ...waiting].map(({ name }) => name);
      assert.deepEqual(
        held.map(({ name }) => name),
        wanted,
      );
    }),
    { numRuns: 150, seed: SEED },
  );
});

test("a call that waits is taken out by its signal at once, and its place goes to the next", async () => {
  const { model, held } = holdingModel();
  const queued = createCallQueues(() => 1, now, 0).queued(model);
  const controller = new AbortController();
  const first = queued.ask(request("first"), never);
  const waiting = queued.ask(request("waiting", 9), controller.signal);
  const last = queued.ask(request("last"), never);
  const reason = new Error("cancelled by the person");
  controller.abort(reason);
  await assert.rejects(waiting, reason);
  assert.deepEqual(
    held.map(({ name }) => name),
    ["first"],
    "nothing was sent for it",
  );
  held[0]?.release();
  await first;
  await turn();
  held[1]?.release();
  await last;
  assert.deepEqual(
    held.map(({ name }) => name),
    ["first", "last"],
  );
});

test("a call that runs ends with its signal and frees its place", async () => {
  const { model, held } = holdingModel();
  const queued = createCallQueues(() => 1, now, 0).queued(model);
  const controller = new AbortController();
  const running = queued.ask(request("running"), controller.signal);
  const next = queued.ask(request("next"), never);
  await turn();
  controller.abort(new Error("stop"));
  await assert.rejects(running, /stop/);
  await turn();
  held[1]?.release();
  assert.equal((await next).kind, "answered");
});

test("models of one provider share one queue, another provider has its own", async () => {
  const one = holdingModel();
  const two = holdingModel("https://two.test");
  const queues = createCallQueues(() => 1, now, 0);
  const [left, right, other] = [queues.queued(one.model), queues.queued(one.model), queues.queued(two.model)];
  const calls = [left.ask(request("a"), never), right.ask(request("b"), never), other.ask(request("c"), never)];
  await turn();
  assert.deepEqual([one.held.length, two.held.length], [1, 1]);
  one.held[0]?.release();
  two.held[0]?.release();
  await turn();
  one.held[1]?.release();
  await Promise.all(calls);
});

test("a raised limit counts from the next call on", async () => {
  const { model, held } = holdingModel();
  let limit = 1;
  const queued = createCallQueues(() => limit, now, 0).queued(model);
  const calls = ["a", "b"].map(async (name) => await queued.ask(request(name), never));
  await turn();
  assert.equal(held.length, 1);
  limit = 3;
  calls.push(queued.ask(request("c"), never));
  await turn();
  assert.equal(held.length, 3);
  for (const { release } of held) release();
  await Promise.all(calls);
});

test("the latency is the median of the calls that came back, without the time they waited; null before the first", async () => {
  let clock = 0;
  const { model, held } = holdingModel();
  const queues = createCallQueues(
    () => 1,
    () => new Date(clock),
    0,
  );
  const queued = queues.queued(model);
  assert.equal(queues.measured("https://one.test"), null);
  const calls = [queued.ask(request("a"), never), queued.ask(request("b"), never), queued.ask(request("c"), never)];
  for (const [index, took] of [100, 900, 300].entries()) {
    await turn();
    clock += took;
    held[index]?.release();
    await turn();
  }
  await Promise.all(calls);
  assert.deepEqual(queues.measured("https://one.test"), { latencyMs: 300, prompt: 1, completion: 1 });
});

test("R4.3: the next question of a finding goes before less urgent ones that waited, though its answer had to be read first", async () => {
  const { model, held } = holdingModel();
  const queued = createCallQueues(() => 1, now, 500).queued(model);
  const first = queued.ask(request("first finding, round 1", 2), never);
  const other = queued.ask(request("second finding, round 1", 1), never);
  held[0]?.release();
  await first;
  await delay(20);
  const next = queued.ask(request("first finding, round 2", 2), never);
  await turn();
  held[1]?.release();
  await next;
  const started = performance.now();
  while (held.length < 3) await turn();
  assert.ok(performance.now() - started > 300, "the place was kept for round 3");
  held[2]?.release();
  await other;
  assert.deepEqual(
    held.map(({ name }) => name),
    ["first finding, round 1", "first finding, round 2", "second finding, round 1"],
  );
});

test("R4.3: where the wait is dear, the place of a call that came back waits for the most urgent finding alone", async () => {
  for (const [latencyMs, kept] of [
    [500, false],
    [50_000, true],
  ] as const) {
    const { model, held } = holdingModel();
    let time = 0;
    const queued = createCallQueues(
      () => 2,
      () => new Date(time),
      200,
    ).queued(model);
    const names = (): string[] => held.map(({ name }) => name);
    const first = queued.ask(request("first", 3), never);
    const second = queued.ask(request("second", 2), never);
    const third = queued.ask(request("third", 1), never);
    await turn();
    time += latencyMs;
    held[1]?.release();
    await second;
    await turn();
    assert.deepEqual(names(), kept ? ["first", "second"] : ["first", "second", "third"]);
    const more = queued.ask(request("second, again", 2), never);
    await turn();
    if (kept) assert.equal(names().at(-1), "second, again");
    held[0]?.release();
    await first;
    const again = queued.ask(request("first, again", 3), never);
    await turn();
    assert.equal(names().at(-1), "first, again", "the most urgent finds its place free");
    // Each call that ends lets another in, which waits in its turn.
    const releasing = setInterval(() => held.forEach(({ release }) => release()), 5);
    await Promise.all([third, more, again]).finally(() => clearInterval(releasing));
  }
});
