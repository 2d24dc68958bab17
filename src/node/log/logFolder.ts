import { lstat, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { insideWorkspace, realpathOfExisting } from "../paths.ts";

/**
 * Makes the folder of a file that must lie in `within` after links are resolved. Null where all is well, else a sentence:
 * a link in the way could make us write anywhere.
 */
export async function prepareFolder(path: string, within: string): Promise<string | null> {
  const folder = dirname(path);
  if (!(await leadsInside(folder, within))) return "its folder is a link that leads out of the workspace";
  await mkdir(folder, { recursive: true });
  if (!(await leadsInside(folder, within))) return "its folder is a link that leads out of the workspace";
  const status = await lstat(path).catch(() => null);
  if (status?.isSymbolicLink() === true) return "it is a link";
  if (status !== null && !status.isFile()) return "it is not a file";
  return null;
}

async function leadsInside(folder: string, within: string): Promise<boolean> {
  const [root, real] = await Promise.all([realpathOfExisting(within), realpathOfExisting(folder)]);
  return root !== null && real !== null && insideWorkspace(root.path, real.path);
}

/** Puts a folder's entries on disk; where the system cannot (Windows), the file's own sync has to do. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Not every file system lets a folder be opened or synced.
  }
}

/** Why a file could not be written, as a sentence's end, for a person. */
export function describeWriteError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  switch (code) {
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "the folder is read-only; choose the extension's own storage as the place of the log";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "ELOCKED":
      return "another window or program has held it for too long";
    case "ENOTDIR":
    case "EEXIST":
      return "a file stands where its folder should be";
    case "ELOOP":
      return "it is a link";
    default:
      return `the system says ${code}`;
  }
}
