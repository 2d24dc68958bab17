import path from "node:path";
import * as z from "zod";
import { CHECKER_TOOLS } from "../../core/checkerClaim.ts";
import { SEVERITIES } from "../../core/finding.ts";
import { MODEL_ROLES, STRATEGIES, VISIBILITIES } from "../../core/method.ts";
import type { InitializationOptions, WorkerSettings } from "../../protocol/worker.ts";

const Settings = z.object({
  reviewFiles: z.array(z.string()).default(["**/*.sarif", "**/*.sarif.json"]),
  model: z.enum(["auto", "built-in", "server", "editor"]).default("auto"),
  serverUrl: z.string().default(""),
  serverModel: z.string().default(""),
  editorModel: z.string().default(""),
  roles: z
    .partialRecord(
      z.enum(MODEL_ROLES),
      z.union([
        z.object({ serverUrl: z.string().regex(/^https?:\/\//), serverModel: z.string().min(1) }),
        z.object({ editorModel: z.string().min(1) }),
      ]),
    )
    .default({}),
  strategy: z.enum(STRATEGIES).default("rounds"),
  visibility: z.enum(VISIBILITIES).default("sequential"),
  refuters: z.int().min(1).max(7).default(3),
  lenses: z.array(z.string().min(1).max(400)).max(7).default([]),
  secondOpinion: z.enum(["when-needed", "always"]).default("when-needed"),
  quietRounds: z.int().min(0).max(5).default(0),
  earlyStop: z.boolean().default(false),
  batchArbiter: z.boolean().default(false),
  costMode: z.enum(["normal", "p0-only"]).default("normal"),
  untouchable: z
    .object({
      rules: z.array(z.string()).optional(),
      cwes: z.array(z.int().min(1)).optional(),
      paths: z.array(z.string()).optional(),
      tags: z.array(z.string()).optional(),
    })
    .default({}),
  budgetTokens: z.int().min(0).default(0),
  confirmAboveTokens: z.int().min(0).default(200_000),
  prices: z.record(z.string(), z.object({ prompt: z.number().min(0), completion: z.number().min(0) })).default({}),
  promptFiles: z
    .record(
      z.string(),
      z.string().refine((file) => path.isAbsolute(file)),
    )
    .default({}),
  severityMap: z.record(z.string(), z.record(z.string(), z.enum(SEVERITIES))).default({}),
  sourceRoots: z.record(z.string(), z.string()).default({}),
  autoTriage: z.boolean().default(false),
  codeLens: z.boolean().default(true),
  publishDiagnostics: z.boolean().default(true),
  languageServers: z.boolean().default(true),
  logLocation: z.enum(["workspace", "extensionStorage"]).default("workspace"),
  logCompatibleRows: z.boolean().default(false),
  evidenceCalls: z.int().min(0).default(8),
  evidenceBytes: z.int().min(1).default(32_768),
  concurrency: z.int().min(1).max(16).default(4),
  idleTimeoutSeconds: z.number().min(1).default(60),
  runCheckers: z.boolean().default(true),
  checkers: z
    .partialRecord(
      z.enum(CHECKER_TOOLS),
      z.string().refine((file) => path.isAbsolute(file)),
    )
    .default({}),
});

const Options = z.object({
  settings: Settings.prefault({}),
  storage: z.string(),
  prompts: z.string(),
  ripgrep: z.string().nullable().default(null),
  trusted: z.boolean().default(false),
  session: z.string().min(1),
});

/** What a client gave at start; rejects with a readable sentence. Members it leaves out get the manifest's defaults. */
export function readOptions(
  given: unknown,
): { kind: "read"; options: InitializationOptions } | { kind: "wrong"; why: string } {
  const parsed = Options.safeParse(given);
  return parsed.success
    ? { kind: "read", options: parsed.data }
    : { kind: "wrong", why: z.prettifyError(parsed.error) };
}

/** Settings as they arrive later; null with a reason where they do not fit, so that the old ones stay. */
export function readSettings(
  given: unknown,
): { kind: "read"; settings: WorkerSettings } | { kind: "wrong"; why: string } {
  const parsed = Settings.safeParse(given);
  return parsed.success
    ? { kind: "read", settings: parsed.data }
    : { kind: "wrong", why: z.prettifyError(parsed.error) };
}
