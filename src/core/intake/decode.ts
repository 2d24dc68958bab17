/** Text of a file's bytes. `problem` is one sentence where bytes had to be replaced by U+FFFD or the encoding cannot be read. */
export interface Decoded {
  readonly text: string;
  readonly problem: string | null;
}

const CHUNK = 8192;

/**
 * Text of a review file: UTF-8 or UTF-16 of either byte order, with or without byte order mark (which is dropped). Written by hand
 * because the core sees no platform. Never throws: broken bytes become U+FFFD and are named in `problem`.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const [a, b, c, d] = bytes;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    return { text: "", problem: "The file is encoded as UTF-32, which is not read; save it as UTF-8." };
  }
  if (a === 0xff && b === 0xfe) return decodeUtf16(bytes, 2, true);
  if (a === 0xfe && b === 0xff) return decodeUtf16(bytes, 2, false);
  if (a === 0xef && b === 0xbb && c === 0xbf) return decodeUtf8(bytes, 3);
  // Without a mark: every format read here starts with an ASCII character, which leaves one NUL in UTF-16.
  if (bytes.length >= 4 && a !== 0 && b === 0 && c !== 0 && d === 0) return decodeUtf16(bytes, 0, true);
  if (bytes.length >= 4 && a === 0 && b !== 0 && c === 0 && d !== 0) return decodeUtf16(bytes, 0, false);
  const decoded = decodeUtf8(bytes, 0);
  return decoded.problem !== null && saysLatin1(bytes) ? decodeLatin1(bytes) : decoded;
}

/** XML names its encoding, and not always truly: what is valid UTF-8 is UTF-8. Else the one-byte encodings of the West are read. */
function saysLatin1(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return false;
  const start = String.fromCharCode(...bytes.subarray(0, 200)).split("?>", 1)[0] ?? "";
  return /\sencoding\s*=\s*["'](?:iso-?8859-1|latin-?1|windows-1252|cp1252|us-ascii)["']/i.test(start);
}

// Where Windows-1252 has letters, Latin 1 has control characters that no report means.
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

function decodeLatin1(bytes: Uint8Array): Decoded {
  const units = createUnits();
  for (const byte of bytes) units.push(byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte);
  return { text: units.text(), problem: null };
}

/** Collects UTF-16 code units and turns them into text piece by piece. */
function createUnits(): { push(unit: number): void; text(): string } {
  const units = new Uint16Array(CHUNK);
  const parts: string[] = [];
  let used = 0;
  const flush = (): void => {
    parts.push(String(Reflect.apply(String.fromCharCode, null, units.subarray(0, used))));
    used = 0;
  };
  return {
    push(unit) {
      if (used === CHUNK) flush();
      units[used++] = unit;
    },
    text() {
      flush();
      return parts.join("");
    },
  };
}

function decodeUtf16(bytes: Uint8Array, from: number, littleEndian: boolean): Decoded {
  const units = createUnits();
  for (let i = from; i + 1 < bytes.length; i += 2) {
    const first = bytes[i] ?? 0;
    const second = bytes[i + 1] ?? 0;
    units.push(littleEndian ? first | (second << 8) : (first << 8) | second);
  }
  const odd = (bytes.length - from) % 2 === 1;
  const text = units.text();
  if (odd) return { text, problem: "The file is UTF-16 with an odd number of bytes; its last byte was dropped." };
  return text.isWellFormed()
    ? { text, problem: null }
    : { text: text.toWellFormed(), problem: "The file is not valid UTF-16; broken characters were replaced." };
}

function decodeUtf8(bytes: Uint8Array, from: number): Decoded {
  const units = createUnits();
  let broken: number | null = null;
  let i = from;
  while (i < bytes.length) {
    const lead = bytes[i] ?? 0;
    if (lead < 0x80) {
      units.push(lead);
      i += 1;
      continue;
    }
    const length = sequenceLength(bytes, i, lead);
    if (length === 0) {
      broken ??= i;
      units.push(0xfffd);
      i += 1;
      continue;
    }
    pushCodePoint(units, codePoint(bytes, i, lead, length));
    i += length;
  }
  const problem =
    broken === null ? null : `The file is not valid UTF-8 (first at byte ${broken}); broken characters were replaced.`;
  return { text: units.text(), problem };
}

/** Bytes of the well-formed sequence that starts here, 2 to 4; 0 where it is broken, overlong, a surrogate or too large. */
function sequenceLength(bytes: Uint8Array, i: number, lead: number): number {
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  for (let k = 1; k < length; k += 1) if (((bytes[i + k] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[i + 1] ?? 0;
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0;
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0;
  return length;
}

function codePoint(bytes: Uint8Array, i: number, lead: number, length: number): number {
  let point = lead & (0xff >> (length + 1));
  for (let k = 1; k < length; k += 1) point = (point << 6) | ((bytes[i + k] ?? 0) & 0x3f);
  return point;
}

function pushCodePoint(units: { push(unit: number): void }, point: number): void {
  if (point < 0x10000) {
    units.push(point);
    return;
  }
  units.push(0xd800 + ((point - 0x10000) >> 10));
  units.push(0xdc00 + ((point - 0x10000) & 0x3ff));
}
