import type { Span } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import { decodePercent } from "../uri.ts";
import { codeSpans, splitOutsideCode } from "./codeSpans.ts";
import { linesAfterPath, onlyLines, spanOf } from "./lineNumbers.ts";
import { cleanPath, isPath, isSourceFile } from "./paths.ts";

/** A place named in prose: path as written, lines 1-based. */
export interface NamedPlace {
  readonly path: string;
  readonly span: Span;
}

const RANGE = String.raw`[~≈]?(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9})(?![\d:])|:(\d{1,9})(?:\s*[-–—]\s*(\d{1,9})(?::(\d{1,9}))?)?)?`;
const WITH_COLON = new RegExp(`^(.{1,1000}?):L?${RANGE}$`);
const WITH_HASH = /^(.{1,1000}?)#L(\d{1,9})(?:C\d{1,9})?(?:\s*[-–—]\s*L?(\d{1,9}))?(?:C\d{1,9})?$/;
const WITH_PARENTHESES = /^(.{1,1000}?)\((\d{1,9})(?:,(\d{1,9}))?\)$/;
const WORDS = /\s(?:and|vs\.?|versus|&|\+|und|et|y|和|及|と)\s|<br\s?\/?>/i;
// The address of a file at a code host: owner, repository, kind, revision, path.
const BLOB =
  /^https?:\/\/[^\s/]{1,200}\/[^\s/]{1,200}\/[^\s/]{1,200}\/(?:-\/|src\/)?(?:blob|blame|tree|raw|commit|branch)\/[^\s/]{1,200}\/([^\s?#]{1,1000})(?:\?[^\s#]{0,200})?(#\S{1,60})?$/i;

/**
 * The places a location cell or label names, in order: `a.ts:12`, `a.ts:12-15`, `a.ts:12:5`, `a.ts#L12-L15`, `a.ts (lines 12–15)`,
 * `a.ts, line ~93`, addresses of code hosts, lists of them (`a.ts:3, 9, b.ts:1`), or files without lines. Empty where it names none.
 */
export function readPlaces(markdown: string): NamedPlace[] {
  const text = withoutLinks(markdown.slice(0, 4000));
  const pieces = piecesOf(text);
  const whole = readPlace(bare(pieces.length === 1 ? (pieces[0] ?? "") : text));
  if (whole !== null && (pieces.length === 1 || !WORDS.test(text))) return [whole];
  const places: NamedPlace[] = [];
  for (const piece of pieces) {
    const more = onlyLines(bare(piece));
    const last = places.at(-1);
    const found = last === undefined || more.length === 0 ? readPiece(piece) : [];
    places.push(...found);
    if (last === undefined || found.length > 0) continue;
    const spans = more.length > 0 ? more : (linesAfterPath(bare(piece))?.spans ?? []);
    if (last.span.line === null && spans.length > 0) places.pop();
    places.push(...spans.map((span) => ({ path: last.path, span })));
  }
  return places;
}

/** Splits a list of places, but neither inside code nor inside parentheses: `a.ts (lines 10, 12)` is one. */
function piecesOf(text: string): string[] {
  let depth = 0;
  const isSplit = (character: string): boolean => {
    if ("(（".includes(character)) depth += 1;
    else if (")）".includes(character)) depth = Math.max(0, depth - 1);
    else if (character === "\n") depth = 0;
    return character === "\n" || (depth === 0 && ",;，；、".includes(character));
  };
  return splitOutsideCode(text, isSplit)
    .flatMap((piece) => piece.text.split(WORDS))
    .map((piece) =>
      piece
        .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "")
        .replace(/[\s.。]{1,40}$/, "")
        .trim(),
    )
    .filter((piece) => piece !== "");
}

/** The places of one piece: its first inline code that is a place, else its own start; with the lines that follow in words. */
function readPiece(piece: string): NamedPlace[] {
  for (const { from, to } of codeSpans(piece)) {
    const code = bare(piece.slice(from, to));
    const place = readPlace(code);
    if (place !== null) return withLines(place, piece.slice(to));
    const [path, ...numbers] = code.split(/,\s*/);
    const listed = numbers.length === 0 ? null : readPlace(path ?? "");
    if (listed !== null && listed.span.line !== null) {
      return [listed, ...onlyLines(numbers.join(", ")).map((span) => ({ path: listed.path, span }))];
    }
  }
  const text = bare(piece);
  const place = readPlace(text);
  if (place !== null) return [place];
  const leading = leadingPlace(text);
  return leading === null ? [] : withLines(leading.place, leading.after);
}

function withLines(place: NamedPlace, after: string): NamedPlace[] {
  if (place.span.line !== null) return [place];
  const spans = linesAfterPath(bare(after))?.spans ?? [];
  return spans.length === 0 ? [place] : spans.map((span) => ({ path: place.path, span }));
}

/** A link becomes its words; where those name no place but its address names a file at a code host, that file. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^[\]]{1,500})\]\(([^()\s]{0,1000})\)/g, (_, words: string, target: string) => {
    const place = readPlace(bare(words)) === null ? readPlace(target) : null;
    if (place === null || /^https?:/i.test(place.path)) return words;
    return place.span.line === null
      ? place.path
      : `${place.path}:${place.span.line}${place.span.endLine === null ? "" : `-${place.span.endLine}`}`;
  });
}

/** Markup around a path goes: backticks, bold, angle brackets. */
function bare(markdown: string): string {
  return markdown
    .replace(/[^\S\n]+/g, " ")
    .replace(/[`*]|<(?=[\w./-])|(?<=[\w)])>/g, "")
    .trim();
}

/** A text that is one place and nothing else; null where it is not. */
export function readPlace(text: string): NamedPlace | null {
  if (/^https?:\/\//i.test(text)) return readAddress(text);
  const colon = WITH_COLON.exec(text);
  if (colon !== null && isPath(colon[1])) {
    return { path: cleanPath(colon[1]), span: spanOf(colon[2], colon[3] ?? colon[5], colon[4], colon[6]) };
  }
  const hash = WITH_HASH.exec(text);
  if (hash !== null && isPath(hash[1])) return { path: cleanPath(hash[1]), span: spanOf(hash[2], hash[3]) };
  const tuple = WITH_PARENTHESES.exec(text);
  if (tuple !== null && isPath(tuple[1])) {
    return { path: cleanPath(tuple[1]), span: spanOf(tuple[2], undefined, tuple[3]) };
  }
  return isPath(text) ? { path: cleanPath(text), span: NO_SPAN } : inWords(text);
}

/** `src/a.ts (line 12)`, `src/a.ts, lines 3–9`: one path with one span and nothing after it. */
function inWords(text: string): NamedPlace | null {
  const cut = /[\s,，(（]/.exec(text)?.index ?? -1;
  const path = text.slice(0, cut);
  const lines = cut <= 0 || !isPath(path) ? null : linesAfterPath(text.slice(cut));
  const [span, ...others] = lines?.spans ?? [];
  if (lines === null || span === undefined || others.length > 0 || !/^[^,;(（]{0,80}$/.test(lines.rest)) return null;
  return { path: cleanPath(path), span };
}

function readAddress(text: string): NamedPlace | null {
  if (/\s/.test(text)) return null;
  const blob = BLOB.exec(text);
  const path = decodePercent(blob?.[1] ?? "");
  if (blob === null || !isPath(path)) return { path: text, span: NO_SPAN };
  const lines = /^#(?:L|lines-|l)(\d{1,9})(?:C\d{1,9})?(?:[-:]L?(\d{1,9}))?/.exec(blob[2] ?? "");
  return { path, span: spanOf(lines?.[1], lines?.[2]) };
}

/** A place at the start of a text, with what follows it; delimited by backticks or angle brackets, or by the first blank. */
export function leadingPlace(
  text: string,
): { readonly place: NamedPlace; readonly rest: string; readonly after: string } | null {
  const found =
    /^(?:\*\*|__)?(?:`([^`\n]{1,1000})`|<([^<>\n]{1,1000})>|\[([^[\]\n]{1,500})\]\([^()\s]{0,1000}\))(?:\*\*|__)?(.*)$/s.exec(
      text,
    ) ?? /^()()(?:\*\*|__)?([^\s`<>（【]{1,1000})(.*)$/s.exec(text);
  if (found === null) return null;
  const named = (found[1] || found[2] || found[3] || "")
    .replace(/(?:\*\*|__)$/, "")
    .replace(/(?:[:,;：，；、]|\*\*)+$/, "");
  const after = found[4] ?? "";
  const place = readPlace(named);
  if (place === null) return null;
  const lines = place.span.line === null ? linesAfterPath(after) : null;
  const [span] = lines?.spans ?? [];
  if (lines !== null && span !== undefined) {
    return { place: { path: place.path, span }, rest: trimLead(lines.rest), after };
  }
  return { place, rest: trimLead(after), after };
}

/** The same, where nothing says that a place must stand here: only with a line, or as a file of a project. */
export function leadingFile(text: string): ReturnType<typeof leadingPlace> {
  const found = leadingPlace(text);
  return found === null || found.place.span.line !== null || isSourceFile(found.place.path) ? found : null;
}

function trimLead(rest: string): string {
  return rest.replace(/^\s*(?:\*\*(?=[\s:：]))?\s*(?:[:：—–|]|-(?!>))?(?:\*\*(?=\s|$))?\s*/, "");
}
