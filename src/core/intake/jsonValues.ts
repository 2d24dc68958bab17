/** One JSON value of a text that holds several, or a piece that is none. */
export type JsonPiece =
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly line: number;
      readonly nth: number;
      /** Characters it takes up. */
      readonly length: number;
    }
  | { readonly kind: "broken"; readonly text: string; readonly line: number };

/**
 * The JSON values of a text with one a line, several on a line, or several that run over lines (`line` is where each starts, 1-based; `nth`
 * counts from 1 on its line). A broken piece costs no other. Null where the text is no such collection: most of its lines, and most of
 * its characters, are something else. Linear in the length of the text.
 */
export function readJsonValues(text: string): readonly JsonPiece[] | null {
  // A fence belongs to a markdown review, which has a reader of its own.
  if (!/^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/m.test(text) || /^\s*(?:```|~~~)/m.test(text)) return null;
  const byLine = readByLine(text);
  const values = byLine.filter((piece) => piece.kind === "value").length;
  if (values > 0 && values * 2 >= byLine.length) return byLine;
  const whole = splitValues(text, 1);
  const covered = whole.reduce((sum, piece) => sum + (piece.kind === "value" ? piece.length : 0), 0);
  return covered * 2 >= text.trim().length ? whole : null;
}

/** Brackets of a list with one entry a line hold nothing themselves. */
const ONLY_BRACKETS = /^[[\]{},\s]*$/;

function readByLine(text: string): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === "") continue;
    const whole = /^\s*[{[]/.test(line) ? parse(line) : undefined;
    if (whole === undefined) pieces.push(...splitValues(line, index + 1));
    else pieces.push({ kind: "value", value: whole, line: index + 1, nth: 1, length: line.length });
  }
  return pieces;
}

/** Cuts a text where brackets balance outside of strings; what stands between and does not parse is a broken piece. */
function splitValues(text: string, firstLine: number): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  const lineAt = lineCounter(text, firstLine);
  let nth = 0;
  let lastLine = 0;
  const push = (from: number, to: number): void => {
    const part = text.slice(from, to).replace(/^[\s,]+|[\s,]+$/g, "");
    if (part === "" || (ONLY_BRACKETS.test(part) && part.length < 100)) return;
    const line = lineAt(from + (/^[\s,]*/.exec(text.slice(from, to))?.[0].length ?? 0));
    const value = /^[{[]/.test(part) ? parse(part) : undefined;
    nth = line === lastLine ? nth + 1 : 1;
    lastLine = line;
    if (value === undefined) pieces.push({ kind: "broken", text: part.slice(0, 400), line });
    else pieces.push({ kind: "value", value, line, nth, length: part.length });
  };
  let from = 0;
  for (const { start, end } of balanced(text)) {
    push(from, start);
    push(start, end);
    from = end;
  }
  push(from, text.length);
  return pieces;
}

/** Outermost `{…}` and `[…]` of a text; an opening one that is never closed ends the list. */
function* balanced(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const token = /["{}[\]]/g;
  let depth = 0;
  let start = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [character] = found;
    if (character === '"') {
      if (depth > 0) token.lastIndex = endOfString(text, token.lastIndex);
    } else if (character === "{" || character === "[") {
      if (depth === 0) start = found.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) yield { start, end: found.index + 1 };
    }
  }
}

/** Where a JSON string ends, behind its closing quote; `from` is behind the opening one. The text's end where it is never closed. */
export function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    at += code === 0x5c ? 2 : 1;
  }
  return text.length;
}

/** Line of an offset; offsets come in ascending order. */
function lineCounter(text: string, firstLine: number): (offset: number) => number {
  let line = firstLine;
  let seen = 0;
  return (offset) => {
    for (let at = text.indexOf("\n", seen); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
      line += 1;
      seen = at + 1;
    }
    return line;
  };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value ?? undefined;
  } catch {
    return undefined;
  }
}
