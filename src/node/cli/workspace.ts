import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Mask, Now, Prompts } from "../../core/ports.ts";
import type { SeverityMap } from "../../core/severity.ts";
import { Engine } from "../engine/engine.ts";
import { createHistory } from "../engine/logHistory.ts";
import { type History, NO_HISTORY } from "../engine/history.ts";
import { sha256 } from "../hash.ts";
import { cacheFolder } from "../journal.ts";
import { createMask } from "../mask/mask.ts";
import { findProgram } from "../program.ts";
import { createRepository, type WorkspaceRepository } from "../repository/repository.ts";
import { createVerbs } from "../verbs/verbs.ts";

/** What a command works in. */
export interface CliWorkspace {
  readonly engine: Engine;
  readonly repository: WorkspaceRepository;
  readonly mask: Mask;
  readonly now: Now;
  /** Absolute path of a file as it was given: relative to the working folder, or where it is not there, to the workspace. */
  resolve(file: string): string;
}

/** Evidence a reviewer may ask for in one round on the command line; the editor's defaults. */
const BUDGET = { calls: 8, bytes: 32_768 } as const;

/** Findings triaged at the same time on the command line. */
const CONCURRENCY = 2;

export interface WorkspaceOptions {
  /** False: log and journal are neither read nor written. */
  readonly history: boolean;
  readonly prompts: Prompts;
  readonly warn: (text: string) => void;
  /** An entry changed, or with null the list. */
  readonly changed: (key: string | null) => void;
}

/** Opens a folder for one command; null where it is no folder. */
export async function openWorkspace(folder: string, options: WorkspaceOptions): Promise<CliWorkspace | null> {
  const root = path.resolve(folder);
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory() !== true) return null;
  const repository = createRepository({ root, liveText: () => undefined, liveFiles: () => [] });
  const mask = createMask();
  const now = wallClock;
  const reviews = new Set<string>();
  const ripgrep = await findProgram("rg", process.env["PATH"], root);
  const verbs = createVerbs({
    root,
    repository,
    ripgrep,
    mask,
    now,
    hash: sha256,
    withheld: (file) => reviews.has(file),
  });
  const history = options.history ? openHistory(root, repository, mask, options) : NO_HISTORY;
  const noMap: SeverityMap = {};
  const engine: Engine = new Engine({
    root,
    repository,
    verbs,
    mask,
    hash: sha256,
    now,
    history,
    concurrency: () => CONCURRENCY,
    severityMap: () => noMap,
    budget: () => BUDGET,
    changed: (key) => {
      for (const name of engine.reviews()) reviews.add(name);
      options.changed(key);
    },
    log: (level, text) => {
      if (level === "warning" || level === "error") options.warn(text);
    },
  });
  const resolve = (file: string): string =>
    existsSync(path.resolve(file)) ? path.resolve(file) : path.resolve(root, file);
  return { engine, repository, mask, now, resolve };
}

function wallClock(): Date {
  return new Date();
}

function openHistory(
  root: string,
  repository: WorkspaceRepository,
  mask: Mask,
  options: Pick<WorkspaceOptions, "prompts" | "warn">,
): History {
  return createHistory({
    root,
    storage: cacheFolder(root),
    journal: path.join(cacheFolder(root), "journal"),
    where: () => ({ logLocation: "workspace", compatibleRows: false }),
    session: randomUUID(),
    mask,
    now: wallClock,
    head: async () => await repository.head(),
    prompts: options.prompts,
    note: options.warn,
  });
}
