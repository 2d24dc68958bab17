import * as z from "zod";
import type { WorkerSettings } from "../protocol/worker.ts";
import { SEVERITIES } from "./severities.ts";

/** One parser for each setting: a value that does not fit is replaced by the default of the manifest and named. */
export const SETTING_SHAPES = {
  reviewFiles: z.array(z.string().min(1)),
  model: z.enum(["auto", "built-in", "server"]),
  serverUrl: z.string().regex(/^(https?:\/\/.*)?$/),
  serverModel: z.string(),
  severityMap: z.record(z.string(), z.record(z.string(), z.enum(SEVERITIES))),
  autoTriage: z.boolean(),
  codeLens: z.boolean(),
  publishDiagnostics: z.boolean(),
  logLocation: z.enum(["workspace", "extensionStorage"]),
  logCompatibleRows: z.boolean(),
  evidenceCalls: z.int().min(0).max(50),
  evidenceBytes: z.int().min(1024).max(1_048_576),
  concurrency: z.int().min(1).max(16),
  idleTimeoutSeconds: z.int().min(5).max(600),
} satisfies { readonly [K in keyof WorkerSettings]: z.ZodType<WorkerSettings[K]> };
