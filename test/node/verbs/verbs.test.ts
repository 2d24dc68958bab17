import assert from "node:assert/strict";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { delimiter, join } from "node:path";
import test, { type TestContext } from "node:test";
import * as fc from "fast-check";
import type { VerbCall, VerbRun, Verbs } from "../../../src/core/ports.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { findProgram } from "../../../src/node/program.ts";
import { createRepository } from "../../../src/node/repository/repository.ts";
import { createVerbs } from "../../../src/node/verbs/verbs.ts";
import { folderWith, write } from "../repository/folder.ts";

const never = new AbortController().signal;
const PASSWORD = "s3cr3tPass";

interface Setup {
  readonly ripgrep: string | null;
  readonly open?: ReadonlyMap<string, string>;
  readonly withheld?: (file: string) => boolean;
}

function verbsOf(root: string, { ripgrep, open = new Map(), ...rest }: Setup): Verbs {
  const liveText = (path: string): string | undefined => open.get(path);
  const repository = createRepository({ root, liveText, liveFiles: () => [...open.keys()] });
  let time = 0;
  const now = (): Date => new Date((time += 5));
  return createVerbs({ root, repository, ripgrep, mask: createMask(), now, hash: sha256, ...rest });
}

const rg = await findProgram("rg", process.env["PATH"], "/nowhere");
const ENGINES: readonly (readonly [name: string, ripgrep: string | null, skip: string | false])[] = [
  ["ripgrep", rg, rg === null && "ripgrep is not on PATH"],
  ["the search without ripgrep", null, false],
];

const withheld = (file: string): boolean => file === "review.md";
const grep = (pattern: string, path = "", literal = true): VerbCall => ({ verb: "grep", pattern, path, literal });
const read = (file: string, from = 1, to = 10): VerbCall => ({ verb: "read", file, from, to });
const places = (run: VerbRun): readonly string[] => run.hits.map((hit) => `${hit.file}:${hit.line}`);

function project(t: TestContext): string {
  return folderWith(t, {
    ".gitignore": "dist/\n",
    "src/a.ts": `export function load() {\n  const password = "${PASSWORD}";\n  return load(password);\n}\n`,
    "src/b.ts": "import { load } from './a';\nload();\n",
    "dist/out.js": "onlyBuilt();\n",
    ".hidden/x.ts": "onlyHidden();\n",
    "node_modules/p/index.js": "onlyInstalled();\n",
    ".git/config": "token = onlyGit\n",
    ".skeptical-triage/triage-log.jsonl": '{"verdict":"onlyLog"}\n',
    "review.md": "P0: load is broken\n",
  });
}

test("read gives numbered lines with secrets masked, and a receipt that can be checked (design 6)", async (t) => {
  const run = await verbsOf(project(t), { ripgrep: null }).run(read("src/a.ts", 1, 3), "round-1", never);
  assert.equal(run.error, null);
  assert.equal(
    run.output,
    '1\texport function load() {\n2\t  const password = "[REDACTED:password#1]";\n3\t  return load(password);',
  );
  const { id, ...receipt } = run.receipt;
  assert.match(id, /^read-[0-9a-f]{12}$/);
  assert.deepEqual(receipt, {
    verb: "read",
    argv: ["read", "src/a.ts", "1-3"],
    cwd: ".",
    exitCode: 0,
    durationMs: 5,
    outputHash: sha256(run.output),
    truncated: false,
    lines: run.output.split("\n"),
    by: "round-1",
  });
});

test("read gives at most 400 lines a call and says which it left out", async (t) => {
  const root = folderWith(t, { "long.ts": Array.from({ length: 900 }, (_, at) => `line ${at + 1}`).join("\n") });
  const run = await verbsOf(root, { ripgrep: null }).run(read("long.ts", 101, 900), "check", never);
  const lines = run.output.split("\n");
  assert.equal(lines.length, 400);
  assert.equal(lines[0], "101\tline 101");
  assert.deepEqual(run.notes, ["lines 501-900 are not shown: at most 400 lines a call"]);
  assert.equal(run.receipt.truncated, true);
  assert.match(run.receipt.lines.join("\n"), /… 340 more lines/);
});

