import type { WorkerSettings } from "../protocol/worker.ts";

// The names that the manifest and the code share. `test/house/manifest.test.ts` holds both against each other, both ways.

/** Section of our settings and prefix of every id. */
export const SECTION = "skepticalTriage";

/** Commands of the manifest. Arguments are optional for all of them: what is missing is taken from panel, selection, cursor or a pick. */
export const COMMANDS = [
  "skepticalTriage.triageFinding",
  "skepticalTriage.triageFindingsInFile",
  "skepticalTriage.triageOpen",
  "skepticalTriage.openReviewFile",
  "skepticalTriage.openPanel",
  "skepticalTriage.confirmFinding",
  "skepticalTriage.dismissFinding",
  "skepticalTriage.reopenFinding",
  "skepticalTriage.cancelTriage",
  "skepticalTriage.cancelAll",
  "skepticalTriage.refresh",
  "skepticalTriage.groupByFile",
  "skepticalTriage.groupBySeverity",
  "skepticalTriage.showDismissed",
  "skepticalTriage.hideDismissed",
  "skepticalTriage.showUnread",
  "skepticalTriage.setServerKey",
  "skepticalTriage.deleteServerKey",
  "skepticalTriage.forgetConsent",
  "skepticalTriage.showLog",
  "skepticalTriage.openTriageLog",
  "skepticalTriage.verifyLog",
  "skepticalTriage.restartWorker",
] as const;
export type CommandId = (typeof COMMANDS)[number];

/** Commands that only our own tree rows run; they stand in no menu and in no palette. */
export const INTERNAL_COMMANDS = ["_skepticalTriage.loadMore", "_skepticalTriage.openUnread"] as const;
export type InternalCommandId = (typeof INTERNAL_COMMANDS)[number];

/** Context keys that `when` clauses of the manifest may read. */
export const CONTEXT_KEYS = {
  /** Paths of files that hold findings or diagnostics of others, for the menu of the editor. */
  files: "skepticalTriage.files",
  groupBy: "skepticalTriage.groupBy",
  showDismissed: "skepticalTriage.showDismissed",
  running: "skepticalTriage.running",
  worker: "skepticalTriage.worker",
  hiddenDismissed: "skepticalTriage.hiddenDismissed",
} as const;

export const VIEW_CONTAINER = "skepticalTriage";
export const FINDINGS_VIEW = "skepticalTriage.findings";
export const PANEL_TYPE = "skepticalTriage.panel";

/** Every setting, by its name below the section; each is a member of `WorkerSettings`. */
export const SETTINGS = {
  reviewFiles: true,
  model: true,
  serverUrl: true,
  serverModel: true,
  severityMap: true,
  autoTriage: true,
  codeLens: true,
  publishDiagnostics: true,
  logLocation: true,
  logCompatibleRows: true,
  evidenceCalls: true,
  evidenceBytes: true,
  concurrency: true,
  idleTimeoutSeconds: true,
} as const satisfies Record<keyof WorkerSettings, true>;

/** Settings a repository must not choose (ruling 31): machine scope, and ignored in untrusted workspaces. */
export const MACHINE_SETTINGS = [
  "model",
  "serverUrl",
  "serverModel",
] as const satisfies readonly (keyof WorkerSettings)[];
