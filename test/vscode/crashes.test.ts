import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { afterCrash, CRASH_LIMIT } from "../../src/vscode/crashes.ts";

test("the delay before a restart doubles with each crash: 0.5, 1, 2, 4 s", () => {
  let crashes: readonly number[] = [];
  const delays: number[] = [];
  for (const at of [0, 1000, 2000, 3000]) {
    const next = afterCrash(crashes, at);
    assert.equal(next.kind, "restart");
    if (next.kind === "restart") delays.push(next.delayMs);
    crashes = next.crashes;
  }
  assert.deepEqual(delays, [500, 1000, 2000, 4000]);
});

test("the fifth crash within three minutes is the last", () => {
  assert.equal(afterCrash([0, 1, 2, 3], 179_999).kind, "giveUp");
});

test("a crash three minutes ago counts no more", () => {
  assert.deepEqual(afterCrash([0, 1, 2, 3], 180_002), { kind: "restart", delayMs: 1000, crashes: [3, 180_002] });
});

test("however crashes fall, no five of them within the time are survived", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { maxLength: 30 }), (gaps) => {
      let now = 0;
      let crashes: readonly number[] = [];
      const all: number[] = [];
      for (const gap of gaps) {
        now += gap;
        all.push(now);
        const next = afterCrash(crashes, now);
        const within = all.filter((at) => now - at < CRASH_LIMIT.withinMs).length;
        assert.equal(next.kind === "giveUp", within >= CRASH_LIMIT.crashes);
        if (next.kind === "giveUp") return;
        crashes = next.crashes;
      }
    }),
  );
});