test("an endless line is cut in the output and says how long it is", async (t) => {
  const root = folderWith(t, { "min.js": "x".repeat(50_000) });
  const run = await verbsOf(root, { ripgrep: null }).run(read("min.js"), "check", never);
  assert.deepEqual(run.notes, [
    "cut after 1000 characters: line 1 of this output, 50002 characters",
    "the file ends at line 1",
  ]);
  assert.match(run.output, /^1\tx{998}$/);
  assert.match(run.receipt.lines[0] ?? "", /… \[line cut, 50002 characters\]/);
});

test("a key of many lines is masked also where only its middle is read", async (t) => {
  const body = Array.from({ length: 6 }, (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${at}`).join("\n");
  const kind = ["PRIVATE", "KEY"].join(" ");
  const pem = `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;
  const verbs = verbsOf(folderWith(t, { "key.pem": pem }), { ripgrep: rg });
  const run = await verbs.run(read("key.pem", 3, 5), "check", never);
  assert.equal(run.output, "3\t\n4\t\n5\t");
  const found = await verbs.run(grep("MIIEvQ"), "check", never);
  assert.ok(!found.output.includes("MIIE") || found.hits.every((hit) => !hit.text.includes("MIIE")));
});

const READ_ERRORS: readonly (readonly [VerbCall, RegExp])[] = [
  [read("gone.ts"), /no text file gone\.ts/],
  [read("src"), /no text file src/],
  [read("../x"), /climbs out/],
  [read("/etc/passwd"), /absolute/],
  [read(".git/config"), /not part of the source/],
  [read(".skeptical-triage/triage-log.jsonl"), /not part of the source/],
  [read("src/a.ts", 9, 3), /no range/],
  [read("src/a.ts", Number.NaN, 3), /no range/],
  [read("src/b.ts", 50, 60), /past the end: it has 3 lines/],
  [read("review.md"), /review, not source/],
  [grep("x", "review.md"), /review, not source/],
  [grep(""), /empty/],
  [grep("a\nb"), /line end or a NUL/],
  [grep("a\0b"), /line end or a NUL/],
  [grep("x".repeat(5000)), /longer than 1000/],
  [grep("x", "gone"), /no gone in the workspace/],
  [grep("x", "../"), /climbs out/],
];
for (const [call, message] of READ_ERRORS)
  test(`${call.verb} of ${JSON.stringify(call).slice(0, 70)} is an error with a receipt, not a throw`, async (t) => {
    const run = await verbsOf(project(t), { ripgrep: rg, withheld }).run(call, "round-2", never);
    assert.match(run.error ?? "", message);
    assert.equal(run.output, run.error);
    assert.equal(run.receipt.exitCode, null);
    assert.deepEqual(run.hits, []);
  });

for (const [engine, ripgrep, skip] of ENGINES) {
  test(`${engine} finds lines in order, masked, with file and line`, { skip }, async (t) => {
    const run = await verbsOf(project(t), { ripgrep }).run(grep("load("), "round-2", never);
    assert.deepEqual(places(run), ["src/a.ts:1", "src/a.ts:3", "src/b.ts:2"]);
    assert.equal(run.output.split("\n")[0], "src/a.ts:1: export function load() {");
    assert.equal(run.receipt.exitCode, 0);
    const secret = await verbsOf(project(t), { ripgrep }).run(grep("const password"), "round-2", never);
    assert.equal(secret.hits[0]?.text, '  const password = "[REDACTED:password#1]";');
    assert.ok(!JSON.stringify(secret).includes(PASSWORD));
  });

  test(`${engine} looks into ignored and hidden files before it says that there is nothing`, { skip }, async (t) => {
    const verbs = verbsOf(project(t), { ripgrep });
    for (const [pattern, place] of [
      ["onlyBuilt", "dist/out.js:1"],
      ["onlyHidden", ".hidden/x.ts:1"],
      ["onlyInstalled", "node_modules/p/index.js:1"],
    ] as const)
      assert.deepEqual(places(await verbs.run(grep(pattern), "check", never)), [place]);
    const absent = await verbs.run(grep("nowhere_at_all"), "check", never);
    assert.equal(absent.error, null);
    assert.equal(absent.receipt.exitCode, 1);
    const passes = absent.receipt.lines.filter((line) => line.startsWith("[0 hits: "));
    assert.equal(passes.length, 2);
    assert.ok(passes[1]?.includes("--no-ignore") && passes[1].includes("--hidden"));
    assert.match(absent.notes.join("\n"), /no hit; binary files/);
    assert.equal(absent.output, "");
  });

  test(`${engine} never shows git's store, the triage log or a review (ruling 17)`, { skip }, async (t) => {
    const verbs = verbsOf(project(t), { ripgrep, withheld });
    for (const pattern of ["onlyGit", "onlyLog", "P0: load"])
      assert.deepEqual(places(await verbs.run(grep(pattern), "round-1", never)), [], pattern);
  });

  test(`${engine} searches the live text of a file with unsaved changes, not the disk`, { skip }, async (t) => {
    const root = project(t);
    const open = new Map([
      [join(root, "src/b.ts"), "\n\nunsavedCall();\n"],
      [join(root, "src/new.ts"), "unsavedCall();"],
    ]);
    const verbs = verbsOf(root, { ripgrep, open });
    assert.deepEqual(places(await verbs.run(grep("unsavedCall"), "check", never)), ["src/b.ts:3", "src/new.ts:1"]);
    assert.deepEqual(places(await verbs.run(grep("unsavedCall", "src/new.ts"), "check", never)), ["src/new.ts:1"]);
    assert.deepEqual(places(await verbs.run(grep("import {"), "check", never)), []);
  });

  test(`${engine} shows 200 hits and says how many there are`, { skip }, async (t) => {
    const root = folderWith(t, { "many.txt": "hit\n".repeat(750) });
    const run = await verbsOf(root, { ripgrep }).run(grep("hit"), "check", never);
    assert.equal(run.hits.length, 200);
    assert.match(run.notes.join("\n"), /750 hits in all, the first 200 are shown/);
    assert.equal(run.output.split("\n").length, 200);
    assert.equal(run.receipt.truncated, true);
  });

  test(`${engine} keeps to the path it was given`, { skip }, async (t) => {
    const verbs = verbsOf(project(t), { ripgrep });
    assert.deepEqual(places(await verbs.run(grep("load", "src/b.ts"), "check", never)), ["src/b.ts:1", "src/b.ts:2"]);
    assert.deepEqual(places(await verbs.run(grep("onlyBuilt", "src"), "check", never)), []);
    assert.deepEqual(places(await verbs.run(grep("onlyBuilt", "./dist/"), "check", never)), ["dist/out.js:1"]);
  });

  test(`${engine} follows no link out of the workspace, however it is asked`, { skip }, async (t) => {
    const outside = folderWith(t, { "deep/secret.txt": "OUTSIDE_SECRET\n" });
    const root = folderWith(t, { "a.txt": "inside OUTSIDE\n", "sub/b.txt": "x\n", "--pre=touch": "x\n", "-e": "y\n" });
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "deep/secret.txt"), join(root, "sub/file"));
    symlinkSync("..", join(root, "sub/up"));
    const verbs = verbsOf(root, { ripgrep });
    const segment = fc.constantFrom(
      "out",
      "sub",
      "up",
      "file",
      "deep",
      "secret.txt",
      "..",
      ".",
      "",
      "a.txt",
      "-e",
      "--pre=touch",
    );
    const path = fc.oneof(
      fc.array(segment, { maxLength: 6 }).map((parts) => parts.join("/")),
      fc.constantFrom(outside, join(outside, "deep/secret.txt"), "--follow", "-L", `${root}/../`),
      fc.string({ maxLength: 12 }),
    );
    const pattern = fc.oneof(
      fc.constantFrom(
        "OUTSIDE",
        "SECRET",
        "--follow",
        "-L",
        "--pre=cat",
        "-f/etc/passwd",
        "--files",
        "-",
        "--",
        "$(id)",
        "a{1000}{1000}",
        "(",
        "[",
        ".*",
      ),
      fc.string({ maxLength: 30 }),
    );
    const call = fc.oneof(
      fc.record({ verb: fc.constant("grep" as const), pattern, path, literal: fc.boolean() }),
      fc.record({ verb: fc.constant("read" as const), file: path, from: fc.constant(1), to: fc.constant(5) }),
    );
    await fc.assert(
      fc.asyncProperty(call, async (asked) => {
        const run = await verbs.run(asked, "round-3", never);
        assert.ok(!run.output.includes("OUTSIDE_SECRET"));
        assert.ok(!run.output.includes("root:x:0"));
        for (const hit of run.hits) assert.match(hit.file, /^(?:a\.txt|sub\/b\.txt|--pre=touch|-e)$/);
        if (run.error === null) assert.equal(run.receipt.cwd, ".");
      }),
      { numRuns: 60 },
    );
  });
}

