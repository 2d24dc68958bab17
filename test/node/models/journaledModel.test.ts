import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import * as z from "zod";
import { OpinionForm, OpinionReply, RoundReply } from "../../../src/core/answers.ts";
import type { OpinionAnswer } from "../../../src/core/opinion.ts";
import type { Model, ModelReply, ModelRequest } from "../../../src/core/ports.ts";
import { createSealedStore, type SealedStore } from "../../../src/node/cache/sealedStore.ts";
import { forgetPassing, journalModel } from "../../../src/node/models/journaledModel.ts";
import { callFromEntry, callFromFunction } from "../../../src/node/models/verbCalls.ts";
import { folderWith } from "../repository/folder.ts";

const never = new AbortController().signal;
const USAGE = { prompt: 120, completion: 12 };
const ANSWER = { verdict: "VALID", crux: "k", reasoning: "r", citations: [] } as const;

type Scripted = (request: ModelRequest<unknown>) => ModelReply<unknown>;

function model(script: Scripted, name = "m"): Model & { readonly calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    identity: { provider: "https://one.test", model: name },
    async ask<T>(asked: ModelRequest<T>): Promise<ModelReply<T>> {
      calls += 1;
      const reply = script(asked);
      return await Promise.resolve(
        reply.kind === "answered" ? { ...reply, value: asked.schema.parse(reply.value) } : reply,
      );
    },
  };
}

const answers: Scripted = () => ({ kind: "answered", value: ANSWER, raw: JSON.stringify(ANSWER), usage: USAGE });

function request(
  more: Partial<ModelRequest<z.output<typeof RoundReply>>> = {},
): ModelRequest<z.output<typeof RoundReply>> {
  const messages = [{ role: "user" as const, content: "Is it so?" }];
  return { messages, schema: RoundReply, schemaName: "round", tools: true, about: "finding", ...more };
}

function stores(t: TestContext): () => SealedStore {
  const folder = folderWith(t, {});
  return () => {
    const store = createSealedStore({ folder, now: () => new Date(), note: (text) => assert.fail(text) });
    t.after(async () => await store.close());
    return store;
  };
}

test("R4.24: a reply is on disk before it is given on, and the next process is answered from there without a call", async (t) => {
  const open = stores(t);
  const first = model(answers);
  const reply = await journalModel(first, { store: open(), fresh: false }).ask(request(), never);
  assert.deepEqual([reply.kind, reply.usage], ["answered", USAGE]);
  const second = model(answers);
  const again = await journalModel(second, { store: open(), fresh: false }).ask(request(), never);
  assert.deepEqual(again, { ...reply, usage: { prompt: 0, completion: 0, cached: true } });
  assert.deepEqual([first.calls(), second.calls()], [1, 0]);
});

const OTHER: Readonly<Record<string, Partial<ModelRequest<z.output<typeof RoundReply>>>>> = {
  "another message": { messages: [{ role: "user", content: "Is it not so?" }] },
  "another role": { messages: [{ role: "system", content: "Is it so?" }] },
  "more conversation": {
    messages: [
      { role: "user", content: "Is it so?" },
      { role: "assistant", content: "", calls: [] },
    ],
  },
  "another schema name": { schemaName: "arbiter" },
  "no tools": { tools: false },
  "another form for the server": { wire: z.object({ verdict: z.string() }) },
  "another form of the answer": { schema: RoundReply.extend({ more: z.string().default("") }) },
};

for (const [name, more] of Object.entries(OTHER)) {
  test(`${name} is another question`, async (t) => {
    const store = stores(t)();
    const asked = model(answers);
    const journaled = journalModel(asked, { store, fresh: false });
    await journaled.ask(request(), never);
    await journaled.ask(request(more), never);
    assert.equal(asked.calls(), 2);
  });
}

test("another model of the same server is asked itself; urgency and finding are no part of the question", async (t) => {
  const store = stores(t)();
  const [one, two] = [model(answers), model(answers, "n")];
  await journalModel(one, { store, fresh: false }).ask(request(), never);
  await journalModel(two, { store, fresh: false }).ask(request(), never);
  await journalModel(one, { store, fresh: false }).ask(request({ urgency: 7, about: "twin" }), never);
  assert.deepEqual([one.calls(), two.calls()], [1, 1]);
});

test("what failed is asked again at once", async (t) => {
  const store = stores(t)();
  const failing = model(() => ({ kind: "failed", reason: "HTTP 500", usage: USAGE }));
  const journaled = journalModel(failing, { store, fresh: false });
  await journaled.ask(request(), never);
  await journaled.ask(request(), never);
  assert.equal(failing.calls(), 2);
});

const PASSING: Readonly<Record<string, ModelReply<unknown>>> = {
  refused: { kind: "refused", reason: "content filter", usage: USAGE },
  malformed: { kind: "malformed", raw: "{", problem: "no JSON", usage: USAGE },
};

for (const [kind, reply] of Object.entries(PASSING)) {
  test(`what was ${kind} serves a resumption, and is asked again once the finding is judged`, async (t) => {
    const open = stores(t);
    const first = model(() => reply);
    await journalModel(first, { store: open(), fresh: false }).ask(request(), never);
    const store = open();
    const resumed = model(answers);
    const again = await journalModel(resumed, { store, fresh: false }).ask(request(), never);
    assert.deepEqual([again.kind, resumed.calls()], [kind, 0]);
    await forgetPassing(store, "another finding");
    assert.equal((await journalModel(resumed, { store, fresh: false }).ask(request(), never)).kind, kind);
    await forgetPassing(store, "finding");
    assert.equal((await journalModel(resumed, { store, fresh: false }).ask(request(), never)).kind, "answered");
  });
}

