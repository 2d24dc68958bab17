import type { Memento } from "vscode";
import { type FindingsQuery, SHOW_ALL } from "../protocol/query.ts";
import { sameQuery } from "./filterWords.ts";

const QUERY = "filter";
const SAVED = "savedFilters";

/** Most characters of a saved filter's name. */
export const MOST_NAME = 60;

export interface SavedFilter {
  readonly name: string;
  readonly query: FindingsQuery;
}

export interface FilterPorts {
  /** Keeps the filter and the saved ones for this workspace. */
  readonly state: Pick<Memento, "get" | "update">;
  /** Reads what was kept; null for what is no query of this version. */
  readonly parse: (kept: unknown) => Promise<FindingsQuery | null>;
  /** Filter or saved filters changed. */
  readonly changed: () => void;
}

/** What the Findings view shows, and the filters a person has given names to. */
export class FilterState {
  readonly #ports: FilterPorts;
  #query = SHOW_ALL;
  #saved: readonly SavedFilter[] = [];

  constructor(ports: FilterPorts) {
    this.#ports = ports;
  }

  get query(): FindingsQuery {
    return this.#query;
  }

  /** By name, in alphabetical order. */
  get saved(): readonly SavedFilter[] {
    return this.#saved;
  }

  /** Name of the saved filter that is the present one; null where none is. */
  get name(): string | null {
    return this.#saved.find(({ query }) => sameQuery(query, this.#query))?.name ?? null;
  }

  /** Takes over what an earlier window kept; what cannot be read is left out. */
  async restore(): Promise<void> {
    const kept = this.#ports.state.get<unknown>(QUERY);
    const saved = this.#ports.state.get<unknown>(SAVED);
    if (kept === undefined && saved === undefined) return;
    this.#query = (await this.#ports.parse(kept)) ?? SHOW_ALL;
    const read: SavedFilter[] = [];
    for (const one of Array.isArray(saved) ? saved : []) {
      const named = isNamed(one) ? { name: one.name, query: await this.#ports.parse(one.query) } : null;
      if (named !== null && named.query !== null) read.push({ name: named.name, query: named.query });
    }
    this.#saved = inOrder(read);
    this.#ports.changed();
  }

  /** Shows something else; nothing happens where it is the same. */
  async set(query: FindingsQuery): Promise<void> {
    if (JSON.stringify(query) === JSON.stringify(this.#query)) return;
    this.#query = query;
    this.#ports.changed();
    await this.#ports.state.update(QUERY, sameQuery(query, SHOW_ALL) ? undefined : query);
  }

  async change(change: Partial<FindingsQuery>): Promise<void> {
    await this.set({ ...this.#query, ...change });
  }

  async clear(): Promise<void> {
    await this.set(SHOW_ALL);
  }

  /** Keeps the present filter under a name, in place of one that had it. */
  async save(name: string): Promise<void> {
    await this.#keep([...this.#saved.filter((other) => other.name !== name), { name, query: this.#query }]);
  }

  async delete(name: string): Promise<void> {
    await this.#keep(this.#saved.filter((other) => other.name !== name));
  }

  async #keep(saved: readonly SavedFilter[]): Promise<void> {
    this.#saved = inOrder(saved);
    this.#ports.changed();
    await this.#ports.state.update(SAVED, this.#saved);
  }
}

function inOrder(saved: readonly SavedFilter[]): readonly SavedFilter[] {
  return saved.toSorted((one, other) => one.name.localeCompare(other.name));
}

function isNamed(value: unknown): value is { readonly name: string; readonly query: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    value.name !== "" &&
    "query" in value
  );
}
