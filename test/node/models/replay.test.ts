import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import type { Model, ModelMessage, ModelReply, ModelRequest } from "../../../src/core/ports.ts";
import { parseRecording, recordModel, requestHash } from "../../../src/node/models/recording.ts";
import { createReplayModel } from "../../../src/node/models/replayModel.ts";
import { Answer, GOOD, MESSAGES, reasonOf } from "./setting.ts";

const USAGE = { prompt: 12, completion: 3 };
const SIGNAL = new AbortController().signal;
const IDENTITY = { provider: "https://models.example.org", model: "m" };
const REQUEST: ModelRequest<Answer> = { messages: MESSAGES, schema: Answer, schemaName: "round", tools: true };

const CALLS = [
  { callId: "c1", call: { verb: "grep", pattern: "x", path: ".", literal: true }, problem: null, raw: "search({})" },
  { callId: "c2", call: null, problem: "not JSON", raw: "search({" },
] as const;

const REPLIES: readonly ModelReply<unknown>[] = [
  { kind: "answered", value: GOOD, raw: JSON.stringify(GOOD), usage: USAGE },
  { kind: "wants", calls: CALLS, content: "", usage: USAGE },
  { kind: "refused", reason: "no", usage: USAGE },
  { kind: "malformed", raw: "hm", problem: "no JSON", usage: USAGE },
  { kind: "failed", reason: "down", usage: USAGE },
];

function fixed(reply: ModelReply<unknown>): Model {
  return {
    identity: IDENTITY,
    ask: async <T>(request: ModelRequest<T>): Promise<ModelReply<T>> =>
      reply.kind === "answered" ? { ...reply, value: request.schema.parse(reply.value) } : reply,
  };
}

async function record(reply: ModelReply<unknown>, request = REQUEST): Promise<string> {
  const lines: string[] = [];
  await recordModel(fixed(reply), (line) => void lines.push(line)).ask(request, SIGNAL);
  return lines.join("");
}

for (const reply of REPLIES) {
  test(`a recorded reply of kind ${reply.kind} comes back the same`, async () => {
    const { entries, damaged } = parseRecording(await record(reply));
    assert.deepEqual(damaged, []);
    assert.deepEqual(await createReplayModel(entries, () => undefined).ask(REQUEST, SIGNAL), reply);
  });
}

test("a recording holds no word of the request", async () => {
  assert.doesNotMatch(await record({ kind: "refused", reason: "no", usage: USAGE }), /the packet|Be exact/);
});

test("every part of a request changes its hash: model, messages, schema, evidence", () => {
  const evidence: ModelMessage = { role: "evidence", callId: "c1", content: "1: x" };
  const variants = [
    requestHash(IDENTITY, REQUEST),
    requestHash({ ...IDENTITY, model: "n" }, REQUEST),
    requestHash({ ...IDENTITY, provider: "https://other.example.org" }, REQUEST),
    requestHash(IDENTITY, { ...REQUEST, messages: MESSAGES.slice(0, 1) }),
    requestHash(IDENTITY, { ...REQUEST, messages: [...MESSAGES, evidence] }),
    requestHash(IDENTITY, { ...REQUEST, messages: [...MESSAGES, { ...evidence, content: "1: y" }] }),
    requestHash(IDENTITY, { ...REQUEST, messages: [...MESSAGES, { role: "assistant", content: "", calls: CALLS }] }),
    requestHash(IDENTITY, { ...REQUEST, schemaName: "arbiter" }),
    requestHash(IDENTITY, { ...REQUEST, tools: false }),
  ];
  assert.equal(new Set(variants).size, variants.length);
});

test("a request that was not recorded fails and names its hash", async () => {
  const { entries } = parseRecording(await record({ kind: "refused", reason: "no", usage: USAGE }));
  const other = { ...REQUEST, schemaName: "arbiter" };
  const reply = await createReplayModel(entries, () => undefined).ask(other, SIGNAL);
  assert.match(reasonOf(reply), new RegExp(`no reply to this arbiter request \\(${requestHash(IDENTITY, other)}\\)`));
});

test("a request recorded again gives the newer reply", async () => {
  const lines = [
    await record({ kind: "failed", reason: "down", usage: USAGE }),
    await record({ kind: "refused", reason: "no", usage: USAGE }),
  ];
  const reply = await createReplayModel(parseRecording(lines.join("")).entries, () => undefined).ask(REQUEST, SIGNAL);
  assert.equal(reply.kind, "refused");
});

test("damaged lines of a recording are named by number and left out", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "recording-"));
  try {
    const good = await record({ kind: "refused", reason: "no", usage: USAGE });
    const file = path.join(folder, "run.jsonl");
    await writeFile(file, `{"hash": "torn\n\n${good}{"hash":"short","reply":{}}\r\n`);
    const logged: string[] = [];
    const model = createReplayModel(file, (_level, text) => void logged.push(text));
    assert.equal((await model.ask(REQUEST, SIGNAL)).kind, "refused");
    assert.equal((await model.ask(REQUEST, SIGNAL)).kind, "refused");
    assert.equal(logged.length, 2);
    assert.match(logged[0] ?? "", /run\.jsonl, line 1 is left out: is not JSON/);
    assert.match(logged[1] ?? "", /run\.jsonl, line 4 is left out: .*hash/s);
    assert.deepEqual(model.identity, { provider: "replay", model: "run.jsonl" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a recording that cannot be read, or holds nothing, fails with its reason", async () => {
  const missing = createReplayModel(path.join(tmpdir(), "no-such-folder", "run.jsonl"), () => undefined);
  assert.match(reasonOf(await missing.ask(REQUEST, SIGNAL)), /cannot be read: ENOENT/);
  assert.match(reasonOf(await createReplayModel([], () => undefined).ask(REQUEST, SIGNAL)), /holds no reply/);
});

test("a recorded answer that no longer fits the schema is malformed, not trusted", async () => {
  const line = await record({ kind: "answered", value: GOOD, raw: "raw", usage: USAGE });
  const { entries } = parseRecording(line.replace(GOOD.verdict, "MAYBE"));
  assert.equal((await createReplayModel(entries, () => undefined).ask(REQUEST, SIGNAL)).kind, "malformed");
});
