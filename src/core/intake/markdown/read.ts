import type { Claimed, ReviewReading, Unread } from "../../finding.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { unread } from "../reader.ts";
import { parseDocument } from "./blocks.ts";
import { readLabelledBullet } from "./labelled.ts";
import { lastResort, listLeftovers } from "./leftovers.ts";
import { readBullet, readLineForm } from "./lines.ts";
import type { MarkdownContext, Piece } from "./piece.ts";
import { readTable } from "./table.ts";

/** Reviews in markdown or plain text: finding tables, `file:line | P1 | issue` lines, ranked bullets. */
export const markdownReader: Reader = {
  format: "markdown",
  title:
    "markdown or text reviews (finding tables, `file:line | P1 | issue` lines, `- [P1] file:line issue` and `- **[High]** title` bullets)",
  read: readMarkdown,
};

// A report of people or models is far below this; a larger text would hold the worker.
const LARGEST = 2_000_000;

function readMarkdown(source: ReviewSource): ReviewReading | null {
  if (source.json !== null) return null;
  const empty = { format: "markdown", claimed: [], unread: [], revision: null };
  if (source.text.length > LARGEST) {
    const reason = "The text is larger than 2 million characters, which is more than is read of a review.";
    return { ...empty, unread: [unread(source.path, { line: 1 }, source.text.slice(0, 400), reason, true)] };
  }
  const context = contextOf(source, source.text, 0);
  const piece = readDocument(context);
  if (piece.claimed.length > 0 || piece.unread.length > 0) return { ...empty, ...piece };
  const fenced = readFences(source, context);
  if (fenced.claimed.length > 0) return { ...empty, ...fenced };
  return { ...empty, unread: lastResort(context) };
}

function contextOf(source: ReviewSource, text: string, offset: number): MarkdownContext {
  return { path: source.path, document: parseDocument(text), severityMap: source.severityMap, offset };
}

function readDocument(context: MarkdownContext): Piece {
  const claimed = new Map<number, Claimed>();
  const taken = new Set<number>();
  const missed: Unread[] = [];
  const keep = (line: number, to: number, found: Claimed | null): void => {
    if (found === null || taken.has(line)) return;
    claimed.set(line, found);
    for (let each = line; each < to; each += 1) taken.add(each);
  };
  for (const block of context.document.blocks) {
    if (block.kind === "table") {
      const piece = readTable(context, block);
      missed.push(...piece.unread);
      for (const found of piece.claimed)
        keep(lineOf(context, found.pointer), lineOf(context, found.pointer) + 1, found);
      for (const row of piece.unread) taken.add((row.line ?? 0) - 1 - context.offset);
    } else if (block.kind === "item") {
      keep(block.from, block.to, readBullet(context, block) ?? readLabelledBullet(context, block));
    } else if (block.kind === "paragraph") {
      for (let line = block.from; line < block.to; line += 1) keep(line, line + 1, readLineForm(context, line));
    }
  }
  const findings = [...claimed].sort(([a], [b]) => a - b).map(([, found]) => found);
  const ids = new Set(findings.flatMap(({ sourceId }) => (sourceId === null ? [] : [sourceId])));
  const unreadRows = [...missed, ...listLeftovers(context, taken, ids)].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { claimed: findings, unread: unreadRows };
}

function lineOf(context: MarkdownContext, pointer: string): number {
  return Number(pointer.slice(1)) - 1 - context.offset;
}

/** Models like to put a whole review into a code fence: read where nothing stands outside of it. */
function readFences(source: ReviewSource, context: MarkdownContext): Piece {
  const pieces = context.document.blocks
    .filter((block) => block.kind === "code" && /^(?:|md|markdown|text|txt|plaintext)$/i.test(block.text.trim()))
    .map((block) => {
      const fenced = /^\s*(?:```|~~~)/.test(context.document.lines[block.from] ?? "");
      const [from, to] = fenced ? [block.from + 1, block.to - 1] : [block.from, block.to];
      const inner = context.document.lines.slice(from, to).map((line) => (fenced ? line : line.trim()));
      return readDocument(contextOf(source, inner.join("\n"), from));
    });
  return {
    claimed: pieces.flatMap((piece) => piece.claimed),
    unread: pieces.flatMap((piece) => piece.unread),
  };
}
