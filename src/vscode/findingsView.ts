import * as vscode from "vscode";
import { type FoundRow, type Grouping, GROUPINGS, type ListGroupsResult } from "../protocol/query.ts";
import { CONTEXT_KEYS, FINDINGS_VIEW } from "./contributions.ts";
import type { FilterState } from "./filterState.ts";
import { narrows } from "./filterWords.ts";
import type { FindingsStore } from "./findingsStore.ts";
import type { GroupNode, Node } from "./findingsTree.ts";
import {
  emptiness,
  findingNode,
  groupNodeId,
  inFigures,
  rootNodes,
  rowNodes,
  shownInWords,
  unreadNodes,
} from "./findingsTree.ts";
import { treeItem } from "./treeItem.ts";
import type { WorkerClient } from "./workerClient.ts";
import type { WorkerState } from "./workerLife.ts";
import { WorkerDown } from "./workerLife.ts";

const GROUPING = "findingsGrouping";

/** What stands above rows that may be out of date. */
const MESSAGES = {
  idle: "",
  starting: "",
  running: "",
  restarting: "The background worker stopped and is being restarted…",
  down: "The background worker is stopped: these rows may be out of date.",
} as const satisfies Record<WorkerState, string>;

export interface ViewPorts {
  readonly worker: WorkerClient;
  readonly store: FindingsStore;
  readonly filter: FilterState;
  readonly state: vscode.Memento;
}

/** The grouping that an earlier window kept. */
export function keptGrouping(state: vscode.Memento): Grouping {
  const kept = state.get<unknown>(GROUPING);
  return GROUPINGS.find((known) => known === kept) ?? "file";
}

/** The Findings view: the tree, its badge, and the context keys that its menus and its empty page read. */
export class FindingsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #ports: ViewPorts;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[];
  /** The roots as the editor last got them, by id: it knows a row by the very object. */
  #roots: ReadonlyMap<string, Node> = new Map();
  /** The group above a finding that was given out, by the finding's node id. */
  readonly #groups = new Map<string, GroupNode>();

  readonly onDidChangeTreeData = this.#changed.event;
  readonly #shown = new vscode.EventEmitter<void>();
  /** Fires when the groups were read again and are shown. */
  readonly onDidShow = this.#shown.event;

  constructor(ports: ViewPorts) {
    this.#ports = ports;
    this.#view = vscode.window.createTreeView<Node>(FINDINGS_VIEW, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#disposables = [
      this.#view,
      this.#changed,
      this.#shown,
      ports.worker.onDidChangeState((state) => {
        setContext(CONTEXT_KEYS.worker, state);
        this.#view.message = this.#message(ports.store.current);
      }),
    ];
    setContext(CONTEXT_KEYS.worker, ports.worker.state);
    setContext(CONTEXT_KEYS.groupBy, ports.store.grouping);
    this.filterChanged();
  }

  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  /** The number on the icon; undefined where nothing waits. */
  get badge(): vscode.ViewBadge | undefined {
    return this.#view.badge;
  }

  /** What stands beside the title: how many are shown. */
  get description(): string {
    return this.#view.description ?? "";
  }

  /** What stands above the rows; empty where nothing has to be said. */
  get message(): string {
    return this.#view.message ?? "";
  }

  /** Fires when the view is shown or hidden. */
  onDidChangeVisibility(listener: (event: vscode.TreeViewVisibilityChangeEvent) => void): vscode.Disposable {
    return this.#view.onDidChangeVisibility(listener);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.#rootNodes();
    if (node.kind === "unreadGroup") return [...unreadNodes(node.lines)];
    return node.kind === "group" ? await this.#rowNodes(node) : [];
  }

  getParent(node: Node): Node | undefined {
    return this.#groups.get(node.id);
  }

  async group(by: Grouping): Promise<void> {
    await this.#ports.state.update(GROUPING, by);
    setContext(CONTEXT_KEYS.groupBy, by);
    await this.#ports.store.group(by);
  }

  /** Shows one more page of a group's rows, or with null of groups. */
  async loadMore(group: string | null): Promise<void> {
    const { store } = this.#ports;
    await store.loadMore(group);
    if (group !== null) this.#changed.fire(this.#roots.get(groupNodeId(group, store.grouping)));
  }

  /** Selects a row where the view is visible, without taking the focus; one that is far from what is loaded is shown by its group. */
  async reveal({ row, group, inGroup }: FoundRow): Promise<void> {
    const { store } = this.#ports;
    const node = this.#roots.get(groupNodeId(group, store.grouping));
    if (!this.#view.visible || node?.kind !== "group") return;
    const near = store.isNear(group, inGroup);
    if (near === "next") await this.loadMore(group);
    const target = near === "far" ? node : findingNode(row, store.grouping);
    if (target !== node) this.#groups.set(target.id, node);
    await this.#view.reveal(target, { select: true, focus: false });
  }

  /** The groups were read again. */
  show(): void {
    const list = this.#ports.store.current;
    const { waiting, total } = list;
    const tooltip = `${inFigures(waiting)} ${waiting === 1 ? "finding" : "findings"} waiting for you`;
    this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
    this.#view.description = shownInWords(list);
    this.#view.message = this.#message(list);
    setContext(CONTEXT_KEYS.hasFindings, total > 0);
    setContext(CONTEXT_KEYS.empty, emptiness(list, narrows(this.#ports.filter.query)) ?? undefined);
    this.#changed.fire(undefined);
    this.#shown.fire();
  }

  /** The filter changed; the groups come later. */
  filterChanged(): void {
    const { query } = this.#ports.filter;
    setContext(CONTEXT_KEYS.filtering, narrows(query));
    setContext(CONTEXT_KEYS.showDismissed, query.dismissed);
    setContext(CONTEXT_KEYS.showSuppressed, query.suppressed);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #rootNodes(): Node[] {
    const nodes = rootNodes(this.#ports.store.current, this.#ports.store.grouping);
    this.#roots = new Map(nodes.map((node) => [node.id, node]));
    this.#groups.clear();
    return [...nodes];
  }

  async #rowNodes(node: GroupNode): Promise<Node[]> {
    try {
      const nodes = rowNodes(node, await this.#ports.store.rowsOf(node.group.id));
      for (const { id } of nodes) this.#groups.set(id, node);
      return [...nodes];
    } catch (error) {
      // The message above the rows says so.
      if (error instanceof WorkerDown) return [];
      throw error;
    }
  }

  #message(list: ListGroupsResult): string {
    const { filter, worker } = this.#ports;
    const hidden = emptiness(list, narrows(filter.query)) === "filter" && list.unread.length > 0;
    return [
      list.total === 0 ? "" : MESSAGES[worker.state],
      list.reading && worker.state === "running" ? "Still reading…" : "",
      // Where the view is quite empty, its own page says so.
      hidden ? `No finding fits the filter: ${inFigures(list.total)} are hidden.` : "",
      list.note ?? "",
    ]
      .filter((part) => part !== "")
      .join(" ");
  }
}

function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
