import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { cacheFolder, userCacheFolder } from "../../../src/node/journal.ts";
import { findLocalServers, LOCAL_PORTS } from "../../../src/node/models/localServers.ts";
import { openProbeFile } from "../../../src/node/models/probeFile.ts";
import { serverModels } from "../../../src/node/models/serverList.ts";
import type { ServerModelOptions } from "../../../src/node/models/serverModel.ts";
import type { ServerTraits } from "../../../src/node/models/serverTraits.ts";
import { testServer } from "../../../src/node/models/testCall.ts";
import { freePort, listing, withLister } from "../../support/modelLister.ts";
import { type ServerSettings, startScriptedServer } from "../../support/scriptedServer.ts";
import type { Script } from "../../support/scriptedReplies.ts";
import { KEY, status } from "./setting.ts";

const now = (): Date => new Date();
const forever = new AbortController().signal;

const lister = listing("qwen3:8b", "llama3:8b", "qwen3:8b");

test("a server's models are listed with its key, sorted and each once", async () => {
  const keys: (string | undefined)[] = [];
  await withLister(
    (request, response) => {
      keys.push(request.headers.authorization);
      lister(request, response);
    },
    async (origin) => {
      const listed = await serverModels(`${origin}/v1`, { apiKey: KEY, timeoutMs: 2000, now }, forever);
      assert.deepEqual(listed, { kind: "listed", url: `${origin}/v1`, models: ["llama3:8b", "qwen3:8b"] });
      assert.deepEqual(keys, [`Bearer ${KEY}`]);
    },
  );
});

test("an address without its /v1 is found too, and the one that answered is given back", async () => {
  await withLister(lister, async (origin) => {
    const listed = await serverModels(` ${origin}/ `, { apiKey: null, timeoutMs: 2000, now }, forever);
    assert.deepEqual(listed.kind === "listed" && listed.url, `${origin}/v1`);
  });
});

test("a page instead of a list, and a server without a list, ask for the model's name", async () => {
  for (const answer of ["<html>hello</html>", JSON.stringify({ models: "many" })])
    await withLister(
      (_request, response) => response.end(answer),
      async (origin) => {
        const listed = await serverModels(`${origin}/v1`, { apiKey: null, timeoutMs: 2000, now }, forever);
        assert.ok(listed.kind === "unlisted");
        assert.match(listed.why, /does not list its models\. Type the name/);
      },
    );
});

test("a refused key and a silent port say what to do, and hold no key", async () => {
  await withLister(
    (_request, response) =>
      response.writeHead(401, { "content-type": "application/json" }).end(`{"error":{"message":"bad ${KEY}"}}`),
    async (origin) => {
      const listed = await serverModels(`${origin}/v1`, { apiKey: KEY, timeoutMs: 2000, now }, forever);
      assert.ok(listed.kind === "failed");
      assert.match(listed.why, /does not accept the key \(401\)\. Enter the key/);
      assert.ok(!listed.why.includes(KEY));
    },
  );
  const silent = await serverModels(
    `http://127.0.0.1:${await freePort()}/v1`,
    { apiKey: null, timeoutMs: 2000, now },
    forever,
  );
  assert.match(silent.kind === "failed" ? silent.why : "", /nothing answers there\. Is the server running\?/);
  const wrong = await serverModels("localhost:11434", { apiKey: null, timeoutMs: 2000, now }, forever);
  assert.match(wrong.kind === "failed" ? wrong.why : "", /has to begin with http:\/\//);
});

test("looking for local servers asks the given ports of 127.0.0.1 and nothing else", async () => {
  assert.deepEqual(
    LOCAL_PORTS.map(({ port }) => port),
    [11434, 1234, 8000, 8080],
  );
  await withLister(lister, async (_origin, port) => {
    const asked: string[] = [];
    const other = await freePort();
    const noted: typeof fetch = async (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).origin);
      return await fetch(input, init);
    };
    const ports = [
      { port, name: "Ollama" },
      { port: other, name: "nothing" },
    ];
    const found = await findLocalServers({ now, fetch: noted }, forever, ports);
    assert.deepEqual(found, [
      { name: "Ollama", url: `http://127.0.0.1:${port}/v1`, models: ["llama3:8b", "qwen3:8b"] },
    ]);
    assert.deepEqual(new Set(asked), new Set([`http://127.0.0.1:${port}`, `http://127.0.0.1:${other}`]));
  });
});

/** The test call against a scripted server. */
async function tryServer(script: Script, settings: ServerSettings = {}, traits = new Map<string, ServerTraits>()) {
  const server = await startScriptedServer(script, settings);
  let clock = 0;
  const options: ServerModelOptions = {
    baseUrl: server.url,
    model: "m",
    apiKey: null,
    idleTimeoutMs: 2000,
    now: () => new Date((clock += 500)),
    sleep: async () => undefined,
    log: () => undefined,
    probeCache: traits,
  };
  try {
    const result = await testServer(options, forever);
    return { result, text: result.kind === "works" ? result.words.join("\n") : result.why, server };
  } finally {
    await server.close();
  }
}

const RIGHT = { does: "answer", value: { verdict: "VALID", reasoning: "It is doubled." }, usage: [50, 20] } as const;

const CAN: readonly (readonly [string, ServerSettings, readonly RegExp[]])[] = [
  ["everything", {}, [/holds its answers to a JSON schema/, /by calling functions/, /reports the tokens/]],
  ["no schema", { schema: false }, [/ignores JSON schemas: answers come as function calls/]],
  ["no functions", { functions: false }, [/JSON schema\. It calls no functions: it asks for evidence in its answers/]],
];

