import assert from "node:assert/strict";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { runGate } from "../../../src/node/cli/gate.ts";
import { main } from "../../../src/node/cli/main.ts";
import { readExactly } from "../../../src/node/gate/bytes.ts";
import { gateRunOf } from "../../../src/node/gate/eventLog.ts";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function gate(...args: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main({
    argv: ["gate", ...args],
    prompts: path.resolve("prompts"),
    version: "0",
    streams: { stdout: { write: (text) => out.push(text) }, stderr: { write: (text) => err.push(text) } },
    signal: new AbortController().signal,
  });
  return { code, out: out.join(""), err: err.join("") };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "gate-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const REVIEW = "| src/a.ts | CRITICAL | perhaps |\r\n| src/a.ts:3 | WARNING | wrong |\r\nINFO: fine\r\n";
const GATED =
  "| src/a.ts | INFO (downgraded: hedge without evidence; original in r.md.orig) | perhaps |\r\n| src/a.ts:3 | WARNING | wrong |\r\nINFO: fine\r\n";

const WRONG: readonly (readonly string[])[] = [
  [],
  ["scan"],
  ["validate"],
  ["check", "r.md"],
  ["scan", "a", "b"],
  ["scan", "a", "--all"],
  ["scan", ""],
  ["--nope"],
];
for (const args of WRONG) {
  test(`R3.14: 'gate ${args.join(" ")}' prints the usage on standard error and exits with 1`, async () => {
    const { code, out, err } = await gate(...args);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /Usage: .*gate validate\|scan FILE/);
  });
}

test("R3.14: a file that is missing or a folder is an error with exit 1", async () => {
  await inFolder(async (folder) => {
    for (const action of ["scan", "validate"]) {
      for (const name of [path.join(folder, "absent.md"), folder]) {
        const { code, out, err } = await gate(action, name);
        assert.deepEqual([code, out], [1, ""], name);
        assert.notEqual(err, "");
      }
    }
  });
});

test("R3.15, R3.28: scan says each downgrade with its line, then the counts, and changes nothing", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "r.md");
    await writeFile(file, REVIEW);
    assert.deepEqual(await gate("scan", file), {
      code: 0,
      out: `Evidence validation: ${file}\n  DOWNGRADE: CRITICAL → INFO (hedge_without_evidence) [line 1]\nFindings: 3 | Downgrades: 1\n`,
      err: "",
    });
    assert.deepEqual(await readdir(folder), ["r.md"]);
    assert.equal(await readFile(file, "utf8"), REVIEW);
  });
});

test("R3.26, R3.28: validate rewrites by rename, keeps the mode, and leaves a copy with the original's mode and times", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "r.md");
    await writeFile(file, REVIEW);
    await chmod(file, 0o640);
    await utimes(file, 1_600_000_000.25, 1_600_000_001.5);
    const before = await stat(file);
    const { code, out, err } = await gate("validate", file);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /\n {2}Rewritten: 1 severity; the original is r\.md\.orig\nFindings: 3 \| Downgrades: 1\n$/);
    assert.equal(await readFile(file, "utf8"), GATED);
    const [after, copy] = [await stat(file), await stat(`${file}.orig`)];
    assert.equal(await readFile(`${file}.orig`, "utf8"), REVIEW);
    assert.deepEqual([after.mode, copy.mode], [before.mode, before.mode]);
    assert.equal(copy.mtimeMs, before.mtimeMs);
    assert.notEqual(after.ino, before.ino);
    assert.deepEqual((await readdir(folder)).sort(), ["r.md", "r.md.orig"]);
  });
});

test("R3.27: a second validate exits with 1, says 0 downgrades, and touches neither file", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "r.md");
    await writeFile(file, REVIEW);
    await gate("validate", file);
    const before = [await stat(file), await stat(`${file}.orig`)];
    const { code, out } = await gate("validate", file);
    assert.deepEqual([code, out], [1, `Evidence validation: ${file}\nFindings: 3 | Downgrades: 0\n`]);
    assert.deepEqual(
      [await stat(file), await stat(`${file}.orig`)].map(({ ino, mtimeMs }) => [ino, mtimeMs]),
      before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
    );
  });
});

test("R3.16: what cannot be read exits with 3, warns on standard error, and leaves the file alone", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "r.md");
    await writeFile(file, "- [CRITICAL] src/a.ts:3 leaks\n");
    for (const action of ["scan", "validate"]) {
      const { code, out, err } = await gate(action, file);
      assert.deepEqual([code, out], [3, `Evidence validation: ${file}\nFindings: 0 | Downgrades: 0\n`]);
      assert.match(err, /no finding could be read/);
    }
    assert.deepEqual(await readdir(folder), ["r.md"]);
  });
});

test("R3.26: a symbolic link under the file's or the copy's name is refused and nothing is changed", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "r.md");
    const link = path.join(folder, "link.md");
    const other = path.join(folder, "other.md");
    await writeFile(file, REVIEW);
    await writeFile(other, "precious");
    await symlink(file, link);
    await symlink(other, `${file}.orig`);
    for (const name of [link, file]) {
      const { code, out, err } = await gate("validate", name);
      assert.notEqual(code, 0);
      assert.equal(out, "");
      assert.match(err, /symbolic link/);
    }
    assert.equal(await readFile(file, "utf8"), REVIEW);
    assert.equal(await readFile(other, "utf8"), "precious");
    assert.ok((await lstat(link)).isSymbolicLink() && (await lstat(`${file}.orig`)).isSymbolicLink());
    assert.equal((await gate("scan", link)).code, 0);
  });
});

