import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * What the files of a repository say about HEAD. `print` holds all that git's answer depends on, as text: two equal prints get
 * equal answers. `branch` null: none is checked out; `commit` null: the branch has none yet. Both null without a repository.
 */
export interface HeadFiles {
  readonly print: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

const LARGEST_POINTER = 4096;
const LARGEST_CONFIG = 64 * 1024;
const LARGEST_PACKED = 1024 * 1024;

const BRANCH = /^ref: refs\/heads\/((?!.*\.\.)[^\0-\x20~^:?*[\\\x7f]+)\n$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?\n$/;

/**
 * Reads the few small files that name HEAD, as git finds them from `root` upwards; their contents and not their times, so that
 * no clock can hide a change. Null where it cannot be told for sure without git: links, bare repositories, other stores of
 * references, anything unusual. Synchronous, because nothing else may happen between two of the files.
 */
export function readHeadFiles(root: string): HeadFiles | null {
  try {
    const found = findGitFolder(realpathSync(root));
    return found === null ? null : found.folder === null ? nowhere(found.seen) : readHead(found.folder, found.seen);
  } catch {
    return null;
  }
}

function nowhere(seen: readonly string[]): HeadFiles {
  return { print: JSON.stringify(seen), branch: null, commit: null };
}

/** The git folder that belongs to a place, null in it where there is none, with what was seen on the way; null in doubt. */
function findGitFolder(place: string): { readonly folder: string | null; readonly seen: readonly string[] } | null {
  const seen: string[] = [];
  for (let level = place; ; level = dirname(level)) {
    const dotGit = lstatSync(join(level, ".git"), { throwIfNoEntry: false });
    // The owner of a folder decides whether git looks into it.
    seen.push(`${level} ${lstatSync(level).uid} ${dotGit?.uid}`);
    if (dotGit?.isDirectory() === true) return { folder: join(level, ".git"), seen };
    if (dotGit !== undefined) {
      const pointer = dotGit.isFile() ? readSmall(join(level, ".git"), LARGEST_POINTER) : null;
      const [, folder] = /^gitdir: (.+)\n$/.exec(pointer ?? "") ?? [];
      return folder === undefined ? null : { folder: resolve(level, folder), seen };
    }
    // A folder with a HEAD may be a repository without a working tree.
    if (lstatSync(join(level, "HEAD"), { throwIfNoEntry: false }) !== undefined) return null;
    if (dirname(level) === level) return { folder: null, seen };
  }
}

function readHead(folder: string, seen: readonly string[]): HeadFiles | null {
  const head = readSmall(join(folder, "HEAD"), LARGEST_POINTER);
  const pointer = readSmall(join(folder, "commondir"), LARGEST_POINTER);
  const common = pointer === null ? folder : resolve(folder, pointer.replace(/\n$/, ""));
  const config = readSmall(join(common, "config"), LARGEST_CONFIG);
  if (head === null || config === null || /refstorage/i.test(config)) return null;
  const told = [...seen, folder, lstatSync(folder).uid, common, lstatSync(common).uid, config, head];
  if (COMMIT.test(head)) return { print: JSON.stringify(told), branch: null, commit: head.trim() };
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined) return null;
  const loose = readSmall(join(common, "refs", "heads", branch), LARGEST_POINTER);
  if (loose !== null && !COMMIT.test(loose)) return null;
  const commit = loose?.trim() ?? packed(common, `refs/heads/${branch}`);
  return { print: JSON.stringify([...told, commit]), branch, commit };
}

/** What `packed-refs` says a reference is; null where it does not hold it. */
function packed(common: string, name: string): string | null {
  const lines = (readSmall(join(common, "packed-refs"), LARGEST_PACKED) ?? "").split("\n");
  return (
    lines.find((line) => line.endsWith(` ${name}`) && COMMIT.test(`${line.split(" ")[0]}\n`))?.split(" ")[0] ?? null
  );
}

/** A small file's text; null where there is none. Throws for what is no file, is larger, or is a link. */
function readSmall(file: string, largest: number): string | null {
  const handle = open(file);
  if (handle === null) return null;
  try {
    const status = fstatSync(handle);
    if (!status.isFile() || status.size > largest) throw new Error(`${file} is not what it should be`);
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** Not following a link, and not waiting for whoever writes into a pipe. */
function open(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
