import type { Unread } from "../core/finding.ts";
import type { FindingGroup, Grouping, ListGroupsResult } from "../protocol/query.ts";
import type { FindingRow } from "../protocol/worker.ts";
import type { GroupRows } from "./findingsStore.ts";
import { SEVERITIES } from "./severities.ts";

/** A row of the Findings view. `id` is stable over reloads, so that selection and expansion survive them. */
export type Node =
  | GroupNode
  | { readonly kind: "finding"; readonly id: string; readonly row: FindingRow; readonly grouping: Grouping }
  | { readonly kind: "unreadGroup"; readonly id: string; readonly lines: readonly Unread[]; readonly total: number }
  | { readonly kind: "unread"; readonly id: string; readonly unread: Unread }
  /** What is not loaded: rows of a group, or with null groups. */
  | { readonly kind: "more"; readonly id: string; readonly group: string | null; readonly left: number };

export interface GroupNode {
  readonly kind: "group";
  readonly id: string;
  readonly grouping: Grouping;
  readonly group: FindingGroup;
  /** Whether it shows its rows when it is first seen. */
  readonly open: boolean;
}

/** Findings that groups show without a click when they are first seen: what fits on a screen or two. The first group is always open. */
const OPEN_ROWS = 200;

const UNREAD_GROUP = "unread";

/** The roots: a node for each group in the worker's order; what is not loaded and what was not understood stand at the end. */
export function rootNodes(list: ListGroupsResult, grouping: Grouping): readonly Node[] {
  const nodes: Node[] = [];
  let rows = 0;
  for (const group of list.groups) {
    rows += group.total;
    nodes.push(groupNode(group, grouping, rows <= OPEN_ROWS || nodes.length === 0));
  }
  const left = list.groupCount - list.groups.length;
  if (left > 0) nodes.push({ kind: "more", id: `${grouping}:more`, group: null, left });
  if (list.unread.length > 0)
    nodes.push({ kind: "unreadGroup", id: UNREAD_GROUP, lines: list.unread, total: list.unreadCount });
  return nodes;
}

/** The rows of a group, and one for those that are not loaded. */
export function rowNodes({ group, grouping }: GroupNode, { rows, total }: GroupRows): readonly Node[] {
  const nodes: Node[] = rows.map((row) => findingNode(row, grouping));
  const left = total - rows.length;
  if (left > 0) nodes.push({ kind: "more", id: `${grouping}:more:${group.id}`, group: group.id, left });
  return nodes;
}

export function findingNode(row: FindingRow, grouping: Grouping): Node {
  return { kind: "finding", id: `${grouping}:finding:${row.key}`, row, grouping };
}

/** Rows of one place are told apart by a counter, since a source may hold the same bad line twice. */
export function unreadNodes(lines: readonly Unread[]): readonly Node[] {
  const seen = new Map<string, number>();
  return lines.map((unread) => {
    const place = `${UNREAD_GROUP}:${unread.path}:${unread.line ?? unread.pointer ?? ""}`;
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { kind: "unread", id: nth === 1 ? place : `${place}#${nth}`, unread };
  });
}

/** The id of a group's node. */
export function groupNodeId(group: string, grouping: Grouping): string {
  return `${grouping}:group:${group}`;
}

function groupNode(group: FindingGroup, grouping: Grouping, open: boolean): GroupNode {
  return { kind: "group", id: groupNodeId(group.id, grouping), grouping, group, open };
}

/** "2 P1 · 1 P2", worst first, by the severity as ingested (ruling 2). */
export function countsInWords(bySeverity: FindingGroup["bySeverity"]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = bySeverity[severity];
    return count === 0 ? [] : [`${inFigures(count)} ${severity}`];
  }).join(" · ");
}

/** What the view says beside its title: "12 of 8,412", or "8,412" where all are shown. */
export function shownInWords({ shown, total }: Pick<ListGroupsResult, "shown" | "total">): string {
  if (total === 0) return "";
  return shown === total ? inFigures(total) : `${inFigures(shown)} of ${inFigures(total)}`;
}

/** "8,412". */
export function inFigures(count: number): string {
  return count.toLocaleString("en");
}

/** Why the view shows no finding: there is none, all are dismissed or suppressed, or the filter hides them; null where it shows some. */
export type Empty = "none" | "closed" | "filter";
export function emptiness(
  { shown, total }: Pick<ListGroupsResult, "shown" | "total">,
  narrowed: boolean,
): Empty | null {
  if (shown > 0) return null;
  if (total === 0) return "none";
  return narrowed ? "filter" : "closed";
}
