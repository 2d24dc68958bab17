import * as vscode from "vscode";
import type { FilterView, FromFilter, Picked, ToFilter } from "../protocol/filter.ts";
import type { FindingsQuery } from "../protocol/query.ts";
import { FILTER_VIEW } from "./contributions.ts";
import { showPage } from "./showPage.ts";

export interface BarPorts {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** What the bar shows now. */
  view(): FilterView;
  set(query: FindingsQuery): Promise<void>;
  clear(): Promise<void>;
  pick(what: Picked): Promise<void>;
  saved(): Promise<void>;
}

/** The search and filter bar above the findings: shows the filter, passes on what the person does there, holds nothing itself. */
export class FilterBar implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #ports: BarPorts;
  readonly #registered: vscode.Disposable;
  readonly #drawn = new vscode.EventEmitter<void>();
  /** Fires when the page came up, and with everything that is shown on it. */
  readonly onDidChange = this.#drawn.event;
  #view: vscode.WebviewView | null = null;
  #ready = false;

  constructor(ports: BarPorts) {
    this.#ports = ports;
    this.#registered = vscode.window.registerWebviewViewProvider(FILTER_VIEW, this);
  }

  /** Whether the page has loaded and listens. */
  get ready(): boolean {
    return this.#ready;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#ready = false;
    view.webview.onDidReceiveMessage((message: unknown) => void this.#received(message));
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = null;
      this.#ready = false;
    });
    showPage(view.webview, this.#ports.extensionUri, "filter");
  }

  /** Filter, saved filters or counts changed. A hidden page misses it and asks when it is shown again. */
  show(): void {
    const view = this.#ports.view();
    if (this.#view !== null) this.#view.description = view.saved ?? "";
    if (!this.#ready) return;
    const message: ToFilter = { type: "filter", view };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview's postMessage has no target
    void this.#view?.webview.postMessage(message);
    this.#drawn.fire();
  }

  dispose(): void {
    this.#registered.dispose();
    this.#drawn.dispose();
  }

  async #received(message: unknown): Promise<void> {
    // The parser is loaded with the first message: the start of the window does not need it.
    const { FromFilter } = await import("../protocol/filter.ts");
    const parsed = FromFilter.safeParse(message);
    if (!parsed.success) {
      this.#ports.log.warn(`The filter bar sent something that is no message: ${parsed.error.message}`);
      return;
    }
    try {
      await this.#act(parsed.data);
    } catch (error) {
      this.#ports.log.error(error instanceof Error ? error : String(error));
    }
  }

  async #act(message: FromFilter): Promise<void> {
    const ports = this.#ports;
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.show();
        break;
      case "query":
        await ports.set(message.query);
        break;
      case "clear":
        await ports.clear();
        break;
      case "pick":
        await ports.pick(message.what);
        break;
      case "saved":
        await ports.saved();
        break;
    }
  }
}
