import assert from "node:assert/strict";
import test from "node:test";
import type { CheckResult } from "../../../src/core/check.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

const FILES = { "src/a.ts": "export const one = 1;\n", "src/util/b.ts": "export const two = 2;\n" };

async function check(message: string, file = "src/a.ts", ignored = {}): Promise<CheckResult | undefined> {
  const workspace = createMemoryWorkspace(FILES, { ignored });
  const finding = await findingIn(workspace.repository, message, file, 1);
  return (await runChecks(finding, workspace.context, () => undefined)).find(({ atom }) => atom !== null);
}

const says = (path: string): string => `The file \`${path}\` does not exist.`;

test("class 10: a file that is there refutes its absence and is cited", async () => {
  const found = await check(says("src/util/b.ts"));
  assert.equal(found?.verdict, "refuted");
  assert.deepEqual(
    found.citations.map(({ file, line }) => `${file}:${line}`),
    ["src/util/b.ts:1"],
  );
});

test("class 10: a path, its letter case and its base name all absent confirm it", async () => {
  assert.equal((await check(says("src/gone/c.ts")))?.verdict, "confirmed");
});

test("class 10: another case or the same name in another folder leaves it unknown", async () => {
  assert.equal((await check(says("src/UTIL/b.ts")))?.verdict, "unknown");
  assert.equal((await check(says("lib/b.ts")))?.verdict, "unknown");
});

test("class 10: a bare name, a relative and an absolute path do not say which file is meant", async () => {
  for (const path of ["c.ts", "../c.ts", "/etc/c.ts"]) assert.equal((await check(says(path)))?.verdict, "unknown");
});

test("class 10: a file that version control ignores may be somebody's build, so it settles nothing", async () => {
  assert.equal((await check(says("dist/c.js"), "src/a.ts", { "dist/c.js": "x" }))?.verdict, "unknown");
});

test("class 10: nothing is said about other files where the finding's own place is not in this workspace (ruling 8)", async () => {
  assert.equal((await check(says("src/util/b.ts"), "other/z.ts"))?.verdict, "unknown");
  assert.equal((await check(says("src/gone/c.ts"), "other/z.ts"))?.verdict, "unknown");
});

async function verdictIn(files: Record<string, string>, path: string): Promise<string | undefined> {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, says(path), Object.keys(files)[0] ?? "", 1);
  return (await runChecks(finding, workspace.context, () => undefined)).find(({ atom }) => atom !== null)?.verdict;
}

const ONE = "export const one = 1;\n";

test("class 10: in a project inside the workspace a path may be meant from that project's folder", async () => {
  const inside = { "packages/a/src/x.ts": ONE, "packages/a/package.json": "{}\n", "src/index.ts": ONE };
  assert.equal(await verdictIn(inside, "src/index.ts"), "unknown");
  assert.equal(await verdictIn(inside, "packages/a/src/x.ts"), "refuted");
  assert.equal(await verdictIn({ "src/x.ts": ONE, "tool.config.ts": ONE }, "tool.config.ts"), "unknown");
  assert.equal(await verdictIn({ "x.ts": ONE, "tool.config.ts": ONE }, "tool.config.ts"), "refuted");
});

test("class 10: absence is not confirmed where a build, a package, an alias or a submodule may give the file", async () => {
  const modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = x\n';
  const files = { "src/a.ts": ONE, "src/util/b.ts": ONE, "src/c/index.ts": ONE, "vendor/d.c": "int d;\n" };
  for (const path of ["src/util/b.js", "src/c.ts", "dist/z.js", "lodash/fp.js", "@/z.ts", "~/z.ts", "vendor/lib/z.c"])
    assert.equal(await verdictIn({ ...files, ".gitmodules": modules }, path), "unknown", path);
  assert.equal(await verdictIn({ ...files, ".gitmodules": modules }, "vendor/z.c"), "confirmed");
});
