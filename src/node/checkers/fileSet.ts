import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hash } from "../../core/ports.ts";
import { holdPath } from "../paths.ts";
import type { WorkspaceRepository } from "../repository/repository.ts";
import type { Checker, Failed, Project } from "./checker.ts";
import { failed } from "./checker.ts";

/** What an answer depends on besides the checker's own files: which versions are installed. */
const LOCKS = [
  "package.json",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "node_modules/.package-lock.json",
  "uv.lock",
  "poetry.lock",
  "go.sum",
];
const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;

export interface FileSetOptions {
  /** Absolute folder, links resolved. */
  readonly root: string;
  readonly repository: WorkspaceRepository;
  readonly hash: Hash;
  /** Hashes of files that were read, with the stamp (inode, size, time of change) under which they still hold. */
  readonly known: Map<string, KnownHash>;
}

export interface KnownHash {
  readonly stamp: string;
  readonly hash: string;
  readonly bytes: number;
}

/** Files looked at side by side. */
const AT_ONCE = 32;

/**
 * The project as one checker sees it. Configuration is looked for among ignored files too: a repository must not be able to
 * hide one that loads code. What packages bring is theirs, not the project's.
 */
export async function projectFor(
  checker: Pick<Checker, "reads" | "configNames" | "configures">,
  { root, repository }: FileSetOptions,
  signal: AbortSignal,
): Promise<Project> {
  const text = async (file: string): Promise<string | null> => await diskText(root, file);
  const all = await repository.files(signal);
  const configs = new Map<string, string>();
  for (const file of await repository.allFiles(signal)) {
    if (!checker.configNames.test(file) || file.split("/").includes("node_modules")) continue;
    const own = await text(file);
    if (own !== null && checker.configures(file, own)) configs.set(file, own);
  }
  return { root, all, files: all.filter((file) => checker.reads(file)), configs, text };
}

/** A hash over the contents of all files that an answer rests on; fails where an open buffer differs from the disk. */
export async function hashOf(
  project: Project,
  options: FileSetOptions,
  signal: AbortSignal,
): Promise<{ readonly hash: string } | Failed> {
  const { repository, hash } = options;
  const files = [...new Set([...project.files, ...project.configs.keys(), ...LOCKS])];
  if (files.length > MOST_FILES) return failed(`There are more than ${MOST_FILES} files to check.`);
  const unsaved = (await repository.unsaved(signal)).find((file) => files.includes(file));
  if (unsaved !== undefined) return failed(`${unsaved} has changes that are not saved; checkers read the disk.`);
  const parts: string[] = [];
  let bytes = 0;
  for (let from = 0; from < files.length; from += AT_ONCE) {
    signal.throwIfAborted();
    const some = files.slice(from, from + AT_ONCE);
    for (const [index, one] of (await Promise.all(some.map((file) => hashOfFile(file, options)))).entries()) {
      bytes += one?.bytes ?? 0;
      parts.push(some[index] ?? "", one?.hash ?? "-");
    }
    if (bytes > MOST_BYTES) return failed("There is too much text to check.");
  }
  return { hash: hash(JSON.stringify(parts)) };
}

/** The hash of one file's content; null where it is absent or lies outside. A file that is as it was is not read again. */
async function hashOfFile(file: string, { root, hash, known }: FileSetOptions): Promise<KnownHash | null> {
  const stamp = await stampOf(join(root, file));
  if (stamp === null) return null;
  const before = known.get(file);
  if (before?.stamp === stamp) return before;
  const text = await diskText(root, file);
  if (text === null) return null;
  const now = { stamp, hash: hash(text), bytes: text.length };
  known.set(file, now);
  return now;
}

/** What tells that a file is as it was; null where it is absent. A link's own stamp says nothing about its target, so it never is. */
export async function stampOf(absolute: string): Promise<string | null> {
  try {
    const found = await lstat(absolute, { bigint: true });
    if (found.isSymbolicLink()) return `link ${process.hrtime.bigint()}`;
    return [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
  } catch {
    return null;
  }
}

/** A file as UTF-8; null where it is absent or leads out of the tree. */
async function diskText(root: string, file: string): Promise<string | null> {
  const held = await holdPath(root, file);
  if (held.kind !== "held") return null;
  try {
    return await readFile(join(root, held.file), "utf8");
  } catch {
    return null;
  }
}
