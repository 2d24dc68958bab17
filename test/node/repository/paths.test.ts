import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { holdPath, insideWorkspace, normalizeRelative, workspaceRelative } from "../../../src/node/paths.ts";
import { folderWith } from "./folder.ts";

const REFUSED: readonly (readonly [string, NodeJS.Platform])[] = [
  ["/etc/passwd", "linux"],
  ["//server/share/x", "linux"],
  ["\\\\server\\share\\x", "linux"],
  ["C:\\x", "linux"],
  ["c:/x", "linux"],
  ["~/x", "linux"],
  ["../x", "linux"],
  ["a/../../x", "linux"],
  ["a/..", "linux"],
  ["a\0b", "linux"],
  ["x/".repeat(3000), "linux"],
  ["C:x", "win32"],
  ["a\\..\\..\\x", "win32"],
  ["con", "win32"],
  ["a/NUL.txt", "win32"],
  ["lpt1", "win32"],
  ["a.ts:stream", "win32"],
  ["a.ts.", "win32"],
  ["a ", "win32"],
];
for (const [path, platform] of REFUSED)
  test(`the path ${JSON.stringify(path.slice(0, 20))} is refused by its words on ${platform}`, () => {
    assert.ok("why" in normalizeRelative(path, platform));
  });

test("a plain path is cleaned, and names that only Windows minds are names elsewhere", () => {
  assert.deepEqual(normalizeRelative("./src//a.ts/", "linux"), { file: "src/a.ts" });
  assert.deepEqual(normalizeRelative("drivers/aux.c", "linux"), { file: "drivers/aux.c" });
  assert.deepEqual(normalizeRelative("..a/b..", "linux"), { file: "..a/b.." });
  assert.deepEqual(normalizeRelative(".", "linux"), { file: "" });
});

test("inside means at or below the root, by whole names", () => {
  assert.equal(insideWorkspace("/w/a", "/w/a"), true);
  assert.equal(insideWorkspace("/w/a", "/w/a/b"), true);
  assert.equal(insideWorkspace("/w/a", "/w/ab"), false);
  assert.equal(insideWorkspace("/w/a", "/w"), false);
  assert.equal(insideWorkspace("/w/a", "/w/a/..b"), true);
  assert.equal(workspaceRelative("/w/a", "/w/a/b/c.ts"), "b/c.ts");
  assert.equal(workspaceRelative("/w/a", "/w/c.ts"), null);
  assert.equal(workspaceRelative("/w/a", "b.ts"), null);
});

test("git's store and the triage logs are closed, whatever the letter case and whatever link leads there (ruling 17)", async (t) => {
  const root = folderWith(t, { ".git/config": "", ".skeptical-triage/triage-log.jsonl": "", "a.ts": "" });
  symlinkSync(".git", join(root, "store"));
  for (const path of [".git/config", ".GIT/config", "store/config", ".Skeptical-Triage/triage-log.jsonl", "sub/.git/x"])
    assert.equal((await holdPath(root, path)).kind, "refused", path);
  assert.equal((await holdPath(root, "a.ts")).kind, "held");
  assert.equal((await holdPath(root, "missing/b.ts")).kind, "absent");
});

test("whatever is asked for, a held path is below the root after links are resolved", async (t) => {
  const outside = folderWith(t, { secret: "s" });
  const root = folderWith(t, { "a/b/c.ts": "" });
  symlinkSync(outside, join(root, "a/out"));
  symlinkSync("../..", join(root, "a/up"));
  symlinkSync("b", join(root, "a/in"));
  mkdirSync(join(root, "..."));
  const segment = fc.constantFrom(
    "a",
    "b",
    "c.ts",
    "out",
    "up",
    "in",
    "..",
    ".",
    "",
    "...",
    "secret",
    "etc",
    "passwd",
    "~",
    "C:",
    "\\..",
  );
  const path = fc.oneof(
    fc.array(segment, { maxLength: 8 }).map((parts) => parts.join("/")),
    fc.array(segment, { maxLength: 4 }).map((parts) => join(outside, ...parts)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(path, async (candidate) => {
      const held = await holdPath(root, candidate);
      if (held.kind === "refused") return;
      assert.ok(insideWorkspace(root, held.absolute));
      assert.equal(join(root, held.file), held.absolute);
      assert.ok(!held.file.split("/").includes(".."));
    }),
    { numRuns: 300 },
  );
});
