import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import * as fc from "fast-check";
import { sha256 } from "../../../src/node/hash.ts";
import { createLog } from "../../../src/node/log/log.ts";
import { verifyLog } from "../../../src/node/log/readLog.ts";
import { folderWith } from "../repository/folder.ts";
import { DECIDED, TRIAGED } from "./entries.ts";

/** A log of eight records by two sessions that take turns unevenly. */
async function logFile(t: TestContext): Promise<string> {
  const root = folderWith(t, {});
  const path = join(root, ".skeptical-triage/triage-log.jsonl");
  const options = { path, within: root, hash: sha256, now: () => new Date(0), mask: (text: string) => text };
  const [a, b] = ["a", "b"].map((session) => createLog({ ...options, session }));
  for (const log of [a, a, b, a, b, b, a, b]) await log?.append(log === a ? TRIAGED : DECIDED);
  return path;
}

test("the intact log has no problem", async (t) => {
  assert.deepEqual(await verifyLog(await logFile(t)), { records: 8, sessions: 2, tornTail: false, problem: null });
});

test("any single changed byte is found, at its line or the next", async (t) => {
  const path = await logFile(t);
  const bytes = readFileSync(path);
  const lineOf = (at: number): number => bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ change;
      writeFileSync(path, flipped);
      const { problem } = await verifyLog(path);
      assert.notEqual(problem, null, `byte ${at} of ${bytes.length} xor ${change}`);
      assert.ok(Math.abs((problem?.line ?? 0) - lineOf(at)) <= 1);
    }),
    { numRuns: 400 },
  );
});

test("every other value of the last line end is found", async (t) => {
  const path = await logFile(t);
  const bytes = readFileSync(path);
  for (let value = 0; value < 256; value += 1) {
    if (value === 0x0a) continue;
    bytes[bytes.length - 1] = value;
    writeFileSync(path, bytes);
    assert.notEqual((await verifyLog(path)).problem, null, `byte ${value}`);
  }
});

test("any removed line is found, except the last, which no record refers to (ruling 24)", async (t) => {
  const path = await logFile(t);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    writeFileSync(path, `${lines.toSpliced(at, 1).join("\n")}\n`);
    const { problem } = await verifyLog(path);
    assert.equal(problem === null, at === lines.length - 1, `line ${at + 1}`);
    if (problem !== null) assert.equal(problem.line, at + 1);
  }
});

test("a whole session that others wrote after is missed when it is removed", async (t) => {
  const path = await logFile(t);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.filter((line) => !line.includes('"session":"b"')).join("\n")}\n`);
  assert.equal((await verifyLog(path)).problem?.line, 3);
});

test("any other order of the lines is found, and so is a line that stands twice", async (t) => {
  const path = await logFile(t);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), async (shuffled) => {
      fc.pre(shuffled.join() !== lines.join());
      writeFileSync(path, `${shuffled.join("\n")}\n`);
      assert.notEqual((await verifyLog(path)).problem, null);
    }),
    { numRuns: 100 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(7), fc.nat(8), async (from, to) => {
      writeFileSync(path, `${lines.toSpliced(to, 0, lines[from] ?? "").join("\n")}\n`);
      assert.notEqual((await verifyLog(path)).problem, null);
    }),
    { numRuns: 40 },
  );
});

test("a log cut off in the middle of its last record is torn, not broken", async (t) => {
  const path = await logFile(t);
  const text = readFileSync(path, "utf8");
  const last = text.lastIndexOf("\n", text.length - 2) + 1;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: last + 1, max: text.length - 2 }), async (end) => {
      writeFileSync(path, text.slice(0, end));
      assert.deepEqual(await verifyLog(path), { records: 7, sessions: 2, tornTail: true, problem: null });
    }),
    { numRuns: 50 },
  );
});
