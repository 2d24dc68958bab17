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
      // Two patterns may find the same thing; a function goes by the name it is bound to before its own.
      const detail = kind === "function" ? 0 : (parts.get("handler")?.id ?? parts.get("name")?.id ?? 0);
      const key = `${kind}:${node.id}:${detail}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const { startIndex: start, endIndex: end } = node;
      items.push({ kind, node, start, end, line: node.startPosition.row + 1, endLine: lastLine(node), parts });
    }
  }
  return items.sort((a, b) => a.start - b.start || b.end - a.end || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** What is around an item. Asking costs the same at any depth: trees of hostile texts are as deep as the text is long. */
export interface Around {
  /** The innermost item of some kinds. */
  nearest(...kinds: readonly Kind[]): Item | undefined;
  /** What decides whether an item runs before what follows it, innermost first; no more than `most`. */
  outwards(most: number): readonly Item[];
}

const DECIDES: ReadonlySet<Kind> = new Set(["block", "branch", "barrier", "function", "arm", "loop"]);

/** Goes through the items in order, each with all that is around it. */
export function sweep(items: readonly Item[], visit: (item: Item, around: Around) => void): void {
  const stack: Item[] = [];
  const deciding: Item[] = [];
  const depths = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  const around: Around = {
    nearest: (...kinds) => stack[Math.max(...kinds.map((kind) => depths.get(kind)?.at(-1) ?? -1))],
    outwards: (most) => deciding.slice(-most).toReversed(),
  };
  for (const item of items) {
    for (let outer = stack.at(-1); outer !== undefined && !holds(outer, item); outer = stack.at(-1)) {
      stack.pop();
      depths.get(outer.kind)?.pop();
      if (DECIDES.has(outer.kind)) deciding.pop();
    }
    visit(item, around);
    depths.get(item.kind)?.push(stack.length);
    stack.push(item);
    if (DECIDES.has(item.kind)) deciding.push(item);
  }
}

/** True where the outer one spans the inner one; an empty node at the end of another lies in it. */
function holds(outer: Item, inner: Item): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
