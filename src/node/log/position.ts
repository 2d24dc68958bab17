import type { FileHandle } from "node:fs/promises";
import type { Hash } from "../../core/ports.ts";
import { readLine } from "./line.ts";

/** What a writer knows of the file up to `offset`, and what it needs to write the next record. */
export interface Position {
  /** Bytes read so far: up to the end of the last whole line. */
  readonly offset: number;
  readonly lines: number;
  /** The bytes of the last whole line: if they are gone from their place, the file was replaced. */
  readonly lastLine: Buffer;
  /** Hash of the last record in the file. */
  readonly last: string | null;
  /** Where this session's newest chain stands. */
  readonly own: { readonly chain: string; readonly seq: number; readonly hash: string } | null;
}

const START: Position = { offset: 0, lines: 0, lastLine: Buffer.alloc(0), last: null, own: null };

/** A file's end as a writer finds it: where it stands, and what stands there without a line end. */
export interface FileEnd {
  readonly position: Position;
  /** A whole record whose line end is missing counts as a record; `open` says that a line end must come first. */
  readonly open: boolean;
  /** Hash of a torn line at the end; null where there is none. */
  readonly torn: string | null;
}

/**
 * Reads on from a position to the end of the file, under the lock. A file that was replaced since (branch switch, merge)
 * is read anew, so that a chain never goes on from a record that is not there.
 */
export async function readToEnd(
  handle: FileHandle,
  known: Position | null,
  session: string,
  hash: Hash,
): Promise<FileEnd> {
  const { size } = await handle.stat();
  const start = known !== null && (await stillThere(handle, known, size)) ? known : START;
  const bytes = await readBytes(handle, start.offset, size - start.offset);
  const end = bytes.lastIndexOf(0x0a) + 1;
  let position = start;
  for (const line of end === 0 ? [] : splitBytes(bytes.subarray(0, end)))
    position = pass(position, line, session, hash);
  const rest = bytes.subarray(end);
  if (rest.length === 0) return { position, open: false, torn: null };
  const text = rest.toString("utf8").replace(/\r$/, "");
  const whole = readLine(text, hash).kind === "record";
  return {
    position: whole ? pass(position, rest, session, hash) : position,
    open: true,
    torn: whole ? null : hash(text),
  };
}

function pass(position: Position, line: Buffer, session: string, hash: Hash): Position {
  const read = readLine(line.toString("utf8").replace(/\n$/, ""), hash);
  const moved = { ...position, offset: position.offset + line.length, lines: position.lines + 1, lastLine: line };
  if (read.kind !== "record") return moved;
  const { link } = read;
  const own = link.session === session ? { chain: link.chain, seq: link.seq, hash: link.hash } : position.own;
  return { ...moved, last: link.hash, own };
}

function splitBytes(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(0x0a, from) + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

async function stillThere(handle: FileHandle, { offset, lastLine }: Position, size: number): Promise<boolean> {
  if (size < offset) return false;
  return (await readBytes(handle, offset - lastLine.length, lastLine.length)).equals(lastLine);
}

async function readBytes(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
