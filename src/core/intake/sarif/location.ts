import type { RelatedPlace, Span } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, objectAt, textAt, wholeAt } from "../json.ts";
import { decodePercent, pathOfUri } from "../uri.ts";
import { messageText } from "./message.ts";
import type { FoundRule } from "./rules.ts";

/** A region given by offsets (0-based) instead of lines; resolved against the file's text when the finding is placed. */
export interface Offsets {
  readonly charOffset: number | null;
  readonly charLength: number | null;
  readonly byteOffset: number | null;
  readonly byteLength: number | null;
}

/** One SARIF location, its path resolved as far as the log allows. */
export interface ReadLocation {
  readonly path: string | null;
  /** The path joined with an absolute base id (`file:///home/user/project/`), where the log names one. */
  readonly absolutePath: string | null;
  /** The `uriBaseId` the path is relative to. */
  readonly baseId: string | null;
  readonly span: Span;
  readonly offsets: Offsets | null;
  readonly quote: string | null;
  readonly symbol: string | null;
}

interface ReadPath {
  readonly path: string | null;
  readonly absolutePath: string | null;
  readonly baseId: string | null;
}

const NO_PATH: ReadPath = { path: null, absolutePath: null, baseId: null };
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]+:/;

/** Reads a `location` object (3.28); everything it lacks is null. */
export function readLocation(run: JsonObject, location: unknown): ReadLocation {
  const physical = objectAt(location, "physicalLocation");
  const region = objectAt(physical, "region");
  const logical = objectAt(location, "logicalLocations", 0);
  return {
    ...readArtifact(run, at(physical, "artifactLocation")),
    span: readSpan(region),
    offsets: readOffsets(region),
    quote: filledAt(region, "snippet", "text"),
    symbol: filledAt(logical, "fullyQualifiedName") ?? filledAt(logical, "name"),
  };
}

/** A location as another place of a finding: a related location or a step of a flow. */
export function readRelated(run: JsonObject, location: unknown, rule: FoundRule): RelatedPlace {
  const { path, span } = readLocation(run, location);
  return { path, span, message: messageText(at(location, "message"), rule) ?? "" };
}

/** Path of an `artifactLocation` (3.4), followed into `run.artifacts` where it only has an index. */
export function readArtifact(run: JsonObject, artifact: unknown): ReadPath {
  const uri = filledAt(artifact, "uri");
  if (uri !== null) return joinBase(run, uri, textAt(artifact, "uriBaseId"));
  const index = wholeAt(artifact, "index");
  const listed = index === null ? {} : objectAt(run, "artifacts", index, "location");
  const listedUri = filledAt(listed, "uri");
  return listedUri === null ? NO_PATH : joinBase(run, listedUri, textAt(listed, "uriBaseId"));
}

/**
 * A relative base is joined on. An absolute one is where the analysing machine kept the tree: the path stays relative to it, which is
 * how this workspace knows it, and the absolute form is kept beside it. Broken and undeclared bases change nothing.
 */
function joinBase(run: JsonObject, uri: string, baseId: string | null): ReadPath {
  if (SCHEME.test(uri)) return { ...NO_PATH, path: pathOfUri(uri) };
  const relative = decodePercent(uri);
  if (baseId === null) return { ...NO_PATH, path: relative };
  const base = readBase(run, baseId);
  const path = tidy(base.relative + relative);
  return { path, absolutePath: base.absolute === null ? null : tidy(`${base.absolute}/${path}`), baseId };
}

function readBase(run: JsonObject, baseId: string): { relative: string; absolute: string | null } {
  let relative = "";
  let id: string | null = baseId;
  // Base ids may nest; the bound also ends a circle.
  for (let depth = 0; id !== null && depth < 16; depth += 1) {
    const declared = at(run, "originalUriBaseIds", id);
    const uri = typeof declared === "string" ? declared : textAt(declared, "uri");
    if (uri !== null && /^file:/i.test(uri)) return { relative, absolute: pathOfUri(uri) };
    if (uri !== null && uri !== "" && !uri.includes(":"))
      relative = `${decodePercent(uri).replace(/\/?$/, "/")}${relative}`;
    id = isObject(declared) ? textAt(declared, "uriBaseId") : null;
  }
  return { relative, absolute: null };
}

function tidy(path: string): string {
  return path.replace(/(?<!^)\/{2,}/g, "/").replace(/^(?:\.\/)+(?=.)/, "");
}

/** Lines and columns of a region (3.30); values below 1 are no place, a reversed range is turned round. */
function readSpan(region: JsonObject): Span {
  const line = positive(region, "startLine");
  if (line === null) return { line: null, endLine: null, column: null, endColumn: null };
  const endLine = positive(region, "endLine");
  const column = positive(region, "startColumn");
  const endColumn = positive(region, "endColumn");
  if (endLine !== null && endLine < line) return { line: endLine, endLine: line, column: null, endColumn: null };
  if (column !== null && endColumn !== null && endColumn < column && (endLine ?? line) === line) {
    return { line, endLine, column: endColumn, endColumn: column };
  }
  return { line, endLine, column, endColumn };
}

function positive(region: JsonObject, name: string): number | null {
  const value = wholeAt(region, name);
  return value !== null && value >= 1 ? value : null;
}

function readOffsets(region: JsonObject): Offsets | null {
  const offset = (name: string): number | null => {
    const value = wholeAt(region, name);
    return value !== null && value >= 0 ? value : null;
  };
  const charOffset = offset("charOffset");
  const byteOffset = offset("byteOffset");
  if (charOffset === null && byteOffset === null) return null;
  return { charOffset, charLength: offset("charLength"), byteOffset, byteLength: offset("byteLength") };
}

/** All flows of a result (3.36), one list of steps a thread; steps may stand in the result or, by index, in the run. */
export function readFlows(run: JsonObject, result: JsonObject, rule: FoundRule): RelatedPlace[][] {
  const shared = listAt(run, "threadFlowLocations");
  return listAt(result, "codeFlows")
    .flatMap((flow) => listAt(flow, "threadFlows"))
    .map((thread) =>
      listAt(thread, "locations").flatMap((step) => {
        const index = wholeAt(step, "index");
        const location = at(step, "location") ?? (index === null ? undefined : at(shared[index], "location"));
        return isObject(location) ? [readRelated(run, location, rule)] : [];
      }),
    )
    .filter((steps) => steps.length > 0);
}
