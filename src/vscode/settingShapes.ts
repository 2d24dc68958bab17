import { isAbsolute } from "node:path";
import * as z from "zod/mini";
import type { WorkerSettings } from "../protocol/worker.ts";
import { CHECKER_TOOLS } from "./checkerTools.ts";
import { SEVERITIES } from "./severities.ts";

/** One parser for each setting: a value that does not fit is replaced by the default of the manifest and named. */
export const SETTING_SHAPES = {
  reviewFiles: z.array(z.string().check(z.minLength(1))),
  model: z.enum(["auto", "built-in", "server", "editor"]),
  serverUrl: z.string().check(z.regex(/^(https?:\/\/.*)?$/)),
  serverModel: z.string(),
  editorModel: z.string(),
  roles: z.partialRecord(
    z.enum(["arbiter", "secondOpinion", "fallback"]),
    z.union([
      z.strictObject({
        serverUrl: z.string().check(z.regex(/^https?:\/\/.+$/)),
        serverModel: z.string().check(z.minLength(1)),
      }),
      z.strictObject({ editorModel: z.string().check(z.minLength(1)) }),
    ]),
  ),
  strategy: z.enum(["rounds", "refute", "verdict"]),
  visibility: z.enum(["sequential", "blind"]),
  refuters: z.int().check(z.minimum(2), z.maximum(7)),
  lenses: z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.maxLength(7)),
  secondOpinion: z.enum(["when-needed", "always"]),
  quietRounds: z.int().check(z.minimum(0), z.maximum(5)),
  earlyStop: z.boolean(),
  batchArbiter: z.boolean(),
  costMode: z.enum(["normal", "p0-only"]),
  untouchable: z.strictObject({
    rules: z.optional(z.array(z.string())),
    cwes: z.optional(z.array(z.int().check(z.minimum(1)))),
    paths: z.optional(z.array(z.string())),
    tags: z.optional(z.array(z.string())),
  }),
  budgetTokens: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  confirmAboveTokens: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  prices: z.record(
    z.string(),
    z.strictObject({ prompt: z.number().check(z.minimum(0)), completion: z.number().check(z.minimum(0)) }),
  ),
  promptFiles: z.record(z.string(), z.string().check(z.refine(isAbsolute, "not an absolute path"))),
  severityMap: z.record(z.string(), z.record(z.string(), z.enum(SEVERITIES))),
  sourceRoots: z.record(z.string(), z.string()),
  autoTriage: z.boolean(),
  codeLens: z.boolean(),
  publishDiagnostics: z.boolean(),
  languageServers: z.boolean(),
  logLocation: z.enum(["workspace", "extensionStorage"]),
  logCompatibleRows: z.boolean(),
  evidenceCalls: z.int().check(z.minimum(0), z.maximum(50)),
  evidenceBytes: z.int().check(z.minimum(1024), z.maximum(1_048_576)),
  concurrency: z.int().check(z.minimum(1), z.maximum(16)),
  idleTimeoutSeconds: z.int().check(z.minimum(5), z.maximum(600)),
  runCheckers: z.boolean(),
  checkers: z.partialRecord(z.enum(CHECKER_TOOLS), z.string().check(z.refine(isAbsolute, "not an absolute path"))),
} satisfies { readonly [K in keyof WorkerSettings]: z.ZodMiniType<WorkerSettings[K]> };
