import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { type TestContext } from "node:test";
import { createMask } from "../../../src/node/mask/mask.ts";
import { sha256 } from "../../../src/node/hash.ts";
import { createLog, type Appended, type TriageLog } from "../../../src/node/log/log.ts";
import { describeWriteError } from "../../../src/node/log/logFolder.ts";
import { readLog, verifyLog } from "../../../src/node/log/readLog.ts";
import { folderWith, write } from "../repository/folder.ts";
import { DECIDED, TRIAGED } from "./entries.ts";

const INSIDE = ".skeptical-triage/triage-log.jsonl";

function logOf(root: string, session = "window-1", path = join(root, INSIDE)): TriageLog {
  let time = Date.UTC(2026, 0, 2);
  const now = (): Date => new Date((time += 1000));
  return createLog({ path, within: root, session, hash: sha256, now, mask: createMask() });
}

function written(done: Appended): Extract<Appended, { kind: "written" }> {
  assert.equal(done.kind, "written", done.kind === "failed" ? done.why : "");
  return done;
}

function start(t: TestContext, root: string, session: string, count: number) {
  const script = join(import.meta.dirname, "appender.ts");
  const child = spawn(process.execPath, [script, join(root, INSIDE), root, session, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

test("the first record makes the folder; a record is read again as it was written, each session a chain", async (t) => {
  const root = folderWith(t, {});
  const first = written(await logOf(root).append(TRIAGED));
  const second = written(await logOf(root, "window-2").append(DECIDED));
  assert.deepEqual([first.line, second.line], [1, 2]);
  const { records, problems } = await readLog(join(root, INSIDE));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    records.map(({ record, line }) => [record.kind, record.session, record.seq, record.prev, record.after, line]),
    [
      ["triaged", "window-1", 1, null, null, 1],
      ["decided", "window-2", 1, null, first.record.hash, 2],
    ],
  );
  assert.deepEqual(records[0]?.record, first.record);
  assert.equal(readFileSync(join(root, INSIDE), "utf8").at(-1), "\n");
});

test("appends of one log that are started together follow each other", async (t) => {
  const root = folderWith(t, {});
  const log = logOf(root);
  const done = await Promise.all(Array.from({ length: 20 }, async () => log.append(TRIAGED)));
  assert.deepEqual(
    done.map((appended) => written(appended).record.seq),
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  assert.deepEqual(await verifyLog(join(root, INSIDE)), { records: 20, sessions: 1, tornTail: false, problem: null });
});

test("a worker that comes back with its session's name goes on with its chain (ruling 20)", async (t) => {
  const root = folderWith(t, {});
  const before = written(await logOf(root).append(TRIAGED));
  const after = written(await logOf(root).append(DECIDED));
  assert.deepEqual([after.record.seq, after.record.prev], [2, before.record.hash]);
  assert.equal(after.record.chain, before.record.chain);
});

test("three processes append at once: nothing is torn, every chain is whole (ruling 24)", async (t) => {
  const root = folderWith(t, {});
  const children = ["a", "b", "c"].map((session) => start(t, root, session, 40));
  for (const child of children) child.stdout.resume();
  const codes = await Promise.all(children.map(async (child): Promise<unknown[]> => once(child, "exit")));
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0, 0],
  );
  assert.deepEqual(await verifyLog(join(root, INSIDE)), { records: 120, sessions: 3, tornTail: false, problem: null });
});

test(
  "killing a writer at any moment loses no acknowledged record, and the next writer goes on",
  { timeout: 60_000 },
  async (t) => {
    const root = folderWith(t, {});
    const acknowledged: string[] = [];
    for (const stopAt of [3, 17, 30]) {
      const child = start(t, root, `killed-at-${stopAt}`, 10_000);
      const exit = once(child, "exit");
      let count = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged.push(line);
        count += 1;
        if (count === stopAt) child.kill("SIGKILL");
      }
      await exit;
    }
    const after = written(await logOf(root).append(TRIAGED));
    const { records } = await readLog(join(root, INSIDE));
    const found = new Set(records.map(({ record }) => record.hash));
    assert.ok(acknowledged.length >= 50);
    assert.deepEqual(
      acknowledged.filter((hash) => !found.has(hash)),
      [],
    );
    assert.equal((await verifyLog(join(root, INSIDE))).problem, null);
    assert.equal(records.at(-1)?.record.hash, after.record.hash);
    assert.equal(records.at(-1)?.line, after.line);
  },
);

