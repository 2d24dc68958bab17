import assert from "node:assert/strict";
import test from "node:test";
import { createServerModel } from "../../../src/node/models/serverModel.ts";
import type { Behaviour } from "../../support/scriptedReplies.ts";
import { startScriptedServer } from "../../support/scriptedServer.ts";
import { ANSWER, Answer, KEY, MESSAGES, reasonOf, status, withServer } from "./setting.ts";

const PORTS = {
  idleTimeoutMs: 1000,
  now: () => new Date(0),
  sleep: async () => undefined,
  log: () => undefined,
};

const FINAL: readonly (readonly [string, Behaviour, RegExp])[] = [
  ["401", status(401, {}, { message: `Incorrect API key provided: ${KEY}` }), /does not accept the key \(401\)/],
  ["403", status(403, {}, { message: KEY }), /refuses access \(403\).*test-model/],
  ["404", status(404, {}, { message: "model not found" }), /\(404\).*\/v1.*test-model.*model not found/],
  ["a web page", { does: "html" }, /text\/html instead of a model's answer/],
];

for (const [what, behaviour, reason] of FINAL) {
  test(`${what} fails at once and says what to do`, async () => {
    await withServer([behaviour], async ({ ask, server, waits }) => {
      assert.match(reasonOf(await ask()), reason);
      assert.equal(server.requests.length, 1);
      assert.deepEqual(waits, []);
    });
  });
}

function rejects(param: string, message: string): Behaviour {
  return status(400, {}, { param, message });
}

test("parameters a server rejects by name are left out one by one, and remembered (400)", async () => {
  const script = [
    rejects("temperature", "Unsupported value"),
    rejects("", "Unrecognized request argument supplied: stream_options"),
    ANSWER,
    ANSWER,
  ];
  await withServer(script, async ({ ask, server }) => {
    assert.equal((await ask()).kind, "answered");
    assert.equal((await ask()).kind, "answered");
    const [first, , third, fourth] = server.requests.map(({ body }) => body);
    assert.ok(first !== undefined && "temperature" in first && "stream_options" in first && "max_tokens" in first);
    for (const body of [third, fourth]) {
      assert.ok(body !== undefined && !("temperature" in body) && !("stream_options" in body) && "max_tokens" in body);
    }
  });
});

test("an unnamed 400 is tried without optional parameters; if that does not help, nothing is remembered", async () => {
  const bad = status(400, {}, { message: "bad request" });
  await withServer([bad, bad, bad, ANSWER], async ({ ask, server, traits }) => {
    assert.match(reasonOf(await ask()), /does not accept the request \(400\)\. It said: bad request/);
    assert.equal(server.requests.length, 3);
    assert.deepEqual(traits.get(`${server.url} test-model`)?.dropped, []);
  });
});

test("a prompt that is too long is not sent again", async () => {
  const long = status(400, {}, { code: "context_length_exceeded", message: "too long" });
  await withServer([long, ANSWER], async ({ ask, server }) => {
    assert.match(reasonOf(await ask()), /too long/);
    assert.equal(server.requests.length, 1);
  });
});

test("a redirect carries neither key nor code to another origin (ruling 31)", async () => {
  const other = await startScriptedServer(() => ANSWER);
  try {
    await withServer([{ does: "redirect", to: `${other.url}/chat/completions` }], async ({ ask, server }) => {
      assert.match(reasonOf(await ask()), new RegExp(`sends the request on to ${new URL(other.url).origin}`));
      assert.equal(server.requests.length, 1);
    });
    assert.equal(other.requests.length, 0);
  } finally {
    await other.close();
  }
});

test("a redirect within the origin is followed", async () => {
  await withServer([{ does: "redirect", to: "/v2/chat/completions" }, ANSWER], async ({ ask, server }) => {
    assert.equal((await ask()).kind, "answered");
    assert.equal(server.requests[1]?.path, "/v2/chat/completions");
    assert.equal(server.requests[1]?.headers.authorization, `Bearer ${KEY}`);
  });
});

test("only what a server needs is sent: the key, and nothing from the environment of other programs", async () => {
  const saved = { ...process.env };
  Object.assign(process.env, {
    OPENAI_API_KEY: "sk-of-another-server",
    OPENAI_ORG_ID: "org-x",
    OPENAI_PROJECT_ID: "proj-x",
    OPENAI_CUSTOM_HEADERS: "x-foreign: 1",
    OPENAI_BASE_URL: "http://127.0.0.1:1/",
  });
  try {
    await withServer(
      [ANSWER],
      async ({ ask, server }) => {
        assert.equal((await ask()).kind, "answered");
        const headers = server.requests[0]?.headers ?? {};
        assert.equal(headers.authorization, undefined);
        const names = Object.keys(headers);
        assert.deepEqual(
          names.filter((name) => /^(x-|openai)/.test(name)),
          [],
        );
      },
      { model: { apiKey: null } },
    );
  } finally {
    process.env = saved;
  }
});

test("the key stands in no reason and in no log line", async () => {
  const leaks = [400, 404, 429, 500].map((code) =>
    status(code, { "retry-after": "300" }, { message: `key ${KEY} bad` }),
  );
  for (const leak of leaks) {
    await withServer([leak, leak, leak], async ({ ask, logged }) => {
      const text = JSON.stringify([await ask(), logged]);
      assert.doesNotMatch(text, new RegExp(KEY));
      assert.match(text, /\[key\]/);
    });
  }
});

test("the log holds what happened, never what was sent or answered", async () => {
  await withServer([status(503), ANSWER], async ({ ask, logged }) => {
    await ask();
    const text = logged.join("\n");
    assert.match(text, /not available for the moment \(503\)/);
    assert.match(text, /round answered by schema/);
    assert.doesNotMatch(text, /the packet|guard/);
  });
});

test("a wrong server address fails with a sentence, before anything is sent", async () => {
  for (const baseUrl of ["", "localhost:11434/v1", "ftp://x/v1", "https://name:word@example.org/v1"]) {
    const model = createServerModel({
      ...PORTS,
      baseUrl,
      model: "m",
      apiKey: null,
      probeCache: new Map(),
      fetch: async () => assert.fail("nothing may be sent"),
    });
    const request = { messages: MESSAGES, schema: Answer, schemaName: "round", tools: false };
    assert.match(reasonOf(await model.ask(request, new AbortController().signal)), /server address/);
  }
});

test("a server that is not there is named, with what to check", async () => {
  const gone = await startScriptedServer([]);
  await gone.close();
  await withServer(
    [],
    async ({ ask }) =>
      assert.match(
        reasonOf(await ask()),
        /^http:\/\/127\.0\.0\.1:\d+: nothing answers there\. Is the server running\?/,
      ),
    { model: { baseUrl: gone.url } },
  );
});

test("identity is the server's origin and the model", () => {
  const model = createServerModel({
    ...PORTS,
    baseUrl: "https://models.example.org/v1/",
    model: "m",
    apiKey: KEY,
    probeCache: new Map(),
  });
  assert.deepEqual(model.identity, { provider: "https://models.example.org", model: "m" });
});
