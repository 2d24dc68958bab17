import assert from "node:assert/strict";
import test from "node:test";
import { ANSWER, GOOD, reasonOf, status, withServer } from "./setting.ts";

const SILENT = ["headers", "first piece", "middle"] as const;

for (const at of SILENT) {
  test(`a server that falls silent before its ${at} is ended by the watchdog, and nothing is left running`, async () => {
    const stall = { does: "stall", at } as const;
    await withServer(
      [stall, stall],
      async ({ ask, server }) => {
        assert.match(reasonOf(await ask()), /sent nothing for 80 ms\. Tried twice/);
        await Promise.all(server.requests.map(({ over }) => over));
        assert.equal(server.running(), 0);
      },
      { model: { idleTimeoutMs: 80 } },
    );
  });
}

test("a server that sends only comments is ended by the limit for the whole answer", async () => {
  const stall = { does: "stall", at: "comments" } as const;
  await withServer(
    [stall, stall],
    async ({ ask, server }) => {
      assert.match(reasonOf(await ask()), /not complete after 150 ms/);
      await Promise.all(server.requests.map(({ over }) => over));
    },
    { model: { idleTimeoutMs: 100, totalTimeoutMs: 150 } },
  );
});

test("a slow stream with signs of life is not ended", async () => {
  await withServer(
    [{ does: "answer", value: GOOD, pieceMs: 40 }],
    async ({ ask }) => assert.equal((await ask()).kind, "answered"),
    { model: { idleTimeoutMs: 150 } },
  );
});

for (const at of SILENT) {
  test(`cancel during ${at} rejects at once with the signal's reason and leaves nothing running`, async () => {
    await withServer([{ does: "stall", at }], async ({ ask, server }) => {
      const controller = new AbortController();
      const reply = ask({}, controller.signal);
      const received = await server.received(0);
      const reason = new Error("cancelled by the person");
      controller.abort(reason);
      await assert.rejects(reply, (error) => error === reason);
      await received.over;
      assert.equal(server.running(), 0);
      assert.equal(server.requests.length, 1);
    });
  });
}

test("cancel during a wait rejects at once, whatever the sleep does", async () => {
  const controller = new AbortController();
  const asleep = Promise.withResolvers<void>();
  const sleep = async (): Promise<void> => {
    asleep.resolve();
    await new Promise<never>(() => undefined);
  };
  await withServer(
    [status(429, { "retry-after": "60" })],
    async ({ ask }) => {
      const reply = ask({}, controller.signal);
      await asleep.promise;
      controller.abort("stop");
      await assert.rejects(reply, (error) => error === "stop");
    },
    { model: { sleep } },
  );
});

test("cancel of one call that probes lets another finish", async () => {
  const controller = new AbortController();
  await withServer(
    () => ANSWER,
    async ({ ask }) => {
      const first = ask({}, controller.signal);
      const second = ask();
      controller.abort("stop");
      await assert.rejects(first, (error) => error === "stop");
      assert.equal((await second).kind, "answered");
    },
  );
});

test("an aborted signal sends nothing", async () => {
  await withServer([ANSWER], async ({ ask, server }) => {
    await assert.rejects(ask({}, AbortSignal.abort("no")), (error) => error === "no");
    assert.equal(server.requests.length + server.probes.length, 0);
  });
});
