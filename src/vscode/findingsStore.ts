import type {
  FindingsQuery,
  Grouping,
  ListGroupsParams,
  ListGroupsResult,
  ListRowsParams,
  ListRowsResult,
} from "../protocol/query.ts";
import type { FindingRow } from "../protocol/worker.ts";

/** Groups or rows asked for in one message. */
export const PAGE = 1000;

/** While a large review is read, the list changes all the time: it is read again at most this often, in milliseconds. */
const CALM_MS = 400;

export interface StorePorts {
  listGroups(params: ListGroupsParams): Promise<ListGroupsResult>;
  listRows(params: ListRowsParams): Promise<ListRowsResult>;
  query(): FindingsQuery;
  /** The groups were read again. */
  changed(): void;
  /** Resolves after a time in milliseconds. */
  wait(ms: number): Promise<void>;
}

/** Rows of one group as far as they were asked for. */
export interface GroupRows {
  readonly rows: readonly FindingRow[];
  readonly total: number;
}

/** Rows as the worker is asked for them. */
export type RowsOf = Pick<ListRowsParams, "query" | "groupBy" | "group">;

export interface Gathered<T> {
  readonly taken: readonly T[];
  /** False where there were more than asked for. */
  readonly complete: boolean;
}

const NOTHING: ListGroupsResult = {
  groups: [],
  groupCount: 0,
  shown: 0,
  bySeverity: { P0: 0, P1: 0, P2: 0, Nit: 0 },
  total: 0,
  waiting: 0,
  unread: [],
  unreadCount: 0,
  reading: false,
  note: null,
};

/** A window on the worker's findings: the pages of groups, and on request those of a group's rows. It keeps no rows itself. */
export class FindingsStore {
  readonly #ports: StorePorts;
  #current = NOTHING;
  #grouping: Grouping;
  #groupPages = 1;
  readonly #rowPages = new Map<string, number>();
  #running: Promise<void> | null = null;
  #again = false;
  /** Ends the pause between two readings. */
  #wake: () => void = () => undefined;

  constructor(ports: StorePorts, grouping: Grouping) {
    this.#ports = ports;
    this.#grouping = grouping;
  }

  /** The groups as last read; `groups` holds the pages that were asked for. */
  get current(): ListGroupsResult {
    return this.#current;
  }

  get grouping(): Grouping {
    return this.#grouping;
  }

  /** Groups otherwise; pages that were loaded belong to the grouping before. */
  async group(by: Grouping): Promise<void> {
    this.#grouping = by;
    await this.restart();
  }

  /** Reads again from the first page, as after a change of the filter. */
  async restart(): Promise<void> {
    this.#groupPages = 1;
    this.#rowPages.clear();
    this.#wake();
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

  /** Asks for one more page: of a group's rows, which the caller then reads, or with null of groups. */
  async loadMore(group: string | null): Promise<void> {
    if (group !== null) this.#rowPages.set(group, this.#pagesOf(group) + 1);
    else {
      this.#groupPages += 1;
      await this.reload();
    }
  }

  /** Whether the row at this place (0-based) of a group is among the pages that are shown, or in the one after them. */
  isNear(group: string, place: number): "shown" | "next" | "far" {
    const pages = this.#pagesOf(group);
    if (place < pages * PAGE) return "shown";
    return place < (pages + 1) * PAGE ? "next" : "far";
  }

  /** The rows of a group, as many pages as were asked for so far. */
  async rowsOf(group: string): Promise<GroupRows> {
    const rows: FindingRow[] = [];
    for (let page = 0; ; page += 1) {
      const read = await this.#page(this.#shownGroup(group), rows.length);
      rows.push(...read.rows);
      if (read.rows.length === 0 || rows.length >= read.total || page + 1 >= this.#pagesOf(group))
        return { rows, total: read.total };
    }
  }

  /** The first rows of all groups, for a pick: never more than one page. */
  async firstRows(): Promise<GroupRows> {
    return await this.#page(this.#shownGroup(null), 0);
  }

  /** Some rows, whatever the view shows of them: page by page what `take` makes of each, until there are `most`. */
  async gather<T>(of: RowsOf, take: (row: FindingRow) => T | null, most: number): Promise<Gathered<T>> {
    const taken: T[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { rows, total } = await this.#page(of, offset);
      for (const row of rows) {
        const one = take(row);
        if (one === null) continue;
        if (taken.length === most) return { taken, complete: false };
        taken.push(one);
      }
      if (rows.length === 0 || offset + rows.length >= total) return { taken, complete: true };
    }
  }

  async #page(of: RowsOf, offset: number): Promise<ListRowsResult> {
    return await this.#ports.listRows({ ...of, offset, limit: PAGE });
  }

  #shownGroup(group: string | null): RowsOf {
    return { query: this.#ports.query(), groupBy: this.#grouping, group };
  }

  #pagesOf(group: string): number {
    return this.#rowPages.get(group) ?? 1;
  }

  async #readUntilQuiet(): Promise<void> {
    for (;;) {
      this.#again = false;
      const [query, grouping] = [this.#ports.query(), this.#grouping];
      const read = await this.#read(query, grouping);
      // What was asked for meanwhile is read at once; what the worker tells of by itself can wait.
      const outdated = query !== this.#ports.query() || grouping !== this.#grouping;
      if (!outdated) {
        this.#current = read;
        this.#ports.changed();
        if (this.#again && read.reading) await this.#pause();
      }
      if (!this.#again && !outdated) return;
    }
  }

  /** A person who changes filter or grouping does not wait for its end. */
  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([woken, this.#ports.wait(CALM_MS)]);
  }

  async #read(query: FindingsQuery, groupBy: Grouping): Promise<ListGroupsResult> {
    const groups: ListGroupsResult["groups"][number][] = [];
    let first: ListGroupsResult | null = null;
    for (let page = 1; ; page += 1) {
      const read = await this.#ports.listGroups({ query, groupBy, offset: groups.length, limit: PAGE });
      first ??= read;
      groups.push(...read.groups);
      if (read.groups.length === 0 || groups.length >= read.groupCount || page >= this.#groupPages)
        return { ...read, groups, unread: first.unread };
    }
  }
}