test("a torn tail is tolerated, reported, closed by the next writer and from then on guarded", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, INSIDE);
  const log = logOf(root);
  await log.append(TRIAGED);
  const whole = readFileSync(path, "utf8");
  appendFileSync(path, whole.slice(0, 200));
  assert.deepEqual(await verifyLog(path), { records: 1, sessions: 1, tornTail: true, problem: null });
  assert.deepEqual((await readLog(path)).problems, [{ line: 2, why: "It is not a complete record." }]);
  const next = written(await log.append(DECIDED));
  assert.equal(next.line, 3);
  assert.equal(next.record.torn, sha256(whole.slice(0, 200)));
  assert.deepEqual(await verifyLog(path), { records: 2, sessions: 1, tornTail: false, problem: null });
  assert.equal((await readLog(path)).records.length, 2);
  writeFileSync(path, readFileSync(path, "utf8").replace(`\n${whole.slice(0, 200)}\n`, `\n${whole.slice(0, 199)}\n`));
  assert.equal((await verifyLog(path)).problem?.line, 2);
});

test("a last line whose line end an editor removed is a record, and the next one starts a new line", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, INSIDE);
  const log = logOf(root);
  await log.append(TRIAGED);
  writeFileSync(path, readFileSync(path, "utf8").trimEnd());
  const second = written(await log.append(DECIDED));
  const third = written(await log.append(DECIDED));
  assert.deepEqual([second.line, third.line, second.record.torn], [2, 3, null]);
  assert.deepEqual(await verifyLog(path), { records: 3, sessions: 1, tornTail: false, problem: null });
});

test("a log that was turned to Windows line ends by a checkout is intact and can be written on", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, INSIDE);
  const log = logOf(root);
  await log.append(TRIAGED);
  await log.append(DECIDED);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", "\r\n"));
  assert.equal(written(await log.append(TRIAGED)).record.seq, 3);
  assert.deepEqual(await verifyLog(path), { records: 3, sessions: 1, tornTail: false, problem: null });
});

test("branches that were written apart can be merged line by line, in either order", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, INSIDE);
  const log = logOf(root);
  await log.append(TRIAGED);
  const base = readFileSync(path, "utf8");
  await log.append(DECIDED);
  await logOf(root, "window-2").append(TRIAGED);
  const ours = readFileSync(path, "utf8").slice(base.length);
  // The branch is switched under the open window: its chain may not go on from a record that is not in this file.
  writeFileSync(path, "");
  const begun = written(await log.append(TRIAGED));
  assert.deepEqual([begun.record.seq, begun.record.prev], [1, null]);
  await log.append(DECIDED);
  const theirs = readFileSync(path, "utf8");
  for (const merged of [base + ours + theirs, theirs + base + ours]) {
    writeFileSync(path, merged);
    assert.deepEqual(await verifyLog(path), { records: 5, sessions: 2, tornTail: false, problem: null });
  }
  writeFileSync(path, `${base}<<<<<<< ours\n${ours}=======\n${theirs}>>>>>>> theirs\n`);
  const { problem } = await verifyLog(path);
  assert.equal(problem?.line, 2);
  assert.match(problem.why, /merge conflict/);
});

test("R1.33: no secret and no code get into the file, whoever wrote the sentence", async (t) => {
  const root = folderWith(t, {});
  const secret = ["ghp", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"].join("_");
  const code = "const total = items.reduce((sum, item) => sum + item.price, 1);";
  const dirty = `It runs ${code} and \`readSecret(1)\` with ${secret}`;
  const entry = {
    ...TRIAGED,
    rounds: TRIAGED.rounds.map((round) => ({ ...round, crux: dirty })),
    because: [{ rule: "C4", text: dirty }],
    arbiter: { verdict: "VALID" as const, crux: dirty, overrideRejected: true, reason: dirty },
  };
  written(await logOf(root).append(entry, [code]));
  written(await logOf(root).append({ ...DECIDED, reason: dirty }, [code]));
  const text = readFileSync(join(root, INSIDE), "utf8");
  for (const leak of [secret, "items.reduce", "readSecret", "item.price"]) assert.ok(!text.includes(leak), leak);
  assert.equal((await verifyLog(join(root, INSIDE))).problem, null);
});

test("R0.24: the row beside the log has the old shape, member for member, and no chain", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, ".great_cto/triage-log.jsonl");
  const compatible = { path, caller: "review" as const };
  const log = createLog({
    path: join(root, INSIDE),
    within: root,
    session: "s",
    hash: sha256,
    now: () => new Date(Date.UTC(2026, 0, 2)),
    mask: createMask(),
    compatible,
  });
  assert.equal(written(await log.append(TRIAGED)).note, null);
  await log.append(DECIDED);
  assert.deepEqual(
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
    [
      {
        timestamp: "2026-01-02T00:00:00.000Z",
        caller: "review",
        finding_id: TRIAGED.key,
        file: "src/cart.ts:14",
        original_severity: "P1",
        rounds: [
          { round: 1, verdict: "VALID", crux: "The sum starts at one" },
          { round: 2, verdict: "INVALID", crux: "The caller subtracts it", grep_used: true },
        ],
        arbiter: { verdict: "INVALID", crux: "The caller subtracts it" },
        confidence: 0.5,
        final_severity: "P1",
      },
    ],
  );
});

