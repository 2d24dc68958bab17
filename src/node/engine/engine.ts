import { PERMITS, type Decision, type PanelAction, type Permit, refusal } from "../../core/decision.ts";
import type { Unread } from "../../core/finding.ts";
import type { DiagnosticInput } from "../../core/intake/diagnostic.ts";
import type { Hash, Mask, Now, Repository, Verbs } from "../../core/ports.ts";
import { changedRegion } from "../../core/regions.ts";
import type { EvidenceBudget, Reviewer } from "../../core/reviewer.ts";
import type { SeverityMap } from "../../core/severity.ts";
import { type Decided, type Entry, freshEntry, stateOf } from "./entry.ts";
import { createSources, type Loaded } from "./findings.ts";
import { type Anchor, anchorOf, follow } from "./follow.ts";
import type { History } from "./history.ts";
import { createRunner, type Queued } from "./runner.ts";

/** What one workspace folder's engine is built from. */
export interface EngineOptions {
  readonly root: string;
  readonly repository: Repository;
  readonly verbs: Verbs;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly now: Now;
  readonly history: History;
  /** Findings triaged at the same time. */
  readonly concurrency: number;
  severityMap(): SeverityMap;
  budget(): EvidenceBudget;
  /** Called after every change of an entry; null where the list itself changed. */
  changed(key: string | null): void;
  log(level: "debug" | "info" | "warning" | "error", text: string): void;
}

export type DecideOutcome = { readonly kind: "settled" } | { readonly kind: "refused"; readonly why: string };

/**
 * Owns the findings of one workspace folder, their triage and their log: the same for the editor's worker and for the
 * command line, so that neither differs in verdict from the other.
 */
export interface Engine {
  readonly root: string;
  /** Reads the log and the journal; call it once, before the first review. Returns problems to tell. */
  restore(): Promise<readonly string[]>;
  loadReviews(files: readonly string[]): Promise<Loaded[]>;
  dropReview(name: string): Promise<void>;
  setDiagnostics(file: string, diagnostics: readonly DiagnosticInput[]): Promise<void>;
  reviews(): readonly string[];
  entries(): readonly Entry[];
  entry(key: string): Entry | undefined;
  unread(): readonly Unread[];
  permits(entry: Entry): Readonly<Record<PanelAction, Permit>>;
  /** Queues findings for triage; `asked` lets every severity go to the rounds. */
  triage(keys: readonly string[], asked: boolean, reviewer: Reviewer): Queued;
  cancel(keys: readonly string[] | null): Promise<void>;
  decide(key: string, decision: Decision): Promise<DecideOutcome>;
  /** The text of a file changed (buffer or disk): places follow, verdicts may turn stale. */
  textChanged(file: string): Promise<void>;
  /** Where the workspace's triage of a finding is kept changed outside: read the log again. */
  reread(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { repository, hash, history } = options;
  const entries = new Map<string, Entry>();
  const anchors = new Map<string, Anchor>();
  const texts = new Map<string, readonly string[]>();
  const sources = createSources(options.root, repository, hash, () => options.severityMap());
  let remembered: Awaited<ReturnType<History["load"]>> = { triaged: new Map(), decided: new Map(), problems: [] };
  let unread: readonly Unread[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** One change of the list at a time: readings are joined as a whole. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return await mine;
  };
  const update = (key: string, change: (entry: Entry) => Entry): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.set(key, change(entry));
    options.changed(key);
  };
  const runner = createRunner({
    ...options,
    entry: (key) => entries.get(key),
    entries: () => [...entries.values()],
    update,
  });

  const freshness = async (entry: Entry): Promise<Entry> => {
    const regions = entry.triaged?.regions ?? [];
    const gone = regions.length === 0 ? null : await changedRegion(regions, repository, hash);
    if (gone !== null)
      return { ...entry, staleReason: `${gone.file}:${gone.line} changed since it was judged (${gone.role} line).` };
    return { ...entry, staleReason: null };
  };
  const rejoin = async (): Promise<void> => {
    const joined = await sources.collect();
    unread = joined.unread;
    const next = new Map<string, Entry>();
    for (const finding of joined.findings) {
      const known = entries.get(finding.key) ?? recall(freshEntry(finding), remembered);
      next.set(finding.key, known.progress === null ? await freshness({ ...known, finding }) : { ...known, finding });
      await anchor(finding.key, next.get(finding.key));
    }
    // A finding that runs, or that its source no longer names but a person has touched, is not lost with its file.
    for (const [key, entry] of entries) if (!next.has(key) && entry.progress !== null) next.set(key, entry);
    entries.clear();
    for (const [key, entry] of next) entries.set(key, entry);
    options.changed(null);
  };
  const anchor = async (key: string, entry: Entry | undefined): Promise<void> => {
    const file = entry?.finding.place.file ?? null;
    const text = file === null ? null : await repository.text(file);
    const made = entry === undefined || text === null ? null : anchorOf(entry.finding.place, text);
    if (made === null || file === null || text === null) anchors.delete(key);
    else {
      anchors.set(key, made);
      texts.set(file, text.lines);
    }
  };

