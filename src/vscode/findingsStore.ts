import * as vscode from "vscode";
import type { Unread } from "../core/finding.ts";
import type { FindingRow, ListFindingsParams, ListFindingsResult } from "../protocol/worker.ts";

/** Rows asked for in one message. */
const PAGE = 1000;

/** What the view shows: the first rows of the worker's list, and how many there are in all. */
export interface FindingsList {
  readonly rows: readonly FindingRow[];
  readonly total: number;
  readonly unread: readonly Unread[];
  readonly waiting: number;
  /** Dismissed findings left out of an otherwise empty list: the empty view offers to show them. */
  readonly hidden: number;
}

const EMPTY: FindingsList = { rows: [], total: 0, unread: [], waiting: 0, hidden: 0 };

type List = (params: ListFindingsParams) => Promise<ListFindingsResult>;

/** The part of the worker's findings that the view has asked for. The worker owns them: this is a window on its list. */
export class FindingsStore implements vscode.Disposable {
  readonly #list: List;
  readonly #changed = new vscode.EventEmitter<FindingsList>();
  readonly onDidChange = this.#changed.event;
  #current = EMPTY;
  #pages = 1;
  #includeDismissed = false;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(list: List) {
    this.#list = list;
  }

  get current(): FindingsList {
    return this.#current;
  }

  get includeDismissed(): boolean {
    return this.#includeDismissed;
  }

  async setIncludeDismissed(value: boolean): Promise<void> {
    this.#includeDismissed = value;
    await this.reload();
  }

  async loadMore(): Promise<void> {
    this.#pages += 1;
    await this.reload();
  }

  /** Reads the shown pages again. Calls that come while it reads are one more reading afterwards. */
  async reload(): Promise<void> {
    if (this.#running !== null) {
      this.#again = true;
      return await this.#running;
    }
    this.#running = this.#readUntilQuiet();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  /** All rows of one file, through all pages; absolute path. */
  async rowsOfFile(path: string, includeDismissed: boolean): Promise<readonly FindingRow[]> {
    const rows: FindingRow[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#list({ includeDismissed, offset, limit: PAGE });
      rows.push(...page.rows.filter(({ absolute }) => absolute !== null && samePath(absolute, path)));
      if (page.rows.length === 0 || offset + page.rows.length >= page.total) return rows;
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #readUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      this.#current = await this.#read();
    } while (this.#again);
    this.#changed.fire(this.#current);
  }

  async #read(): Promise<FindingsList> {
    const rows: FindingRow[] = [];
    for (let page = 0; ; page += 1) {
      const result = await this.#list({ includeDismissed: this.#includeDismissed, offset: rows.length, limit: PAGE });
      rows.push(...result.rows);
      const done = result.rows.length === 0 || rows.length >= result.total || page + 1 >= this.#pages;
      if (!done) continue;
      const { total, unread, waiting } = result;
      return { rows, total, unread, waiting, hidden: total === 0 ? await this.#hidden() : 0 };
    }
  }

  async #hidden(): Promise<number> {
    if (this.#includeDismissed) return 0;
    return (await this.#list({ includeDismissed: true, offset: 0, limit: 1 })).total;
  }
}

function samePath(one: string, other: string): boolean {
  return vscode.Uri.file(one).fsPath === vscode.Uri.file(other).fsPath;
}
