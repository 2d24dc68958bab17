import type * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient/node";
import { CloseAction, ErrorAction, LanguageClient, RequestType, TransportKind } from "vscode-languageclient/node";
import { askLanguage, type AskLanguageResult } from "../protocol/language.ts";
import {
  type AskEditorModelParams,
  type AskEditorModelResult,
  askEditorModel,
  listEditorModels,
} from "../protocol/models.ts";
import type { InitializationOptions } from "../protocol/worker.ts";
import * as wire from "../protocol/worker.ts";
import { isOurs, markAsOurs } from "./diagnosticSource.ts";
import { secretNames } from "./environment.ts";
import type { WorkerEvents } from "./workerClient.ts";
import type { Session } from "./workerLife.ts";
import { WorkerDown } from "./workerLife.ts";

// Loaded only when the worker is first needed: the language client is most of the extension's code (ruling 38).

type ChildProcess = NonNullable<LanguageClient["serverProcess"]>;

/** How long a worker may take to shut down, and then to end. */
const STOP_TIMEOUT_MS = 2000;

/** A worker that does not answer `initialize` in this time is ended and counts as crashed. */
const START_TIMEOUT_MS = 30_000;

export interface SessionPorts {
  /** Absolute path of the bundled worker. */
  readonly module: string;
  readonly log: vscode.LogOutputChannel;
  readonly options: InitializationOptions;
  readonly events: WorkerEvents;
  /** Variables that give the worker the editor's way to the network; undefined takes one out. */
  readonly network: Readonly<Record<string, string | undefined>>;
  /** The process ended unasked after it had started. */
  readonly closed: () => void;
}

/** Keeps every word of the client in the log: what the person hears, and when, is decided in `workerClient.ts`. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

interface Life {
  started: boolean;
  closed: boolean;
}

/** Starts one worker process as a language server; rejects where it does not come up. Restarting is up to the caller. */
export async function startSession(ports: SessionPorts): Promise<Session> {
  const life: Life = { started: false, closed: false };
  const options = clientOptions(ports, life);
  const client = new QuietClient("skepticalTriage", "Skeptical Triage", serverOptions(ports), options);
  listen(client, ports.events);
  const slow = setTimeout(() => client.serverProcess?.kill("SIGKILL"), START_TIMEOUT_MS);
  try {
    await client.start();
  } finally {
    clearTimeout(slow);
  }
  if (life.closed) throw new Error("the worker ended while it started");
  life.started = true;
  return sessionOf(client, life);
}

function clientOptions(ports: SessionPorts, life: Life): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: "file" }],
    diagnosticCollectionName: "skepticalTriage",
    outputChannel: ports.log,
    traceOutputChannel: ports.log,
    initializationOptions: ports.options,
    initializationFailedHandler: () => false,
    // Texts of findings and models reach hovers: no command links, no HTML (ruling 33).
    markdown: { isTrusted: false, supportHtml: false },
    errorHandler: {
      error: (_error, _message, count) => ({
        action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
        handled: true,
      }),
      closed: () => {
        life.closed = true;
        if (life.started) ports.closed();
        return { action: CloseAction.DoNotRestart, message: "The worker's connection closed.", handled: true };
      },
    },
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => {
        for (const diagnostic of diagnostics) if (!isOurs(diagnostic.source)) markAsOurs(diagnostic);
        next(uri, diagnostics);
      },
    },
  };
}

function listen(client: QuietClient, events: WorkerEvents): void {
  client.onNotification(wire.findingsChanged, (params: Parameters<WorkerEvents["findingsChanged"]>[0]) =>
    events.findingsChanged(params),
  );
  client.onNotification(wire.stateChanged, (params: Parameters<WorkerEvents["stateChanged"]>[0]) =>
    events.stateChanged(params),
  );
  client.onNotification(wire.runProgress, (params: Parameters<WorkerEvents["runProgress"]>[0]) =>
    events.runProgress(params),
  );
  client.onNotification(wire.runFinished, (params: Parameters<WorkerEvents["runFinished"]>[0]) =>
    events.runFinished(params),
  );
  client.onRequest(wire.askConsent, (params: Parameters<WorkerEvents["askConsent"]>[0]) => events.askConsent(params));
  const asked = new RequestType<unknown, AskLanguageResult, void>(askLanguage);
  client.onRequest(asked, (params, token) => events.askLanguage(params, token));
  client.onRequest(listEditorModels, () => events.listEditorModels());
  const model = new RequestType<AskEditorModelParams, AskEditorModelResult, void>(askEditorModel);
  client.onRequest(model, (params, token) => events.askEditorModel(params, token));
}

/** The worker's environment without what looks like a secret; a variable can only be taken out by setting it undefined. */
function serverOptions({ module, network }: SessionPorts) {
  const env = { ...network, ...Object.fromEntries(secretNames(process.env).map((name) => [name, undefined])) };
  return {
    run: { module, transport: TransportKind.ipc, options: { env } },
    debug: { module, transport: TransportKind.ipc, options: { env, execArgv: ["--nolazy", "--inspect=6009"] } },
  };
}

function sessionOf(client: QuietClient, life: Life): Session {
  return {
    async request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R> {
      try {
        // A third argument that is undefined would go out as a second parameter.
        return await (token === undefined
          ? client.sendRequest<R>(method, params)
          : client.sendRequest<R>(method, params, token));
      } catch (error) {
        if (!life.closed) throw error;
        throw new WorkerDown("The background worker stopped before it could answer. Try again in a moment.", {
          cause: error,
        });
      }
    },
    async notify(method, params) {
      // What a dead worker misses is sent again to the next one.
      await client.sendNotification(method, params).catch(() => undefined);
    },
    async stop() {
      const child = client.serverProcess;
      // What still waits for an answer is told that the worker stopped.
      life.closed = true;
      await client.dispose(STOP_TIMEOUT_MS).catch(() => undefined);
      if (child !== undefined) await ended(child);
    },
    pid: client.serverProcess?.pid ?? null,
  };
}

/** Waits until a process has ended, since it may be writing a record; one that does not end in time is killed. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
