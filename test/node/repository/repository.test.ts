import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { folderWith, git, write } from "./folder.ts";

const nothingOpen = (): undefined => undefined;

test("the list holds what is not ignored, sorted, by nested .gitignore files, with hidden files and without node_modules", async (t) => {
  const root = folderWith(t, {
    ".gitignore": "*.log\n/dist\n!keep.log\n",
    "src/.gitignore": "generated/\n!important.log\n",
    "src/b.ts": "",
    "src/a.ts": "",
    "src/generated/x.ts": "",
    "src/important.log": "",
    "a.log": "",
    "keep.log": "",
    "dist/out.js": "",
    "packages/dist/kept.js": "",
    "node_modules/x/index.js": "",
    ".github/workflows/ci.yml": "",
    ".git/config": "",
    ".skeptical-triage/triage-log.jsonl": "{}",
  });
  const repository = createRepository({ root, liveText: nothingOpen });
  assert.deepEqual(await repository.files(), [
    ".github/workflows/ci.yml",
    ".gitignore",
    "keep.log",
    "packages/dist/kept.js",
    "src/.gitignore",
    "src/a.ts",
    "src/b.ts",
    "src/important.log",
  ]);
  const all = await repository.allFiles();
  assert.ok(all.includes("dist/out.js") && all.includes("node_modules/x/index.js") && all.includes("a.log"));
  assert.ok(!all.some((file) => file.startsWith(".git/") || file.startsWith(".skeptical-triage/")));
});

test("links are not listed and lead nowhere outside, links that stay inside are read under their real name", async (t) => {
  const outside = folderWith(t, { "secret.txt": "outside" });
  const root = folderWith(t, { "real.ts": "inside", "dir/x.ts": "x" });
  symlinkSync(join(outside, "secret.txt"), join(root, "leak.txt"));
  symlinkSync(outside, join(root, "leak"));
  symlinkSync(join(root, "real.ts"), join(root, "alias.ts"));
  symlinkSync("loop", join(root, "loop"));
  const repository = createRepository({ root, liveText: nothingOpen });
  assert.deepEqual(await repository.files(), ["dir/x.ts", "real.ts"]);
  assert.equal(await repository.text("leak.txt"), null);
  assert.equal(await repository.text("leak/secret.txt"), null);
  assert.equal(await repository.text("loop"), null);
  assert.deepEqual(await repository.text("alias.ts"), {
    file: "real.ts",
    lines: ["inside"],
    truncated: false,
    eol: "\n",
  });
});

test("a root that is a link itself works", async (t) => {
  const real = folderWith(t, { "a.ts": "a" });
  const holder = folderWith(t, {});
  const root = join(holder, "link");
  symlinkSync(real, root);
  const open = new Map([[join(root, "a.ts"), "live"]]);
  const repository = createRepository({ root, liveText: (path) => open.get(path) });
  assert.deepEqual((await repository.text("a.ts"))?.lines, ["live"]);
  assert.deepEqual(await repository.files(), ["a.ts"]);
});

