import { clusterText } from "./duplicates.ts";
import { gateFinding } from "./evidenceGate.ts";
import type { Claimed, Finding, HandedReading, Place, ReviewReading, Unread } from "./finding.ts";
import { hardFact } from "./hard.ts";
import { baseKey, baseOf, numberKeys } from "./identity.ts";
import { normalPath } from "./pathIndex.ts";
import { createPlacer } from "./place.ts";
import type { Hash, Repository } from "./ports.ts";
import { BLANK_PRINT } from "./print.ts";
import type { SourceRoots } from "./sourceRoots.ts";

/** One review, held against the workspace; keys and clusters still lack what only all reviews together can tell. */
export interface PlacedReview {
  readonly path: string;
  /** Placed, gated and keyed, as the last joining left them or by their base key and without a cluster. */
  readonly findings: readonly Finding[];
  /** What each finding would cluster by, hashed; null for one that never clusters. Same order. */
  readonly clusters: readonly (string | null)[];
  /** Print of each finding's flagged lines, same order: with it they are followed through edits. */
  readonly prints: Float64Array;
  readonly unread: readonly Unread[];
  /** Null where it cites nothing; else whether this workspace is shown to be the tree it speaks of (ruling 8). */
  readonly matches: boolean | null;
}

export type Workspace = Pick<Repository, "files" | "text" | "head" | "history">;

export interface PlaceOptions {
  /** The workspace's absolute path, where known, so that absolute paths into it are exact. */
  readonly root?: string | null;
  /** Where cited paths lie in this workspace. */
  readonly roots?: SourceRoots;
  readonly signal?: AbortSignal;
}

/** Holds one review against the workspace and empties its list of claims. What it returns can be kept, and joins with others cheaply. */
export async function placeReview(
  { path, reading }: { readonly path: string; readonly reading: HandedReading },
  repo: Workspace,
  hash: Hash,
  { root = null, roots = {}, signal }: PlaceOptions = {},
): Promise<PlacedReview> {
  const placer = createPlacer(await repo.files(signal), (file) => repo.text(file), root, roots, repo.history);
  const { claimed } = reading;
  const findings: Finding[] = [];
  const clusters: (string | null)[] = [];
  findings.length = claimed.length;
  clusters.length = claimed.length;
  const prints = new Float64Array(claimed.length);
  await inParallel(groupedByFile(claimed), async (group) => {
    for (const index of group) {
      signal?.throwIfAborted();
      const claim = claimed[index] ?? null;
      claimed[index] = null;
      if (claim === null) continue;
      const finding = findingOf(claim, await placer.place(claim), path, hash);
      findings[index] = finding;
      prints[index] = await placer.print(finding.place);
      const text = clusterText({ ...finding, file: fileOf(finding) });
      clusters[index] = text === null ? null : hash(`cluster\n${text}`, 20);
    }
  });
  const matches = await matchesTree(findings, reading, repo);
  return { path, findings, clusters, prints, unread: reading.unread, matches };
}

/** Files that are opened at the same time: disks answer late, not slowly. */
const PARALLEL = 12;

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
}

/** A finding with the print of its flagged lines. */
export interface Joined {
  readonly finding: Finding;
  readonly print: number;
}

/**
 * Joins placed reviews: occurrences of one key are numbered, clusters of one are none (C17, C18). What comes out may stand in
 * the reviews for the next joining, so that no finding is held twice.
 */
export function joinReviews(placed: readonly PlacedReview[]): Joined[] {
  const all = placed.flatMap(({ findings }) => findings);
  const clusters = placed.flatMap((review) => review.clusters);
  const keys = numberKeys(
    all.map(({ key }) => baseOf(key)),
    (index) => all[index]?.place,
  );
  const sizes = new Map<string, number>();
  for (const cluster of clusters) if (cluster !== null) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const prints = new Float64Array(all.length);
  let from = 0;
  for (const review of placed) {
    prints.set(review.prints, from);
    from += review.prints.length;
  }
  return all.map((finding, index) => {
    const key = keys[index] ?? finding.key;
    const id = clusters[index] ?? null;
    const cluster = id !== null && (sizes.get(id) ?? 0) > 1 ? id : null;
    const same = key === finding.key && cluster === finding.cluster;
    return { finding: same ? finding : { ...finding, key, cluster }, print: prints[index] ?? BLANK_PRINT };
  });
}

/** Written out member by member: a spread of 400,000 claims leaves each with a second store for what was added to it. */
function findingOf(claimed: Claimed, place: Place, source: string, hash: Hash): Finding {
  const { path, message, pointer } = claimed;
  const hard = hardFact(claimed);
  const file = place.file ?? (path === null ? null : normalPath(path));
  return {
    key: baseKey(file, message, hash),
    place,
    citedPath: path,
    severity: claimed.severity,
    sourceSeverity: claimed.sourceSeverity,
    tool: claimed.tool,
    rule: claimed.rule,
    message,
    status: claimed.status,
    hard,
    cluster: null,
    gate: hard === null ? gateFinding(claimed) : null,
    quote: claimed.quote,
    category: claimed.category,
    fix: claimed.fix,
    help: claimed.help,
    helpUri: claimed.helpUri,
    cwe: claimed.cwe,
    finderConfidence: claimed.finderConfidence,
    fingerprints: claimed.fingerprints,
    related: claimed.related,
    flows: claimed.flows,
    prose: claimed.prose,
    sourceId: claimed.sourceId,
    extra: claimed.extra,
    source: { path: source, pointer },
  };
}

/** Positions by cited path, so that each file is opened once. */
function groupedByFile(claimed: readonly (Claimed | null)[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [index, claim] of claimed.entries()) {
    const path = claim?.path ?? "";
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

function fileOf({ place, citedPath }: Finding): string | null {
  return place.file ?? (citedPath === null ? null : normalPath(citedPath));
}

async function matchesTree(
  findings: readonly Finding[],
  reading: Pick<ReviewReading, "revision">,
  repo: Pick<Repository, "head">,
): Promise<boolean | null> {
  const head = reading.revision === null ? null : await repo.head();
  if (head !== null && sameRevision(reading.revision, head)) return true;
  const cited = new Map<string, boolean>();
  let cites = false;
  for (const { place, citedPath } of findings) {
    if (place.status !== "none") cites = true;
    if (citedPath !== null && place.status !== "none") cited.set(citedPath, place.file !== null);
  }
  if (!cites) return null;
  const resolved = [...cited.values()];
  return resolved.length > 0 && resolved.filter(Boolean).length * 2 > resolved.length;
}

/** Tools shorten revisions, but never below 7 digits. */
function sameRevision(given: string | null, head: string): boolean {
  return given !== null && given.length >= 7 && head.toLowerCase().startsWith(given.toLowerCase());
}
