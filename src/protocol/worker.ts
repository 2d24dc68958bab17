import type { CheckerTool } from "../core/checkerClaim.ts";
import type { FindingStatus, PlaceStatus, Severity } from "../core/finding.ts";
import type { Challenge, Method, ModelRole } from "../core/method.ts";
import type { Artefact } from "../core/opinion.ts";
import type { Action, State } from "../core/outcome.ts";
import type { RootSuggestion } from "../core/sourceRoots.ts";
import type { PanelState } from "./panel.ts";

// Messages that the language server protocol lacks. A block a message: its params, its result, its method,
// and above it who sends it and when. The prefix is the product's name. Paths are absolute unless said otherwise.

/** Sent by the client in `initializationOptions`, and again by `settingsChanged`. Every member has a default in package.json. */
export interface WorkerSettings {
  /** Globs, relative to each workspace folder. */
  readonly reviewFiles: readonly string[];
  readonly model: "auto" | "built-in" | "server" | "editor";
  /** Machine-scoped; empty where none is set. */
  readonly serverUrl: string;
  readonly serverModel: string;
  /** `vendor/id` of one of the editor's own models; empty: the first it offers. */
  readonly editorModel: string;
  /** Machine-scoped: models of their own for single roles. */
  readonly roles: Readonly<Partial<Record<ModelRole, RoleModel>>>;
  readonly strategy: Method["strategy"];
  readonly visibility: Method["visibility"];
  readonly refuters: number;
  readonly lenses: readonly string[];
  readonly secondOpinion: Method["secondOpinion"];
  readonly quietRounds: number;
  readonly earlyStop: boolean;
  /** One arbiter call for several findings whose cruxes are independent (C11). */
  readonly batchArbiter: boolean;
  /** `p0-only`: P1 goes to the rounds only when asked for (R0.7). */
  readonly costMode: "normal" | "p0-only";
  /** Findings that the program never closes alone, by any of these. */
  readonly untouchable: Untouchable;
  /** Tokens one run may spend; 0: no limit. */
  readonly budgetTokens: number;
  /** A run that may spend more tokens than this asks first; 0: never. */
  readonly confirmAboveTokens: number;
  /** Money per million tokens, by model name, in the person's own currency. */
  readonly prices: Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>;
  /** Machine-scoped: absolute paths of prompt files that replace ours, by prompt id. */
  readonly promptFiles: Readonly<Record<string, string>>;
  readonly severityMap: Readonly<Record<string, Readonly<Record<string, Severity>>>>;
  /** Beginnings of cited paths, or `%BASE_ID%`, to workspace-relative folders. */
  readonly sourceRoots: Readonly<Record<string, string>>;
  readonly autoTriage: boolean;
  readonly codeLens: boolean;
  readonly publishDiagnostics: boolean;
  /** Whether the editor's language servers are asked during a triage. */
  readonly languageServers: boolean;
  readonly logLocation: "workspace" | "extensionStorage";
  readonly logCompatibleRows: boolean;
  readonly evidenceCalls: number;
  readonly evidenceBytes: number;
  readonly concurrency: number;
  readonly idleTimeoutSeconds: number;
  /** False: no program is started, neither a checker nor a reproduction. */
  readonly runCheckers: boolean;
  /** Machine-scoped: absolute paths of checkers by their name. */
  readonly checkers: Readonly<Partial<Record<CheckerTool, string>>>;
}

/** The model of one role: a server's, or one of the editor's own as `vendor/id`. */
export type RoleModel = { readonly serverUrl: string; readonly serverModel: string } | { readonly editorModel: string };

