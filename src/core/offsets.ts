import type { Span } from "./finding.ts";
import { wholeAt } from "./intake/json.ts";
import type { SourceText } from "./ports.ts";

/**
 * Span of a region given by 0-based offsets: `charOffset`/`charLength` in UTF-16 units, else `byteOffset`/`byteLength` in UTF-8. Null
 * where it lies outside the text. `text.eol` says how long a line end is; "\n" where it does not say.
 */
export function spanOfOffsets(text: SourceText, offsets: unknown): Span | null {
  const charOffset = wholeAt(offsets, "charOffset");
  const bytes = charOffset === null;
  const start = charOffset ?? wholeAt(offsets, "byteOffset");
  if (start === null) return null;
  const length = wholeAt(offsets, bytes ? "byteLength" : "charLength") ?? 0;
  const from = positionAt(text, start, bytes);
  const to = positionAt(text, start + length, bytes);
  if (from === null) return null;
  return { ...from, endLine: to?.line ?? null, endColumn: to?.column ?? null };
}

function positionAt(text: SourceText, offset: number, bytes: boolean): { line: number; column: number } | null {
  const lineEnd = text.eol?.length ?? 1;
  let left = offset;
  for (const [index, line] of text.lines.entries()) {
    const length = bytes ? utf8Length(line) : line.length;
    if (left <= length) return { line: index + 1, column: (bytes ? unitsOfBytes(line, left) : left) + 1 };
    left -= length + lineEnd;
    // The offset lies inside a two-character line end.
    if (left < 0) return { line: index + 1, column: line.length + 1 };
  }
  return null;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
}

function unitsOfBytes(text: string, bytes: number): number {
  let units = 0;
  let left = bytes;
  for (const character of text) {
    if (left <= 0) break;
    left -= bytesOf(character);
    units += character.length;
  }
  return units;
}

function bytesOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** Columns counted in code points (SARIF `columnKind`) or in bytes of UTF-8 become columns in UTF-16 units; 1-based all of them. */
export function toUtf16Columns(
  span: Span,
  lines: readonly string[],
  kind: "unicodeCodePoints" | "utf8" = "unicodeCodePoints",
): Span {
  return {
    ...span,
    column: convert(lines[(span.line ?? 0) - 1], span.column, kind),
    endColumn: convert(lines[(span.endLine ?? span.line ?? 0) - 1], span.endColumn, kind),
  };
}

function convert(line: string | undefined, column: number | null, kind: "unicodeCodePoints" | "utf8"): number | null {
  if (line === undefined || column === null || !/[^\0-\x7f]/.test(line)) return column;
  let units = 0;
  let counted = 0;
  for (const character of line) {
    if (counted >= column - 1) break;
    units += character.length;
    counted += kind === "utf8" ? bytesOf(character) : 1;
  }
  return units + Math.max(0, column - 1 - counted) + 1;
}
