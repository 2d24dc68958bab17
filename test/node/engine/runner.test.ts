import assert from "node:assert/strict";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import test from "node:test";
import type { Severity } from "../../../src/core/finding.ts";
import type { Model } from "../../../src/core/ports.ts";
import { budgetModel, createBudget } from "../../../src/node/models/budget.ts";
import { createCallQueues } from "../../../src/node/models/callQueue.ts";
import { panelOf, reviewerOf, runnerWith } from "../../support/runnerSetting.ts";
import { cites, createScriptedModel, says } from "../../support/scriptedModel.ts";

const now = (): Date => new Date();

/** A model that takes some time, and tells which finding each call was about and how many ran at once. */
function slowModel(latencyMs: number) {
  const about: string[] = [];
  let running = 0;
  let most = 0;
  const scripted = createScriptedModel(() => says("VALID", [cites("src/f0.ts", 2, "return total / people;")]));
  const model: Model = {
    identity: scripted.identity,
    async ask(request, signal) {
      about.push(request.about ?? "");
      running += 1;
      most = Math.max(most, running);
      try {
        await delay(latencyMs, undefined, { signal });
        return await scripted.ask(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        running -= 1;
      }
    },
  };
  return { model, about, most: () => most };
}

test("R4.3: the worst severities ask first, whatever order they were given in, and the first verdict does not wait for the rest", async () => {
  const severities: Severity[] = ["Nit", "P2", "P1", "P0", "Nit", "P1", "P0", "P2", "P1", "P0", "Nit", "P2"];
  const setting = await runnerWith(severities, { concurrency: () => 2 });
  const { model, about } = slowModel(15);
  const queued = createCallQueues(() => 2, now).queued(model);
  const keys = setting.findings.map(({ key }) => key);
  const run = setting.runner.start(keys, true, panelOf(reviewerOf(queued, setting.hash)));
  while (setting.saved.length === 0) await turn();
  // Two at a time, four calls each, and one that began while the verdict was written.
  assert.ok(about.length <= 9, `the first verdict was there after ${about.length} calls`);
  await run.finished;
  const severityOf = new Map(setting.findings.map(({ key, severity }) => [key, severity]));
  const firstAsked = [...new Set(about)].map((key) => severityOf.get(key));
  assert.deepEqual(firstAsked, severities.toSorted(bySeverity));
  const order = ["P0", "P1", "P2", "Nit"];
  const savedRanks = setting.saved.map((key) => order.indexOf(severityOf.get(key) ?? ""));
  assert.deepEqual(
    savedRanks,
    savedRanks.toSorted((left, right) => left - right),
    "verdicts come in order of severity",
  );
  assert.equal(about.length, 4 * severities.length);
});

function many(length: number, severity: Severity): Severity[] {
  return Array.from({ length }, () => severity);
}

function bySeverity(left: Severity, right: Severity): number {
  return left === "Nit" || right === "Nit"
    ? Number(left === "Nit") - Number(right === "Nit")
    : left < right
      ? -1
      : Number(left > right);
}

test("R4.22: as many calls run at once as the limit allows, and never more", async () => {
  const setting = await runnerWith(many(12, "P1"), { concurrency: () => 3 });
  const { model, most } = slowModel(15);
  const queued = createCallQueues(() => 3, now).queued(model);
  const keys = setting.findings.map(({ key }) => key);
  await setting.runner.start(keys, false, panelOf(reviewerOf(queued, setting.hash))).finished;
  assert.equal(most(), 3);
  assert.equal(setting.saved.length, 12);
});

test("a finding that is added later and is worse goes before those that wait", async () => {
  const setting = await runnerWith([...many(10, "P2"), "P0"], { concurrency: () => 1 });
  const { model } = slowModel(5);
  const queued = createCallQueues(() => 1, now).queued(model);
  const reviewer = panelOf(reviewerOf(queued, setting.hash));
  const keys = setting.findings.map(({ key }) => key);
  const early = setting.runner.start(keys.slice(0, 10), true, reviewer);
  await turn();
  const late = setting.runner.start(keys.slice(10), true, reviewer);
  await Promise.all([early.finished, late.finished]);
  assert.ok(setting.saved.indexOf(keys[10] ?? "") <= 3, `it was number ${setting.saved.indexOf(keys[10] ?? "") + 1}`);
});

test("cancelling one finding, then all, is done at once: nothing of them runs, waits or is recorded", async () => {
  const setting = await runnerWith(many(20, "P1"), { concurrency: () => 2 });
  const { model, about } = slowModel(10_000);
  const queued = createCallQueues(() => 2, now).queued(model);
  const keys = setting.findings.map(({ key }) => key);
  const run = setting.runner.start(keys, false, panelOf(reviewerOf(queued, setting.hash)));
  while (about.length < 2) await turn();
  const started = performance.now();
  await setting.runner.cancel([keys[0] ?? ""]);
  assert.equal(setting.entries.get(keys[0] ?? "")?.progress, null);
  assert.match(setting.entries.get(keys[0] ?? "")?.notice ?? "", /Cancelled/);
  await setting.runner.cancel(null);
  assert.ok(performance.now() - started < 500);
  const tally = await run.finished;
  assert.equal(tally.cancelled, 20);
  assert.deepEqual(setting.saved, []);
  const asked = about.length;
  await delay(50);
  assert.equal(about.length, asked, "no call starts after it");
});

test("a finding that checks or its severity settle leaves its place in the preparation to the next", async () => {
  const setting = await runnerWith(many(30, "P2"), { concurrency: () => 2 });
  const { model, about } = slowModel(5);
  const started = performance.now();
  const keys = setting.findings.map(({ key }) => key);
  const tally = await setting.runner.start(keys, false, panelOf(reviewerOf(model, setting.hash))).finished;
  assert.deepEqual([tally.done, about.length], [30, 0]);
  assert.ok(performance.now() - started < 3000, "nothing waited for a timer");
});

test("R4.23: when the budget is spent, what is judged stays, and what was not begun stays new and says why", async () => {
  const setting = await runnerWith(many(10, "P1"), { concurrency: () => 1 });
  const scripted = createScriptedModel(() => says("VALID", [cites("src/f0.ts", 2, "return total / people;")]));
  const budget = createBudget(2000);
  const queued = createCallQueues(() => 1, now).queued(budgetModel(scripted, budget));
  const keys = setting.findings.map(({ key }) => key);
  const spending: Model = { ...queued, identity: scripted.identity };
  const tally = await setting.runner.start(keys, false, panelOf(reviewerOf(spending, setting.hash), { budget }))
    .finished;
  assert.equal(tally.done + tally.left, 10);
  assert.ok(
    tally.left > 0 && tally.done > 0,
    JSON.stringify({ tally, spent: budget.spent(), calls: scripted.asked.length }),
  );
  const left = keys.map((key) => setting.entries.get(key)).filter((entry) => entry?.triaged === null);
  assert.equal(left.length, tally.left);
  for (const entry of left) {
    assert.equal(entry?.notice, "Not triaged: the budget of 2,000 tokens for this run is spent.");
    assert.equal(entry?.progress, null);
  }
});
