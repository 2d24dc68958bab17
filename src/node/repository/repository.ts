import { type BigIntStats, constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { FileDiff, History, Repository, SourceText } from "../../core/ports.ts";
import { holdPath, isPrivate, workspaceRelative } from "../paths.ts";
import { decodeText, headBytes, LARGEST_TEXT, lineEndOf, splitLines } from "./decode.ts";
import { listFiles, type ListingScope } from "./fileIndex.ts";
import { createGit, type Git } from "./git.ts";
import { createGitRun, type GitRun } from "./gitRun.ts";
import { createHistory } from "./history.ts";

/** The text of an open editor buffer by absolute path; undefined where the file is not open. */
export type LiveText = (absolutePath: string) => string | undefined;

export interface RepositoryOptions {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly liveText: LiveText;
  /** Absolute paths of all open buffers, in any folder. Without it only buffers of files on the list are known. */
  readonly liveFiles?: () => readonly string[];
  /** Where git is looked for; default the process's `PATH`. */
  readonly searchPath?: string | undefined;
  /** Milliseconds that only grow; the file list is walked again when it is older than ten seconds. */
  readonly clock?: () => number;
}

/** A repository on disk, with what the adapters around it need besides the port. */
export interface WorkspaceRepository extends Repository {
  /** All files, ignored ones too: what a claim of absence must look through. Never `.git` or the triage logs. */
  allFiles(signal?: AbortSignal): Promise<readonly string[]>;
  /** Files whose open buffer differs from the disk, sorted. */
  unsaved(signal?: AbortSignal): Promise<readonly string[]>;
  /** Files that differ from the merge base with the default branch or are not committed; null without a repository. */
  changedFiles(signal?: AbortSignal): Promise<readonly string[] | null>;
  readonly history: History;
  /** Name of the branch that is checked out; null on none, or without a repository. */
  branch(): Promise<string | null>;
  /** git in the workspace folder, for verbs. */
  readonly git: GitRun;
  /** Drops what is remembered of a file, or of all; the file lists go with either. Call it on watcher events. */
  forget(file?: string): void;
}

const LIST_AGE_MS = 10_000;
/** Characters of text kept in memory; the least recently read go first and are read again when asked for. */
const CACHED_CHARACTERS = 8 * 1024 * 1024;

/** Read access to one workspace folder (port `Repository`): live buffers first, links resolved, nothing outside, nothing ignored listed. */
export function createRepository(options: RepositoryOptions): WorkspaceRepository {
  const { root, liveText, clock = () => performance.now() } = options;
  const gitRun = createGitRun(root, "searchPath" in options ? options.searchPath : process.env["PATH"]);
  const git = createGit(root, gitRun);
  const texts = new TextCache();
  const lists = new Map<ListingScope, { readonly at: number; readonly files: readonly string[] }>();

  const list = async (scope: ListingScope, signal?: AbortSignal): Promise<readonly string[]> => {
    const known = lists.get(scope);
    if (known !== undefined && clock() - known.at < LIST_AGE_MS) return known.files;
    const files = await listFiles(root, scope, signal);
    lists.set(scope, { at: clock(), files });
    return files;
  };
  const live = (file: string, absolute: string): string | undefined => liveText(join(root, file)) ?? liveText(absolute);

  const text = async (candidate: string): Promise<SourceText | null> => {
    const held = await holdPath(root, candidate);
    if (held.kind === "refused" || held.file === "") return null;
    // The editor may know the file by the name that was asked for (a link) or by its real one.
    const buffer = live(candidate, held.absolute) ?? liveText(join(root, held.file));
    if (buffer !== undefined) return texts.ofBuffer(held.file, buffer);
    return held.kind === "held" ? texts.ofDisk(held.file, held.absolute) : null;
  };

  const unsaved = async (signal?: AbortSignal): Promise<readonly string[]> => {
    const buffers =
      options.liveFiles?.().map((path) => workspaceRelative(root, path)) ?? (await list("source", signal));
    const found: string[] = [];
    for (const file of buffers) {
      if (file === null || isPrivate(file) || liveText(join(root, file)) === undefined) continue;
      const held = await holdPath(root, file);
      if (held.kind === "refused") continue;
      const saved = held.kind === "held" ? await texts.ofDisk(held.file, held.absolute) : null;
      if (saved === null || !sameLines(saved.lines, (await text(file))?.lines ?? [])) found.push(held.file);
    }
    return [...new Set(found)].sort();
  };

  const history = createHistory({ git, run: gitRun, text, clock });
  const forget = (file?: string): void => {
    lists.clear();
    history.forget();
    texts.forget(file);
  };
  return {
    files: async (signal) => list("source", signal),
    allFiles: async (signal) => list("everything", signal),
    text,
    head: async () => git.head(),
    branch: async () => git.branch(),
    diff: async (candidate, signal) => await diffOf(root, candidate, git, text, signal),
    unsaved,
    changedFiles: async (signal) => (await git.changedFiles(signal))?.files ?? null,
    history,
    git: gitRun,
    forget,
  };
}

/** The live text of a file against HEAD, for `Repository.diff`. */
async function diffOf(
  root: string,
  candidate: string,
  git: Git,
  text: Repository["text"],
  signal?: AbortSignal,
): Promise<FileDiff | null> {
  const held = await holdPath(root, candidate);
  if (held.kind === "refused" || held.file === "") return null;
  const committed = await git.committed(held.file, signal);
  if (committed === null) return null;
  const now = await text(held.file);
  // A file that is gone or no text has no lines to compare; that it changed is all that could be said.
  if (now === null || now.truncated) return committed === "absent" ? { text: "", cut: false } : null;
  const before = committed === "absent" ? null : splitLines(committed.text).join("\n");
  return await git.compare(held.file, before, now.lines.join("\n"), signal);
}

function sameLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index]);
}

