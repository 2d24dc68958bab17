import * as vscode from "vscode";
import { settingsChanged } from "../protocol/worker.ts";
import type { Application } from "./application.ts";
import { SECTION } from "./contributions.ts";
import { readSettings } from "./settings.ts";
import type { RootPorts } from "./sourceRoots.ts";

/** The ports over the editor's settings and the worker. */
export function rootPorts({ ask, worker, store }: Application): RootPorts {
  return {
    ask,
    suggest: (tried) => worker.suggestRoots({ tried }),
    async remember({ from, to }) {
      const section = vscode.workspace.getConfiguration(SECTION);
      const kept = section.inspect<Record<string, string>>("sourceRoots")?.workspaceValue;
      await section.update("sourceRoots", { ...kept, [from]: to }, vscode.ConfigurationTarget.Workspace);
      // The worker hears of the change by itself, but maybe after the question that follows.
      await worker.tell(settingsChanged, readSettings().settings);
      await store.reload();
    },
  };
}
