import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import * as z from "zod";

const reporter = pathToFileURL(path.resolve(import.meta.dirname, "..", "..", ".scripts", "reporter.mjs")).href;
const Counts = z.strictObject({ passed: z.int(), failed: z.int(), skipped: z.int() });

/** Runs these test files for real and reads what the reporter made of them. */
function report(files: Readonly<Record<string, string>>): { counts: z.infer<typeof Counts>; shown: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "reporter-"));
  try {
    for (const [name, source] of Object.entries(files)) writeFileSync(path.join(folder, name), source);
    const target = path.join(folder, "counts.json");
    // Without this the inner runner would believe that it is a file of the outer one.
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const args = ["--test", `--test-reporter=${reporter}`, ...Object.keys(files)];
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...env, TEST_COUNTS: target },
      encoding: "utf8",
    });
    return { counts: Counts.parse(JSON.parse(readFileSync(target, "utf8"))), shown: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const START = 'import test, { suite } from "node:test";\n';

test("the reporter counts passed, failed and skipped tests of all files, not their suites", () => {
  const { counts } = report({
    "one.mjs": `${START}suite("s", () => { test("a", () => {}); test("b", () => { throw new Error("no"); }); });`,
    "two.mjs": `${START}test("c", () => {}); test.skip("d", () => {}); test.todo("e");`,
  });
  assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 2 });
});

test("a file that breaks before its first test is a failed test, with what it printed", () => {
  const { counts, shown } = report({ "broken.mjs": 'throw new Error("before any test");' });
  assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
  assert.match(shown, /before any test/);
});

test("a failure is shown with its place and cause, a skipped test with its reason", () => {
  const { shown } = report({
    "one.mjs": `${START}test("adds", () => { throw new Error("one is not two"); });\ntest("later", { skip: "no tool" }, () => {});`,
  });
  assert.match(shown, /FAIL {2}adds\n\s+one\.mjs:2\n\s+Error: one is not two/);
  assert.match(shown, /skip {2}later \(no tool\)/);
});

test("a test that is cut off by its time limit counts as failed", () => {
  const { counts } = report({
    "slow.mjs": `${START}test("waits", { timeout: 20 }, () => new Promise((done) => setTimeout(done, 5000).unref()));`,
  });
  assert.equal(counts.failed, 1);
});
