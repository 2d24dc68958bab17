import * as vscode from "vscode";
import type { Application } from "./application.ts";
import { SECTION } from "./contributions.ts";

/** Set Up a Model…: loaded when it is first used. */
export async function setUpModelCommand(app: Application): Promise<void> {
  const { setUpModel } = await import("./modelSetup.ts");
  const { worker, keys, steps, ask, consent } = app;
  // Keys go to a worker that runs, and the test call is the worker's.
  await worker.start();
  await setUpModel({
    worker,
    keys,
    steps,
    ask,
    editorModels: async () => (await (await app.editorModels()).list()).models,
    agree: async ({ vendor, name }) => (await consent.granted({ origin: `editor:${vendor}`, model: name })).granted,
    async save(settings) {
      const section = vscode.workspace.getConfiguration(SECTION);
      for (const [name, value] of Object.entries(settings))
        await section.update(name, value, vscode.ConfigurationTarget.Global);
    },
  });
}