for (const [name, settings, words] of CAN)
  test(`a test call tells in words what a server with ${name} can do`, async () => {
    const { result, text } = await tryServer([RIGHT], settings);
    assert.equal(result.kind, "works");
    assert.match(text, /^It answered in .* s, about \d+ tokens a second\./);
    for (const shape of words) assert.match(text, shape);
  });

test("a server that holds answers to nothing is said to be so; one that counts no tokens too", async () => {
  const said = JSON.stringify(RIGHT.value);
  const { text } = await tryServer(
    [{ does: "whole", body: { choices: [{ message: { content: said }, finish_reason: "stop" }] } }],
    {
      schema: false,
      functions: false,
    },
  );
  assert.match(text, /holds answers to no form/);
  assert.match(text, /does not report tokens/);
});

test("a wrong answer to the test question is said, and does not pass for a fault of the connection", async () => {
  const { result, text } = await tryServer([{ ...RIGHT, value: { verdict: "INVALID", reasoning: "No." } }]);
  assert.equal(result.kind, "works");
  assert.match(text, /was wrong: expect weak verdicts/);
});

const FAILS: readonly (readonly [string, Script, ServerSettings, RegExp])[] = [
  ["a refused key", [], { schema: status(401), functions: status(401) }, /does not accept the key \(401\)/],
  [
    "an unknown model",
    [status(404)],
    { schema: status(404), functions: status(404) },
    /Check the server address .* and the model name "m"/,
  ],
  ["prose instead of the form", [{ does: "say", text: "Sure, it is true." }], {}, /not in the form it was asked for/],
  ["a refusal", [{ does: "refuse", text: "I cannot help." }], {}, /refused to answer: I cannot help/],
];

for (const [name, script, settings, why] of FAILS)
  test(`${name} fails the test call with its reason`, async () => {
    const { result, text } = await tryServer(script, settings);
    assert.equal(result.kind, "fails");
    assert.match(text, why);
  });

test("a test call probes anew what was known, and leaves the new knowledge for the runs", async () => {
  const traits = new Map<string, ServerTraits>();
  const { server } = await tryServer([RIGHT], { schema: false }, traits);
  const key = `${server.url} m`;
  assert.deepEqual(traits.get(key), { schema: false, functions: true, dropped: [] });
  traits.set(key, { schema: false, functions: false, dropped: ["temperature"] });
  const again = await tryServer([RIGHT], {}, new Map([...traits].map(([, value]) => [key, value])));
  assert.equal(again.server.probes.length, 2);
});

test("nothing but the question of the test leaves in a test call", async () => {
  const { server } = await tryServer([RIGHT]);
  const sent = server.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n");
  assert.match(sent, /const total = price \* 2/);
  assert.ok(sent.length < 2000, sent);
});

const TRAITS: ServerTraits = { schema: true, functions: false, dropped: ["temperature"] };

/** Runs with a file of its own for what is known of servers. */
async function withFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "triage-probe-"));
  try {
    await work(path.join(folder, "deep", "servers.json"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("what was learnt about a server is known to the next process, and two that learn at once lose nothing", async () => {
  await withFile(async (file) => {
    const [one, other] = [openProbeFile(file, now), openProbeFile(file, now)];
    assert.equal(one.get("a"), undefined);
    assert.equal(other.get("a"), undefined);
    await one.set("a", TRAITS);
    await other.set("b", { ...TRAITS, schema: false });
    const third = openProbeFile(file, now);
    const known = third.get("a");
    assert.deepEqual([known?.schema, known?.functions, known?.dropped], [true, false, ["temperature"]]);
    assert.equal(third.get("b")?.schema, false);
  });
});

test("damage of the file means that nothing is known, entry by entry, and it is mended by the next write", async () => {
  await withFile(async (file) => {
    await openProbeFile(file, now).set("a", TRAITS);
    await openProbeFile(file, now).set("b", TRAITS);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"schema": true', '"schema": "yes"'));
    const half = openProbeFile(file, now);
    assert.deepEqual([half.get("a"), half.get("b")].filter((known) => known === undefined).length, 1);
    for (const broken of [text.slice(0, 40), "[]", "null", '{"servers": 7}', "\0"]) {
      await writeFile(file, broken);
      const opened = openProbeFile(file, now);
      assert.equal(opened.get("a"), undefined, broken);
      await opened.set("c", TRAITS);
      assert.equal(openProbeFile(file, now).get("c")?.schema, true, broken);
    }
  });
});

test("knowledge of a month ago is none, and a folder that cannot be written costs only the next process", async () => {
  await withFile(async (file) => {
    await openProbeFile(file, () => new Date("2026-01-01T00:00:00Z")).set("a", TRAITS);
    assert.equal(openProbeFile(file, () => new Date("2026-01-20T00:00:00Z")).get("a")?.schema, true);
    assert.equal(openProbeFile(file, () => new Date("2026-02-20T00:00:00Z")).get("a"), undefined);
    assert.equal(openProbeFile(file, () => new Date("2025-12-01T00:00:00Z")).get("a"), undefined, "from the future");
    const blocked = openProbeFile(path.join(file, "below-a-file", "servers.json"), now);
    await blocked.set("a", TRAITS);
    assert.equal(blocked.get("a")?.schema, true);
  });
});

test("the file lies in the user's cache folder, beside those of the workspaces", () => {
  const environment = { XDG_CACHE_HOME: "/cache", LOCALAPPDATA: "C:\\cache" };
  assert.equal(userCacheFolder(environment, "linux"), path.join("/cache", "skeptical-triage"));
  assert.equal(path.dirname(cacheFolder("/work", environment, "linux")), userCacheFolder(environment, "linux"));
});
