import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { sha256 } from "./hash.ts";
import { syncFolder } from "./log/logFolder.ts";

/**
 * What a restart needs to redraw a finding and the log may not hold: full reasoning and quotes, per finding key (ruling 23).
 * Losing it loses no decision; a damaged entry counts as absent.
 */
export interface Journal {
  /** Keeps a JSON value under a key; resolves when it is on disk. An earlier value stands until then. Rejects where the folder cannot be written. */
  put(key: string, value: unknown): Promise<void>;
  /** The value last kept, as JSON gives it; null where there is none or it is damaged. The caller parses its shape. */
  get(key: string): Promise<unknown>;
  /** All keys with a readable entry, sorted. */
  keys(): Promise<readonly string[]>;
  /** Drops an entry; it is no error if there is none. */
  remove(key: string): Promise<void>;
}

const ENTRY = /^[0-9a-f]{64}\.json$/;

/** A journal in a folder of its own, which is made with the first entry, readable by its owner only. */
export function createJournal(dir: string): Journal {
  let written = 0;
  const pathOf = (key: string): string => join(dir, `${sha256(key)}.json`);
  return {
    put: async (key, value) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      written += 1;
      const temporary = join(dir, `${sha256(key)}.${process.pid}-${written}.tmp`);
      try {
        const handle = await open(temporary, "w", 0o600);
        try {
          await handle.writeFile(JSON.stringify({ key, value: value ?? null }));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, pathOf(key));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(dir);
    },
    get: async (key) => {
      const entry = await readEntry(pathOf(key));
      return entry?.key === key ? entry.value : null;
    },
    keys: async () => {
      const names = await readdir(dir).catch(() => []);
      const entries = await Promise.all(
        names.filter((name) => ENTRY.test(name)).map((name) => readEntry(join(dir, name))),
      );
      return entries.flatMap((entry) => (entry === null ? [] : [entry.key])).sort();
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
  };
}

async function readEntry(path: string): Promise<{ readonly key: string; readonly value: unknown } | null> {
  try {
    const entry: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof entry !== "object" || entry === null || !("key" in entry) || !("value" in entry)) return null;
    return typeof entry.key === "string" ? { key: entry.key, value: entry.value } : null;
  } catch {
    return null;
  }
}

/**
 * The folder for a workspace's cache and journal in the user's cache folder, shared by editor and command line (ruling 26).
 * `root` is the workspace folder with links resolved.
 */
export function cacheFolder(
  root: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(userCacheFolder(environment, platform), sha256(root).slice(0, 16));
}

/** Our own folder in the user's cache folder, for what belongs to no workspace. */
export function userCacheFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = homedir();
  const own = {
    win32: environment["LOCALAPPDATA"] ?? join(home, "AppData", "Local"),
    darwin: join(home, "Library", "Caches"),
    other: environment["XDG_CACHE_HOME"] ?? join(home, ".cache"),
  };
  const base = platform === "win32" ? own.win32 : platform === "darwin" ? own.darwin : own.other;
  return join(base, "skeptical-triage");
}