interface Remembered {
  /** Times of modification and change in nanoseconds, size and file number: what tells that a file is still the one that was read. */
  readonly stamp: string;
  readonly text: SourceText | null;
  readonly characters: number;
}

function stampOf({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}:${ctimeNs}:${size}:${ino}`;
}

class TextCache {
  readonly #disk = new Map<string, Remembered>();
  readonly #buffers = new Map<string, { readonly content: string; readonly text: SourceText }>();
  #characters = 0;

  ofBuffer(file: string, content: string): SourceText {
    const known = this.#buffers.get(file);
    if (known?.content === content) return known.text;
    const truncated = content.length > LARGEST_TEXT;
    const head = truncated ? content.slice(0, content.lastIndexOf("\n", LARGEST_TEXT) + 1 || LARGEST_TEXT) : content;
    const text = {
      file,
      lines: splitLines(truncated ? head.replace(/\r?\n$/, "") : head),
      truncated,
      eol: lineEndOf(head),
    };
    this.#buffers.set(file, { content, text });
    return text;
  }

  async ofDisk(file: string, absolute: string): Promise<SourceText | null> {
    const known = this.#disk.get(file);
    const now = known === undefined ? null : await lstat(absolute, { bigint: true }).catch(() => null);
    if (known !== undefined && now?.isFile() === true && stampOf(now) === known.stamp) return this.#keep(file, known);
    // Non-blocking, so that a pipe cannot hang us; not following, so that a link put there just now is not read through.
    const handle = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
      () => null,
    );
    if (handle === null) return null;
    try {
      const status = await handle.stat({ bigint: true });
      if (!status.isFile()) return null;
      const stamp = stampOf(status);
      const bytes = new Uint8Array(Math.min(Number(status.size), LARGEST_TEXT));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      const truncated = status.size > BigInt(LARGEST_TEXT);
      const content = decodeText(truncated ? headBytes(bytes) : bytes.subarray(0, bytesRead));
      const text = content === null ? null : { file, lines: splitLines(content), truncated, eol: lineEndOf(content) };
      return this.#keep(file, { stamp, text, characters: content?.length ?? 0 });
    } catch {
      return null;
    } finally {
      await handle.close();
    }
  }

  forget(file?: string): void {
    for (const name of file === undefined ? [...this.#disk.keys(), ...this.#buffers.keys()] : [file]) {
      this.#characters -= this.#disk.get(name)?.characters ?? 0;
      this.#disk.delete(name);
      this.#buffers.delete(name);
    }
  }

  #keep(file: string, entry: Remembered): SourceText | null {
    this.#characters += entry.characters - (this.#disk.get(file)?.characters ?? 0);
    this.#disk.delete(file);
    this.#disk.set(file, entry);
    for (const [oldest, { characters }] of this.#disk) {
      if (this.#characters <= CACHED_CHARACTERS || oldest === file) break;
      this.#characters -= characters;
      this.#disk.delete(oldest);
    }
    return entry.text;
  }
}
