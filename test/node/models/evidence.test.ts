import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import * as z from "zod";
import type { ModelMessage } from "../../../src/core/ports.ts";
import { callFromEntry, callFromFunction, EVIDENCE_FUNCTIONS, functionOf } from "../../../src/node/models/verbCalls.ts";
import { VERBS, verbNames } from "../../../src/node/verbs/table.ts";
import { GOOD, MESSAGES, withServer } from "./setting.ts";

test("evidence is asked for by functions where the server has them", async () => {
  const script = [
    {
      does: "call",
      content: "Let me look.",
      calls: [
        { name: "read_file", arguments: { file: "src/a.ts", from: 1, to: 9 } },
        { name: "search", arguments: { pattern: "guard", path: "src", literal: true } },
        { name: "search", arguments: "{ broken" },
        { name: "run_shell", arguments: { command: "true" } },
      ],
    },
    { does: "answer", value: GOOD },
  ] as const;
  await withServer(script, async ({ server, ask }) => {
    const wants = await ask({ tools: true });
    assert.ok(wants.kind === "wants");
    assert.deepEqual(
      wants.calls.map(({ call }) => call),
      [
        { verb: "read", file: "src/a.ts", from: 1, to: 9 },
        { verb: "grep", pattern: "guard", path: "src", literal: true },
        null,
        null,
      ],
    );
    assert.match(wants.calls[2]?.problem ?? "", /not JSON/);
    assert.match(wants.calls[3]?.problem ?? "", /no function "run_shell"/);
    const evidence: ModelMessage[] = wants.calls.map(({ callId }) => ({
      role: "evidence",
      callId,
      content: `got ${callId}`,
    }));
    const messages = [
      ...MESSAGES,
      { role: "assistant", content: wants.content, calls: wants.calls },
      ...evidence,
    ] as const;
    assert.equal((await ask({ tools: true, messages })).kind, "answered");
    const sent = server.requests[1]?.body.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ["system", "user", "assistant", "tool", "tool", "tool", "tool"],
    );
    // Broken arguments go back empty: servers refuse a conversation that holds them.
    const sentCalls = z
      .array(z.object({ function: z.object({ arguments: z.string() }) }))
      .parse(sent[2]?.tool_calls)
      .map((call) => JSON.parse(call.function.arguments) as unknown);
    assert.equal(sentCalls.length, 4);
    assert.deepEqual(sentCalls[2], {});
  });
});

test("without functions, evidence is asked for in a request/answer turn", async () => {
  const script = [
    { does: "call", calls: [{ name: "search", arguments: { pattern: "guard", path: ".", literal: true } }] },
    { does: "answer", value: GOOD },
  ] as const;
  await withServer(
    script,
    async ({ server, ask }) => {
      const wants = await ask({ tools: true });
      assert.ok(wants.kind === "wants");
      assert.deepEqual(wants.calls[0]?.call, { verb: "grep", pattern: "guard", path: ".", literal: true });
      const schema = server.requests[0]?.body.response_format?.json_schema.schema;
      assert.deepEqual(schema?.["required"], ["request", "answer"]);
      const callId = wants.calls[0]?.callId ?? "";
      const messages = [
        ...MESSAGES,
        { role: "assistant", content: wants.content, calls: wants.calls },
        { role: "evidence", callId, content: "src/a.ts:7: guard()" },
      ] as const;
      const reply = await ask({ tools: true, messages });
      assert.deepEqual(reply.kind === "answered" && reply.value, GOOD);
      const sent = server.requests[1]?.body.messages ?? [];
      assert.deepEqual(
        sent.map(({ role }) => role),
        ["system", "user", "assistant", "user"],
      );
      assert.match(sent[3]?.content ?? "", /^Result of search\(.*"guard".*\):\nsrc\/a\.ts:7: guard\(\)$/);
    },
    { functions: false },
  );
});

test("with prompted JSON too, a turn may ask or answer, with or without its wrapper", async () => {
  const script = [
    { does: "say", text: '{"request":[{"verb":"read_file","file":"a.ts","from":"3","to":"4"}],"answer":null}' },
    { does: "say", text: JSON.stringify({ request: null, answer: GOOD }) },
    { does: "say", text: JSON.stringify(GOOD) },
    { does: "say", text: '{"request":null,"answer":null}' },
  ] as const;
  await withServer(
    script,
    async ({ ask }) => {
      const wants = await ask({ tools: true });
      assert.deepEqual(wants.kind === "wants" && wants.calls[0]?.call, { verb: "read", file: "a.ts", from: 3, to: 4 });
      assert.equal((await ask({ tools: true })).kind, "answered");
      assert.equal((await ask({ tools: true })).kind, "answered");
      const empty = await ask({ tools: true });
      assert.match(empty.kind === "malformed" ? empty.problem : "", /both request and answer are empty/);
    },
    { schema: false, functions: false },
  );
});

test("a request beside an answer wins: an answer given before its evidence was read is a guess", async () => {
  const both = {
    does: "call",
    calls: [
      { name: "answer", arguments: GOOD },
      { name: "read_file", arguments: { file: "a.ts", from: 1, to: 2 } },
    ],
  } as const;
  await withServer([both], async ({ ask }) => {
    const reply = await ask({ tools: true });
    assert.deepEqual(reply.kind === "wants" && reply.calls.length, 1);
  });
});

