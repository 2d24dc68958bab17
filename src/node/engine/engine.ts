import { type Decision, type PanelAction, type Permit, PERMITS, refusal } from "../../core/decision.ts";

import type { Pack } from "../../core/evidence/pack.ts";
import type { Finding, Unread } from "../../core/finding.ts";
import { UNJUDGED } from "../../core/judgement.ts";
import { type Challenge, methodOf } from "../../core/method.ts";
import type { DiagnosticInput } from "../../core/intake/diagnostic.ts";
import { regionsOf } from "../../core/regions.ts";
import type { Artefact } from "../../core/opinion.ts";
import type { Reviewer } from "../../core/reviewer.ts";
import { type Decided, type Entry, openIn, stateOf } from "./entry.ts";
import { FindingSources, type Loaded } from "./findings.ts";
import { Follower } from "./follow.ts";
import { Memory } from "./memory.ts";
import { refuseObjection } from "./objection.ts";
import type { TokenBudget } from "../models/budget.ts";
import { Packs } from "./packs.ts";
import { mergeEntries } from "./merge.ts";
import { freshness, GONE, moveEntry, regionsUnder } from "./stale.ts";
import type { DecideOutcome, EngineOptions } from "./engineOptions.ts";
import { termsOf } from "./terms.ts";
import { createRunner, type Queued, type Runner } from "./runner.ts";

const DECIDED_AS = { confirm: "confirmed", dismiss: "dismissed", reopen: "reopened" } as const;
const NO_EVIDENCE = { ...UNJUDGED, checks: [] };

/**
 * Owns the findings of one workspace folder, their triage and their log: the same for the editor's worker and for the
 * command line, so that neither differs in verdict from the other.
 */
