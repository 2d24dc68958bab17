import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { type GateRewrite, validateEvidence } from "../../core/gate.ts";
import { readExactly } from "./bytes.ts";

/** What came of gating one file; `why` is one sentence. */
export type Gated =
  | { readonly kind: "gated"; readonly scan: GateRewrite }
  | { readonly kind: "refused"; readonly why: string };

/** Reviews above this size are not read: no person wrote them. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Gates a review file. With `rewrite`, downgrades are written: first a copy `<file>.orig` that keeps mode and times, then the new text by a
 * temporary file and a rename, with the original's mode (R3.26). A symbolic link under either name is refused and nothing is changed.
 */
export async function gateFile(file: string, rewrite: boolean): Promise<Gated> {
  try {
    if (rewrite) {
      for (const name of [file, `${file}.orig`]) {
        const found = await lstat(name).catch(() => null);
        if (found?.isSymbolicLink() === true) return refused(`${name} is a symbolic link; nothing was changed.`);
        if (found?.isFile() === false) return refused(`${name} is no regular file; nothing was changed.`);
      }
    }
    return await gateOpened(file, rewrite);
  } catch (error) {
    return refused(`${file} could not be gated: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function gateOpened(file: string, rewrite: boolean): Promise<Gated> {
  // O_NOFOLLOW: the name may have become a link since it was looked at.
  const handle = await open(file, constants.O_RDONLY | (rewrite ? constants.O_NOFOLLOW : 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return refused(`${file} is no file.`);
    if (stats.size > LARGEST_BYTES) return refused(`${file} is larger than 64 MB.`);
    const bytes = await handle.readFile();
    const exact = readExactly(bytes);
    const scan = validateEvidence(exact.text, path.basename(file));
    if (!rewrite || scan.downgrades.length === 0) return { kind: "gated", scan };
    await replace(`${file}.orig`, bytes, stats.mode, { atime: stats.atimeMs / 1000, mtime: stats.mtimeMs / 1000 });
    await replace(file, exact.encode(scan.text), stats.mode, null);
    return { kind: "gated", scan };
  } finally {
    await handle.close();
  }
}

/** Puts bytes under a name in one step; on failure the name is as before. Times are in seconds. */
async function replace(
  file: string,
  bytes: Buffer,
  mode: number,
  times: { readonly atime: number; readonly mtime: number } | null,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await writeWhole(handle, bytes, mode);
    if (times !== null) await utimes(temporary, times.atime, times.mtime);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer, mode: number): Promise<void> {
  try {
    await handle.writeFile(bytes);
    await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function refused(why: string): Gated {
  return { kind: "refused", why };
}
