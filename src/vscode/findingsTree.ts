import type { Severity, Unread } from "../core/finding.ts";
import { SEVERITIES } from "./severities.ts";
import type { FindingRow } from "../protocol/worker.ts";
import type { FindingsList } from "./findingsStore.ts";

export type Grouping = "file" | "severity";

/** A row of the Findings view. `id` is stable over reloads, so that selection and expansion survive them. */
export type Node =
  | { readonly kind: "file"; readonly id: string; readonly file: string | null; readonly rows: readonly FindingRow[] }
  | {
      readonly kind: "severity";
      readonly id: string;
      readonly severity: Severity;
      readonly rows: readonly FindingRow[];
    }
  | { readonly kind: "finding"; readonly id: string; readonly row: FindingRow; readonly grouping: Grouping }
  | { readonly kind: "unreadGroup"; readonly id: string; readonly lines: readonly Unread[] }
  | { readonly kind: "unread"; readonly id: string; readonly unread: Unread }
  | { readonly kind: "more"; readonly id: string; readonly shown: number; readonly total: number };

/** The whole tree: the roots, and the children of each group by its id. */
export interface Tree {
  readonly roots: readonly Node[];
  readonly children: ReadonlyMap<string, readonly Node[]>;
  /** The group above a node, by the node's id; nothing for roots. */
  readonly parents: ReadonlyMap<string, Node>;
}

/** Groups the listed rows by file or by severity; what was not understood and what is not loaded stand at the end. */
export function buildTree(list: FindingsList, grouping: Grouping): Tree {
  const groups = grouping === "file" ? byFile(list.rows) : bySeverity(list.rows);
  const roots: Node[] = [...groups];
  const children = new Map<string, readonly Node[]>(
    groups.map((group) => [group.id, group.rows.map((row) => findingNode(row, grouping))]),
  );
  if (list.unread.length > 0) {
    const group: Node = { kind: "unreadGroup", id: "unread", lines: list.unread };
    roots.push(group);
    children.set(group.id, unreadNodes(list.unread));
  }
  if (list.rows.length < list.total) {
    roots.push({ kind: "more", id: "more", shown: list.rows.length, total: list.total });
  }
  const parents = new Map<string, Node>();
  for (const root of roots) for (const child of children.get(root.id) ?? []) parents.set(child.id, root);
  return { roots, children, parents };
}

type FileNode = Extract<Node, { kind: "file" }>;
type SeverityNode = Extract<Node, { kind: "severity" }>;

function byFile(rows: readonly FindingRow[]): readonly FileNode[] {
  return [...Map.groupBy(rows, ({ file }) => file)].map(([file, ofFile]) => ({
    kind: "file",
    id: file === null ? "file" : `file:${file}`,
    file,
    rows: ofFile,
  }));
}

function bySeverity(rows: readonly FindingRow[]): readonly SeverityNode[] {
  const groups = Map.groupBy(rows, ({ severity }) => severity);
  return SEVERITIES.flatMap((severity) => {
    const ofSeverity = groups.get(severity);
    return ofSeverity === undefined
      ? []
      : [{ kind: "severity", id: `severity:${severity}`, severity, rows: ofSeverity }];
  });
}

function findingNode(row: FindingRow, grouping: Grouping): Node {
  return { kind: "finding", id: `${grouping}:${row.key}`, row, grouping };
}

/** Rows of one place are told apart by a counter, since a source may hold the same bad line twice. */
function unreadNodes(lines: readonly Unread[]): readonly Node[] {
  const seen = new Map<string, number>();
  return lines.map((unread) => {
    const place = `unread:${unread.path}:${unread.line ?? unread.pointer ?? ""}`;
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { kind: "unread", id: nth === 1 ? place : `${place}#${nth}`, unread };
  });
}

/** "2 P1 · 1 P2", worst first, by the severity as ingested (ruling 2). */
export function countsInWords(rows: readonly FindingRow[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = rows.filter((row) => row.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  }).join(" · ");
}
