import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import test, { type TestContext } from "node:test";
import * as z from "zod";
import { createSealedStore, type SealedStore } from "../../../src/node/cache/sealedStore.ts";
import { KEPT } from "../../../src/node/cache/database.ts";
import { folderWith } from "../repository/folder.ts";

interface Setting {
  readonly folder: string;
  readonly file: string;
  readonly notes: string[];
  open(now?: () => Date): SealedStore;
}

function setting(t: TestContext): Setting {
  const folder = path.join(folderWith(t, {}), "cache");
  const notes: string[] = [];
  const opened: SealedStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return {
    folder,
    file: path.join(folder, "cache.db"),
    notes,
    open(now = () => new Date()) {
      const store = createSealedStore({ folder, now, note: (text) => void notes.push(text) });
      opened.push(store);
      return store;
    },
  };
}

const VALUE = { answer: ["INVALID", "the guard stands at line 3"] };

/** A store with two rows, closed. */
async function filled(set: Setting): Promise<void> {
  const store = set.open();
  await store.put("judgement", "one", "finding", VALUE);
  await store.put("judgement", "two", "finding", { answer: ["VALID"] });
  await store.close();
}

function edit(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test("what was kept is there for the next process, in files that only their owner may read", async (t) => {
  const set = setting(t);
  await filled(set);
  assert.deepEqual(await set.open().get("judgement", "one"), VALUE);
  assert.equal(await set.open().get("reply", "one"), undefined, "kinds are apart");
  if (process.platform !== "win32") {
    for (const name of ["cache.db", "cache.key", "cache.db-wal"]) {
      const file = path.join(set.folder, name);
      if (existsSync(file)) assert.equal(statSync(file).mode & 0o777, 0o600, name);
    }
    assert.equal(statSync(set.folder).mode & 0o777, 0o700);
  }
  assert.deepEqual(set.notes, []);
});

const EDITS: Readonly<Record<string, string>> = {
  "a body that was edited": "UPDATE rows SET body = replace(body, 'INVALID', 'VALID') WHERE id = 'one'",
  "a body with white space added": "UPDATE rows SET body = body || ' ' WHERE id = 'one'",
  "a seal that was edited": "UPDATE rows SET seal = substr(seal, 2) || substr(seal, 1, 1) WHERE id = 'one'",
  "a seal that is empty": "UPDATE rows SET seal = '' WHERE id = 'one'",
  "another finding's row under this id":
    "DELETE FROM rows WHERE id = 'one'; UPDATE rows SET id = 'one' WHERE id = 'two'",
  "a row that names another finding": "UPDATE rows SET about = 'other' WHERE id = 'one'",
  "a body that is no JSON": "UPDATE rows SET body = '{\"answer\":' WHERE id = 'one'",
};

for (const [name, sql] of Object.entries(EDITS)) {
  test(`${name} is as good as absent, and is dropped`, async (t) => {
    const set = setting(t);
    await filled(set);
    edit(set.file, sql);
    assert.equal(await set.open().get("judgement", "one"), undefined);
    const database = new DatabaseSync(set.file);
    const left = database.prepare("SELECT count(*) AS n FROM rows WHERE kind = 'judgement' AND id = 'one'").get();
    database.close();
    assert.equal(left?.["n"], 0);
  });
}

test("a row that was moved to another kind is as good as absent", async (t) => {
  const set = setting(t);
  const store = set.open();
  await store.put("reply", "one", "finding", VALUE);
  await store.close();
  edit(set.file, "UPDATE rows SET kind = 'judgement'");
  assert.equal(await set.open().get("judgement", "one"), undefined);
});

const DAMAGES: Readonly<Record<string, (set: Setting) => void>> = {
  "a file that is no database": ({ file }) =>
    writeFileSync(file, "not a database at all, but long enough to be read as one ".repeat(40)),
  "a file that was cut": ({ file }) => truncateSync(file, 3000),
  "an empty file": ({ file }) => truncateSync(file, 0),
  "pages that were overwritten": ({ file }) => {
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096);
    writeFileSync(file, bytes);
  },
  "a table of another shape": ({ file }) => edit(file, "DROP TABLE rows; CREATE TABLE rows (kind, id, verdict)"),
  "a key that was lost": ({ folder }) => rmSync(path.join(folder, "cache.key")),
  "a key that was cut": ({ folder }) => truncateSync(path.join(folder, "cache.key"), 10),
  "a key of somebody else": ({ folder }) => writeFileSync(path.join(folder, "cache.key"), "0".repeat(64)),
  "a key that others may read": ({ folder }) => chmodSync(path.join(folder, "cache.key"), 0o644),
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  const skip = name.includes("others may read") && process.platform === "win32";
  test(`${name}: nothing kept counts any more, and new rows are kept`, { skip }, async (t) => {
    const set = setting(t);
    await filled(set);
    for (const end of ["-wal", "-shm"]) rmSync(`${set.file}${end}`, { force: true });
    damage(set);
    const store = set.open();
    assert.equal(await store.get("judgement", "one"), undefined);
    assert.equal(await store.get("judgement", "two"), undefined);
    await store.put("judgement", "three", "finding", VALUE);
    await store.close();
    assert.deepEqual(await set.open().get("judgement", "three"), VALUE);
    assert.deepEqual(set.notes, []);
  });
}

