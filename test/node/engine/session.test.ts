import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { execa } from "execa";
import { type Method, USUAL_METHOD } from "../../../src/core/method.ts";
import { isOpen, stateOf } from "../../../src/node/engine/entry.ts";
import { openEngine } from "../../../src/node/engine/openEngine.ts";
import { createSeenLenses } from "../../../src/node/engine/seenLenses.ts";
import { untouchableBy } from "../../../src/node/engine/untouchable.ts";
import { verifyLog } from "../../../src/node/log/readLog.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { finding } from "../../support/arbitraries.ts";
import { opinionSays, refuterSays, type Script, scriptedReviewer } from "../../support/panelOf.ts";

const CODE = Array.from({ length: 12 }, (_, index) => `export const value${index} = read(${index});`);
const WRONGS = [
  "empty",
  "late",
  "negative",
  "doubled",
  "cut off",
  "stale",
  "null",
  "unsorted",
  "rounded",
  "shared",
  "huge",
  "lost",
];
const REVIEW = WRONGS.map((wrong, index) => `src/a.ts:${index + 1} | P2 | The value may be ${wrong} there`).join("\n");

async function open(t: TestContext, session: string, root: string, method: Partial<Method> = {}) {
  const said: string[] = [];
  const { engine, logPath } = await openEngine({
    root,
    ripgrep: null,
    liveText: () => undefined,
    liveFiles: () => [],
    mask: createMask(),
    now: () => new Date(),
    prompts: (id) => ({ id, version: 1, body: id, hash: "0".repeat(64) }),
    history: { storage: root, where: () => ({ logLocation: "workspace", compatibleRows: false }), session },
    checkers: null,
    concurrency: () => 2,
    severityMap: () => ({}),
    sourceRoots: () => ({}),
    budget: () => ({ calls: 6, bytes: 60_000 }),
    method: () => ({ ...USUAL_METHOD, strategy: "verdict", ...method }),
    costMode: () => "normal",
    untouchable: () => null,
    changed: () => undefined,
    log: (_level, text) => said.push(text),
  });
  await engine.restore();
  await engine.loadReviews([path.join(root, "review.txt")]);
  const keys = engine.entries().map((entry) => entry.finding.key);
  t.diagnostic(`${keys.length} findings`);
  return { engine, keys, said, logPath };
}

async function workspace(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "triage-session-"));
  const cache = await mkdtemp(path.join(tmpdir(), "triage-cache-"));
  process.env["XDG_CACHE_HOME"] = cache;
  t.after(async () => {
    for (const folder of [root, cache]) await rm(folder, { recursive: true, force: true });
  });
  await execa("mkdir", ["-p", path.join(root, "src")]);
  await writeFile(path.join(root, "src", "a.ts"), `${CODE.join("\n")}\n`);
  await writeFile(path.join(root, "review.txt"), `${REVIEW}\nVERDICT: BLOCK\n`);
  const git = async (...argv: string[]) =>
    await execa("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...argv], { cwd: root });
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-qm", "base");
  return root;
}

/** An opinion that looks, and dismisses a P2 with the given confidence and two lines. */
const dismissing = (verdictConfidence: number): Script => ({
  opinion: async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 12 });
    const evidenceRefs = [0, 1].map((index) => `src/a.ts:${index + 1}: ${CODE[index]}`);
    return opinionSays({ verdictConfidence, evidenceRefs });
  },
});

