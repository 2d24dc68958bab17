import { clusterIds } from "./duplicates.ts";
import { gateFinding } from "./evidenceGate.ts";
import type { Claimed, Finding, HardFact, Place, ReviewReading, Unread } from "./finding.ts";
import { hardFact } from "./hard.ts";
import { findingKeys } from "./identity.ts";
import { normalPath } from "./pathIndex.ts";
import { createPlacer } from "./place.ts";
import type { Hash, Repository } from "./ports.ts";

/** One review file that was read; `path` as it will stand in `Finding.source.path` (`editor` for live diagnostics). */
export interface ReadReview {
  readonly path: string;
  readonly reading: ReviewReading;
}

/** The findings of all given reviews, in the order they stand there, and all that was not understood. */
export interface Collected {
  readonly findings: readonly Finding[];
  readonly unread: readonly Unread[];
  /** True where the workspace is shown to be the reviewed tree by every review that cites files (ruling 8). */
  readonly treeMatches: boolean;
  /** The reviews for which that is shown: their VCS revision is HEAD, or most of the files they cite resolve. */
  readonly matchingReviews: readonly string[];
}

interface Member {
  readonly claimed: Claimed;
  readonly place: Place;
  readonly hard: HardFact | null;
  readonly source: Finding["source"];
}

/**
 * Places, keys, gates and clusters claims in the pipeline's order: intake, hard, gate, duplicates (ruling 7). `root` is the workspace's
 * absolute path where known. Rejects only where the repository does, and with the signal's reason when cancelled.
 */
export async function collectFindings(
  readings: readonly ReadReview[],
  repo: Pick<Repository, "files" | "text" | "head">,
  hash: Hash,
  options: { readonly root?: string | null; readonly signal?: AbortSignal } = {},
): Promise<Collected> {
  const { root = null, signal } = options;
  const placer = createPlacer(await repo.files(signal), (file) => repo.text(file), root);
  const members = readings.flatMap(({ path, reading }) => reading.claimed.map((claimed) => ({ path, claimed })));
  const places = new Map<number, Place>();
  for (const index of groupedByFile(members.map(({ claimed }) => claimed.path ?? ""))) {
    signal?.throwIfAborted();
    const member = members[index];
    if (member !== undefined) places.set(index, await placer.place(member.claimed));
  }
  const placed = members.flatMap(({ path, claimed }, index): Member[] => {
    const place = places.get(index);
    const source = { path, pointer: claimed.pointer };
    return place === undefined ? [] : [{ claimed, place, hard: hardFact(claimed), source }];
  });
  const matchingReviews = await reviewsOfThisTree(readings, placed, repo);
  const citing = new Set(placed.filter(({ place }) => place.status !== "none").map(({ source }) => source.path));
  return {
    findings: finish(placed, hash),
    unread: readings.flatMap(({ reading }) => reading.unread),
    treeMatches: citing.size > 0 && [...citing].every((path) => matchingReviews.includes(path)),
    matchingReviews,
  };
}

/** Positions ordered by path, so that each file is opened once. */
function groupedByFile(paths: readonly string[]): number[] {
  const order = paths.map((_, index) => index);
  return order.sort((a, b) => {
    const [first, second] = [paths[a] ?? "", paths[b] ?? ""];
    return first < second ? -1 : first > second ? 1 : a - b;
  });
}

function finish(members: readonly Member[], hash: Hash): Finding[] {
  const keys = findingKeys(
    members.map(({ claimed, place }) => ({
      file: fileOf(claimed, place),
      message: claimed.message,
      line: place.line,
      column: place.column,
    })),
    hash,
  );
  const clusters = clusterIds(
    members.map(({ claimed, place, hard }) => ({ ...claimed, file: fileOf(claimed, place), hard })),
    hash,
  );
  return members.map(({ claimed, place, hard, source }, index) => {
    const { path, span: _span, pointer: _pointer, ...rest } = claimed;
    return {
      ...rest,
      key: keys[index] ?? "",
      place,
      citedPath: path,
      hard,
      cluster: clusters[index] ?? null,
      gate: hard === null ? gateFinding(claimed) : null,
      source,
    };
  });
}

function fileOf(claimed: Claimed, place: Place): string | null {
  return place.file ?? (claimed.path === null ? null : normalPath(claimed.path));
}

async function reviewsOfThisTree(
  readings: readonly ReadReview[],
  members: readonly Member[],
  repo: Pick<Repository, "head">,
): Promise<string[]> {
  const head = readings.some(({ reading }) => reading.revision !== null) ? await repo.head() : null;
  const cited = new Map<string, Map<string, boolean>>();
  for (const { claimed, place, source } of members) {
    if (claimed.path === null || place.status === "none") continue;
    const files = cited.get(source.path) ?? new Map<string, boolean>();
    files.set(claimed.path, place.file !== null);
    cited.set(source.path, files);
  }
  return readings
    .filter(({ path, reading }) => {
      if (head !== null && sameRevision(reading.revision, head)) return true;
      const resolved = [...(cited.get(path)?.values() ?? [])];
      return resolved.length > 0 && resolved.filter(Boolean).length * 2 > resolved.length;
    })
    .map(({ path }) => path);
}

/** Tools shorten revisions, but never below 7 digits. */
function sameRevision(given: string | null, head: string): boolean {
  return given !== null && given.length >= 7 && head.toLowerCase().startsWith(given.toLowerCase());
}
