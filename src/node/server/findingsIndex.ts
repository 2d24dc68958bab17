import type { Severity, Unread } from "../../core/finding.ts";
import type {
  FindingGroup,
  FindingsQuery,
  Grouping,
  ListGroupsParams,
  ListGroupsResult,
  ListRowsParams,
  ListRowsResult,
  NextFindingParams,
  NextFindingResult,
} from "../../protocol/query.ts";
import { type Entry, stateOf, waitsForPerson } from "../engine/entry.ts";
import { shortLine } from "../report/clean.ts";
import { type Folder, locate } from "./folders.ts";
import { compareEntries, isListed, rowOf } from "./listing.ts";
import { groupOf, groupsOf, matcher, pathOf } from "./query.ts";
import type { WorkerSession } from "./session.ts";

/** Most groups or rows of one answer (ruling 30: messages of at most 1 MB). */
const MOST_ROWS = 1000;
const MOST_UNREAD = 500;
const MOST_UNREAD_TEXT = 400;
/** How long the list of changed files is believed, in milliseconds. */
const CHANGED_AGE_MS = 5000;

interface Item {
  readonly entry: Entry;
  readonly folder: Folder;
}

/** What a query shows, kept until something changes. */
interface Shown {
  readonly id: string;
  readonly items: readonly Item[];
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly note: string | null;
}

/** The same in groups. */
interface Grouped {
  readonly id: string;
  readonly groups: readonly FindingGroup[];
  /** By the group's id, in the order of `groups`. */
  readonly members: ReadonlyMap<string, readonly Item[]>;
  /** All members, group after group: the order in which a person sees them. */
  readonly order: readonly Item[];
}

/** All findings that can be shown. */
interface Listed {
  readonly items: readonly Item[];
  readonly waiting: number;
}

/** Answers what the Findings view asks: filtered, grouped and paged here, so that no list passes through the editor whole. */
export class FindingsIndex {
  readonly #session: WorkerSession;
  /** All findings by file, severity and line; sorted once for each reading of the reviews. */
  #sorted: { readonly key: string; readonly folder: Folder }[] | null = null;
  #listed: Listed | null = null;
  #shown: Shown | null = null;
  #grouped: Grouped | null = null;
  #changed: { readonly at: number; readonly files: Promise<ReadonlySet<string> | null> } | null = null;

  constructor(session: WorkerSession) {
    this.#session = session;
  }

  /** A review was read, a folder opened or closed. */
  listChanged(): void {
    this.#sorted = null;
    this.entryChanged();
  }

  /** An entry changed its state or its place. */
  entryChanged(): void {
    this.#listed = null;
    this.#shown = null;
    this.#grouped = null;
  }

  async groups({ query, groupBy, offset, limit }: ListGroupsParams): Promise<ListGroupsResult> {
    const shown = await this.#show(query);
    const { groups } = this.#group(shown, groupBy);
    const { items, waiting } = this.#list();
    return {
      groups: groups.slice(offset, offset + Math.min(limit, MOST_ROWS)),
      groupCount: groups.length,
      shown: shown.items.length,
      bySeverity: shown.bySeverity,
      total: items.length,
      waiting,
      unread: offset === 0 ? this.#unread() : [],
      unreadCount: this.#session.folders.reduce((count, { engine }) => count + engine.unread().length, 0),
      reading: this.#session.folders.some(({ engine }) => engine.reading()),
      note: shown.note,
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
    const { members, order } = this.#group(shown, groupBy);
    const wanted = ({ entry }: Item): boolean => !untriaged || (entry.triaged === null && stateOf(entry) === "new");
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
    const group = groupOf(item.entry, groupBy);
    const inGroup = members.get(group)?.indexOf(item) ?? -1;
    const row = rowOf(item.entry, item.folder.engine);
    return { found: { row, group, inGroup, position }, shown: order.length };
  }

  /** The first position that may be the next (or previous) one. */
  #start(order: readonly Item[], from: NextFindingParams["from"], direction: "next" | "previous"): number {
    const step = direction === "next" ? 1 : -1;
    const outside = direction === "next" ? 0 : order.length - 1;
    if (from === null) return outside;
    if ("key" in from) {
      const at = order.findIndex(({ entry }) => entry.finding.key === from.key);
      return at < 0 ? outside : at + step;
    }
    const file = locate(this.#session.folders, from.path)?.file ?? from.path;
    const inFile = order.flatMap(({ entry }, at) =>
      pathOf(entry) === file ? [{ at, line: entry.finding.place.line ?? 0 }] : [],
    );
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

  #unread(): Unread[] {
    const lines = this.#session.folders.flatMap(({ engine }) => engine.unread()).slice(0, MOST_UNREAD);
    return lines.map((unread) => ({
      ...unread,
      text: shortLine(unread.text, MOST_UNREAD_TEXT),
      reason: shortLine(unread.reason, MOST_UNREAD_TEXT),
    }));
  }

  #list(): Listed {
    if (this.#listed !== null) return this.#listed;
    this.#sorted ??= this.#session
      .entries()
      .sort((a, b) => compareEntries(a.entry, b.entry))
      .map(({ entry, folder }) => ({ key: entry.finding.key, folder }));
    const items: Item[] = [];
    let waiting = 0;
    for (const { key, folder } of this.#sorted) {
      const entry = folder.engine.entry(key);
      if (entry === undefined || !isListed(entry)) continue;
      items.push({ entry, folder });
      if (waitsForPerson(entry)) waiting += 1;
    }
    this.#listed = { items, waiting };
    return this.#listed;
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
    const items = this.#list().items.filter(({ entry }) => {
      if (!matches(entry)) return false;
      bySeverity[entry.finding.severity] += 1;
      return severities.size === 0 || severities.has(entry.finding.severity);
    });
    this.#shown = { id, items, bySeverity, note };
    this.#grouped = null;
    return this.#shown;
  }

  #group(shown: Shown, by: Grouping): Grouped {
    const id = `${by} ${shown.id}`;
    if (this.#grouped?.id === id) return this.#grouped;
    const unordered = Map.groupBy(shown.items, ({ entry }) => groupOf(entry, by));
    const groups = groupsOf(
      shown.items.map(({ entry }) => entry),
      by,
    );
    const members = new Map(groups.map((group) => [group.id, unordered.get(group.id) ?? []]));
    this.#grouped = { id, groups, members, order: [...members.values()].flat() };
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
