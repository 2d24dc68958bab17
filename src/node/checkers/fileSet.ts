import { readFile } from "node:fs/promises";
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
}

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
  { root, repository, hash }: FileSetOptions,
  signal: AbortSignal,
): Promise<{ readonly hash: string } | Failed> {
  const files = [...new Set([...project.files, ...project.configs.keys(), ...LOCKS])];
  if (files.length > MOST_FILES) return failed(`There are more than ${MOST_FILES} files to check.`);
  const unsaved = (await repository.unsaved(signal)).find((file) => files.includes(file));
  if (unsaved !== undefined) return failed(`${unsaved} has changes that are not saved; checkers read the disk.`);
  const parts: string[] = [];
  let bytes = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const text = await diskText(root, file);
    bytes += text?.length ?? 0;
    if (bytes > MOST_BYTES) return failed("There is too much text to check.");
    parts.push(file, text === null ? "-" : hash(text));
  }
  return { hash: hash(JSON.stringify(parts)) };
}

/** Bytes one to one as characters, so that a change of encoding is a change; null where absent or outside of the tree. */
async function diskText(root: string, file: string): Promise<string | null> {
  const held = await holdPath(root, file);
  if (held.kind !== "held") return null;
  try {
    return await readFile(join(root, held.file), "utf8");
  } catch {
    return null;
  }
}
