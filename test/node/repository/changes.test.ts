import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { createRepository } from "../../../src/node/repository/repository.ts";

function git(root: string, ...argv: string[]): void {
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", ...argv],
    { cwd: root, stdio: "ignore" },
  );
}

test("changed files: against the merge base, staged, edited and new; never by running the repository's filters", async (t) => {
  const root = mkdtempSync(path.join(os.tmpdir(), "changes-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);
  git(root, "init", "-q");
  for (const name of ["same.ts", "branch.ts", "staged.ts", "edited.ts", "with space.ts"]) write(name, "one\n");
  git(root, "add", ".");
  git(root, "commit", "-qm", "one");
  git(root, "checkout", "-qb", "topic");
  write("branch.ts", "two\n");
  git(root, "commit", "-qam", "two");
  write("staged.ts", "two\n");
  git(root, "add", "staged.ts");
  write("edited.ts", "one more line\n");
  write("with space.ts", "one more line\n");
  write("new.ts", "new\n");
  write(".gitattributes", "*.ts filter=trap\n");
  const trap = path.join(root, "ran");
  git(root, "config", "filter.trap.clean", `touch '${trap}'; cat`);
  utimesSync(path.join(root, "edited.ts"), new Date(2001, 1, 1), new Date(2001, 1, 1));
  const repository = createRepository({ root, liveText: () => undefined });
  assert.deepEqual(await repository.changedFiles(), [
    ".gitattributes",
    "branch.ts",
    "edited.ts",
    "new.ts",
    "staged.ts",
    "with space.ts",
  ]);
  assert.equal(existsSync(trap), false);
});

test("changed files of a folder without history are not known", async (t) => {
  const root = mkdtempSync(path.join(os.tmpdir(), "changes-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  assert.equal(await createRepository({ root, liveText: () => undefined }).changedFiles(), null);
});
