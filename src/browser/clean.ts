/** A stretch of text to show as it is, or a run of characters that would not be seen or would mislead. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "odd"; readonly label: string; readonly title: string };

/** More marks than this in one text and they are written into the text instead of becoming elements. */
const MOST_MARKS = 400;

// Controls, format characters (bidi overrides, zero-width), lone surrogates, line separators and everything
// Unicode calls ignorable. Tab, newline and the two selectors that only choose emoji or text shape stay.
const ODD = /(?:(?![\t\n]|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}])+/gu;

const NAMES: Readonly<Record<string, string>> = {
  "U+0000": "null",
  "U+0007": "bell",
  "U+0008": "backspace",
  "U+000D": "carriage return",
  "U+001B": "escape",
  "U+00AD": "soft hyphen",
  "U+061C": "Arabic letter mark",
  "U+200B": "zero-width space",
  "U+200C": "zero-width non-joiner",
  "U+200D": "zero-width joiner",
  "U+200E": "left-to-right mark",
  "U+200F": "right-to-left mark",
  "U+202A": "left-to-right embedding",
  "U+202B": "right-to-left embedding",
  "U+202C": "pop directional formatting",
  "U+202D": "left-to-right override",
  "U+202E": "right-to-left override",
  "U+2060": "word joiner",
  "U+2066": "left-to-right isolate",
  "U+2067": "right-to-left isolate",
  "U+2068": "first strong isolate",
  "U+2069": "pop directional isolate",
  "U+FEFF": "byte order mark",
};

/** Splits a text of a tool or model so that hidden, reordering and control characters become visible marks (ruling 33). */
export function piecesOf(text: string): readonly Piece[] {
  const whole = text.replaceAll("\r\n", "\n");
  const pieces: Piece[] = [];
  let from = 0;
  let marks = 0;
  for (const match of whole.matchAll(ODD)) {
    marks += 1;
    if (marks > MOST_MARKS) return [{ kind: "text", text: plain(text) }];
    if (match.index > from) pieces.push({ kind: "text", text: whole.slice(from, match.index) });
    pieces.push(markOf(match[0]));
    from = match.index + match[0].length;
  }
  if (from < whole.length) pieces.push({ kind: "text", text: whole.slice(from) });
  return pieces;
}

/** The same as one string, for tooltips, labels and announcements: each run becomes `[U+202E]`. */
export function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(ODD, (run) => `[${markOf(run).label}]`);
}

function markOf(run: string): Extract<Piece, { kind: "odd" }> {
  const codes = Array.from(run, codeOf);
  const distinct = [...new Set(codes)];
  const named = distinct.map((code) => (NAMES[code] === undefined ? code : `${code} ${NAMES[code]}`)).join(", ");
  const title = `Hidden in the text: ${named}`;
  if (distinct.length > 3) return { kind: "odd", label: `${codes.length} hidden characters`, title };
  if (distinct.length > 1 && codes.length > 3) {
    return { kind: "odd", label: `${distinct.join(" ")}, ${codes.length} in all`, title };
  }
  const label = distinct.length === 1 && codes.length > 1 ? `${codes[0]} ×${codes.length}` : codes.join(" ");
  return { kind: "odd", label, title };
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
