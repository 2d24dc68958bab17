import type { Severity, Unread } from "../../core/finding.ts";
import type {
  FindingsQuery,
  Grouping,
  ListGroupsParams,
  ListGroupsResult,
  ListRowsParams,
  ListRowsResult,
  NextFindingParams,
  NextFindingResult,
} from "../../protocol/query.ts";
import { shortLine } from "../report/clean.ts";
import { type Folder, locate } from "./folders.ts";
import { type Indexed, refresh, toIndexed } from "./indexed.ts";
import { comparePlaced, rowOf } from "./listing.ts";
import { type Grouped, groupOf, groupsOf, matcher } from "./query.ts";
import type { WorkerSession } from "./session.ts";

/** Most groups or rows of one answer (ruling 30: messages of at most 1 MB). */
const MOST_ROWS = 1000;
const MOST_UNREAD = 500;
const MOST_UNREAD_TEXT = 400;
/** How long the list of changed files is believed, in milliseconds. */
const CHANGED_AGE_MS = 5000;

/** What a query shows, kept until something changes. */
interface Shown {
  readonly id: string;
  readonly items: readonly Indexed[];
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly note: string | null;
}

/** The same in groups. */
interface ShownGroups extends Grouped {
  readonly id: string;
  /** All members, group after group: the order in which a person sees them. */
  readonly order: () => readonly Indexed[];
}

/** All findings by file, severity and line, with their counts. */
interface List {
  readonly items: readonly Indexed[];
  readonly total: number;
  readonly waiting: number;
}

/** Answers what the Findings view asks: filtered, grouped and paged here, so that no list passes through the editor whole. */
export class FindingsIndex {
  readonly #session: WorkerSession;
  /** Sorted once for each reading of the reviews. */
  #list: List | null = null;
  /** Findings whose entries changed since `#list` was made. */
  readonly #stale = new Set<string>();
  #shown: Shown | null = null;
  #grouped: ShownGroups | null = null;
  #changed: { readonly at: number; readonly files: Promise<ReadonlySet<string> | null> } | null = null;

  constructor(session: WorkerSession) {
    this.#session = session;
  }

  /** A review was read, a folder opened or closed. */
  listChanged(): void {
    this.#list = null;
    this.#stale.clear();
    this.#forgetShown();
  }

  /** An entry changed its state or its place. */
  entryChanged(key: string): void {
    if (this.#list !== null) this.#stale.add(key);
    this.#forgetShown();
  }

  #forgetShown(): void {
    this.#shown = null;
    this.#grouped = null;
  }

  async groups({ query, groupBy, offset, limit }: ListGroupsParams): Promise<ListGroupsResult> {
    const shown = await this.#show(query);
    const { groups } = this.#group(shown, groupBy);
    const { total, waiting } = this.#listed();
    return {
      groups: groups.slice(offset, offset + Math.min(limit, MOST_ROWS)),
      groupCount: groups.length,
      shown: shown.items.length,
      bySeverity: shown.bySeverity,
      total,
      waiting,
      unread: offset === 0 ? this.#unread() : [],
      unreadCount: this.#session.folders.reduce((count, { engine }) => count + engine.unread().length, 0),
      reading: this.#session.folders.some(({ engine }) => engine.reading()),
      note: this.#note(shown),
    };
  }

