import { createHmac, timingSafeEqual } from "node:crypto";
import path from "node:path";
import type { Now } from "../../core/ports.ts";
import { openDatabase } from "./database.ts";
import type { Database, Row } from "./rows.ts";
import { sealKey } from "./sealKey.ts";

/** What is kept: replies of models for a resumption, and judgements for later runs. */
export type Kind = "reply" | "judgement";

/**
 * A store that gives back only what it was given itself: each row carries a seal over its kind, its id and its body, made with
 * a key that lies beside it. A row that was damaged, edited or moved is dropped. Nothing here ever rejects: what cannot be
 * kept on disk is kept in memory, and that is said once.
 */
export interface SealedStore {
  /** The JSON value last kept under an id; undefined where there is none that verifies. The caller parses its shape. */
  get(kind: Kind, id: string): Promise<unknown>;
  /** Keeps a JSON value; it survives the end of this process once this resolves. `about` is the finding it belongs to. */
  put(kind: Kind, id: string, about: string, value: unknown): Promise<void>;
  remove(kind: Kind, id: string): Promise<void>;
  /** All rows of a kind about a finding that fit. */
  removeAbout(kind: Kind, about: string, fits: (value: unknown) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Absolute path of the folder, which is made with the first row. */
  readonly folder: string;
  readonly now: Now;
  /** Told once where the store cannot keep anything on disk. */
  readonly note: (text: string) => void;
}

/** Longest body that is kept, in characters. */
const MOST_BODY = 512 * 1024;
/** Part of each seal: rows of another shape count as absent. */
const SHAPE = "1";

export function createSealedStore(options: StoreOptions): SealedStore {
  let opening: Promise<Opened> | null = null;
  const open = async (): Promise<Opened> => await (opening ??= openBoth(options));
  const read = ({ kind, id, about, body, seal }: Row, { key, database }: Opened): unknown => {
    if (isSealed(seal, sealOf(key, kind, id, about, body))) return parse(body);
    database.remove(kind, id);
    return undefined;
  };
  return {
    async get(kind, id) {
      const opened = await open();
      const row = opened.database.get(kind, id);
      return row === undefined ? undefined : read(row, opened);
    },
    async put(kind, id, about, value) {
      const { key, database } = await open();
      const body = JSON.stringify(value);
      if (body.length > MOST_BODY) return;
      database.put({ kind, id, about, at: options.now().getTime(), body, seal: sealOf(key, kind, id, about, body) });
    },
    async remove(kind, id) {
      (await open()).database.remove(kind, id);
    },
    async removeAbout(kind, about, fits) {
      const opened = await open();
      for (const row of opened.database.about(kind, about)) {
        const value = read(row, opened);
        if (value !== undefined && fits(value)) opened.database.remove(kind, row.id);
      }
    },
    async close() {
      const closing = opening;
      opening = null;
      if (closing !== null) (await closing).database.close();
    },
  };
}

interface Opened {
  readonly key: string;
  readonly database: Database;
}

async function openBoth({ folder, now, note }: StoreOptions): Promise<Opened> {
  let told = false;
  const tell = (why: string): void => {
    if (!told) note(`Answers of models are kept in memory only, so a later run asks again: ${why}`);
    told = true;
  };
  let key = "";
  try {
    key = sealKey(path.join(folder, "cache.key"));
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    return { key, database: await openDatabase(null, now, tell) };
  }
  return { key, database: await openDatabase(path.join(folder, "cache.db"), now, tell) };
}

function sealOf(key: string, kind: string, id: string, about: string, body: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([SHAPE, kind, id, about, body]))
    .digest("hex");
}

function isSealed(seal: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(seal), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
