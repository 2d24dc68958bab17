import * as vscode from "vscode";
import { CONTEXT_KEYS, FINDINGS_VIEW } from "./contributions.ts";
import type { FindingsList, FindingsStore } from "./findingsStore.ts";
import type { Grouping, Node, Tree } from "./findingsTree.ts";
import { buildTree } from "./findingsTree.ts";
import { treeItem } from "./treeItem.ts";
import type { WorkerClient } from "./workerClient.ts";
import type { WorkerState } from "./workerLife.ts";

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
  readonly state: vscode.Memento;
}

/** The Findings view: the tree, its badge, and the context keys that its menus and its empty page read. */
export class FindingsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #ports: ViewPorts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[];
  #grouping: Grouping;
  #tree: Tree;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ports: ViewPorts) {
    this.#ports = ports;
    this.#grouping = ports.state.get<Grouping>(GROUPING, "file");
    this.#tree = buildTree(ports.store.current, this.#grouping);
    this.#view = vscode.window.createTreeView<Node>(FINDINGS_VIEW, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#disposables = [
      this.#view,
      this.#changed,
      ports.store.onDidChange((list) => this.#show(list)),
      ports.worker.onDidChangeState((state) => {
        setContext(CONTEXT_KEYS.worker, state);
        this.#view.message = ports.store.current.total === 0 ? "" : MESSAGES[state];
      }),
    ];
    setContext(CONTEXT_KEYS.worker, ports.worker.state);
    setContext(CONTEXT_KEYS.groupBy, this.#grouping);
    setContext(CONTEXT_KEYS.showDismissed, ports.store.includeDismissed);
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

  /** Fires when the view is shown or hidden. */
  onDidChangeVisibility(listener: (event: vscode.TreeViewVisibilityChangeEvent) => void): vscode.Disposable {
    return this.#view.onDidChangeVisibility(listener);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node);
  }

  getChildren(node?: Node): readonly Node[] & Node[] {
    return [...(node === undefined ? this.#tree.roots : (this.#tree.children.get(node.id) ?? []))];
  }

  getParent(node: Node): Node | undefined {
    return this.#tree.parents.get(node.id);
  }

  async group(by: Grouping): Promise<void> {
    this.#grouping = by;
    await this.#ports.state.update(GROUPING, by);
    setContext(CONTEXT_KEYS.groupBy, by);
    this.#show(this.#ports.store.current);
  }

  async showDismissed(value: boolean): Promise<void> {
    setContext(CONTEXT_KEYS.showDismissed, value);
    await this.#ports.store.setIncludeDismissed(value);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #show(list: FindingsList): void {
    this.#tree = buildTree(list, this.#grouping);
    this.#view.badge =
      list.waiting === 0 ? undefined : { value: list.waiting, tooltip: `${findings(list.waiting)} waiting for you` };
    this.#view.description = list.total === 0 ? "" : `${list.total}`;
    setContext(CONTEXT_KEYS.hiddenDismissed, list.hidden > 0);
    this.#changed.fire();
  }
}

function findings(count: number): string {
  return count === 1 ? "1 finding" : `${count} findings`;
}

function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
