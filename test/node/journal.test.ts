import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import * as z from "zod";
import { cacheFolder, createJournal } from "../../src/node/journal.ts";
import { folderWith } from "./repository/folder.ts";

test("ruling 23: what was kept comes back after a restart, under any key", async (t) => {
  const dir = join(folderWith(t, {}), "deep/journal");
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.jsonValue(), async (key, value) => {
      await createJournal(dir).put(key, value);
      assert.deepEqual(await createJournal(dir).get(key), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 50 },
  );
});

test("keys are listed sorted, removed ones are gone, absent ones are null", async (t) => {
  const journal = createJournal(folderWith(t, {}));
  assert.deepEqual(await journal.keys(), []);
  await journal.put("b", 1);
  await journal.put("../a", { rounds: [] });
  await journal.put("b", 2);
  assert.deepEqual(await journal.keys(), ["../a", "b"]);
  assert.equal(await journal.get("b"), 2);
  await journal.remove("b");
  await journal.remove("never there");
  assert.deepEqual([await journal.get("b"), await journal.keys()], [null, ["../a"]]);
});

test("a damaged entry counts as absent, whatever the damage", async (t) => {
  const dir = folderWith(t, {});
  const journal = createJournal(dir);
  await journal.put("a", { x: 1 });
  const [name = ""] = readdirSync(dir);
  for (const damage of [
    "",
    "{",
    "null",
    "[]",
    '"a"',
    '{"key":"a"}',
    '{"key":"other","value":1}',
    '{"key":7,"value":1}',
  ]) {
    writeFileSync(join(dir, name), damage);
    assert.equal(await journal.get("a"), null, damage);
  }
});

test("only its owner can read the journal, and nothing but entries stays in it", async (t) => {
  const dir = join(folderWith(t, {}), "journal");
  const journal = createJournal(dir);
  await Promise.all([1, 2, 3].map(async (n) => journal.put("same", n)));
  const names = readdirSync(dir);
  assert.equal(names.length, 1);
  assert.equal(statSync(dir).mode & 0o777, 0o700);
  assert.equal(statSync(join(dir, names[0] ?? "")).mode & 0o777, 0o600);
});

test("a kept value survives a writer that is killed while it writes the next one", async (t) => {
  const dir = folderWith(t, {});
  const code = `
    const { createJournal } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/node/journal.ts"))});
    const journal = createJournal(${JSON.stringify(dir)});
    for (let n = 0; ; n += 1) { await journal.put("a", { n, fill: "x".repeat(100_000) }); process.stdout.write("."); }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const exit = once(child, "exit");
  let written = 0;
  child.stdout.on("data", (dots: Buffer) => {
    written += dots.length;
    if (written > 20) child.kill("SIGKILL");
  });
  await exit;
  const value = z.object({ n: z.number(), fill: z.string().length(100_000) }).parse(await createJournal(dir).get("a"));
  assert.ok(value.n >= written - 1);
});

test("ruling 26: one cache folder per workspace, in the user's cache folder", () => {
  const linux = cacheFolder("/w/a", { XDG_CACHE_HOME: "/c" }, "linux");
  assert.match(linux, /^\/c\/skeptical-triage\/[0-9a-f]{16}$/);
  assert.notEqual(linux, cacheFolder("/w/b", { XDG_CACHE_HOME: "/c" }, "linux"));
  assert.match(cacheFolder("/w/a", {}, "darwin"), /Library\/Caches\/skeptical-triage/);
  assert.match(cacheFolder("/w/a", { LOCALAPPDATA: "/local" }, "win32"), /^\/local\/skeptical-triage/);
});
