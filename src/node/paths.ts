import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

// A path that comes from a finding, a model or a repository is held twice: by its words, before anything is opened, and
// by where it really leads, after links are resolved. Only the second can be trusted for links; only the first never
// touches the disk.

/** What became of a path that someone else wrote. `file` is workspace-relative with `/`, empty for the workspace itself. */
export type HeldPath =
  | { readonly kind: "held"; readonly file: string; readonly absolute: string }
  | { readonly kind: "absent"; readonly file: string; readonly absolute: string }
  | { readonly kind: "refused"; readonly why: string };

const LONGEST_PATH = 4096;

/** Windows opens a device for these names in any folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Folders that are no source: git's own store (may hold credentials), and the triage logs, whose verdicts and severities
 * must never reach a blind round (ruling 17).
 */
export const PRIVATE_FOLDERS = [".git", ".skeptical-triage", ".great_cto"] as const;

/** True where a workspace-relative path lies in a folder that is no source; letter case does not help to get in. */
export function isPrivate(file: string): boolean {
  const segments = file.toLowerCase().split("/");
  return PRIVATE_FOLDERS.some((folder) => segments.includes(folder));
}

/**
 * Cleans a workspace-relative path by its words alone: `./` and doubled `/` go, one at the end goes.
 * Refused, with a sentence: absolute, drive, UNC and home paths, `..`, NUL, over-long paths, and on Windows device names,
 * streams, backslashes and names that end in a dot or a blank.
 */
export function normalizeRelative(
  candidate: string,
  platform: NodeJS.Platform,
): { readonly file: string } | { readonly why: string } {
  if (candidate.includes("\0")) return { why: "The path holds a NUL character." };
  if (candidate.length > LONGEST_PATH) return { why: `The path is longer than ${LONGEST_PATH} characters.` };
  if (/^(?:[/\\]|[A-Za-z]:[/\\]|~[/\\])/.test(candidate) || (platform === "win32" && /^[A-Za-z]:/.test(candidate)))
    return { why: "The path is absolute; only paths relative to the workspace folder are read." };
  const segments = candidate.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return { why: "The path climbs out with `..`." };
  if (platform === "win32" && segments.some(isWindowsTrick))
    return { why: "The path holds a name that Windows reads as something else (device, stream, trailing dot, `\\`)." };
  return { file: segments.join("/") };
}

function isWindowsTrick(segment: string): boolean {
  return DEVICE.test(segment) || /[:\\]|[. ]$/.test(segment);
}

/** True where `candidate` is `root` or lies below it. Both absolute and with links resolved; words only, no disk. */
export function insideWorkspace(root: string, candidate: string): boolean {
  const way = relative(root, candidate);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The workspace-relative path with `/` of an absolute path; null where it lies outside. Words only, links are not resolved. */
export function workspaceRelative(root: string, absolute: string): string | null {
  if (!isAbsolute(absolute) || !insideWorkspace(root, absolute)) return null;
  return relative(root, absolute).split(sep).join("/");
}

/** Resolves links of the deepest part of a path that exists and appends the rest; null where nothing of it can be resolved. */
export async function realpathOfExisting(
  absolute: string,
): Promise<{ readonly path: string; readonly exists: boolean } | null> {
  try {
    return { path: await realpath(absolute), exists: true };
  } catch (error) {
    // A loop of links or a folder we may not enter is not "absent": nothing is known about where it leads.
    if (!isMissing(error)) return null;
    const parent = dirname(absolute);
    if (parent === absolute) return null;
    const above = await realpathOfExisting(parent);
    return above === null ? null : { path: join(above.path, basename(absolute)), exists: false };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/**
 * Holds a path inside the workspace after links are resolved. `root` is absolute; `file` comes back as the real path below
 * the real root, so a link, a case variant and the file itself are one name. Folders in `PRIVATE_FOLDERS` are refused.
 */
export async function holdPath(
  root: string,
  candidate: string,
  platform: NodeJS.Platform = process.platform,
): Promise<HeldPath> {
  const words = normalizeRelative(candidate, platform);
  if ("why" in words) return { kind: "refused", why: words.why };
  if (isPrivate(words.file)) return { kind: "refused", why: "This folder is not part of the source." };
  const real = await realpathOfExisting(resolve(root, words.file));
  // The common case: where a real path is the plain one, no part of it is a link, and the root's is none either.
  const plain = words.file !== "" && real?.path === join(root, words.file);
  const realRoot = plain ? { path: root } : await realpathOfExisting(root);
  if (realRoot === null || real === null) return { kind: "refused", why: "The path's links cannot be resolved." };
  const file = workspaceRelative(realRoot.path, real.path);
  if (file === null) return { kind: "refused", why: "The path leads out of the workspace." };
  if (isPrivate(file)) return { kind: "refused", why: "This folder is not part of the source." };
  return { kind: real.exists ? "held" : "absent", file, absolute: real.path };
}
