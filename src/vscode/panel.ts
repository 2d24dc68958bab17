import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Artefact } from "../core/opinion.ts";
import type { ChallengeKind, PanelState, ToPanel } from "../protocol/panel.ts";
import { FromPanel } from "../protocol/panel.ts";
import { PANEL_TYPE } from "./contributions.ts";
import type { Decided } from "./decisions.ts";
import { baseName } from "./rowLook.ts";
import { showPage } from "./showPage.ts";
import type { WorkerClient } from "./workerClient.ts";
import { WorkerDown } from "./workerLife.ts";

// Loaded when the first panel opens: nothing of it is needed before.

export interface PanelPorts {
  readonly worker: WorkerClient;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  triage(key: string): Promise<readonly string[]>;
  /** Has it judged in another way; resolves to why it is not, or null. */
  challenge(key: string, how: ChallengeKind): Promise<string | null>;
  /** Puts an objection against its second opinion; resolves to why that was refused, or null. */
  rebut(key: string, artefacts: readonly Artefact[]): Promise<string | null>;
  cancel(key: string): Promise<void>;
  decide(key: string, decision: "confirm" | "dismiss" | "reopen", reason: string): Promise<Decided>;
  /** Asks about a line that waits for consent and has it run; resolves to why it does not run, or null. */
  runLine(key: string, line: string): Promise<string | null>;
  stopLine(key: string): Promise<void>;
  /** Opens a file of the workspace; resolves to why it was not opened, or null. */
  openFile(file: string, line: number, besides: vscode.ViewColumn | undefined): Promise<string | null>;
  openSource(state: PanelState, besides: vscode.ViewColumn | undefined): Promise<string | null>;
  openLog(key: string, besides: vscode.ViewColumn | undefined): Promise<string | null>;
}

/** What the page keeps over a reload of the window. */
const Kept = z.object({ key: z.string() });

/** The one panel: shows a finding, passes on what the person does there. Holds no state of a finding but the last snapshot. */
export class PanelHost implements vscode.Disposable {
  readonly #ports: PanelPorts;
  readonly #heard: readonly vscode.Disposable[];
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the page came up, and with everything that is shown on it. */
  readonly onDidChange = this.#changed.event;
  #panel: vscode.WebviewPanel | null = null;
  #key: string | null = null;
  #ready = false;
  #last: PanelState | null = null;
  #emptyText: string | null = null;
  /** Why the last thing the person tried did not happen; shown until they try the next. */
  #notice: string | null = null;

