import assert from "node:assert/strict";
import test from "node:test";
import { createModelReviewer, sameModel } from "../../../src/core/conversation.ts";
import { USUAL_METHOD } from "../../../src/core/method.ts";
import { triage } from "../../../src/core/triage.ts";
import { createArbiterBatch } from "../../../src/node/engine/arbiterBatch.ts";
import { sha256 } from "../../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { type Asked, createScriptedModel, type Said, says, scriptedPrompts } from "../../support/scriptedModel.ts";

const FILES = {
  "src/a.ts": "const one = 1;\nexport const two = one / 2;\n",
  "src/b.ts": "const three = 3;\nexport const four = three / 4;\n",
  "src/c.ts": "const five = 5;\nexport const six = five / 6;\n",
};
const FIRST = { "src/a.ts": "const one = 1;", "src/b.ts": "const three = 3;", "src/c.ts": "const five = 5;" };
type File = keyof typeof FIRST;

const idsOf = ({ prompt }: Asked): string[] => [...prompt.matchAll(/^# Claim (\S+)$/gm)].map(([, id = ""]) => id);
const answerFor = (claimId: string) => ({
  claimId,
  verdict: "VALID",
  crux: `about ${claimId}`,
  reasoning: "r",
  citations: [],
  impact: "none",
  reach: "",
});

/** Triages findings of some files at the same time, with one arbiter for all. */
async function run(
  files: readonly File[],
  answers: (asked: Asked) => Said,
  cited: (file: string) => File = (file) => fileOf(file),
) {
  const workspace = createMemoryWorkspace(FILES);
  const model = createScriptedModel((asked) => {
    if (asked.request.schemaName === "arbiters") return answers(asked);
    const file = /^Place: (\S+?):/m.exec(asked.prompt)?.[1] ?? "";
    const at = cited(file);
    return says("VALID", [{ file: at, line: 1, endLine: 1, quote: FIRST[at] }]);
  });
  const gate = Promise.withResolvers<void>();
  let arrived = 0;
  const plain = createModelReviewer(sameModel(model), scriptedPrompts, sha256);
  const batch = createArbiterBatch(plain, async () => await gate.promise);
  const reviewer = {
    ...batch,
    arbiter: async (task: Parameters<typeof batch.arbiter>[0]) => {
      arrived += 1;
      if (arrived === files.length) gate.resolve();
      return await batch.arbiter(task);
    },
  };
  const all = await Promise.all(
    files.map(async (file, index) => {
      const finding = await findingIn(workspace.repository, `The division is wrong, number ${index}.`, file, 2);
      const ports = { ...workspace, reviewer, budget: { calls: 1, bytes: 1000 }, method: USUAL_METHOD };
      return await triage(
        { ...finding, key: `key-${index}` },
        true,
        ports,
        () => undefined,
        new AbortController().signal,
      );
    }),
  );
  const kinds = model.asked.map(({ request }) => request.schemaName);
  return {
    all,
    arbiters: kinds.filter((kind) => kind === "arbiters").length,
    alone: kinds.filter((kind) => kind === "arbiter").length,
  };
}

function fileOf(file: string): File {
  return file === "src/b.ts" || file === "src/c.ts" ? file : "src/a.ts";
}

test("C11: findings in different files with lines of their own share one call of the arbiter, each with its own answer", async () => {
  const { all, arbiters, alone } = await run(["src/a.ts", "src/b.ts", "src/c.ts"], (asked) => ({
    answer: { answers: idsOf(asked).map(answerFor) },
  }));
  assert.deepEqual([arbiters, alone], [1, 0]);
  assert.deepEqual(
    all.map(({ ruling }) => ruling?.crux),
    ["about key-0", "about key-1", "about key-2"],
  );
  assert.equal(
    all.reduce((sum, { calls }) => sum + calls, 0),
    3 * 3 + 1,
  );
});

test("C11: findings of one file, or whose rounds rest on the same line, are ruled on apart", async () => {
  const reply = (asked: Asked): Said => ({ answer: { answers: idsOf(asked).map(answerFor) } });
  assert.deepEqual(await run(["src/a.ts", "src/a.ts"], reply).then(({ arbiters, alone }) => [arbiters, alone]), [0, 2]);
  const shared = await run(["src/a.ts", "src/b.ts"], reply, () => "src/c.ts");
  assert.deepEqual([shared.arbiters, shared.alone], [0, 2]);
});

test("C11: what a shared call leaves out, answers twice or breaks is asked about alone, and nothing is mixed up", async () => {
  const [missing, twice, broken] = await Promise.all([
    run(["src/a.ts", "src/b.ts"], (asked) => ({ answer: { answers: idsOf(asked).slice(0, 1).map(answerFor) } })),
    run(["src/a.ts", "src/b.ts"], (asked) => ({
      answer: { answers: [...idsOf(asked), ...idsOf(asked)].map(answerFor) },
    })),
    run(["src/a.ts", "src/b.ts"], () => ({ failed: "down" })),
  ]);
  assert.deepEqual([missing.arbiters, missing.alone], [1, 1]);
  assert.deepEqual([twice.arbiters, twice.alone], [1, 2]);
  assert.deepEqual([broken.arbiters, broken.alone], [1, 2]);
  for (const { all } of [missing, twice, broken]) assert.ok(all.every(({ ruling }) => ruling?.verdict === "VALID"));
});

test("a finding that is cancelled while it waits for company ends at once, and the others go on", async () => {
  const workspace = createMemoryWorkspace(FILES);
  const model = createScriptedModel(() => says("VALID", []));
  const gate = Promise.withResolvers<void>();
  const reviewer = createArbiterBatch(
    createModelReviewer(sameModel(model), scriptedPrompts, sha256),
    async () => await gate.promise,
  );
  const ports = { ...workspace, reviewer, budget: { calls: 1, bytes: 1000 } };
  const start = async (file: File, signal: AbortSignal) =>
    await triage(
      await findingIn(workspace.repository, "The division is wrong.", file, 2),
      true,
      ports,
      () => undefined,
      signal,
    );
  const cancelled = new AbortController();
  const first = start("src/a.ts", cancelled.signal);
  const second = start("src/b.ts", new AbortController().signal);
  while (model.asked.length < 6) await new Promise((resolve) => setImmediate(resolve));
  cancelled.abort(new Error("cancelled"));
  await assert.rejects(first, /cancelled/);
  gate.resolve();
  assert.equal((await second).ruling?.verdict, "VALID");
});