test("R1.26-R1.28: three dismissals in a row warn on the output channel and in the log, and raise the bar; a restart remembers, another branch does not", async (t) => {
  const root = await workspace(t);
  const first = await open(t, "window-1", root);
  assert.equal(first.keys.length, 12);
  const outcomes = async (
    { engine }: Awaited<ReturnType<typeof open>>,
    keys: readonly string[],
    confidence: number,
  ) => {
    for (const key of keys) await (await engine.triage([key], true, scriptedReviewer(dismissing(confidence)))).finished;
    return keys.map((key) => engine.entry(key)?.triaged?.outcome.mapped);
  };
  assert.deepEqual(await outcomes(first, first.keys.slice(0, 3), 0.8), Array(3).fill("DISMISS_VERIFIED"));
  assert.equal(first.said.filter((text) => text.startsWith("[DISMISS_PATTERN_WARN] streak=3 |")).length, 1);
  assert.equal(first.said.filter((text) => text.startsWith("[DISMISS_VERDICT] ")).length, 3);
  // 0.80 with two references was enough; now it takes 0.85 and three.
  assert.deepEqual(await outcomes(first, first.keys.slice(3, 4), 0.99), ["NEED_HUMAN"]);
  const again = await open(t, "window-1", root);
  assert.deepEqual(
    await outcomes(again, again.keys.slice(4, 5), 0.99),
    ["NEED_HUMAN"],
    "a crash of the worker forgets nothing",
  );
  const other = await open(t, "window-2", root);
  assert.deepEqual(
    await outcomes(other, other.keys.slice(5, 6), 0.8),
    ["DISMISS_VERIFIED"],
    "another session begins anew",
  );
  await execa("git", ["checkout", "-q", "-b", "feature"], { cwd: root });
  assert.deepEqual(
    await outcomes(again, again.keys.slice(6, 7), 0.8),
    ["DISMISS_VERIFIED"],
    "another branch begins anew",
  );
  const log = await readFile(first.logPath(), "utf8");
  assert.match(log, /"kind":"warned"[^\n]*"rule":"R1.26"/);
  assert.doesNotMatch(log, /read\(0\)/, "no code in the log (R1.33)");
  assert.equal((await verifyLog(first.logPath())).problem, null);
});

test("C18: one verdict for several exact duplicates is one dismissal, held to one bar", async (t) => {
  const root = await workspace(t);
  const twins = [1, 2, 3, 4, 5].map((line) => `src/a.ts:${line} | P2 | value${line} is wrong when nothing was read`);
  await writeFile(path.join(root, "review.txt"), `${twins.join("\n")}\nVERDICT: BLOCK\n`);
  const { engine, keys, said } = await open(t, "window-1", root);
  await (
    await engine.triage(keys, true, scriptedReviewer(dismissing(0.8)))
  ).finished;
  assert.deepEqual(
    keys.map((key) => engine.entry(key)?.triaged?.outcome.authorization),
    Array(5).fill("automated"),
  );
  assert.ok(!said.some((text) => text.startsWith("[DISMISS_PATTERN_WARN]")));
});

test("R1.29: an informational question about a finding is refused the second time at one commit, and says why", async (t) => {
  const root = await workspace(t);
  const { engine, keys } = await open(t, "window-1", root);
  const [key = ""] = keys;
  const ask = async () => await engine.triage([key], true, scriptedReviewer(dismissing(0.9)), { intent: "confirm" });
  const once = await ask();
  await once.finished;
  assert.deepEqual(once.refused, []);
  assert.equal(engine.entry(key)?.triaged?.outcome.mapped, "DISPUTED");
  const twice = await ask();
  assert.match(twice.refused[0]?.why ?? "", /once is all that counts/);
  await execa(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "next"],
    { cwd: root },
  );
  assert.deepEqual((await ask()).refused, [], "a new commit");
});

test("a triage by refuters is redrawn from the log after a restart, with sides, recount and what was left out", async (t) => {
  const root = await workspace(t);
  const { engine, keys } = await open(t, "window-1", root, { strategy: "refute" });
  const [key = ""] = keys;
  const line = `src/a.ts:1: ${CODE[0]}`;
  const reviewer = scriptedReviewer({
    refute: (task, nth) =>
      nth === 2 ? { kind: "abstained", reason: "down" } : refuterSays(task, { evidence: [line] }),
  });
  await (
    await engine.triage([key], true, reviewer)
  ).finished;
  const before = engine.entry(key)?.triaged;
  assert.equal(before?.refutation?.recount.result, "survives");
  await rm(path.join(process.env["XDG_CACHE_HOME"] ?? "", "skeptical-triage"), { recursive: true, force: true });
  const after = (await open(t, "window-2", root)).engine.entry(key)?.triaged;
  assert.deepEqual(after?.refutation?.recount, before.refutation.recount);
  assert.deepEqual(after.reductions, before.reductions);
  assert.equal(after.method?.strategy, "refute");
});