  return {
    root: options.root,
    async restore() {
      remembered = await history.load();
      return remembered.problems;
    },
    loadReviews: async (files) =>
      await inTurn(async () => {
        const loaded: Loaded[] = [];
        for (const file of files) loaded.push(await sources.load(file));
        await rejoin();
        return loaded;
      }),
    dropReview: async (name) =>
      await inTurn(async () => {
        if (sources.drop(name)) await rejoin();
      }),
    setDiagnostics: async (file, diagnostics) =>
      await inTurn(async () => {
        if (sources.setDiagnostics(file, diagnostics)) await rejoin();
      }),
    reviews: () => sources.reviews(),
    entries: () => [...entries.values()],
    entry: (key) => entries.get(key),
    unread: () => unread,
    permits: (entry) => PERMITS[stateOf(entry)],
    triage: (keys, asked, reviewer) => runner.start(keys, asked, reviewer),
    cancel: async (keys) => await runner.cancel(keys),
    decide: async (key, decision) => {
      const entry = entries.get(key);
      if (entry === undefined) return { kind: "refused", why: "There is no such finding any more." };
      const fresh = await freshness(entry);
      const why = refusal(entry.finding, stateOf(fresh), decision);
      if (why !== null) {
        update(key, (now) => ({ ...now, staleReason: fresh.staleReason, notice: why }));
        return { kind: "refused", why };
      }
      const decided = {
        decision: DECIDED_AS[decision.decision],
        reason: decision.reason.trim(),
        at: options.now().toISOString(),
      } satisfies Decided;
      const written = await history.decided(entry.finding, { ...decided, prompt: decision.prompt }, entry.triaged);
      if (written.kind === "failed") {
        update(key, (now) => ({ ...now, notice: written.why }));
        return { kind: "refused", why: written.why };
      }
      update(key, (now) => ({ ...now, decided, notice: null }));
      return { kind: "settled" };
    },
    textChanged: async (file) =>
      await inTurn(async () => {
        const text = await repository.text(file);
        const before = texts.get(file) ?? [];
        if (text !== null) texts.set(file, text.lines);
        for (const entry of entries.values()) {
          const touched = entry.finding.place.file === file;
          const cites = entry.triaged?.regions.some((region) => region.file === file) === true;
          if (entry.progress !== null || (!touched && !cites)) continue;
          const moved = touched ? moveEntry(entry, anchors, before, text?.lines ?? []) : entry;
          const fresh = moved.staleReason === GONE ? moved : await freshness(moved);
          if (fresh.staleReason !== entry.staleReason || fresh.finding !== entry.finding)
            update(entry.finding.key, () => fresh);
        }
      }),
    reread: async () =>
      await inTurn(async () => {
        remembered = await history.load();
        for (const entry of entries.values()) {
          if (entry.progress !== null) continue;
          const recalled = await freshness(recall(entry, remembered));
          if (recalled.decided?.at !== entry.decided?.at || recalled.triaged !== entry.triaged)
            update(entry.finding.key, () => recalled);
        }
      }),
  };
}

const DECIDED_AS = { confirm: "confirmed", dismiss: "dismissed", reopen: "reopened" } as const;

/** Stale reason of a finding whose own line was rewritten. */
const GONE = "The flagged code changed since the review was read.";

function recall(
  entry: Entry,
  remembered: { triaged: ReadonlyMap<string, Entry["triaged"]>; decided: ReadonlyMap<string, Decided> },
): Entry {
  const { key } = entry.finding;
  return {
    ...entry,
    triaged: remembered.triaged.get(key) ?? entry.triaged,
    decided: remembered.decided.get(key) ?? entry.decided,
  };
}

/** An entry whose place follows its flagged text through an edit; stale where that text is gone. */
function moveEntry(
  entry: Entry,
  anchors: Map<string, Anchor>,
  before: readonly string[],
  now: readonly string[],
): Entry {
  const { key, place } = entry.finding;
  const anchor = anchors.get(key);
  if (anchor === undefined) return entry;
  const line = follow(anchor, before, now);
  if (line === null) return { ...entry, staleReason: GONE };
  const recovered = entry.staleReason === GONE ? { ...entry, staleReason: null } : entry;
  if (line === place.line) return recovered;
  const shift = line - anchor.line;
  anchors.set(key, { ...anchor, line, endLine: anchor.endLine + shift });
  const endLine = place.endLine === null ? null : place.endLine + line - (place.line ?? line);
  return { ...recovered, finding: { ...entry.finding, place: { ...place, line, endLine } } };
}
