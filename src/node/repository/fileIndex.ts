import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fdir } from "fdir";
import createIgnore, { type Ignore } from "ignore";
import { isPrivate } from "../paths.ts";

/** What a listing holds: `source` honours .gitignore files and skips `node_modules`; `everything` is for claims of absence. */
export type ListingScope = "source" | "everything";

/**
 * All regular files below `root` (absolute), workspace-relative with `/`, sorted by code unit. Links are not followed.
 * Folders that are no source (`PRIVATE_FOLDERS`) are never listed; unreadable folders are passed over.
 * Rejects with the signal's reason.
 */
export async function listFiles(root: string, scope: ListingScope, signal?: AbortSignal): Promise<readonly string[]> {
  signal?.throwIfAborted();
  const rules = scope === "source" ? new IgnoreRules(root) : null;
  let walker = new fdir({ pathSeparator: "/", relativePaths: true, excludeSymlinks: true, suppressErrors: true })
    .exclude((_name, folder) => {
      const file = relativeFolder(root, folder);
      return isPrivate(file) || (rules?.ignoresFolder(file) ?? false);
    })
    .filter((file) => !isPrivate(file) && !(rules?.ignoresFile(file) ?? false));
  if (signal !== undefined) walker = walker.withAbortSignal(signal);
  const files = await walker.crawl(root).withPromise();
  // An aborted walk ends quietly with half the list.
  signal?.throwIfAborted();
  return files.sort();
}

function relativeFolder(root: string, folder: string): string {
  const path = folder.replaceAll("\\", "/");
  const base = root.replaceAll("\\", "/").replace(/\/$/, "");
  return path.slice(base.length).replace(/^\/+|\/+$/g, "");
}

/** The .gitignore files of a tree, read when their folder is reached; a deeper file decides over a shallower one. */
class IgnoreRules {
  readonly #root: string;
  readonly #byFolder = new Map<string, Ignore | null>();

  constructor(root: string) {
    this.#root = root;
  }

  ignoresFolder(file: string): boolean {
    return file.split("/").at(-1) === "node_modules" || this.#decide(`${file}/`);
  }

  ignoresFile(file: string): boolean {
    return this.#decide(file);
  }

  /** The walk leaves ignored folders out, so only the entry itself is asked about, from its own folder up to the root. */
  #decide(entry: string): boolean {
    const bare = entry.replace(/\/$/, "");
    let folder = parentOf(bare);
    for (;;) {
      const rules = this.#rulesOf(folder);
      const verdict = rules?.test(folder === "" ? entry : entry.slice(folder.length + 1));
      if (verdict?.ignored === true) return true;
      if (verdict?.unignored === true || folder === "") return false;
      folder = parentOf(folder);
    }
  }

  #rulesOf(folder: string): Ignore | null {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const texts = [".gitignore", ...(folder === "" ? [".git/info/exclude"] : [])]
      .map((name) => readSmall(join(this.#root, folder, name)))
      .filter((text) => text !== null);
    const rules =
      texts.length === 0 ? null : createIgnore({ ignorecase: process.platform !== "linux" }).add(texts.join("\n"));
    this.#byFolder.set(folder, rules);
    return rules;
  }
}

function parentOf(file: string): string {
  const slash = file.lastIndexOf("/");
  return slash < 0 ? "" : file.slice(0, slash);
}

/** The walk asks synchronously, and an ignore file is small. */
function readSmall(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
