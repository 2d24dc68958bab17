import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramRun } from "../program.ts";
import { wholeOutput } from "./gitRun.ts";

/** Where a change is measured from: the merge base with the first of these that exists. */
const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];
/** Files whose status is asked for at the same time. */
const BATCH = 256;

/** One bounded run of git. */
export type Run = (argv: readonly string[]) => Promise<ProgramRun | null>;

/** Files that changed, sorted. `complete` is false where git could not list some of them: others may have changed too. */
export interface ChangedFiles {
  readonly files: readonly string[];
  readonly complete: boolean;
}

/**
 * Files below the root that differ from the merge base with the default branch or are not committed. Only trees, the
 * index and file times are compared: `git diff` and `git status` would run the clean filters that a repository configures.
 */
export async function changedFiles(root: string, run: Run): Promise<ChangedFiles> {
  const base = await mergeBase(run);
  const flags = ["--name-only", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--relative"];
  const outputs = [
    await run(["diff-tree", "-r", ...flags, base, "HEAD"]),
    await run(["diff-index", "--cached", ...flags, "HEAD"]),
    await run(["ls-files", "--others", "--exclude-standard", "-z"]),
  ];
  const index = await run(["ls-files", "--debug", "-z"]);
  const touched = await touchedFiles(root, index);
  const files = new Set([...outputs.flatMap(names), ...touched]);
  return { files: [...files].sort(), complete: [...outputs, index].every((done) => wholeOutput(done) !== null) };
}

/** Where the change under review began: the merge base with the default branch; `HEAD` where there is no such branch. */
export async function mergeBase(run: Run): Promise<string> {
  for (const branch of DEFAULT_BRANCHES) {
    const done = await run(["merge-base", "HEAD", branch]);
    if (done?.kind === "ran" && done.exitCode === 0 && done.stdout.trim() !== "") return done.stdout.trim();
  }
  return "HEAD";
}

function names(done: ProgramRun | null): string[] {
  return done?.kind === "ran" && done.exitCode === 0 ? done.stdout.split("\0").filter((name) => name !== "") : [];
}

interface Indexed {
  readonly file: string;
  readonly seconds: number;
  readonly size: number;
}

/** Tracked files whose time or size is not the one the index remembers. */
async function touchedFiles(root: string, done: ProgramRun | null): Promise<string[]> {
  const indexed = done?.kind === "ran" && done.exitCode === 0 ? readIndex(done.stdout) : [];
  const touched: string[] = [];
  for (let from = 0; from < indexed.length; from += BATCH) {
    const batch = indexed.slice(from, from + BATCH);
    const differs = await Promise.all(batch.map(async (entry) => await differsOnDisk(root, entry)));
    touched.push(...batch.filter((_entry, at) => differs[at] === true).map(({ file }) => file));
  }
  return touched;
}

/** `NAME NUL`, then indented lines with `mtime: seconds:nanoseconds` and `size: bytes`. */
function readIndex(output: string): Indexed[] {
  return [...output.matchAll(/([^\0]+)\0 {2}ctime:[^\n]*\n {2}mtime: (\d+):\d+\n[^\0]*? {2}size: (\d+)[^\n]*\n/g)].map(
    ([, file, seconds, size]) => ({ file: file ?? "", seconds: Number(seconds), size: Number(size) }),
  );
}

async function differsOnDisk(root: string, { file, seconds, size }: Indexed): Promise<boolean> {
  const status = await lstat(join(root, file)).catch(() => null);
  return status === null || status.size !== size || Math.floor(status.mtimeMs / 1000) !== seconds;
}
