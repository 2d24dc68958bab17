import path from "node:path";
import * as z from "zod/mini";
import { LANGUAGE_LIMITS } from "../protocol/language.ts";

// What providers of other extensions gave, read into places and texts. Whatever does not fit is left out.

/** What was read: places with absolute paths, 1-based lines and 0-based columns; `cut` where there was more. */
export interface Reading {
  readonly places: readonly { readonly path: string; readonly line: number; readonly column: number }[];
  readonly texts: readonly string[];
  readonly cut: boolean;
}

/** How many entries of one answer are looked at: the extension host must not be held up by ten thousand. */
const MOST_LOOKED_AT = 2000;

const Position = z.object({ line: z.int().check(z.minimum(0)), character: z.int().check(z.minimum(0)) });
const Range = z.object({ start: Position, end: Position });
const Uri = z.object({ scheme: z.string(), fsPath: z.string().check(z.maxLength(LANGUAGE_LIMITS.path)) });
/** `Location` or `LocationLink`, whose selection is the name itself. */
const Target = z.union([
  z.object({ targetUri: Uri, targetRange: Range, targetSelectionRange: z.optional(Range) }),
  z.object({ uri: Uri, range: Range }),
]);
const Caller = z.object({ from: z.object({ uri: Uri }), fromRanges: z.array(Range) });
const Hover = z.object({ contents: z.unknown() });
const Problem = z.object({ range: Range, message: z.string(), source: z.optional(z.unknown()) });

type Spot = { readonly uri: z.infer<typeof Uri>; readonly range: z.infer<typeof Range> };

/** Places of definitions, references or implementations. */
export function placesIn(given: unknown, folders: readonly string[]): Reading {
  const { list, cut } = listOf(given);
  const spots = list.flatMap((each): Spot[] => {
    const { data } = Target.safeParse(each);
    if (data === undefined) return [];
    if ("uri" in data) return [data];
    return [{ uri: data.targetUri, range: data.targetSelectionRange ?? data.targetRange }];
  });
  return reading(spots, folders, cut);
}

/** Items of a call hierarchy, to be handed back to the editor as they are. */
export function callItems(given: unknown): readonly unknown[] {
  return listOf(given).list;
}

/** Places of calls, of the answers for several items. */
export function callersIn(given: readonly unknown[], folders: readonly string[]): Reading {
  const lists = given.map(listOf);
  const spots = lists.flatMap(({ list }) =>
    list.flatMap((each): Spot[] => {
      const { data } = Caller.safeParse(each);
      return data === undefined ? [] : data.fromRanges.map((range) => ({ uri: data.from.uri, range }));
    }),
  );
  return reading(
    spots.slice(0, MOST_LOOKED_AT),
    folders,
    spots.length > MOST_LOOKED_AT || lists.some(({ cut }) => cut),
  );
}

/** Hovers as plain text, without the fences of their code. */
export function hoverTexts(given: unknown): Reading {
  const { list, cut } = listOf(given);
  const texts = list.flatMap((each) => {
    const { data } = Hover.safeParse(each);
    const contents = Array.isArray(data?.contents) ? data.contents : [data?.contents];
    return contents
      .slice(0, LANGUAGE_LIMITS.texts)
      .map(textOf)
      .filter((text) => text !== "");
  });
  return { places: [], ...bounded(texts, cut) };
}

/** Messages of the problems that cover a line, and where they begin. */
export function problemsAt(given: readonly unknown[], line: number, file: string): Reading {
  const covering = given.slice(0, MOST_LOOKED_AT).flatMap((each) => {
    const { data } = Problem.safeParse(each);
    const covers = data !== undefined && data.range.start.line < line && line <= data.range.end.line + 1;
    return covers ? [data] : [];
  });
  const places = covering.map(({ range }) => ({
    path: file,
    line: range.start.line + 1,
    column: range.start.character,
  }));
  const texts = covering.map(({ message, source }) => (typeof source === "string" ? `${source}: ${message}` : message));
  const cut = given.length > MOST_LOOKED_AT || places.length > LANGUAGE_LIMITS.places;
  return { places: places.slice(0, LANGUAGE_LIMITS.places), ...bounded(texts, cut) };
}

function listOf(given: unknown): { readonly list: readonly unknown[]; readonly cut: boolean } {
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  return { list: all.slice(0, MOST_LOOKED_AT), cut: all.length > MOST_LOOKED_AT };
}

function textOf(content: unknown): string {
  const value = typeof content === "object" && content !== null && "value" in content ? content.value : content;
  if (typeof value !== "string") return "";
  return value
    .slice(0, LANGUAGE_LIMITS.text)
    .replace(/^\s*```.*$/gm, "")
    .trim();
}

function bounded(texts: readonly string[], cut: boolean): Pick<Reading, "texts" | "cut"> {
  const { texts: most, text: longest } = LANGUAGE_LIMITS;
  return {
    texts: texts.slice(0, most).map((text) => text.slice(0, longest)),
    cut: cut || texts.length > most || texts.some((text) => text.length > longest),
  };
}

/** Places on the disk inside the folders, each once; links are resolved by the worker, which re-reads them. */
function reading(spots: readonly Spot[], folders: readonly string[], cut: boolean): Reading {
  const places = new Map<string, Reading["places"][number]>();
  for (const { uri, range } of spots) {
    if (uri.scheme !== "file" || !folders.some((folder) => isBelow(folder, uri.fsPath))) continue;
    const place = { path: uri.fsPath, line: range.start.line + 1, column: range.start.character };
    places.set(`${place.path}:${place.line}:${place.column}`, place);
  }
  const all = [...places.values()];
  return {
    places: all.slice(0, LANGUAGE_LIMITS.places),
    texts: [],
    cut: cut || all.length > LANGUAGE_LIMITS.places,
  };
}

/** True where a path lies below a folder, by words. */
export function isBelow(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
