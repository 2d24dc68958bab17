import * as vscode from "vscode";
import * as z from "zod";
import type { WorkerSettings } from "../protocol/worker.ts";
import { SECTION } from "./contributions.ts";
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

export interface SettingsReading {
  readonly settings: WorkerSettings;
  /** One sentence for each value that was not understood. */
  readonly problems: readonly string[];
}

/** Reads all settings of the window. Never throws: what does not fit falls back to its default. */
export function readSettings(): SettingsReading {
  const section = vscode.workspace.getConfiguration(SECTION);
  const problems: string[] = [];
  function read<K extends keyof WorkerSettings>(name: K, shape: z.ZodType<WorkerSettings[K]>): WorkerSettings[K] {
    const parsed = shape.safeParse(section.get(name));
    if (parsed.success) return parsed.data;
    problems.push(`Setting ${SECTION}.${name} is not used: ${z.prettifyError(parsed.error)}`);
    return shape.parse(section.inspect(name)?.defaultValue);
  }
  const settings: WorkerSettings = {
    reviewFiles: read("reviewFiles", SETTING_SHAPES.reviewFiles),
    model: read("model", SETTING_SHAPES.model),
    serverUrl: read("serverUrl", SETTING_SHAPES.serverUrl).trim(),
    serverModel: read("serverModel", SETTING_SHAPES.serverModel).trim(),
    severityMap: read("severityMap", SETTING_SHAPES.severityMap),
    autoTriage: read("autoTriage", SETTING_SHAPES.autoTriage),
    codeLens: read("codeLens", SETTING_SHAPES.codeLens),
    publishDiagnostics: read("publishDiagnostics", SETTING_SHAPES.publishDiagnostics),
    logLocation: read("logLocation", SETTING_SHAPES.logLocation),
    logCompatibleRows: read("logCompatibleRows", SETTING_SHAPES.logCompatibleRows),
    evidenceCalls: read("evidenceCalls", SETTING_SHAPES.evidenceCalls),
    evidenceBytes: read("evidenceBytes", SETTING_SHAPES.evidenceBytes),
    concurrency: read("concurrency", SETTING_SHAPES.concurrency),
    idleTimeoutSeconds: read("idleTimeoutSeconds", SETTING_SHAPES.idleTimeoutSeconds),
  };
  return { settings, problems };
}
