import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Mask, Now, Prompts, Structures } from "../../core/ports.ts";
import { NO_STREAK, type Streak } from "../../core/streak.ts";
import { createSealedStore, type SealedStore } from "../cache/sealedStore.ts";
import { createCheckers, type WorkspaceCheckers } from "../checkers/checkers.ts";
import { createConsent } from "../checkers/consent.ts";
import { sha256 } from "../hash.ts";
import { cacheFolder } from "../journal.ts";
import { createLanguageServers, type LanguageTransport } from "../language/languageServers.ts";
import { findProgram } from "../program.ts";
import { createRepository, type LiveText, type WorkspaceRepository } from "../repository/repository.ts";
import { createStructures } from "../syntax/structures.ts";
import { createVerbs } from "../verbs/verbs.ts";
import { Engine } from "./engine.ts";
import type { EngineOptions } from "./engineOptions.ts";
import { NO_HISTORY } from "./history.ts";
import { Judgements } from "./judgements.ts";
import { createHistory, type LogPlacement, promptsPrint } from "./logHistory.ts";
import { createSeenLenses } from "./seenLenses.ts";

/** What worker and command line differ in when they open a workspace folder. */
export interface OpenEngineOptions extends Pick<
  EngineOptions,
  "concurrency" | "severityMap" | "sourceRoots" | "budget" | "method" | "costMode" | "untouchable" | "changed" | "log"
> {
  /** Absolute path of the folder. */
  readonly root: string;
  /** Absolute path of ripgrep as the editor ships it; null: looked for on the path, outside the workspace. */
  readonly ripgrep: string | null;
  readonly liveText: LiveText;
  readonly liveFiles: () => readonly string[];
  /** Asks the editor's language servers; absent where there is no editor. */
  readonly language?: LanguageTransport;
  readonly mask: Mask;
  readonly now: Now;
  readonly prompts: Prompts;
  /** Log and journal; null: neither read nor written. */
  readonly history: {
    /** This workspace's own folder outside of it, for a log that may not be in the workspace. */
    readonly storage: string;
    readonly where: () => LogPlacement;
    readonly session: string;
  } | null;
  /** Who may have checkers run here; null: nobody. */
  readonly checkers: {
    /** False: no program is started, whatever was accepted. */
    readonly trusted: () => boolean;
    /** False: a person has switched checkers off. */
    readonly wanted: () => boolean;
    /** Absolute paths of programs the person named, by tool. */
    readonly programs: () => Readonly<Record<string, string>>;
  } | null;
}

/** Where replies and judgements of a workspace are kept, for editor and command line alike (ruling 26). */
function openStore({ root, now, log }: OpenEngineOptions): SealedStore {
  return createSealedStore({ folder: cacheFolder(root), now, note: (text) => log("warning", text) });
}

/** One workspace folder, opened. */
export interface OpenedEngine {
  readonly root: string;
  readonly engine: Engine;
  readonly repository: WorkspaceRepository;
  readonly structures: Structures;
  /** Checkers with what a person is asked about them; null where none may be run. */
  readonly checkers: WorkspaceCheckers | null;
  /** Replies of models, for a resumption; null without a history. */
  readonly store: SealedStore | null;
  /** Where the log is now; empty without a history. */
  readonly logPath: () => string;
  /** Dismissals in a row of this session (R1.26-R1.28); none without a history. */
  readonly streak: () => Streak;
  /** What the share of false alarms in the log advises (R0.25); null where there is nothing to say. */
  readonly advice: () => string | null;
}

/** Puts the engine of a folder together: the one place that knows all its adapters. */
export async function openEngine(options: OpenEngineOptions): Promise<OpenedEngine> {
  const { root, mask, now } = options;
  const repository = createRepository({ root, liveText: options.liveText, liveFiles: options.liveFiles });
  const structures = createStructures({ repository });
  const reviews = new Set<string>();
  const ripgrep = options.ripgrep ?? (await findProgram("rg", process.env["PATH"], root));
  // Reviews tell what others think: a blind round must not be able to search them (ruling 17).
  const withheld = (file: string): boolean => reviews.has(file);
  const verbs = createVerbs({ root, repository, ripgrep, mask, now, hash: sha256, withheld });
  const { language: transport } = options;
  const languages =
    transport === undefined
      ? undefined
      : createLanguageServers({ root, repository, mask, now, hash: sha256, withheld, transport });
  const log = options.history === null ? null : openHistory(options.history, options, repository);
  const store = options.history === null ? null : openStore(options);
  const look = { repository, structures, verbs, mask, hash: sha256 };
  const judgements =
    store === null ? undefined : new Judgements({ ...look, store, prompts: () => promptsPrint(options.prompts) });
  const checkers = options.checkers === null ? null : await openCheckers(options.checkers, options, repository);
  const engine: Engine = new Engine({
    ...options,
    repository,
    structures,
    verbs,
    checkers: checkers ?? undefined,
    languages,
    hash: sha256,
    history: log ?? NO_HISTORY,
    judgements,
    lenses: log === null ? undefined : createSeenLenses(cacheFolder(root)),
    changed: (key) => {
      if (key === null) for (const name of engine.reviews()) reviews.add(name);
      options.changed(key);
    },
  });
  return {
    root,
    engine,
    repository,
    structures,
    checkers,
    store,
    logPath: () => log?.path() ?? "",
    streak: () => log?.streak() ?? NO_STREAK,
    advice: () => log?.advice() ?? null,
  };
}

/** Tools print real paths, so the folder is told to them with its links resolved. */
async function openCheckers(
  access: NonNullable<OpenEngineOptions["checkers"]>,
  { root, mask, now }: OpenEngineOptions,
  repository: WorkspaceRepository,
): Promise<WorkspaceCheckers> {
  const real = await realpath(root).catch(() => root);
  const own = cacheFolder(real);
  return createCheckers({
    ...access,
    root: real,
    repository,
    mask,
    now,
    hash: sha256,
    searchPath: process.env["PATH"],
    home: path.join(own, "checker-home"),
    consent: createConsent(path.join(own, "accepted-lines.json"), now),
  });
}

function openHistory(
  history: NonNullable<OpenEngineOptions["history"]>,
  { root, mask, now, prompts, log }: OpenEngineOptions,
  repository: WorkspaceRepository,
) {
  return createHistory({
    ...history,
    root,
    journal: path.join(cacheFolder(root), "journal"),
    mask,
    now,
    head: async () => await repository.head(),
    branch: async () => await repository.branch(),
    prompts,
    note: (text) => log("warning", text),
    tell: (line) => log("info", line),
  });
}
