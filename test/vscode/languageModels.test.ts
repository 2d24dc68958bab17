import assert from "node:assert/strict";
import test from "node:test";
import { type AskEditorModelParams, AskEditorModelResult, ListEditorModelsResult } from "../../src/protocol/models.ts";
import { failureOf, LanguageModels, type ModelHost, type ModelPiece } from "../../src/vscode/languageModels.ts";

const PARAMS: AskEditorModelParams = {
  request: "r1",
  vendor: "fake",
  id: "large-1",
  messages: [{ role: "user", text: "hello", calls: [], results: [] }],
  tools: [],
  toolMode: "auto",
};

/** A token that can be cancelled. */
function token() {
  const heard = new Set<() => void>();
  const state = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: (event: undefined) => unknown) => {
      const call = (): void => void listener(undefined);
      heard.add(call);
      return { dispose: () => void heard.delete(call) };
    },
  };
  return {
    token: state,
    cancel() {
      state.isCancellationRequested = true;
      for (const call of heard) call();
    },
    listeners: () => heard.size,
  };
}

async function ask(send: ModelHost["send"], given = token()) {
  const alive: string[] = [];
  const models = new LanguageModels({
    host: { models: async () => [], send },
    agreed: () => false,
    alive: (request) => alive.push(request),
    now: () => 0,
  });
  const result = await models.ask(PARAMS, given.token);
  assert.equal(AskEditorModelResult.safeParse(result).success, true, "what is sent keeps to its own bounds");
  assert.equal(given.listeners(), 0, "no listener outlives the exchange");
  return { result, alive };
}

async function* streamOf(...pieces: readonly ModelPiece[]): AsyncGenerator<ModelPiece> {
  yield* pieces;
}

test("text and calls of the stream are one answer; a burst of pieces is one sign of life", async () => {
  const { result, alive } = await ask(async () =>
    streamOf(
      { kind: "text", text: "one " },
      { kind: "other" },
      { kind: "text", text: "two" },
      { kind: "call", id: "c", name: "answer", input: { a: 1 } },
    ),
  );
  assert.deepEqual(result, {
    kind: "ended",
    text: "one two",
    calls: [{ id: "c", name: "answer", arguments: '{"a":1}' }],
  });
  assert.deepEqual(alive, ["r1"]);
});

test("a stream that ends without text and call is no answer", async () => {
  assert.deepEqual((await ask(async () => streamOf({ kind: "other" }, { kind: "text", text: " \n" }))).result, {
    kind: "failed",
    failure: "empty",
    why: "",
  });
});

test("a cancelled stream ends in silence, as if it were complete: what it held does not count", async () => {
  const given = token();
  const { result } = await ask(async () => {
    async function* half(): AsyncGenerator<ModelPiece> {
      yield { kind: "call", id: "c", name: "answer", input: {} };
      given.cancel();
    }
    return half();
  }, given);
  assert.deepEqual(result, { kind: "failed", failure: "cancelled", why: "" });
});

test("a model that goes on after it was cancelled is not waited for", async () => {
  const given = token();
  setTimeout(() => given.cancel(), 5);
  const { result } = await ask(async () => await new Promise(() => undefined), given);
  assert.deepEqual(result, { kind: "failed", failure: "cancelled", why: "" });
});

test("a model the editor does not have is named so", async () => {
  assert.deepEqual((await ask(async () => null)).result, { kind: "failed", failure: "not-found", why: "" });
});

test("an answer without end is given up", async () => {
  const { result } = await ask(async () => {
    async function* endless(): AsyncGenerator<ModelPiece> {
      for (;;) yield { kind: "text", text: "x".repeat(1_000_000) };
    }
    return endless();
  });
  assert.deepEqual(result, { kind: "failed", failure: "too-long", why: "" });
});

const ERRORS: readonly (readonly [string, unknown, string])[] = [
  ["the editor's own error", Object.assign(new Error("gone"), { code: "NotFound" }), "not-found"],
  ["a denied permission", Object.assign(new Error("no"), { code: "NoPermissions" }), "no-permission"],
  ["a block", Object.assign(new Error("no"), { code: "Blocked" }), "blocked"],
  ["a named error of a model's extension", Object.assign(new Error("quota"), { name: "ChatQuotaExceeded" }), "quota"],
  [
    "a wrapped one",
    new Error("", { cause: Object.assign(new Error("quota"), { name: "ChatQuotaExceeded" }) }),
    "quota",
  ],
  ["a filter, which has nothing but words", new Error("Response got filtered."), "filtered"],
  ["another filter", new Error("triggering Azure OpenAI's content management policy"), "filtered"],
  ["a plain error", new Error("socket hang up"), "other"],
  ["an error about a filter of another kind", new Error("cannot apply coffee filter"), "other"],
  ["no error at all", "boom", "other"],
];

for (const [name, error, failure] of ERRORS)
  test(`${name} is "${failure}"`, async () => {
    const read = failureOf(error);
    assert.equal(read.kind === "failed" && read.failure, failure);
    const { result } = await ask(async () => await Promise.reject(error));
    assert.deepEqual(result, read);
  });

test("words of a model's extension are cut to what one line holds", async () => {
  const read = failureOf(new Error("x".repeat(10_000)));
  assert.equal(AskEditorModelResult.safeParse(read).success, true);
});

test("the list says of each model whether the person agreed to its vendor, and asks nobody", async () => {
  const row = { vendor: "a", id: "1", name: "One", family: "f", version: "v", maxInputTokens: 10 };
  const models = new LanguageModels({
    host: {
      models: async () => [
        { ...row, access: "granted" },
        { ...row, vendor: "b", access: "unasked" },
      ],
      send: async () => null,
    },
    agreed: (vendor) => vendor === "b",
    alive: () => undefined,
    now: () => 0,
  });
  const listed = await models.list();
  assert.equal(ListEditorModelsResult.safeParse(listed).success, true);
  assert.deepEqual(
    listed.models.map(({ vendor, access, agreed }) => [vendor, access, agreed]),
    [
      ["a", "granted", false],
      ["b", "unasked", true],
    ],
  );
});
