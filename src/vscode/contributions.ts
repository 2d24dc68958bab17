import type { WorkerSettings } from "../protocol/worker.ts";

// The names that the manifest and the code share. `test/house/manifest.test.ts` holds both against each other, both ways.

/** Section of our settings and prefix of every id. */
export const SECTION = "skepticalTriage";

/** Commands of the manifest. Arguments are optional for all of them: what is missing is taken from panel, selection, cursor or a pick. */
export const COMMANDS = [
  "skepticalTriage.triageFinding",
  "skepticalTriage.triageFindingsInFile",
  "skepticalTriage.triageGroup",
  "skepticalTriage.triageOpen",
  "skepticalTriage.challengeWithRefuters",
  "skepticalTriage.challengeWithSecondOpinion",
  "skepticalTriage.challengeWithOtherModel",
  "skepticalTriage.openReviewFile",
  "skepticalTriage.openPanel",
  "skepticalTriage.confirmFinding",
  "skepticalTriage.dismissFinding",
  "skepticalTriage.reopenFinding",
  "skepticalTriage.cancelTriage",
  "skepticalTriage.cancelAll",
  "skepticalTriage.refresh",
  "skepticalTriage.groupByFile",
  "skepticalTriage.groupByRule",
  "skepticalTriage.groupBySeverity",
  "skepticalTriage.groupByTool",
  "skepticalTriage.groupByState",
  "skepticalTriage.showDismissed",
  "skepticalTriage.hideDismissed",
  "skepticalTriage.showSuppressed",
  "skepticalTriage.hideSuppressed",
  "skepticalTriage.filterFindings",
  "skepticalTriage.filterBy",
  "skepticalTriage.clearFilter",
  "skepticalTriage.saveFilter",
  "skepticalTriage.applySavedFilter",
  "skepticalTriage.deleteSavedFilter",
  "skepticalTriage.nextFinding",
  "skepticalTriage.previousFinding",
  "skepticalTriage.nextUntriaged",
  "skepticalTriage.previousUntriaged",
  "skepticalTriage.showUnread",
  "skepticalTriage.mapSourceRoot",
  "skepticalTriage.setServerKey",
  "skepticalTriage.deleteServerKey",
  "skepticalTriage.forgetConsent",
  "skepticalTriage.listCheckers",
  "skepticalTriage.acceptedLines",
  "skepticalTriage.showLog",
  "skepticalTriage.openTriageLog",
  "skepticalTriage.verifyLog",
  "skepticalTriage.restartWorker",
] as const;
export type CommandId = (typeof COMMANDS)[number];

/** Commands that only our own tree rows run; they stand in no menu and in no palette. */
export const INTERNAL_COMMANDS = [
  "_skepticalTriage.loadMore",
  "_skepticalTriage.openRow",
  "_skepticalTriage.openUnread",
] as const;
export type InternalCommandId = (typeof INTERNAL_COMMANDS)[number];

/** Context keys that `when` clauses of the manifest may read. */
export const CONTEXT_KEYS = {
  /** Paths of files that hold findings or diagnostics of others, for the menu of the editor. */
  files: "skepticalTriage.files",
  groupBy: "skepticalTriage.groupBy",
  showDismissed: "skepticalTriage.showDismissed",
  showSuppressed: "skepticalTriage.showSuppressed",
  running: "skepticalTriage.running",
  worker: "skepticalTriage.worker",
  /** Some condition of the filter is set. */
  filtering: "skepticalTriage.filtering",
  /** Why the view is empty: `none`, `closed` or `filter`; unset while it is not. */
  empty: "skepticalTriage.empty",
  /** Some findings lack their file. */
  unplaced: "skepticalTriage.unplaced",
  hasFindings: "skepticalTriage.hasFindings",
} as const;

export const VIEW_CONTAINER = "skepticalTriage";
export const FILTER_VIEW = "skepticalTriage.filter";
export const FINDINGS_VIEW = "skepticalTriage.findings";
/** The menu in the title of the view; its conditions read the context key of the same name. */
export const GROUP_BY_MENU = "skepticalTriage.groupBy";
/** The menu "Challenge Again" of a finding in the view and of a line in the editor. */
export const CHALLENGE_MENU = "skepticalTriage.challenge";
/**
 * Default keys, for windows that hold findings. They stand beside the editor's F8 for problems; none is taken by the editor
 * itself, and none by the usual desktops (Ctrl+Alt+F8 is a console of Linux, Alt+F9 a window command).
 */
export const KEYBINDINGS = [
  { command: "skepticalTriage.nextFinding", key: "ctrl+f8", mac: "cmd+f8" },
  { command: "skepticalTriage.previousFinding", key: "ctrl+shift+f8", mac: "cmd+shift+f8" },
  { command: "skepticalTriage.nextUntriaged", key: "ctrl+k f8", mac: "cmd+k f8" },
  { command: "skepticalTriage.previousUntriaged", key: "ctrl+k shift+f8", mac: "cmd+k shift+f8" },
] as const satisfies readonly { readonly command: CommandId; readonly key: string; readonly mac: string }[];

export const PANEL_TYPE = "skepticalTriage.panel";

/** Every setting, by its name below the section; each is a member of `WorkerSettings`. */
export const SETTINGS = {
  reviewFiles: true,
  model: true,
  serverUrl: true,
  serverModel: true,
  editorModel: true,
  roles: true,
  strategy: true,
  visibility: true,
  refuters: true,
  lenses: true,
  secondOpinion: true,
  quietRounds: true,
  earlyStop: true,
  batchArbiter: true,
  costMode: true,
  untouchable: true,
  budgetTokens: true,
  confirmAboveTokens: true,
  prices: true,
  promptFiles: true,
  severityMap: true,
  sourceRoots: true,
  autoTriage: true,
  codeLens: true,
  publishDiagnostics: true,
  languageServers: true,
  logLocation: true,
  logCompatibleRows: true,
  evidenceCalls: true,
  evidenceBytes: true,
  concurrency: true,
  idleTimeoutSeconds: true,
  runCheckers: true,
  checkers: true,
} as const satisfies Record<keyof WorkerSettings, true>;

/** Settings a repository must not choose (ruling 31): servers, models, programs. Machine scope, and ignored in untrusted workspaces. */
export const MACHINE_SETTINGS = [
  "model",
  "serverUrl",
  "serverModel",
  "editorModel",
  "roles",
  "lenses",
  "untouchable",
  "budgetTokens",
  "confirmAboveTokens",
  "promptFiles",
  "checkers",
] as const satisfies readonly (keyof WorkerSettings)[];
