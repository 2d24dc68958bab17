import type { Node, QueryMatch } from "web-tree-sitter";

/** What a capture stands for; outer ones first where two span the same text. */
const KINDS = [
  "type",
  "scope",
  "try",
  "barrier",
  "function",
  "loop",
  "arm",
  "branch",
  "block",
  "assertion",
  "call",
  "assigned",
  "parameter",
  "constant",
  "variable",
] as const;

export type Kind = (typeof KINDS)[number];

/** One thing of a tree, with the captures of its pattern by name. */
export interface Item {
  readonly kind: Kind;
  readonly node: Node;
  /** Offsets in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** 1-based and inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly parts: ReadonlyMap<string, Node>;
}

/** The last line (1-based) of a node; one that ends with a line end does not reach into the next. */
export function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(node.startPosition.row, column === 0 ? row - 1 : row) + 1;
}

/** The items of some matches in document order, outer before inner. */
export function itemsOf(matches: readonly QueryMatch[]): Item[] {
  const items: Item[] = [];
  const seen = new Set<string>();
  for (const { captures } of matches) {
    const parts = new Map<string, Node>();
    for (const { name, node } of captures) parts.set(name, node);
    for (const kind of KINDS) {
      const node = parts.get(kind);
      if (node === undefined) continue;
      // Two patterns may find the same thing.
      const key = `${kind}:${node.id}:${parts.get("handler")?.id ?? parts.get("name")?.id ?? 0}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const { startIndex: start, endIndex: end } = node;
      items.push({ kind, node, start, end, line: node.startPosition.row + 1, endLine: lastLine(node), parts });
    }
  }
  return items.sort((a, b) => a.start - b.start || b.end - a.end || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** Goes through the items with all that are around each one, outermost first. */
export function sweep(items: readonly Item[], visit: (item: Item, around: readonly Item[]) => void): void {
  const around: Item[] = [];
  for (const item of items) {
    while (around.length > 0 && !holds(around.at(-1), item)) around.pop();
    visit(item, around);
    around.push(item);
  }
}

/** True where the outer one spans the inner one; an empty node at the end of another lies in it. */
function holds(outer: Item | undefined, inner: Item): boolean {
  return outer !== undefined && outer.start <= inner.start && inner.end <= outer.end;
}
