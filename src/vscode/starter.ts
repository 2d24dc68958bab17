import * as vscode from "vscode";
import { SECTION } from "./contributions.ts";

const EXCLUDED = "{**/node_modules/**,**/.git/**}";
/** A search that takes longer is given up: the worker then starts with the first command or the view. */
const SEARCH_MS = 20_000;
const LOG = ".skeptical-triage/triage-log.jsonl";

/**
 * Starts the worker when the workspace shows a reason for it: a review file that matches the setting, now or later, or a triage
 * log. Stops looking once `start` was called.
 */
export class Starter implements vscode.Disposable {
  readonly #start: () => void;
  readonly #stop = new vscode.CancellationTokenSource();
  #watchers: vscode.Disposable[] = [];
  #done = false;

  constructor(start: () => void) {
    this.#start = start;
  }

  /** Looks once and goes on watching; resolves when the first look is over. */
  async look(): Promise<void> {
    const globs = vscode.workspace.getConfiguration(SECTION).get<readonly string[]>("reviewFiles", []);
    for (const glob of [...globs, LOG]) {
      const watcher = vscode.workspace.createFileSystemWatcher(glob, false, true, true);
      this.#watchers.push(
        watcher,
        watcher.onDidCreate(() => this.#found()),
      );
    }
    const timer = setTimeout(() => this.#stop.cancel(), SEARCH_MS);
    try {
      for (const glob of [LOG, ...globs]) {
        if (this.#done || this.#stop.token.isCancellationRequested) return;
        const found = await vscode.workspace.findFiles(glob, EXCLUDED, 1, this.#stop.token);
        if (found.length > 0) return this.#found();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** The worker was started by something else. */
  dispose(): void {
    this.#done = true;
    this.#stop.cancel();
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = [];
  }

  #found(): void {
    if (this.#done) return;
    this.dispose();
    this.#start();
  }
}
