import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readLog, verifyLog } from "../../src/node/log/readLog.ts";
import * as wire from "../../src/protocol/worker.ts";
import { AGREES, rounds } from "../support/personas.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { CLI, copyDemo, type DemoCopy, startWorker, type WorkerHandle } from "../support/workerProcess.ts";

const logOf = (demo: DemoCopy): string => path.join(demo.root, ".skeptical-triage", "triage-log.jsonl");

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function cli(demo: DemoCopy, ...args: readonly string[]): Promise<Ran> {
  const all = ["triage", "reviews/scan.sarif", "reviews/pull-request-42.md", "--workspace", demo.root, ...args];
  const child = spawn(process.execPath, [CLI, ...all], {
    cwd: demo.root,
    env: { ...process.env, NO_COLOR: "1", XDG_CACHE_HOME: demo.cache },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err]: string[][] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out?.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err?.push(text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out: out?.join("") ?? "", err: err?.join("") ?? "" };
}

/** The demo with a server that upholds everything. */
async function withServer(
  work: (
    demo: DemoCopy,
    url: string,
    asked: () => number,
    open: (session: string) => Promise<WorkerHandle>,
  ) => Promise<void>,
): Promise<void> {
  const demo = await copyDemo();
  const server = await startScriptedServer(rounds(AGREES));
  const workers: WorkerHandle[] = [];
  const settings = { model: "server", serverUrl: server.url, serverModel: "scripted", languageServers: false } as const;
  try {
    await work(
      demo,
      server.url,
      () => server.requests.length,
      async (session) => {
        const worker = await startWorker(demo, { settings: { ...settings, runCheckers: false }, session });
        workers.push(worker);
        return worker;
      },
    );
  } finally {
    for (const worker of workers) await worker.stop();
    await server.close();
    await demo.remove();
  }
}

async function triagedRecords(demo: DemoCopy): Promise<number> {
  const { records } = await readLog(logOf(demo));
  return records.filter(({ record }) => record.kind === "triaged").length;
}

test("ruling 26: a second window, the same window again and the command line judge what was judged without a call, and record nothing twice", async () => {
  await withServer(async (demo, url, asked, open) => {
    const first = await open("window-1");
    const keys = (await first.list()).rows.map(({ key }) => key);
    const { finished } = await first.triage({ kind: "keys", keys });
    assert.equal(finished.failed + finished.cancelled, 0);
    const [calls, records] = [asked(), await triagedRecords(demo)];
    assert.ok(calls >= 4, `${calls} calls`);
    await first.triage({ kind: "keys", keys });
    const second = await open("window-2");
    await second.triage({ kind: "keys", keys });
    assert.equal(asked(), calls);
    const ran = await cli(demo, "--model", url, "--model-name", "scripted", "--format", "jsonl");
    assert.equal(asked(), calls, ran.err);
    const { problem } = await verifyLog(logOf(demo));
    assert.equal(problem, null);
    const judged = (await first.list()).rows.filter(({ hard }) => !hard).length;
    // Findings that no model was asked about are recorded anew each time, as their checks ran anew.
    const more = (await triagedRecords(demo)) - records;
    assert.ok(more < 3 * judged, `${more} more records`);
    const { records: all } = await readLog(logOf(demo));
    const byModel = all.flatMap(({ record }) =>
      record.kind === "triaged" && record.reviewer !== null ? [record.key] : [],
    );
    assert.equal(new Set(byModel).size, byModel.length, "what a model judged is recorded once");
  });
});

test("two windows that triage the same findings at the same time lose no record and break no chain, and see the same in the end", async () => {
  await withServer(async (demo, _url, asked, open) => {
    const windows = await Promise.all([open("window-1"), open("window-2")]);
    const keys = (await windows[0].list()).rows.map(({ key }) => key);
    const runs = await Promise.all(windows.map(async (window) => await window.triage({ kind: "keys", keys })));
    assert.deepEqual(
      runs.map(({ finished }) => [finished.done, finished.failed + finished.cancelled]),
      [
        [keys.length, 0],
        [keys.length, 0],
      ],
    );
    assert.equal((await verifyLog(logOf(demo))).problem, null);
    const { records } = await readLog(logOf(demo));
    for (const session of ["window-1", "window-2"]) {
      const own = records.flatMap(({ record }) =>
        record.kind === "triaged" && record.session === session ? [record.key] : [],
      );
      assert.deepEqual(own.toSorted(), keys.toSorted(), session);
    }
    // Whoever comes next asks nobody.
    const calls = asked();
    const third = await open("window-3");
    await third.triage({ kind: "keys", keys });
    assert.equal(asked(), calls);
  });
});

test("without a folder to keep answers in, findings are judged and recorded all the same", async () => {
  await withServer(async (demo, _url, asked, open) => {
    writeFileSync(demo.cache, "a file in the place of the folder");
    const worker = await open("window-1");
    const { key } = await worker.row("A negative quantity");
    const { finished } = await worker.triage({ kind: "keys", keys: [key] });
    // It has a duplicate.
    assert.deepEqual([finished.done, finished.failed], [2, 0], finished.text);
    assert.ok(asked() >= 4);
    assert.equal(await triagedRecords(demo), 2);
    assert.equal((await worker.state(key)).notice, null);
  });
});

test("challenged again, everybody is asked anew", async () => {
  await withServer(async (_demo, _url, asked, open) => {
    const worker = await open("window-1");
    const { key } = await worker.row("A negative quantity");
    await worker.triage({ kind: "keys", keys: [key] });
    const calls = asked();
    await worker.triage({ kind: "keys", keys: [key], how: { fresh: true } });
    assert.equal(asked(), 2 * calls);
  });
});

test("R4.23: a budget of tokens ends the asking on the command line: exit code 3, and what was not begun is counted", async () => {
  await withServer(async (demo, url, asked) => {
    const ran = await cli(demo, "--model", url, "--model-name", "scripted", "--budget-tokens", "10");
    assert.equal(ran.code, 3, ran.err);
    assert.equal(asked(), 0);
    assert.match(ran.err, /finding.*: about .* calls of scripted/);
    assert.match(ran.err, /The run stops asking at 10 tokens\./);
    assert.match(ran.err, /The budget of 10 tokens is spent: [1-9]\d* of 8 findings were not begun/);
  });
});

test("R4.23: a budget of tokens ends the asking in the editor's worker: what was not begun stays new and says why", async () => {
  await withServer(async (_demo, _url, asked, open) => {
    const worker = await open("window-1");
    await worker.change({ budgetTokens: 10 });
    const keys = (await worker.list()).rows.map(({ key }) => key);
    const { finished } = await worker.triage({ kind: "keys", keys });
    assert.equal(asked(), 0);
    assert.ok(finished.left > 0, finished.text);
    assert.match(finished.text, /not begun because the budget of tokens is spent/);
    const states = await Promise.all(keys.map(async (key) => await worker.state(key)));
    assert.ok(states.some(({ notice, state }) => state === "new" && (notice ?? "").includes("budget of 10 tokens")));
  });
});

test("R0.27: what a run may come to is told before it starts, and asks where it is more than the settings allow", async () => {
  await withServer(async (_demo, _url, asked, open) => {
    const worker = await open("window-1");
    await worker.change({ confirmAboveTokens: 100, prices: { scripted: { prompt: 1, completion: 2 } } });
    const keys = (await worker.list()).rows.map(({ key }) => key);
    const told: wire.EstimateRunResult = await worker.connection.sendRequest(wire.estimateRun, { kind: "keys", keys });
    assert.deepEqual([told.model, told.asks, told.durationMs, asked()], ["scripted", true, null, 0]);
    assert.ok(told.calls >= 4 * told.findings && told.prompt > 0 && (told.money ?? 0) > 0);
    await worker.triage({ kind: "keys", keys: keys.slice(0, 3) });
    const later: wire.EstimateRunResult = await worker.connection.sendRequest(wire.estimateRun, { kind: "keys", keys });
    if (asked() > 0) assert.ok(later.durationMs !== null, "times are those of this session");
    await worker.change({ model: "built-in" });
    const free: wire.EstimateRunResult = await worker.connection.sendRequest(wire.estimateRun, { kind: "keys", keys });
    assert.deepEqual([free.model, free.calls, free.asks], [null, 0, false]);
  });
});

test("R0.7: in the cost mode p0-only a P1 is judged with --all only", async () => {
  await withServer(async (demo, url, asked) => {
    const common = [
      "--model",
      url,
      "--model-name",
      "scripted",
      "--format",
      "jsonl",
      "--no-log",
      "--cost-mode",
      "p0-only",
    ];
    const cheap = await cli(demo, ...common);
    const few = asked();
    const actions = cheap.out.match(/"severity":"P1"[^\n]*?"action":"advisory"/g) ?? [];
    assert.ok(actions.length > 0, cheap.err + cheap.out);
    await cli(demo, ...common, "--all");
    assert.ok(asked() - few > few, `${few} calls, then ${asked() - few}`);
    assert.equal((await cli(demo, "--cost-mode", "cheap")).code, 2);
  });
});
