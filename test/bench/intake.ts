// How fast a large SARIF log reaches the first page of the view, what it costs in memory, and how filters feel:
//   node test/bench/intake.ts [25 150 700]
// The worker is the built one, forked as the editor forks it; JSON.parse reads the same file in a process of its own.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import * as query from "../../src/protocol/query.ts";
import { startWorker, type WorkerHandle } from "../support/workerProcess.ts";

interface Case {
  readonly megabytes: number;
  readonly results: number;
  readonly firstPage: number;
  readonly memory: number;
}

/** What the worker should reach on two cores: seconds to the first page, MB of memory. */
const CASES: readonly Case[] = [
  { megabytes: 25, results: 10_000, firstPage: 1, memory: 300 },
  { megabytes: 150, results: 100_000, firstPage: 4, memory: 500 },
  { megabytes: 700, results: 400_000, firstPage: 15, memory: 900 },
];
const FILES = 5000;

const chosen = process.argv.slice(2).map(Number);
for (const one of CASES.filter(({ megabytes }) => chosen.length === 0 || chosen.includes(megabytes)))
  await measure(one);
await measureMarkdown();

async function measure({ megabytes, results, firstPage, memory }: Case): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  try {
    const root = path.join(folder, "workspace");
    writeSources(root);
    const file = path.join(root, "large.sarif");
    writeLog(file, results, megabytes * 1_000_000);
    console.log(
      `\n${(statSync(file).size / 1e6).toFixed(0)} MB SARIF, ${results.toLocaleString("en")} results with flows`,
    );
    const parse = parseTime(file);
    const read = readTime(file);
    row(
      "whole read",
      `${seconds(read)}${parse === null ? "" : `, ${(read / parse).toFixed(2)} x JSON.parse`}`,
      parse === null ? "done, where JSON.parse cannot" : "<= 1.5 x JSON.parse",
    );
    const started = performance.now();
    const worker = await startWorker({
      root,
      cache: path.join(folder, "cache"),
      remove: async () => await Promise.resolve(),
    });
    const first = await page(worker, {});
    row("first page", seconds(performance.now() - started), `<= ${firstPage} s`);
    let last = first;
    while (last.reading) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      last = await page(worker, {});
    }
    row("read, placed and keyed", seconds(performance.now() - started), "");
    row("findings", last.total.toLocaleString("en"), results.toLocaleString("en"));
    row("worker memory, peak", `${peak(worker)} MB`, `<= ${memory} MB`);
    await filters(worker);
    await worker.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function filters(worker: WorkerHandle): Promise<void> {
  for (const [name, wanted, groupBy] of [
    ["filter by text", { text: "step 77" }, "file"],
    ["filter by severity and path", { severities: ["P1"], path: "area7" }, "file"],
    ["regroup by rule", {}, "rule"],
    ["regroup by severity", {}, "severity"],
  ] as const) {
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const from = performance.now();
      await page(worker, { ...wanted, text: "text" in wanted ? `${wanted.text}${turn}` : "" }, groupBy);
      times.push(performance.now() - from);
    }
    row(name, `${Math.min(...times).toFixed(0)}-${Math.max(...times).toFixed(0)} ms`, "<= 100 ms");
  }
}

/** What the view asks for: the groups, then the rows of the first one. */
async function page(
  worker: WorkerHandle,
  wanted: Partial<query.FindingsQuery>,
  groupBy: query.Grouping = "file",
): Promise<query.ListGroupsResult> {
  const asked = { query: { ...query.SHOW_ALL, ...wanted }, groupBy, offset: 0, limit: 1000 };
  const groups: query.ListGroupsResult = await worker.connection.sendRequest(query.listGroups, asked);
  const group = groups.groups[0]?.id ?? null;
  await worker.connection.sendRequest(query.listRows, { ...asked, group, limit: 100 });
  return groups;
}

