import assert from "node:assert/strict";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import * as fc from "fast-check";
import type { VerbCall, VerbRun, Verbs } from "../../../src/core/ports.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { createVerbs } from "../../../src/node/verbs/verbs.ts";
import { folderWith, git, write } from "../repository/folder.ts";

const never = new AbortController().signal;
const SECRET = 'const password = "s3cr3tPass99";';

interface Setup {
  readonly open?: ReadonlyMap<string, string>;
  readonly withheld?: (file: string) => boolean;
}

function verbsOf(root: string, { open = new Map(), withheld }: Setup = {}): Verbs {
  const repository = createRepository({ root, liveText: (path) => open.get(path) });
  const options = { root, repository, ripgrep: null, mask: createMask(), now: () => new Date(0), hash: sha256 };
  return createVerbs(withheld === undefined ? options : { ...options, withheld });
}

async function run(root: string, call: VerbCall, setup: Setup = {}): Promise<VerbRun> {
  return await verbsOf(root, setup).run(call, "round-1", never);
}

/** Two commits on main: `old.ts` renamed to `src/new.ts` with one line added. */
function project(t: TestContext): string {
  const root = folderWith(t, {
    "old.ts": "export function one() {\n  return 1;\n}\nexport const two = 2;\nexport const three = 3;\n",
    "keep.ts": `${SECRET}\n`,
    "review.md": "P0: one() is broken\n",
    ".skeptical-triage/triage-log.jsonl": '{"verdict":"INVALID"}\n',
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-Af");
  git(root, "commit", "-qm", "First commit");
  write(root, {
    "src/new.ts":
      "export function one() {\n  return 1;\n}\nexport const two = 2;\nexport const three = 3;\nexport const four = 4;\n",
  });
  git(root, "rm", "-q", "--cached", "old.ts");
  git(root, "add", "src/new.ts", "-f");
  write(root, { "review.md": "P0: two is broken\n", ".skeptical-triage/triage-log.jsonl": '{"verdict":"VALID"}\n' });
  git(root, "add", "-Af", "review.md", ".skeptical-triage");
  git(root, "commit", "-qm", "Move one() to src");
  return root;
}

test("log lists commits newest first, follows a renamed file, and leaves out reviews and triage logs", async (t) => {
  const root = project(t);
  const withheld = (file: string): boolean => file === "review.md";
  const file = await run(root, { verb: "log", path: "src/new.ts", count: 10, revision: "HEAD" });
  assert.equal(file.error, null);
  assert.match(
    file.output,
    /^[0-9a-f]{7,} \d{4}-\d\d-\d\d A: Move one\(\) to src\n {2}R\d+ old\.ts -> src\/new\.ts\n[0-9a-f]+ .* A: First commit\n {2}A old\.ts$/,
  );
  assert.equal(file.receipt.verb, "log");
  assert.deepEqual(file.receipt.argv, ["log", "-n", "10", "HEAD", "--", "src/new.ts"]);
  const all = await run(root, { verb: "log", path: ".", count: 10, revision: "HEAD" }, { withheld });
  assert.doesNotMatch(all.output, /triage-log|review\.md/);
  const one = await run(root, { verb: "log", path: ".", count: 1, revision: "HEAD~1" });
  assert.match(one.output, /^[0-9a-f]+ \S+ A: First commit/);
});

test("blame says who last changed each line as committed, with the working file's own state in a note", async (t) => {
  const root = project(t);
  const clean = await run(root, { verb: "blame", file: "src/new.ts", from: 5, to: 6 });
  assert.equal(clean.error, null);
  assert.match(
    clean.output,
    /^5\t[0-9a-f]{10} \d{4}-\d\d-\d\d A\texport const three = 3;\n6\t[0-9a-f]{10} \S+ A\texport const four = 4;$/,
  );
  const [five, six] = clean.output.split("\n").map((line) => line.split("\t")[1]);
  assert.notEqual(five, six, "a renamed line keeps its commit");
  const open = new Map([[join(root, "src/new.ts"), "changed\n"]]);
  const edited = await run(root, { verb: "blame", file: "src/new.ts", from: 1, to: 1 }, { open });
  assert.match(edited.notes.join("\n"), /the working file differs from HEAD/);
});

test("diff compares the live text with a revision, and lists the changed files", async (t) => {
  const root = project(t);
  const open = new Map([[join(root, "src/new.ts"), "export function one() {\n  return 1;\n}\n"]]);
  const unsaved = await run(root, { verb: "diff", file: "src/new.ts", revision: "HEAD" }, { open });
  assert.match(
    unsaved.output,
    /^--- a\/src\/new\.ts\n\+\+\+ b\/src\/new\.ts\n@@ [^\n]+ @@[\s\S]*\n-export const four = 4;/,
  );
  assert.deepEqual((await run(root, { verb: "diff", file: "src/new.ts", revision: "HEAD" })).notes, ["no difference"]);
  git(root, "checkout", "-qb", "topic");
  write(root, { "keep.ts": "const other = 1;\n" });
  git(root, "commit", "-qam", "Change keep");
  assert.match((await run(root, { verb: "diff", file: ".", revision: "base" })).output, /^keep\.ts\n/);
  const masked = await run(root, { verb: "diff", file: "keep.ts", revision: "base" });
  assert.match(masked.output, /-const password = "\[REDACTED/);
  assert.match(masked.output, /\+const other = 1;/);
});

test("show gives a file as a revision holds it, or a commit's patch without reviews and logs; secrets masked", async (t) => {
  const root = project(t);
  const withheld = (file: string): boolean => file === "review.md";
  const old = await run(root, { verb: "show", file: "old.ts", revision: "HEAD~1" });
  assert.match(old.output, /^1\texport function one\(\) \{\n2\t {2}return 1;/);
  assert.match(
    (await run(root, { verb: "show", file: "old.ts", revision: "HEAD" })).error ?? "",
    /does not hold this file/,
  );
  const commit = await run(root, { verb: "show", file: ".", revision: "HEAD" }, { withheld });
  assert.match(commit.output, /Move one\(\) to src\n[\s\S]*\+export const four = 4;/);
  assert.doesNotMatch(commit.output, /is broken|verdict/);
  assert.deepEqual(commit.notes, ["2 files that are no source are left out"]);
  const first = await run(root, { verb: "show", file: ".", revision: "HEAD~1" }, { withheld });
  assert.match(first.output, /REDACTED/);
  assert.doesNotMatch(first.output, /s3cr3tPass99/);
  assert.match(
    (await run(root, { verb: "show", file: "review.md", revision: "HEAD" }, { withheld })).error ?? "",
    /review, not source/,
  );
});

test("show reads paths of a patch whatever prefixes the repository configures, and names with odd characters", async (t) => {
  const root = folderWith(t, {
    "a b.ts": "one\n",
    "ü.ts": "two\n",
    'q"uote.ts': "three\n",
    "review.md": "P0: broken\n",
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "odd names");
  git(root, "config", "diff.noprefix", "true");
  git(root, "config", "diff.mnemonicPrefix", "true");
  git(root, "config", "color.ui", "always");
  const { output, notes } = await run(
    root,
    { verb: "show", file: ".", revision: "HEAD" },
    { withheld: (file) => file === "review.md" },
  );
  assert.match(output, /\+one\n/);
  assert.match(output, /\+two\n?/);
  // A path that cannot be read for certain is left out, as a review is.
  assert.doesNotMatch(output, /three|broken/);
  assert.ok(!output.includes("\u001b"));
  assert.deepEqual(notes, ["2 files that are no source are left out"]);
});

const CALLS: readonly VerbCall[] = [
  { verb: "log", path: ".", count: 5, revision: "HEAD" },
  { verb: "log", path: "a.ts", count: 5, revision: "HEAD" },
  { verb: "blame", file: "a.ts", from: 1, to: 2 },
  { verb: "diff", file: "a.ts", revision: "HEAD" },
  { verb: "diff", file: "a.ts", revision: "base" },
  { verb: "diff", file: ".", revision: "base" },
  { verb: "show", file: "a.ts", revision: "HEAD" },
  { verb: "show", file: ".", revision: "HEAD" },
  { verb: "show", file: ".", revision: "HEAD~1" },
];

test("a hostile repository makes git run nothing: drivers, filters, hooks, monitors, pagers, aliases, signatures", async (t) => {
  const root = folderWith(t, { "a.ts": "one\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "one");
  write(root, {
    "a.ts": "one\ntwo\n",
    ".gitattributes": "*.ts filter=trap diff=trap merge=trap working-tree-encoding=UTF-8\n",
  });
  git(root, "add", "-A");
  git(root, "commit", "-qm", "two");
  write(root, { empty: "" });
  const marker = join(root, "..", `${root.split("/").at(-1)}-ran`);
  const trap = join(root, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`);
  chmodSync(trap, 0o755);
  for (const [key, value] of [
    ["filter.trap.clean", trap],
    ["filter.trap.smudge", trap],
    ["filter.trap.process", trap],
    ["filter.trap.required", "true"],
    ["diff.trap.command", trap],
    ["diff.trap.textconv", trap],
    ["diff.external", trap],
    ["merge.trap.driver", trap],
    ["core.fsmonitor", trap],
    ["core.pager", trap],
    ["pager.log", trap],
    ["pager.show", trap],
    ["pager.blame", trap],
    ["pager.diff", trap],
    ["core.editor", trap],
    ["core.sshCommand", trap],
    ["core.gitProxy", trap],
    ["core.hooksPath", join(root, "hooks")],
    ["gpg.program", trap],
    ["log.showSignature", "true"],
    ["alias.log", `!${trap}`],
    ["alias.cat-file", `!${trap}`],
    ["blame.ignoreRevsFile", join(root, "empty")],
    ["remote.origin.url", `ext::${trap}`],
    ["remote.origin.promisor", "true"],
    ["remote.origin.partialclonefilter", "blob:none"],
    ["extensions.partialClone", "origin"],
  ] as const)
    git(root, "config", key, value);
  write(root, { "hooks/post-index-change": `#!/bin/sh\necho hook >> '${marker}'\n`, "a.ts": "one\ntwo\nthree\n" });
  chmodSync(join(root, "hooks/post-index-change"), 0o755);
  const repository = createRepository({ root, liveText: () => undefined });
  for (const call of CALLS) {
    const done = await run(root, call);
    assert.equal(done.error, null, `${JSON.stringify(call)}: ${done.error}`);
    assert.notEqual(done.output, "");
  }
  const change = await repository.history.change();
  assert.equal(change?.complete, true);
  await repository.history.everHeld(["two"]);
  await repository.history.everNamed("a.ts");
  await repository.history.renamed("b.ts");
  await repository.history.ignores("a.ts");
  await repository.diff("a.ts");
  assert.equal(existsSync(marker), false, "a program of the repository ran");
  // The trap makes it fail, which is the point.
  assert.throws(() => git(root, "show", "HEAD"));
  assert.equal(existsSync(marker), true, "the traps are live: git alone runs them");
  rmSync(marker);
});

test("a missing object is an error, never a reason to fetch it", async (t) => {
  const root = folderWith(t, { "a.ts": "one\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "one");
  const blob = git(root, "rev-parse", "HEAD:a.ts").trim();
  const marker = join(root, "fetched");
  write(root, { "upload.sh": `#!/bin/sh\ntouch '${marker}'\nexit 1\n` });
  chmodSync(join(root, "upload.sh"), 0o755);
  git(root, "config", "remote.origin.url", root);
  git(root, "config", "remote.origin.uploadpack", join(root, "upload.sh"));
  git(root, "config", "remote.origin.promisor", "true");
  git(root, "config", "extensions.partialClone", "origin");
  rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  assert.notEqual((await run(root, { verb: "show", file: "a.ts", revision: "HEAD" })).error, null);
  assert.notEqual((await run(root, { verb: "blame", file: "a.ts", from: 1, to: 1 })).error, null);
  assert.equal(existsSync(marker), false);
});

const WRONG_REVISIONS = [
  "",
  "-p",
  "--output=x",
  "--all",
  "HEAD..main",
  "a b",
  "HEAD:a.ts",
  "HEAD^{tree}",
  "main@{upstream}",
  ":/fix",
  "HEAD\n--output=x",
  "/etc/passwd",
  "a//b",
  "x".repeat(300),
  "no-such-branch",
  "deadbeef",
];

test("a word that is no revision of the repository is refused before git takes it for anything else", async (t) => {
  const root = project(t);
  for (const revision of WRONG_REVISIONS) {
    for (const call of [
      { verb: "log", path: ".", count: 1, revision },
      { verb: "diff", file: "keep.ts", revision },
      { verb: "show", file: ".", revision },
    ] as const) {
      const done = await run(root, call);
      assert.match(done.error ?? "", /no revision|no commit/, `${call.verb} ${JSON.stringify(revision)}`);
    }
  }
});

const OUTSIDE = [
  "../x",
  "/etc/passwd",
  ".git/config",
  ".skeptical-triage/triage-log.jsonl",
  "a/../../x",
  "~/x",
  "x\0y",
];

test("a path outside of the source is refused by every git verb", async (t) => {
  const root = project(t);
  for (const path of OUTSIDE) {
    for (const call of [
      { verb: "log", path, count: 1, revision: "HEAD" },
      { verb: "blame", file: path, from: 1, to: 1 },
      { verb: "diff", file: path, revision: "HEAD" },
      { verb: "show", file: path, revision: "HEAD" },
    ] as const)
      assert.notEqual((await run(root, call)).error, null, `${call.verb} ${path}`);
  }
});

test("whatever a model gives as path and revision, a git verb answers, and writes nothing", async (t) => {
  const root = project(t);
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("-O/etc/passwd", "--", "-", "--output=pwned", "pwned", "keep.ts"),
  );
  await fc.assert(
    fc.asyncProperty(word, word, fc.constantFrom("log", "diff", "show", "blame"), async (path, revision, verb) => {
      const call =
        verb === "log"
          ? ({ verb, path, count: 1, revision } as const)
          : verb === "blame"
            ? ({ verb, file: path, from: 1, to: 1 } as const)
            : ({ verb, file: path, revision } as const);
      const done = await run(root, call);
      assert.ok(done.error !== null || done.receipt.exitCode === 0);
      assert.equal(existsSync(join(root, "pwned")), false);
    }),
    { numRuns: 40 },
  );
});

test("a folder without history gives errors in words", async (t) => {
  const root = folderWith(t, { "a.ts": "one\n" });
  for (const call of CALLS) assert.notEqual((await run(root, call)).error, null, call.verb);
});
