import * as vscode from "vscode";
import type { RunFinishedParams, RunProgressParams, RunTriageParams, RunTriageResult } from "../protocol/worker.ts";
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
  shown: boolean;
}

/** Triage runs of this window: one progress for each, in the status bar, or with a Cancel button where several findings run. */
export class Runs implements vscode.Disposable {
  readonly #ports: RunPorts;
  readonly #watched = new Map<string, Watch>();
  /** Requests under way: progress of a run that is not known yet may belong to one of them. */
  #starting = 0;
  #disposed = false;
  readonly #disposables: readonly vscode.Disposable[];

  constructor(ports: RunPorts) {
    this.#ports = ports;
    const { worker } = ports;
    this.#disposables = [
      worker.onRunProgress((progress) => this.#progressed(progress)),
      worker.onRunFinished((result) => this.#watch(result.run).end(result)),
      worker.onDidChangeState((state) => {
        if (state !== "running") this.#endAll();
      }),
    ];
  }

  /** Starts a run that the person asked for and shows its progress. Rejects with `WorkerDown`. */
  async start(params: RunTriageParams, title: string): Promise<RunStarted> {
    const { run, queued, refused } = await this.#ask(params);
    if (queued.length === 0) {
      this.#watched.get(run)?.end(null);
      return { queued, refused, finished: Promise.resolve(null) };
    }
    const watch = this.#watch(run);
    void this.#show(watch, title, queued).then((result) => this.#sayEnd(result));
    return { queued, refused, finished: watch.finished };
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#disposables) disposable.dispose();
    this.#endAll();
  }

  async #ask(params: RunTriageParams): Promise<RunTriageResult> {
    this.#starting += 1;
    try {
      return await this.#ports.worker.runTriage(params);
    } finally {
      this.#starting -= 1;
    }
  }

  /** A run that nobody here asked for (`autoTriage`) shows in the status bar only. */
  #progressed(progress: RunProgressParams): void {
    const watch = this.#watch(progress.run);
    if (!watch.shown && this.#starting === 0) void this.#show(watch, "Triage", []);
    watch.heard.fire(progress);
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
      shown: false,
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

  async #show(watch: Watch, title: string, queued: readonly string[]): Promise<RunFinishedParams | null> {
    watch.shown = true;
    const many = queued.length > 1;
    const location = many ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
    return await vscode.window.withProgress({ location, title, cancellable: many }, async (progress, token) => {
      let reached = 0;
      watch.heard.event(({ done, total, text }) => {
        const share = total === 0 ? 0 : (100 * done) / total;
        const increment = Math.max(0, share - reached);
        progress.report({ message: many ? `${done} of ${total} · ${text}` : text, increment });
        reached += increment;
      });
      token.onCancellationRequested(() => void this.#cancel(queued));
      return await watch.finished;
    });
  }

  /** The person who started a run hears how it ended: quietly, unless the worker died under it. */
  async #sayEnd(result: RunFinishedParams | null): Promise<void> {
    if (result !== null) return this.#ports.ask.say(result.text);
    if (this.#disposed) return;
    const text =
      "The triage was interrupted because the background worker stopped. What was finished is kept; start it again for the rest.";
    await this.#ports.ask.tell("warning", text);
  }

  async #cancel(keys: readonly string[]): Promise<void> {
    // A worker that is gone runs nothing any more.
    await this.#ports.worker.cancelTriage({ keys }).catch(() => undefined);
  }
}
