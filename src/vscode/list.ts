import { setTimeout as sleep } from "node:timers/promises";
import type { ExtensionContext, LogOutputChannel } from "vscode";
import type { Application } from "./application.ts";
import { FilterBar } from "./filterBar.ts";
import { pickValues, savedMenu } from "./filterCommands.ts";
import { FilterState } from "./filterState.ts";
import { FindingsStore } from "./findingsStore.ts";
import { FindingsView, keptGrouping } from "./findingsView.ts";
import { quietly } from "./quietly.ts";
import type { WorkerClient } from "./workerClient.ts";

/** The parts that show the findings: the filter, the window on the worker's list, the tree, and the bar above it. */
export type ListParts = Pick<Application, "filter" | "store" | "view" | "bar">;

/** Makes them and tells each of what the others do: a new filter reads the list again, a new list is drawn by tree and bar. */
export function makeList(
  { workspaceState: state, extensionUri }: ExtensionContext,
  worker: WorkerClient,
  log: LogOutputChannel,
  application: () => Application,
): ListParts {
  const filter: FilterState = new FilterState({
    state,
    // The parser is loaded where something was kept: the start of a fresh window does not need it.
    parse: async (kept) => (await import("../protocol/filter.ts")).QueryShape.safeParse(kept).data ?? null,
    changed: () => {
      view.filterChanged();
      bar.show();
      if (worker.state === "running") quietly(log, store.restart());
    },
  });
  const store: FindingsStore = new FindingsStore(
    {
      listGroups: (params) => worker.listGroups(params),
      listRows: (params) => worker.listRows(params),
      query: () => filter.query,
      changed: () => {
        view.show();
        bar.show();
      },
      wait: async (ms) => await sleep(ms),
    },
    keptGrouping(state),
  );
  const view = new FindingsView({ worker, store, filter, state });
  const bar = new FilterBar({
    extensionUri,
    log,
    view: () => ({
      query: filter.query,
      counts: store.current.total === 0 ? null : store.current,
      saved: filter.name,
    }),
    set: (query) => filter.set(query),
    clear: () => filter.clear(),
    pick: (what) => pickValues(application(), what),
    saved: () => savedMenu(application()),
  });
  return { filter, store, view, bar };
}
