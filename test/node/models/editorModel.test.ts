import assert from "node:assert/strict";
import test from "node:test";
import type { ModelMessage, ModelReply, ModelRequest } from "../../../src/core/ports.ts";
import { createEditorModel, type EditorModels } from "../../../src/node/models/editorModel.ts";
import type { AskEditorModelParams, AskEditorModelResult, EditorModelRow } from "../../../src/protocol/models.ts";
import { Answer, GOOD, MESSAGES } from "./setting.ts";

const ROW: EditorModelRow = {
  vendor: "fake",
  id: "large-1",
  name: "Fake Large",
  family: "claude-sonnet-4",
  version: "1",
  maxInputTokens: 64_000,
  access: "granted",
  agreed: true,
};

type Sent = Omit<AskEditorModelParams, "request">;
type Script = (sent: Sent, nth: number, signal: AbortSignal) => AskEditorModelResult | Promise<AskEditorModelResult>;

/** A model whose extension is the test's. */
function rig(script: Script, idleTimeoutMs = 2000) {
  const sent: Sent[] = [];
  const models: EditorModels = {
    list: async () => [ROW],
    async ask(params, _alive, signal) {
      sent.push(params);
      return await script(params, sent.length - 1, signal);
    },
  };
  const model = createEditorModel({ row: ROW, models, idleTimeoutMs, now: () => new Date(0), log: () => undefined });
  const ask = async (
    change: Partial<ModelRequest<Answer>> = {},
    signal = new AbortController().signal,
  ): Promise<ModelReply<Answer>> =>
    await model.ask({ messages: MESSAGES, schema: Answer, schemaName: "round", tools: false, ...change }, signal);
  return { model, sent, ask };
}

function call(name: string, value: unknown): AskEditorModelResult {
  return { kind: "ended", text: "", calls: [{ id: "c1", name, arguments: JSON.stringify(value) }] };
}
const failed = (
  failure: Extract<AskEditorModelResult, { kind: "failed" }>["failure"],
  why = "",
): AskEditorModelResult => ({
  kind: "failed",
  failure,
  why,
});

test("the model is named by vendor and id, with its maker where the editor tells it", () => {
  assert.deepEqual(rig(() => failed("empty")).model.identity, {
    provider: "editor:fake",
    model: "large-1",
    family: "claude",
  });
});

