import { type ChildProcess, fork } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CancellationToken,
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
  RequestType,
} from "vscode-languageserver/node";
import { askLanguage, type AskLanguageParams } from "../../src/protocol/language.ts";
import {
  type AskEditorModelParams,
  type AskEditorModelResult,
  askEditorModel,
  type EditorModelRow,
  listEditorModels,
} from "../../src/protocol/models.ts";
import type { PanelState } from "../../src/protocol/panel.ts";
import * as query from "../../src/protocol/query.ts";
import * as wire from "../../src/protocol/worker.ts";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const WORKER = path.join(ROOT, "dist", "worker.cjs");
export const CLI = path.join(ROOT, "dist", "cli.cjs");

/** A temporary copy of the demo workspace with a cache folder beside it; `remove` deletes both. */
export interface DemoCopy {
  readonly root: string;
  readonly cache: string;
  remove(): Promise<void>;
}

export async function copyDemo(): Promise<DemoCopy> {
  const base = await mkdtemp(path.join(os.tmpdir(), "triage-"));
  const root = path.join(base, "demo");
  // A log that somebody's try left behind is not part of the demo.
  const filter = (source: string): boolean => !/[/\\]\.(?:skeptical-triage|great_cto)(?:[/\\]|$)/.test(source);
  await cp(path.join(ROOT, "test/workspaces/demo"), root, { recursive: true, filter });
  return {
    root,
    cache: path.join(base, "cache"),
    remove: async () => await rm(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const SETTINGS: wire.WorkerSettings = {
  reviewFiles: ["**/*.sarif", "**/reviews/**/*.md"],
  model: "built-in",
  serverUrl: "",
  serverModel: "",
  editorModel: "",
  roles: {},
  strategy: "rounds",
  visibility: "sequential",
  refuters: 3,
  lenses: [],
  secondOpinion: "when-needed",
  quietRounds: 0,
  earlyStop: false,
  batchArbiter: false,
  costMode: "normal",
  untouchable: {},
  budgetTokens: 0,
  confirmAboveTokens: 0,
  prices: {},
  promptFiles: {},
  severityMap: {},
  sourceRoots: {},
  autoTriage: false,
  codeLens: true,
  publishDiagnostics: true,
  languageServers: true,
  logLocation: "workspace",
  logCompatibleRows: false,
  evidenceCalls: 8,
  evidenceBytes: 32_768,
  concurrency: 2,
  idleTimeoutSeconds: 30,
  runCheckers: true,
  checkers: {},
};

/** The built worker, forked for real, as the extension's client would. */
export interface WorkerHandle {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  /** Snapshots of the shown finding, in order. */
  readonly states: PanelState[];
  readonly consents: wire.AskConsentParams[];
  /** All findings, also dismissed and suppressed ones, with the first thousand rows. */
  list(): Promise<query.ListGroupsResult & query.ListRowsResult>;
  row(title: string): Promise<wire.FindingRow>;
  state(key: string): Promise<PanelState>;
  triage(params: wire.RunTriageParams): Promise<{ result: wire.RunTriageResult; finished: wire.RunFinishedParams }>;
  decide(params: Partial<wire.DecideParams> & Pick<wire.DecideParams, "key" | "decision">): Promise<wire.DecideResult>;
  /** Sends changed settings. */
  change(settings: Partial<wire.WorkerSettings>): Promise<void>;
  /** The first run that ended, whoever started it. */
  finished(): Promise<wire.RunFinishedParams>;
  /** Resolves when a snapshot of the shown finding fits. */
  until(fits: (state: PanelState) => boolean): Promise<PanelState>;
  stop(): Promise<void>;
}

export interface WorkerStart {
  readonly settings?: Partial<wire.WorkerSettings>;
  readonly trusted?: boolean;
  readonly consent?: boolean;
  readonly session?: string;
  /** Variables of the worker's environment that differ from this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Options for Node itself. */
  readonly execArgv?: readonly string[];
  /** Answers what the worker asks the editor's language servers; left out, the client does not know the message. */
  readonly language?: (params: AskLanguageParams, cancelled: CancellationToken) => unknown;
  /** The editor's own models; left out, the client does not know the messages. */
  readonly editorModels?: EditorModelsOfClient;
}

export interface EditorModelsOfClient {
  readonly rows: readonly EditorModelRow[];
  ask(params: AskEditorModelParams, cancelled: CancellationToken): Promise<AskEditorModelResult>;
}

export async function startWorker(demo: DemoCopy, start: WorkerStart = {}): Promise<WorkerHandle> {
  const child = fork(WORKER, ["--node-ipc"], {
    env: { ...process.env, XDG_CACHE_HOME: demo.cache, ...start.env },
    execArgv: [...(start.execArgv ?? process.execArgv)],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  const states: PanelState[] = [];
  const consents: wire.AskConsentParams[] = [];
  const waiting = new Set<() => void>();
  const finished = new Map<string, wire.RunFinishedParams>();
  connection.onNotification(wire.stateChanged, (state: PanelState) => {
    states.push(state);
    for (const check of waiting) check();
  });
  connection.onNotification(wire.runFinished, (params: wire.RunFinishedParams) => {
    finished.set(params.run, params);
    for (const check of waiting) check();
  });
  connection.onRequest(wire.askConsent, (params: wire.AskConsentParams) => {
    consents.push(params);
    return { granted: start.consent ?? true };
  });
  const { language } = start;
  if (language !== undefined)
    connection.onRequest(askLanguage, (params: AskLanguageParams, token) => language(params, token));
  const { editorModels } = start;
  if (editorModels !== undefined) {
    connection.onRequest(listEditorModels, () => ({ models: editorModels.rows }));
    const asked = new RequestType<AskEditorModelParams, AskEditorModelResult, void>(askEditorModel);
    connection.onRequest(asked, (params, token) => editorModels.ask(params, token));
  }
  for (const method of ["client/registerCapability", "workspace/codeLens/refresh"])
    connection.onRequest(method, () => null);
  connection.listen();
  const uri = pathToFileURL(demo.root).href;
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: "demo" }],
    capabilities: { workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } } },
    initializationOptions: {
      settings: { ...SETTINGS, ...start.settings },
      storage: path.join(demo.cache, "storage"),
      prompts: path.join(ROOT, "prompts"),
      ripgrep: null,
      trusted: start.trusted ?? true,
      session: start.session ?? "window-1",
    } satisfies wire.InitializationOptions,
  });
  await connection.sendNotification("initialized", {});
  const settle = async <T>(find: () => T | undefined): Promise<T> =>
    await new Promise((resolve) => {
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  const list: WorkerHandle["list"] = async () => {
    const all = { ...query.SHOW_ALL, dismissed: true, suppressed: true };
    const page = { query: all, groupBy: "file", group: null, offset: 0, limit: 1000 } satisfies query.ListRowsParams;
    const groups: query.ListGroupsResult = await connection.sendRequest(query.listGroups, page);
    const rows: query.ListRowsResult = await connection.sendRequest(query.listRows, page);
    return { ...groups, ...rows };
  };
  return {
    child,
    connection,
    states,
    consents,
    list,
    async row(title) {
      const found = (await list()).rows.find((row) => row.title.includes(title));
      if (found === undefined) throw new Error(`no finding with '${title}'`);
      return found;
    },
    state: async (key) => await connection.sendRequest(wire.panelState, { key }),
    async triage(params) {
      const result: wire.RunTriageResult = await connection.sendRequest(wire.runTriage, params);
      return { result, finished: await settle(() => finished.get(result.run)) };
    },
    decide: async (params) => await connection.sendRequest(wire.decide, { reason: "", prompt: "", ...params }),
    change: async (settings) =>
      await connection.sendNotification(wire.settingsChanged, { ...SETTINGS, ...start.settings, ...settings }),
    finished: async () => await settle(() => [...finished.values()][0]),
    until: async (fits) => await settle(() => states.find(fits)),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      await connection.sendRequest("shutdown").catch(() => undefined);
      await connection.sendNotification("exit").catch(() => undefined);
      const timer = setTimeout(() => child.kill("SIGKILL"), 3000);
      await gone;
      clearTimeout(timer);
      connection.dispose();
    },
  };
}
