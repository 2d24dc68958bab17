import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileDiff } from "../../core/ports.ts";
import { sha256 } from "../hash.ts";
import { decodeText } from "./decode.ts";
import { changedFiles, type ChangedFiles } from "./changes.ts";
import type { ProgramRun } from "../program.ts";
import type { GitRun } from "./gitRun.ts";
import { type Blob, HeadMemory } from "./headMemory.ts";
import { RecentTexts } from "../recentTexts.ts";

const NO_DIFF: FileDiff = { text: "", cut: false };
/** The largest diff and blob taken; a longer one is cut and says so. */
export const LARGEST_DIFF = 256 * 1024;
const LARGEST_BLOB = 2 * 1024 * 1024;
/** Characters of diffs that are kept. */
const KEPT_CHARACTERS = 2 * 1024 * 1024;
const LARGEST_LIST = 4 * 1024 * 1024;

/** Read access to what a repository has committed. */
export interface Git {
  /** Commit id of HEAD; null without a repository, a commit or git. */
  head(signal?: AbortSignal): Promise<string | null>;
  /** Name of the branch that is checked out; null on none, or without a repository. */
  branch(signal?: AbortSignal): Promise<string | null>;
  /** A file's text as committed in HEAD, or in another commit: `absent` where it does not hold it, null where there is no commit, or no text, or too much of it. */
  committed(file: string, signal?: AbortSignal, commit?: string): Promise<{ readonly text: string } | "absent" | null>;
  /**
   * Files below the root that differ from the merge base with the default branch, or that are not committed, sorted;
   * null without a repository.
   */
  changedFiles(signal?: AbortSignal): Promise<ChangedFiles | null>;
  /** Unified diff of two texts, headed `a/FILE` and `b/FILE`; an empty text where they are equal. */
  compare(file: string, before: string | null, after: string, signal?: AbortSignal): Promise<FileDiff | null>;
}

/** `root` is the absolute workspace folder that `git` runs in. */
export function createGit(root: string, git: GitRun): Git {
  const run = async (argv: readonly string[], maxBytes: number, signal?: AbortSignal, cwd = root, raw = false) =>
    await git(argv, { cwd, maxBytes, signal, raw });
  const memory = new HeadMemory(root);
  // Findings of one file ask for the same diff: two texts differ in one way only.
  const diffs = new RecentTexts<FileDiff>(KEPT_CHARACTERS, ({ text }) => text.length);
  const head: Git["head"] = async (signal) => {
    signal?.throwIfAborted();
    return await memory.head(async () =>
      firstLine(await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], 4096, signal)),
    );
  };
  return {
    head,
    branch: async (signal) =>
      await memory.branch(async () => {
        const name = firstLine(await run(["symbolic-ref", "--quiet", "HEAD"], 4096, signal));
        return name?.replace(/^refs\/heads\//, "") ?? null;
      }),
    changedFiles: async (signal) =>
      (await head(signal)) === null ? null : changedFiles(root, async (argv) => run(argv, LARGEST_LIST, signal)),
    committed: async (file, signal, commit) => {
      const now = await head(signal);
      if (now === null) return null;
      const from = commit ?? now;
      const known = memory.blob(from, file);
      if (known !== undefined) return textOf(known);
      // `cat-file` prints the blob as stored: no clean or smudge filter, no text conversion.
      const done = await run(["cat-file", "blob", `${from}:./${file}`], LARGEST_BLOB, signal, root, true);
      if (done?.kind !== "ran" || done.truncated) return null;
      if (done.exitCode !== 0) return "absent";
      const blob = { text: decodeText(Buffer.from(done.stdout, "latin1")) };
      memory.keepBlob(from, file, blob);
      return textOf(blob);
    },
    compare: async (file, before, after, signal) => {
      if (before === after) return NO_DIFF;
      const name = sha256(JSON.stringify([file, before, after]));
      const known = diffs.get(name);
      if (known !== undefined) return known;
      // Two plain files outside any repository: attributes and configuration of the workspace have no say.
      const folder = await mkdtemp(join(tmpdir(), "skeptical-triage-"));
      try {
        await writeFile(join(folder, "a"), before ?? "", { mode: 0o600 });
        await writeFile(join(folder, "b"), after, { mode: 0o600 });
        const argv = ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--", "a", "b"];
        const diff = readDiff(await run(argv, LARGEST_DIFF, signal, folder), file, before === null);
        if (diff !== null) diffs.put(name, diff);
        return diff;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function textOf({ text }: Blob): { readonly text: string } | null {
  return text === null ? null : { text };
}

function firstLine(done: ProgramRun | null): string | null {
  return done?.kind === "ran" && done.exitCode === 0 ? done.stdout.trim() || null : null;
}

function readDiff(done: ProgramRun | null, file: string, created: boolean): FileDiff | null {
  // Exit code 1 means "they differ"; a run cut at its limit was stopped by us.
  if (done?.kind !== "ran" || (done.exitCode !== 0 && done.exitCode !== 1 && !done.truncated)) return null;
  const at = done.stdout.indexOf("\n@@ ");
  if (at < 0) return NO_DIFF;
  const header = `--- ${created ? "/dev/null" : `a/${file}`}\n+++ b/${file}`;
  return { text: header + done.stdout.slice(at), cut: done.truncated };
}
