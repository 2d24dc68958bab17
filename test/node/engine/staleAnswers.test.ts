// Whoever wants a remembered answer to take a finding off the list that nobody would dismiss today.
import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import type { Severity } from "../../../src/core/finding.ts";
import { buildPacket } from "../../../src/core/packet.ts";
import { createDesk } from "../../../src/core/reviewer.ts";
import { Recall } from "../../../src/node/engine/recallingReviewer.ts";
import type { Model } from "../../../src/core/ports.ts";
import { createSealedStore, type SealedStore } from "../../../src/node/cache/sealedStore.ts";
import { noteLookup, packPrint } from "../../../src/node/cache/lookedAt.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { fileOf, panelOf, reviewerOf, runnerWith } from "../../support/runnerSetting.ts";
import { type Asked, cites, createScriptedModel, type Said, says } from "../../support/scriptedModel.ts";
import { folderWith } from "../repository/folder.ts";

const never = async (): Promise<never> => await Promise.reject(new Error("nothing is looked up"));
const NEVER = new AbortController().signal;
const CALLER = { "src/use.ts": 'import { share0 } from "./f0.ts";\n\nexport const half = share0(10, 2);\n' };
const UNGUARDED = {
  "src/more.ts": 'import { share0 } from "./f0.ts";\n\nexport const bad = (n: number): number => share0(1, n);\n',
};
const HALF = cites("src/use.ts", 3, "export const half = share0(10, 2);");

/** Rounds against it, an arbiter for it: as little as a step down, where there is a step. */
const doubts = ({ role }: Asked): Said =>
  role === "arbiter" ? says("VALID", [cites("src/f0.ts", 2, "return total / people;")]) : says("INVALID", [HALF]);

const temporary = (t: TestContext): string => path.join(folderWith(t, {}), "cache");

interface Options {
  readonly severities: readonly Severity[];
  readonly script: (asked: Asked) => Said;
  readonly files?: Readonly<Record<string, string>>;
  readonly cluster?: string | null;
}

/** One process that judges the first finding, and its cluster with it. */
async function judged(folder: string, { severities, script, files = CALLER, cluster = null }: Options) {
  const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
  try {
    const setting = await runnerWith(severities, { store, files });
    for (const { key } of cluster === null ? [] : setting.findings) {
      const entry = setting.entries.get(key);
      if (entry !== undefined) setting.entries.set(key, { ...entry, finding: { ...entry.finding, cluster } });
    }
    const scripted = createScriptedModel(script);
    const model: Model = {
      identity: { provider: "scripted", model: "m" },
      ask: async (...args) => await scripted.ask(...args),
    };
    const [first] = setting.findings;
    assert.ok(first !== undefined);
    await setting.runner.start([first.key], true, panelOf(reviewerOf(model, setting.hash))).finished;
    const actions = setting.findings.map(({ key }) => setting.entries.get(key)?.triaged?.outcome.action);
    return { calls: scripted.asked.length, actions };
  } finally {
    await store.close();
  }
}

test("answers that kept a finding are not taken for less than that once its severity is raised", async (t) => {
  const folder = temporary(t);
  const first = await judged(folder, { severities: ["Nit"], script: doubts });
  assert.deepEqual(first, { calls: 4, actions: ["keep"] });
  assert.deepEqual(await judged(folder, { severities: ["Nit"], script: doubts }), { calls: 0, actions: ["keep"] });
  const raised = await judged(folder, { severities: ["P1"], script: doubts, files: { ...CALLER, ...UNGUARDED } });
  assert.deepEqual(raised, { calls: 4, actions: ["demote"] });
});

test("nor for a duplicate that they do not keep: it is judged itself", async (t) => {
  const folder = temporary(t);
  const both = { severities: ["Nit", "P1"], script: doubts, cluster: "c" } as const;
  const first = await judged(folder, both);
  assert.deepEqual(first, { calls: 4, actions: ["keep", "demote"] });
  const again = await judged(folder, { ...both, files: { ...CALLER, ...UNGUARDED } });
  assert.deepEqual(again, { calls: 4, actions: ["keep", "demote"] });
});

test("code that came up while a finding was judged was seen by nobody: nothing is kept that rests on it", async () => {
  const setting = await runnerWith(["P1"], { files: CALLER });
  const [finding] = setting.findings;
  assert.ok(finding !== undefined);
  const recall = new Recall(reviewerOf(createScriptedModel(doubts), setting.hash), null, never, setting);
  const packet = await buildPacket(finding, [], setting, NEVER);
  const desk = createDesk(never, { calls: 1, bytes: 1 }, () => undefined);
  const base = { finding, checks: [], asked: [], topic: "correctness", rounds: [], spent: () => undefined } as const;
  await recall.reviewer.arbiter({ ...base, packet, desk, signal: NEVER });
  const shownOf = async (...files: readonly string[]): Promise<string | null> =>
    await recall.shown(async () => await Promise.resolve({ print: "print", files }));
  assert.equal(await shownOf("src/f0.ts"), "print");
  assert.equal(await shownOf("src/f0.ts", "src/more.ts"), null);
});