test("a row that cannot be written beside it does not undo the record, and is said", async (t) => {
  const root = folderWith(t, { ".great_cto": "a file" });
  const compatible = { path: join(root, ".great_cto/triage-log.jsonl"), caller: "review" as const };
  const options = {
    path: join(root, INSIDE),
    within: root,
    session: "s",
    hash: sha256,
    mask: createMask(),
    compatible,
  };
  const done = written(await createLog({ ...options, now: () => new Date(0) }).append(TRIAGED));
  assert.match(done.note ?? "", /triage-log\.jsonl was not written: a file stands/);
});

test("a link instead of the log or its folder is refused, wherever it leads, and nothing is written there", async (t) => {
  const outside = folderWith(t, { "target.jsonl": "" });
  const linkedFolder = folderWith(t, {});
  symlinkSync(outside, join(linkedFolder, ".skeptical-triage"));
  const linkedFile = folderWith(t, { ".skeptical-triage/x": "" });
  symlinkSync(join(outside, "target.jsonl"), join(linkedFile, INSIDE));
  const dangling = folderWith(t, { ".skeptical-triage/x": "" });
  symlinkSync(join(outside, "new.jsonl"), join(dangling, INSIDE));
  for (const root of [linkedFolder, linkedFile, dangling]) {
    const done = await logOf(root).append(TRIAGED);
    assert.equal(done.kind, "failed");
    assert.match(done.kind === "failed" ? done.why : "", /was not written: .*link/);
  }
  assert.equal(readFileSync(join(outside, "target.jsonl"), "utf8"), "");
  assert.ok(!existsSync(join(outside, "new.jsonl")) && !existsSync(join(outside, "triage-log.jsonl")));
  assert.match((await verifyLog(join(linkedFile, INSIDE))).problem?.why ?? "", /link/);
});

test("a log that is a folder, or whose folder is a file, is refused with a sentence", async (t) => {
  const asFolder = folderWith(t, { [`${INSIDE}/x`]: "" });
  const asFile = folderWith(t, { ".skeptical-triage": "" });
  for (const root of [asFolder, asFile]) assert.equal((await logOf(root).append(TRIAGED)).kind, "failed");
});

const isRoot = process.getuid?.() === 0;
test(
  "a read-only folder is refused with a sentence that says what to do",
  { skip: isRoot && "root may write anywhere" },
  async (t) => {
    const root = folderWith(t, {});
    chmodSync(root, 0o555);
    const done = await logOf(root).append(TRIAGED);
    assert.match(done.kind === "failed" ? done.why : "", /read-only; choose the extension's own storage/);
  },
);

for (const [code, words] of [
  ["EROFS", /read-only/],
  ["EACCES", /read-only/],
  ["ENOSPC", /full/],
  ["ELOCKED", /another window/i],
  ["EIO", /EIO/],
] as const)
  test(`${code} is told in words`, () => {
    assert.match(describeWriteError(Object.assign(new Error(code), { code })), words);
  });

test("damaged lines are reported with their number and skipped; a kind of a newer version too", async (t) => {
  const root = folderWith(t, {});
  const path = join(root, INSIDE);
  const log = logOf(root);
  await log.append(TRIAGED);
  const body = `{"v":2,"kind":"weighed","session":"s","chain":"c","seq":1,"prev":null,"after":null,"torn":null,"at":"2026-01-02T00:00:00.000Z"`;
  appendFileSync(path, `garbage\n\n${body},"hash":"${sha256(`${body}}`)}"}\n`);
  const { records, problems } = await readLog(path);
  assert.equal(records.length, 1);
  assert.deepEqual(problems, [
    { line: 2, why: "It is not a complete record." },
    { line: 4, why: "A newer version wrote it." },
  ]);
});

test("no log is an intact, empty log", async (t) => {
  const root = folderWith(t, {});
  write(root, { "a.ts": "" });
  assert.deepEqual(await verifyLog(join(root, INSIDE)), { records: 0, sessions: 0, tornTail: false, problem: null });
});
