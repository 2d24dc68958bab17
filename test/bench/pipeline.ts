// How well a run uses its model, with a server that takes the same time for every call:
//   npm run bench pipeline [FINDINGS] [LATENCY_MS]
// The built worker triages a review of P1 findings, four calls each. Total against calls x latency / concurrency; the first verdict
// against four latencies; the worker's peak of memory. Then the same again, served from the cache, and once more by the command line.
// On a busy machine the times say little: the CPU time of the worker and of the programs it started is the figure to compare.
// BENCH_PROFILE=FOLDER also writes a CPU profile of the worker there.
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as wire from "../../src/protocol/worker.ts";
import { CLI, type DemoCopy, startWorker, type WorkerHandle } from "../support/workerProcess.ts";

const FINDINGS = Number(process.argv[2] ?? 1000);
const LATENCY_MS = Number(process.argv[3] ?? 500);
const CONCURRENCY = 8;
const CALLS_EACH = 4;
const PER_FILE = 10;
/** One file of so many differs from its commit. */
const EDITED = 5;
const TARGET = { ratio: 1.05, firstMs: CALLS_EACH * LATENCY_MS + 100, memoryMb: 250 };

const THINGS = ["apples", "baskets", "cables", "drums", "engines", "flutes", "gates", "hammers", "islands", "jackets"];

const base = mkdtempSync(path.join(os.tmpdir(), "bench-pipeline-"));
const demo: DemoCopy = {
  root: path.join(base, "workspace"),
  cache: path.join(base, "cache"),
  remove: async () => await Promise.resolve(rmSync(base, { recursive: true, force: true, maxRetries: 5 })),
};
writeWorkspace(demo.root);
const server = fork(path.join(import.meta.dirname, "pipelineServer.ts"), [String(LATENCY_MS)]);
try {
  const [url]: unknown[] = await once(server, "message");
  await measure(String(url));
} finally {
  server.disconnect();
  await demo.remove();
}

async function measure(serverUrl: string): Promise<void> {
  const settings = { model: "server", serverUrl, serverModel: "bench", concurrency: CONCURRENCY } as const;
  const profile = process.env["BENCH_PROFILE"];
  const execArgv = profile === undefined ? process.execArgv : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const worker = await startWorker(demo, { settings, execArgv });
  const { rows } = await worker.list();
  const began = performance.now();
  // What a worker loads with its first call, and the probe of the server, belong to no run.
  await worker.triage({ kind: "keys", keys: rows.slice(0, 1).map(({ key }) => key) });
  const coldMs = performance.now() - began;
  const before = await asked();
  const cpu = cpuSeconds(worker.child.pid);
  const run = await triageAll(worker, 1);
  const spent = cpuSeconds(worker.child.pid);
  const calls = (await asked()) - before;
  const idealMs = (calls * LATENCY_MS) / CONCURRENCY;
  console.log(
    `\n${FINDINGS} findings, ${calls} calls of ${LATENCY_MS} ms, ${CONCURRENCY} at once: ideal ${seconds(idealMs)}`,
  );
  row("total", `${seconds(run.totalMs)}, ${(run.totalMs / idealMs).toFixed(3)} x the ideal`, `<= ${TARGET.ratio} x`);
  row("first verdict", `${Math.round(run.firstMs)} ms`, `<= ${TARGET.firstMs} ms`);
  row("  of a worker just started", `${Math.round(coldMs)} ms`, "");
  row("CPU of the worker", perFinding(cpu?.own, spent?.own), "");
  row("  of programs it started", perFinding(cpu?.programs, spent?.programs), "");
  row("peak memory of the worker", peakMemory(worker.child.pid), `<= ${TARGET.memoryMb} MB`);
  const again = await triageAll(worker);
  row("the same again", `${seconds(again.totalMs)}, ${(await asked()) - calls - before} calls`, "0 calls");
  await worker.stop();
  const started = performance.now();
  const args = [
    "triage",
    "reviews/scan.sarif",
    "--workspace",
    demo.root,
    "--model",
    serverUrl,
    "--model-name",
    "bench",
  ];
  const cli = spawn(process.execPath, [CLI, ...args], {
    cwd: demo.root,
    env: { ...process.env, XDG_CACHE_HOME: demo.cache },
    stdio: "ignore",
  });
  await once(cli, "close");
  row(
    "by the command line",
    `${seconds(performance.now() - started)}, ${(await asked()) - calls - before} calls`,
    "0 calls",
  );
}

