import type { Severity } from "../../core/finding.ts";
import type { State } from "../../core/outcome.ts";
import { type Entry, stateOf, waitsForPerson } from "../engine/entry.ts";
import type { Folder } from "./folders.ts";
import { isListed, placedOf } from "./listing.ts";

/**
 * What queries look at, copied out of an entry. 100,000 entries lie all over the heap, and a filter that follows each of them
 * waits for memory most of its time; these lie one behind the other in the order of the view.
 */
export interface Indexed {
  readonly key: string;
  readonly folder: Folder;
  entry: Entry;
  /** Workspace-relative path, or the one its source wrote; empty where there is none. */
  path: string;
  /** 1-based; 0 where there is none. */
  line: number;
  readonly severity: Severity;
  readonly rule: string;
  readonly tool: string;
  readonly message: string;
  /** False for an editor's diagnostic that nobody has triaged. */
  listed: boolean;
  state: State;
  waiting: boolean;
  /** A dismissal that the code has not outgrown: what it outgrew is open again, so it is shown again. */
  dismissed: boolean;
  suppressed: boolean;
}

/** Copies out of an entry what queries look at. */
export function toIndexed(entry: Entry, folder: Folder): Indexed {
  const { key, severity, rule, tool, message } = entry.finding;
  return { key, folder, severity, rule: rule ?? "", tool, message, ...changing(entry) };
}

/** Takes over what may have changed in an entry: its state and, while a file is edited, its place. */
export function refresh(item: Indexed, entry: Entry): void {
  Object.assign(item, changing(entry));
}

function changing(
  entry: Entry,
): Pick<Indexed, "entry" | "path" | "line" | "listed" | "state" | "waiting" | "dismissed" | "suppressed"> {
  const { finding, decided, staleReason } = entry;
  const { path, line } = placedOf(entry);
  return {
    entry,
    path,
    line,
    listed: isListed(entry),
    state: stateOf(entry),
    waiting: waitsForPerson(entry),
    dismissed: decided?.decision === "dismissed" && staleReason === null,
    suppressed: finding.status !== "open",
  };
}
