import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test, { after } from "node:test";
import type { Strategy } from "../../src/core/method.ts";
import {
  type ListServerModelsResult,
  listServerModels,
  testModel,
  type TestModelResult,
} from "../../src/protocol/modelSetup.ts";
import type { PanelState } from "../../src/protocol/panel.ts";
import { copyDemo, startWorker, type WorkerHandle } from "../support/workerProcess.ts";

// A real engine with random weights: every answer has the form it has to have, and none means anything. Whatever it says, no
// finding may be lost by it.

const SEED = 1;
const LONG = { timeout: 280_000 };

/** Findings that only rounds could settle, of every severity that a program may close alone or not. */
const REVIEW = `| Location | Severity | Description |
|---|---|---|
| src/store.ts:12 | P1 | A failed write leaves the order half stored. |
| src/store.ts:14 | P2 | The query is built from text that comes from outside. |
| src/checkout.ts:8 | Nit | The total is rounded in the wrong place. |
`;
const TITLES = ["A failed write leaves", "The query is built", "The total is rounded"];

let engine: ChildProcess;
let url = "";

async function startEngine(seed: number): Promise<void> {
  engine = spawn(process.execPath, [path.join(import.meta.dirname, "server.mjs"), "--seed", String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await new Promise<string>((resolve, reject) => {
    engine.stdout?.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
    engine.once("exit", (code) => reject(new Error(`the engine ended with ${code}`)));
  });
}

async function stopEngine(): Promise<void> {
  const gone = new Promise((resolve) => engine.once("exit", resolve));
  engine.kill();
  await gone;
}

async function inDemo(
  settings: NonNullable<NonNullable<Parameters<typeof startWorker>[1]>["settings"]>,
  work: (worker: WorkerHandle) => Promise<void>,
): Promise<void> {
  const demo = await copyDemo();
  await writeFile(path.join(demo.root, "reviews", "engine.md"), REVIEW);
  const worker = await startWorker(demo, {
    settings: { model: "server", serverUrl: url, serverModel: "nonsense", idleTimeoutSeconds: 120, ...settings },
  });
  try {
    await work(worker);
  } finally {
    await worker.stop();
    await demo.remove();
  }
}

function holds(state: PanelState, what: string): void {
  assert.notEqual(state.state, "dismissed", what);
  assert.notEqual(state.outcome, null, `${what} has no outcome`);
  assert.equal(state.outcome?.proposesDismissal, false, `${what} is proposed for dismissal`);
  assert.equal(state.outcome.action === "filter", false, `${what} is filtered`);
  assert.ok(state.cost.calls > 0, `${what} was judged without the engine`);
}

for (const strategy of ["rounds", "refute", "verdict"] satisfies Strategy[])
  test(`nonsense in the right form flows through ${strategy} without a crash and dismisses nothing`, LONG, async () => {
    await startEngine(SEED);
    try {
      await inDemo({ strategy, evidenceCalls: 1 }, async (worker) => {
        const rows = await Promise.all(TITLES.map(async (title) => await worker.row(title)));
        const { finished } = await worker.triage({ kind: "keys", keys: rows.map(({ key }) => key) });
        assert.deepEqual([finished.failed, finished.cancelled], [0, 0]);
        for (const { key, title, severity } of rows) holds(await worker.state(key), `${severity} ${title}`);
      });
    } finally {
      await stopEngine();
    }
  });

test(
  "a real engine behind a real server is set up: its models are listed, and the test call holds it to its schema",
  LONG,
  async () => {
    await startEngine(SEED);
    try {
      await inDemo({}, async ({ connection }) => {
        const listed: ListServerModelsResult = await connection.sendRequest(listServerModels, { url });
        assert.deepEqual(listed, { kind: "listed", url, models: ["nonsense"] });
        const params = { serverUrl: url, serverModel: "nonsense" };
        const tested: TestModelResult = await connection.sendRequest(testModel, params);
        assert.ok(tested.kind === "works", JSON.stringify(tested));
        assert.match(
          tested.words.join("\n"),
          /holds its answers to a JSON schema.*calls no functions[\s\S]*reports the tokens/,
        );
      });
    } finally {
      await stopEngine();
    }
  },
);

after(() => void engine.kill());