test("an expression is searched by ripgrep, and letter by letter without it, which is said", async (t) => {
  const root = folderWith(t, { "a.ts": "value12\nvalue\\d+\n" });
  if (rg !== null)
    assert.deepEqual(
      places(await verbsOf(root, { ripgrep: rg }).run(grep(String.raw`value\d+`, "", false), "check", never)),
      ["a.ts:1"],
    );
  const plain = await verbsOf(root, { ripgrep: null }).run(grep(String.raw`value\d+`, "", false), "check", never);
  assert.deepEqual(places(plain), ["a.ts:2"]);
  assert.match(plain.notes.join("\n"), /letter by letter/);
});

test("a broken expression is an error that says what is wrong", { skip: rg === null }, async (t) => {
  const run = await verbsOf(project(t), { ripgrep: rg }).run(grep("load(", "", false), "check", never);
  assert.match(run.error ?? "", /unclosed group/);
});

test("a ripgrep that cannot be started is replaced by the search without it", async (t) => {
  const run = await verbsOf(project(t), { ripgrep: "/nowhere/rg" }).run(grep("load("), "check", never);
  assert.deepEqual(places(run), ["src/a.ts:1", "src/a.ts:3", "src/b.ts:2"]);
});

test("an expression in an unsaved file is searched as an expression", { skip: rg === null }, async (t) => {
  const root = project(t);
  const open = new Map([[join(root, "src/b.ts"), "x\ncall42()\n"]]);
  const run = await verbsOf(root, { ripgrep: rg, open }).run(grep(String.raw`call\d\d`, "src", false), "check", never);
  assert.deepEqual(places(run), ["src/b.ts:2"]);
});