test("the answer is the one required tool, and the rules stand in the first message of the user", async () => {
  const { sent, ask } = rig(() => call("answer", GOOD));
  const reply = await ask();
  assert.deepEqual(reply.kind === "answered" && reply.value, GOOD);
  const [only] = sent;
  assert.equal(only?.toolMode, "required");
  assert.deepEqual(
    only?.tools.map(({ name }) => name),
    ["answer"],
  );
  assert.deepEqual(
    only?.messages.map(({ role }) => role),
    ["user"],
  );
  assert.match(only?.messages[0]?.text ?? "", /^# Rules\nBe exact\.\n\n# Form of your reply\n[\s\S]*\n\nthe packet$/);
});

test("evidence is asked for by tools, and goes back as their results in the roles the editor knows", async () => {
  const { sent, ask } = rig((_sent, nth) =>
    nth === 0 ? call("read_file", { file: "src/a.ts", from: 1, to: 9 }) : call("answer", GOOD),
  );
  const first = await ask({ tools: true });
  assert.ok(first.kind === "wants");
  assert.deepEqual(first.calls[0]?.call, { verb: "read", file: "src/a.ts", from: 1, to: 9 });
  const messages: ModelMessage[] = [
    ...MESSAGES,
    { role: "assistant", content: "", calls: first.calls },
    { role: "evidence", callId: first.calls[0]?.callId ?? "", content: "1: const a = 1;" },
    { role: "user", content: "and now?" },
  ];
  assert.equal((await ask({ tools: true, messages })).kind, "answered");
  const last = sent.at(-1)?.messages ?? [];
  assert.deepEqual(
    last.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.deepEqual(last[1]?.calls, [
    { id: "c1", name: "read_file", arguments: JSON.stringify({ file: "src/a.ts", from: 1, to: 9 }) },
  ]);
  assert.deepEqual(last[2], {
    role: "user",
    text: "and now?",
    calls: [],
    results: [{ id: "c1", text: "1: const a = 1;" }],
  });
  assert.ok((sent[0]?.tools.length ?? 0) > 1);
});

test("without evidence functions an earlier exchange goes back as text: there is no tool it could belong to", async () => {
  const { sent, ask } = rig(() => call("answer", GOOD));
  const calls = [
    { callId: "c9", call: { verb: "read", file: "a.ts", from: 1, to: 2 } as const, problem: null, raw: "" },
  ];
  await ask({
    messages: [
      ...MESSAGES,
      { role: "assistant", content: "", calls },
      { role: "evidence", callId: "c9", content: "LINES" },
    ],
  });
  const messages = sent[0]?.messages ?? [];
  assert.deepEqual(
    messages.flatMap((message) => [...message.calls, ...message.results]),
    [],
  );
  assert.match(messages[1]?.text ?? "", /^read_file\(\{"file":"a\.ts"/);
  assert.match(messages[2]?.text ?? "", /LINES/);
});

test("a model that takes `required` for one tool only is asked again with `auto`, and so from then on", async () => {
  const { sent, ask } = rig(({ toolMode, tools }) =>
    toolMode === "required" && tools.length > 1 ? failed("other", "one tool only") : call("answer", GOOD),
  );
  assert.equal((await ask({ tools: true })).kind, "answered");
  assert.equal((await ask({ tools: true })).kind, "answered");
  assert.equal((await ask()).kind, "answered");
  assert.deepEqual(
    sent.map(({ toolMode }) => toolMode),
    ["required", "auto", "auto", "required"],
  );
});

test("an answer in prose is malformed, JSON in the text is taken as it is elsewhere", async () => {
  assert.equal((await rig(() => ({ kind: "ended", text: "It is fine.", calls: [] })).ask()).kind, "malformed");
  const reply = await rig(() => ({ kind: "ended", text: JSON.stringify(GOOD), calls: [] })).ask();
  assert.equal(reply.kind, "answered");
});

test("arguments that do not fit the schema are malformed, with the problem for the model", async () => {
  const reply = await rig(() => call("answer", { ...GOOD, verdict: "FINE" })).ask();
  assert.ok(reply.kind === "malformed");
  assert.match(reply.problem, /verdict/);
});

const FAILURES = [
  ["not-found", /is not offered any more/],
  ["no-permission", /permission for it was not given/],
  ["blocked", /is blocked for this extension/],
  ["quota", /has no quota left/],
  ["empty", /gave no answer at all/],
  ["too-long", /longer than 4 MB/],
] as const;

for (const [failure, words] of FAILURES)
  test(`"${failure}" is a failure with its own reason, and is not tried again`, async () => {
    const { sent, ask } = rig(() => failed(failure, "try\nlater"));
    const reply = await ask();
    assert.ok(reply.kind === "failed");
    assert.match(reply.reason, words);
    assert.match(reply.reason, /Fake Large \(fake\).* It said: try later$/);
    assert.equal(sent.length, 1);
  });

test("a content filter is a refusal, not a failure", async () => {
  const reply = await rig(() => failed("filtered", "Response got filtered.")).ask();
  assert.equal(reply.kind, "refused");
});

test("an error without a kind is tried once more (ruling 36) and then named", async () => {
  const { sent, ask } = rig(() => failed("other", "socket hang up"));
  const reply = await ask();
  assert.ok(reply.kind === "failed");
  assert.match(reply.reason, /failed\. It said: socket hang up$/);
  assert.equal(sent.length, 2);
});

test("cancelling rejects with the signal's reason, however the model's stream ended", async () => {
  const stop = new AbortController();
  const { ask } = rig(async () => {
    stop.abort(new Error("enough"));
    return call("answer", GOOD);
  });
  await assert.rejects(ask({}, stop.signal), /enough/);
});

test("a model that says nothing is given up after the idle time, and its work is ended", async () => {
  let ended = false;
  const { ask } = rig(
    async (_sent, _nth, signal) =>
      await new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          ended = true;
          resolve(failed("cancelled"));
        }),
      ),
    20,
  );
  const reply = await ask();
  assert.ok(reply.kind === "failed");
  assert.match(reply.reason, /was given up: the server sent nothing for 20 ms/);
  assert.equal(ended, true);
});
