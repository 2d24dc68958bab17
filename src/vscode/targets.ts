import * as vscode from "vscode";
import type { FindingRow } from "../protocol/worker.ts";
import type { Asker, Choice } from "./asker.ts";
import type { EditorDiagnostics } from "./editorDiagnostics.ts";
import { othersDiagnostics } from "./editorDiagnostics.ts";
import type { FilterState } from "./filterState.ts";
import type { FindingsStore } from "./findingsStore.ts";
import { PAGE } from "./findingsStore.ts";
import type { GroupNode, Node } from "./findingsTree.ts";
import { inFigures } from "./findingsTree.ts";
import { rowsOfFile } from "./fileRows.ts";
import { placeOf } from "./rowLook.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface TargetPorts {
  readonly worker: WorkerClient;
  readonly store: FindingsStore;
  readonly filter: Pick<FilterState, "query">;
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
  /** Rows of the view with a group among them. */
  | { readonly kind: "groups"; readonly keys: readonly string[]; readonly groups: readonly GroupNode[] }
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
  if (isNode(first)) return rowsTarget(isNodes(second) && second.includes(first) ? second : [first]);
  if (hasKey(first)) return { kind: "keys", keys: [first.key] };
  const panelKey = ports.activePanelKey();
  if (panelKey !== null) return { kind: "keys", keys: [panelKey] };
  if (vscode.window.activeTextEditor?.document.uri.scheme === "file") return cursorPlace(null);
  const selected = ports.selection().filter(({ kind }) => kind === "finding" || kind === "group");
  return selected.length > 0 ? rowsTarget(selected) : { kind: "nothing" };
}

/** The keys a command is to work on; null where there are none or the person chose none. Says so itself. */
export async function chooseKeys(
  ports: TargetPorts,
  args: readonly unknown[],
  verb: Verb,
): Promise<readonly string[] | null> {
  const target = targetOf(ports, args);
  if (target.kind === "keys") return target.keys.length > 0 ? target.keys : null;
  if (target.kind === "groups") return await keysInGroups(ports, target, verb);
  if (target.kind === "place") return await keysAt(ports, target.uri, target.line, verb);
  const { rows, total } = await ports.store.firstRows();
  const cut = total > rows.length ? ` The first ${inFigures(rows.length)} of ${inFigures(total)} are listed.` : "";
  return await pickRow(ports, rows, `${verb} which finding?${cut}`);
}

/** Most findings that one command takes out of groups; the question before it says so. */
export const MOST_AT_ONCE = 5000;

/** Which rows of a group a verb can do something with; a decision is about one finding, so that a second one is enough to refuse. */
const WANTED = {
  Triage: {
    fits: ({ state, status }) => (state === "new" || state === "stale") && status === "open",
    most: MOST_AT_ONCE,
  },
  Challenge: {
    fits: ({ state, status }) => (state === "new" || state === "stale" || state === "proposed") && status === "open",
    most: MOST_AT_ONCE,
  },
  Cancel: { fits: ({ state }) => state === "running", most: MOST_AT_ONCE },
  Open: { fits: () => true, most: 1 },
  Confirm: { fits: () => true, most: 2 },
  Dismiss: { fits: () => true, most: 2 },
  Reopen: { fits: () => true, most: 2 },
} as const satisfies Record<string, { readonly fits: (row: FindingRow) => boolean; readonly most: number }>;
export type Verb = keyof typeof WANTED;

/** The worker holds the rows of a group: they are gone through page by page, and only keys are kept. */
async function keysInGroups(
  { store, filter, ask }: TargetPorts,
  { keys, groups }: Extract<Target, { kind: "groups" }>,
  verb: Verb,
): Promise<readonly string[] | null> {
  const { fits, most } = WANTED[verb];
  const all = new Set(keys);
  for (const { group, grouping } of groups) {
    const of = { query: filter.query, groupBy: grouping, group: group.id };
    const { taken } = await store.gather(
      of,
      (row) => (fits(row) && !all.has(row.key) ? row.key : null),
      most - all.size,
    );
    for (const key of taken) all.add(key);
    if (all.size >= most) break;
  }
  if (all.size > 0) return [...all];
  await ask.tell("info", verb === "Triage" ? "Nothing here waits for triage." : "There is nothing to do here.");
  return null;
}

async function keysAt(
  ports: TargetPorts,
  uri: vscode.Uri,
  line: number,
  verb: Verb,
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
  const listed = await rowsOfFile(ports.store, uri, (row) => row, PAGE);
  const rows = new Map(listed.map((row) => [row.key, row]));
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

function rowsTarget(nodes: readonly Node[]): Target {
  const keys = [...new Set(nodes.flatMap((node) => (node.kind === "finding" ? [node.row.key] : [])))];
  const groups = nodes.filter((node) => node.kind === "group");
  return groups.length === 0 ? { kind: "keys", keys } : { kind: "groups", keys, groups };
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