/** `known` findings were judged before: theirs is not the first verdict. */
async function triageAll(worker: WorkerHandle, known = 0): Promise<{ totalMs: number; firstMs: number }> {
  const { rows } = await worker.list();
  if (rows.length !== Math.min(FINDINGS, 1000)) throw new Error(`${rows.length} of ${FINDINGS} findings were read`);
  let firstMs = Number.NaN;
  const started = performance.now();
  const heard = worker.connection.onNotification(wire.runProgress, ({ done }: wire.RunProgressParams) => {
    if (done > known && Number.isNaN(firstMs)) firstMs = performance.now() - started;
  });
  const review = path.join(demo.root, "reviews", "scan.sarif");
  const { finished } = await worker.triage({ kind: "review", path: review });
  heard.dispose();
  if (finished.done !== FINDINGS)
    throw new Error(`only ${finished.done} of ${FINDINGS} were triaged: ${finished.text}`);
  return { totalMs: performance.now() - started, firstMs };
}

/** Calls that the server has answered so far. */
async function asked(): Promise<number> {
  server.send("count");
  const [count]: unknown[] = await once(server, "message");
  return Number(count);
}

function peakMemory(pid: number | undefined): string {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return peak === undefined ? "unknown" : `${Math.round(Number(peak) / 1024)} MB`;
  } catch {
    return "unknown on this system";
  }
}

/** CPU time that a process and the programs it waited for have used, in seconds; null where the system does not tell. */
function cpuSeconds(pid: number | undefined): { readonly own: number; readonly programs: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Fields 14 to 17, in hundredths; the name before them may hold spaces.
    const [user, system, childUser, childSystem] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map((ticks) => Number(ticks) / 100);
    if (user === undefined || system === undefined || childUser === undefined || childSystem === undefined) return null;
    return { own: user + system, programs: childUser + childSystem };
  } catch {
    return null;
  }
}

function perFinding(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return "unknown on this system";
  return `${seconds((after - before) * 1000)}, ${(((after - before) * 1000) / FINDINGS).toFixed(1)} ms a finding`;
}

function writeWorkspace(root: string): void {
  mkdirSync(path.join(root, "src"), { recursive: true });
  mkdirSync(path.join(root, "reviews"));
  const results: unknown[] = [];
  for (let file = 0; file * PER_FILE < FINDINGS; file += 1) {
    const lines: string[] = [];
    for (let n = 0; n < PER_FILE && file * PER_FILE + n < FINDINGS; n += 1) {
      const name = `share${file}x${n}`;
      results.push(result(`src/part${file}.ts`, lines.length + 2, name, results.length));
      lines.push(
        `export function ${name}(total: number, people: number): number {`,
        "  return total / people;",
        "}",
        "",
      );
    }
    lines.push(`export const used${file} = share${file}x0(12, 3);`);
    writeFileSync(path.join(root, "src", `part${file}.ts`), `${lines.join("\n")}\n`);
  }
  const runs = [{ tool: { driver: { name: "bench", rules: [{ id: "divide" }] } }, results }];
  writeFileSync(path.join(root, "reviews", "scan.sarif"), JSON.stringify({ version: "2.1.0", runs }));
  commitAll(root);
}

/** A workspace has a history, and some of its files are edited: each finding is asked about with the diff of its file. */
function commitAll(root: string): void {
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const name = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
  for (const argv of [
    ["init", "-q", "-b", "main"],
    ["add", "src"],
    [...name, "commit", "-qm", "one"],
  ])
    execFileSync("git", argv, { cwd: root, env, stdio: "ignore" });
  for (let file = 0; file * PER_FILE < FINDINGS; file += EDITED)
    appendFileSync(path.join(root, "src", `part${file}.ts`), "export const edited = true;\n");
}

/** Different words for each finding: claims that differ in a name alone are one cluster, and are asked about once. */
function wordsOf(index: number): string {
  const digits = String(index).padStart(4, "0").split("").map(Number);
  return digits.map((digit) => THINGS[digit]).join(" of ");
}

function result(uri: string, startLine: number, name: string, index: number): unknown {
  return {
    ruleId: "divide",
    level: "error",
    message: { text: `${name} divides ${wordsOf(index)}, although the divisor may be zero.` },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function row(name: string, value: string, target: string): void {
  console.log(`${name.padEnd(28)} ${value.padEnd(40)} ${target}`);
}
