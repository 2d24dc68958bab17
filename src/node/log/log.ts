import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { lock } from "proper-lockfile";
import * as z from "zod";
import { compatibleRow, LogEntry, type CompatibleCaller, type LogRecord } from "../../core/audit.ts";
import type { Hash, Mask, Now } from "../../core/ports.ts";
import { redactEntry } from "../../core/redactEntry.ts";
import { writeLine } from "./line.ts";
import { describeWriteError, prepareFolder, syncFolder } from "./logFolder.ts";
import { readToEnd, type FileEnd, type Position } from "./position.ts";

export interface LogOptions {
  /** Absolute path of the log. Its folder is made with the first record. */
  readonly path: string;
  /** Absolute folder the log must lie in after links are resolved: the workspace folder, or the extension's storage. */
  readonly within: string;
  /** One editor window or one command-line run (ruling 20); the same after a crash of the worker, so the chain goes on. */
  readonly session: string;
  readonly hash: Hash;
  readonly now: Now;
  readonly mask: Mask;
  /** Absolute path, in `within`, of a file that gets each `triaged` record in the shape of R0.24; null: none. */
  readonly compatible?: { readonly path: string; readonly caller: CompatibleCaller } | null;
}

/** What became of a record. `failed`: nothing may be shown as done; `why` is a sentence for a person. */
export type Appended =
  | {
      readonly kind: "written";
      readonly record: LogRecord;
      /** 1-based line in the log. */
      readonly line: number;
      /** Why the R0.24 row beside it could not be written; null where it was, or was not asked for. */
      readonly note: string | null;
    }
  | { readonly kind: "failed"; readonly why: string };

export interface TriageLog {
  readonly path: string;
  /**
   * Writes one record and resolves when it is on disk. Secrets are masked and code taken out first; `code` are lines that
   * a sentence of the entry may have copied. Appends of one log follow each other; other processes are waited for.
   */
  append(entry: LogEntry, code?: readonly string[]): Promise<Appended>;
}

/** A lock not renewed for this long belongs to a dead process. */
const STALE_MS = 5000;
/** About fifteen seconds in all: longer than a dead process can hold the lock. */
const RETRIES = { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 80, randomize: true };

/** The append-only log of one workspace folder (design, section 5; ruling 24). */
export function createLog(options: LogOptions): TriageLog {
  let known: Position | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const write = async (entry: LogEntry): Promise<Appended> => {
    try {
      const problem = await prepareFolder(options.path, options.within);
      if (problem !== null) return refuse(options.path, problem);
      return await withLock(options.path, async () => {
        const done = await appendRecord(entry, known, options);
        known = done.position;
        return done.appended;
      });
    } catch (error) {
      return refuse(options.path, describeWriteError(error));
    }
  };
  return {
    path: options.path,
    append: async (entry, code = []) => {
      const parsed = LogEntry.safeParse(redactEntry(entry, options.mask, code));
      if (!parsed.success) return refuse(options.path, `the record is not complete: ${z.prettifyError(parsed.error)}`);
      const turn = queue.then(async () => write(parsed.data));
      queue = turn;
      return turn;
    },
  };
}

function refuse(path: string, why: string): Appended {
  return { kind: "failed", why: `The triage log ${basename(path)} was not written: ${why}.` };
}

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const release = await lock(path, {
    realpath: false,
    stale: STALE_MS,
    retries: RETRIES,
    // By default this throws where nobody can catch it. Losing the lock cannot tear a line or a chain: a record is one
    // append, and each session has its own chain.
    onCompromised: () => undefined,
  });
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function appendRecord(
  entry: LogEntry,
  known: Position | null,
  options: LogOptions,
): Promise<{ readonly appended: Appended; readonly position: Position | null }> {
  const { path, session, hash } = options;
  const handle = await open(path, FLAGS, 0o644);
  try {
    if (!(await handle.stat()).isFile()) return { appended: refuse(path, "it is not a file"), position: null };
    const end = await readToEnd(handle, known, session, hash);
    const { line, record } = writeLine(nextLink(end, options), entry, hash);
    if (!(await writeAll(handle, `${end.open ? "\n" : ""}${line}\n`)))
      return { appended: refuse(path, "the system took only a part of it"), position: null };
    await handle.sync();
    if (end.position.offset === 0) await syncFolder(dirname(path));
    const note = await writeCompatible(record, options);
    // A torn line is closed now and takes a number of its own. Where a line end was missing, what was counted no longer
    // fits the bytes, and the next append reads anew.
    const number = end.position.lines + (end.torn === null ? 0 : 1) + 1;
    return { appended: { kind: "written", record, line: number, note }, position: end.open ? null : end.position };
  } finally {
    await handle.close();
  }
}

function nextLink(end: FileEnd, { session, hash, now }: LogOptions) {
  const { last, own } = end.position;
  const at = now().toISOString();
  const chain = own?.chain ?? hash([session, last ?? "", at].join("\n"), 8);
  const place = { seq: (own?.seq ?? 0) + 1, prev: own?.hash ?? null, after: last, torn: end.torn };
  return { v: 1, session, chain, ...place, at };
}

/** One write of one whole line: on an append descriptor no other writer can get between. */
async function writeAll(handle: FileHandle, text: string): Promise<boolean> {
  const bytes = Buffer.from(text, "utf8");
  const { bytesWritten } = await handle.write(bytes);
  return bytesWritten === bytes.length;
}

/** The row beside the log is a courtesy to other tools: failing to write it does not undo the record. */
async function writeCompatible(record: LogRecord, { compatible, within }: LogOptions): Promise<string | null> {
  if (compatible === undefined || compatible === null || record.kind !== "triaged") return null;
  try {
    const problem = await prepareFolder(compatible.path, within);
    if (problem !== null) return `${basename(compatible.path)} was not written: ${problem}.`;
    const handle = await open(compatible.path, FLAGS, 0o644);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      const unended = size > 0 && last[0] !== 0x0a;
      await writeAll(handle, `${unended ? "\n" : ""}${JSON.stringify(compatibleRow(record, compatible.caller))}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return null;
  } catch (error) {
    return `${basename(compatible.path)} was not written: ${describeWriteError(error)}.`;
  }
}
