import { splitOutsideCode } from "./intake/markdown/codeSpans.ts";

/** The three words the evidence gate knows (R3.6). */
export type GateSeverity = "CRITICAL" | "WARNING" | "INFO";

/** A severity where a finding carries its own: offsets in the whole text, end exclusive; `line` is 0-based. */
export interface SeverityToken {
  readonly severity: GateSeverity;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** One line of a review as the gate sees it; `cells` of a table row hold what stands between its bars. */
export type GateLine =
  | { readonly kind: "row"; readonly cells: readonly Cell[]; readonly strict: readonly Cell[] }
  | { readonly kind: "heading"; readonly level: number; readonly tokens: readonly SeverityToken[] }
  | { readonly kind: "severity" | "label"; readonly tokens: readonly SeverityToken[] }
  | { readonly kind: "code" }
  | { readonly kind: "text" };

interface Cell {
  readonly value: string;
  readonly token: SeverityToken | null;
}

/** A text cut into lines: without their ends, each with its offset. */
export interface CutText {
  readonly lines: readonly string[];
  readonly offsets: readonly number[];
}

const WORD = "(critical|warning|info)(?![\\p{L}\\p{N}_])";
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
// R3.22 (c): what may stand before the severity at the start of a heading.
const HEADING_START = new RegExp(
  String.raw`^ {0,3}#{1,6}[\s*_\[(\u0060]{1,12}(?:(finding|issue|attack|challenge)\b[\s*_]{0,6})?(?:(#?\d{1,4}(?:\.\d{1,4}){0,4})([.):]?)[\s*_]{0,6})?([-–—:]{0,3})[\s*_\[(\u0060]{0,12}${WORD}(.?)(.?)`,
  "iu",
);
const BRACKETS = new RegExp(String.raw`[\[(][\s*_\u0060]{0,6}${WORD}[\s*_\u0060]{0,400}[\])]`, "giu");
const SEVERITY_LINE = new RegExp(String.raw`^\s*(?:\*\*|__)?${WORD}`, "iu");
const LABEL_LINE = new RegExp(
  String.raw`^[\s>]*(?:[-*+]\s+)?(?:\*\*|__)?(severity|impact)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*[\[(\u0060]?(?:\*\*|__)?${WORD}(.{0,8})`,
  "iu",
);
const WRITTEN_BY_GATE =
  /INFO \(downgraded: (?:no evidence|hedge without evidence); original in [^\n\r]{0,300}?\.orig\)/g;

/** Cuts a text at line feeds; a carriage return before one belongs to the line's end (R3.26). */
export function cutText(text: string): CutText {
  const lines: string[] = [];
  const offsets: number[] = [];
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    lines.push(text.slice(from, text[to - 1] === "\r" && to > from ? to - 1 : to));
    offsets.push(from);
    from = to + 1;
  }
  return { lines, offsets };
}

/**
 * What the gate itself wrote earlier, blanked out but for its INFO, offsets kept: a file name in it is never read as a severity,
 * a bar or a marker (R3.25, R3.27).
 */
export function withoutRewrites(text: string): string {
  return text.replace(WRITTEN_BY_GATE, (whole) => `INFO${" ".repeat(whole.length - 4)}`);
}

/** Reads every line of a text (R3.22, R3.23). Fenced code starts nothing, unless the fence is marked as markdown. */
export function readLines({ lines, offsets }: CutText): GateLine[] {
  const code = fencedLines(lines);
  return lines.map((line, index) =>
    code[index] === true ? { kind: "code" } : readLine(line, offsets[index] ?? 0, index),
  );
}

function readLine(line: string, offset: number, index: number): GateLine {
  const token = (word: string, from: number): SeverityToken => ({
    severity: severityOf(word),
    from: offset + from,
    to: offset + from + word.length,
    line: index,
  });
  if (/^\s*\|/.test(line)) return readRow(line, token);
  const level = HEADING.exec(line)?.[1]?.length;
  if (level !== undefined) return { kind: "heading", level, tokens: headingTokens(line, token) };
  const start = SEVERITY_LINE.exec(line);
  if (start !== null)
    return { kind: "severity", tokens: [token(start[1] ?? "", start[0].length - (start[1] ?? "").length)] };
  const label = LABEL_LINE.exec(line);
  // "Impact: critical data is lost" describes; a rank stands alone.
  if (label === null || (label[1]?.toLowerCase() === "impact" && /^\s*\p{L}/u.test(label[3] ?? "")))
    return { kind: "text" };
  const word = label[2] ?? "";
  return { kind: "label", tokens: [token(word, label[0].length - (label[3] ?? "").length - word.length)] };
}

