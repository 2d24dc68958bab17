import type { Joined } from "../../core/collect.ts";
import type { Finding } from "../../core/finding.ts";
import { type Entry, freshEntry } from "./entry.ts";

/** What a new joining of the sources makes of the entries there were. */
export interface Merged {
  readonly entries: Map<string, Entry>;
  /** Keys of findings that are new or were read anew: they have to be recalled. */
  readonly fresh: readonly string[];
  /** Findings in each exact cluster. */
  readonly clusters: ReadonlyMap<string, number>;
}

/**
 * Carries entries over to the findings as they are now, by key. A finding whose source did not change keeps the place that
 * followed its edits; one that runs is not lost with its review file: it goes when its run has ended.
 */
export function mergeEntries(joined: readonly Joined[], known: ReadonlyMap<string, Entry>): Merged {
  const entries = new Map<string, Entry>();
  const clusters = new Map<string, number>();
  const fresh: string[] = [];
  for (const one of joined) {
    const { finding, print } = one;
    if (finding.cluster !== null) clusters.set(finding.cluster, (clusters.get(finding.cluster) ?? 0) + 1);
    const before = known.get(finding.key);
    if (before?.source.place === finding.place) entries.set(finding.key, inCluster(before, finding));
    else {
      const entry = freshEntry(finding, print);
      entries.set(finding.key, before === undefined ? entry : { ...before, finding, source: finding, print });
      fresh.push(finding.key);
    }
  }
  for (const [key, entry] of known) if (!entries.has(key) && entry.progress !== null) entries.set(key, entry);
  return { entries, fresh, clusters };
}

function inCluster(entry: Entry, source: Finding): Entry {
  if (entry.source.cluster === source.cluster) return entry;
  return { ...entry, source, finding: { ...entry.finding, cluster: source.cluster } };
}
