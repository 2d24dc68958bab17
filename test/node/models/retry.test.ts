import assert from "node:assert/strict";
import test from "node:test";
import type { Behaviour } from "../../support/scriptedReplies.ts";
import { ANSWER, GOOD, reasonOf, status, withServer } from "./setting.ts";

test("429 and 503 wait as long as the server asks: seconds, date or milliseconds, also over a minute (ruling 36)", async () => {
  const cases = [
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "119" }, 119_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Fri, 02 Jan 2026 03:04:35 GMT" }, 30_000],
    [{ "retry-after": "Fri, 02 Jan 2026 03:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "soon" }, 1000],
    [{}, 1000],
  ] as const;
  for (const code of [429, 503]) {
    for (const [headers, waited] of cases) {
      await withServer([status(code, headers), ANSWER], async ({ ask, waits }) => {
        assert.equal((await ask()).kind, "answered");
        assert.deepEqual(waits, [waited], JSON.stringify(headers));
      });
    }
  }
});

test("a wait beyond two minutes in total is not begun, and the reason says so (ruling 36)", async () => {
  await withServer([status(429, { "retry-after": "121" })], async ({ ask, waits }) => {
    assert.match(reasonOf(await ask()), /slow down.*asks to wait 121 s, more than is left of the 120 s/);
    assert.deepEqual(waits, []);
  });
  const slow = status(429, { "retry-after": "50" });
  await withServer([slow, slow, slow, ANSWER], async ({ ask, waits }) => {
    assert.match(reasonOf(await ask()), /more than is left/);
    assert.deepEqual(waits, [50_000, 50_000]);
  });
});

test("after three waits it is given up (ruling 36)", async () => {
  const busy = status(429);
  await withServer([busy, busy, busy, busy, ANSWER], async ({ ask, waits, server }) => {
    assert.match(reasonOf(await ask()), /Gave up after 3 waits/);
    assert.deepEqual(waits, [1000, 2000, 4000]);
    assert.equal(server.requests.length, 4);
  });
});

test("an empty account is not waited for", async () => {
  await withServer([status(429, { "retry-after": "1" }, { code: "insufficient_quota" })], async ({ ask, waits }) => {
    assert.match(reasonOf(await ask()), /no quota left/);
    assert.deepEqual(waits, []);
  });
});

const TRANSIENT: readonly (readonly [string, Behaviour, RegExp])[] = [
  ["500", status(500), /failed with status 500/],
  ["a reset connection", { does: "reset" }, /closed the connection/],
  ["a stream that ends without a finish reason", { does: "cut", text: '{"verdict"' }, /broke off/],
  ["a stream that is torn", { does: "cut", text: '{"verdict"', hard: true }, /closed the connection/],
  ["no choices", { does: "events", events: ['{"choices":[]}', "[DONE]"] }, /without any content/],
  ["JSON without choices", { does: "whole", body: { ok: true } }, /not a model's answer/],
  ["half a JSON body", { does: "whole", body: '{"choices":[' }, /broke off/],
  ["a stream that is no JSON", { does: "events", events: ["<html>"] }, /not JSON/],
  ["an error in the stream", { does: "events", events: ['{"error":{"message":"overloaded"}}'] }, /overloaded/],
  ["a finish by error", { does: "say", text: "{", finish: "error" }, /reported an error/],
];

for (const [what, behaviour, reason] of TRANSIENT) {
  test(`${what} is tried once more, then fails with a sentence (ruling 36)`, async () => {
    await withServer([behaviour, ANSWER], async ({ ask }) => assert.equal((await ask()).kind, "answered"));
    await withServer([behaviour, behaviour, ANSWER], async ({ ask, server }) => {
      assert.match(reasonOf(await ask()), reason);
      assert.equal(server.requests.length, 2);
    });
  });
}

test("a complete answer counts although the stream breaks after its finish reason", async () => {
  const delta = { content: JSON.stringify(GOOD) };
  const events = [JSON.stringify({ choices: [{ delta, finish_reason: "stop" }] })];
  await withServer([{ does: "events", events }], async ({ ask }) => assert.equal((await ask()).kind, "answered"));
});

test("a server that does not stream is understood", async () => {
  const message = { role: "assistant", content: JSON.stringify(GOOD) };
  const body = { choices: [{ message, finish_reason: "stop" }], usage: { prompt_tokens: 5, completion_tokens: 6 } };
  await withServer([{ does: "whole", body }], async ({ ask }) => {
    const reply = await ask();
    assert.equal(reply.kind, "answered");
    assert.deepEqual(reply.usage, { prompt: 105, completion: 26 });
  });
});
