import type { Severity, Unread } from "../core/finding.ts";
import type { State } from "../core/outcome.ts";
import type { FindingRow } from "./worker.ts";

// The Findings view asks the worker for what it shows: the worker owns the findings, so that a list of any length is
// filtered, grouped and paged there and never passes through the extension host as a whole.

export const GROUPINGS = ["file", "rule", "severity", "tool", "state"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What to show. An empty list or text sets no condition. */
export interface FindingsQuery {
  /** Words that must all occur in message, file, rule or tool; letter case does not count. */
  readonly text: string;
  readonly severities: readonly Severity[];
  readonly states: readonly State[];
  readonly tools: readonly string[];
  readonly rules: readonly string[];
  /** A glob, or a part of the workspace-relative path. */
  readonly path: string;
  /** Only files that differ from the merge base with the default branch, or are not committed. */
  readonly changedOnly: boolean;
  /** Also what its own source suppressed, or reports as absent or passed. */
  readonly suppressed: boolean;
  readonly dismissed: boolean;
  /** Only what waits for a person. */
  readonly waiting: boolean;
}

export const SHOW_ALL: FindingsQuery = {
  text: "",
  severities: [],
  states: [],
  tools: [],
  rules: [],
  path: "",
  changedOnly: false,
  suppressed: false,
  dismissed: false,
  waiting: false,
};

/** One group of the view. */
export interface FindingGroup {
  /** What `listRows` takes: the file, the rule, ... ; empty for findings without one. */
  readonly id: string;
  /** The same, cleaned for display. */
  readonly label: string;
  readonly total: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  /** How many of it wait for a person. */
  readonly waiting: number;
}

/** Client -> worker request: the groups of what a query shows, in their order, at most 1000 a page. */
export const listGroups = "skepticalTriage/listGroups";
export interface ListGroupsParams {
  readonly query: FindingsQuery;
  readonly groupBy: Grouping;
  readonly offset: number;
  readonly limit: number;
}
export interface ListGroupsResult {
  readonly groups: readonly FindingGroup[];
  readonly groupCount: number;
  /** Findings that the query shows. */
  readonly shown: number;
  /** What it would show of each severity if it set no condition on severities: what the buttons that choose them promise. */
  readonly bySeverity: Readonly<Record<Severity, number>>;
  /** Findings there are in all, whatever the query says. */
  readonly total: number;
  /** All that wait for a person, whatever the query says. */
  readonly waiting: number;
  /** Lines that were not understood, their text shortened and cleaned for display; at most 500. */
  readonly unread: readonly Unread[];
  /** How many there are in all. */
  readonly unreadCount: number;
  /** A review file is still being read: what is shown is provisional (ruling 39). */
  readonly reading: boolean;
  /** Why a condition could not be applied ("no git repository"); null where all were. */
  readonly note: string | null;
}

/** Client -> worker request: rows of one group (null: of all), at most 1000 a page, by file, severity and line. */
export const listRows = "skepticalTriage/listRows";
export interface ListRowsParams {
  readonly query: FindingsQuery;
  readonly groupBy: Grouping;
  readonly group: string | null;
  readonly offset: number;
  readonly limit: number;
}
export interface ListRowsResult {
  readonly rows: readonly FindingRow[];
  readonly total: number;
}

/**
 * Client -> worker request: the next (or previous) finding in the view's order, after its end again from its start. Seen from a
 * place, it is the nearest one of the file below (above) the line, else what follows (precedes) the file's findings.
 */
export const nextFinding = "skepticalTriage/nextFinding";
export interface NextFindingParams {
  readonly query: FindingsQuery;
  readonly groupBy: Grouping;
  readonly from: { readonly key: string } | { readonly path: string; readonly line: number } | null;
  readonly direction: "next" | "previous";
  /** Only findings nobody has triaged or decided yet. */
  readonly untriaged: boolean;
}
export interface NextFindingResult {
  /** Null where nothing fits. */
  readonly found: FoundRow | null;
  /** Findings that the query shows. */
  readonly shown: number;
}
/** A row and where it stands in the view; both places 0-based. */
export interface FoundRow {
  readonly row: FindingRow;
  readonly group: string;
  /** Among the rows of its group, as `listRows` pages them. */
  readonly inGroup: number;
  /** Among all rows that the query shows. */
  readonly position: number;
}
