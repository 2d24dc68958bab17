import { citedPlaces } from "./intake/markdown/mentions.ts";
import { createPathIndex } from "./pathIndex.ts";
import type { Repository } from "./ports.ts";

/** A place that a review cites and that the workspace does not have (R3.30). `at` is the 1-based line of the review. */
export interface MissingPlace {
  /** As the review writes it. */
  readonly path: string;
  readonly line: number;
  readonly at: number;
  /** One phrase. */
  readonly why: string;
}

/** How many places a review cites, and which of them do not exist. */
export interface PlaceCheck {
  readonly cited: number;
  readonly missing: readonly MissingPlace[];
}

/**
 * Looks up every `file:line` a review cites (R3.30): the lexical gate takes an invented one for evidence. A path counts where one file of the
 * workspace alone ends with it. Rejects only where the repository does.
 */
export async function checkPlaces(text: string, repository: Pick<Repository, "files" | "text">): Promise<PlaceCheck> {
  const cited = citedPlaces(text.split(/\r\n|\n|\r/));
  const index = createPathIndex(await repository.files());
  const counts = new Map<string, { readonly lines: number; readonly whole: boolean } | null>();
  const missing: MissingPlace[] = [];
  for (const { path, span, at } of cited) {
    const line = span.endLine ?? span.line ?? 1;
    const found = index.find(path);
    // Files that version control ignores are not listed, but can be read.
    const file = found.kind === "found" ? found.file : path;
    if (!counts.has(file)) {
      const source = await repository.text(file);
      counts.set(file, source === null ? null : { lines: countLines(source.lines), whole: !source.truncated });
    }
    const count = counts.get(file) ?? null;
    const why = count === null ? whyNoFile(found) : line > count.lines && count.whole ? tooShort(count.lines) : null;
    if (why !== null) missing.push({ path, line: span.line ?? 1, at, why });
  }
  return { cited: cited.length, missing };
}

/** What follows the last line end is no line. */
function countLines(lines: readonly string[]): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function whyNoFile(found: ReturnType<ReturnType<typeof createPathIndex>["find"]>): string {
  if (found.kind === "similar") return `no such file; similar: ${found.files.slice(0, 3).join(", ")}`;
  if (found.kind === "folder") return "this is a folder";
  return found.kind === "found" ? "not a text file" : "no such file";
}

function tooShort(lines: number): string {
  return `the file has ${lines} line${lines === 1 ? "" : "s"}`;
}