function headingTokens(line: string, token: (word: string, from: number) => SeverityToken): SeverityToken[] {
  const tokens = new Map<number, SeverityToken>();
  const start = HEADING_START.exec(line);
  if (start !== null) {
    const [whole, noun, number, delimiter, dash, word = "", next = "", last = ""] = start;
    // "2 CRITICAL findings" counts; "2. CRITICAL" and "2 CRITICAL:" rank.
    const counts = noun === undefined && number !== undefined && delimiter === "" && dash === "";
    const from = whole.length - next.length - last.length - word.length;
    if (!counts || (Number(number.replace("#", "")) !== 0 && /^[^\s\p{L}\p{N}]|^\s[^\p{L}\p{N}\s]/u.test(next + last)))
      tokens.set(from, token(word, from));
  }
  for (const found of line.matchAll(BRACKETS)) {
    const word = found[1] ?? "";
    const from = found.index + found[0].search(/[a-z]/i);
    tokens.set(from, token(word, from));
  }
  return [...tokens.values()].sort((a, b) => a.from - b.from);
}

function readRow(line: string, token: (word: string, from: number) => SeverityToken): GateLine {
  if (/^[\s|:-]*$/.test(line)) return { kind: "row", cells: [], strict: [] };
  const strict = strictCells(line).map((cell) => readCell(cell, token));
  const cells = line.includes("`")
    ? splitOutsideCode(line, (character) => character === "|").map((cell) => readCell(cell, token))
    : strict;
  return { kind: "row", cells, strict };
}

function strictCells(line: string): { from: number; text: string }[] {
  let from = 0;
  return line.split(/(?<!\\)\|/).map((text) => {
    const cell = { from, text };
    from += text.length + 1;
    return cell;
  });
}

/** Bold and backticks in a cell are ignored; `INFO (downgraded: …)` is INFO (R3.23). */
function readCell(cell: { from: number; text: string }, token: (word: string, from: number) => SeverityToken): Cell {
  const value = cell.text.replace(/[*`]/g, "").trim().toUpperCase();
  const isRank = /^(?:CRITICAL|WARNING|INFO(?: \(DOWNGRADED:.*)?)$/.test(value);
  if (!isRank) return { value, token: null };
  const found = /critical|warning|info/i.exec(cell.text);
  return { value, token: found === null ? null : token(found[0], cell.from + found.index) };
}

function severityOf(word: string): GateSeverity {
  const upper = word.toUpperCase();
  return upper === "CRITICAL" || upper === "WARNING" ? upper : "INFO";
}

/** True for the lines of closed code fences, their marks included. A fence that never closes, or holds markdown, is text. */
function fencedLines(lines: readonly string[]): boolean[] {
  const longest = longestClosers(lines);
  const code = lines.map(() => false);
  for (let index = 0; index < lines.length; index += 1) {
    const open = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(lines[index] ?? "");
    const mark = open?.[1] ?? "";
    const info = (open?.[2] ?? "").trim();
    if (open === null || (mark.startsWith("`") && info.includes("`")) || /^(?:md|markdown)\b/i.test(info)) continue;
    if ((longest[index + 1]?.[mark.startsWith("`") ? 0 : 1] ?? 0) < mark.length) continue;
    code[index] = true;
    do code[(index += 1)] = true;
    while (!closes(lines[index] ?? "", mark));
  }
  return code;
}

function closes(line: string, mark: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length;
}

/** The longest closing mark from each line on, `[backticks, tildes]`: known beforehand, no fence is searched to the end in vain. */
function longestClosers(lines: readonly string[]): (readonly [number, number])[] {
  const longest: (readonly [number, number])[] = [];
  longest[lines.length] = [0, 0];
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const [ticks, tildes] = longest[index + 1] ?? [0, 0];
    const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(lines[index] ?? "")?.[1] ?? "";
    longest[index] = mark.startsWith("`")
      ? [Math.max(ticks, mark.length), tildes]
      : [ticks, Math.max(tildes, mark.length)];
  }
  return longest;
}
