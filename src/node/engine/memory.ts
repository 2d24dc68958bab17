import { carryOver, type Present } from "../../core/carry.ts";
import { fold } from "../../core/citation.ts";
import type { Finding } from "../../core/finding.ts";
import type { Hash, Repository } from "../../core/ports.ts";
import type { Region } from "../../core/regions.ts";
import { type Entry, withoutOutgrown } from "./entry.ts";
import type { History, Remembered } from "./history.ts";

const NOTHING: Remembered = { triaged: new Map(), decided: new Map(), known: [], problems: [] };

/** What the log remembers, brought to the findings as they are now (C17). */
export class Memory {
  readonly #history: History;
  readonly #repository: Repository;
  readonly #hash: Hash;
  #remembered = NOTHING;
  /** Present key to remembered key; keys that stand for themselves are left out. */
  #byKey: ReadonlyMap<string, string> = new Map();
  /** Remembered keys that another finding has taken over, or that could belong to several. */
  #gone: ReadonlySet<string> = new Set();

  constructor(history: History, repository: Repository, hash: Hash) {
    this.#history = history;
    this.#repository = repository;
    this.#hash = hash;
  }

  /** Reads log and journal again; returns sentences about what could not be read. */
  async reload(): Promise<readonly string[]> {
    this.#remembered = await this.#history.load();
    return this.#remembered.problems;
  }

  /** Works out which finding each remembered verdict belongs to; returns a sentence where that was not plain, else null. */
  async assign(findings: Iterable<Finding>): Promise<string | null> {
    const { known } = this.#remembered;
    if (known.length === 0) return null;
    const sources = new Set(known.map(sourceOf));
    const wanted = [...findings].filter((finding) => sources.has(sourceOf(finding)));
    const { byKey, moved, ambiguous } = carryOver(known, await this.#presents(wanted));
    this.#byKey = byKey;
    const present = new Set(wanted.map(({ key }) => key));
    this.#gone = new Set([
      ...ambiguous,
      ...known.map(({ key }) => key).filter((key) => present.has(key) && byKey.get(key) !== key),
    ]);
    const count = byKey.size + ambiguous.length;
    const parts = [
      moved > 0 ? `${moved} carried to another place or name` : null,
      ambiguous.length > 0 ? `${ambiguous.length} expired: more than one finding flags the same code` : null,
    ];
    const told = parts.filter((part) => part !== null);
    return told.length === 0
      ? null
      : `Of ${count} ${count === 1 ? "verdict" : "verdicts"} in the log: ${told.join(", ")}.`;
  }

  /** An entry with what the log knows of it; one the log says nothing of keeps what it has. */
  recall(entry: Entry): Entry {
    return withoutOutgrown(this.#recall(entry));
  }

  #recall(entry: Entry): Entry {
    const { key, place } = entry.finding;
    const source = this.#byKey.get(key) ?? key;
    if (source === key && this.#gone.has(key)) return { ...entry, triaged: null, decided: null };
    const triaged = this.#remembered.triaged.get(source);
    const decided = this.#remembered.decided.get(source) ?? null;
    if (triaged === undefined && decided === null) return entry;
    const before = this.#remembered.known.find((one) => one.key === source)?.file ?? null;
    const move = (regions: readonly Region[]): Region[] =>
      regions.map((region) =>
        region.file === before && place.file !== null ? { ...region, file: place.file } : region,
      );
    return {
      ...entry,
      triaged: triaged === undefined ? entry.triaged : { ...triaged, key, regions: move(triaged.regions) },
      decided: decided === null ? null : { ...decided, regions: move(decided.regions) },
    };
  }

  /** Findings as `carryOver` compares them; each file is read once. */
  async #presents(findings: readonly Finding[]): Promise<Present[]> {
    const presents: Present[] = [];
    for (const [file, group] of Map.groupBy(findings, ({ place }) => place.file)) {
      const lines = file === null ? null : ((await this.#repository.text(file))?.lines ?? null);
      for (const { key, tool, rule, place } of group) {
        const flagged =
          lines === null || place.line === null
            ? null
            : this.#hash(fold(lines.slice(place.line - 1, place.endLine ?? place.line).join("\n")));
        presents.push({ key, file: file ?? null, line: place.line, tool, rule, flagged });
      }
    }
    return presents;
  }
}

function sourceOf({ tool, rule }: Pick<Finding, "tool" | "rule">): string {
  return `${tool}\n${rule ?? ""}`;
}
