import { fdir } from "fdir";
import picomatch from "picomatch";
import { open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Claimed, HandedReading } from "../../core/finding.ts";
import { decodeText } from "../../core/intake/decode.ts";
import { readReview } from "../../core/intake/readReview.ts";
import type { SeverityMap } from "../../core/severity.ts";
import { workspaceRelative } from "../paths.ts";
import { readLargeSarif, type SarifDetails } from "./largeSarif.ts";

/** Largest review file that is read, in bytes; larger ones are named and left alone. */
export const LARGEST_REVIEW = 256 * 1024 * 1024;
/** Largest prose review: markdown of this size is no longer written by a reviewer (bytes). */
const LARGEST_PROSE = 2 * 1024 * 1024;

const SKIPPED = new Set(["node_modules", ".git", ".skeptical-triage"]);

/** Absolute paths of the review files below a folder that match a glob, sorted. Ignored files count: reports often are. */
export async function findReviewFiles(root: string, globs: readonly string[]): Promise<string[]> {
  const matches = picomatch([...globs], { dot: false });
  const found = await new fdir()
    .withRelativePaths()
    .exclude((name) => SKIPPED.has(name))
    .filter((file) => matches(file.replaceAll(path.sep, "/")))
    .crawl(root)
    .withPromise();
  return found.map((file) => path.join(root, file)).sort();
}

/** JSON documents from this size on are read piece by piece, in bytes. */
export const LARGE_REVIEW = 8 * 1024 * 1024;

/** A review file as its reader understood it, or the reason why it could not be read at all. */
export type ReadReviewFile =
  | {
      readonly kind: "read";
      readonly name: string;
      readonly reading: HandedReading;
      /** Reads what a large log left out of a finding; null where nothing was left out. */
      readonly details: SarifDetails | null;
    }
  | { readonly kind: "unreadable"; readonly name: string; readonly why: string };

/** Reads one review file. `name` is workspace-relative where the file lies inside, else the path as given. Never throws. */
export async function readReviewFile(
  root: string,
  file: string,
  severityMap: SeverityMap,
  onPart: (reading: HandedReading) => void = () => undefined,
): Promise<ReadReviewFile> {
  const absolute = path.resolve(root, file);
  const name = workspaceRelative(root, absolute) ?? file;
  try {
    const { size } = await stat(absolute);
    if (size >= LARGE_REVIEW && (await looksLikeJson(absolute))) {
      const part = (claimed: Claimed[]): void => onPart({ format: "sarif", claimed, unread: [], revision: null });
      const large = await readLargeSarif(absolute, name, severityMap, part);
      if (large.kind === "read") return { ...large, name };
      if (large.kind === "broken") return unreadable(name, `it is not valid JSON (${large.why})`);
    }
    if (size > LARGEST_REVIEW) return unreadable(name, `it is larger than ${LARGEST_REVIEW / 1024 / 1024} MB`);
    const { text, problem } = decodeText(await readFile(absolute));
    if (problem !== null && text === "") return unreadable(name, problem);
    if (size > LARGEST_PROSE && !/^\s*[[{<]/.test(text))
      return unreadable(name, "it is larger than 2 MB and neither JSON nor XML");
    const reading = readReview(text, name, { severityMap });
    return { kind: "read", name, reading: { ...reading, claimed: [...reading.claimed] }, details: null };
  } catch (error) {
    return unreadable(name, error instanceof Error ? reasonOf(error) : String(error));
  }
}

async function looksLikeJson(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return /^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(buffer.toString("latin1", 0, bytesRead));
  } finally {
    await handle.close();
  }
}

function unreadable(name: string, why: string): ReadReviewFile {
  return { kind: "unreadable", name, why };
}

function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES") return "it may not be read";
  return error.message;
}
