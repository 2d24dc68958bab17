import * as vscode from "vscode";
import type { Application } from "./vscode/application.ts";
import { editorAsker } from "./vscode/asker.ts";
import { challengeFinding } from "./vscode/challenges.ts";
import { registerCommands } from "./vscode/commands.ts";
import { Consent } from "./vscode/consent.ts";
import type { CommandId } from "./vscode/contributions.ts";
import { decide } from "./vscode/decisions.ts";
import { editorSteps } from "./vscode/editorSteps.ts";
import { EditorDiagnostics } from "./vscode/editorDiagnostics.ts";
import { ServerKeys } from "./vscode/keys.ts";
import { runLine } from "./vscode/lines.ts";
import type { LanguageFacts } from "./vscode/languageFacts.ts";
import type { LanguageModels } from "./vscode/languageModels.ts";
import { makeList } from "./vscode/list.ts";
import { MenuContext } from "./vscode/menuContext.ts";
import type { PanelHost } from "./vscode/panel.ts";
import { openLog, openSource, openWorkspaceFile } from "./vscode/reviewCommands.ts";
import { Runs } from "./vscode/runs.ts";
import { triageShown } from "./vscode/triageCommands.ts";
import { Walk } from "./vscode/walk.ts";
import { wire } from "./vscode/wiring.ts";
import { WorkerClient } from "./vscode/workerClient.ts";

/** What the in-editor suite sees; it may put its own answers into `app.ask`. */
export interface TestAccess {
  readonly app: Application;
}

/** Stops the worker of this window; set by `activate`. */
let stop: () => Promise<void> = async () => undefined;

/** Makes the parts and wires them. Starts nothing but a look for review files: the worker comes with the first need. */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const log = vscode.window.createOutputChannel("Skeptical Triage", { log: true });
  const app = makeApplication(context, log);
  context.subscriptions.push(log, app.worker, app.view, app.bar, app.diagnostics, app.menu, app.runs);
  context.subscriptions.push(registerCommands(app), wire(app, context));
  context.subscriptions.push({ dispose: () => app.loadedPanel()?.dispose() });
  stop = () => app.worker.stop();
  return context.extensionMode === vscode.ExtensionMode.Test ? { app } : undefined;
}

/** The editor waits for this: the worker never outlives the window. */
export async function deactivate(): Promise<void> {
  await stop();
}

function makeApplication(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Application {
  const ask = { ...editorAsker };
  const window = crypto.randomUUID();
  const worker: WorkerClient = new WorkerClient({
    log,
    launch: async (events, closed) => {
      await (await import("./vscode/loadClient.ts")).loadClient();
      return await (await import("./vscode/launch.ts")).launch(context, log, events, closed, window);
    },
    greet: async (send) => {
      await keys.send(send);
      await diagnostics.greet(send);
    },
    askConsent: (params) => consent.granted(params),
    askLanguage: async (params, token) => await (await languages()).answer(params, token),
    listEditorModels: async () => await (await models()).list(),
    askEditorModel: async (params, token) => await (await models()).ask(params, token),
    gaveUp: () => void sayGaveUp(),
  });
  async function sayGaveUp(): Promise<void> {
    const text =
      "The background worker of Skeptical Triage crashed several times and is stopped. No finding and no decision is lost.";
    const pressed = await ask.tell("error", text, "Restart", "Show Log");
    if (pressed === "Restart")
      await vscode.commands.executeCommand("skepticalTriage.restartWorker" satisfies CommandId);
    if (pressed === "Show Log") log.show();
  }
  const tell = (method: string, params: unknown): Promise<void> => worker.tell(method, params);
  const consent = new Consent(context.globalState, ask);
  const keys = new ServerKeys({ secrets: context.secrets, state: context.globalState, ask, tell });
  const diagnostics = new EditorDiagnostics(tell, log);
  const menu = new MenuContext();
  const runs = new Runs({ worker, ask });
  let facts: Promise<LanguageFacts> | null = null;
  const languages = (): Promise<LanguageFacts> => (facts ??= loadLanguages());
  let editorModels: Promise<LanguageModels> | null = null;
  const models = (): Promise<LanguageModels> =>
    (editorModels ??= import("./vscode/loadModels.ts").then(({ loadModels }) =>
      loadModels(context.languageModelAccessInformation, consent, tell),
    ));
  let panel: Promise<PanelHost> | null = null;
  let loaded: PanelHost | null = null;
  const app: Application = {
    log,
    ask,
    worker,
    ...makeList(context, worker, log, () => app),
    walk: new Walk(),
    diagnostics,
    menu,
    runs,
    keys,
    consent,
    steps: { ...editorSteps },
    editorModels: models,
    panel: () => (panel ??= loadPanel(context, () => app).then((host) => (loaded = host))),
    loadedPanel: () => loaded,
  };
  return app;
}

async function loadLanguages(): Promise<LanguageFacts> {
  const { LanguageFacts } = await import("./vscode/languageFacts.ts");
  return new LanguageFacts((await import("./vscode/languageHost.ts")).languageHost);
}

async function loadPanel(
  { extensionUri }: vscode.ExtensionContext,
  application: () => Application,
): Promise<PanelHost> {
  const { PanelHost } = await import("./vscode/panel.ts");
  const app = application();
  const { worker, log, ask } = app;
  return new PanelHost({
    worker,
    log,
    extensionUri,
    triage: async (key) => await triageShown(app, key),
    challenge: async (key, how) => await challengeFinding(app, key, how),
    rebut: async (key, artefacts) => {
      const answered = await worker.rebut({ key, artefacts });
      return answered.kind === "refused" ? answered.why : null;
    },
    cancel: (key) => worker.cancelTriage({ keys: [key] }),
    decide: (key, decision, reason) => decide({ worker, ask }, key, decision, reason),
    runLine: async (key, line) => await runLine({ worker, ask }, key, line),
    stopLine: async (key) => await worker.stopLine({ key }),
    openFile: openWorkspaceFile,
    openSource,
    openLog: (key, besides) => openLog(app, key, besides),
  });
}
