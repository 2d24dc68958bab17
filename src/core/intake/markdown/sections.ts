import type { Block } from "./blocks.ts";
import type { MarkdownContext } from "./piece.ts";

/** Headings over a line, innermost first, and where (0-based, exclusive) a heading's section ends. */
export interface Sections {
  readonly above: (line: number) => readonly Block[];
  readonly end: (heading: Block) => number;
}

/** The sections of a document, made once. */
export function sectionsOf(context: MarkdownContext): Sections {
  const headings = context.document.blocks.filter((block) => block.kind === "heading");
  const parents = new Map<Block, Block | null>();
  const ends = new Map<Block, number>();
  const open: Block[] = [];
  for (const heading of headings) {
    for (let over = open.at(-1); over !== undefined && over.level >= heading.level; over = open.at(-1)) {
      ends.set(over, heading.from);
      open.pop();
    }
    parents.set(heading, open.at(-1) ?? null);
    open.push(heading);
  }
  const last = (line: number): Block | null => {
    let [low, high] = [0, headings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((headings[middle]?.from ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return headings[low - 1] ?? null;
  };
  return {
    above(line) {
      const chain: Block[] = [];
      for (let here = last(line); here !== null; here = parents.get(here) ?? null) chain.push(here);
      return chain;
    },
    end: (heading) => ends.get(heading) ?? context.document.lines.length,
  };
}
