/**
 * Text from outside, made harmless for a terminal or a one-line surface (ruling 33): control characters, escapes,
 * bidirectional marks and zero-width characters are written out, line breaks become blanks.
 */
export function cleanLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A cleaned line of at most so many characters; an ellipsis marks the cut. */
export function shortLine(text: string, most: number): string {
  const clean = cleanLine(text);
  return clean.length <= most ? clean : `${clean.slice(0, Math.max(0, most - 1))}…`;
}
