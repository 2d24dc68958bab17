import { pathOfUri } from "./intake/uri.ts";
import { createPathIndex, isAbsolute, normalPath } from "./pathIndex.ts";
import type { PathIndex } from "./pathIndex.ts";

/**
 * Where the sources of a review lie in this workspace. A key is the beginning of cited paths (`/home/ci/build/`, `services/api/`; empty:
 * every relative path) or a SARIF base id (`%SRCROOT%`); the value is a workspace-relative folder, empty for the root.
 */
export type SourceRoots = Readonly<Record<string, string>>;

/** What a source says of a file's place. `absolutePath` is the form on the analysing machine, where it is known. */
export interface CitedPath {
  readonly path: string;
  readonly absolutePath: string | null;
  readonly baseId: string | null;
}

/** A cited path, mapped into the workspace: always relative and inside. `from` and `to` as they were set. */
export interface MappedPath {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

type Mapping = Pick<MappedPath, "from" | "to">;

/** A mapping that would help, and how many of the findings without a file it would give one. */
export interface RootSuggestion {
  readonly from: string;
  readonly to: string;
  readonly fixes: number;
}

interface Rule {
  readonly from: string;
  readonly to: string;
  readonly baseId: string | null;
  /** In lower case, without a slash at its end. */
  readonly prefix: string;
  readonly folder: string;
}

const BASE_ID = /^%(.+)%$/;
/** Cited paths that are searched for candidates; what a candidate fixes is counted over all of them. */
const SEARCHED_PATHS = 300;
/** Files of one name that are compared with a cited path, and candidates that are counted. */
const COMPARED_FILES = 50;
const COUNTED = 20;

/** What a claim or finding cites; null where it names no file. */
export function citedOf(path: string | null, extra: Readonly<Record<string, unknown>>): CitedPath | null {
  const { absolutePath, baseId } = extra;
  if (path === null || path.trim() === "") return null;
  return {
    path: pathOfUri(path),
    absolutePath: typeof absolutePath === "string" ? absolutePath : null,
    baseId: typeof baseId === "string" ? baseId : null,
  };
}

/** True for a folder that is relative to the workspace and inside of it: the only values a mapping is used with. */
export function isInside(to: string): boolean {
  return !/^[/\\]|:|^\.\.(?:\/|$)/.test(to.trim() && normalPath(to));
}

/** Maps cited paths: the longest prefix wins, then the base id, then the empty prefix. Mappings that lead outside are not used. */
export function createMapping(roots: SourceRoots): (cited: CitedPath) => MappedPath | null {
  const rules = Object.entries(roots)
    .filter(([, to]) => isInside(to))
    .map(([from, to]): Rule => {
      const baseId = BASE_ID.exec(from.trim())?.[1] ?? null;
      const prefix = baseId === null ? normalPath(from).toLowerCase().replace(/\/$/, "") : "";
      return { from, to, baseId, prefix, folder: normalPath(to) };
    })
    .sort((a, b) => b.prefix.length - a.prefix.length || Number(b.baseId !== null) - Number(a.baseId !== null));
  return (cited) => {
    if (rules.length === 0) return null;
    const forms = [cited.path, cited.absolutePath].filter((form) => form !== null).map(normalPath);
    for (const rule of rules) {
      for (const form of forms) {
        const rest = restOf(form, rule, cited.baseId);
        if (rest === null || rest.split("/").includes("..")) continue;
        return { path: rule.folder === "" ? rest : `${rule.folder}/${rest}`, from: rule.from, to: rule.to };
      }
    }
    return null;
  };
}

function restOf(path: string, { baseId, prefix, from }: Rule, citedBase: string | null): string | null {
  if (baseId !== null) return baseId === citedBase && !isAbsolute(path) ? path : null;
  if (prefix === "") {
    const everything = from.trim().startsWith("/") ? path.startsWith("/") : !isAbsolute(path);
    return everything ? path.replace(/^\//, "") : null;
  }
  return path.toLowerCase().startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null;
}

/** The file a mapped path names, in the workspace's spelling; null where there is none or more than one. */
export function mappedFile(path: string, index: PathIndex): string | null {
  const found = index.find(path);
  return found.kind === "found" && found.file.toLowerCase() === path.toLowerCase() ? found.file : null;
}

/**
 * Mappings that would give findings their file, best first; `missing` holds one item a finding. A suggestion's `fixes` is what adding it
 * to `roots` does, counted, not estimated. With `tried` that mapping alone is counted, also where it fixes none.
 */
export function suggestRoots(
  missing: readonly CitedPath[],
  files: readonly string[],
  roots: SourceRoots = {},
  tried: Mapping | null = null,
): readonly RootSuggestion[] {
  const distinct = [...Map.groupBy(missing, (cited) => JSON.stringify(cited)).values()];
  const index = createPathIndex(files);
  const fixesOf = ({ from, to }: Mapping): number => {
    const map = createMapping({ ...roots, [from]: to });
    const fixed = distinct.filter(([cited]) => {
      const mapped = cited === undefined ? null : map(cited);
      return mapped !== null && mappedFile(mapped.path, index) !== null;
    });
    return fixed.flat().length;
  };
  return (tried === null ? candidates(distinct, files) : [tried])
    .map((mapping) => ({ ...mapping, fixes: fixesOf(mapping) }))
    .filter(({ fixes }) => fixes > 0 || tried !== null)
    .sort((a, b) => b.fixes - a.fixes);
}

/** What stays of a cited path and of a file when their common end is taken off, voted for by the findings. */
function candidates(distinct: readonly (readonly CitedPath[])[], files: readonly string[]): readonly Mapping[] {
  const byName = Map.groupBy(files, nameOf);
  const votes = new Map<string, Mapping & { votes: number }>();
  for (const group of distinct.slice(0, SEARCHED_PATHS)) {
    const [cited] = group;
    if (cited === undefined) continue;
    const path = normalPath(cited.path);
    const near = (byName.get(nameOf(path)) ?? []).map((file) => ({ file, common: commonEnd(path, file) }));
    for (const { file, common } of near.sort((a, b) => b.common - a.common).slice(0, COMPARED_FILES)) {
      const start = path.slice(0, path.length - common);
      const from = start === "" && cited.baseId !== null ? `%${cited.baseId}%` : start;
      const to = file.slice(0, file.length - common).replace(/\/$/, "");
      const id = JSON.stringify([from, to]);
      votes.set(id, { from, to, votes: group.length + (votes.get(id)?.votes ?? 0) });
    }
  }
  const ranked = [...votes.values()].sort((a, b) => b.votes - a.votes).slice(0, COUNTED);
  return ranked.map(({ from, to }) => ({ from, to }));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** Length of the whole segments that two paths end with, any case. */
function commonEnd(cited: string, file: string): number {
  const there = file.toLowerCase();
  let end = cited.toLowerCase();
  // Shortened from its start, segment by segment, until the file ends with it.
  while (end !== "" && (end.startsWith("/") || !`/${there}`.endsWith(`/${end}`)))
    end = end.includes("/") ? end.slice(end.indexOf("/") + 1) : "";
  return end.length;
}
