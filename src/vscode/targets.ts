import * as vscode from "vscode";
import type { FindingRow } from "../protocol/worker.ts";
import type { Asker, Choice } from "./asker.ts";
import type { EditorDiagnostics } from "./editorDiagnostics.ts";
import { othersDiagnostics } from "./editorDiagnostics.ts";
import type { FindingsStore } from "./findingsStore.ts";
import type { Node } from "./findingsTree.ts";
import { placeOf } from "./rowLook.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface TargetPorts {
  readonly worker: WorkerClient;
  readonly store: FindingsStore;
  readonly diagnostics: EditorDiagnostics;
  readonly ask: Asker;
  /** Key of the finding whose panel has the focus; null where none has. */
  activePanelKey(): string | null;
  selection(): readonly Node[];
}

/** A place in a document; `line` is 1-based. The arguments of the lightbulb and of lenses without a key. */
export interface PlaceArgument {
  readonly uri: string;
  readonly line: number;
}

/** What the arguments of a command point at. */
export type Target =
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  | { readonly kind: "place"; readonly uri: vscode.Uri; readonly line: number }
  | { readonly kind: "nothing" };

/**
 * Reads the arguments a command was run with: a key or `{key}` (lens, hover, keybinding), `{uri, line}` (lightbulb), a tree row
 * with the selected rows after it, or the document of the editor's menu. Without any: panel, editor, view, whichever is in use.
 */
export function targetOf(ports: TargetPorts, args: readonly unknown[]): Target {
  const [first, second] = args;
  if (typeof first === "string") return { kind: "keys", keys: [first] };
  if (first instanceof vscode.Uri) return cursorPlace(first);
  if (isPlace(first)) return { kind: "place", uri: vscode.Uri.parse(first.uri), line: first.line };
  if (isNode(first))
    return { kind: "keys", keys: keysOf(isNodes(second) && second.includes(first) ? second : [first]) };
  if (hasKey(first)) return { kind: "keys", keys: [first.key] };
  const panelKey = ports.activePanelKey();
  if (panelKey !== null) return { kind: "keys", keys: [panelKey] };
  if (vscode.window.activeTextEditor?.document.uri.scheme === "file") return cursorPlace(null);
  const selected = keysOf(ports.selection());
  return selected.length > 0 ? { kind: "keys", keys: selected } : { kind: "nothing" };
}

/** The keys a command is to work on; null where there are none or the person chose none. Says so itself. */
export async function chooseKeys(
  ports: TargetPorts,
  args: readonly unknown[],
  verb: string,
): Promise<readonly string[] | null> {
  const target = targetOf(ports, args);
  if (target.kind === "keys") return target.keys.length > 0 ? target.keys : null;
  if (target.kind === "place") return await keysAt(ports, target.uri, target.line, verb);
  await ports.store.reload();
  return await pickRow(ports, ports.store.current.rows, `${verb} which finding?`);
}

async function keysAt(
  ports: TargetPorts,
  uri: vscode.Uri,
  line: number,
  verb: string,
): Promise<readonly string[] | null> {
  await ports.worker.start();
  await ports.diagnostics.flush(uri);
  const { rows } = await ports.worker.findingsAt({ uri: uri.toString(), line });
  if (rows.length === 1) return rows.map(({ key }) => key);
  if (rows.length > 1)
    return await pickRow(ports, rows, `${verb} which of the ${rows.length} findings on line ${line}?`);
  const elsewhere = await rowsElsewhere(ports, uri);
  const name = vscode.workspace.asRelativePath(uri);
  if (elsewhere.length === 0) {
    await ports.ask.tell(
      "info",
      `No finding and no diagnostic stands on line ${line} of ${name}, nor elsewhere in the file.`,
    );
    return null;
  }
  return await pickRow(ports, elsewhere, `Nothing stands on line ${line}. Findings of ${name}:`);
}

/** All findings of a document: those the worker lists, and one for each place that carries a diagnostic. */
async function rowsElsewhere(ports: TargetPorts, uri: vscode.Uri): Promise<readonly FindingRow[]> {
  const rows = new Map((await ports.store.rowsOfFile(uri.fsPath, true)).map((row) => [row.key, row]));
  const lines = new Set(othersDiagnostics(uri).map(({ range }) => range.start.line + 1));
  for (const line of [...lines].slice(0, MOST_DIAGNOSTIC_LINES)) {
    for (const row of (await ports.worker.findingsAt({ uri: uri.toString(), line })).rows) rows.set(row.key, row);
  }
  return [...rows.values()].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** Lines with diagnostics that are looked up for one pick; a file with more is better read in the Problems view. */
const MOST_DIAGNOSTIC_LINES = 200;

async function pickRow(
  ports: TargetPorts,
  rows: readonly FindingRow[],
  title: string,
): Promise<readonly string[] | null> {
  if (rows.length === 0) {
    await ports.ask.tell(
      "info",
      "There is no finding to choose from. Open a review file, or right-click a problem in an editor.",
    );
    return null;
  }
  const key = await ports.ask.pick(rows.map(choiceOf), title);
  return key === undefined ? null : [key];
}

function choiceOf(row: FindingRow): Choice<string> {
  // `$(name)` would be drawn as an icon.
  const label = row.title.replace(/\s+/gu, " ").replaceAll("$(", "$\u200B(");
  return { label, description: placeOf(row), detail: row.summary, value: row.key };
}

function cursorPlace(uri: vscode.Uri | null): Target {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = editors.find(
    (one) => one !== undefined && (uri === null || one.document.uri.toString() === uri.toString()),
  );
  if (editor === undefined) return uri === null ? { kind: "nothing" } : { kind: "place", uri, line: 1 };
  return { kind: "place", uri: editor.document.uri, line: editor.selection.active.line + 1 };
}

function keysOf(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => (node.kind === "finding" ? [node.row.key] : [])))];
}

function isPlace(value: unknown): value is PlaceArgument {
  return isObject(value) && typeof value["uri"] === "string" && typeof value["line"] === "number";
}

function hasKey(value: unknown): value is { readonly key: string } {
  return isObject(value) && typeof value["key"] === "string";
}

/** Tree rows come back to commands as the very objects that the view gave out. */
function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value["kind"] === "string" && typeof value["id"] === "string";
}

function isNodes(value: unknown): value is readonly Node[] {
  return Array.isArray(value) && value.every(isNode);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
