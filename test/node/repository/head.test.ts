import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { createGit, type Git } from "../../../src/node/repository/git.ts";
import { createGitRun, type GitRun } from "../../../src/node/repository/gitRun.ts";
import { folderWith, git, write } from "./folder.ts";

interface Watched {
  readonly git: Git;
  /** Runs of git since the last call of this. */
  readonly runs: () => number;
}

function watch(root: string): Watched {
  const run = createGitRun(root, process.env["PATH"]);
  let count = 0;
  const counting: GitRun = async (...call) => {
    count += 1;
    return await run(...call);
  };
  return {
    git: createGit(root, counting),
    runs: () => {
      const now = count;
      count = 0;
      return now;
    },
  };
}

function project(t: TestContext): string {
  const root = folderWith(t, { "src/a.ts": "export const a = 1;\n", "src/b.ts": "export const b = 1;\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "one");
  return root;
}

const headOf = (root: string): string => git(root, "rev-parse", "HEAD").trim();

test("git is asked once about HEAD, its branch and a committed file, and not again while nothing changes", async (t) => {
  const root = project(t);
  const { git: asked, runs } = watch(root);
  assert.equal(await asked.head(), headOf(root));
  assert.equal(runs(), 1);
  for (let n = 0; n < 3; n += 1) {
    assert.equal(await asked.head(), headOf(root));
    assert.equal(await asked.branch(), "main");
    assert.deepEqual(await asked.committed("src/a.ts"), { text: "export const a = 1;\n" });
  }
  assert.equal(runs(), 1);
});

test("each change of HEAD is seen at once: commits, amended ones, checkouts, resets, packed references, a detached HEAD", async (t) => {
  const root = project(t);
  const { git: asked, runs } = watch(root);
  const check = async (what: string, branch: string | null = "main"): Promise<void> => {
    assert.equal(await asked.head(), headOf(root), what);
    assert.equal(await asked.branch(), branch, what);
    const text = git(root, "show", "HEAD:src/a.ts");
    assert.deepEqual(await asked.committed("src/a.ts"), { text }, what);
  };
  await check("at first");
  const first = headOf(root);
  for (let n = 0; n < 5; n += 1) {
    // Faster than the clock of many file systems ticks, and the files are as long as before.
    write(root, { "src/a.ts": `export const a = 0x${(n * 2 + 2).toString(16)};\n` });
    git(root, "commit", "-qam", `more ${n}`);
    await check(`commit ${n}`);
    write(root, { "src/a.ts": `export const a = 0x${(n * 2 + 3).toString(16)};\n` });
    git(root, "commit", "-q", "--amend", "-a", "-m", `amended ${n}`);
    await check(`amended commit ${n}`);
  }
  git(root, "pack-refs", "--all");
  assert.equal(existsSync(join(root, ".git/refs/heads/main")), false);
  await check("packed references");
  runs();
  await check("packed references, again");
  assert.equal(runs(), 0);
  git(root, "checkout", "-qb", "topic/one");
  await check("a branch", "topic/one");
  git(root, "commit", "-q", "--allow-empty", "-m", "on it");
  await check("a commit on it", "topic/one");
  git(root, "checkout", "-q", "main");
  await check("back");
  git(root, "reset", "-q", "--hard", first);
  await check("reset");
  git(root, "checkout", "-q", "--detach");
  await check("detached", null);
  git(root, "checkout", "-q", "topic/one");
  git(root, "branch", "-m", "topic/two");
  await check("renamed", "topic/two");
});

test("a reference that is put back with its old time and size is read all the same", async (t) => {
  const root = project(t);
  const { git: asked } = watch(root);
  const file = join(root, ".git/refs/heads/main");
  const first = headOf(root);
  git(root, "commit", "-q", "--allow-empty", "-m", "two");
  const time = new Date(1_700_000_000_000);
  utimesSync(file, time, time);
  const second = await asked.head();
  writeFileSync(file, `${first}\n`);
  utimesSync(file, time, time);
  assert.notEqual(second, first);
  assert.equal(await asked.head(), first);
});

test("a working tree beside the repository has a HEAD of its own", async (t) => {
  const root = project(t);
  const beside = folderWith(t, {});
  const tree = join(beside, "tree");
  git(root, "worktree", "add", "-q", "-b", "side", tree);
  const { git: asked, runs } = watch(tree);
  assert.equal(await asked.head(), headOf(tree));
  git(root, "commit", "-q", "--allow-empty", "-m", "not there");
  assert.equal(await asked.head(), headOf(tree));
  assert.equal(await asked.branch(), "side");
  assert.equal(runs(), 1);
  git(tree, "commit", "-q", "--allow-empty", "-m", "there");
  assert.equal(await asked.head(), headOf(tree));
  assert.notEqual(headOf(tree), headOf(root));
  git(root, "pack-refs", "--all");
  assert.equal(await asked.head(), headOf(tree));
});

test("a repository that comes, goes or is nested deeper is noticed", async (t) => {
  const root = folderWith(t, { "inner/src/a.ts": "export const a = 1;\n" });
  const inner = join(root, "inner");
  const { git: asked, runs } = watch(inner);
  assert.equal(await asked.head(), null);
  assert.equal(await asked.head(), null);
  assert.equal(runs(), 1);
  git(root, "init", "-q", "-b", "main");
  assert.equal(await asked.head(), null);
  assert.equal(await asked.branch(), "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "outer");
  const outer = headOf(root);
  assert.equal(await asked.head(), outer);
  assert.deepEqual(await asked.committed("src/a.ts"), { text: "export const a = 1;\n" });
  git(inner, "init", "-q", "-b", "own");
  assert.equal(await asked.head(), null);
  assert.equal(await asked.committed("src/a.ts"), null);
  rmSync(join(inner, ".git"), { recursive: true });
  assert.equal(await asked.head(), outer);
  renameSync(join(root, ".git"), join(root, "away"));
  assert.equal(await asked.head(), null);
});

test("in doubt git is asked: links, a HEAD that is no file, another store of references, a commit that is not there", async (t) => {
  const root = project(t);
  const { git: asked, runs } = watch(root);
  const again = async (what: string): Promise<void> => {
    const expected = await asked.head();
    assert.ok(runs() >= 1, what);
    assert.equal(await asked.head(), expected, what);
    assert.equal(runs(), 1, what);
  };
  await asked.head();
  runs();
  const config = join(root, ".git/config");
  const plain = readFileSync(config, "utf8");
  writeFileSync(config, `${plain}[extensions]\n\trefStorage = files\n`);
  await again("another store");
  writeFileSync(config, plain);
  const ref = join(root, ".git/refs/heads/main");
  const commit = readFileSync(ref, "utf8");
  writeFileSync(ref, `${"1".repeat(40)}\n`);
  assert.equal(await asked.head(), null);
  await again("no such commit");
  writeFileSync(join(root, ".git/real"), commit);
  rmSync(ref);
  symlinkSync("../../real", ref);
  await again("a link");
});

test("a diff is made once for the same two texts, and anew for others", async (t) => {
  const root = project(t);
  const { git: asked, runs } = watch(root);
  const first = await asked.compare("src/a.ts", "one\n", "two\n");
  assert.match(first?.text ?? "", /^--- a\/src\/a\.ts\n.*\+two/s);
  assert.deepEqual(await asked.compare("src/a.ts", "one\n", "two\n"), first);
  assert.equal(runs(), 1);
  assert.match((await asked.compare("src/b.ts", "one\n", "two\n"))?.text ?? "", /a\/src\/b\.ts/);
  assert.match((await asked.compare("src/a.ts", "one\n", "three\n"))?.text ?? "", /\+three/);
  assert.match((await asked.compare("src/a.ts", null, "two\n"))?.text ?? "", /^--- \/dev\/null/);
  assert.equal(runs(), 3);
});
