import path from "node:path";
import type { Reviewer } from "../../core/reviewer.ts";
import type {
  RebutParams,
  RebutResult,
  RunFinishedParams,
  RunProgressParams,
  RunTriageParams,
  RunTriageResult,
} from "../../protocol/worker.ts";
import { type Entry, isOpen, stateOf } from "../engine/entry.ts";
import type { Tally } from "../engine/runner.ts";
import { createBudget, type TokenBudget } from "../models/budget.ts";
import { workspaceRelative } from "../paths.ts";
import { placeWords, stageWords } from "../report/words.ts";
import type { Folder } from "./folders.ts";
import { isListed } from "./listing.ts";
import type { WorkerSession } from "./session.ts";
import { coalesce } from "./signals.ts";

/** How long steps of a run are collected before its progress is told, in milliseconds. */
const PROGRESS_DELAY_MS = 100;

/** What runs need from outside. */
export interface RunParts {
  readonly session: WorkerSession;
  /** Chooses the reviewer of a run for a folder, or says why there is none. */
  reviewer(
    folder: Folder,
    limits: RunLimits,
    wishes: RunWishes,
  ): Promise<{ readonly reviewer: Reviewer } | { readonly why: string }>;
  progress(params: RunProgressParams): void;
  finished(params: RunFinishedParams): void;
}

/** Only a person's run may ask the editor's models for the first time. */
export type StartedBy = "person" | "program";

/** What a run says about who should judge. */
export interface RunWishes {
  readonly startedBy: StartedBy;
  /** True: a person asked for the fallback model in the place of the usual one. */
  readonly otherModel: boolean;
}

/** What all reviewers of one run share, whatever their folder. */
export interface RunLimits {
  readonly budget: TokenBudget | null;
  readonly fresh: boolean;
}

/** Triage runs of one worker, with their progress. */
export interface Runs {
  /** `startedBy` is the person where it is left out. */
  start(params: RunTriageParams, startedBy?: StartedBy): Promise<RunTriageResult>;
  /** An entry changed: tell the progress of the runs it belongs to. */
  moved(key: string): void;
  cancel(keys: readonly string[] | null): Promise<void>;
  /** Puts an objection against the second opinion of a finding (R1.25); resolves when it is judged anew. */
  rebut(params: RebutParams): Promise<RebutResult>;
}

interface Run {
  readonly keys: ReadonlySet<string>;
  readonly done: Set<string>;
  /** The finding that moved last. */
  last: string | null;
  readonly soon: ReturnType<typeof coalesce>;
}

interface Begun {
  readonly queued: string[];
  readonly refused: { readonly key: string; readonly why: string }[];
  readonly starts: Promise<Tally>[];
}

export function createRuns(parts: RunParts): Runs {
  const runs = new Map<string, Run>();
  let count = 0;

  const start: Runs["start"] = async (params, startedBy = "person") => {
    count += 1;
    const run = `run-${count}`;
    const { queued, refused, starts } = await beginRun(parts, params, startedBy);
    const began: Run = {
      keys: new Set(queued),
      done: new Set(),
      last: null,
      // Nobody reads every step of every finding; that one is done is told at once.
      soon: coalesce(PROGRESS_DELAY_MS, () => {
        const entry = began.last === null ? undefined : parts.session.find(began.last)?.entry;
        if (entry !== undefined) tell(run, began, entry);
      }),
    };
    runs.set(run, began);
    void Promise.all(starts).then((tallies) => {
      runs.delete(run);
      began.soon.stop();
      const ended = addUp(tallies);
      const entries = queued.map((key) => parts.session.find(key)?.entry);
      // Advice is about many findings: it does not follow every single triage.
      const advice = ended.done > 1 ? parts.session.folders.flatMap((folder) => folder.advice() ?? []) : [];
      parts.finished({ run, ...ended, text: [runWords(ended, entries), ...advice].join(" ") });
    });
    return { run, queued, refused };
  };

  const tell = (run: string, { keys, done }: Run, entry: Entry): void => {
    const text = `${stageWords(entry)} · ${placeWords(entry.finding)}`;
    parts.progress({ run, done: done.size, total: keys.size, text });
  };

  const moved = (key: string): void => {
    for (const [id, run] of runs) {
      const entry = run.keys.has(key) ? parts.session.find(key)?.entry : undefined;
      if (entry === undefined) continue;
      run.last = key;
      if (entry.progress !== null || run.done.has(key)) run.soon.request();
      else {
        run.done.add(key);
        tell(id, run, entry);
      }
    }
  };

  return {
    start,
    moved,
    rebut: async (params) => await putAgainst(params, parts),
    cancel: async (keys) => {
      await Promise.all(parts.session.folders.map((folder) => folder.engine.cancel(keys)));
    },
  };
}

