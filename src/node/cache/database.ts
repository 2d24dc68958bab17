import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { Now } from "../../core/ports.ts";
import { createMemoryDatabase } from "./memoryDatabase.ts";
import type { Database, Row } from "./rows.ts";

/** What is kept at most: the oldest rows go first. The one place these numbers stand. */
export const KEPT = { days: 60, rows: 40_000, bytes: 96 * 1024 * 1024, everyPuts: 1000 } as const;

/** How long another process may hold the file, in milliseconds. */
const BUSY_MS = 1000;

const TRIES = 20;
const RETRY_MS = 50;

/** Result codes of SQLite. */
const CODE = { error: 1, busy: 5, locked: 6, corrupt: 11, schema: 17, notADatabase: 26 } as const;

const ROW = z.object({
  kind: z.string(),
  id: z.string(),
  about: z.string(),
  at: z.number(),
  body: z.string(),
  seal: z.string(),
});

const TABLE = `CREATE TABLE IF NOT EXISTS rows (kind TEXT NOT NULL, id TEXT NOT NULL, about TEXT NOT NULL, at INTEGER NOT NULL,
  body TEXT NOT NULL, seal TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT;
  CREATE INDEX IF NOT EXISTS rows_about ON rows (kind, about);
  CREATE INDEX IF NOT EXISTS rows_at ON rows (at);`;

/**
 * Opens the database file; null stands for none. Where SQLite or the file cannot be used, rows live in memory, and `tell` hears
 * why. A damaged file is made anew.
 */
export async function openDatabase(file: string | null, now: Now, tell: (why: string) => void): Promise<Database> {
  if (file === null) return createMemoryDatabase(KEPT.rows);
  try {
    const sqlite = await import("node:sqlite");
    return await patiently(() => new FileDatabase(file, (name) => openFile(name, sqlite.DatabaseSync), now, tell));
  } catch (error) {
    tell(describe(error));
    return createMemoryDatabase(KEPT.rows);
  }
}

/** Two processes that make the file at once are in each other's way for a moment, whatever time-out SQLite is given. */
async function patiently<T>(open: () => T): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return open();
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Rows in a file that several processes use at once. */
class FileDatabase implements Database {
  readonly #file: string;
  readonly #open: (file: string) => DatabaseSync;
  readonly #now: Now;
  readonly #tell: (why: string) => void;
  #database: DatabaseSync;
  /** Takes over where the file can be used no more. */
  #memory: Database | null = null;
  #renewed = false;
  #puts = 0;

  constructor(file: string, open: (file: string) => DatabaseSync, now: Now, tell: (why: string) => void) {
    this.#file = file;
    this.#open = open;
    this.#now = now;
    this.#tell = tell;
    try {
      this.#database = open(file);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#database = this.#renew();
    }
    this.#try((database) => prune(database, this.#now()), undefined);
  }

  get(kind: string, id: string): Row | undefined {
    if (this.#memory !== null) return this.#memory.get(kind, id);
    return this.#try((database) => {
      const row = ROW.safeParse(database.prepare("SELECT * FROM rows WHERE kind = ? AND id = ?").get(kind, id));
      return row.success ? row.data : undefined;
    }, undefined);
  }

  about(kind: string, about: string): readonly Row[] {
    if (this.#memory !== null) return this.#memory.about(kind, about);
    return this.#try((database) => {
      const rows = database.prepare("SELECT * FROM rows WHERE kind = ? AND about = ?").all(kind, about);
      return rows.flatMap((row) => ROW.safeParse(row).data ?? []);
    }, []);
  }

  put(row: Row): void {
    if (this.#memory !== null) return this.#memory.put(row);
    const { kind, id, about, at, body, seal } = row;
    const insert = (database: DatabaseSync): true => {
      const into = database.prepare(
        "INSERT OR REPLACE INTO rows (kind, id, about, at, body, seal) VALUES (?,?,?,?,?,?)",
      );
      into.run(kind, id, about, at, body, seal);
      return true;
    };
    // Once more, because a damaged file was made anew meanwhile, or memory has taken over.
    if (!this.#try(insert, false) && !this.#try(insert, false)) this.#keepInMemory(row);
    this.#puts += 1;
    if (this.#puts % KEPT.everyPuts === 0) this.#try((database) => prune(database, this.#now()), undefined);
  }

  remove(kind: string, id: string): void {
    if (this.#memory !== null) return this.#memory.remove(kind, id);
    this.#try(
      (database) => void database.prepare("DELETE FROM rows WHERE kind = ? AND id = ?").run(kind, id),
      undefined,
    );
  }

  close(): void {
    this.#try((database) => database.close(), undefined);
  }

  #keepInMemory(row: Row): void {
    this.#memory?.put(row);
  }

  #try<T>(work: (database: DatabaseSync) => T, otherwise: T): T {
    try {
      return work(this.#database);
    } catch (error) {
      this.#recover(error);
      return otherwise;
    }
  }

  /** A file in use is tried again with the next row, a damaged one is made anew once, any other trouble ends its use. */
  #recover(error: unknown): void {
    if (isBusy(error)) return;
    try {
      if (!isDamage(error) || this.#renewed) throw error;
      this.#database = this.#renew();
    } catch (worse) {
      this.#memory ??= createMemoryDatabase(KEPT.rows);
      this.#tell(describe(worse));
    }
  }

  #renew(): DatabaseSync {
    this.#renewed = true;
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.#file}${end}`, { force: true });
    return this.#open(this.#file);
  }
}

function openFile(file: string, Sqlite: typeof DatabaseSync): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives its own files the permissions of this one.
  closeSync(openSync(file, "a", 0o600));
  const database = new Sqlite(file, { timeout: BUSY_MS });
  try {
    // Safe against the death of a process at any moment; after a power cut the last rows may be missing, which costs a question.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000;");
    database.exec(TABLE);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Drops what is too old or too much. */
function prune(database: DatabaseSync, now: Date): void {
  database.prepare("DELETE FROM rows WHERE at < ?").run(now.getTime() - KEPT.days * 86_400_000);
  const sizes = z.object({ rows: z.number(), bytes: z.number().nullable() });
  for (;;) {
    const size = sizes.parse(
      database.prepare("SELECT count(*) AS rows, sum(octet_length(body)) AS bytes FROM rows").get(),
    );
    const { rows } = size;
    if (rows === 0 || (rows <= KEPT.rows && (size.bytes ?? 0) <= KEPT.bytes)) return;
    const least = Math.max(rows - KEPT.rows, Math.ceil(rows / 10));
    database.prepare("DELETE FROM rows WHERE rowid IN (SELECT rowid FROM rows ORDER BY at LIMIT ?)").run(least);
  }
}

function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === CODE.busy || code === CODE.locked;
}

/** A file that SQLite cannot read, or that holds another table by our name. */
function isDamage(error: unknown): boolean {
  const damages: readonly (number | null)[] = [CODE.corrupt, CODE.notADatabase, CODE.error, CODE.schema];
  return damages.includes(codeOf(error));
}

function codeOf(error: unknown): number | null {
  const parsed = z.looseObject({ errcode: z.number() }).safeParse(error);
  // Extended codes hold the primary one in their low byte.
  return parsed.success ? parsed.data.errcode & 0xff : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
