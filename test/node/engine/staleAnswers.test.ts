// Whoever wants a remembered answer to take a finding off the list that nobody would dismiss today.
import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import type { Severity } from "../../../src/core/finding.ts";
import type { Model } from "../../../src/core/ports.ts";
import { createSealedStore } from "../../../src/node/cache/sealedStore.ts";
import { noteLookup, packPrint } from "../../../src/node/cache/lookedAt.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { fileOf, panelOf, reviewerOf, runnerWith } from "../../support/runnerSetting.ts";
import { type Asked, cites, createScriptedModel, type Said, says } from "../../support/scriptedModel.ts";
import { folderWith } from "../repository/folder.ts";

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
  readonly script: (asked: Asked, files: Record<string, string>) => Said;
  readonly files?: Readonly<Record<string, string>>;
  readonly cluster?: string;
}

/** One process that judges the first finding, and its cluster with it. */
async function judged(folder: string, { severities, script, files = CALLER, cluster }: Options) {
  const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
  try {
    const setting = await runnerWith(severities, { store, files });
    for (const { key } of cluster === undefined ? [] : setting.findings) {
      const entry = setting.entries.get(key);
      if (entry !== undefined) setting.entries.set(key, { ...entry, finding: { ...entry.finding, cluster } });
    }
    const scripted = createScriptedModel((asked) => script(asked, setting.files));
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

const rejects = ({ request }: Asked): Said => {
  if (request.schemaName !== "opinion") return says("INVALID", [HALF]);
  const refs = ["src/use.ts:3: `export const half = share0(10, 2);`", "src/f0.ts:2: `return total / people;`"];
  const rest = { impact_assessment: "NOT_ASSESSED", confidence: 0.97, reasoning: "The divisor is a literal." };
  return { answer: { codex_verdict: "NON_ACTIONABLE", evidence_refs: refs, ...rest } };
};

test("a caller that is written while the finding is judged was seen by nobody: the next run asks", async (t) => {
  const folder = temporary(t);
  const files = { ...CALLER };
  const run = await judged(folder, {
    severities: ["P1"],
    files,
    script: (asked, live) => {
      if (asked.role === "arbiter") Object.assign(live, UNGUARDED);
      return rejects(asked);
    },
  });
  const calls = run.calls;
  assert.notDeepEqual(run.actions, ["keep"]);
  const again = await judged(folder, { severities: ["P1"], script: rejects, files: { ...CALLER, ...UNGUARDED } });
  assert.equal(again.calls, calls);
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
