import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Mask, Now, Prompts } from "../../core/ports.ts";
import type { InitializationOptions, WorkerSettings } from "../../protocol/worker.ts";
import { type OpenedEngine, openEngine } from "../engine/openEngine.ts";
import type { LanguageTransport } from "../language/languageServers.ts";
import { sha256 } from "../hash.ts";
import { workspaceRelative } from "../paths.ts";
import { openPrompts } from "../prompts.ts";
import { untouchableBy } from "../engine/untouchable.ts";
import type { Method } from "../../core/method.ts";

/** One workspace folder in the worker. */
export interface Folder extends OpenedEngine {
  /** Those that its reviewers are asked with and that its log names: read once, so that both are always the same. */
  readonly prompts: Prompts;
}

export interface FolderParts {
  readonly options: InitializationOptions;
  readonly settings: () => WorkerSettings;
  readonly mask: Mask;
  readonly now: Now;
  /** Text of an open document by absolute path. */
  readonly liveText: (absolute: string) => string | undefined;
  readonly liveFiles: () => readonly string[];
  readonly language: LanguageTransport;
  readonly changed: (key: string | null) => void;
  readonly log: (level: "debug" | "info" | "warning" | "error", text: string) => void;
}

/** Opens one workspace folder with the person's settings, and tells what its log could not say. */
export async function openFolder(root: string, parts: FolderParts): Promise<Folder> {
  const { options, settings } = parts;
  const prompts = openPrompts(options.prompts, {
    files: settings().promptFiles,
    outside: [root],
    warn: (text) => parts.log("warning", text),
  });
  const folder = await openEngine({
    ...parts,
    root,
    ripgrep: options.ripgrep,
    prompts,
    history: {
      storage: path.join(options.storage, sha256(root).slice(0, 16)),
      where: () => ({ logLocation: settings().logLocation, compatibleRows: settings().logCompatibleRows }),
      session: options.session,
    },
    checkers: {
      trusted: () => options.trusted,
      wanted: () => settings().runCheckers,
      programs: () => settings().checkers,
    },
    concurrency: () => settings().concurrency,
    severityMap: () => settings().severityMap,
    sourceRoots: () => settings().sourceRoots,
    method: () => usualMethod(settings()),
    costMode: () => settings().costMode,
    untouchable: (finding) => untouchableBy(settings().untouchable)(finding),
    budget: () => ({ calls: settings().evidenceCalls, bytes: settings().evidenceBytes }),
  });
  for (const problem of await folder.engine.restore()) parts.log("warning", problem);
  return { ...folder, prompts };
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

/** How findings are judged by a person's settings; the intent belongs to one question, not to settings. */
export function usualMethod(settings: WorkerSettings): Method {
  const { strategy, visibility, refuters, lenses, secondOpinion, quietRounds, earlyStop } = settings;
  return { strategy, visibility, intent: "dismiss", refuters, lenses, secondOpinion, quietRounds, earlyStop };
}
