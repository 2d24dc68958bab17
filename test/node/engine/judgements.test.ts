import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import test, { type TestContext } from "node:test";
import type { ModelIdentity } from "../../../src/core/modelIdentity.ts";
import type { Model, ModelCall, ModelRequest } from "../../../src/core/ports.ts";
import type { Triaged } from "../../../src/core/triage.ts";
import { callFromFunction } from "../../../src/node/models/verbCalls.ts";
import { createSealedStore, type SealedStore } from "../../../src/node/cache/sealedStore.ts";
import type { RunMethod } from "../../../src/node/engine/judgements.ts";
import { USUAL_METHOD } from "../../../src/core/method.ts";
import { fileOf, panelOf, reviewerOf, runnerWith } from "../../support/runnerSetting.ts";
import { cites, createScriptedModel, type Asked, type Said, says } from "../../support/scriptedModel.ts";
import { folderWith } from "../repository/folder.ts";

const LINE = "return total / people;";
const CALLER = { "src/use.ts": 'import { share0 } from "./f0.ts";\n\nexport const half = share0(10, 2);\n' };

const upholds = (): Said => says("VALID", [cites("src/f0.ts", 2, LINE)]);
const HALF = "export const half = share0(10, 2);";

/** Against the finding in every role; a second opinion looks at the caller first, as it has to. */
const rejects = ({ request }: Asked): Said => {
  if (request.schemaName !== "opinion") return says("INVALID", [cites("src/use.ts", 3, HALF)]);
  if (!hasLooked(request)) return { wants: [wishFor("read_file", { file: "src/use.ts", from: 1, to: 3 })] };
  const lines = [
    `src/use.ts:3: \`${HALF}\``,
    "src/use.ts:1: `import { share0 }`",
    "src/f0.ts:1: `share0(total: number, people: number)`",
  ];
  const rest = { impact_assessment: "NOT_ASSESSED", confidence: 0.97, reasoning: "The divisor is a literal." };
  return {
    answer: {
      codex_verdict: "NON_ACTIONABLE",
      evidence_refs: [...lines, "src/f0.ts:2: `return total / people;`"],
      ...rest,
    },
  };
};

/** Calls of a run in which everybody is against it: three rounds, the arbiter, and a second opinion that looks once. */
const AGAINST = 6;

function hasLooked({ messages }: ModelRequest<unknown>): boolean {
  return messages.some(({ role }) => role === "evidence");
}

function wishFor(name: string, args: Readonly<Record<string, unknown>>): ModelCall {
  return callFromFunction("c", name, JSON.stringify(args));
}

/** Everybody looks something up first. */
function looksUp(name: string, args: Readonly<Record<string, unknown>>): (asked: Asked) => Said {
  return (asked) => (hasLooked(asked.request) ? rejects(asked) : { wants: [wishFor(name, args)] });
}

/** Calls where everybody looks first. */
const LOOKING = 10;

interface Ran {
  readonly calls: number;
  readonly records: number;
  readonly triaged: Triaged;
}

interface Options {
  readonly script?: (asked: Asked) => Said;
  readonly model?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly line?: number;
  readonly prompts?: string;
  readonly run?: Partial<RunMethod>;
  readonly models?: readonly ModelIdentity[];
  readonly before?: Triaged;
}

/** One process: opens the store of the folder, judges the one finding, and closes. */
async function judged(folder: string, options: Options = {}): Promise<Ran> {
  const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
  try {
    return await judgedWith(store, options);
  } finally {
    await store.close();
  }
}

async function judgedWith(store: SealedStore, options: Options): Promise<Ran> {
  const {
    script = upholds,
    model: name = "m",
    files = CALLER,
    line = 2,
    prompts = "prompts",
    run,
    models,
    before,
  } = options;
  const setting = await runnerWith(["P1"], { store, files, line, promptsPrint: prompts });
  const [finding] = setting.findings;
  assert.ok(finding !== undefined);
  const entry = setting.entries.get(finding.key);
  if (before !== undefined && entry !== undefined) setting.entries.set(finding.key, { ...entry, triaged: before });
  const scripted = createScriptedModel(script);
  const model: Model = {
    identity: { provider: "scripted", model: name },
    ask: async (...args) => await scripted.ask(...args),
  };
  const tally = await setting.runner.start(
    [finding.key],
    false,
    panelOf({ ...reviewerOf(model, setting.hash), ...(models === undefined ? {} : { models }) }, run),
  ).finished;
  const { triaged, notice } = setting.entries.get(finding.key) ?? {};
  assert.equal(tally.done, 1, notice ?? setting.logged.join("\n"));
  assert.ok(triaged !== null && triaged !== undefined);
  return { calls: scripted.asked.length, records: setting.saved.length, triaged };
}

