import PQueue from "p-queue";
import { PERMITS } from "../../core/decision.ts";
import type { Artefact } from "../../core/opinion.ts";
import type { Reviewer } from "../../core/reviewer.ts";
import { type Entry, objectedTo, type Progress, STARTED, stateOf } from "./entry.ts";
import { type JudgingOptions, leave, objectTo, type One, runOne } from "./judgeOne.ts";
import type { RunMethod } from "./judgements.ts";
import type { TokenBudget } from "../models/budget.ts";
import { createPreparation, type Preparation } from "./preparation.ts";

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
  /** Not begun, because the run's budget was spent. */
  readonly left: number;
}

/** Who judges in a run and how, and what it may spend. */
export interface Panel extends RunMethod {
  readonly reviewer: Reviewer;
  /** Null: no limit. */
  readonly budget: TokenBudget | null;
}

export interface RunnerOptions extends JudgingOptions {
  /** Calls of a model at the same time. */
  readonly concurrency: () => number;
  entries(): readonly Entry[];
}

/**
 * Runs triages: worst severity first, one per cluster, each cancellable at once. There is no barrier between findings: each
 * is saved and shown when it is judged itself (R4.3).
 */
export interface Runner {
  start(keys: readonly string[], asked: boolean, by: Panel): Queued;
  cancel(keys: readonly string[] | null): Promise<void>;
  /** Puts an objection against a finding's second opinion; null where nothing can be run for it now. */
  object(key: string, artefacts: readonly Artefact[], by: Panel): Promise<End> | null;
}

type End = keyof Tally;
/** What is run for one finding and its cluster, once it is its turn. */
type Work = (urgency: number, signal: AbortSignal) => Promise<End>;

const PRIORITY = { P0: 3, P1: 2, P2: 1, Nit: 0 } as const;

/** Findings under way beside one for each call that may run: they are prepared, and ask whenever a place is free. */
const AHEAD = 3;
/** More starts than a process ever makes: severity comes first, then the order of starting. */
const STARTS = 2 ** 32;

export function createRunner(options: RunnerOptions): Runner {
  const queue = new PQueue({ concurrency: options.concurrency() + AHEAD });
  const preparation = createPreparation();
  const running = new Map<string, { readonly controller: AbortController; readonly ended: Promise<End> }>();
  const unwritten = new Set<string>();
  let started = 0;

  const start: Runner["start"] = (keys, asked, by) => {
    queue.concurrency = options.concurrency() + AHEAD;
    const queued: string[] = [];
    const refused: { key: string; why: string }[] = [];
    const ends: Promise<readonly End[]>[] = [];
    for (const key of worstFirst(keys, options)) {
      // It runs already with a twin that was asked for before it.
      if (queued.includes(key)) continue;
      const entry = options.entry(key);
      const permit = entry === undefined ? null : PERMITS[stateOf(entry)].triage;
      if (entry === undefined || permit === null) refused.push({ key, why: "There is no such finding any more." });
      else if (!permit.allowed) refused.push({ key, why: permit.why });
      else {
        const members = membersToRun(entry, options.entries());
        queued.push(...members);
        const shown = { ...STARTED, method: by.method };
        const work = judging({ key, members, asked, by, unwritten }, preparation, options);
        ends.push(begin(entry, members, shown, work).then((end) => members.map(() => end)));
      }
    }
    return { queued, refused, finished: Promise.all(ends).then((all) => tally(all.flat())) };
  };

  const begin = (entry: Entry, members: readonly string[], shown: Progress, work: Work): Promise<End> => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const key of members) options.update(key, (now) => ({ ...now, progress: shown, notice: null }));
    const urgency = PRIORITY[entry.finding.severity] * STARTS - started;
    started += 1;
    const ended = queue
      .add(async () => await work(urgency, signal), { priority: urgency, signal })
      .catch((error: unknown): End => fail(members, error, signal, options))
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
  const object: Runner["object"] = (key, artefacts, by) => {
    const entry = options.entry(key);
    if (entry === undefined || !PERMITS[stateOf(entry)].triage.allowed) return null;
    return begin(entry, [key], objectedTo(entry), async (urgency, signal) => {
      await objectTo(entry, artefacts, { by, urgency, unwritten, signal }, options);
      return "done";
    });
  };
  return { start, cancel, object };
}

/** What judges a finding and its duplicates, once it is their turn. */
function judging(
  one: Pick<One, "key" | "members" | "asked" | "by" | "unwritten">,
  preparation: Preparation,
  options: RunnerOptions,
): Work {
  const { budget } = one.by;
  return async (urgency, signal) => {
    const prepared = await preparation.enter(urgency, signal);
    try {
      // Asked here and not before: what others spent while this one waited counts.
      const done = budget?.isOver() !== true && (await runOne({ ...one, urgency, prepared, signal }, options));
      if (done || budget === null) return "done";
    } finally {
      prepared();
    }
    leave(one.members, budget, options);
    return "left";
  };
}

/** Each key once, the worst severity first: places that are free now go to the worst as well. */
function worstFirst(keys: readonly string[], options: RunnerOptions): string[] {
  const rank = (key: string): number => PRIORITY[options.entry(key)?.finding.severity ?? "Nit"];
  return [...new Set(keys)].toSorted((left, right) => rank(right) - rank(left));
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

function fail(members: readonly string[], error: unknown, signal: AbortSignal, options: RunnerOptions): End {
  const cancelled = signal.aborted;
  const why = error instanceof Error ? error.message : String(error);
  if (!cancelled) options.log("error", `Triage failed: ${error instanceof Error ? (error.stack ?? why) : why}`);
  const notice = cancelled ? "Cancelled; nothing was recorded." : `The triage failed: ${why}`;
  // A member that was saved before stands as it was saved.
  for (const key of members)
    options.update(key, (now) => (now.progress === null ? now : { ...now, progress: null, notice }));
  return cancelled ? "cancelled" : "failed";
}

function tally(ends: readonly End[]): Tally {
  const count = (kind: End): number => ends.filter((end) => end === kind).length;
  return { done: count("done"), failed: count("failed"), cancelled: count("cancelled"), left: count("left") };
}
