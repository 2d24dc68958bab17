import type { Citation } from "./round.ts";

/** A place with a short quote, as refuters and second opinions write evidence: "src/a.ts:12-14: `if (n < 0) throw`" (R4.8, R1.11). */
const PLACE =
  /^\s*(?:[-*]\s+)?(?:[`"']([^`"'\n]+?)(?::|#L)|((?:[A-Za-z]:)?[^\s`"':#,]+)(?::|#L|,?\s+lines?\s+))\s*(\d+)(?:\s*[-–—]\s*L?(\d+))?[`"']?\s*(?:[:,–—-]+\s*)?([\s\S]*)$/i;

/**
 * Reads one evidence text as a citation; null where it names no file and line. Without a quote behind the place the citation
 * has an empty one, which resolves nowhere: a bare place proves nothing that the program could re-read.
 */
export function citationOfText(text: string): Citation | null {
  const found = PLACE.exec(text);
  if (found === null) return null;
  const [, quoted, bare, first = "", last, rest = ""] = found;
  const file = quoted ?? bare ?? "";
  const line = Number(first);
  if (!Number.isSafeInteger(line) || line < 1 || !/[./\\]|^[A-Z]\w+$/.test(file)) return null;
  const end = last === undefined ? line : Number(last);
  const quote = unquoted(rest);
  const height = quote.split("\n").length - 1;
  return { file, line, endLine: Math.max(line + height, Math.min(end, line + 200)), quote };
}

/** What stands between the first back-ticks, or between quotes around it all; else the text itself. */
function unquoted(rest: string): string {
  const text = rest.trim();
  const ticked = /`{1,3}([^`]+)`{1,3}/.exec(text);
  if (ticked !== null) return (ticked[1] ?? "").trim();
  const wrapped = /^(?:"([\s\S]*)"|'([\s\S]*)'|“([\s\S]*)”|\(([\s\S]*)\))[.;,]?$/.exec(text);
  return (wrapped?.slice(1).find((part) => part !== undefined) ?? text).trim();
}