export class Engine {
  readonly root: string;
  readonly #options: EngineOptions;
  #entries = new Map<string, Entry>();
  /** Keys by file; made when it is asked for, because a joining changes them all. */
  #byFile: ReadonlyMap<string | null, readonly string[]> | null = null;
  #carried: string | null = null;
  readonly #follower = new Follower();
  readonly #sources: FindingSources;
  readonly #runner: Runner;
  readonly #memory: Memory;
  readonly #packs: Packs;
  #clusters: ReadonlyMap<string, number> = new Map();
  #unread: readonly Unread[] = [];
  #reading = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions) {
    this.root = options.root;
    this.#options = options;
    this.#sources = new FindingSources(options);
    this.#packs = new Packs(options);
    this.#memory = new Memory(options.history, options.repository, options.hash);
    this.#runner = createRunner({
      ...options,
      entry: (key) => this.#entries.get(key),
      entries: () => this.entries(),
      reviewedTree: this.#sources.reviewedTree,
      terms: (finding) => termsOf(options, finding),
      sameFile: (finding) => openIn(finding.place.file, this.entries()),
      update: (key, change) => this.#update(key, change),
    });
  }

  /** Reads the log and the journal; call it once, before the first review. Returns problems to tell. */
  async restore(): Promise<readonly string[]> {
    return await this.#memory.reload();
  }

  async loadReviews(files: readonly string[]): Promise<Loaded[]> {
    return await this.#inTurn(async () => {
      const loaded: Loaded[] = [];
      this.#reading += 1;
      try {
        for (const file of files) loaded.push(await this.#sources.load(file, async () => await this.#rejoin()));
        await this.#memory.reload();
        await this.#rejoin();
        return loaded;
      } finally {
        this.#reading -= 1;
        this.#options.changed(null);
      }
    });
  }

  async dropReview(name: string): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#sources.drop(name)) await this.#rejoin();
    });
  }

  async setDiagnostics(file: string, diagnostics: readonly DiagnosticInput[]): Promise<void> {
    await this.#inTurn(async () => {
      if (await this.#sources.setDiagnostics(file, diagnostics)) await this.#rejoin();
    });
  }

  /** Reviews with a finding whose file was not found and bears this base name. */
  reviewsMissing(baseName: string): readonly string[] {
    return this.#sources.missing(baseName);
  }

  /** The cited paths of findings that lack their file. */
  unplaced = () => this.#sources.unplaced();

  /** Review files that were read, workspace-relative where inside. */
  reviews(): readonly string[] {
    return this.#sources.names();
  }

  entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** The entries of one file; found without looking at all others, because lenses and hovers ask for them all the time. */
  entriesIn(file: string): Entry[] {
    this.#byFile ??= Map.groupBy(this.#entries.keys(), (key) => this.#entries.get(key)?.finding.place.file ?? null);
    return (this.#byFile.get(file) ?? []).flatMap((key) => this.#entries.get(key) ?? []);
  }

  /** What became of verdicts whose findings moved, for a person; null where all stand where they stood (C17). */
  carried(): string | null {
    return this.#carried;
  }

  entry(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** A finding with its flows and related places, which a large log keeps on disk. */
  async whole(finding: Finding): Promise<Finding> {
    return (await this.#sources.whole(finding)) ?? finding;
  }

  /** The lines that bear on an entry; null while they are being collected, `done` is called once they are. */
  packOf(entry: Entry, done: () => void): Pack | null {
    return this.#packs.of(entry, done);
  }

  /** Findings in the same exact cluster, this one included. */
  clusterSize({ finding }: Entry): number {
    return finding.cluster === null ? 1 : (this.#clusters.get(finding.cluster) ?? 1);
  }

  /** True while a large review is still being read: the list is provisional (ruling 39). */
  reading(): boolean {
    return this.#reading > 0;
  }

  unread(): readonly Unread[] {
    return this.#unread;
  }

  permits(entry: Entry): Readonly<Record<PanelAction, Permit>> {
    return PERMITS[stateOf(entry)];
  }

  /**
   * Queues findings for triage; `asked` lets every severity be judged. `challenge` is what the person wants other than the settings say, `budget` what the run may spend. A
   * finding that was asked about often enough with an informational intent is refused (R1.29).
   */
  async triage(
    keys: readonly string[],
    asked: boolean,
    reviewer: Reviewer,
    challenge: Challenge = {},
    budget: TokenBudget | null = null,
  ): Promise<Queued> {
    const { history } = this.#options;
    await history.refresh();
    const method = methodOf(this.#options.method(), challenge);
    const capped = keys.flatMap((key) => {
      const why = method.strategy === "verdict" ? history.capped(key, method.intent) : null;
      return why === null ? [] : [{ key, why }];
    });
    const free = keys.filter((key) => !capped.some((one) => one.key === key));
    const started = this.#runner.start(free, asked, { reviewer, method, fresh: challenge.fresh === true, budget });
    return { ...started, refused: [...started.refused, ...capped] };
  }

  /** Puts an objection against the second opinion of a finding (R1.25); resolves when it is judged anew and on disk. */
  async rebut(key: string, artefacts: readonly Artefact[], reviewer: Reviewer): Promise<DecideOutcome> {
    const entry = this.#entries.get(key);
    const triaged = entry?.triaged ?? null;
    if (entry === undefined || triaged === null) return { kind: "refused", why: "It has not been judged yet." };
    const refused = await refuseObjection(entry, triaged, artefacts, reviewer, this.#options);
    if (refused !== null) return this.#refuse(key, refused.why, refused.staleReason);
    const method = triaged.method ?? this.#options.method();
    const end = await this.#runner.object(key, artefacts, { reviewer, method, fresh: false, budget: null });
    if (end === "done") return { kind: "settled" };
    return { kind: "refused", why: this.#entries.get(key)?.notice ?? "Nothing can be asked about it now." };
  }

  /** Stops the triage of some findings, or with null of all; resolves when nothing of them runs any more. */
  async cancel(keys: readonly string[] | null): Promise<void> {
    await this.#runner.cancel(keys);
  }

  /** Records a person's decision; `settled` only after it is on disk. */
  async decide(key: string, decision: Decision): Promise<DecideOutcome> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return { kind: "refused", why: "There is no such finding any more." };
    const fresh = await this.#fresh(entry);
    const why = refusal(entry.finding, stateOf(fresh), decision);
    if (why !== null) return this.#refuse(key, why, fresh.staleReason);
    const decided = await this.#decided(entry, decision);
    const record = { ...decided, prompt: decision.prompt };
    const written = await this.#options.history.decided(entry.finding, record, entry.triaged);
    if (written.kind === "failed") return this.#refuse(key, written.why, fresh.staleReason);
    this.#update(key, (now) => ({ ...now, decided, notice: null }));
    return { kind: "settled" };
  }

  /** The text of a file changed (buffer or disk): places follow, verdicts may turn stale. */
  async textChanged(file: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#packs.forget();
      const text = await this.#options.repository.text(file);
      const moves = this.#follower.edit(file, text?.lines ?? []);
      const judged = this.entries().filter(({ triaged, decided }) => triaged !== null || decided !== null);
      for (const entry of new Set([...this.entriesIn(file), ...judged])) {
        const touched = entry.finding.place.file === file;
        const cites = regionsUnder(entry).some((region) => region.file === file);
        if (entry.progress !== null || (!touched && !cites)) continue;
        const moved = touched ? moveEntry(entry, moves(entry)) : entry;
        const fresh = moved.staleReason === GONE ? moved : await this.#fresh(moved);
        if (fresh.staleReason !== entry.staleReason || fresh.finding !== entry.finding)
          this.#update(entry.finding.key, () => fresh);
      }
    });
  }

  /** The log changed outside, by another window or the command line: read it again. */
  async reread(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#memory.reload();
      this.#say(await this.#memory.assign(this.entries().map(({ finding }) => finding)));
      for (const entry of this.entries()) {
        if (entry.progress !== null) continue;
        const recalled = await this.#fresh(this.#memory.recall({ ...entry, triaged: null, decided: null }));
        if (recalled.decided?.at !== entry.decided?.at || recalled.triaged !== entry.triaged)
          this.#update(entry.finding.key, () => recalled);
      }
    });
  }

  /** One change of the list at a time: readings are joined as a whole. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return await mine;
  }

  #update(key: string, change: (entry: Entry) => Entry): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.set(key, change(entry));
    this.#options.changed(key);
  }

  #refuse(key: string, why: string, staleReason: string | null): DecideOutcome {
    this.#update(key, (now) => ({ ...now, staleReason, notice: why }));
    return { kind: "refused", why };
  }

  async #decided(entry: Entry, { decision, reason }: Decision): Promise<Decided> {
    const { repository, hash, now } = this.#options;
    const regions = entry.triaged?.regions ?? (await regionsOf(entry.finding, NO_EVIDENCE, repository, hash));
    return {
      decision: DECIDED_AS[decision],
      reason: reason.trim(),
      at: now().toISOString(),
      regions: decision === "reopen" ? [] : regions,
    };
  }

  async #rejoin(): Promise<void> {
    const { joined, unread } = this.#sources.join();
    const merged = mergeEntries(joined, this.#entries);
    if (merged.fresh.length > 0) this.#say(await this.#memory.assign(joined.map(({ finding }) => finding)));
    await this.#settleIn(merged.fresh, merged.entries);
    this.#unread = unread;
    this.#clusters = merged.clusters;
    this.#entries = merged.entries;
    this.#byFile = null;
    this.#packs.forget();
    this.#options.changed(null);
  }

  /** Brings new findings what was judged of them before, and tells which verdicts the code has outgrown. */
  async #settleIn(fresh: readonly string[], next: Map<string, Entry>): Promise<void> {
    for (const key of fresh) {
      const entry = next.get(key);
      if (entry?.progress !== null) continue;
      const recalled = this.#memory.recall(entry);
      next.set(key, regionsUnder(recalled).length === 0 ? recalled : await this.#fresh(recalled));
    }
  }

  async #fresh(entry: Entry): Promise<Entry> {
    return await freshness(entry, this.#options);
  }

  #say(text: string | null): void {
    this.#carried = text;
    if (text !== null) this.#options.log("info", text);
  }
}