test("damage while the store is open: it goes on with a new file", async (t) => {
  const set = setting(t);
  const store = set.open();
  for (let at = 0; at < 200; at += 1) await store.put("reply", String(at), "f", { text: "x".repeat(2000) });
  edit(set.file, "PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = readFileSync(set.file);
  bytes.fill(0x5a, 2048);
  writeFileSync(set.file, bytes);
  for (let at = 0; at < 200; at += 1) {
    const value = await store.get("reply", String(at));
    if (value !== undefined) assert.deepEqual(value, { text: "x".repeat(2000) });
  }
  await store.put("reply", "after", "f", VALUE);
  assert.deepEqual(await store.get("reply", "after"), VALUE);
});

test("where the folder cannot be written, rows live in memory, and that is said once", async (t) => {
  const set = setting(t);
  writeFileSync(set.folder, "a file stands where the folder should be");
  const store = set.open();
  await store.put("judgement", "one", "finding", VALUE);
  assert.deepEqual(await store.get("judgement", "one"), VALUE);
  await store.removeAbout("judgement", "finding", () => true);
  assert.equal(await store.get("judgement", "one"), undefined);
  assert.equal(set.notes.length, 1);
  assert.match(set.notes[0] ?? "", /kept in memory only/);
});

test("where a folder stands in the place of the file, rows live in memory", async (t) => {
  const set = setting(t);
  mkdirSync(set.file, { recursive: true });
  const store = set.open();
  await store.put("judgement", "one", "finding", VALUE);
  assert.deepEqual(await store.get("judgement", "one"), VALUE);
  assert.equal(set.notes.length, 1);
});

test("the rows of one finding are removed by what they hold, those of others stay", async (t) => {
  const store = setting(t).open();
  await store.put("reply", "a", "one", { kind: "malformed" });
  await store.put("reply", "b", "one", { kind: "answered" });
  await store.put("reply", "c", "two", { kind: "malformed" });
  const isMalformed = (value: unknown): boolean =>
    z.looseObject({ kind: z.literal("malformed") }).safeParse(value).success;
  await store.removeAbout("reply", "one", isMalformed);
  const left = await Promise.all(["a", "b", "c"].map(async (id) => await store.get("reply", id)));
  assert.deepEqual(left, [undefined, { kind: "answered" }, { kind: "malformed" }]);
});

test("old rows go, and of too many the oldest", async (t) => {
  const set = setting(t);
  const long = set.open(() => new Date(0));
  await long.put("reply", "old", "f", VALUE);
  await long.close();
  await filled(set);
  edit(
    set.file,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${KEPT.rows + 500})
     INSERT INTO rows SELECT 'reply', 'r' || i, 'f', ${Date.now() - 1_000_000} + i, '1', '' FROM n`,
  );
  const store = set.open();
  assert.deepEqual(await store.get("judgement", "one"), VALUE);
  await store.close();
  const database = new DatabaseSync(set.file);
  const ids = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  assert.equal(ids("SELECT count(*) FROM rows WHERE id = 'old'"), 0);
  assert.equal(ids("SELECT count(*) FROM rows WHERE id = 'r1'"), 0);
  assert.equal(ids(`SELECT count(*) FROM rows WHERE id = 'r${KEPT.rows + 500}'`), 1);
  assert.ok(Number(ids("SELECT count(*) FROM rows")) <= KEPT.rows);
  database.close();
});

const WRITER = `
const { createSealedStore } = await import(process.argv[1]);
const store = createSealedStore({ folder: process.argv[2], now: () => new Date(), note: (text) => { console.error(text); process.exitCode = 3; } });
const name = process.argv[3];
for (let at = 0; at < 300; at += 1) {
  await store.put("reply", name + at, "f", { name, at });
  const value = await store.get("reply", name + at);
  if (value?.at !== at) { console.error("lost", name, at); process.exitCode = 4; }
}
await store.close();
`;

test("two processes that begin at once write to one file, and each finds what the other kept", async (t) => {
  const set = setting(t);
  const module = new URL("../../../src/node/cache/sealedStore.ts", import.meta.url).href;
  const ends = ["left", "right"].map(async (name) => {
    const args = ["--input-type=module", "-e", WRITER, module, set.folder, name];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "pipe"] });
    const errors: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 0, errors.join(""));
  });
  await Promise.all(ends);
  const store = set.open();
  for (const name of ["left", "right"])
    for (let at = 0; at < 300; at += 1) assert.deepEqual(await store.get("reply", `${name}${at}`), { name, at });
});
