import PQueue from "p-queue";
import { PERMITS } from "../../core/decision.ts";
import type { Checkers } from "../../core/checkers.ts";
import type { Finding } from "../../core/finding.ts";
import type { SeenLenses } from "../../core/judging/sitting.ts";
import type { Method } from "../../core/method.ts";
import type { Artefact } from "../../core/opinion.ts";
import type { Terms } from "../../core/policy.ts";
import type { Hash, LanguageServers, Mask, Repository, Structures, Verbs } from "../../core/ports.ts";
import type { EvidenceBudget, Reviewer } from "../../core/reviewer.ts";
import { rebut, triage, type Triaged, type TriageEvent, type TriagePorts } from "../../core/triage.ts";
import { judgeTwin } from "../../core/twin.ts";
import { advance, type Entry, STARTED, stateOf } from "./entry.ts";
import type { History } from "./history.ts";

/** What a request for triage started. */
export interface Queued {
  readonly queued: readonly string[];
  readonly refused: readonly { readonly key: string; readonly why: string }[];
  /** Resolves when nothing of this request runs any more. */
  readonly finished: Promise<Tally>;
}

/** How a request ended, in findings. */
export interface Tally {
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
}

interface RunnerOptions {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly verbs: Verbs;
  readonly checkers?: Checkers | undefined;
  readonly languages?: LanguageServers | undefined;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly history: History;
  readonly concurrency: () => number;
  readonly reviewedTree: TriagePorts["reviewedTree"];
  readonly sameFile: TriagePorts["sameFile"];
  budget(): EvidenceBudget;
  terms(finding: Finding): Terms;
  readonly lenses?: SeenLenses | undefined;
  entry(key: string): Entry | undefined;
  entries(): readonly Entry[];
  update(key: string, change: (entry: Entry) => Entry): void;
  log(level: "debug" | "info" | "warning" | "error", text: string): void;
}

/** Who judges in a run, and how. */
export interface Panel {
  readonly reviewer: Reviewer;
  readonly method: Method;
}

/** Runs triages: worst severity first, a bounded number at a time, one per cluster, each cancellable at once. */
export interface Runner {
  start(keys: readonly string[], asked: boolean, by: Panel): Queued;
  cancel(keys: readonly string[] | null): Promise<void>;
  /** Puts an objection against a finding's second opinion; null where nothing can be run for it now. */
  object(key: string, artefacts: readonly Artefact[], by: Panel): Promise<End> | null;
}

type End = "done" | "failed" | "cancelled";

const PRIORITY = { P0: 3, P1: 2, P2: 1, Nit: 0 } as const;

