/** A text whose bytes can be given back exactly: UTF-8 with or without mark, broken UTF-8, or UTF-16 with its mark. */
export interface ExactText {
  readonly text: string;
  /** The bytes of an edited text, in the encoding it was read in. */
  readonly encode: (edited: string) => Buffer;
}

/**
 * Reads bytes so that what is not edited comes back byte for byte (R3.26). A byte that is no UTF-8 becomes a lone surrogate, U+DC80 to
 * U+DCFF, which no valid text holds, and turns back into its byte.
 */
export function readExactly(bytes: Buffer): ExactText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) {
    return { text: bytes.toString("utf16le"), encode: (edited) => Buffer.from(edited, "utf16le") };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) {
    const swapped = Buffer.from(bytes).swap16();
    return { text: swapped.toString("utf16le"), encode: (edited) => Buffer.from(edited, "utf16le").swap16() };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encode: (edited) => Buffer.from(edited, "utf8") };
  } catch {
    return { text: escapeBroken(bytes), encode: unescapeBroken };
  }
}

function escapeBroken(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString("utf8", from, at), String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at += 1;
    from = at;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
}

function unescapeBroken(text: string): Buffer {
  const pieces = text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/);
  return Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 1 ? Buffer.from([piece.charCodeAt(0) - 0xdc00]) : Buffer.from(piece, "utf8"),
    ),
  );
}

/** Bytes of the well-formed sequence at this place; 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const piece = bytes.subarray(at, at + length);
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(piece);
    return piece.length === length && lead >= 0xc2 ? length : 0;
  } catch {
    return 0;
  }
}
