/** What the index made of a cited path. `similar` holds files of that name which are not certain enough to be taken for it. */
export type FoundPath =
  | { readonly kind: "found"; readonly file: string }
  | { readonly kind: "folder" }
  | { readonly kind: "similar"; readonly files: readonly string[] }
  | { readonly kind: "absent" };

/** The workspace's files made findable by cited paths. Built once; each distinct cited path is searched once. */
export interface PathIndex {
  readonly find: (cited: string) => FoundPath;
}

/** A cited path in the workspace's spelling: `/` only, without `./`, `a//b` and inner `..`; a leading `../` stays. */
export function normalPath(cited: string): string {
  const slashed = cited.trim().replaceAll("\\", "/");
  const absolute = slashed.startsWith("/");
  const kept: string[] = [];
  for (const segment of slashed.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (segment !== ".." || !absolute) kept.push(segment);
  }
  return (absolute ? "/" : "") + kept.join("/");
}

/**
 * Indexes workspace-relative paths. A cited path is found where it is a file; else where one file alone has the longest common end
 * with it and one of the two is wholly used up: a missing prefix (`templates/loader.go` for `internal/templates/loader.go`), a prefix too
 * much (`/home/ci/shop/src/a.ts`), another case, a bare file name. Anything less is `similar` and needs its quote as a witness.
 */
export function createPathIndex(files: readonly string[]): PathIndex {
  const all = new Set(files);
  const byName = new Map<string, string[]>();
  const folders = new Set<string>(["", "."]);
  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1).toLowerCase();
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [file]);
    else known.push(file);
    for (
      let cut = file.lastIndexOf("/");
      cut > 0 && !folders.has(file.slice(0, cut));
      cut = file.lastIndexOf("/", cut - 1)
    ) {
      folders.add(file.slice(0, cut));
    }
  }
  const remembered = new Map<string, FoundPath>();
  const search = (cited: string): FoundPath => {
    if (all.has(cited)) return { kind: "found", file: cited };
    const path = normalPath(cited);
    if (all.has(path)) return { kind: "found", file: path };
    if (folders.has(path.replace(/\/$/, ""))) return { kind: "folder" };
    return closest(path, byName.get(path.slice(path.lastIndexOf("/") + 1).toLowerCase()) ?? []);
  };
  return {
    find(cited) {
      const known = remembered.get(cited);
      if (known !== undefined) return known;
      const found = search(cited);
      remembered.set(cited, found);
      return found;
    },
  };
}

interface Candidate {
  readonly file: string;
  /** Segments that file and cited path have in common, from the end. */
  readonly score: number;
  readonly length: number;
}

function closest(path: string, sameName: readonly string[]): FoundPath {
  if (sameName.length === 0) return { kind: "absent" };
  const cited = path.split("/").filter((segment) => segment !== "" && segment !== "..");
  const candidates = sameName.map((file): Candidate => {
    const segments = file.split("/");
    return { file, score: commonEnd(cited, segments), length: segments.length };
  });
  const usedUp = candidates.filter(({ score, length }) => score === cited.length || score === length);
  const best = topScore(usedUp).filter(({ score }) => score === cited.length || isEnough(score, path, sameName.length));
  const equal = best.filter(({ length }) => length === cited.length);
  const pool = equal.length > 0 ? equal : best;
  const sameCase = pool.filter(({ file }) => `/${file}`.endsWith(`/${path}`));
  const only = pool.length === 1 ? pool[0] : sameCase.length === 1 ? sameCase[0] : undefined;
  if (only !== undefined) return { kind: "found", file: only.file };
  return { kind: "similar", files: (pool.length > 0 ? pool : topScore(candidates)).map(({ file }) => file) };
}

function topScore(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = Math.max(0, ...new Set(candidates.map(({ score }) => score)));
  return candidates.filter(({ score }) => score === best);
}

/** A file shorter than the cited path: one name in common is enough only for an absolute path, and when no other file has that name. */
function isEnough(score: number, path: string, sameName: number): boolean {
  return score >= 2 || (sameName === 1 && isAbsolute(path));
}

/** True for `/a`, `C:/a`. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let score = 0;
  while (score < a.length && score < b.length && a.at(-1 - score)?.toLowerCase() === b.at(-1 - score)?.toLowerCase())
    score += 1;
  return score;
}
