import {
  joinReviews,
  type PlacedReview,
  type PlaceOptions,
  placeReview,
  type Workspace,
} from "../../src/core/collect.ts";
import type { Claimed, Finding, Place, ReviewReading, Unread } from "../../src/core/finding.ts";
import { createPlacer } from "../../src/core/place.ts";
import type { Hash, Repository } from "../../src/core/ports.ts";

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

/**
 * Places, keys, gates and clusters claims in the pipeline's order: intake, hard, gate, duplicates (ruling 7). Rejects only where the
 * repository does, and with the signal's reason when cancelled.
 */
export async function collectFindings(
  readings: readonly ReadReview[],
  repo: Workspace,
  hash: Hash,
  options: PlaceOptions = {},
): Promise<Collected> {
  const placed: PlacedReview[] = [];
  for (const { path, reading } of readings) {
    const handed = { ...reading, claimed: [...reading.claimed] };
    placed.push(await placeReview({ path, reading: handed }, repo, hash, options));
  }
  const citing = placed.filter(({ matches }) => matches !== null);
  return {
    findings: joinReviews(placed).map(({ finding }) => finding),
    unread: placed.flatMap(({ unread }) => unread),
    treeMatches: citing.length > 0 && citing.every(({ matches }) => matches === true),
    matchingReviews: placed.filter(({ matches }) => matches === true).map(({ path }) => path),
  };
}

/** Places one claim. */
export async function placeFinding(claimed: Claimed, repo: Pick<Repository, "files" | "text">): Promise<Place> {
  return await createPlacer(await repo.files(), (file) => repo.text(file)).place(claimed);
}