  constructor(ports: PanelPorts) {
    this.#ports = ports;
    this.#heard = [
      ports.worker.onStateChanged((state) => {
        if (state.finding.key === this.#key) this.#show(state);
      }),
      ports.worker.onFindingsChanged(() => void this.#refresh()),
      ports.worker.onDidChangeState((state) => {
        if (state === "running") void this.#refresh();
        else if (state === "restarting") this.#empty("The background worker stopped and is being restarted…");
        else if (state === "down")
          this.#empty("The background worker is stopped. Run “Skeptical Triage: Restart Background Worker”.");
      }),
    ];
  }

  /** Key of the shown finding; null where no panel is open. */
  get key(): string | null {
    return this.#key;
  }

  get active(): boolean {
    return this.#panel?.active ?? false;
  }

  /** The editor group it stands in; undefined where no panel is open. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel?.viewColumn;
  }

  /** Whether the page has loaded and listens. */
  get ready(): boolean {
    return this.#ready;
  }

  get title(): string | null {
    return this.#panel?.title ?? null;
  }

  /** The last snapshot that was shown; null where the page shows none. */
  get shown(): PanelState | null {
    return this.#last;
  }

  /** What the page says instead of a finding; null where it shows one. */
  get emptyText(): string | null {
    return this.#emptyText;
  }

  /** Shows a finding beside the code without taking the focus. Only ever called for something the person did. */
  async show(key: string): Promise<void> {
    if (this.#panel === null) {
      const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.#adopt(vscode.window.createWebviewPanel(PANEL_TYPE, "Triage", where));
    } else {
      this.#panel.reveal(undefined, true);
    }
    await this.#switchTo(key);
  }

  /** Takes over the panel of an earlier window; closes it where it does not say what it showed. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const parsed = Kept.safeParse(kept);
    if (!parsed.success || this.#panel !== null) return panel.dispose();
    this.#adopt(panel);
    await this.#switchTo(parsed.data.key);
  }

  dispose(): void {
    for (const heard of [...this.#heard, this.#changed]) heard.dispose();
    this.#panel?.dispose();
  }

  async #switchTo(key: string): Promise<void> {
    if (key !== this.#key) this.#notice = null;
    this.#key = key;
    await this.#ports.worker.panelShows(key);
    await this.#refresh();
  }

  #adopt(panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    panel.iconPath = new vscode.ThemeIcon("law");
    this.#panel = panel;
    this.#ready = false;
    webview.onDidReceiveMessage((message: unknown) => void this.#received(message));
    panel.onDidDispose(() => this.#closed(panel));
    showPage(webview, this.#ports.extensionUri, "panel");
  }

  #closed(panel: vscode.WebviewPanel): void {
    if (this.#panel !== panel) return;
    this.#panel = null;
    this.#key = null;
    this.#last = null;
    this.#ready = false;
    void this.#ports.worker.panelShows(null);
  }

  async #refresh(): Promise<void> {
    const key = this.#key;
    if (key === null) return;
    try {
      const state = await this.#ports.worker.panelState({ key });
      if (key !== this.#key) return;
      if (state === null) this.#empty("This finding is gone: its review file was changed or deleted.");
      else this.#show(state);
    } catch (error) {
      if (!(error instanceof WorkerDown)) this.#ports.log.error(error instanceof Error ? error : String(error));
      this.#empty(error instanceof Error ? error.message : String(error));
    }
  }

  #show(state: PanelState): void {
    this.#last = state;
    this.#emptyText = null;
    if (this.#panel === null) return;
    const { place, citedPath } = state.finding;
    const file = place.file ?? citedPath;
    const line = place.line === null ? "" : `:${place.line}`;
    this.#panel.title = file === null ? "Triage" : `Triage: ${baseName(file)}${line}`;
    this.#post({ type: "state", state: { ...state, notice: this.#notice ?? state.notice } });
  }

  #empty(text: string): void {
    this.#last = null;
    this.#emptyText = text;
    this.#post({ type: "empty", text });
  }

  /** A page that is hidden or still loads misses messages: it says `ready` when it can listen, and gets a whole snapshot then. */
  #post(message: ToPanel): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview's postMessage has no target
    if (this.#ready) void this.#panel?.webview.postMessage(message);
    this.#changed.fire();
  }

  async #received(message: unknown): Promise<void> {
    const parsed = FromPanel.safeParse(message);
    if (!parsed.success) {
      this.#ports.log.warn(`The panel sent something that is no message: ${z.prettifyError(parsed.error)}`);
      return;
    }
    if (parsed.data.type === "ready") {
      this.#ready = true;
      return await this.#refresh();
    }
    // A click on what was shown before the panel changed to another finding.
    if (parsed.data.key !== this.#key) return;
    this.#notice = null;
    try {
      this.#notice = await this.#act(parsed.data);
    } catch (error) {
      this.#ports.log.error(error instanceof Error ? error : String(error));
      this.#notice = error instanceof Error ? error.message : String(error);
    }
    if (this.#notice !== null || parsed.data.type === "dismiss" || parsed.data.type === "confirm")
      await this.#refresh();
  }

  /** Does what the page asks for; resolves to why it did not happen, or null. */
  async #act(message: Exclude<FromPanel, { type: "ready" }>): Promise<string | null> {
    const ports = this.#ports;
    const besides = this.#panel?.viewColumn;
    switch (message.type) {
      case "triage":
        return (await ports.triage(message.key)).join(" ") || null;
      case "challenge":
        return await ports.challenge(message.key, message.how);
      case "rebut":
        return await ports.rebut(message.key, message.artefacts);
      case "cancel":
        await ports.cancel(message.key);
        return null;
      case "confirm":
      case "dismiss":
      case "reopen": {
        const decided = await ports.decide(message.key, message.type, message.reason);
        return decided.kind === "refused" ? decided.why : null;
      }
      case "open":
        return await ports.openFile(message.file, message.line, besides);
      case "openSource":
        return this.#last === null ? null : await ports.openSource(this.#last, besides);
      case "show":
        await this.#switchTo(message.other);
        return null;
      case "runLine":
        return await ports.runLine(message.key, message.line);
      case "stopLine":
        await ports.stopLine(message.key);
        return null;
      case "openLog":
        break;
    }
    return await ports.openLog(message.key, besides);
  }
}
