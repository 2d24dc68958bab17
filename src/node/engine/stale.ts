import type { Hash, Repository } from "../../core/ports.ts";
import { changedRegion, type Region } from "../../core/regions.ts";
import type { Entry } from "./entry.ts";

/** Stale reason of a finding whose own line was rewritten. */
export const GONE = "The flagged code changed since the review was read.";

/** What judgement and decision of an entry rest on. */
export function regionsUnder(entry: Entry): Region[] {
  return [...(entry.triaged?.regions ?? []), ...(entry.decided?.regions ?? [])];
}

/** An entry whose place follows its flagged text through an edit; stale where that text is gone. */
export function moveEntry(entry: Entry, line: number | "unknown" | null): Entry {
  if (line === "unknown") return entry;
  if (line === null) return { ...entry, staleReason: GONE };
  const { place } = entry.finding;
  const recovered = entry.staleReason === GONE ? { ...entry, staleReason: null } : entry;
  if (line === place.line) return recovered;
  const endLine = place.endLine === null ? null : place.endLine + line - (place.line ?? line);
  return { ...recovered, finding: { ...entry.finding, place: { ...place, line, endLine } } };
}

/** An entry with its stale reason as the code stands now. */
export async function freshness(
  entry: Entry,
  { repository, hash }: { readonly repository: Repository; readonly hash: Hash },
): Promise<Entry> {
  const regions = regionsUnder(entry);
  const gone = regions.length === 0 ? null : await changedRegion(regions, repository, hash);
  if (gone === null) return { ...entry, staleReason: null };
  return { ...entry, staleReason: `${gone.file}:${gone.line} changed since it was judged (${gone.role} line).` };
}