const temporary = (t: TestContext): string => path.join(folderWith(t, {}), "cache");

test("another process judges the same finding without a call, comes to the same, and records nothing twice", async (t) => {
  const folder = temporary(t);
  const first = await judged(folder);
  assert.deepEqual([first.calls, first.records, first.triaged.outcome.action], [4, 1, "keep"]);
  const again = await judged(folder, { before: first.triaged });
  assert.deepEqual([again.calls, again.records, again.triaged.calls], [0, 0, 0]);
  assert.deepEqual(again.triaged.outcome, first.triaged.outcome);
  assert.deepEqual(again.triaged.rounds, first.triaged.rounds);
  const roles = ["round-1", "round-2", "round-3", "arbiter"];
  const model = { provider: "scripted", model: "m" };
  assert.deepEqual(
    first.triaged.ledger,
    roles.map((role) => ({ role, model, calls: 1, prompt: 100, completion: 10, cached: 0 })),
  );
  assert.deepEqual(
    again.triaged.ledger,
    roles.map((role) => ({ role, model, calls: 0, prompt: 0, completion: 0, cached: 1 })),
  );
  const unknown = await judged(folder);
  assert.deepEqual([unknown.calls, unknown.records], [0, 1], "a log that does not know it gets its record");
});

test("a proposed dismissal is served again too, while everything stands", async (t) => {
  const folder = temporary(t);
  const first = await judged(folder, { script: rejects });
  assert.equal(first.triaged.outcome.proposesDismissal, true);
  const again = await judged(folder, { script: rejects, before: first.triaged });
  assert.deepEqual([again.calls, again.records], [0, 0]);
  assert.deepEqual(again.triaged.outcome, first.triaged.outcome);
});

const above = (file: string): string => `// A comment that came later.\n\n${file}`;

for (const [name, script, calls] of [
  ["kept", upholds, 4],
  ["rejected", rejects, AGAINST],
] as const) {
  test(`an edit elsewhere in the file costs no call: ${name}`, async (t) => {
    const folder = temporary(t);
    const first = await judged(folder, { script });
    const files = { ...CALLER, "src/f0.ts": above(fileOf(0)) };
    const again = await judged(folder, { script, files, line: 4, before: first.triaged });
    assert.deepEqual([again.calls, again.records], [0, 0]);
    assert.equal(
      again.triaged.regions.some(({ line }) => line === 4),
      true,
      "places are those of now",
    );
  });

  test(`a change of the flagged line is judged anew: ${name}`, async (t) => {
    const folder = temporary(t);
    await judged(folder, { script });
    const files = { ...CALLER, "src/f0.ts": fileOf(0).replace("total / people", "total / (people + 1)") };
    assert.equal((await judged(folder, { script, files })).calls, calls);
  });

  test(`other prompts are asked anew: ${name}`, async (t) => {
    const folder = temporary(t);
    await judged(folder, { script });
    assert.equal((await judged(folder, { script, prompts: "new prompts" })).calls, calls);
  });

  test(`another method is asked anew: ${name}`, async (t) => {
    const folder = temporary(t);
    await judged(folder, { script });
    const run = { method: { ...USUAL_METHOD, visibility: "blind" as const } };
    assert.equal((await judged(folder, { script, run })).calls, calls);
  });
}

test("a change of a cited line retires a judgement, in another file too", async (t) => {
  const folder = temporary(t);
  await judged(folder, { script: rejects });
  const files = { "src/use.ts": CALLER["src/use.ts"].replace("share0(10, 2)", "share0(10, 0)") };
  assert.equal((await judged(folder, { script: rejects, files })).calls, 4);
});

test("what kept a finding counts under another model, which is named as the one that judged", async (t) => {
  const folder = temporary(t);
  const first = await judged(folder);
  const again = await judged(folder, { model: "other", before: first.triaged });
  assert.deepEqual([again.calls, again.records], [0, 0]);
  assert.equal(again.triaged.reviewer?.model, "m");
});

test("what spoke for a dismissal does not survive a change of model", async (t) => {
  const folder = temporary(t);
  await judged(folder, { script: rejects });
  const again = await judged(folder, { script: rejects, model: "other" });
  assert.deepEqual([again.calls, again.triaged.reviewer?.model], [AGAINST, "other"]);
});

test("nor a change of any model of the run, also one of a single role", async (t) => {
  const folder = temporary(t);
  const models = [
    { provider: "scripted", model: "m" },
    { provider: "scripted", model: "arbiter" },
  ];
  await judged(folder, { script: rejects, models });
  assert.equal((await judged(folder, { script: rejects, models })).calls, 0);
  const changed = [
    { provider: "scripted", model: "m" },
    { provider: "scripted", model: "another arbiter" },
  ];
  assert.equal((await judged(folder, { script: rejects, models: changed })).calls, AGAINST);
});

