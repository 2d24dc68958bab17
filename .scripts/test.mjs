// Every check of this project, on a fresh machine too: installs what is missing, runs all steps even when one
// fails, and ends with one line, `N passed, N failed, N skipped`.
//   npm test                         everything
//   npm test -- --only unit,process  some steps; -- --list names them
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import {
  CHECKER_PACKAGES,
  ensureEngine,
  ensureHost,
  ensureSystemPackages,
  findBrowser,
  hostFolder,
  root,
  run,
  setUp,
  SetupError,
} from "./setup.mjs";
import { makeTestVsix } from "./vsix.mjs";

const { values: flags } = parseArgs({
  options: { only: { type: "string" }, list: { type: "boolean", default: false } },
});
const reporter = pathToFileURL(path.join(root, ".scripts", "reporter.mjs")).href;
/** Folders below test/ that are no unit tests: steps of their own, and what tests use. */
const OTHER_FOLDERS = new Set([
  "process",
  "suite",
  "e2e",
  "bench",
  "host",
  "engine",
  "provider",
  "support",
  "fixtures",
  "workspaces",
]);
/** Unit tests that must be there, so that a folder cannot vanish unnoticed. */
const UNIT_FOLDERS = ["core", "node", "protocol", "browser", "house"];

/**
 * In the order in which they run. Each returns its counts. The two last ones and the process tests use the bundles
 * as they are shipped, because the package step rebuilds them last.
 */
const STEPS = {
  typecheck: { title: "types", run: typecheck },
  lint: { title: "lint and format", run: lint },
  unit: { title: "unit tests", run: unit },
  package: { title: "build and package", run: packaged },
  process: { title: "tests of the built worker and command line", run: processes },
  engine: { title: "the built worker before a real engine", run: realEngine },
  editor: { title: "tests inside a real VS Code", run: insideEditor },
  e2e: { title: "browser end to end, with the packaged extension", run: endToEnd },
};

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */
const NONE = { passed: 0, failed: 0, skipped: 0 };

