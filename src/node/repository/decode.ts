/** How much of a file is read: over this, only the head (bytes on disk, UTF-16 units of a live buffer). */
export const LARGEST_TEXT = 2 * 1024 * 1024;

/** Bytes looked at to tell text from a binary file. */
const SNIFFED = 8192;

/**
 * A file's bytes as text, its byte order mark dropped; null where they are no text (a NUL byte near the start).
 * UTF-8, and UTF-16 by its mark; bytes that are not UTF-8 are read as Windows-1252, so that old sources keep their lines.
 */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, SNIFFED).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Cuts bytes back to their last whole line, so that no character and no line is shown by half. */
export function headBytes(bytes: Uint8Array): Uint8Array {
  const last = bytes.lastIndexOf(0x0a);
  if (last >= 0) return bytes.subarray(0, last);
  // One endless line: step back over a UTF-8 character that was cut.
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? end - 1 : end);
}

/** Splits at `\n`, `\r\n` and `\r` as editors count lines: a text that ends with a line end has an empty last line. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** The line end of a text: that of its first line. Offsets of reviews count it. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}