test("what goes wrong after a judgement was recorded undoes nothing", async (t) => {
  const store = createSealedStore({ folder: temporary(t), now: () => new Date(), note: (text) => assert.fail(text) });
  t.after(async () => await store.close());
  const put: SealedStore["put"] = async (kind, ...row) =>
    kind === "judgement" ? await Promise.reject(new Error("no room")) : await store.put(kind, ...row);
  const setting = await runnerWith(["P1"], { store: { ...store, put }, files: CALLER });
  const [finding] = setting.findings;
  assert.ok(finding !== undefined);
  const panel = panelOf(reviewerOf(createScriptedModel(doubts), setting.hash));
  const tally = await setting.runner.start([finding.key], true, panel).finished;
  const entry = setting.entries.get(finding.key);
  assert.deepEqual([tally.done, setting.saved.length, entry?.notice], [1, 1, null]);
  assert.match(setting.logged.join(), /not kept for later runs: Error: no room/);
});

test("a run that is cancelled among duplicates says nothing of those that were recorded", async (t) => {
  const setting = await runnerWith(["P1", "P1"], { files: CALLER });
  const keys = setting.findings.map(({ key }) => key);
  for (const key of keys) {
    const entry = setting.entries.get(key);
    if (entry !== undefined) setting.entries.set(key, { ...entry, finding: { ...entry.finding, cluster: "c" } });
  }
  const [first = "", twin = ""] = keys;
  const original = setting.verbs.run.bind(setting.verbs);
  t.mock.method(setting.verbs, "run", async (...call: Parameters<typeof original>) => {
    // The duplicate's own checks begin once the first is recorded.
    if (setting.saved.length > 0) void setting.runner.cancel(null);
    return await original(...call);
  });
  const panel = panelOf(reviewerOf(createScriptedModel(doubts), setting.hash));
  await setting.runner.start([first], true, panel).finished;
  assert.deepEqual(setting.saved, [first]);
  assert.equal(setting.entries.get(first)?.notice, null);
  assert.match(setting.entries.get(twin)?.notice ?? "", /^Cancelled; nothing was recorded/);
  assert.ok(setting.entries.get(first)?.triaged !== null);
});

for (const [name, before, after] of [
  ["a slice", "  const s = text[:10:2];", "  const s = text[:99:2];"],
  ["a range between colons", '  const range = "a:8:b";', '  const range = "a:0:b";'],
  ["a row of numbers", "[1, 2, 3]", "[1, 0, 3]"],
  ["a row of data", "  7\tseven", "  0\tseven"],
] as const) {
  test(`what was shown differs where a number of the code does: ${name}`, async () => {
    const printOf = async (line: string): Promise<string> => {
      const source = `export function share0(total: number, people: number): number {\n${line}\n  return total / people;\n}\n`;
      const workspace = createMemoryWorkspace({ ...CALLER, "src/f0.ts": source }, { structures: "text" });
      const message = "The quotient is used although the divisor may be zero.";
      const finding = await findingIn(workspace.repository, message, "src/f0.ts", 3, {});
      return (await packPrint(finding, [], workspace, NEVER)).print;
    };
    assert.equal(await printOf(before), await printOf(before));
    assert.notEqual(await printOf(before), await printOf(after));
  });

  test(`what was looked up differs where a number of the code does: ${name}`, async () => {
    const workspace = createMemoryWorkspace({ "src/f0.ts": fileOf(0) }, { structures: "text" });
    const outputs = [
      (line: string) => `src/a.ts:12: ${line}`,
      (line: string) => `12\t${line}`,
      (line: string) => `+${line}`,
    ];
    const grep = { verb: "grep", pattern: "x", path: ".", literal: true } as const;
    for (const output of outputs) {
      const [one, two] = await Promise.all(
        [before, after].map(async (line) => await noteLookup(grep, output(line), workspace)),
      );
      assert.notDeepEqual(one, two, output(before));
    }
    const moved = await noteLookup(grep, `src/a.ts:13: ${before}`, workspace);
    assert.deepEqual(moved, await noteLookup(grep, `src/a.ts:77: ${before}`, workspace));
  });
}
