import assert from "node:assert/strict";
import test from "node:test";
import { GOOD, withServer } from "./setting.ts";

test("a server that keeps to a JSON schema is asked with one, and the answer is validated", async () => {
  await withServer([{ does: "answer", value: GOOD, usage: [321, 45] }], async ({ server, ask }) => {
    const reply = await ask();
    assert.equal(reply.kind, "answered");
    assert.deepEqual(reply.kind === "answered" && reply.value, GOOD);
    const format = server.requests[0]?.body.response_format;
    assert.equal(format?.json_schema["strict"], true);
    assert.deepEqual(format?.json_schema.schema?.["required"], ["verdict", "crux", "line"]);
    assert.equal(format?.json_schema.schema?.["additionalProperties"], false);
    assert.doesNotMatch(JSON.stringify(format), /\$schema|minimum|maximum|minLength|pattern/);
  });
});

test("usage is what the server counted, the probe's tokens included", async () => {
  await withServer([{ does: "answer", value: GOOD, usage: [321, 45] }], async ({ ask }) => {
    assert.deepEqual((await ask()).usage, { prompt: 100 + 321, completion: 20 + 45 });
  });
});

test("a server that ignores schemas but calls functions answers by the function", async () => {
  const script = [{ does: "answer", value: GOOD }] as const;
  await withServer(
    script,
    async ({ server, ask }) => {
      assert.equal((await ask()).kind, "answered");
      assert.deepEqual(
        server.requests[0]?.body.tools?.map((tool) => tool.function.name),
        ["answer"],
      );
      assert.equal(server.requests[0]?.body.response_format, undefined);
    },
    { schema: false },
  );
});

test("a server that can do neither gets the schema in words", async () => {
  await withServer(
    [{ does: "say", text: `Here you are:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`\nAnything else?` }],
    async ({ server, ask }) => {
      const reply = await ask();
      assert.deepEqual(reply.kind === "answered" && reply.value, GOOD);
      const system = server.requests[0]?.body.messages[0]?.content ?? "";
      assert.match(system, /^# Rules\nBe exact\.\n\n# Form of your reply\n/);
      assert.match(system, /"verdict":\{"type":"string","enum":\["VALID","INVALID"\]\}/);
    },
    { schema: false, functions: false },
  );
});

test("a 200 without the value that only the schema holds is no capability", async () => {
  const lying = { does: "say", text: '{"state": "ok"}' } as const;
  await withServer(
    [{ does: "say", text: JSON.stringify(GOOD) }],
    async ({ server, ask }) => {
      assert.equal((await ask()).kind, "answered");
      assert.equal(server.requests[0]?.body.response_format, undefined);
      assert.equal(server.requests[0]?.body.tools, undefined);
    },
    { schema: lying, functions: lying },
  );
});

test("what a server can do is probed once, also by calls that come together", async () => {
  await withServer(
    () => ({ does: "answer", value: GOOD }),
    async ({ server, ask, traits }) => {
      await Promise.all([ask(), ask(), ask()]);
      assert.equal(server.probes.length, 1);
      assert.deepEqual([...traits.keys()], [`${server.url} test-model`]);
      assert.equal(traits.get(`${server.url} test-model`)?.schema, true);
    },
  );
});

test("a probe that is refused with 400 is a no; one that fails with 500 is kept as a no only after an answer came", async () => {
  const refused = { does: "status", status: 400 } as const;
  const failing = { does: "status", status: 500 } as const;
  const script = [
    { does: "status", status: 401 },
    { does: "say", text: JSON.stringify(GOOD) },
  ] as const;
  await withServer(
    script,
    async ({ server, ask, traits }) => {
      const known = () => traits.get(`${server.url} test-model`);
      assert.equal((await ask()).kind, "failed");
      assert.deepEqual([known()?.schema, known()?.functions], [false, null]);
      assert.equal((await ask()).kind, "answered");
      assert.deepEqual([known()?.schema, known()?.functions], [false, false]);
    },
    { schema: refused, functions: failing },
  );
});

test("a probe that cannot get through is a failure, not a capability", async () => {
  await withServer(
    [],
    async ({ ask, traits }) => {
      const reply = await ask();
      assert.equal(reply.kind, "failed");
      assert.equal(traits.size, 0);
    },
    { schema: { does: "status", status: 401 } },
  );
});

test("an answer outside the promised schema ends the trust in it, and the next request says its form in words", async () => {
  const script = [
    { does: "say", text: "I think it is fine." },
    { does: "say", text: JSON.stringify(GOOD) },
  ] as const;
  await withServer(
    script,
    async ({ server, ask }) => {
      assert.equal((await ask()).kind, "malformed");
      assert.equal((await ask()).kind, "answered");
      assert.equal(server.requests[1]?.body.response_format, undefined);
    },
    { functions: false },
  );
});

test("malformed output says for the model what is wrong and keeps what it said (C19)", async () => {
  const cases = [
    { script: { does: "say", text: "It depends." }, problem: /no complete JSON object/ },
    { script: { does: "say", text: "" }, problem: /empty/ },
    { script: { does: "answer", value: { ...GOOD, verdict: "MAYBE" } }, problem: /verdict/ },
    { script: { does: "say", text: '{"verdict": "VA', finish: "length" }, problem: /cut at the length limit/ },
  ] as const;
  for (const { script, problem } of cases) {
    await withServer([script], async ({ ask }) => {
      const reply = await ask();
      assert.ok(reply.kind === "malformed");
      assert.match(reply.problem, problem);
      if (script.does === "say") assert.equal(reply.raw, script.text);
    });
  }
});

test("a refusal and a content filter are refusals with their reason", async () => {
  const script = [
    { does: "refuse", text: "I cannot help with that." },
    { does: "say", text: "The code", finish: "content_filter" },
  ] as const;
  await withServer(script, async ({ ask }) => {
    const refused = await ask();
    assert.equal(refused.kind === "refused" && refused.reason, "The model refused to answer: I cannot help with that.");
    const filtered = await ask();
    assert.match(filtered.kind === "refused" ? filtered.reason : "", /content filter/);
  });
});