const TEXTS: readonly [what: string, bytes: Buffer][] = [
  [
    "broken UTF-8",
    Buffer.concat([
      Buffer.from("é\xff ", "latin1"),
      Buffer.from("ü\nCRITICAL: x "),
      Buffer.from([0xc3, 0x28, 0x80, 0xed, 0xa0, 0x80]),
    ]),
  ],
  ["UTF-8 with a mark", Buffer.from("\ufeffCRITICAL: x 😀\n")],
  ["UTF-16 little endian", Buffer.from("\ufeffCRITICAL: ü\n", "utf16le")],
  ["UTF-16 big endian", Buffer.from("\ufeffCRITICAL: ü\n", "utf16le").swap16()],
  ["a NUL", Buffer.from("CRITICAL: \0\n")],
];
for (const [what, bytes] of TEXTS) {
  test(`R3.26: every other byte stays: ${what}`, async () => {
    await inFolder(async (folder) => {
      const exact = readExactly(bytes);
      assert.deepEqual(exact.encode(exact.text), bytes);
      const file = path.join(folder, "r.md");
      await writeFile(file, bytes);
      assert.equal((await gate("validate", file)).code, 0);
      const words = exact.encode("INFO (downgraded: no evidence; original in r.md.orig)");
      const at = bytes.indexOf(exact.encode("CRITICAL"));
      const rest = bytes.subarray(at + exact.encode("CRITICAL").length);
      assert.deepEqual(await readFile(file), Buffer.concat([bytes.subarray(0, at), words, rest]));
      assert.deepEqual(await readFile(`${file}.orig`), bytes);
    });
  });
}

async function inRun(work: (file: string, root: string) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    const folder = path.join(root, ".archeflow/artifacts/2026-04-03-auth");
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, "check-guardian.md");
    await writeFile(file, "CRITICAL: a\n\nWARNING: perhaps\n");
    await work(file, root);
  });
}

test("R3.29: for a run's artifact one event a downgraded finding is appended, in the shape of the log", async () => {
  await inRun(async (file, root) => {
    const log = path.join(root, ".archeflow/events/2026-04-03-auth.jsonl");
    await mkdir(path.dirname(log));
    await writeFile(log, '{"seq":1}\n');
    const streams = { stdout: { write: () => true }, stderr: { write: () => true } };
    const now = (): Date => new Date("2026-04-03T10:00:00.123Z");
    const code = await runGate({ kind: "gate", action: "validate", file, workspace: null }, streams, now);
    assert.equal(code, 0);
    const [, first, second, ...more] = (await readFile(log, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(more, []);
    assert.deepEqual(first, {
      ts: "2026-04-03T10:00:00Z",
      run_id: "2026-04-03-auth",
      seq: 2,
      parent: [],
      type: "evidence.downgrade",
      phase: "check",
      agent: "guardian",
      data: { from: "CRITICAL", to: "INFO", reason: "no_evidence", line: 1, file, archetype: "guardian" },
    });
    assert.deepEqual([second.seq, second.data.reason, second.data.line], [3, "hedge_without_evidence", 3]);
  });
});

test("R3.29: scan writes no event; a log that cannot be written never fails the gate", async () => {
  await inRun(async (file, root) => {
    assert.equal((await gate("scan", file)).code, 0);
    assert.deepEqual(await readdir(path.join(root, ".archeflow")), ["artifacts"]);
    await writeFile(path.join(root, ".archeflow/events"), "in the way");
    const { code, err } = await gate("validate", file);
    assert.equal(code, 0);
    assert.match(err, /event log/);
  });
});

test("R3.29: an events file that is a symbolic link is not written through", async () => {
  await inRun(async (file, root) => {
    await mkdir(path.join(root, ".archeflow/events"));
    const target = path.join(root, "target");
    await writeFile(target, "");
    await symlink(target, path.join(root, ".archeflow/events/2026-04-03-auth.jsonl"));
    assert.equal((await gate("validate", file)).code, 0);
    assert.equal(await readFile(target, "utf8"), "");
  });
});

test("R3.29: only that path shape names a run", () => {
  assert.deepEqual(gateRunOf("/w/.archeflow/artifacts/r1/check-sage.md"), { root: "/w", run: "r1", role: "sage" });
  for (const file of [
    "/w/r.md",
    "/w/.archeflow/artifacts/check-sage.md",
    "/w/.archeflow/artifacts/r1/sage.md",
    "/w/.archeflow/artifacts/../check-x.md",
    "/w/.archeflow/artifacts/a/b/check-x.md",
  ]) {
    assert.equal(gateRunOf(file), null, file);
  }
});

test("R3.30: with a workspace the places that do not exist follow in a section of their own; lines and exit code stay", async () => {
  await inFolder(async (folder) => {
    await mkdir(path.join(folder, "src"));
    await writeFile(path.join(folder, "src/a.ts"), "one\n");
    const file = path.join(folder, "r.md");
    await writeFile(file, "CRITICAL: see src/a.ts:1, src/a.ts:42 and `src/x.ts:7`\n");
    const plain = await gate("scan", file);
    const { code, out } = await gate("scan", file, "--workspace", folder);
    assert.deepEqual([plain.code, code], [1, 1]);
    assert.ok(out.startsWith(plain.out));
    assert.deepEqual(out.slice(plain.out.length).split("\n"), [
      `Places: 3 cited | 2 not found in ${folder}`,
      "  NOT FOUND: src/a.ts:42 (the file has 1 line) [line 1]",
      "  NOT FOUND: src/x.ts:7 (no such file) [line 1]",
      "",
    ]);
    const nowhere = await gate("scan", file, "--workspace", path.join(folder, "absent"));
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.out, /Places: .*could not be looked into/);
  });
});

test("ruling 33: names with terminal escapes are written out", async () => {
  const { err } = await gate("scan", "\u001b[31mr.md");
  assert.ok(!err.includes("\u001b"));
});
