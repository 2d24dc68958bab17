import assert from "node:assert/strict";
import test from "node:test";
import { createModelReviewer, type RoleModels } from "../../src/core/conversation.ts";
import { buildPacket } from "../../src/core/packet.ts";
import type { Model } from "../../src/core/ports.ts";
import { createDesk, type Given } from "../../src/core/reviewer.ts";
import { finding } from "../support/arbitraries.ts";
import { PLAIN_TASK } from "../support/asked.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { createMemoryWorkspace } from "../support/memoryWorkspace.ts";
import { createScriptedModel, type Said, says, type ScriptedModel, scriptedPrompts } from "../support/scriptedModel.ts";

const REFUSES: Said = { refused: "I cannot help with that." };

function named(name: string, said: Said): ScriptedModel {
  return { ...createScriptedModel(() => said), identity: { provider: "scripted", model: name } };
}

/** One round and one arbiter's ruling with these models. */
async function ask(given: Partial<RoleModels> & { readonly rounds: Model }) {
  const { rounds } = given;
  const models: RoleModels = { arbiter: rounds, secondOpinion: rounds, fallback: null, ...given };
  const workspace = createMemoryWorkspace({ "src/a.ts": "const one = 1;\n" });
  const { signal } = new AbortController();
  const found = finding();
  const packet = await buildPacket(found, [], workspace, signal);
  const desk = createDesk(
    (call) => workspace.verbs.run(call, "round-1", signal),
    { calls: 1, bytes: 1000 },
    () => undefined,
  );
  const task = { ...PLAIN_TASK, finding: found, packet, checks: [], desk, signal, spent: () => undefined };
  const reviewer = createModelReviewer(models, scriptedPrompts, sha256);
  return {
    reviewer,
    round: await reviewer.round({ ...task, n: 1, question: "premise", earlier: [] }),
    arbiter: await reviewer.arbiter({ ...task, rounds: [] }),
  };
}

function reasonOf(given: Given<unknown>): string {
  return given.kind === "abstained" ? given.reason : "gave an answer";
}

test("a fallback that refuses too is not asked again, and the abstention holds both reasons", async () => {
  const fallback = named("other", { refused: "Nor can I." });
  const { round } = await ask({ rounds: named("usual", REFUSES), fallback });
  assert.match(reasonOf(round), /I cannot help with that\..*The fallback model gave no answer either: .*Nor can I\./);
  assert.equal(fallback.asked.length, 2);
});

test("without a fallback the abstention says that another model can be asked", async () => {
  const { round } = await ask({ rounds: named("usual", REFUSES) });
  assert.match(reasonOf(round), /^the model refused: I cannot help with that\..*challenge again with another model\.$/);
});

test("what is no refusal asks no fallback: a failed server and nonsense are abstentions of their own", async () => {
  for (const said of [{ failed: "the server is down" }, { raw: "nonsense" }] satisfies Said[]) {
    const fallback = named("other", says("INVALID"));
    const { round } = await ask({ rounds: named("usual", said), fallback });
    assert.equal(round.kind, "abstained");
    assert.equal(fallback.asked.length, 0);
    assert.doesNotMatch(reasonOf(round), /another model/);
  }
});
