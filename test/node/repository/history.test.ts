import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { sidesOf } from "../../../src/core/change.ts";
import { tokensOf } from "../../../src/core/tokens.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { folderWith, git, write } from "./folder.ts";

const BODY = "export function guard(name: string) {\n  if (name === '') throw new Error('empty');\n  return name;\n}\n";

function project(t: TestContext): string {
  const root = folderWith(t, {
    ".gitignore": "dist/\n",
    "src/guard.ts": BODY,
    "src/gone.ts": "export const gone = removeMe( 1 );\n",
    "src/plain.ts": "export const plain = 1;\n",
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "one");
  return root;
}

const open = (root: string, live: ReadonlyMap<string, string> = new Map()) =>
  createRepository({ root, liveText: (path) => live.get(path) });

test("the change under review: commits of a branch, edits, new and deleted files, unsaved buffers; both sides of each", async (t) => {
  const root = project(t);
  git(root, "checkout", "-qb", "topic");
  write(root, { "src/guard.ts": BODY.replace("  if (name === '') throw new Error('empty');\n", "") });
  git(root, "commit", "-qam", "drop the guard");
  git(root, "rm", "-q", "src/gone.ts");
  write(root, { "src/new.ts": "export const fresh = 1;\n" });
  const { history } = open(root, new Map([[join(root, "src/plain.ts"), "export const plain = 2;\n"]]));
  // The buffer's file is not changed on disk, so version control does not name it.
  const change = await history.change();
  assert.equal(change?.complete, true);
  assert.equal(change.base, git(root, "rev-parse", "main").trim());
  const sides = new Map(change.files.map((file) => [file.file, sidesOf(file)]));
  assert.deepEqual([...sides.keys()], ["src/gone.ts", "src/guard.ts", "src/new.ts"]);
  assert.deepEqual(sides.get("src/guard.ts")?.removed, [
    { line: 2, text: "  if (name === '') throw new Error('empty');", at: 2 },
  ]);
  assert.deepEqual(
    sides.get("src/gone.ts")?.removed.map(({ text }) => text),
    ["export const gone = removeMe( 1 );"],
  );
  assert.deepEqual(sides.get("src/new.ts")?.added[0], { line: 1, text: "export const fresh = 1;" });
});

test("a renamed file is found by its old path, through several renames and before the rename is committed", async (t) => {
  const root = project(t);
  git(root, "mv", "src/guard.ts", "src/check.ts");
  git(root, "commit", "-qm", "rename");
  git(root, "mv", "src/check.ts", "src/final.ts");
  const { history } = open(root);
  assert.equal(await history.renamed("src/guard.ts"), "src/final.ts");
  assert.equal(await history.renamed("src/check.ts"), "src/final.ts");
  assert.equal(await history.renamed("src/other.ts"), null);
});

test("what the past held is found with any white space, as whole words, on every branch", async (t) => {
  const root = project(t);
  git(root, "checkout", "-qb", "side");
  write(root, { "src/side.ts": "call(onSide);\n" });
  git(root, "add", "-A");
  git(root, "commit", "-qm", "side");
  git(root, "checkout", "-q", "main");
  git(root, "rm", "-q", "src/gone.ts");
  git(root, "commit", "-qm", "gone");
  const { history } = open(root);
  assert.equal(await history.everHeld(tokensOf("gone=removeMe(1)")), true);
  assert.equal(await history.everHeld(["removeMe"]), true);
  assert.equal(await history.everHeld(["remove"]), false);
  assert.equal(await history.everHeld(["onSide"]), true);
  assert.equal(await history.everHeld(tokensOf('throw new Error("empty")')), true);
  assert.equal(await history.everHeld(tokensOf("a.*b[^x](+?|$)")), false);
  assert.equal(await history.everNamed("GONE.ts"), true);
  assert.equal(await history.everNamed("side.ts"), true);
  assert.equal(await history.everNamed("payments.ts"), false);
  assert.equal(await history.everNamed("*.ts"), false);
  assert.equal(await history.ignores("dist/x.js"), true);
  assert.equal(await history.ignores("src/x.js"), false);
  assert.equal(await history.ignores("../x.js"), null);
});

test("a shallow clone and a folder without commits do not know the past", async (t) => {
  const root = project(t);
  write(root, { "src/plain.ts": "export const plain = 3;\n" });
  git(root, "commit", "-qam", "two");
  const clone = folderWith(t, {});
  git(clone, "clone", "-q", "--depth", "1", `file://${root}`, "x");
  const shallow = open(join(clone, "x")).history;
  assert.equal(await shallow.everHeld(["nothing"]), null);
  assert.equal(await shallow.everNamed("payments.ts"), null);
  const none = open(folderWith(t, { "a.ts": "one\n" })).history;
  assert.equal(await none.change(), null);
  assert.equal(await none.everHeld(["one"]), null);
  assert.equal(await none.renamed("b.ts"), null);
  assert.equal(await none.ignores("b.ts"), null);
});

test("answers about the working tree are kept for a while, and forgotten when files change", async (t) => {
  const root = project(t);
  let now = 0;
  const repository = createRepository({ root, liveText: () => undefined, clock: () => now });
  assert.deepEqual((await repository.history.change())?.files, []);
  renameSync(join(root, "src/plain.ts"), join(root, "src/other.ts"));
  assert.deepEqual((await repository.history.change())?.files, []);
  repository.forget();
  assert.equal((await repository.history.change())?.files.length, 2);
  write(root, { "src/third.ts": "1\n" });
  now += 11_000;
  assert.equal((await repository.history.change())?.files.length, 3);
});

test("where git cannot list what changed, the change is not complete, so that nothing is shown absent by it", async (t) => {
  const root = project(t);
  git(root, "config", "core.worktree", folderWith(t, { "x.ts": "x\n" }));
  const change = await open(root).history.change();
  assert.ok(change === null || !change.complete);
});
