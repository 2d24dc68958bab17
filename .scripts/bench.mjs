// npm run bench: what the extension costs its host, measured in a real VS Code. Prints figures, judges nothing.
//   npm run bench -- --runs 5 --profile   also writes test-artifacts/bench-N.cpuprofile
//   npm run bench intake                  large review files in the worker: first page, whole read, memory, filters
//   npm run bench pipeline                how well a run uses its model: total, first verdict, memory, and again from the cache
//   npm run bench evidence                what packs hold of the deciding lines, and how long checks and packs take
//   npm run bench prompts                 prompt tokens by finding and strategy, and how many a server's cache can hit
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  ensureHost,
  ensureSystemPackages,
  findBrowser,
  hostFolder,
  root,
  run,
  runScript,
  SetupError,
} from "./setup.mjs";
import { must } from "./vsix.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "3" }, profile: { type: "boolean", default: false } },
});
const FINDINGS = 1000;
const FILES = 50;
const ACTIVATION_BUDGET_MS = 100;
const BLOCK_BUDGET_MS = 50;

async function main() {
  const [subject, ...sizes] = positionals;
  if (["intake", "evidence", "pipeline", "prompts"].includes(subject)) return await benchAlone(subject, sizes);
  ensureSystemPackages();
  if (findBrowser() === null) throw new SetupError("no Chromium found, so no workbench can be started");
  if (!ensureHost(process.execPath, process.env)) throw new SetupError("the test host could not be installed");
  await must("the build", path.join(root, ".scripts", "build.mjs"), ["--minify", "--bench"]);
  const scratch = mkdtempSync(path.join(os.tmpdir(), "triage-bench-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

  const runs = [];
  for (let n = 1; n <= Number(flags.runs); n++) {
    runs.push(await measure(path.join(scratch, String(n)), n));
    console.log(`run ${n}: ${JSON.stringify(runs.at(-1))}`);
  }
  const rows = [
    ["activation (Call + Finish Activate)", runs.map(activation), ACTIVATION_BUDGET_MS],
    ["  loading the bundle, before that", runs.map((figures) => figures.activation["Load Code"]), null],
    [`longest block while ${FINDINGS} findings load`, runs.map(({ loading }) => loading.longestMs), BLOCK_BUDGET_MS],
    ["  of it our own code (CPU profile)", runs.map(({ ownMs }) => ownMs), null],
    ["  longest block of the editor at rest", runs.map(({ rest }) => rest.longestMs), null],
    [`  until ${FINDINGS} findings are shown`, runs.map(({ loading }) => loading.tookMs), null],
  ];
  console.log(`\n${"".padEnd(44)}${"median".padStart(10)}${"best".padStart(10)}${"worst".padStart(10)}    budget`);
  for (const [name, values, budget] of rows) {
    const sorted = values.toSorted((left, right) => left - right);
    const shown = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[0], sorted.at(-1)];
    const cells = shown.map((value) => `${Math.round(value)} ms`.padStart(10)).join("");
    const limit = budget === null ? "" : `    ${String(budget)} ms`;
    console.log(name.padEnd(44) + cells + limit);
  }
}

/** npm run bench intake [25 150 700]: large review files in the built worker, by their size in MB. */
/** A benchmark that needs no editor. */
async function benchAlone(subject, sizes) {
  await must("the build", path.join(root, ".scripts", "build.mjs"), ["--minify"]);
  const { code } = await run(process.execPath, [path.join(root, "test", "bench", `${subject}.ts`), ...sizes], {
    env: process.env,
  });
  if (code !== 0) throw new SetupError("the benchmark failed");
}

function activation({ activation: times }) {
  return times["Call Activate"] + times["Finish Activate"];
}

/** One run in a fresh profile. @returns what test/bench/suite-index.ts wrote */
async function measure(folder, n) {
  const { workspace, sarif } = makeWorkspace(folder);
  const target = path.join(folder, "figures.json");
  const artifacts = path.join(root, "test-artifacts");
  mkdirSync(artifacts, { recursive: true });
  const profile = path.join(flags.profile ? artifacts : folder, `bench-${n}.cpuprofile`);
  const env = {
    ...process.env,
    BENCH_FIGURES: target,
    BENCH_SARIF: sarif,
    BENCH_FINDINGS: String(FINDINGS),
    BENCH_PROFILE: profile,
  };
  const suite = path.join(root, "out", "bench", "index.cjs");
  const args = ["--host", hostFolder, "--extension", root, "--tests", suite, "--workspace", workspace];
  const { code, output } = await run(process.execPath, [path.join(hostFolder, "in-host.mjs"), ...args], {
    env,
    quiet: true,
  });
  if (code !== 0) throw new SetupError(`the run in the editor failed:\n${output.trim()}`);
  return {
    ...JSON.parse(readFileSync(target, "utf8")),
    ownMs: longestOwnBlock(JSON.parse(readFileSync(profile, "utf8"))),
  };
}

/**
 * The longest time without rest in which code of our bundle was on the stack, in ms. Work of the editor between two
 * pieces of ours ends a block, so this is ours alone; a busy machine makes it longer all the same.
 */
function longestOwnBlock({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const isOurs = (id) => {
    for (let node = id; node !== undefined; node = parents.get(node)) {
      if (frames.get(node).url.endsWith("dist/extension.cjs")) return true;
    }
    return false;
  };
  let longest = 0;
  let current = 0;
  for (const [at, id] of samples.entries()) {
    // The collector may run for anyone: it neither ends a block nor makes it longer.
    if (frames.get(id).functionName === "(garbage collector)") continue;
    // A delta is the time since the sample before, in microseconds.
    current = isOurs(id) ? current + (timeDeltas[at + 1] ?? 0) / 1000 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

/** Source files, and beside the workspace a SARIF log with FINDINGS results in them. */
function makeWorkspace(folder) {
  const workspace = path.join(folder, "workspace");
  mkdirSync(path.join(workspace, "src"), { recursive: true });
  const perFile = FINDINGS / FILES;
  const results = [];
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from(
      { length: perFile * 5 },
      (_, at) => `export const value${at} = read(${at}, "part ${at}");`,
    );
    writeFileSync(path.join(workspace, "src", `file${file}.ts`), `${lines.join("\n")}\n`);
    for (let n = 0; n < perFile; n++) results.push(result(file, n * 5 + 1, lines[n * 5]));
  }
  const rules = [{ id: "bench-rule", shortDescription: { text: "A value is read without a check" } }];
  const runs = [{ tool: { driver: { name: "bench", version: "1.0.0", rules } }, results }];
  const sarif = path.join(folder, "scan.sarif");
  writeFileSync(sarif, JSON.stringify({ version: "2.1.0", runs }));
  return { workspace, sarif };
}

function result(file, line, text) {
  const region = { startLine: line, startColumn: 1, endLine: line, endColumn: text.length + 1, snippet: { text } };
  const physicalLocation = { artifactLocation: { uri: `src/file${file}.ts` }, region };
  return {
    ruleId: "bench-rule",
    ruleIndex: 0,
    level: line % 2 === 0 ? "warning" : "error",
    message: { text: `The result of read in line ${line} of file ${file} is used without a check.` },
    locations: [{ physicalLocation }],
  };
}

await runScript(import.meta.url, main);
