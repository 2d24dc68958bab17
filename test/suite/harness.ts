import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { TestAccess } from "../../src/extension.ts";
import type { ListGroupsResult } from "../../src/protocol/query.ts";
import type { FindingRow } from "../../src/protocol/worker.ts";
import type { Application } from "../../src/vscode/application.ts";
import type { Asker } from "../../src/vscode/asker.ts";
import { editorAsker } from "../../src/vscode/asker.ts";

export const EXTENSION_ID = "skeptical-triage.skeptical-triage";

/** The running extension's parts. */
export async function application(): Promise<Application> {
  const extension = vscode.extensions.getExtension<TestAccess>(EXTENSION_ID);
  assert.ok(extension, "the extension is not installed in this editor");
  const { app } = await extension.activate();
  return app;
}

/** The first folder of the window, as a path. */
export function workspaceRoot(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, "the suite needs a folder");
  return folder.uri.fsPath;
}

export function fileUri(relative: string): vscode.Uri {
  return vscode.Uri.file(path.join(workspaceRoot(), relative));
}

/** Removes what a suite before this one has decided. */
export async function forgetLog(): Promise<void> {
  await rm(path.join(workspaceRoot(), ".skeptical-triage"), { recursive: true, force: true });
}

/** Waits until `probe` gives something but undefined: tries at once, then at each event. */
export async function eventually<E, T>(
  event: vscode.Event<E>,
  probe: () => T | undefined | Promise<T | undefined>,
  what: string,
  timeoutMs = 20_000,
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`waited in vain for: ${what}`))), timeoutMs);
    const heard = event(() => void look());
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      heard.dispose();
      end();
    };
    async function look(): Promise<void> {
      try {
        const value = await probe();
        if (value !== undefined) finish(() => resolve(value));
      } catch (error) {
        finish(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    }
    void look();
  });
}

/** What the view shows: its groups, and the first page of rows of all of them. */
export interface Listing extends ListGroupsResult {
  readonly rows: readonly FindingRow[];
}

/** What the view shows once it satisfies a condition. */
export async function list(
  app: Application,
  holds: (list: Listing) => boolean,
  what: string,
  timeoutMs?: number,
): Promise<Listing> {
  await app.worker.start();
  await app.store.reload();
  const look = async (): Promise<Listing | undefined> => {
    const listing = { ...app.store.current, rows: (await app.store.firstRows()).rows };
    return holds(listing) ? listing : undefined;
  };
  return await eventually(app.view.onDidShow, look, what, timeoutMs);
}

/** The first listed row that satisfies a condition, once there is one. */
export async function row(app: Application, holds: (row: FindingRow) => boolean, what: string): Promise<FindingRow> {
  const found = (await list(app, ({ rows }) => rows.some(holds), what)).rows.find(holds);
  assert.ok(found);
  return found;
}

export interface Asked {
  readonly how: keyof Asker;
  readonly text: string;
  readonly detail: string;
}

/** Answers in the person's place while `body` runs, and gives back what was asked and told. */
export async function answering(
  app: Application,
  answers: { readonly modal?: boolean; readonly choose?: number; readonly input?: string; readonly pick?: number },
  body: () => Promise<void>,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const replaced: Asker = {
    async modal(text, detail) {
      asked.push({ how: "modal", text, detail });
      return answers.modal ?? false;
    },
    async choose(text, detail, ...buttons) {
      asked.push({ how: "choose", text, detail });
      return answers.choose === undefined ? undefined : buttons[answers.choose];
    },
    async input({ title, prompt }) {
      asked.push({ how: "input", text: title, detail: prompt });
      return answers.input;
    },
    async pick(choices, text) {
      asked.push({ how: "pick", text, detail: choices.map(({ label }) => label).join("\n") });
      return answers.pick === undefined ? undefined : choices[answers.pick]?.value;
    },
    async pickMany(choices, text) {
      asked.push({ how: "pickMany", text, detail: choices.map(({ label }) => label).join("\n") });
      const chosen = answers.pick === undefined ? undefined : choices[answers.pick];
      return chosen === undefined ? undefined : [chosen.value];
    },
    async tell(kind, text) {
      asked.push({ how: "tell", text, detail: kind });
      return undefined;
    },
    // A word in the status bar may be about a run that an earlier test started.
    say() {},
  };
  Object.assign(app.ask, replaced);
  try {
    await body();
  } finally {
    Object.assign(app.ask, editorAsker);
  }
  return asked;
}

export async function run(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