export function createRunner(options: RunnerOptions): Runner {
  const queue = new PQueue({ concurrency: options.concurrency() });
  const running = new Map<string, { readonly controller: AbortController; readonly ended: Promise<End> }>();

  const start = (keys: readonly string[], asked: boolean, by: Panel): Queued => {
    queue.concurrency = options.concurrency();
    const queued: string[] = [];
    const refused: { key: string; why: string }[] = [];
    const ends: Promise<readonly End[]>[] = [];
    for (const key of new Set(keys)) {
      // It runs already with a twin that was asked for before it.
      if (queued.includes(key)) continue;
      const entry = options.entry(key);
      const permit = entry === undefined ? null : PERMITS[stateOf(entry)].triage;
      if (entry === undefined || permit === null) refused.push({ key, why: "There is no such finding any more." });
      else if (!permit.allowed) refused.push({ key, why: permit.why });
      else {
        const members = membersToRun(entry, options.entries());
        queued.push(...members);
        const work = async (signal: AbortSignal): Promise<void> =>
          await runOne(key, members, asked, by, signal, options);
        ends.push(begin(entry, members, work).then((end) => members.map(() => end)));
      }
    }
    return { queued, refused, finished: Promise.all(ends).then((all) => tally(all.flat())) };
  };

  const begin = (
    entry: Entry,
    members: readonly string[],
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<End> => {
    const controller = new AbortController();
    for (const key of members) options.update(key, (now) => ({ ...now, progress: STARTED, notice: null }));
    const ended = queue
      .add(async () => await work(controller.signal), {
        priority: PRIORITY[entry.finding.severity],
        signal: controller.signal,
      })
      .then(
        (): End => "done",
        (error: unknown): End => fail(members, error, controller.signal, options),
      )
      .finally(() => {
        for (const key of members) running.delete(key);
      });
    for (const key of members) running.set(key, { controller, ended });
    return ended;
  };

  const cancel = async (keys: readonly string[] | null): Promise<void> => {
    const chosen = keys ?? [...running.keys()];
    const runs = chosen.map((key) => running.get(key)).filter((run) => run !== undefined);
    for (const run of runs) run.controller.abort(new DOMException("cancelled by the person", "AbortError"));
    await Promise.all(runs.map((run) => run.ended));
  };
  const object = (key: string, artefacts: readonly Artefact[], by: Panel): Promise<End> | null => {
    const entry = options.entry(key);
    if (entry === undefined || !PERMITS[stateOf(entry)].triage.allowed) return null;
    return begin(entry, [key], async (signal) => await objectTo(entry, artefacts, by, signal, options));
  };
  return { start, cancel, object };
}

/** Puts an objection against a finding's second opinion; on disk first, shown as done after. */
async function objectTo(
  { finding, triaged }: Entry,
  artefacts: readonly Artefact[],
  by: Panel,
  signal: AbortSignal,
  options: RunnerOptions,
): Promise<void> {
  if (triaged === null) return;
  const ports: TriagePorts = { ...options, ...by, budget: options.budget() };
  await save(
    finding.key,
    await rebut(finding, triaged, artefacts, ports, showOn([finding.key], options), signal),
    options,
  );
}

/** A finding's exact cluster, itself first; members that run or are decided stay out. */
function membersToRun(entry: Entry, entries: readonly Entry[]): string[] {
  const { key, cluster } = entry.finding;
  if (cluster === null) return [key];
  const others = entries.filter(
    (other) => other.finding.cluster === cluster && other.finding.key !== key && PERMITS[stateOf(other)].triage.allowed,
  );
  return [key, ...others.map((other) => other.finding.key)];
}

async function runOne(
  key: string,
  members: readonly string[],
  asked: boolean,
  by: Panel,
  signal: AbortSignal,
  options: RunnerOptions,
): Promise<void> {
  const first = options.entry(key)?.finding;
  if (first === undefined) return;
  // One verdict is held to one bar, however many duplicates it is applied to.
  const { heightened } = options.terms(first);
  const terms = (finding: Finding): Terms => ({ ...options.terms(finding), heightened });
  const ports: TriagePorts = { ...options, ...by, terms, budget: options.budget() };
  const result = await triage(first, asked, ports, showOn(members, options), signal);
  await save(key, result, options);
  for (const member of members.filter((other) => other !== key)) {
    const twin = options.entry(member)?.finding;
    if (twin === undefined) continue;
    // Its own checks and severity decide: a cluster masks names, and a check on one name says nothing about another.
    const judged = await judgeTwin(twin, asked, result, ports, signal);
    await save(member, judged ?? (await triage(twin, asked, ports, showOn([member], options), signal)), options);
  }
}

/** Shows what happens in a triage on some entries, as it happens. */
function showOn(keys: readonly string[], options: RunnerOptions): (event: TriageEvent) => void {
  return (event) => {
    for (const key of keys) {
      options.update(key, (now) => (now.progress === null ? now : { ...now, progress: advance(now.progress, event) }));
    }
  };
}

/** On disk first, shown as done after. */
async function save(key: string, triaged: Triaged, options: RunnerOptions): Promise<void> {
  const entry = options.entry(key);
  if (entry === undefined) return;
  options.update(key, (now) =>
    now.progress === null ? now : { ...now, progress: { ...now.progress, stage: { kind: "saving" } } },
  );
  const written = await options.history.triaged(entry.finding, triaged);
  const notice = written.kind === "failed" ? `The result could not be written to the log: ${written.why}` : null;
  // A decision that the code outgrew ends here: what was judged anew is decided anew.
  options.update(key, (now) => ({ ...now, triaged, progress: null, staleReason: null, decided: null, notice }));
}

function fail(members: readonly string[], error: unknown, signal: AbortSignal, options: RunnerOptions): End {
  const cancelled = signal.aborted;
  const why = error instanceof Error ? error.message : String(error);
  if (!cancelled) options.log("error", `Triage failed: ${error instanceof Error ? (error.stack ?? why) : why}`);
  const notice = cancelled ? "Cancelled; nothing was recorded." : `The triage failed: ${why}`;
  for (const key of members) options.update(key, (now) => ({ ...now, progress: null, notice }));
  return cancelled ? "cancelled" : "failed";
}

function tally(ends: readonly End[]): Tally {
  const count = (kind: End): number => ends.filter((end) => end === kind).length;
  return { done: count("done"), failed: count("failed"), cancelled: count("cancelled") };
}
