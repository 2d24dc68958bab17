import * as vscode from "vscode";
import type { RunFinishedParams, RunProgressParams, RunTriageParams } from "../protocol/worker.ts";
import type { Asker } from "./asker.ts";
import { CONTEXT_KEYS } from "./contributions.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface RunPorts {
  readonly worker: WorkerClient;
  readonly ask: Asker;
}

/** What a started run came to, for the caller. */
export interface RunStarted {
  readonly queued: readonly string[];
  readonly refused: readonly { readonly key: string; readonly why: string }[];
  /** Resolves when the run ended, with the worker's sentence; null where the worker stopped meanwhile. */
  readonly finished: Promise<RunFinishedParams | null>;
}

interface Watch {
  readonly heard: vscode.EventEmitter<RunProgressParams>;
  readonly end: (result: RunFinishedParams | null) => void;
  readonly finished: Promise<RunFinishedParams | null>;
}

/** Triage runs of this window: one progress for each, in the status bar, or with a Cancel button where several findings run. */
export class Runs implements vscode.Disposable {
  readonly #ports: RunPorts;
  readonly #watched = new Map<string, Watch>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(ports: RunPorts) {
    this.#ports = ports;
    const { worker } = ports;
    this.#disposables = [
      worker.onRunProgress((progress) => this.#watch(progress.run).heard.fire(progress)),
      worker.onRunFinished((result) => this.#watch(result.run).end(result)),
      worker.onDidChangeState((state) => {
        if (state !== "running") this.#endAll();
      }),
    ];
  }

  /** Starts a run that the person asked for and shows its progress. Rejects with `WorkerDown`. */
  async start(params: RunTriageParams, title: string): Promise<RunStarted> {
    const { run, queued, refused } = await this.#ports.worker.runTriage(params);
    if (queued.length === 0) {
      this.#watched.get(run)?.end(null);
      return { queued, refused, finished: Promise.resolve(null) };
    }
    const watch = this.#watch(run);
    void this.#show(watch, title, queued);
    return { queued, refused, finished: watch.finished };
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#endAll();
  }

  /** Nothing more will be heard of any run. */
  #endAll(): void {
    const watches = [...this.#watched.values()];
    for (const { end } of watches) end(null);
  }

  /** A run is known from its first message on, whichever comes first: the answer, progress or the end. */
  #watch(run: string): Watch {
    const known = this.#watched.get(run);
    if (known !== undefined) return known;
    const heard = new vscode.EventEmitter<RunProgressParams>();
    const { promise, resolve } = Promise.withResolvers<RunFinishedParams | null>();
    const watch: Watch = {
      heard,
      finished: promise,
      end: (result) => {
        this.#watched.delete(run);
        this.#announce();
        heard.dispose();
        resolve(result);
      },
    };
    this.#watched.set(run, watch);
    this.#announce();
    return watch;
  }

  #announce(): void {
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.running, this.#watched.size > 0);
  }

  async #show(watch: Watch, title: string, queued: readonly string[]): Promise<void> {
    const many = queued.length > 1;
    const location = many ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title, cancellable: many }, async (progress, token) => {
      let shown = 0;
      watch.heard.event(({ done, total, text }) => {
        const share = total === 0 ? 0 : (100 * done) / total;
        progress.report({
          message: many ? `${done} of ${total} · ${text}` : text,
          increment: Math.max(0, share - shown),
        });
        shown = Math.max(shown, share);
      });
      token.onCancellationRequested(() => void this.#cancel(queued));
      const result = await watch.finished;
      if (result !== null) this.#ports.ask.say(result.text);
    });
  }

  async #cancel(keys: readonly string[]): Promise<void> {
    // A worker that is gone runs nothing any more.
    await this.#ports.worker.cancelTriage({ keys }).catch(() => undefined);
  }
}