/** Chooses who judges in each folder and starts the triage there. */
async function beginRun(parts: RunParts, params: RunTriageParams, startedBy: StartedBy): Promise<Begun> {
  const begun: Begun = { queued: [], refused: [], starts: [] };
  const wanted = wantedKeys(parts.session, params);
  const limits = limitsOf(parts.session, params);
  for (const [folder, keys] of wanted.byFolder) {
    const wishes: RunWishes = { startedBy, otherModel: params.how?.model === "fallback" };
    const chosen = await parts.reviewer(folder, limits, wishes);
    if ("why" in chosen) begun.refused.push(...keys.map((key) => ({ key, why: chosen.why })));
    else {
      const started = await folder.engine.triage(
        keys,
        params.kind !== "open",
        chosen.reviewer,
        params.how,
        limits.budget,
      );
      begun.queued.push(...started.queued);
      begun.refused.push(...started.refused);
      begun.starts.push(started.finished);
    }
  }
  begun.refused.push(...wanted.unknown.map((key) => ({ key, why: "There is no such finding any more." })));
  return begun;
}

function limitsOf({ settings }: WorkerSession, params: RunTriageParams): RunLimits {
  const { budgetTokens } = settings;
  return {
    budget: budgetTokens > 0 ? createBudget(budgetTokens) : null,
    fresh: params.how?.fresh === true,
  };
}

async function putAgainst({ key, artefacts }: RebutParams, parts: RunParts): Promise<RebutResult> {
  const found = parts.session.find(key);
  if (found === null) return { kind: "refused", why: "There is no such finding any more." };
  const wishes: RunWishes = { startedBy: "person", otherModel: false };
  const chosen = await parts.reviewer(found.folder, { budget: null, fresh: true }, wishes);
  if ("why" in chosen) return { kind: "refused", why: chosen.why };
  return await found.folder.engine.rebut(key, artefacts, chosen.reviewer);
}

/** The findings that a request for triage means, by folder. */
export function wantedKeys(
  session: WorkerSession,
  params: RunTriageParams,
): { byFolder: Map<Folder, string[]>; unknown: string[] } {
  const byFolder = new Map<Folder, string[]>();
  const add = (folder: Folder, key: string): void => {
    const keys = byFolder.get(folder);
    if (keys === undefined) byFolder.set(folder, [key]);
    else keys.push(key);
  };
  if (params.kind === "keys") {
    const unknown: string[] = [];
    for (const key of params.keys) {
      const found = session.find(key);
      if (found === null) unknown.push(key);
      else add(found.folder, key);
    }
    return { byFolder, unknown };
  }
  for (const { folder, entry } of session.entries()) {
    const chosen =
      params.kind === "open"
        ? isUntriaged(entry)
        : comesFrom(entry, folder, params.path) && stateOf(entry) !== "decided";
    if (chosen) add(folder, entry.finding.key);
  }
  return { byFolder, unknown: [] };
}

/** Open P0 and P1 that nobody has triaged (or whose triage is stale). */
function isUntriaged(entry: Entry): boolean {
  const { severity, hard } = entry.finding;
  const blocking = severity === "P0" || severity === "P1";
  return (
    blocking &&
    hard === null &&
    isListed(entry) &&
    isOpen(entry) &&
    (entry.triaged === null || entry.staleReason !== null) &&
    stateOf(entry) !== "decided"
  );
}

function comesFrom(entry: Entry, folder: Folder, review: string): boolean {
  const name = workspaceRelative(folder.root, path.resolve(review)) ?? review;
  return entry.finding.source.path === name;
}

function runWords(ended: Tally, entries: readonly (Entry | undefined)[]): string {
  const waiting = entries.filter(
    (entry) => entry?.triaged?.outcome.proposesDismissal === true || entry?.triaged?.outcome.action === "needs-human",
  ).length;
  const words = [`${ended.done} triaged`];
  if (waiting > 0) words.push(`${waiting} wait${waiting === 1 ? "s" : ""} for you`);
  if (ended.failed > 0) words.push(`${ended.failed} failed`);
  if (ended.cancelled > 0) words.push(`${ended.cancelled} cancelled`);
  if (ended.left > 0) words.push(`${ended.left} not begun because the budget of tokens is spent`);
  return `${words.join(", ")}.`;
}

function addUp(tallies: readonly Tally[]): Tally {
  const sum = (pick: keyof Tally): number => tallies.reduce((total, tally) => total + tally[pick], 0);
  return { done: sum("done"), failed: sum("failed"), cancelled: sum("cancelled"), left: sum("left") };
}