test("R4.24: lenses that were used stay known after a restart, and a damaged memory knows none", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "triage-lenses-"));
  t.after(async () => await rm(folder, { recursive: true, force: true }));
  const first = createSeenLenses(folder);
  await Promise.all(["forgery", "limits", "forgery"].map(async (lens) => await first.add("key", lens)));
  assert.deepEqual([...(await createSeenLenses(folder).seen("key"))].sort(), ["forgery", "limits"]);
  assert.equal((await createSeenLenses(folder).seen("other")).size, 0);
});

test("settings keep findings by rule, CWE, path and tag from being closed by the program, whatever their case", () => {
  const of = untouchableBy({ rules: ["no-eval"], cwes: [89], paths: ["src/payment/**"], tags: ["Security"] });
  assert.equal(of(finding()), null);
  assert.match(of(finding({ rule: "No-Eval" })) ?? "", /rule No-Eval/);
  assert.match(of(finding({ cwe: ["CWE-89"] })) ?? "", /CWE-89/);
  assert.match(of(finding({ place: { ...finding().place, file: "src/payment/card.ts" } })) ?? "", /card\.ts/);
  assert.match(of(finding({ extra: { tags: ["security", "x"] } })) ?? "", /tag security/);
  assert.equal(untouchableBy({})(finding({ rule: "no-eval" })), null);
});

test("C4, ruling 2: a finding closed by the program as a P2 is open again once its source calls it a P0, also after a restart", async (t) => {
  const root = await workspace(t);
  const { engine, keys } = await open(t, "window-1", root);
  const [key = ""] = keys;
  await (
    await engine.triage([key], true, scriptedReviewer(dismissing(0.9)))
  ).finished;
  const before = engine.entry(key) ?? assert.fail();
  assert.equal(isOpen(before), false);
  await writeFile(path.join(root, "review.txt"), `${REVIEW.replace("| P2 |", "| P0 |")}\nVERDICT: BLOCK\n`);
  await engine.loadReviews([path.join(root, "review.txt")]);
  const again = await open(t, "window-2", root);
  for (const entry of [engine.entry(key), again.engine.entry(key)]) {
    assert.ok(entry !== undefined && entry.finding.severity === "P0");
    assert.deepEqual([isOpen(entry), stateOf(entry), entry.triaged], [true, "new", null]);
    assert.match(entry.notice ?? "", /open again/);
  }
  await engine.reread();
  assert.equal(isOpen(engine.entry(key) ?? assert.fail()), true);
});

test("R1.25: no objection is put about code that changed since", async (t) => {
  const root = await workspace(t);
  const { engine, keys } = await open(t, "window-1", root);
  const [key = ""] = keys;
  const reviewer = scriptedReviewer({
    opinion: async (task) => {
      await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 12 });
      return opinionSays({ verdict: "ACTIONABLE", evidenceRefs: [`src/a.ts:1: ${CODE[0]}`] });
    },
  });
  await (
    await engine.triage([key], true, reviewer)
  ).finished;
  await writeFile(path.join(root, "src", "a.ts"), `export const value0 = 0;\n${CODE.slice(1).join("\n")}\n`);
  const artefacts = [{ kind: "test-output", source: "npm test", text: "14 passed" }] as const;
  const asked = reviewer.tasks.length;
  const refused = await engine.rebut(key, artefacts, reviewer);
  assert.ok(refused.kind === "refused");
  assert.match(refused.why, /changed/);
  assert.equal(reviewer.tasks.length, asked, "nobody was asked");
});
