import type {
  Facets,
  FindingGroup,
  FindingsQuery,
  Grouping,
  ListGroupsParams,
  ListGroupsResult,
  ListRowsParams,
  ListRowsResult,
  NextFindingParams,
} from "../../protocol/query.ts";
import type { FindingRow } from "../../protocol/worker.ts";
import { type Entry, stateOf, waitsForPerson } from "../engine/entry.ts";
import { type Folder, locate } from "./folders.ts";
import { compareEntries, isListed, rowOf } from "./listing.ts";
import { facetsOf, groupOf, groupsOf, matcher } from "./query.ts";
import type { WorkerSession } from "./session.ts";

/** Most groups or rows of one answer (ruling 30: messages of at most 1 MB). */
const MOST_ROWS = 1000;
const MOST_UNREAD = 500;
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
  readonly note: string | null;
}

/** Answers what the Findings view asks: filtered, grouped and paged here, so that no list passes through the editor whole. */
export class FindingsIndex {
  readonly #session: WorkerSession;
  /** All findings in the view's order; sorted once for each reading of the reviews. */
  #order: { readonly key: string; readonly folder: Folder }[] | null = null;
  #shown: Shown | null = null;
  #groups: { readonly id: string; readonly groups: readonly FindingGroup[] } | null = null;
  #facets: Facets | null = null;
  #changed: { readonly at: number; readonly files: Promise<ReadonlySet<string> | null> } | null = null;

  constructor(session: WorkerSession) {
    this.#session = session;
  }

  /** A review was read, a folder opened or closed. */
  listChanged(): void {
    this.#order = null;
    this.#facets = null;
    this.entryChanged();
  }

  /** An entry changed its state or its place. */
  entryChanged(): void {
    this.#shown = null;
    this.#groups = null;
  }

  async groups({ query, groupBy, offset, limit }: ListGroupsParams): Promise<ListGroupsResult> {
    const shown = await this.#show(query);
    const groups = this.#grouped(shown, groupBy);
    const all = this.#items();
    this.#facets ??= facetsOf(all.map(({ entry }) => entry));
    return {
      groups: groups.slice(offset, offset + Math.min(limit, MOST_ROWS)),
      groupCount: groups.length,
      shown: shown.items.length,
      total: all.length,
      waiting: all.reduce((count, { entry }) => count + (waitsForPerson(entry) ? 1 : 0), 0),
      facets: this.#facets,
      unread: offset === 0 ? this.#session.folders.flatMap(({ engine }) => engine.unread()).slice(0, MOST_UNREAD) : [],
      reading: this.#session.folders.some(({ engine }) => engine.reading()),
      note: shown.note,
    };
  }

  async rows({ query, groupBy, group, offset, limit }: ListRowsParams): Promise<ListRowsResult> {
    const { items } = await this.#show(query);
    const chosen = group === null ? items : items.filter(({ entry }) => groupOf(entry, groupBy) === group);
    const page = chosen.slice(offset, offset + Math.min(limit, MOST_ROWS));
    return { rows: page.map(({ entry, folder }) => rowOf(entry, folder.engine)), total: chosen.length };
  }

  async next({ query, from, direction, untriaged }: NextFindingParams): Promise<FindingRow | null> {
    const { items } = await this.#show(query);
    const wanted = ({ entry }: Item): boolean => !untriaged || (entry.triaged === null && stateOf(entry) === "new");
    const start = this.#position(items, from);
    const found =
      direction === "next"
        ? (items.find((item, at) => at > start.last && wanted(item)) ?? items.find(wanted))
        : (items.findLast((item, at) => at < start.first && wanted(item)) ?? items.findLast(wanted));
    return found === undefined ? null : rowOf(found.entry, found.folder.engine);
  }

  /** Between which positions a place or a finding lies in the view's order. */
  #position(
    items: readonly Item[],
    from: NextFindingParams["from"],
  ): { readonly first: number; readonly last: number } {
    if (from === null) return { first: items.length, last: -1 };
    if ("key" in from) {
      const at = items.findIndex(({ entry }) => entry.finding.key === from.key);
      return at < 0 ? { first: items.length, last: -1 } : { first: at, last: at };
    }
    const found = locate(this.#session.folders, from.path);
    const file = found?.file ?? from.path;
    const before = ({ entry: { finding } }: Item): boolean => {
      const own = finding.place.file ?? finding.citedPath ?? "";
      return own < file || (own === file && (finding.place.line ?? 0) < from.line);
    };
    const here = ({ entry: { finding } }: Item): boolean =>
      finding.place.file === file && finding.place.line === from.line;
    const last = items.findLastIndex((item) => before(item) || here(item));
    const first = items.findIndex((item) => !before(item));
    return { first: first < 0 ? items.length : first, last };
  }

  #items(): Item[] {
    this.#order ??= this.#session
      .entries()
      .sort((a, b) => compareEntries(a.entry, b.entry))
      .map(({ entry, folder }) => ({ key: entry.finding.key, folder }));
    const items: Item[] = [];
    for (const { key, folder } of this.#order) {
      const entry = folder.engine.entry(key);
      if (entry !== undefined && isListed(entry)) items.push({ entry, folder });
    }
    return items;
  }

  async #show(query: FindingsQuery): Promise<Shown> {
    const id = JSON.stringify(query);
    if (this.#shown?.id === id && !query.changedOnly) return this.#shown;
    const changed = query.changedOnly ? await this.#changedFiles() : null;
    const note =
      query.changedOnly && changed === null
        ? "There is no git repository to tell which files changed: all are shown."
        : null;
    const matches = matcher(query, changed);
    this.#shown = { id, items: this.#items().filter(({ entry }) => matches(entry)), note };
    this.#groups = null;
    return this.#shown;
  }

  #grouped(shown: Shown, by: Grouping): readonly FindingGroup[] {
    const id = `${by} ${shown.id}`;
    if (this.#groups?.id !== id)
      this.#groups = {
        id,
        groups: groupsOf(
          shown.items.map(({ entry }) => entry),
          by,
        ),
      };
    return this.#groups.groups;
  }

  async #changedFiles(): Promise<ReadonlySet<string> | null> {
    const now = performance.now();
    if (this.#changed === null || now - this.#changed.at > CHANGED_AGE_MS) {
      this.#changed = { at: now, files: changedIn(this.#session.folders) };
    }
    return await this.#changed.files;
  }
}

/** Changed files of all folders, workspace-relative; null where no folder has a history. */
async function changedIn(folders: readonly Folder[]): Promise<ReadonlySet<string> | null> {
  const lists = await Promise.all(folders.map(async ({ repository }) => await repository.changedFiles()));
  const known = lists.filter((list) => list !== null);
  return known.length === 0 ? null : new Set(known.flat());
}
