import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Mask, Now } from "../../core/ports.ts";
import type { InitializationOptions, WorkerSettings } from "../../protocol/worker.ts";
import { Engine } from "../engine/engine.ts";
import { createHistory } from "../engine/logHistory.ts";
import { sha256 } from "../hash.ts";
import { cacheFolder } from "../journal.ts";
import { workspaceRelative } from "../paths.ts";
import { findProgram } from "../program.ts";
import { loadPrompts } from "../prompts.ts";
import { createRepository, type WorkspaceRepository } from "../repository/repository.ts";
import { createVerbs } from "../verbs/verbs.ts";

/** One workspace folder in the worker. */
export interface Folder {
  readonly root: string;
  readonly engine: Engine;
  readonly repository: WorkspaceRepository;
  readonly logPath: () => string;
}

export interface FolderParts {
  readonly options: InitializationOptions;
  readonly settings: () => WorkerSettings;
  readonly mask: Mask;
  readonly now: Now;
  /** Text of an open document by absolute path. */
  readonly liveText: (absolute: string) => string | undefined;
  readonly liveFiles: () => readonly string[];
  readonly changed: (key: string | null) => void;
  readonly log: (level: "debug" | "info" | "warning" | "error", text: string) => void;
}

/** Opens the engine of one workspace folder. */
export async function openFolder(root: string, parts: FolderParts): Promise<Folder> {
  const { options, settings, mask, now } = parts;
  const repository = createRepository({ root, liveText: parts.liveText, liveFiles: parts.liveFiles });
  const reviews = new Set<string>();
  const verbs = createVerbs({
    root,
    repository,
    ripgrep: options.ripgrep ?? (await findProgram("rg", process.env["PATH"], root)),
    mask,
    now,
    hash: sha256,
    withheld: (file) => reviews.has(file),
  });
  const history = createHistory({
    root,
    storage: path.join(options.storage, sha256(root).slice(0, 16)),
    journal: path.join(cacheFolder(root), "journal"),
    where: () => ({ logLocation: settings().logLocation, compatibleRows: settings().logCompatibleRows }),
    session: options.session,
    mask,
    now,
    head: async () => await repository.head(),
    prompts: loadPrompts(options.prompts),
    note: (text) => parts.log("warning", text),
  });
  const engine: Engine = new Engine({
    root,
    repository,
    verbs,
    mask,
    hash: sha256,
    now,
    history,
    concurrency: () => settings().concurrency,
    severityMap: () => settings().severityMap,
    budget: () => ({ calls: settings().evidenceCalls, bytes: settings().evidenceBytes }),
    changed: (key) => {
      if (key === null) for (const name of engine.reviews()) reviews.add(name);
      parts.changed(key);
    },
    log: parts.log,
  });
  for (const problem of await engine.restore()) parts.log("warning", problem);
  return { root, engine, repository, logPath: history.path };
}

/** The folder that holds a file and the file's workspace-relative path; null where none does. The innermost folder wins. */
export function locate(folders: readonly Folder[], absolute: string): { folder: Folder; file: string } | null {
  let best: { folder: Folder; file: string } | null = null;
  for (const folder of folders) {
    const file = workspaceRelative(folder.root, absolute);
    if (file !== null && file !== "" && (best === null || folder.root.length > best.folder.root.length))
      best = { folder, file };
  }
  return best;
}

/** Absolute path of a `file:` URI; null for every other scheme. */
export function pathOfUri(uri: string): string | null {
  if (!uri.startsWith("file:")) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