/** What the program never closes alone: rule ids, CWE numbers, globs of paths, tags of rules. */
export interface Untouchable {
  readonly rules?: readonly string[] | undefined;
  readonly cwes?: readonly number[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface InitializationOptions {
  readonly settings: WorkerSettings;
  /** Folder for this workspace's own data outside the workspace (journal, log when it may not be in the workspace). */
  readonly storage: string;
  /** Folder of the prompt files shipped with the extension. */
  readonly prompts: string;
  /** ripgrep as the editor ships it; null where not found. */
  readonly ripgrep: string | null;
  readonly trusted: boolean;
  /** Id of this editor window; a worker that is started anew goes on with the same chain in the log (ruling 20). */
  readonly session: string;
}

/** Client -> worker notification, after a change of any of our settings. */
export const settingsChanged = "skepticalTriage/settingsChanged";

/** Client -> worker notification: the stored key for a server, after start and after each change. `key` null: deleted. Never logged. */
export const keyChanged = "skepticalTriage/keyChanged";
export interface KeyChangedParams {
  /** Origin (`https://host:port`) the key was entered for. */
  readonly origin: string;
  readonly key: string | null;
}

/** Client -> worker notification, debounced: all diagnostics of one document by sources other than ours. */
export const diagnosticsChanged = "skepticalTriage/diagnosticsChanged";
export interface DiagnosticsChangedParams {
  readonly uri: string;
  readonly diagnostics: readonly EditorDiagnostic[];
}
/** 0-based LSP positions. */
export interface EditorDiagnostic {
  readonly range: {
    readonly start: { line: number; character: number };
    readonly end: { line: number; character: number };
  };
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly source: string | null;
  readonly code: string | null;
  readonly codeHref: string | null;
  readonly message: string;
  readonly tags: readonly ("unnecessary" | "deprecated")[];
  readonly related: readonly { readonly uri: string; readonly line: number; readonly message: string }[];
}

/** Client -> worker request: read this review file now, whatever the glob says (command, explorer menu). */
export const openReview = "skepticalTriage/openReview";
export interface OpenReviewParams {
  readonly path: string;
}
export interface OpenReviewResult {
  readonly path: string;
  readonly format: string;
  readonly keys: readonly string[];
  readonly unread: number;
  /** Why nothing could be read; null where the file was read. */
  readonly problem: string | null;
}

/** One row of the Findings view. Text is cleaned for display. */
export interface FindingRow {
  readonly key: string;
  readonly severity: Severity;
  readonly shownSeverity: Severity;
  readonly title: string;
  /** Workspace-relative; null where the finding names none. */
  readonly file: string | null;
  /** Absolute path to open; null where there is nothing to open. */
  readonly absolute: string | null;
  readonly line: number | null;
  readonly tool: string;
  readonly rule: string | null;
  readonly state: State;
  readonly action: Action | null;
  readonly decision: "confirmed" | "dismissed" | null;
  readonly status: FindingStatus;
  readonly place: PlaceStatus;
  readonly hard: boolean;
  /** The words of the code lens: "P1 · not triaged". */
  readonly summary: string;
  readonly clusterSize: number;
  /** Findings of live editor diagnostics are listed only when triaged or asked for. */
  readonly fromEditor: boolean;
}

/** Client -> worker request: findings whose place covers a 1-based line of a document (right-click, lightbulb). */
export const findingsAt = "skepticalTriage/findingsAt";
export interface FindingsAtParams {
  readonly uri: string;
  readonly line: number;
}
export interface FindingsAtResult {
  readonly rows: readonly FindingRow[];
}

/** Client -> worker request: start triage. Answers at once with the keys that were queued and why others were not. */
export const runTriage = "skepticalTriage/runTriage";
export type RunTriageParams = (
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "review"; readonly path: string }
  /** All open, untriaged P0 and P1. */
  | { readonly kind: "open" }
) & {
  /** What the person wants other than the settings say. */
  readonly how?: Challenge | undefined;
};
export interface RunTriageResult {
  /** Id of the run: `runFinished` names it. */
  readonly run: string;
  readonly queued: readonly string[];
  readonly refused: readonly { readonly key: string; readonly why: string }[];
}

/** Client -> worker request: what a triage may come to, before it starts. Nothing is asked of a model for it. */
export const estimateRun = "skepticalTriage/estimateRun";
export interface EstimateRunResult {
  /** Findings that a model would be asked about. */
  readonly findings: number;
  /** Name of the model; null where none is asked. */
  readonly model: string | null;
  readonly calls: number;
  /** Tokens. */
  readonly prompt: number;
  readonly completion: number;
  /** In the person's own currency, by the prices in the settings; null without. */
  readonly money: number | null;
  /** Null where no call has been measured in this session. */
  readonly durationMs: number | null;
  /** All of it in words, with what it rests on. */
  readonly text: string;
  /** True where it is more than the settings let run unasked. */
  readonly asks: boolean;
}

/** Worker -> client notification: a run ended; one sentence for the person. */
export const runFinished = "skepticalTriage/runFinished";
export interface RunFinishedParams {
  readonly run: string;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Not begun, because the run's budget of tokens was spent (R4.23). */
  readonly left: number;
  readonly text: string;
}

/** Worker -> client notification: how far a run is. */
export const runProgress = "skepticalTriage/runProgress";
export interface RunProgressParams {
  readonly run: string;
  readonly done: number;
  readonly total: number;
  /** "round 2 of 3 · src/cart.ts:14" */
  readonly text: string;
}

/** Client -> worker request: stop the triage of these findings, or of all. Returns when nothing of them runs any more. */
export const cancelTriage = "skepticalTriage/cancelTriage";
export interface CancelTriageParams {
  /** Null: everything. */
  readonly keys: readonly string[] | null;
}

/** Client -> worker request: the panel's snapshot of one finding; null where there is no such finding. */
export const panelState = "skepticalTriage/panelState";
export interface PanelStateParams {
  readonly key: string;
}
export type PanelStateResult = PanelState | null;

/** Client -> worker notification: which finding a panel shows now (null: none), so that `stateChanged` comes for it. */
export const panelShows = "skepticalTriage/panelShows";
export interface PanelShowsParams {
  readonly key: string | null;
}

/** Worker -> client notification, at most ten a second: the shown finding changed. */
export const stateChanged = "skepticalTriage/stateChanged";
export type StateChangedParams = PanelState;

/** Worker -> client notification, debounced: rows, counts or lenses changed; the view asks for them again. */
export const findingsChanged = "skepticalTriage/findingsChanged";
export interface FindingsChangedParams {
  readonly total: number;
  readonly waiting: number;
  /** Findings whose file the workspace lacks. */
  readonly unplaced: number;
  /** Absolute paths of files that hold findings: for the context key of the editor menu. */
  readonly files: readonly string[];
}

/** Client -> worker request: mappings of source roots that would give findings their file. With `tried`, what that one would do. */
export const suggestRoots = "skepticalTriage/suggestRoots";
export interface SuggestRootsParams {
  readonly tried: { readonly from: string; readonly to: string } | null;
}
export interface SuggestRootsResult {
  /** Findings whose file the workspace lacks now. */
  readonly missing: number;
  /** A path that one of them cites; empty where there is none. */
  readonly example: string;
  /** The mapping with the most fixes first. */
  readonly suggestions: readonly RootSuggestion[];
}

/** Client -> worker request: a person's decision. The worker answers only after the record is on disk. */
export const decide = "skepticalTriage/decide";
export interface DecideParams {
  readonly key: string;
  readonly decision: "confirm" | "dismiss" | "reopen";
  readonly reason: string;
  /** The exact sentence the person agreed to, shown beside the button or in the modal (R1.21). */
  readonly prompt: string;
}
export type DecideResult = { readonly kind: "settled" } | { readonly kind: "refused"; readonly why: string };

/**
 * Client -> worker request: objective artefacts against a second opinion that asks for a fix, once (R1.25). Answers when the same conversation
 * has answered and the result is on disk.
 */
export const rebut = "skepticalTriage/rebut";
export interface RebutParams {
  readonly key: string;
  readonly artefacts: readonly Artefact[];
}
export type RebutResult = DecideResult;

/** Worker -> client request: before code leaves the machine for the first time to a server (ruling 32). */
export const askConsent = "skepticalTriage/askConsent";
export interface AskConsentParams {
  readonly origin: string;
  readonly model: string;
}
export interface AskConsentResult {
  readonly granted: boolean;
}

/** Client -> worker request: checks the chains of all logs of the workspace. */
export const verifyLog = "skepticalTriage/verifyLog";
export interface VerifyLogResult {
  readonly path: string | null;
  readonly records: number;
  readonly problem: string | null;
}

/** Client -> worker request: the log file and the line (1-based) of a finding's last record; null where there is none. */
export const logPlace = "skepticalTriage/logPlace";
export interface LogPlaceParams {
  readonly key: string | null;
}
export type LogPlaceResult = { readonly path: string; readonly line: number } | null;
