import * as vscode from "vscode";
import type { InitializationOptions } from "../protocol/worker.ts";
import { type NetworkSettings, networkVariables } from "./network.ts";
import { findRipgrep } from "./ripgrep.ts";
import { readSettings } from "./settings.ts";
import type { WorkerEvents } from "./workerClient.ts";
import type { Session } from "./workerLife.ts";
import { startSession } from "./workerSession.ts";

// Loaded when the worker is first needed, with the language client and the parsers behind it.

/** Starts a worker process with what it needs to know from the beginning. */
export async function launch(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  events: WorkerEvents,
  closed: () => void,
  /** Id of this editor window, the same for every worker it starts. */
  window: string,
): Promise<Session> {
  const storage = context.storageUri ?? context.globalStorageUri;
  await vscode.workspace.fs.createDirectory(storage);
  const { settings, problems } = readSettings();
  for (const problem of problems) log.warn(problem);
  const options: InitializationOptions = {
    settings,
    storage: storage.fsPath,
    prompts: vscode.Uri.joinPath(context.extensionUri, "prompts").fsPath,
    ripgrep: await findRipgrep(vscode.env.appRoot),
    trusted: vscode.workspace.isTrusted,
    session: window,
  };
  const module = vscode.Uri.joinPath(context.extensionUri, "dist", "worker.cjs").fsPath;
  const network = networkVariables(networkSettings(), process.env);
  const session = await startSession({ module, log, options, events, network, closed });
  log.info(`The worker runs as process ${session.pid ?? "?"}.`);
  return session;
}

/** The editor patches connections of its own process only; the worker's take the same way by these. */
function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  return {
    proxy: http.get<string>("proxy") ?? "",
    proxySupport: http.get<string>("proxySupport") ?? "override",
    noProxy: http.get<readonly string[]>("noProxy") ?? [],
    systemCertificates: http.get<boolean>("systemCertificates") ?? true,
  };
}