  async rows({ query, groupBy, group, offset, limit }: ListRowsParams): Promise<ListRowsResult> {
    const shown = await this.#show(query);
    const chosen = group === null ? shown.items : (this.#group(shown, groupBy).members.get(group) ?? []);
    const page = chosen.slice(offset, offset + Math.min(limit, MOST_ROWS));
    return { rows: page.map(({ entry, folder }) => rowOf(entry, folder.engine)), total: chosen.length };
  }

  async next({ query, groupBy, from, direction, untriaged }: NextFindingParams): Promise<NextFindingResult> {
    const shown = await this.#show(query);
    const grouped = this.#group(shown, groupBy);
    const order = grouped.order();
    const wanted = ({ entry, state }: Indexed): boolean => !untriaged || (entry.triaged === null && state === "new");
    const start = this.#start(order, from, direction);
    const position =
      direction === "next"
        ? firstOf(
            order.findIndex((item, at) => at >= start && wanted(item)),
            order.findIndex(wanted),
          )
        : firstOf(
            order.findLastIndex((item, at) => at <= start && wanted(item)),
            order.findLastIndex(wanted),
          );
    const item = order[position];
    if (item === undefined) return { found: null, shown: order.length };
    const group = groupOf(item, groupBy);
    const inGroup = grouped.members.get(group)?.indexOf(item) ?? -1;
    const row = rowOf(item.entry, item.folder.engine);
    return { found: { row, group, inGroup, position }, shown: order.length };
  }

  /** The first position that may be the next (or previous) one. */
  #start(order: readonly Indexed[], from: NextFindingParams["from"], direction: "next" | "previous"): number {
    const step = direction === "next" ? 1 : -1;
    const outside = direction === "next" ? 0 : order.length - 1;
    if (from === null) return outside;
    if ("key" in from) {
      const at = order.findIndex(({ key }) => key === from.key);
      return at < 0 ? outside : at + step;
    }
    const file = locate(this.#session.folders, from.path)?.file ?? from.path;
    const inFile = order.flatMap(({ path, line }, at) => (path === file ? [{ at, line }] : []));
    if (step < 0) inFile.reverse();
    // On the line itself, the cursor has seen what stands there.
    const here = inFile.findLast(({ line }) => line === from.line);
    if (here !== undefined) return here.at + step;
    let nearest: { readonly at: number; readonly distance: number } | null = null;
    for (const { at, line } of inFile) {
      const distance = (line - from.line) * step;
      if (distance > 0 && (nearest === null || distance < nearest.distance)) nearest = { at, distance };
    }
    if (nearest !== null) return nearest.at;
    const last = inFile.at(-1);
    return last === undefined ? outside : last.at + step;
  }

  #note(shown: Shown): string | null {
    const notes = [shown.note, ...this.#session.folders.map(({ engine }) => engine.carried())];
    return notes.filter((note) => note !== null).join(" ") || null;
  }

  #unread(): Unread[] {
    const lines = this.#session.folders.flatMap(({ engine }) => engine.unread()).slice(0, MOST_UNREAD);
    return lines.map((unread) => ({
      ...unread,
      text: shortLine(unread.text, MOST_UNREAD_TEXT),
      reason: shortLine(unread.reason, MOST_UNREAD_TEXT),
    }));
  }

  #listed(): List {
    if (this.#list !== null && this.#stale.size === 0) return this.#list;
    const items = this.#list?.items ?? this.#sorted();
    for (const item of items) {
      const entry = this.#stale.has(item.key) ? item.folder.engine.entry(item.key) : undefined;
      if (entry !== undefined) refresh(item, entry);
    }
    this.#stale.clear();
    let [total, waiting] = [0, 0];
    for (const item of items) {
      if (!item.listed) continue;
      total += 1;
      if (item.waiting) waiting += 1;
    }
    this.#list = { items, total, waiting };
    return this.#list;
  }

  #sorted(): Indexed[] {
    return Array.from(this.#session.entries(), ({ entry, folder }) => toIndexed(entry, folder)).sort(comparePlaced);
  }

  async #show(query: FindingsQuery): Promise<Shown> {
    const id = JSON.stringify(query);
    if (this.#shown?.id === id && !query.changedOnly) return this.#shown;
    const changed = query.changedOnly ? await this.#changedFiles() : null;
    const note =
      query.changedOnly && changed === null
        ? "There is no git repository to tell which files changed: all are shown."
        : null;
    const matches = matcher({ ...query, severities: [] }, changed);
    const severities = new Set(query.severities);
    const bySeverity: Record<Severity, number> = { P0: 0, P1: 0, P2: 0, Nit: 0 };
    const items = this.#listed().items.filter((item) => {
      if (!matches(item)) return false;
      bySeverity[item.severity] += 1;
      return severities.size === 0 || severities.has(item.severity);
    });
    this.#shown = { id, items, bySeverity, note };
    this.#grouped = null;
    return this.#shown;
  }

  #group(shown: Shown, by: Grouping): ShownGroups {
    const id = `${by} ${shown.id}`;
    if (this.#grouped?.id === id) return this.#grouped;
    const grouped = groupsOf(shown.items, by);
    let order: readonly Indexed[] | null = null;
    this.#grouped = { id, ...grouped, order: () => (order ??= [...grouped.members.values()].flat()) };
    return this.#grouped;
  }

  async #changedFiles(): Promise<ReadonlySet<string> | null> {
    const now = performance.now();
    if (this.#changed === null || now - this.#changed.at > CHANGED_AGE_MS) {
      this.#changed = { at: now, files: changedIn(this.#session.folders) };
    }
    return await this.#changed.files;
  }
}

/** The first of two positions that is one. */
function firstOf(position: number, otherwise: number): number {
  return position < 0 ? otherwise : position;
}

/** Changed files of all folders, workspace-relative; null where no folder has a history. */
async function changedIn(folders: readonly Folder[]): Promise<ReadonlySet<string> | null> {
  const lists = await Promise.all(folders.map(async ({ repository }) => await repository.changedFiles()));
  const known = lists.filter((list) => list !== null);
  return known.length === 0 ? null : new Set(known.flat());
}
