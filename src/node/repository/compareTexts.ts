import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change } from "../../core/ports.ts";
import { decodeText, splitLines } from "./decode.ts";
import { LARGEST_DIFF } from "./git.ts";
import { type GitRun, wholeOutput } from "./gitRun.ts";

/** One file's two texts, lines joined by `\n`; null where a side does not hold it, or not as text. */
export interface TextPair {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

const LARGEST_BLOBS = 32 * 1024 * 1024;
const LARGEST_DIFFS = 8 * 1024 * 1024;

/** A file as a commit holds it: `text` null where it is no text. */
export type CommittedText =
  | { readonly kind: "held"; readonly text: string | null }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable" };

const UNREADABLE = { kind: "unreadable" } as const;

/** Many files as a commit holds them, in one run of git, without filters or conversion; same order. */
export async function committedTexts(
  commit: string,
  files: readonly string[],
  run: GitRun,
): Promise<readonly CommittedText[]> {
  // Names are asked for one a line.
  const askable = files.filter((file) => !/[\n\r]/.test(file));
  const input = askable.map((file) => `${commit}:./${file}\n`).join("");
  const asked =
    askable.length === 0 ? null : await run(["cat-file", "--batch"], { maxBytes: LARGEST_BLOBS, input, raw: true });
  const blobs = readBatch(wholeOutput(asked) ?? "", askable.length);
  const byFile = new Map(askable.map((file, index) => [file, blobs[index] ?? UNREADABLE]));
  return files.map((file) => byFile.get(file) ?? UNREADABLE);
}

/** `OID TYPE SIZE`, the bytes and a line end for each; or the asked name and `missing`. */
function readBatch(output: string, count: number): CommittedText[] {
  const blobs: CommittedText[] = [];
  for (let at = 0; blobs.length < count && at < output.length;) {
    const end = output.indexOf("\n", at);
    const header = output.slice(at, end);
    const size = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(header);
    at = end + 1;
    if (size === null) blobs.push(header.endsWith(" missing") ? { kind: "absent" } : UNREADABLE);
    else {
      const bytes = Buffer.from(output.slice(at, at + Number(size[2])), "latin1");
      at += bytes.length + 1;
      const text = size[1] === "blob" ? decodeText(bytes) : null;
      blobs.push({ kind: "held", text: text === null ? null : splitLines(text).join("\n") });
    }
  }
  return blobs;
}

/** Unified diffs of many pairs, in one run of git over plain files outside of the workspace; pairs that are equal are left out. */
export async function compareTexts(
  pairs: readonly TextPair[],
  run: GitRun,
): Promise<Pick<Change, "files" | "complete">> {
  const folder = await mkdtemp(join(tmpdir(), "skeptical-triage-"));
  try {
    for (const side of ["a", "b"] as const) {
      await mkdir(join(folder, side));
      for (const [index, { before, after }] of pairs.entries()) {
        const text = side === "a" ? before : after;
        if (text !== null) await writeFile(join(folder, side, String(index)), text, { mode: 0o600 });
      }
    }
    const argv = [
      "diff",
      "--no-index",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--no-renames",
      "--text",
      "--",
      "a",
      "b",
    ];
    const done = await run(argv, { cwd: folder, maxBytes: LARGEST_DIFFS });
    // Exit code 1 means "they differ".
    if (done?.kind !== "ran" || done.truncated || (done.exitCode !== 0 && done.exitCode !== 1))
      return { files: [], complete: false };
    return { files: readDiffs(done.stdout, pairs), complete: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readDiffs(output: string, pairs: readonly TextPair[]): Change["files"] {
  return output.split(/^(?=diff --git )/m).flatMap((section) => {
    const pair = pairs[Number(/^diff --git a\/[ab]\/(\d+) /.exec(section)?.[1] ?? Number.NaN)];
    const at = section.indexOf("\n@@ ");
    if (pair === undefined || at < 0) return [];
    const head = `--- ${pair.before === null ? "/dev/null" : `a/${pair.file}`}\n+++ b/${pair.file}`;
    const body = section.slice(at);
    return [{ file: pair.file, diff: head + body.slice(0, LARGEST_DIFF), cut: body.length > LARGEST_DIFF }];
  });
}
