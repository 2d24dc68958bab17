import * as vscode from "vscode";
import type { Challenge } from "../core/method.ts";
import type { FindingRow, RunTriageParams } from "../protocol/worker.ts";
import type { Application } from "./application.ts";
import { rowsOfFile } from "./fileRows.ts";
import { inFigures } from "./findingsTree.ts";
import type { RunStarted } from "./runs.ts";
import type { TargetPorts } from "./targets.ts";
import { chooseKeys, MOST_AT_ONCE } from "./targets.ts";

/** Kinds of files that a review may be written in; any other is never read as one. */
const REVIEW_FILE = /\.(sarif|json|jsonl|md|txt)$/i;

/** What `targets.ts` needs of the application. */
export function targetPorts(app: Application): TargetPorts {
  const { worker, store, filter, diagnostics, ask, view } = app;
  return {
    worker,
    store,
    filter,
    diagnostics,
    ask,
    activePanelKey: () => (app.loadedPanel()?.active === true ? app.loadedPanel()?.key : null) ?? null,
    selection: () => view.selection,
  };
}

/** Triages what the arguments point at and shows the panel where that is one finding. */
export async function triageFinding(app: Application, args: readonly unknown[]): Promise<void> {
  const keys = await chooseKeys(targetPorts(app), args, "Triage");
  if (keys === null) return;
  const [only, ...more] = keys;
  if (!(await confirmMany(app, keys))) return;
  if (only !== undefined && more.length === 0) await (await app.panel()).show(only);
  await sayRefusals(app, await triageKeys(app, keys));
}

/** So many findings are triaged without a question, unless they cost more than the settings let run unasked. */
const MOST_UNASKED = 50;

/** Asks before a triage that may take long, or many calls of a model; with the figures, where a model is asked. */
export async function confirmMany(app: Application, keys: readonly string[], how?: Challenge): Promise<boolean> {
  const estimate = await app.worker.estimateRun({ kind: "keys", keys, how });
  if (keys.length <= MOST_UNASKED && !estimate.asks) return true;
  const detail = [
    "Each goes through the checks; what they cannot settle is judged. You can cancel at any time, and what is finished stays.",
    estimate.text,
    ...(keys.length < MOST_AT_ONCE
      ? []
      : [`At most ${inFigures(MOST_AT_ONCE)} are triaged at once: run it again for the others.`]),
  ];
  return await confirm(app, keys.length, detail);
}

/** Asks before a run whose findings only the worker knows, where it may cost more than the settings let run unasked. */
export async function confirmRun(app: Application, params: RunTriageParams): Promise<boolean> {
  const { asks, findings, text } = await app.worker.estimateRun(params);
  return !asks || (await confirm(app, findings, [text, "You can cancel at any time, and what is finished stays."]));
}

async function confirm({ ask }: Application, findings: number, detail: readonly string[]): Promise<boolean> {
  const count = `${inFigures(findings)} finding${findings === 1 ? "" : "s"}`;
  return await ask.modal(`Triage ${count}?`, detail.join("\n\n"), `Triage ${count}`);
}

/** Triages one finding from its panel; resolves to why it is not triaged, empty where it is or the person thought better of it. */
export async function triageShown(app: Application, key: string, how?: Challenge): Promise<readonly string[]> {
  if (!(await confirmMany(app, [key], how))) return [];
  return (await triageKeys(app, [key], how)).refused.map(({ why }) => why);
}

/** Starts the triage of some findings; `how` where a person wants it other than the settings say. */
export async function triageKeys(app: Application, keys: readonly string[], how?: Challenge): Promise<RunStarted> {
  return await app.runs.start(
    { kind: "keys", keys, how },
    keys.length === 1 ? "Triage" : `Triage of ${keys.length} findings`,
  );
}

/** Triages the findings of files: those that point into one, or, where it is a review, those it holds. */
export async function triageInFile(app: Application, args: readonly unknown[]): Promise<void> {
  const uris = filesOf(args);
  if (uris.length === 0) await app.ask.tell("info", "Open the file whose findings are to be triaged.");
  for (const uri of uris) await triageOneFile(app, uri);
}

async function triageOneFile(app: Application, uri: vscode.Uri): Promise<void> {
  const name = vscode.workspace.asRelativePath(uri);
  await app.worker.start();
  await app.diagnostics.flush(uri);
  const keys = await rowsOfFile(app.store, uri, (row) => (isOpen(row) ? row.key : null), MOST_AT_ONCE);
  if (keys.length > 0) {
    if (await confirmMany(app, keys)) await sayRefusals(app, await triageKeys(app, keys));
    return;
  }
  // Code that findings point at is not read as a review, whatever its ending.
  const any = await rowsOfFile(app.store, uri, ({ key }) => key, 1);
  if (any.length > 0 || !REVIEW_FILE.test(uri.path)) {
    return void (await app.ask.tell("info", `${name} has no open finding that waits for triage.`));
  }
  const read = await app.worker.openReview({ path: uri.fsPath });
  if (read.problem === null && read.keys.length > 0) {
    const params = { kind: "review", path: uri.fsPath } as const;
    if (await confirmRun(app, params)) await sayRefusals(app, await app.runs.start(params, `Triage of ${name}`));
    return;
  }
  const unread = read.unread === 0 ? "" : ` ${read.unread} lines look like findings but were not understood.`;
  await app.ask.tell("warning", read.problem ?? `No finding was found in ${name}.${unread}`);
}

/** All open, untriaged P0 and P1. */
export async function triageOpen(app: Application): Promise<void> {
  if (!(await confirmRun(app, { kind: "open" }))) return;
  const started = await app.runs.start({ kind: "open" }, "Triage of open P0 and P1 findings");
  if (started.queued.length === 0 && started.refused.length === 0) {
    return void (await app.ask.tell("info", "No open P0 or P1 finding waits for triage."));
  }
  await sayRefusals(app, started);
}

export async function cancel(app: Application, args: readonly unknown[]): Promise<void> {
  const keys = await chooseKeys(targetPorts(app), args, "Cancel");
  if (keys !== null) await app.worker.cancelTriage({ keys });
}

export async function cancelAll(app: Application): Promise<void> {
  if (app.worker.state !== "running") return;
  await app.worker.cancelTriage({ keys: null });
}

/** One finding's refusal is told in its own words; of many, how many and the first reasons. */
export async function sayRefusals(app: Application, { refused, queued }: RunStarted): Promise<void> {
  if (refused.length === 0) return;
  const reasons = [...new Set(refused.map(({ why }) => why))];
  const words = reasons.slice(0, 3).join(" ");
  const more = reasons.length > 3 ? ` And ${reasons.length - 3} more reasons, in the log.` : "";
  for (const { key, why } of refused) app.log.info(`Not triaged: ${key}: ${why}`);
  const count =
    refused.length + queued.length === 1
      ? ""
      : `${refused.length} of ${refused.length + queued.length} findings are not triaged. `;
  await app.ask.tell("info", `${count}${words}${more}`);
}

/** The files chosen in the explorer, or the one in the editor. */
function filesOf([first, second]: readonly unknown[]): readonly vscode.Uri[] {
  if (Array.isArray(second) && second.length > 0 && second.every((one) => one instanceof vscode.Uri)) return second;
  if (first instanceof vscode.Uri) return [first];
  if (typeof first === "string") return [vscode.Uri.file(first)];
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? [] : [editor.document.uri];
}

function isOpen({ state, status }: FindingRow): boolean {
  return (state === "new" || state === "stale") && status === "open";
}
