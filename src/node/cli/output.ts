import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** Where a command writes: the terminal's streams, replaceable in tests. */
export interface Streams {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** Where results go: standard output as they come, or a file that appears whole when the command is done. */
export interface Sink {
  write(text: string): void;
  /** Completes the file; the sentence tells why it could not be written. */
  close(): string | null;
}

export function openSink(out: string | null, streams: Streams): Sink {
  if (out === null) return { write: (text) => void streams.stdout.write(text), close: () => null };
  const parts: string[] = [];
  return {
    write: (text) => void parts.push(text),
    close: () => writeWhole(path.resolve(out), parts.join("")),
  };
}

function writeWhole(file: string, text: string): string | null {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const descriptor = openSync(temporary, "w");
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, file);
    return null;
  } catch (error) {
    return `${file} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
