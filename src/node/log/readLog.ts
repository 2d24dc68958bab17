import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { LogRecord } from "../../core/audit.ts";
import type { Hash } from "../../core/ports.ts";
import { sha256 } from "../hash.ts";
import { readLine, type ReadLine } from "./line.ts";

/** A place in a log, 1-based, and what is wrong there. */
export interface LogProblem {
  readonly line: number;
  readonly why: string;
}

/** A record and its 1-based line. */
export interface LoggedRecord {
  readonly record: LogRecord;
  readonly line: number;
}

export interface LogReading {
  readonly records: readonly LoggedRecord[];
  /** Lines that were skipped. */
  readonly problems: readonly LogProblem[];
}

export interface LogVerification {
  readonly records: number;
  readonly sessions: number;
  /** True where the last line is the beginning of a record that was never acknowledged; no problem in itself. */
  readonly tornTail: boolean;
  /** The first broken line; null for an intact log, or none. */
  readonly problem: LogProblem | null;
}

interface NumberedLine {
  readonly line: number;
  readonly text: string;
  readonly ended: boolean;
  readonly read: ReadLine;
}

/** Reads all records of a log in file order. Damaged lines are reported and skipped; no file is an empty log. */
export async function readLog(path: string, hash: Hash = sha256): Promise<LogReading> {
  const content = await readContent(path);
  if ("why" in content) return { records: [], problems: [{ line: 1, why: content.why }] };
  const records: LoggedRecord[] = [];
  const problems: LogProblem[] = [];
  for (const { line, read } of numberLines(content.text, hash)) {
    if (read.kind === "damaged") problems.push({ line, why: read.why });
    if (read.kind !== "record") continue;
    if (read.record === null) problems.push({ line, why: read.problem ?? "It is no record." });
    else records.push({ record: read.record, line });
  }
  return { records, problems };
}

/**
 * Checks all chains of a log and names the first broken line. A chain cannot show that the end of the file was cut off,
 * or that its last record was rewritten together with its hash (ruling 24).
 */
export async function verifyLog(path: string, hash: Hash = sha256): Promise<LogVerification> {
  const content = await readContent(path);
  if ("why" in content) return { records: 0, sessions: 0, tornTail: false, problem: { line: 1, why: content.why } };
  const lines = numberLines(content.text, hash).filter(({ read }) => read.kind !== "blank");
  const chains = new Map<string, { seq: number; hash: string }>();
  const sessions = new Set<string>();
  const seen = new Set<string>();
  let records = 0;
  let problem: LogProblem | null = null;
  let before: NumberedLine | null = null;
  for (const [index, here] of lines.entries()) {
    const { read, line } = here;
    if (read.kind === "record") {
      records += 1;
      sessions.add(read.link.session);
      const why = brokenLink(read.link, chains, seen) ?? brokenTear(read.link.torn, before, hash) ?? brokenEnd(here);
      if (why !== null) problem ??= { line, why };
      chains.set(`${read.link.session}\n${read.link.chain}`, { seq: read.link.seq, hash: read.link.hash });
      seen.add(read.link.hash);
    } else if (read.kind === "damaged" && !isTorn(here, lines[index + 1], hash)) problem ??= { line, why: read.why };
    before = here;
  }
  const tornTail = before !== null && before.read.kind === "damaged" && !before.ended;
  return { records, sessions: sessions.size, tornTail, problem };
}

/** What is wrong with a record's place in its chain and in the file; null where nothing is. */
function brokenLink(
  link: { session: string; chain: string; seq: number; prev: string | null; after: string | null },
  chains: ReadonlyMap<string, { readonly seq: number; readonly hash: string }>,
  seen: ReadonlySet<string>,
): string | null {
  const last = chains.get(`${link.session}\n${link.chain}`);
  const expected = (last?.seq ?? 0) + 1;
  if (link.seq < expected) return `Record ${link.seq} of its session stands twice or out of order.`;
  if (link.seq > expected) return `Of its session, ${link.seq - expected} records are missing before it.`;
  if (link.prev !== (last?.hash ?? null))
    return "The record of its session before it is not the one it was written after.";
  if (link.after !== null && !seen.has(link.after)) return "The record that stood before it is missing or was moved.";
  return null;
}

/** A record that closed a torn line must still stand behind that line. */
function brokenTear(torn: string | null, before: NumberedLine | null, hash: Hash): string | null {
  if (torn === null || (before?.read.kind === "damaged" && hash(bare(before)) === torn)) return null;
  return "The torn line that stood before it is missing or was changed.";
}

/** True for a line whose writer died: the next writer says so, or nobody has written since. */
function isTorn(here: NumberedLine, next: NumberedLine | undefined, hash: Hash): boolean {
  if (next?.read.kind === "record") return next.read.link.torn === hash(bare(here));
  // The beginning of a record never holds a whole record: such a line lost its line end some other way.
  return next === undefined && !here.ended && readLine(here.text.slice(0, -1), hash).kind !== "record";
}

/** A record without a line end is whole; one whose line end became something else was changed. */
function brokenEnd(here: NumberedLine): string | null {
  return !here.ended && here.text.endsWith("\r") ? "Its line end was changed." : null;
}

function bare(line: NumberedLine): string {
  return line.text.replace(/\r$/, "");
}

function numberLines(content: string, hash: Hash): readonly NumberedLine[] {
  const lines = content.split("\n");
  const last = lines.length - 1;
  return lines
    .map((text, index) => ({ line: index + 1, text, ended: index < last, read: readLine(text, hash) }))
    .filter(({ text, ended }) => ended || text !== "");
}

async function readContent(path: string): Promise<{ readonly text: string } | { readonly why: string }> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return { why: "The log is not a file." };
      return { text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return { text: "" };
    return {
      why:
        code === "ELOOP" ? "The log is a link; links are not followed." : `The log cannot be read (${String(code)}).`,
    };
  }
}
