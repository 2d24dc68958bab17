import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const KEY = /^[0-9a-f]{64}$/;
/** Permissions of anyone but the owner. */
const OTHERS = 0o077;

/**
 * The random key that seals the rows of a cache, 64 hex digits in a file of its own that only its owner may read. Made where
 * there is none, or where the one that is there could be known to others: what was sealed with it is then as good as absent.
 * Throws where the folder cannot be written.
 */
export function sealKey(file: string): string {
  const known = readKey(file);
  if (known !== null) return known;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  writeFileSync(temporary, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  try {
    // A link appears whole or not at all: of two processes that start at once, one makes the key and both use it.
    linkSync(temporary, file);
  } catch {
    // There is one already, or this file system has no links.
    if (readKey(file) === null) renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  const made = readKey(file);
  if (made === null) throw new Error(`${file} cannot be kept from others`);
  return made;
}

/** The key in the file; null where there is none, it is damaged, or others may read it. */
function readKey(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    if (process.platform !== "win32" && (statSync(file).mode & OTHERS) !== 0) return null;
    return KEY.test(text) ? text : null;
  } catch {
    return null;
  }
}