test("cancelling rejects at once with the signal's reason and kills the search and what it started", async (t) => {
  const root = project(t);
  const survived = join(root, "survived");
  const slow = join(root, "rg");
  writeFileSync(slow, `#!/bin/sh\n(sleep 1; touch ${survived}) &\ntouch ${join(root, "started")}\nsleep 60\n`);
  chmodSync(slow, 0o755);
  const controller = new AbortController();
  const reason = new Error("cancelled by the person");
  const changes = watch(root);
  const running = verbsOf(root, { ripgrep: slow }).run(grep("x"), "round-1", controller.signal);
  for await (const change of changes) if (change.filename === "started") break;
  const start = performance.now();
  controller.abort(reason);
  await assert.rejects(running, reason);
  assert.ok(performance.now() - start < 500);
  await new Promise((resolve) => setTimeout(resolve, 1300));
  assert.equal(existsSync(survived), false);
});

test("a call on a cancelled signal rejects with its reason", async (t) => {
  const reason = new Error("gone");
  for (const ripgrep of [rg, null])
    await assert.rejects(verbsOf(project(t), { ripgrep }).run(grep("x"), "check", AbortSignal.abort(reason)), reason);
});

test("receipt ids differ from run to run and are the same for the same calls in the same order", async (t) => {
  const root = project(t);
  const ids = async (): Promise<readonly string[]> => {
    const verbs = verbsOf(root, { ripgrep: null });
    return [
      (await verbs.run(read("src/a.ts"), "check", never)).receipt.id,
      (await verbs.run(read("src/a.ts"), "check", never)).receipt.id,
    ];
  };
  const first = await ids();
  assert.equal(new Set(first).size, 2);
  assert.deepEqual(await ids(), first);
});

test("a program is not taken from the workspace or from a relative entry of the search path", async (t) => {
  const root = folderWith(t, { "node_modules/.bin/rg": "#!/bin/sh\n" });
  chmodSync(join(root, "node_modules/.bin/rg"), 0o755);
  const elsewhere = folderWith(t, {});
  symlinkSync(join(root, "node_modules/.bin/rg"), join(elsewhere, "rg"));
  const path = [join(root, "node_modules/.bin"), "node_modules/.bin", ".", elsewhere].join(delimiter);
  assert.equal(await findProgram("rg", path, root), null);
  write(elsewhere, { "bin/rg": "#!/bin/sh\n" });
  chmodSync(join(elsewhere, "bin/rg"), 0o755);
  assert.equal(
    await findProgram("rg", [path, join(elsewhere, "bin")].join(delimiter), root),
    join(elsewhere, "bin/rg"),
  );
});
