import { type FileHandle, open } from "node:fs/promises";
import type { Claimed, HandedReading, Unread } from "../../core/finding.ts";
import { isUnread, openFrame, readPiece, type SarifFrame } from "../../core/intake/sarif/pieces.ts";
import { type ResultRange, SarifSplitter, type SplitLog } from "../../core/intake/sarif/split.ts";
import type { SeverityMap } from "../../core/severity.ts";

/** Bytes read at a time while splitting, and most bytes parsed between two turns of the event loop. */
const CHUNK = 4 * 1024 * 1024;
/** Results after which the first part is handed over: enough for a screen, soon enough to be shown at once. */
const FIRST_PART = 1000;

/** A large log, read: its findings without their flows, and where each result stands in the file. */
export type LargeReading =
  | { readonly kind: "read"; readonly reading: HandedReading; readonly details: SarifDetails }
  /** An older draft, or no SARIF at all. */
  | { readonly kind: "whole" }
  | { readonly kind: "broken"; readonly why: string };

/** Reads what was left out of a finding (flows, web requests) from its place in the file. */
export interface SarifDetails {
  /** The finding whole; null where it cannot be read again, for the file may have changed. */
  read(pointer: string): Promise<Claimed | null>;
}

/**
 * Reads a SARIF log of any size from disk, one result at a time (25 MB to 700 MB and more: JSON.parse stops at 512 MB).
 * `onPart` gets the first findings early; they are provisional (ruling 39). Rejects when cancelled or when the disk fails.
 */
export async function readLargeSarif(
  file: string,
  name: string,
  severityMap: SeverityMap,
  onPart: (claimed: Claimed[]) => void,
  signal?: AbortSignal,
): Promise<LargeReading> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const log = await split(handle, signal);
    const opened = openFrame(await readRanges(handle, log.skeleton), name, severityMap);
    if (opened.kind === "whole") return { kind: "whole" };
    if (opened.kind === "broken" && log.ranges.length === 0) return opened;
    const frame =
      opened.kind === "frame" ? opened.frame : repaired(log, await readRanges(handle, log.skeleton), name, severityMap);
    if (frame === null) return { kind: "broken", why: opened.kind === "broken" ? opened.why : "it is cut off" };
    const { claimed, unread } = await readPieces(handle, log, frame, onPart, signal);
    const rows = log.complete ? unread : [...unread, cutOff(name, log)];
    const reading = { format: "sarif", claimed, unread: [...frame.unread, ...rows], revision: frame.revision };
    return { kind: "read", reading, details: detailsOf(file, size, log, frame) };
  } finally {
    await handle.close();
  }
}

async function split(handle: FileHandle, signal?: AbortSignal): Promise<SplitLog> {
  const splitter = new SarifSplitter();
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return splitter.end();
    splitter.push(buffer.subarray(0, bytesRead));
  }
}

async function readRanges(handle: FileHandle, pairs: readonly number[]): Promise<string> {
  const parts: Buffer[] = [];
  for (let at = 0; at < pairs.length; at += 2) parts.push(await readRange(handle, pairs[at] ?? 0, pairs[at + 1] ?? 0));
  return Buffer.concat(parts).toString("utf8");
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(end - start);
  const { bytesRead } = await handle.read(buffer, 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}

/** A log that was cut off in its results lacks the closing brackets: with them its runs can be read. */
function repaired(log: SplitLog, skeleton: string, name: string, severityMap: SeverityMap): SarifFrame | null {
  if (log.complete) return null;
  const opened = openFrame(`${skeleton}]}]}`, name, severityMap);
  return opened.kind === "frame" ? opened.frame : null;
}

function cutOff(path: string, log: SplitLog): Unread {
  const reason = `The file is cut off behind result ${log.ranges.length}: what came before was read.`;
  return {
    path,
    line: null,
    pointer: `/runs/${log.ranges.at(-1)?.run ?? 0}/results`,
    text: "",
    reason,
    severityWord: true,
  };
}

async function readPieces(
  handle: FileHandle,
  log: SplitLog,
  frame: SarifFrame,
  onPart: (claimed: Claimed[]) => void,
  signal?: AbortSignal,
): Promise<{ claimed: Claimed[]; unread: Unread[] }> {
  const claimed: Claimed[] = [];
  const unread: Unread[] = [];
  let told = false;
  for (let from = 0; from < log.ranges.length;) {
    signal?.throwIfAborted();
    const to = windowEnd(log.ranges, from);
    const base = log.ranges[from]?.start ?? 0;
    const bytes = await readRange(handle, base, log.ranges[to - 1]?.end ?? base);
    for (const range of log.ranges.slice(from, to)) {
      const piece = readPiece(frame, range, textOf(bytes, base, range));
      if (isUnread(piece)) unread.push(piece);
      else claimed.push(piece);
    }
    if (!told && claimed.length + unread.length >= FIRST_PART && to < log.ranges.length) {
      told = true;
      onPart([...claimed]);
      // Let whoever waits for the first page have it before the rest is read.
      await new Promise((resolve) => setImmediate(resolve));
    }
    from = to;
  }
  return { claimed, unread };
}

/** The first window is small, so that the first part comes early. */
function windowEnd(ranges: readonly ResultRange[], from: number): number {
  const base = ranges[from]?.start ?? 0;
  const most = from === 0 ? Math.min(FIRST_PART, ranges.length) : ranges.length;
  let to = from + 1;
  while (to < most && (ranges[to]?.end ?? 0) - base <= CHUNK) to += 1;
  return to;
}

function textOf(bytes: Buffer, base: number, { start, end, holes }: ResultRange): string {
  let text = "";
  let from = start;
  for (let at = 0; at < holes.length; at += 2) {
    text += `${bytes.toString("utf8", from - base, (holes[at] ?? from) - base)}null`;
    from = holes[at + 1] ?? end;
  }
  return text + bytes.toString("utf8", from - base, end - base);
}

function detailsOf(file: string, size: number, log: SplitLog, frame: SarifFrame): SarifDetails {
  // Two numbers a result, not an object: a log may have half a million of them.
  const places = new Float64Array(log.ranges.length * 2);
  const firsts = new Map<number, number>();
  log.ranges.forEach(({ run, index, start, end }, at) => {
    if (index === 0) firsts.set(run, at);
    places[at * 2] = start;
    places[at * 2 + 1] = end;
  });
  return {
    async read(pointer) {
      const found = /^\/runs\/(\d+)\/results\/(\d+)$/.exec(pointer);
      const run = Number(found?.[1]);
      const index = Number(found?.[2]);
      const at = (firsts.get(run) ?? Number.NaN) + index;
      const [start, end] = [places[at * 2], places[at * 2 + 1]];
      if (start === undefined || end === undefined) return null;
      const handle = await open(file, "r");
      try {
        if ((await handle.stat()).size !== size) return null;
        const piece = readPiece(frame, { run, index }, (await readRange(handle, start, end)).toString("utf8"));
        return isUnread(piece) ? null : piece;
      } finally {
        await handle.close();
      }
    },
  };
}