for (const [kind, reply] of Object.entries(PASSING)) {
  test(`R4.4: what was ${kind} is asked when the same question is put once more, in a resumption too`, async (t) => {
    const open = stores(t);
    const deaf = model(() => reply);
    const journaled = journalModel(deaf, { store: open(), fresh: false });
    await journaled.ask(request(), never);
    assert.equal((await journaled.ask(request(), never)).kind, kind);
    assert.equal(deaf.calls(), 2);
    const better = model(answers);
    const resumed = journalModel(better, { store: open(), fresh: false });
    assert.deepEqual([(await resumed.ask(request(), never)).kind, better.calls()], [kind, 0]);
    assert.deepEqual([(await resumed.ask(request(), never)).kind, better.calls()], ["answered", 1]);
    assert.deepEqual([(await resumed.ask(request(), never)).kind, better.calls()], ["answered", 1]);
  });
}

test("answers outlive the judgement of their finding", async (t) => {
  const store = stores(t)();
  const asked = model(answers);
  const journaled = journalModel(asked, { store, fresh: false });
  await journaled.ask(request(), never);
  await forgetPassing(store, "finding");
  await journaled.ask(request(), never);
  assert.equal(asked.calls(), 1);
});

test("a fresh run reads nothing and keeps what it hears", async (t) => {
  const store = stores(t)();
  const asked = model(answers);
  await journalModel(asked, { store, fresh: false }).ask(request(), never);
  const other = model(() => ({
    kind: "answered",
    value: { ...ANSWER, crux: "new" },
    raw: JSON.stringify({ ...ANSWER, crux: "new" }),
    usage: USAGE,
  }));
  await journalModel(other, { store, fresh: true }).ask(request(), never);
  assert.equal(other.calls(), 1);
  const later = await journalModel(asked, { store, fresh: false }).ask(request(), never);
  assert.equal(later.kind === "answered" ? later.value.crux : null, "new");
});

test("wishes for evidence of every verb come back as they were, understood or not", async (t) => {
  const open = stores(t);
  const calls = [
    callFromFunction("c1", "read_file", '{"file":"src/a.ts","from":1,"to":9}'),
    callFromFunction("c2", "search", '{"pattern":"a(b","path":".","literal":true}'),
    callFromFunction("c3", "blame", '{"file":"src/a.ts","from":1,"to":2}'),
    callFromEntry("c4", { verb: "read_file", file: "src/b.ts", from: 3, to: 4 }),
    callFromFunction("c5", "read_file", "{broken"),
    callFromEntry("c6", { no: "verb" }),
    callFromFunction("c7", "run_shell", '{"command":"rm"}'),
  ];
  assert.equal(calls.filter(({ call }) => call === null).length, 3);
  const wishing = model(() => ({ kind: "wants", calls, content: "let me look", usage: USAGE }));
  await journalModel(wishing, { store: open(), fresh: false }).ask(request(), never);
  const again = await journalModel(model(answers), { store: open(), fresh: false }).ask(request(), never);
  assert.deepEqual(again.kind === "wants" ? again.calls : null, calls);
});

test("an answer that no longer fits the form it is held to is asked for again", async (t) => {
  const store = stores(t)();
  // The form in words is the same; only the program's own check differs, as after an upgrade.
  const refined = RoundReply.refine(({ crux }) => crux.length > 3);
  const asked = model(answers);
  await journalModel(asked, { store, fresh: false }).ask(request(), never);
  await assert.rejects(journalModel(asked, { store, fresh: false }).ask(request({ schema: refined }), never));
  assert.equal(asked.calls(), 2);
});

test("an answer that its schema turns into something else comes back as it was the first time", async (t) => {
  const open = stores(t);
  const raw = {
    codex_verdict: "NON_ACTIONABLE",
    impact_assessment: "NOT_ASSESSED",
    confidence: 0.9,
    evidence_refs: ["a.ts:1"],
    reasoning: "r",
  };
  const opinion: ModelRequest<OpinionAnswer> = {
    messages: [],
    schema: OpinionReply,
    wire: OpinionForm,
    schemaName: "opinion",
    tools: false,
  };
  const asked = model(() => ({ kind: "answered", value: raw, raw: JSON.stringify(raw), usage: USAGE }));
  const first = await journalModel(asked, { store: open(), fresh: false }).ask(opinion, never);
  const again = await journalModel(asked, { store: open(), fresh: false }).ask(opinion, never);
  assert.equal(asked.calls(), 1);
  assert.deepEqual(again.kind === "answered" ? again.value : null, first.kind === "answered" ? first.value : undefined);
});

test("an answer within a request/answer turn is found in its raw text", async (t) => {
  const open = stores(t);
  const raw = JSON.stringify({ request: null, answer: ANSWER });
  const asked = model(() => ({ kind: "answered", value: ANSWER, raw, usage: USAGE }));
  await journalModel(asked, { store: open(), fresh: false }).ask(request(), never);
  const again = await journalModel(asked, { store: open(), fresh: false }).ask(request(), never);
  assert.deepEqual([asked.calls(), again.kind === "answered" ? again.value : null], [1, ANSWER]);
});
