import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type Method, USUAL_METHOD } from "../../core/method.ts";
import type { Mask, Now, Prompts } from "../../core/ports.ts";
import type { Terms } from "../../core/policy.ts";
import type { SeverityMap } from "../../core/severity.ts";
import type { SourceRoots } from "../../core/sourceRoots.ts";
import type { Untouchable } from "../../protocol/worker.ts";
import { type OpenedEngine, openEngine } from "../engine/openEngine.ts";
import { untouchableBy } from "../engine/untouchable.ts";
import { createMask } from "../mask/mask.ts";

/** What a command works in. */
export interface CliWorkspace extends OpenedEngine {
  readonly mask: Mask;
  readonly now: Now;
  /** Absolute path of a file as it was given: relative to the working folder, or where it is not there, to the workspace. */
  resolve(file: string): string;
}

/** Evidence a reviewer may ask for in one round on the command line; the editor's defaults. */
const BUDGET = { calls: 8, bytes: 32_768 } as const;

/** Calls of a model at the same time on the command line; the editor's default. */
export const CONCURRENCY = 4;

/** How a line of the second opinion's own log begins. */
const TOKEN_LINE = /^\[(?:DISMISS|SEEK)_/;

export interface WorkspaceOptions {
  /** False: log and journal are neither read nor written. */
  readonly history: boolean;
  /** True: checkers may be started. */
  readonly checkers: boolean;
  readonly prompts: Prompts;
  /** How findings are judged; left out where none is. */
  readonly method?: Method;
  readonly costMode?: Terms["costMode"];
  /** What the program never closes alone. */
  readonly untouchable?: Untouchable;
  readonly warn: (text: string) => void;
  /** Hears the token lines of second opinions and of the streak guard (R1.26, R1.30, R1.31); left out: nobody does. */
  readonly tell?: (line: string) => void;
  /** An entry changed, or with null the list. */
  readonly changed: (key: string | null) => void;
}

/** Opens a folder for one command; null where it is no folder. */
export async function openWorkspace(
  { workspace, roots }: { readonly workspace: string; readonly roots: SourceRoots },
  options: WorkspaceOptions,
): Promise<CliWorkspace | null> {
  const root = path.resolve(workspace);
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory() !== true) return null;
  const mask = createMask();
  const noMap: SeverityMap = {};
  const opened = await openEngine({
    root,
    ripgrep: null,
    liveText: () => undefined,
    liveFiles: () => [],
    mask,
    now: wallClock,
    prompts: options.prompts,
    history: options.history
      ? {
          storage: root,
          where: () => ({ logLocation: "workspace", compatibleRows: false }),
          session: randomUUID(),
        }
      : null,
    checkers: options.checkers ? { trusted: () => true, wanted: () => true, programs: () => ({}) } : null,
    concurrency: () => CONCURRENCY,
    severityMap: () => noMap,
    sourceRoots: () => roots,
    budget: () => BUDGET,
    method: () => options.method ?? USUAL_METHOD,
    costMode: () => options.costMode ?? "normal",
    untouchable: untouchableBy(options.untouchable ?? {}),
    changed: options.changed,
    log: (level, text) => {
      if (level === "warning" || level === "error") options.warn(text);
      else if (TOKEN_LINE.test(text)) options.tell?.(text);
    },
  });
  const resolve = (file: string): string =>
    existsSync(path.resolve(file)) ? path.resolve(file) : path.resolve(root, file);
  return { ...opened, mask, now: wallClock, resolve };
}

function wallClock(): Date {
  return new Date();
}
