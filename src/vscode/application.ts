import type * as vscode from "vscode";
import type { Asker } from "./asker.ts";
import type { Consent } from "./consent.ts";
import type { EditorDiagnostics } from "./editorDiagnostics.ts";
import type { FilterBar } from "./filterBar.ts";
import type { FilterState } from "./filterState.ts";
import type { FindingsStore } from "./findingsStore.ts";
import type { FindingsView } from "./findingsView.ts";
import type { ServerKeys } from "./keys.ts";
import type { LanguageModels } from "./languageModels.ts";
import type { MenuContext } from "./menuContext.ts";
import type { PanelHost } from "./panel.ts";
import type { Runs } from "./runs.ts";
import type { Steps } from "./steps.ts";
import type { Walk } from "./walk.ts";
import type { WorkerClient } from "./workerClient.ts";

/** The parts of the extension that commands work with; each is made once, in `extension.ts`, and knows none of the others by this. */
export interface Application {
  readonly log: vscode.LogOutputChannel;
  readonly ask: Asker;
  readonly worker: WorkerClient;
  readonly store: FindingsStore;
  readonly filter: FilterState;
  readonly bar: FilterBar;
  readonly walk: Walk;
  readonly view: FindingsView;
  readonly diagnostics: EditorDiagnostics;
  readonly menu: MenuContext;
  readonly runs: Runs;
  readonly keys: ServerKeys;
  readonly consent: Consent;
  readonly steps: Steps;
  /** The editor's own language models, loaded when first asked for. */
  editorModels(): Promise<LanguageModels>;
  /** The panel, loaded when first asked for. */
  panel(): Promise<PanelHost>;
  /** The panel where one was loaded already. */
  loadedPanel(): PanelHost | null;
}
