import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readLog } from "../../src/node/log/readLog.ts";
import { type AskEditorModelParams } from "../../src/protocol/models.ts";
import { listServerModels, testModel, type TestModelResult } from "../../src/protocol/modelSetup.ts";
import { listing, withLister } from "../support/modelLister.ts";
import { AGREES, roleOf, rounds } from "../support/personas.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
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
    return await answerAs(rounds(AGREES), params, asked.length - 1);
  };
  const start = { settings: { model: "editor" }, editorModels: { rows: [EDITOR_MODEL], ask } } as const;
  await inDemo(start, async (worker, demo) => {
    const { key } = await worker.row(QUANTITY);
    const { finished } = await worker.triage({ kind: "keys", keys: [key] });
    assert.equal(finished.done, 2, "the finding and its duplicate");
    assert.deepEqual(worker.consents, [{ origin: "editor:fake", model: "Fake Large" }]);
    assert.ok(asked.length >= 4, "three rounds and the arbiter");
    const state = await worker.state(key);
    assert.match(state.reviewer ?? "", /^large-1, a model of this editor \(fake\)$/);
    const { records } = await readLog(path.join(demo.root, ".skeptical-triage", "triage-log.jsonl"));
    assert.match(JSON.stringify(records), /"editor:fake"/);
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

test("the arbiter's own server is asked for the ruling alone, after a consent of its own, and the log names both", async () => {
  const [usual, arbiter] = [await startScriptedServer(rounds(AGREES)), await startScriptedServer(rounds(AGREES))];
  const settings = {
    model: "server",
    serverUrl: usual.url,
    serverModel: "qwen3:8b",
    roles: { arbiter: { serverUrl: arbiter.url, serverModel: "gpt-oss:20b" } },
  } as const;
  try {
    await inDemo({ settings }, async (worker, demo) => {
      const { key } = await worker.row(QUANTITY);
      await worker.triage({ kind: "keys", keys: [key] });
      const [first, second] = [usual.url, arbiter.url].map((url) => new URL(url).origin);
      assert.deepEqual(worker.consents, [
        { origin: first, model: "qwen3:8b" },
        { origin: second, model: "gpt-oss:20b" },
      ]);
      const asks = (server: typeof usual): readonly (string | null)[] =>
        server.requests.map(({ body }) => roleOf(body));
      assert.ok(asks(usual).every((role) => role !== "arbiter") && asks(usual).includes("premise"), asks(usual).join());
      assert.ok(arbiter.requests.length > 0 && asks(arbiter).every((role) => role === "arbiter"), asks(arbiter).join());
      const { records } = await readLog(path.join(demo.root, ".skeptical-triage", "triage-log.jsonl"));
      const text = JSON.stringify(records);
      for (const name of ["qwen3:8b", "gpt-oss:20b"]) assert.ok(text.includes(name), `${name} is not in the log`);
    });
  } finally {
    await usual.close();
    await arbiter.close();
  }
});

test("challenged again with another model, a finding is judged by the fallback alone", async () => {
  const [usual, other] = [await startScriptedServer(rounds(AGREES)), await startScriptedServer(rounds(AGREES))];
  const settings = {
    model: "server",
    serverUrl: usual.url,
    serverModel: "usual",
    roles: { fallback: { serverUrl: other.url, serverModel: "other" } },
  } as const;
  try {
    await inDemo({ settings }, async (worker) => {
      const { key } = await worker.row(QUANTITY);
      await worker.triage({ kind: "keys", keys: [key], how: { model: "fallback", fresh: true } });
      assert.equal(usual.requests.length, 0);
      assert.ok(other.requests.length > 0);
      assert.match((await worker.state(key)).reviewer ?? "", /^other at /);
    });
  } finally {
    await usual.close();
    await other.close();
  }
});

test("a model is set up through the worker: its server's models, then a test call that sends nothing of the workspace", async () => {
  const server = await startScriptedServer([{ does: "answer", value: { verdict: "VALID", reasoning: "Yes." } }]);
  try {
    await withLister(listing("b", "a"), async (origin) => {
      await inDemo({}, async ({ connection }) => {
        const listed = await connection.sendRequest(listServerModels, { url: origin });
        assert.deepEqual(listed, { kind: "listed", url: `${origin}/v1`, models: ["a", "b"] });
        const params = { serverUrl: server.url, serverModel: "m" };
        const result: TestModelResult = await connection.sendRequest(testModel, params);
        assert.ok(result.kind === "works");
        assert.match(result.words.join("\n"), /holds its answers to a JSON schema/);
        const sent = [...server.probes, ...server.requests].map(({ body }) => JSON.stringify(body.messages)).join("\n");
        assert.doesNotMatch(sent, /src\//);
        const gone: TestModelResult = await connection.sendRequest(testModel, { editorModel: "fake/large-1" });
        assert.match(gone.kind === "fails" ? gone.why : "", /does not offer this model/);
      });
    });
  } finally {
    await server.close();
  }
});

test("what a test call learnt is known to the next worker: it probes no more", async () => {
  const answer = { does: "answer", value: { verdict: "VALID", reasoning: "Yes." } } as const;
  const server = await startScriptedServer((request) => {
    const script = roleOf(request) === null ? [answer] : rounds(AGREES);
    return typeof script === "function" ? script(request, 0) : answer;
  });
  const demo = await copyDemo();
  try {
    const first = await startWorker(demo);
    await first.connection.sendRequest(testModel, { serverUrl: server.url, serverModel: "m" });
    await first.stop();
    const probed = server.probes.length;
    assert.ok(probed > 0);
    const second = await startWorker(demo, { settings: { model: "server", serverUrl: server.url, serverModel: "m" } });
    try {
      const { key } = await second.row(QUANTITY);
      await second.triage({ kind: "keys", keys: [key] });
      assert.ok(server.requests.length > 1);
      assert.equal(server.probes.length, probed);
    } finally {
      await second.stop();
    }
  } finally {
    await demo.remove();
    await server.close();
  }
});
