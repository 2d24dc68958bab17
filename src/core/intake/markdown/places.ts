import type { Span } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import { pathOfUri } from "../uri.ts";

/** A place named in prose: path as written, lines 1-based. */
export interface NamedPlace {
  readonly path: string;
  readonly span: Span;
}

const RANGE = String.raw`(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9})(?![\d:])|:(\d{1,9})(?:\s*[-–—]\s*(\d{1,9})(?::(\d{1,9}))?)?)?`;
const WITH_COLON = new RegExp(`^(.{1,1000}?):${RANGE}$`);
const WITH_HASH = /^(.{1,1000}?)#L(\d{1,9})(?:C\d{1,9})?(?:\s*[-–—]\s*L?(\d{1,9}))?$/;
const WITH_WORD =
  /^(.{1,1000}?)[\s,]*[(（]?\s*(?:at |on )?(?:lines?|ln|L|行)\.?\s*(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?[^()（）]{0,80}[)）]?$/i;
const ONLY_LINES = /^(?:and\s+)?:?(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?$/;
const SEPARATOR = /,\s*|;\s*|\s(?:and|vs\.?|&|\+)\s|<br\s?\/?>|\n/i;
const EXTENSION = /\.[A-Za-z][A-Za-z0-9_+-]{0,11}$/;
const BARE_NAMES = /^(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Rakefile|Procfile|LICENSE|README|CODEOWNERS)$/;

/**
 * The places a location cell or label names, in order: `a.ts:12`, `a.ts:12-15`, `a.ts:12:5`, `a.ts#L12-L15`, `a.ts (lines 12–15)`, lists
 * of them (`a.ts:3, 9, b.ts:1`), or files without lines. Empty where it names none.
 */
export function readPlaces(markdown: string): NamedPlace[] {
  const text = bare(markdown.slice(0, 4000));
  const whole = readPlace(text);
  if (whole !== null) return [whole];
  const places: NamedPlace[] = [];
  for (const piece of text.split(SEPARATOR)) {
    const trimmed = piece.trim();
    const more = ONLY_LINES.exec(trimmed);
    const last = places.at(-1);
    const place =
      more !== null && last !== undefined
        ? { path: last.path, span: lines(more[1], more[2]) }
        : (readPlace(trimmed) ?? leadingPlace(trimmed)?.place ?? null);
    if (place !== null) places.push(place);
  }
  return places;
}

/** Markup around a path goes: backticks, bold, angle brackets, the target of a link. */
function bare(markdown: string): string {
  return markdown
    .replace(/\[([^[\]]{1,500})\]\([^()\s]{0,1000}\)/g, "$1")
    .replace(/[^\S\n]+/g, " ")
    .replace(/[`*]|<(?=[\w./-])|(?<=[\w)])>/g, "")
    .trim();
}

/** A text that is one place and nothing else; null where it is not. */
export function readPlace(text: string): NamedPlace | null {
  if (/^https?:\/\//i.test(text)) return /\s/.test(text) ? null : { path: text, span: NO_SPAN };
  const colon = WITH_COLON.exec(text);
  if (colon !== null && isPath(colon[1])) {
    return { path: cleanPath(colon[1]), span: lines(colon[2], colon[2 + 1] ?? colon[5], colon[4], colon[6]) };
  }
  const found = WITH_HASH.exec(text) ?? WITH_WORD.exec(text);
  if (found !== null && isPath(found[1])) return { path: cleanPath(found[1]), span: lines(found[2], found[3]) };
  return isPath(text) ? { path: cleanPath(text), span: NO_SPAN } : null;
}

/** A place at the start of a text, with what follows it; delimited by backticks or angle brackets, or by the first blank. */
export function leadingPlace(text: string): { readonly place: NamedPlace; readonly rest: string } | null {
  const found =
    /^(?:\*\*|__)?(?:`([^`\n]{1,1000})`|<([^<>\n]{1,1000})>|\[([^[\]\n]{1,500})\]\([^()\s]{0,1000}\))(?:\*\*|__)?(.*)$/s.exec(
      text,
    ) ?? /^()()(?:\*\*|__)?([^\s`<>]{1,1000})(.*)$/s.exec(text);
  if (found === null) return null;
  const named = (found[1] || found[2] || found[3] || "").replace(/(?:\*\*|__)$/, "").replace(/[:,;]+$/, "");
  const rest = found[4] ?? "";
  const inWords = /^\s*[(（](?:at |on )?(?:lines?|ln|L|行)\.?\s*(\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?[)）](.*)$/is.exec(
    rest,
  );
  const place = readPlace(named);
  if (place === null) return null;
  if (inWords !== null && place.span.line === null) {
    return { place: { path: place.path, span: lines(inWords[1], inWords[2]) }, rest: trimLead(inWords[3] ?? "") };
  }
  return { place, rest: trimLead(rest) };
}

function trimLead(rest: string): string {
  return rest.replace(/^\s*(?:[:：—–|]|-(?!>))?\s*/, "");
}

/** True for what can only be a file: it has a folder or an extension, no blank beside a folder-less name, and is no number. */
function isPath(text: string | undefined): text is string {
  if (text === undefined || text === "" || /[|<>"?*\n]/.test(text) || /^[\d.:\s]+$/.test(text)) return false;
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  if (/\s/.test(text)) return EXTENSION.test(name) && /[/\\]/.test(text) && !/[,;]|\s[/\\]|[/\\]\s/.test(text);
  if (/^[\w.]+\(.*\)$/.test(text) || /^(?:n\/a|and\/or|i\/o|tcp\/ip)$/i.test(text)) return false;
  return (
    EXTENSION.test(name) ||
    BARE_NAMES.test(name) ||
    /^\.?[\w@.-]+(?:[/\\][\w@.()[\]$+ -]+)+[/\\]?$/.test(text) ||
    /^\.[\w.-]{2,}$/.test(name)
  );
}

function cleanPath(text: string): string {
  return pathOfUri(text.trim());
}

function lines(line?: string, endLine?: string, column?: string, endColumn?: string): Span {
  const [from, to] = [positive(line), positive(endLine)];
  if (from === null) return NO_SPAN;
  if (to !== null && to < from) return { line: to, endLine: from, column: null, endColumn: null };
  return { line: from, endLine: to, column: positive(column), endColumn: positive(endColumn) };
}

function positive(digits: string | undefined): number | null {
  return digits === undefined || Number(digits) < 1 ? null : Number(digits);
}
