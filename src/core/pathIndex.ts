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
  const byName = split({ files, depth: 0, deeper: null });
  const folders = foldersOf(files);
  const remembered = new Map<string, FoundPath>();
  const search = (cited: string): FoundPath => {
    if (all.has(cited)) return { kind: "found", file: cited };
    const path = normalPath(cited);
    if (all.has(path)) return { kind: "found", file: path };
    if (folders.has(path.replace(/\/$/, ""))) return { kind: "folder" };
    return closest(path, byName.get(path.slice(path.lastIndexOf("/") + 1).toLowerCase()));
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

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>(["", "."]);
  for (const file of files) {
    let cut = file.lastIndexOf("/");
    while (cut > 0 && !folders.has(file.slice(0, cut))) {
      folders.add(file.slice(0, cut));
      cut = file.lastIndexOf("/", cut - 1);
    }
  }
  return folders;
}

/** Files that share their last `depth` segments, any case. Split one segment further when first asked: many share a name. */
interface Shared {
  readonly files: readonly string[];
  readonly depth: number;
  deeper: Map<string, Shared> | null;
}

// No segment is empty, so this names the files that have no further segment.
const ENDED = "";

function split(shared: Shared): ReadonlyMap<string, Shared> {
  if (shared.deeper !== null) return shared.deeper;
  const groups = new Map<string, string[]>();
  for (const file of shared.files) {
    const segment =
      file
        .toLowerCase()
        .split("/")
        .at(-1 - shared.depth) ?? ENDED;
    const group = groups.get(segment);
    if (group === undefined) groups.set(segment, [file]);
    else group.push(file);
  }
  const depth = shared.depth + 1;
  shared.deeper = new Map(Array.from(groups, ([segment, files]) => [segment, { files, depth, deeper: null }]));
  return shared.deeper;
}

function closest(path: string, sameName: Shared | undefined): FoundPath {
  if (sameName === undefined) return { kind: "absent" };
  const cited = path.split("/").filter((segment) => segment !== "" && segment !== "..");
  let here = sameName;
  let ended = usedUp(here, path, sameName);
  while (here.depth < cited.length) {
    const next = split(here).get(cited.at(-1 - here.depth)?.toLowerCase() ?? ENDED);
    if (next === undefined) break;
    here = next;
    ended = usedUp(here, path, sameName) ?? ended;
  }
  const whole = here.depth === cited.length;
  const equal = whole ? split(here).get(ENDED)?.files : undefined;
  const pool = equal ?? (whole ? here.files : (ended ?? []));
  const sameCase = pool.length > 1 ? pool.filter((file) => `/${file}`.endsWith(`/${path}`)) : pool;
  const [only] = sameCase;
  if (only !== undefined && sameCase.length === 1) return { kind: "found", file: only };
  return { kind: "similar", files: pool.length > 0 ? pool : here.files };
}

/** Files wholly used up here. One name in common is enough only for an absolute path, and when no other file has that name. */
function usedUp(here: Shared, path: string, sameName: Shared): readonly string[] | null {
  const enough = here.depth >= 2 || (sameName.files.length === 1 && isAbsolute(path));
  return enough ? (split(here).get(ENDED)?.files ?? null) : null;
}

/** True for `/a`, `C:/a`. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}