test("a dismissal rests on what was shown: a new caller retires it, a finding that was kept needs no second look", async (t) => {
  const more = {
    ...CALLER,
    "src/more.ts": 'import { share0 } from "./f0.ts";\n\nexport const bad = (n: number): number => share0(1, n);\n',
  };
  const [left, right] = [temporary(t), temporary(t)];
  await judged(left, { script: rejects });
  assert.equal((await judged(left, { script: rejects, files: more })).calls, AGAINST);
  await judged(right);
  assert.equal((await judged(right, { files: more })).calls, 0);
});

const NOTES = "one\nno guard here\nthree\n";

test("a dismissal rests on the lines that were looked up: they may move, and no more", async (t) => {
  const folder = temporary(t);
  const script = looksUp("read_file", { file: "src/notes.ts", from: 2, to: 2 });
  const files = { ...CALLER, "src/notes.ts": NOTES };
  const first = await judged(folder, { script, files });
  assert.deepEqual([first.calls, first.triaged.outcome.proposesDismissal], [LOOKING, true]);
  const moved = { ...files, "src/notes.ts": `zero\n${NOTES}` };
  const again = await judged(folder, { script, files: moved, before: first.triaged });
  assert.deepEqual([again.calls, again.records], [0, 0]);
  const read = again.triaged.receipts.filter(({ verb, by }) => verb === "read" && by.startsWith("round"));
  assert.deepEqual(
    read.map(({ lines }) => lines),
    [["3\tno guard here"], ["3\tno guard here"], ["3\tno guard here"]],
    "its receipts are those of now",
  );
  const changed = { ...files, "src/notes.ts": NOTES.replace("no guard", "a guard") };
  assert.equal((await judged(folder, { script, files: changed })).calls, LOOKING);
});

test("a dismissal rests on searches: a new hit retires it", async (t) => {
  const folder = temporary(t);
  const script = looksUp("search", { pattern: "guard", path: ".", literal: true });
  const files = { ...CALLER, "src/notes.ts": NOTES };
  await judged(folder, { script, files });
  assert.equal((await judged(folder, { script, files: { ...files, "src/notes.ts": `zero\n${NOTES}` } })).calls, 0);
  assert.equal((await judged(folder, { script, files: { ...files, "docs/a.md": "a guard\n" } })).calls, LOOKING);
});

test("a judgement in which somebody gave no answer is not kept", async (t) => {
  const folder = temporary(t);
  const script = (asked: Asked): Said => (asked.role === "missed" ? { failed: "HTTP 500" } : upholds());
  await judged(folder, { script });
  assert.equal((await judged(folder)).calls, 4);
});

test("challenged again, everybody is asked anew, and the new answers count from then on", async (t) => {
  const folder = temporary(t);
  const first = await judged(folder);
  const challenged = await judged(folder, { script: rejects, run: { fresh: true }, before: first.triaged });
  assert.deepEqual([challenged.calls, challenged.records], [AGAINST, 1]);
  const later = await judged(folder, { before: challenged.triaged });
  assert.deepEqual([later.calls, later.triaged.outcome.proposesDismissal], [0, true]);
});

test("a judgement edited by hand into a dismissal never yields one: everybody is asked", async (t) => {
  const folder = temporary(t);
  await judged(folder);
  const database = new DatabaseSync(path.join(folder, "cache.db"));
  database.exec(`UPDATE rows SET body = replace(body, '"VALID"', '"INVALID"') WHERE kind = 'judgement'`);
  database.close();
  const again = await judged(folder);
  assert.deepEqual([again.calls, again.triaged.outcome.action], [4, "keep"]);
});

test("a judgement of another finding under this one's id never counts", async (t) => {
  const folder = temporary(t);
  await judged(folder, { script: rejects });
  const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
  const database = new DatabaseSync(path.join(folder, "cache.db"));
  const row = database.prepare("SELECT id FROM rows WHERE kind = 'judgement'").get();
  database.exec("UPDATE rows SET about = 'another'");
  database.close();
  assert.equal(await store.get("judgement", String(row?.["id"])), undefined);
  await store.close();
  assert.equal((await judged(folder)).triaged.outcome.action, "keep");
});

test("a judgement whose shape is of another version counts as absent, though its seal is ours", async (t) => {
  const folder = temporary(t);
  await judged(folder, { script: rejects });
  const database = new DatabaseSync(path.join(folder, "cache.db"));
  const row = database.prepare("SELECT id, about FROM rows WHERE kind = 'judgement'").get();
  database.close();
  const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
  await store.put("judgement", String(row?.["id"]), String(row?.["about"]), { verdict: "INVALID" });
  await store.close();
  assert.equal((await judged(folder)).calls, 4);
});
