/** A finding as the log remembers it. */
export interface Remembered {
  readonly key: string;
  /** Workspace-relative; null where it named none. */
  readonly file: string | null;
  /** 1-based. */
  readonly line: number | null;
  readonly tool: string;
  readonly rule: string | null;
  /** Hash of the flagged lines (white space folded) when it was judged; null where there were none. */
  readonly flagged: string | null;
}

/** A finding as it is now; the same members, read from the code as it stands. */
export type Present = Remembered;

/** What became of what the log remembers. */
export interface Carried {
  /** Present key to the remembered key whose verdict and decision are its own. */
  readonly byKey: ReadonlyMap<string, string>;
  /** How many of them stand under another key than before: at another path, in other words, or with other twins. */
  readonly moved: number;
  /** Remembered keys that could belong to more than one finding: none gets them, since a wrong dismissal is worse than a lost one. */
  readonly ambiguous: readonly string[];
}

/**
 * Finds for each present finding what the log remembers of it (C17). A key alone is not enough: occurrences of one text are
 * numbered, so one more of them would shift the numbers, and a renamed file or other words change the key itself. First
 * findings of one text are matched as a multiset, by the code they flag and then by their order; what is left over is matched by
 * tool, rule and flagged code, where as many remember it as are there.
 */
export function carryOver(remembered: readonly Remembered[], present: readonly Present[]): Carried {
  const byKey = new Map<string, string>();
  const known = Map.groupBy(remembered, ({ key }) => baseOf(key));
  const there = Map.groupBy(present, ({ key }) => baseOf(key));
  for (const [base, olds] of known) matchTwins(olds, there.get(base) ?? [], byKey);
  const taken = new Set(byKey.values());
  const orphans = remembered.filter(({ key, flagged }) => !taken.has(key) && flagged !== null);
  const strangers = present.filter(({ key, flagged }) => !byKey.has(key) && flagged !== null);
  const ambiguous = matchByCode(orphans, strangers, byKey);
  const moved = [...byKey].filter(([now, before]) => now !== before).length;
  return { byKey, moved, ambiguous };
}

/** A key without its occurrence number. */
function baseOf(key: string): string {
  return key.replace(/-\d+$/, "");
}

/** Occurrences of one text in one file: those that flag the same code belong together, in order; the rest keeps its order. */
function matchTwins(olds: readonly Remembered[], news: readonly Present[], byKey: Map<string, string>): void {
  const left = { olds: [...olds].sort(byPlace), news: [...news].sort(byPlace) };
  for (const old of left.olds) {
    const at = left.news.findIndex(
      ({ key, flagged }) => !byKey.has(key) && flagged !== null && flagged === old.flagged,
    );
    const match = left.news[at];
    if (match !== undefined) byKey.set(match.key, old.key);
  }
  const taken = new Set(byKey.values());
  const restOlds = left.olds.filter(({ key }) => !taken.has(key));
  const restNews = left.news.filter(({ key }) => !byKey.has(key));
  // What flags other code than before is stale whoever gets it: its order is the best guess there is.
  for (const [index, old] of restOlds.entries()) {
    const match = restNews[index];
    if (match !== undefined) byKey.set(match.key, old.key);
  }
}

function matchByCode(
  orphans: readonly Remembered[],
  strangers: readonly Present[],
  byKey: Map<string, string>,
): string[] {
  const candidates = Map.groupBy(strangers, codeOf);
  const ambiguous: string[] = [];
  for (const [code, olds] of Map.groupBy(orphans, codeOf)) {
    const news = candidates.get(code) ?? [];
    if (news.length === 0) continue;
    if (news.length !== olds.length) {
      ambiguous.push(...olds.map(({ key }) => key));
      continue;
    }
    const ordered = [...news].sort(byPlace);
    for (const [index, old] of [...olds].sort(byPlace).entries()) {
      const match = ordered[index];
      if (match !== undefined) byKey.set(match.key, old.key);
    }
  }
  return ambiguous;
}

function codeOf({ tool, rule, flagged }: Remembered): string {
  return [tool, rule ?? "", flagged ?? ""].join("\n");
}

function byPlace(a: Remembered, b: Remembered): number {
  const [first, second] = [a.file ?? "", b.file ?? ""];
  if (first !== second) return first < second ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}