test("when no evidence may be asked for any more, earlier calls go back as text and only the answer is offered", async () => {
  const messages: readonly ModelMessage[] = [
    ...MESSAGES,
    {
      role: "assistant",
      content: "",
      calls: [{ callId: "c1", call: { verb: "read", file: "a.ts", from: 1, to: 2 }, problem: null, raw: "" }],
    },
    { role: "evidence", callId: "c1", content: "1: x" },
    { role: "user", content: "Answer now." },
  ];
  await withServer(
    [{ does: "answer", value: GOOD }],
    async ({ server, ask }) => {
      assert.equal((await ask({ messages })).kind, "answered");
      const body = server.requests[0]?.body;
      assert.deepEqual(
        body?.tools?.map((tool) => tool.function.name),
        ["answer"],
      );
      assert.deepEqual(
        body?.messages.map(({ role }) => role),
        ["system", "user", "assistant", "user"],
      );
      assert.match(body?.messages[3]?.content ?? "", /1: x\n\nAnswer now\.$/);
    },
    { schema: false },
  );
});

const ARGUMENTS = [
  ["read_file", { file: "a.ts", from: 1, to: 2 }, { verb: "read", file: "a.ts", from: 1, to: 2 }],
  ["read", { file: "a.ts", from: "1", to: 2, extra: true }, { verb: "read", file: "a.ts", from: 1, to: 2 }],
  ["search", { pattern: "x" }, { verb: "grep", pattern: "x", path: ".", literal: true }],
  ["grep", { pattern: "x", path: null, literal: false }, { verb: "grep", pattern: "x", path: ".", literal: false }],
  ["git_log", {}, { verb: "log", path: ".", count: 20, revision: "HEAD" }],
  ["log", { path: "src", count: "5", revision: null }, { verb: "log", path: "src", count: 5, revision: "HEAD" }],
  ["git_blame", { file: "a.ts", from: 3, to: "4" }, { verb: "blame", file: "a.ts", from: 3, to: 4 }],
  ["git_diff", { file: "a.ts" }, { verb: "diff", file: "a.ts", revision: "base" }],
  ["git_show", { file: null, revision: "HEAD~1" }, { verb: "show", file: ".", revision: "HEAD~1" }],
] as const;

test("what a call obviously means is understood: plain verb names, numbers as text, left out defaults", () => {
  for (const [name, given, call] of ARGUMENTS) {
    assert.deepEqual(callFromFunction("c", name, JSON.stringify(given)).call, call);
    assert.deepEqual(callFromEntry("c", { verb: name, ...given }).call, call);
  }
});

test("what cannot be a call has a problem in words and no call", () => {
  const wrong = [
    ["read_file", { file: "a.ts", from: 0, to: 2 }],
    ["read_file", { file: "a.ts", from: 5, to: 2 }],
    ["read_file", { file: "", from: 1, to: 2 }],
    ["read_file", { from: 1, to: 2 }],
    ["search", { pattern: "" }],
    ["search", { path: "." }],
    ["search", []],
    ["git_log", { count: 0 }],
    ["git_blame", { file: "a.ts", from: 2, to: 1 }],
    ["git_diff", {}],
    ["git_show", { revision: 5 }],
    ["constructor", {}],
  ] as const;
  for (const [name, given] of wrong) {
    const { call, problem } = callFromFunction("c", name, JSON.stringify(given));
    assert.equal(call, null);
    assert.match(problem ?? "", new RegExp(name));
  }
  for (const entry of [null, "read_file", { file: "a.ts" }]) {
    assert.equal(callFromEntry("c", entry).call, null);
  }
});

test("whatever a model wrote as a call, what goes back to the server has valid JSON arguments", () => {
  fc.assert(
    fc.property(fc.string(), fc.oneof(fc.string(), fc.json()), (name, text) => {
      const sent = functionOf(callFromFunction("c", name, text));
      assert.match(sent.name, /^[\w-]{1,64}$/);
      assert.equal(z.looseObject({}).safeParse(JSON.parse(sent.arguments)).success, true);
    }),
  );
});

const MODES = [
  ["functions", {}],
  ["a schema without functions", { functions: false }],
  ["prompted JSON", { schema: false, functions: false }],
] as const;

for (const [mode, traits] of MODES) {
  test(`every verb of the table is offered with ${mode}, and a call by its offered name is understood`, async () => {
    await withServer(
      [{ does: "answer", value: GOOD }],
      async ({ server, ask }) => {
        await ask({ tools: true });
        const sent = JSON.stringify(server.requests[0]?.body);
        for (const verb of verbNames()) assert.ok(sent.includes(VERBS[verb].names[0]), verb);
      },
      traits,
    );
  });
}

test("the schema of every verb is strict: all members required, each described, and its own arguments parse", () => {
  const value = { string: "a", integer: 1, boolean: true } as const;
  assert.deepEqual(
    EVIDENCE_FUNCTIONS.map(({ name }) => name),
    ["read_file", "search", "git_log", "git_blame", "git_diff", "git_show"],
  );
  for (const verb of verbNames()) {
    const { names, members } = VERBS[verb];
    const shape = EVIDENCE_FUNCTIONS.find(({ name }) => name === names[0]);
    assert.deepEqual(shape?.parameters["required"], Object.keys(members));
    assert.equal(shape.parameters["additionalProperties"], false);
    const given = Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, value[type]]));
    for (const { description } of Object.values(members)) assert.notEqual(description, "");
    const call = callFromFunction("c", names[0], JSON.stringify(given));
    assert.deepEqual(call.call, { verb, ...given });
    assert.deepEqual(functionOf(call), { name: names[0], arguments: JSON.stringify(given) });
  }
});
