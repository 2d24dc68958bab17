import * as vscode from "vscode";
import { settingsChanged } from "../protocol/worker.ts";
import type { Application } from "./application.ts";
import { CONTEXT_KEYS, PANEL_TYPE, SECTION } from "./contributions.ts";
import { LIGHTBULB_KINDS, lightbulb } from "./lightbulb.ts";
import { quietly as logQuietly } from "./quietly.ts";
import { Starter } from "./starter.ts";

const NETWORK = ["http.proxy", "http.proxySupport", "http.noProxy", "http.systemCertificates"];

/** Who hears of what: everything that happens without a command. Each listener dies with the returned disposable. */
export function wire(app: Application, context: vscode.ExtensionContext): vscode.Disposable {
  const { worker, store, view, filter, keys, menu } = app;
  const quietly = (doing: Promise<unknown>): void => logQuietly(app.log, doing);
  const starter = new Starter(() => quietly(worker.start()));
  const renew = renewer(worker, quietly);
  quietly(filter.restore());
  quietly(starter.look());
  if (view.visible) quietly(worker.start());
  return vscode.Disposable.from(
    starter,
    worker.onFindingsChanged(({ files, unplaced }) => {
      void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.unplaced, unplaced > 0);
      menu.setFindingFiles(files);
      quietly(store.reload());
    }),
    worker.onDidChangeState((state) => {
      if (state !== "idle") starter.dispose();
      if (state === "running") quietly(store.reload());
    }),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible && worker.state === "idle") quietly(worker.start());
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) quietly(sendSettings(app));
      // Proxy and certificates are part of the worker's environment.
      if (NETWORK.some((name) => event.affectsConfiguration(name))) renew();
    }),
    context.secrets.onDidChange(() => quietly(keys.send((method, params) => worker.tell(method, params)))),
    // What an untrusted folder forbade is decided at the start of the worker.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (worker.state === "running") quietly(worker.restart());
    }),
    vscode.languages.registerCodeActionsProvider({ scheme: "file" }, lightbulb, LIGHTBULB_KINDS),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      async deserializeWebviewPanel(panel, kept: unknown) {
        await (await app.panel()).restore(panel, kept);
      },
    }),
  );
}

/** Starts the worker anew, one time after the other; where it comes up just now, once it is there. */
function renewer(worker: Application["worker"], quietly: (doing: Promise<unknown>) => void): () => void {
  let waiting = false;
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    if (waiting || worker.state === "idle" || worker.state === "down") return;
    waiting = true;
    last = last.then(async () => {
      waiting = false;
      await worker.restart().catch(() => undefined);
    });
    quietly(last);
  };
}

/** Sends settings to a running worker; a new one reads them itself. */
async function sendSettings({ worker, keys, log }: Application): Promise<void> {
  if (worker.state !== "running") return;
  const { readSettings } = await import("./settings.ts");
  const { settings, problems } = readSettings();
  for (const problem of problems) log.warn(problem);
  await worker.tell(settingsChanged, settings);
  await keys.send((method, params) => worker.tell(method, params));
}
