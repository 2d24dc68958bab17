import type { RelatedPlace, Span } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import { isObject } from "../json.ts";
import { readPlaces } from "../markdown/places.ts";
import { pathOfUri } from "../uri.ts";
import type { Fields } from "./aliases.ts";
import { openFields, textOf } from "./aliases.ts";
import { makeSpan, positive } from "./fields.ts";

/** Where an agent says a finding stands, and the other places it names. `words` is a location that was prose. */
export interface AgentPlace {
  readonly path: string | null;
  readonly span: Span;
  readonly others: readonly RelatedPlace[];
  readonly words: string | null;
}

const NOWHERE: AgentPlace = { path: null, span: NO_SPAN, others: [], words: null };
const DEEPEST = 4;

/** The place of a finding from any of its members: file and lines, `a.ts:12-15`, an object, a list, or prose that names files. */
export function placeOfFields(fields: Fields, depth = 0): AgentPlace {
  const named = fields.pick("file", (value, alias) => pathOf(value, alias));
  const listed = fields.pick("files", (value) => placesOfList(value, depth));
  const located = fields.pick("location", (value) => placeOfValue(value, depth));
  const lines = spanOfFields(fields);
  const first = named ?? located ?? listed ?? NOWHERE;
  const span =
    lines.span.line !== null ? lines.span : first.span.line !== null ? first.span : (located?.span ?? NO_SPAN);
  const others = [...first.others, ...(first === located ? [] : (located?.others ?? []))];
  const repeated = lines.others.map((other) => ({ path: first.path, span: other, message: "" }));
  return { path: first.path, span, others: [...others, ...repeated], words: first.words ?? located?.words ?? null };
}

/** `src/a.ts`, `src/a.ts:12`; `source` often names a tool, so it has to look like a file. */
function pathOf(value: unknown, alias: string): AgentPlace | undefined {
  if (isObject(value)) return alias === "source" ? undefined : placeOfFields(openFields(value), DEEPEST);
  if (typeof value !== "string" || value.trim() === "" || value.length > 1000) return undefined;
  const text = value.trim();
  const places = readPlaces(text);
  const [first] = places;
  if (first === undefined)
    return alias === "source" || /[\s:]/.test(text) ? undefined : { ...NOWHERE, path: pathOfUri(text) };
  return fromPlaces(places, null);
}

function placesOfList(value: unknown, depth: number): AgentPlace | undefined {
  return Array.isArray(value) ? placeOfValue(value, depth) : undefined;
}

function placeOfValue(value: unknown, depth: number): AgentPlace | undefined {
  if (depth >= DEEPEST) return undefined;
  if (typeof value === "string") {
    if (value.trim() === "") return undefined;
    const places = readPlaces(value);
    const only = places.length === 1 && !/\s/.test(value.trim());
    return fromPlaces(places, only ? null : value.trim());
  }
  if (isObject(value)) {
    const place = placeOfFields(openFields(value), depth + 1);
    return place.path === null && place.span.line === null ? undefined : place;
  }
  if (!Array.isArray(value)) return undefined;
  const places = value.slice(0, 200).flatMap((each: unknown) => placeOfValue(each, depth + 1) ?? []);
  const [first, ...rest] = places;
  if (first === undefined) return undefined;
  const others = rest.flatMap(({ path, span, others: more }) => [{ path, span, message: "" }, ...more]);
  return { ...first, others: [...first.others, ...others] };
}

function fromPlaces(
  places: readonly { readonly path: string; readonly span: Span }[],
  words: string | null,
): AgentPlace {
  const [first, ...rest] = places;
  if (first === undefined) return { ...NOWHERE, words };
  return { path: first.path, span: first.span, others: rest.map((place) => ({ ...place, message: "" })), words };
}

interface ReadLines {
  readonly span: Span;
  readonly others: readonly Span[];
}

function spanOfFields(fields: Fields): ReadLines {
  const start = fields.pick("start", lineOf);
  const line = fields.pick("line", (value) => lineOf(value) ?? rangeOf(value));
  const range = fields.pick("lines", rangeOf);
  const column = fields.pick("column", lineOf);
  const endColumn = fields.pick("endColumn", lineOf);
  if (start === undefined && line === undefined) return range ?? { span: NO_SPAN, others: [] };
  if (start === undefined && typeof line === "object") return line;
  const single = typeof line === "object" ? line.span.line : line;
  // Where both stand, as in comments of pull requests, the plain one is the last line.
  const endLine = fields.pick("endLine", lineOf) ?? (start === undefined ? range?.span.endLine : single);
  return { span: makeSpan(start ?? single, endLine, column, endColumn), others: [] };
}

function lineOf(value: unknown): number | undefined {
  const text = typeof value === "string" ? value.trim().replace(/^L(?=\d+$)/i, "") : value;
  return positive(text) ?? undefined;
}

/** `"12-15"`, `"L12"`, `[12, 15]`, `{start: {line}, end: {line}}`, `{begin, end}`, or several lines: `[3, 9, 20]`, `"3, 9, 20"`. */
function rangeOf(value: unknown): ReadLines | undefined {
  if (isObject(value)) return rangeOfObject(value);
  const text = Array.isArray(value)
    ? value
        .map((each: unknown) => textOf(each) ?? "")
        .join(Array.isArray(value[0]) ? "," : value.length === 2 ? "-" : ",")
    : value;
  if (typeof text === "number") return positive(text) === null ? undefined : { span: makeSpan(text), others: [] };
  if (
    typeof text !== "string" ||
    text.length > 2000 ||
    !/^[\s\dL,;–—:~-]*(?:and[\s\dL,–—-]*)*$/i.test(text.replace(/lines?/gi, ""))
  )
    return undefined;
  const spans = Array.from(text.matchAll(/(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?/gi), ([, from, to]) =>
    makeSpan(from, to),
  );
  const [span, ...others] = spans.filter(({ line }) => line !== null);
  return span === undefined ? undefined : { span, others };
}

function rangeOfObject(value: Parameters<typeof openFields>[0]): ReadLines | undefined {
  const fields = openFields(value);
  const edge = (name: string): { readonly line: unknown; readonly column: unknown } => {
    const found = fields.get(name);
    if (!isObject(found)) return { line: found, column: null };
    const inner = openFields(found);
    const character = inner.get("character");
    // Positions of the language server protocol count from 0, and only they say "character".
    if (typeof character === "number") return { line: Number(inner.get("line")) + 1, column: character + 1 };
    return { line: inner.pick("line", lineOf), column: inner.pick("column", lineOf) };
  };
  const from = [edge("start"), edge("begin"), edge("from")].find(({ line }) => positive(line) !== null);
  const to = [edge("end"), edge("stop"), edge("to")].find(({ line }) => positive(line) !== null);
  if (from !== undefined) return { span: makeSpan(from.line, to?.line, from.column, to?.column), others: [] };
  const read = spanOfFields(fields);
  return read.span.line === null ? undefined : read;
}