async function measureMarkdown(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  try {
    const root = path.join(folder, "workspace");
    mkdirSync(path.join(root, "reviews"), { recursive: true });
    const head = "# Review\n\n| Location | Severity | Category | Description | Fix |\n|---|---|---|---|---|\n";
    const line = (index: number): string =>
      `| src/area${index % 40}/module${index % FILES}.ts:${1 + (index % 400)} | WARNING | reliability | Value ${index} is used before it is checked: observed \`value${index}\`. | Check it |\n`;
    writeFileSync(
      path.join(root, "reviews/large.md"),
      head + Array.from({ length: 14_500 }, (_unused, index) => line(index)).join(""),
    );
    console.log(`\n${(statSync(path.join(root, "reviews/large.md")).size / 1e6).toFixed(1)} MB markdown review`);
    const started = performance.now();
    const worker = await startWorker({
      root,
      cache: path.join(folder, "cache"),
      remove: async () => await Promise.resolve(),
    });
    const { total } = await page(worker, {});
    row("first page", seconds(performance.now() - started), "<= 1 s");
    row("findings", total.toLocaleString("en"), "14,500");
    await worker.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function writeSources(root: string): void {
  const text = Array.from({ length: 400 }, (_unused, line) => `export const value${line} = ${line};\n`).join("");
  for (let index = 0; index < FILES; index += 1) {
    const file = path.join(root, "src", `area${index % 40}`, `module${index}.ts`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function writeLog(file: string, results: number, bytes: number): void {
  const descriptor = openSync(file, "w");
  const rules = Array.from({ length: 100 }, (_unused, index) => ({
    id: `rule-${index}`,
    help: { text: `Help of rule ${index}. `.repeat(20) },
    defaultConfiguration: { level: ["error", "warning", "note"][index % 3] },
  }));
  writeSync(
    descriptor,
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Bench","rules":${JSON.stringify(rules)}}},"results":[`,
  );
  let part = "";
  for (let index = 0; index < results; index += 1) {
    part += `${index === 0 ? "" : ","}${JSON.stringify(result(index, bytes / results))}`;
    if (part.length > 4e6 || index === results - 1) {
      writeSync(descriptor, part);
      part = "";
    }
  }
  writeSync(descriptor, "]}]}");
  closeSync(descriptor);
}

function result(index: number, size: number): unknown {
  const place = (file: number, line: number): unknown => ({
    artifactLocation: { uri: `src/area${file % 40}/module${file}.ts` },
    region: { startLine: line, startColumn: 3, endColumn: 20 },
  });
  const steps = Math.max(1, Math.round((size - 420) / 178));
  return {
    ruleId: `rule-${index % 100}`,
    ruleIndex: index % 100,
    message: { text: `Value ${index % 977} from a request reaches a sink in step ${index}` },
    locations: [{ physicalLocation: place(index % FILES, 1 + (index % 400)) }],
    partialFingerprints: { primaryLocationLineHash: ((index * 2654435761) % 4294967296).toString(16) },
    codeFlows: [
      {
        threadFlows: [
          {
            locations: Array.from({ length: steps }, (_unused, step) => ({
              location: {
                physicalLocation: place((index + step) % FILES, 1 + step),
                message: { text: `step ${step} of the flow` },
              },
            })),
          },
        ],
      },
    ],
  };
}

/** Milliseconds that reading and JSON.parse take in a fresh process; null where the file is too large for a string. */
function parseTime(file: string): number | null {
  const code = `const t=performance.now();JSON.parse(require("node:fs").readFileSync(process.argv[1],"utf8"));process.stdout.write(String(performance.now()-t))`;
  const ran = spawnSync(process.execPath, ["-e", code, file], { encoding: "utf8" });
  const time = ran.status === 0 ? Number(ran.stdout) : null;
  row("JSON.parse", time === null ? "cannot" : seconds(time), "");
  return time;
}

/** Milliseconds that reading every result takes in a fresh process. */
function readTime(file: string): number {
  const ran = spawnSync(process.execPath, [path.join(import.meta.dirname, "readOnly.ts"), file], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return Number(ran.stdout);
}

function peak(worker: WorkerHandle): number {
  const status = readFileSync(`/proc/${worker.child.pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function row(name: string, value: string, budget: string): void {
  console.log(`  ${name.padEnd(28)} ${value.padEnd(34)} ${budget}`);
}
