import * as vscode from "vscode";
import * as z from "zod/mini";
import type { WorkerSettings } from "../protocol/worker.ts";
import { SECTION } from "./contributions.ts";
import { SETTING_SHAPES } from "./settingShapes.ts";

export interface SettingsReading {
  readonly settings: WorkerSettings;
  /** One sentence for each value that was not understood. */
  readonly problems: readonly string[];
}

/** Reads all settings of the window. Never throws: what does not fit falls back to its default. */
export function readSettings(): SettingsReading {
  const section = vscode.workspace.getConfiguration(SECTION);
  const problems: string[] = [];
  function read<K extends keyof WorkerSettings>(name: K, shape: z.ZodMiniType<WorkerSettings[K]>): WorkerSettings[K] {
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
    editorModel: read("editorModel", SETTING_SHAPES.editorModel).trim(),
    roles: read("roles", SETTING_SHAPES.roles),
    strategy: read("strategy", SETTING_SHAPES.strategy),
    visibility: read("visibility", SETTING_SHAPES.visibility),
    refuters: read("refuters", SETTING_SHAPES.refuters),
    lenses: read("lenses", SETTING_SHAPES.lenses),
    secondOpinion: read("secondOpinion", SETTING_SHAPES.secondOpinion),
    quietRounds: read("quietRounds", SETTING_SHAPES.quietRounds),
    earlyStop: read("earlyStop", SETTING_SHAPES.earlyStop),
    batchArbiter: read("batchArbiter", SETTING_SHAPES.batchArbiter),
    costMode: read("costMode", SETTING_SHAPES.costMode),
    untouchable: read("untouchable", SETTING_SHAPES.untouchable),
    budgetTokens: read("budgetTokens", SETTING_SHAPES.budgetTokens),
    confirmAboveTokens: read("confirmAboveTokens", SETTING_SHAPES.confirmAboveTokens),
    prices: read("prices", SETTING_SHAPES.prices),
    promptFiles: read("promptFiles", SETTING_SHAPES.promptFiles),
    severityMap: read("severityMap", SETTING_SHAPES.severityMap),
    sourceRoots: read("sourceRoots", SETTING_SHAPES.sourceRoots),
    autoTriage: read("autoTriage", SETTING_SHAPES.autoTriage),
    codeLens: read("codeLens", SETTING_SHAPES.codeLens),
    publishDiagnostics: read("publishDiagnostics", SETTING_SHAPES.publishDiagnostics),
    languageServers: read("languageServers", SETTING_SHAPES.languageServers),
    logLocation: read("logLocation", SETTING_SHAPES.logLocation),
    logCompatibleRows: read("logCompatibleRows", SETTING_SHAPES.logCompatibleRows),
    evidenceCalls: read("evidenceCalls", SETTING_SHAPES.evidenceCalls),
    evidenceBytes: read("evidenceBytes", SETTING_SHAPES.evidenceBytes),
    concurrency: read("concurrency", SETTING_SHAPES.concurrency),
    idleTimeoutSeconds: read("idleTimeoutSeconds", SETTING_SHAPES.idleTimeoutSeconds),
    runCheckers: read("runCheckers", SETTING_SHAPES.runCheckers),
    checkers: read("checkers", SETTING_SHAPES.checkers),
  };
  return { settings, problems };
}
