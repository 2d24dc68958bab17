import assert from "node:assert/strict";
import test from "node:test";
import type { Receipt } from "../../src/core/check.ts";
import { buildPack } from "../../src/core/evidence/gather.ts";
import { reachOf } from "../../src/core/evidence/reach.ts";
import { siteAt } from "../../src/core/evidence/site.ts";
import { type AskLanguage, createLanguageDesk } from "../../src/core/language.ts";
import { createDesk } from "../../src/core/reviewer.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";
import { type Script, scriptedLanguage } from "../support/scriptedLanguage.ts";

const QUESTION = { ask: "references", file: "a.ts", line: 1, column: 0 } as const;

function open(script: Script, budget?: { calls: number; waitMs: number; misses: number }) {
  const receipts: Receipt[] = [];
  const servers = scriptedLanguage(script);
  const keep = (receipt: Receipt): void => void receipts.push(receipt);
  return { servers, receipts, desk: createLanguageDesk(servers, keep, new AbortController().signal, budget) };
}

test("the same question is asked once, whoever asks, and leaves one receipt in the first one's name", async () => {
  const { servers, receipts, desk } = open({ references: { places: ["a.ts:3:0"] } });
  const [first, second] = await Promise.all([desk.askFor("check")(QUESTION), desk.askFor("pack")(QUESTION)]);
  assert.deepEqual(first, second);
  assert.equal(servers.asked.length, 1);
  assert.deepEqual(
    receipts.map(({ by }) => by),
    ["check"],
  );
});

const SPENT: readonly (readonly [string, Script, { calls: number; waitMs: number; misses: number }])[] = [
  ["calls", { references: {} }, { calls: 2, waitMs: 1000, misses: 9 }],
  ["waiting", { references: {} }, { calls: 9, waitMs: 20, misses: 9 }],
  ["answers that were not ready", { references: { unknown: "starting" } }, { calls: 9, waitMs: 1000, misses: 2 }],
];

for (const [what, script, budget] of SPENT) {
  test(`after enough ${what}, nothing more is asked in this finding, and the answer is unknown`, async () => {
    const { servers, receipts, desk } = open(script, budget);
    const ask = desk.askFor("check");
    for (const column of [0, 1, 2, 3]) await ask({ ...QUESTION, column });
    assert.equal(servers.asked.length, 2);
    assert.equal(receipts.length, 2);
    const { answer, receipt } = await ask({ ...QUESTION, column: 9 });
    assert.deepEqual([answer.kind, receipt], ["unknown", null]);
  });
}

const FILES = {
  "src/a.ts": "export function work() {\n  return 1;\n}\n",
  "src/near.ts": 'import { work } from "./a.ts";\nexport const near = () => work();\n',
  "src/far.ts": 'import { work as run } from "@/a";\nexport function far() {\n  return run();\n}\n',
  "test/a.test.ts": 'import { work as run } from "@/a";\nrun();\n',
  "docs/use.md": "work()\n",
};

async function reach(script: Script | null) {
  const workspace = createMemoryWorkspace(FILES);
  const signal = new AbortController().signal;
  const servers = scriptedLanguage(script ?? {});
  const language: AskLanguage | undefined =
    script === null ? undefined : createLanguageDesk(servers, () => undefined, signal).askFor("pack");
  const budget = { calls: 20, bytes: 1_000_000 };
  const desk = createDesk(
    (call) => workspace.verbs.run(call, "pack", signal),
    budget,
    () => undefined,
    language,
  );
  const site = await siteAt("src/a.ts", 2, null, workspace);
  assert.ok(site);
  const { uses } = await reachOf("work", site, { desk }, workspace);
  return { uses: uses.map((use) => `${use.kind} ${use.file}:${use.line}${use.test ? " test" : ""}`), workspace, desk };
}

test("callers that only a server knows are added to those of the search, each once and re-read", async () => {
  const { uses } = await reach({
    incomingCalls: { places: ["src/a.ts:2:2", "src/near.ts:2:26", "src/far.ts:3:9", "src/far.ts:3:9"] },
    references: {
      places: ["src/a.ts:1:16", "src/far.ts:1:9", "src/far.ts:3:9", "test/a.test.ts:2:0", "docs/use.md:1:0"],
    },
  });
  assert.deepEqual(uses, ["call src/near.ts:2", "call src/far.ts:3", "call test/a.test.ts:2 test"]);
});

for (const [what, script] of [
  ["is absent", null],
  ["knows nothing", { incomingCalls: { unknown: "starting" }, references: { unknown: "starting" } }],
  ["names nothing", {}],
  [
    "names places where no code stands",
    { incomingCalls: { places: ["src/far.ts:3:10", "src/far.ts:4:0", "src/gone.ts:1:0"] } },
  ],
] as const) {
  test(`a server that ${what} takes no caller of the search away`, async () => {
    assert.deepEqual((await reach(script)).uses, ["call src/near.ts:2"]);
  });
}

test("a pack shows the caller that only a server knows, and what implements a flagged interface", async () => {
  const files = {
    ...FILES,
    "src/port.ts": "export interface Port {\n  send(body: string): void;\n}\n",
    "src/wire.ts": "export class Wire {\n  send(body: string) {\n    post(body);\n  }\n}\n",
  };
  const pieces = async (file: string, line: number, script: Script): Promise<string[]> => {
    const workspace = createMemoryWorkspace(files);
    const signal = new AbortController().signal;
    const language = createLanguageDesk(scriptedLanguage(script), () => undefined, signal).askFor("pack");
    const budget = { calls: 20, bytes: 1_000_000 };
    const desk = createDesk(
      (call) => workspace.verbs.run(call, "pack", signal),
      budget,
      () => undefined,
      language,
    );
    const finding = await findingIn(workspace.repository, "It breaks for empty bodies.", file, line);
    const pack = await buildPack(finding, [], { ...workspace, desk });
    return pack.pieces.flatMap((piece) => (piece.file === file ? [] : [`${piece.kind} ${piece.file}: ${piece.why}`]));
  };
  const called = await pieces("src/a.ts", 2, { incomingCalls: { places: ["src/far.ts:3:9"] } });
  assert.ok(called.includes("caller src/far.ts: calls work"), called.join("\n"));
  const implemented = await pieces("src/port.ts", 2, { implementations: { places: ["src/wire.ts:2:2"] } });
  assert.deepEqual(implemented, ["definition src/wire.ts: implements Port"]);
});
