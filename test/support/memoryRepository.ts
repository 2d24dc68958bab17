import { createHash } from "node:crypto";
import type { Hash, Repository, SourceText } from "../../src/core/ports.ts";
import { createMemoryHistory, type PastOptions } from "./memoryHistory.ts";

/** What a repository in memory can be given besides its files. */
export interface MemoryOptions {
  readonly head?: string | null;
  /** Diff by file. */
  readonly diffs?: Readonly<Record<string, string>>;
  /** Files that can be read but are not listed, as version control ignores them. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** What version control knows; without it there is none. */
  readonly past?: PastOptions;
}

/** A repository in memory that counts how often a text was opened. */
export interface MemoryRepository extends Repository {
  /** Replaces or adds a file. */
  readonly write: (file: string, content: string) => void;
  /** How often `text` was called, by file. */
  readonly opened: ReadonlyMap<string, number>;
}

/** A workspace of the given texts, by workspace-relative path. A content with a NUL is not text, as on disk. */
export function createMemoryRepository(
  files: Readonly<Record<string, string>>,
  options: MemoryOptions = {},
): MemoryRepository {
  const listed = new Map(Object.entries(files));
  const ignored = new Map(Object.entries(options.ignored ?? {}));
  const opened = new Map<string, number>();
  const history =
    options.past === undefined ? {} : { history: createMemoryHistory(options.past, (file) => listed.get(file)) };
  return {
    ...history,
    opened,
    write: (file, content) => void listed.set(file, content),
    files: async (signal) => {
      signal?.throwIfAborted();
      return [...listed.keys()].sort();
    },
    text: async (file): Promise<SourceText | null> => {
      opened.set(file, (opened.get(file) ?? 0) + 1);
      const content = listed.get(file) ?? ignored.get(file);
      if (content === undefined || content.includes("\0")) return null;
      const eol = content.includes("\r\n") ? "\r\n" : "\n";
      return { file, lines: content.split(/\r\n|\n|\r/), truncated: false, eol };
    },
    head: async () => options.head ?? null,
    diff: async (file) => {
      const text = options.diffs?.[file];
      return text === undefined ? null : { text, cut: false };
    },
  };
}

/** SHA-256 as the product uses it. */
export const sha256: Hash = (text, digits = 64) =>
  createHash("sha256").update(text, "utf8").digest("hex").slice(0, digits);