test("a pipe, a folder and a missing file are no text", async (t) => {
  const root = folderWith(t, { "dir/a.ts": "" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  const repository = createRepository({ root, liveText: nothingOpen });
  for (const file of ["pipe", "dir", "gone.ts", ""]) assert.equal(await repository.text(file), null, file);
});

const utf16 = Buffer.from("\uFEFFzwei\nZeilen", "utf16le");
const ENCODINGS: readonly (readonly [string, Uint8Array, readonly string[] | null])[] = [
  ["UTF-8", Buffer.from("ä\nb"), ["ä", "b"]],
  ["UTF-8 with a mark", Buffer.from("\uFEFFä\r\nb"), ["ä", "b"]],
  ["UTF-16 little endian", utf16, ["zwei", "Zeilen"]],
  ["UTF-16 big endian", Buffer.from(utf16).swap16(), ["zwei", "Zeilen"]],
  ["Windows-1252", Buffer.from([0xe4, 0x0a, 0x62]), ["ä", "b"]],
  ["a binary file", Buffer.from([0x7f, 0x45, 0x00, 0x01]), null],
  ["an empty file", Buffer.from(""), [""]],
  ["old Mac line ends", Buffer.from("a\rb\r"), ["a", "b", ""]],
];
for (const [what, bytes, lines] of ENCODINGS)
  test(`${what} is read as ${lines === null ? "no text" : "lines"}`, async (t) => {
    const root = folderWith(t, { f: bytes });
    assert.deepEqual((await createRepository({ root, liveText: nothingOpen }).text("f"))?.lines ?? null, lines);
  });

test("of a file over two megabytes the head is read, in whole lines, and that is said", async (t) => {
  const line = "x".repeat(99);
  const root = folderWith(t, { "big.ts": `${line}\n`.repeat(30_000), "one-line.js": "é".repeat(1_200_000) });
  const repository = createRepository({ root, liveText: nothingOpen });
  const text = await repository.text("big.ts");
  assert.equal(text?.truncated, true);
  assert.equal(text.lines.length, Math.floor((2 * 1024 * 1024) / 100));
  assert.ok(text.lines.every((read) => read === line));
  const long = await repository.text("one-line.js");
  assert.equal(long?.truncated, true);
  assert.match(long.lines.join(), /^é+$/);
});

test("the live buffer comes before the disk, also for a file that is not saved yet", async (t) => {
  const root = folderWith(t, { "a.ts": "old", "b.ts": "same" });
  const open = new Map([
    [join(root, "a.ts"), "new\ntext"],
    [join(root, "b.ts"), "same"],
    [join(root, "fresh/c.ts"), "fresh"],
    ["/etc/hostname", "outside"],
  ]);
  const liveFiles = (): readonly string[] => [...open.keys()];
  const repository = createRepository({ root, liveText: (path) => open.get(path), liveFiles });
  assert.deepEqual((await repository.text("a.ts"))?.lines, ["new", "text"]);
  assert.deepEqual((await repository.text("./fresh//c.ts"))?.lines, ["fresh"]);
  assert.deepEqual(await repository.unsaved(), ["a.ts", "fresh/c.ts"]);
  open.delete(join(root, "a.ts"));
  assert.deepEqual((await repository.text("a.ts"))?.lines, ["old"]);
});

test("a changed file is read again, an unchanged one is the same object; the list is walked again after forget", async (t) => {
  const root = folderWith(t, { "a.ts": "one" });
  const repository = createRepository({ root, liveText: nothingOpen });
  const first = await repository.text("a.ts");
  assert.equal(await repository.text("a.ts"), first);
  writeFileSync(join(root, "a.ts"), "two");
  utimesSync(join(root, "a.ts"), 1, 1);
  assert.deepEqual((await repository.text("a.ts"))?.lines, ["two"]);
  assert.deepEqual(await repository.files(), ["a.ts"]);
  write(root, { "b.ts": "" });
  assert.deepEqual(await repository.files(), ["a.ts"]);
  repository.forget("b.ts");
  assert.deepEqual(await repository.files(), ["a.ts", "b.ts"]);
});

test("a listing that is cancelled rejects with the signal's reason", async (t) => {
  const root = folderWith(t, { "a.ts": "" });
  const reason = new Error("stop");
  const repository = createRepository({ root, liveText: nothingOpen });
  await assert.rejects(repository.files(AbortSignal.abort(reason)), reason);
});

test("without git, without a repository and without a commit there is no head and no diff", async (t) => {
  const root = folderWith(t, { "a.ts": "a" });
  const plain = createRepository({ root, liveText: nothingOpen });
  assert.deepEqual([await plain.head(), await plain.diff("a.ts")], [null, null]);
  git(root, "init", "-q");
  assert.deepEqual([await plain.head(), await plain.diff("a.ts")], [null, null]);
  const without = createRepository({ root, liveText: nothingOpen, searchPath: "" });
  assert.deepEqual([await without.head(), await without.diff("a.ts")], [null, null]);
});

test("the diff shows the live text against HEAD, also from a folder below the repository's root", async (t) => {
  const top = folderWith(t, {
    "app/src/a.ts": "one\ntwo\nthree\n",
    "app/same.ts": "same\n",
    "app/latin": Buffer.from([0xe4]),
  });
  git(top, "init", "-q");
  git(top, "add", ".");
  git(top, "commit", "-qm", "first");
  const root = join(top, "app");
  write(root, { "src/a.ts": "one\r\nzwei\r\nthree\r\n", "new.ts": "new\n" });
  const open = new Map<string, string>();
  const repository = createRepository({ root, liveText: (path) => open.get(path) });
  assert.equal(await repository.head(), git(top, "rev-parse", "HEAD").trim());
  // Other line ends are no change.
  assert.deepEqual(await repository.diff("src/a.ts"), {
    text: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
    cut: false,
  });
  assert.deepEqual(await repository.diff("same.ts"), { text: "", cut: false });
  assert.deepEqual(await repository.diff("latin"), { text: "", cut: false });
  assert.match(
    (await repository.diff("new.ts"))?.text ?? "",
    /^--- \/dev\/null\n\+\+\+ b\/new\.ts\n@@ -0,0 \+1 @@\n\+new\n/,
  );
  assert.equal(await repository.diff("../outside.ts"), null);
  open.set(join(root, "src/a.ts"), "one\nlive\nthree\n");
  assert.match((await repository.diff("src/a.ts"))?.text ?? "", /\+live/);
});

test("a diff that is too long is cut, and that stands beside it: no word of ours is among the code", async (t) => {
  const root = folderWith(t, { "a.ts": "one\n" });
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "first");
  write(root, { "a.ts": "const line = 1;\n".repeat(40_000) });
  const diff = await createRepository({ root, liveText: nothingOpen }).diff("a.ts");
  assert.equal(diff?.cut, true);
  assert.doesNotMatch(diff.text, /cut|truncated/);
  assert.ok(diff.text.length > 200_000);
});

test("a repository cannot make the diff run a program: filters, text conversion, external diff, monitor, hooks", async (t) => {
  const root = folderWith(t, { "a.ts": "one\n", ".gitattributes": "* filter=evil diff=evil\n" });
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "first");
  const mark = join(root, "ran");
  const evil = `touch ${mark}; cat`;
  for (const key of [
    "filter.evil.clean",
    "filter.evil.smudge",
    "diff.evil.textconv",
    "diff.evil.command",
    "diff.external",
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
  ])
    git(root, "config", key, evil);
  write(root, { "a.ts": "two\n", ".git/hooks/post-index-change": `#!/bin/sh\n${evil}\n` });
  const repository = createRepository({ root, liveText: nothingOpen });
  assert.match((await repository.diff("a.ts"))?.text ?? "", /\+two/);
  await repository.head();
  assert.equal(existsSync(mark), false);
  // The same set-up does run programs for a plain git: the test would notice.
  assert.throws(() => git(root, "diff", "HEAD"));
  assert.equal(existsSync(mark), true);
});

test("a git inside the workspace is never started", async (t) => {
  const root = folderWith(t, { "bin/git": "" });
  const mark = join(root, "ran");
  write(root, { "bin/git": `#!/bin/sh\ntouch ${mark}\n` });
  execFileSync("chmod", ["+x", join(root, "bin/git")]);
  const repository = createRepository({ root, liveText: nothingOpen, searchPath: `${join(root, "bin")}:.:bin` });
  assert.equal(await repository.head(), null);
  assert.equal(existsSync(mark), false);
});
