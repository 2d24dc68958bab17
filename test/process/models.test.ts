import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readLog } from "../../src/node/log/readLog.ts";
import type { AskEditorModelParams } from "../../src/protocol/models.ts";
import { DISMISSES, rounds } from "../support/personas.ts";
import { answerAs, EDITOR_MODEL } from "../support/scriptedEditorModel.ts";
import { copyDemo, type DemoCopy, startWorker, type WorkerHandle } from "../support/workerProcess.ts";

const QUANTITY = "A negative quantity";

async function inDemo(
  start: Parameters<typeof startWorker>[1],
  work: (worker: WorkerHandle, demo: DemoCopy) => Promise<void>,
): Promise<void> {
  const demo = await copyDemo();
  const worker = await startWorker(demo, start);
  try {
    await work(worker, demo);
  } finally {
    await worker.stop();
    await demo.remove();
  }
}

test("one of the editor's models judges a finding; panel and log name it, and code leaves only after consent", async () => {
  const asked: AskEditorModelParams[] = [];
  const ask = async (params: AskEditorModelParams) => {
    asked.push(params);
    return await answerAs(rounds(DISMISSES), params, asked.length - 1);
  };
  const start = { settings: { model: "editor" }, editorModels: { rows: [EDITOR_MODEL], ask } } as const;
  await inDemo(start, async (worker, demo) => {
    const { key } = await worker.row(QUANTITY);
    const { finished } = await worker.triage({ kind: "keys", keys: [key] });
    assert.equal(finished.done, 2, "the finding and its duplicate");
    assert.deepEqual(worker.consents, [{ origin: "editor:fake", model: "Fake Large" }]);
    assert.ok(asked.length >= 4, "three rounds and the arbiter");
    const state = await worker.state(key);
    assert.match(state.reviewer ?? "", /large-1.*editor:fake/);
    const { records } = await readLog(path.join(demo.root, ".skeptical-triage", "triage-log.jsonl"));
    assert.match(JSON.stringify(records), /"editor:fake"/);
    assert.notEqual(state.state, "dismissed", "a P0 or P1 waits for a person whoever judged it");
  });
});

test("without consent nothing is sent to an editor's model, and the finding stays as it was", async () => {
  const ask = async () => assert.fail("a model was asked without consent");
  const start = { settings: { model: "editor" }, editorModels: { rows: [EDITOR_MODEL], ask }, consent: false } as const;
  await inDemo(start, async (worker) => {
    const { key } = await worker.row(QUANTITY);
    const { result } = await worker.triage({ kind: "keys", keys: [key] });
    assert.deepEqual(result.queued, []);
    assert.match(result.refused[0]?.why ?? "", /did not allow sending code to the models of fake/);
    assert.equal((await worker.state(key)).state, "new");
  });
});

test("a triage that starts by itself never asks an editor's model for the first time", async () => {
  const ask = async () => assert.fail("a model was asked by a run that nobody started");
  const start = {
    settings: { model: "editor", autoTriage: true },
    editorModels: { rows: [EDITOR_MODEL], ask },
  } as const;
  await inDemo(start, async (worker) => {
    const finished = await worker.finished();
    assert.deepEqual([finished.done, worker.consents], [0, []]);
  });
});

test("cancelling a triage ends what the editor's model does, and decides nothing", async () => {
  const started = Promise.withResolvers<undefined>();
  const cancelled = Promise.withResolvers<undefined>();
  const start = {
    settings: { model: "editor" },
    editorModels: {
      rows: [EDITOR_MODEL],
      ask: async (_params, token) => {
        token.onCancellationRequested(() => cancelled.resolve(undefined));
        started.resolve(undefined);
        await cancelled.promise;
        return { kind: "failed", failure: "cancelled", why: "" } as const;
      },
    },
  } satisfies Parameters<typeof startWorker>[1];
  await inDemo(start, async (worker) => {
    const { key } = await worker.row(QUANTITY);
    const run = worker.triage({ kind: "keys", keys: [key] });
    await started.promise;
    await worker.connection.sendRequest("skepticalTriage/cancelTriage", { keys: [key] });
    await cancelled.promise;
    assert.equal((await run).finished.cancelled, 2);
    assert.equal((await worker.state(key)).outcome, null);
  });
});