async function main() {
  const names = flags.only === undefined ? Object.keys(STEPS) : flags.only.split(",");
  const unknown = names.filter((name) => !(name in STEPS));
  if (unknown.length > 0)
    throw new SetupError(`no step named ${unknown.join(", ")}; there are ${Object.keys(STEPS).join(", ")}`);
  if (flags.list) {
    for (const [name, { title }] of Object.entries(STEPS)) console.log(`${name.padEnd(10)} ${title}`);
    return NONE;
  }
  const tools = setUp();
  const scratch = mkdtempSync(path.join(os.tmpdir(), "triage-test-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  if (names.includes("editor") || names.includes("e2e")) ensureSystemPackages();
  else if (names.includes("unit")) ensureSystemPackages(CHECKER_PACKAGES);

  const results = [];
  for (const name of names) {
    const { title, run: runStep } = STEPS[name];
    console.log(`\n== ${title}`);
    const started = Date.now();
    // A step that breaks is a failure of that step, and the others still run.
    const counts = await runStep({ ...tools, scratch }).catch((error) => failed(error.stack));
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`-- ${title}: ${inWords(counts)}, ${seconds} s`);
    results.push({ title, counts, seconds });
  }
  console.log("\n== all");
  for (const { title, counts, seconds } of results) {
    console.log(`${counts.failed > 0 ? "FAIL" : "ok  "}  ${title.padEnd(50)} ${inWords(counts)}, ${seconds} s`);
  }
  return results.map(({ counts }) => counts).reduce(add, NONE);
}

async function typecheck(tools) {
  const projects = ["tsconfig.json", "src/core", "src/browser", "test"];
  return inTurn(projects, (project) =>
    program(tools, `tsc -p ${project}`, bin("typescript", "bin/tsc"), ["-p", project]),
  );
}

async function lint(tools) {
  const checks = [
    ["oxlint", bin("oxlint", "bin/oxlint"), ["--type-aware", "--deny-warnings"]],
    ["oxfmt --check", bin("oxfmt", "bin/oxfmt"), ["--check"]],
  ];
  return inTurn(checks, ([name, script, args]) => program(tools, name, script, args));
}

async function unit(tools) {
  const entries = readdirSync(path.join(root, "test"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const counts = await nodeTests(
    tools,
    folders.filter((name) => !OTHER_FOLDERS.has(name)).flatMap((name) => testFiles(`test/${name}`)),
  );
  const empty = UNIT_FOLDERS.filter((folder) => testFiles(`test/${folder}`).length === 0);
  return empty.map((folder) => failed(`test/${folder} holds no test`)).reduce(add, counts);
}

async function packaged(tools) {
  const build = await program(tools, "npm run build", ".scripts/build.mjs", ["--tests"]);
  return add(build, await program(tools, "npm run package", ".scripts/package.mjs", [], { shown: true }));
}

async function processes(tools) {
  const missing = ["dist/worker.cjs", "dist/cli.cjs"].filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) return failed(`${missing.join(", ")} not built`);
  return nodeTests(tools, testFiles("test/process"));
}

async function realEngine(tools) {
  if (!existsSync(path.join(root, "dist", "worker.cjs"))) return failed("dist/worker.cjs not built");
  const unable = ensureEngine(tools.env);
  if (unable !== null) return without(unable, testFiles("test/engine"));
  return nodeTests(tools, testFiles("test/engine"));
}

async function insideEditor(tools) {
  const suite = path.join(root, "out", "test", "index.cjs");
  if (!existsSync(suite)) return failed("out/test/index.cjs not built");
  const unable = cannotDrive(tools);
  if (unable !== null) return without(unable, testFiles("test/suite"));
  const workspace = path.join(root, "test", "workspaces", "demo");
  const args = ["--host", hostFolder, "--extension", root, "--tests", suite, "--workspace", workspace, "--copy"];
  // Language models of the editor, which the suite scripts.
  const models = path.join(tools.scratch, "fake-models.vsix");
  mkdirSync(tools.scratch, { recursive: true });
  await makeTestVsix(path.join(root, "test", "provider"), models);
  args.push("--install", models);
  return counted(tools, [path.join(hostFolder, "in-host.mjs"), ...args]);
}

async function endToEnd(tools) {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const vsix = path.join(root, `skeptical-triage-${version}.vsix`);
  if (!existsSync(vsix)) return failed(`${path.basename(vsix)} not packaged`);
  const unable = cannotDrive(tools);
  if (unable !== null) return without(unable, testFiles("test/e2e"));
  const env = { ...tools.env, SKEPTICAL_TRIAGE_VSIX: vsix };
  // One workbench at a time: each wants a gigabyte and a core.
  return nodeTests({ ...tools, env }, testFiles("test/e2e"), ["--test-concurrency=1"]);
}

/** Why no real workbench can be driven here; null where it can. */
function cannotDrive({ node, env }) {
  if (findBrowser() === null) return "no Chromium found (see the command above)";
  return ensureHost(node, env) ? null : "the test host could not be installed (see above)";
}

/** @returns {Counts} the tests of these files as skipped, by name; as failed where everything must run */
function without(reason, files) {
  if (process.env.CI === "true") return failed(`${reason}, and nothing may be skipped with CI=true`);
  if (files.length === 0) return failed("no tests found");
  const names = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return Array.from(text.matchAll(/^\s*(?:test|it)\(\s*(["'`])(.*?)\1/gm), ([, , title]) => `${file}: ${title}`);
  });
  const shown = names.length > 0 ? names : files;
  for (const name of shown) console.log(`  skip  ${name}: ${reason}`);
  return { ...NONE, skipped: shown.length };
}

/** Node's own test runner over these files. */
async function nodeTests(tools, files, options = []) {
  if (files.length === 0) return failed("no test files found");
  const args = ["--test", `--test-reporter=${reporter}`, "--test-reporter-destination=stdout", ...options, ...files];
  return counted(tools, args);
}

/** A program that writes its counts to the file named by TEST_COUNTS. No counts, or a bad end without a failure, is one. */
async function counted({ node, env, scratch }, args) {
  mkdirSync(scratch, { recursive: true });
  const target = path.join(scratch, "counts.json");
  rmSync(target, { force: true });
  const { code, timedOut } = await run(node, args, { env: { ...env, TEST_COUNTS: target } });
  const counts = existsSync(target) ? JSON.parse(readFileSync(target, "utf8")) : NONE;
  if (timedOut) return add(counts, failed("stopped: the step took more than its fifteen minutes"));
  if (counts.passed + counts.failed + counts.skipped === 0) return failed(`no test ran (exit code ${code})`);
  return code !== 0 && counts.failed === 0 ? add(counts, failed(`exit code ${code} without a failed test`)) : counts;
}

/** A program whose exit code is the whole result: one test. */
async function program({ node, env }, name, script, args, { shown = false } = {}) {
  const { code, output } = await run(node, [script, ...args], { env, quiet: !shown });
  console.log(`  ${code === 0 ? "ok  " : "FAIL"}  ${name}`);
  if (code !== 0 && output.trim() !== "") console.log(output.trim());
  return code === 0 ? { ...NONE, passed: 1 } : { ...NONE, failed: 1 };
}

async function inTurn(items, check) {
  let counts = NONE;
  for (const item of items) counts = add(counts, await check(item));
  return counts;
}

/** Test files below a folder, relative to the root, sorted. */
function testFiles(folder) {
  const full = path.join(root, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.test\.(ts|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function bin(name, file) {
  return path.join(root, "node_modules", name, file);
}

/** @returns {Counts} */
function failed(reason) {
  console.log(`  FAIL  ${reason}`);
  return { ...NONE, failed: 1 };
}

/** @param {Counts} left @param {Counts} right */
function add(left, right) {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

function inWords({ passed, failed: bad, skipped }) {
  return `${passed} passed, ${bad} failed, ${skipped} skipped`;
}

// Exiting runs the exit handlers, which end what was started; dying of the signal would not.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
try {
  const counts = await main();
  if (!flags.list) console.log(`\n${inWords(counts)}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
} catch (error) {
  // Set-up failed: still the promised last line, so that nobody takes silence for success.
  console.error(error instanceof SetupError ? error.message : error.stack);
  console.log(`\n${inWords({ ...NONE, failed: 1 })}`);
  process.exitCode = 1;
}
