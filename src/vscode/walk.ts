import * as vscode from "vscode";
import type { NextFindingParams } from "../protocol/query.ts";
import type { Asker } from "./asker.ts";
import type { FilterState } from "./filterState.ts";
import type { FindingsStore } from "./findingsStore.ts";
import { inFigures } from "./findingsTree.ts";
import type { FindingsView } from "./findingsView.ts";
import { openAt } from "./openFile.ts";
import type { PanelHost } from "./panel.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface WalkPorts {
  readonly worker: Pick<WorkerClient, "nextFinding">;
  readonly filter: Pick<FilterState, "query">;
  readonly store: Pick<FindingsStore, "grouping" | "current">;
  readonly view: Pick<FindingsView, "selection" | "reveal">;
  readonly ask: Pick<Asker, "say">;
  panel(): Promise<PanelHost>;
  loadedPanel(): PanelHost | null;
}

export interface Step {
  readonly direction: NextFindingParams["direction"];
  readonly untriaged: boolean;
}

/** Where a walk through the findings stands. */
interface Stop {
  readonly key: string;
  /** The editor's place after the step; null where none has the focus. */
  readonly place: Place | null;
}

interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** Goes from finding to finding across files, in the order of the view and within its filter. */
export class Walk {
  #last: Stop | null = null;

  /** Opens the next finding's file at its line, shows it in the panel where one is open, and selects its row where the view is visible. */
  async go(app: WalkPorts, { direction, untriaged }: Step): Promise<void> {
    const { query } = app.filter;
    const from = this.#from(app);
    const { found, shown } = await app.worker.nextFinding({
      query,
      groupBy: app.store.grouping,
      from,
      direction,
      untriaged,
    });
    if (found === null) {
      const { total } = app.store.current;
      return app.ask.say(nothingLeft(untriaged, shown, total));
    }
    const { row } = found;
    const panel = app.loadedPanel();
    if (panel !== null && panel.key !== null) await panel.show(row.key);
    if (row.absolute !== null) await openAt(vscode.Uri.file(row.absolute), row.line ?? 1, panel?.column);
    // Without a file there is only the panel to look at.
    else await (await app.panel()).show(row.key);
    this.#last = { key: row.key, place: placeNow() };
    app.ask.say(`Finding ${inFigures(found.position + 1)} of ${inFigures(shown)}: ${row.summary}`);
    await app.view.reveal(found);
  }

  /** From the finding of the last step while the cursor is still there, else from the panel, the cursor or the chosen row. */
  #from(app: WalkPorts): NextFindingParams["from"] {
    const panel = app.loadedPanel();
    if (panel?.active === true && panel.key !== null) return { key: panel.key };
    const place = placeNow();
    if (this.#last !== null && samePlace(this.#last.place, place)) return { key: this.#last.key };
    if (place !== null) return place;
    const [selected] = app.view.selection;
    return selected?.kind === "finding" ? { key: selected.row.key } : null;
  }
}

function placeNow(): Place | null {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== "file") return null;
  return { path: editor.document.uri.fsPath, line: editor.selection.active.line + 1 };
}

function samePlace(one: Place | null, other: Place | null): boolean {
  return one?.path === other?.path && one?.line === other?.line;
}

function nothingLeft(untriaged: boolean, shown: number, total: number): string {
  if (total === 0) return "There is no finding to go to.";
  if (shown === 0) return "No finding fits the filter.";
  return untriaged ? "No untriaged finding is left in what the view shows." : "There is no finding to go to.";
}
