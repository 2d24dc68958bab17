import type { Span } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";

const NUMBER = String.raw`[~≈]?\s?L?(\d{1,9})(?:\s{0,3}[-–—]\s{0,3}[~≈]?L?(\d{1,9})(?!\d))?`;
const LIST = String.raw`${NUMBER}(?:\s{0,3}(?:,|、|，|;|&|\/|\band\b|\bund\b|\bet\b|\by\b|\be\b)\s{0,3}${NUMBER}){0,40}`;
const ABOUT = String.raw`(?:(?:at|on|in|around|near|about|from|approx(?:imately|\.)?|ca\.?|circa|vers|um|第|约|約)\s{0,3}|[~≈])?`;
// "lines" in the languages of the label table; CJK writes its word after the number.
const UNIT = String.raw`(?:lines?|lns?|L|Zeilen?|Z|lignes?|l[ií]neas?|linhas?|righ?[ae]|строк[аи]?|行号?|줄)(?![a-zà-ü])`;
const AFTER_PATH = new RegExp(
  String.raw`^[\s,，—–-]{0,6}[（(\[【]?\s?${ABOUT}(?:${UNIT}\.?\s{0,3}[:：#]?\s{0,3}(${LIST})\s?行?|(${LIST})\s?(?:行目?|줄))`,
  "iu",
);
const BARE_LIST = new RegExp(String.raw`^[\s:#（(]{0,4}(${LIST})[\s)）.]{0,4}$`, "iu");
const LEADING_LIST = new RegExp(String.raw`^[\s:#（(]{0,4}(${LIST})(?![\p{L}\p{N}])`, "iu");
const EACH = new RegExp(NUMBER, "giu");

/** Line spans at the start of what follows a path: ` (lines 76–84)`, `, line ~93`, ` at lines 3, 9 and 12`, `第 12 行`; null where it names none. */
export function linesAfterPath(text: string): { readonly spans: readonly Span[]; readonly rest: string } | null {
  const found = AFTER_PATH.exec(text.slice(0, 400));
  const list = found?.[1] ?? found?.[4] ?? found?.slice(1).find((each) => each !== undefined);
  if (found === null || list === undefined) return null;
  return { spans: spansOf(wholeList(found)), rest: text.slice(found[0].length).replace(/^[)\]）】]+/, "") };
}

/** A text that is nothing but line numbers: `17, 209`, `:1515`, `~93`, `L10–L20`; empty where it is more. */
export function onlyLines(text: string): readonly Span[] {
  const found = BARE_LIST.exec(text.slice(0, 400));
  return found === null ? [] : spansOf(found[1] ?? "");
}

/** The value of a label that means lines: numbers with or without their word, and whatever words follow. */
export function linesOfLabel(text: string): readonly Span[] {
  const bare = text.replace(/[`*_]/g, "");
  const after = linesAfterPath(bare);
  if (after !== null) return after.spans;
  const found = LEADING_LIST.exec(bare.slice(0, 400));
  return found === null ? [] : spansOf(found[1] ?? "");
}

/** The list is the group that holds the others. */
function wholeList(found: RegExpExecArray): string {
  return found.slice(1).reduce((longest, each) => ((each ?? "").length > longest.length ? (each ?? "") : longest), "");
}

function spansOf(list: string): Span[] {
  return Array.from(list.matchAll(EACH), (found) => spanOf(found[1], found[2])).filter(({ line }) => line !== null);
}

/** A span of 1-based numbers as they were written; a reversed range is turned, 0 is none. */
export function spanOf(line?: string, endLine?: string, column?: string, endColumn?: string): Span {
  const [from, to] = [positive(line), positive(endLine)];
  if (from === null) return NO_SPAN;
  if (to !== null && to < from) return { line: to, endLine: from, column: null, endColumn: null };
  return { line: from, endLine: to, column: positive(column), endColumn: positive(endColumn) };
}

function positive(digits: string | undefined): number | null {
  return digits === undefined || Number(digits) < 1 ? null : Number(digits);
}
