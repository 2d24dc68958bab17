import type { Claimed, Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import { readJsonFence } from "./fences.ts";
import { readHeadings, type Surroundings } from "./headings.ts";
import { listLeftovers } from "./leftovers.ts";
import { readLineForm } from "./lines.ts";
import { readLoose } from "./loose.ts";
import { canonical, mergeFound } from "./merge.ts";
import type { Found, MarkdownContext, Piece } from "./piece.ts";
import { countBefore } from "./sections.ts";
import { readTable } from "./table.ts";

/** The findings of one document, each once, in its order, and what looks like one and was not read (C20). */
export function readDocument(context: MarkdownContext): { readonly claimed: Claimed[]; readonly unread: Unread[] } {
  const piece = collect(context, false);
  const read = finish(context, piece, false);
  if (read.claimed.length > 0 || read.unread.length > 0) return read;
  // Plans repeat findings, unless they are all there is.
  return finish(context, collect(context, true), true);
}

function finish(
  context: MarkdownContext,
  piece: Piece,
  withPlans: boolean,
): { readonly claimed: Claimed[]; readonly unread: Unread[] } {
  const { claimed, unranked } = mergeFound(piece.found);
  const placed = withPlans ? claimed.filter(({ path }) => path !== null) : [...claimed];
  const taken = new Set<number>();
  for (const { line, to } of piece.found) for (let each = line; each < to; each += 1) taken.add(each);
  for (const { line } of piece.unread) taken.add((line ?? 0) - 1 - context.offset);
  const ids = new Set(piece.found.flatMap(({ id }) => (id === null ? [] : [id])));
  const parts = unranked.filter(({ body }) => body.span.line !== null).map((each) => unrankedRow(context, each));
  const rows = [...piece.unread, ...parts, ...(withPlans ? [] : listLeftovers(context, taken, ids))];
  return { claimed: placed, unread: rows.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

function unrankedRow(context: MarkdownContext, { line, title }: Found): Unread {
  const reason = "This section names a place, but no severity.";
  return unread(context.path, { line: context.offset + line + 1 }, title, reason);
}

/** Everything that describes a finding. `withPlans` reads also the sections that say what to do when. */
function collect(context: MarkdownContext, withPlans: boolean): Piece {
  const { blocks } = context.document;
  const isRead = (block: Block): boolean => {
    const topic = context.sections.topic(block.from);
    return topic !== "silent" && (topic !== "plans" || withPlans);
  };
  const tables = blocks
    .filter((block) => block.kind === "table" && isRead(block))
    .map((block) => ({ block, piece: readTable(context, block) }));
  const rows = tables.flatMap(({ piece }) => piece.found);
  const sections = readHeadings(context, surroundingsOf(context, rows));
  const covered = sections.toSorted((a, b) => a.line - b.line);
  const isFree = (line: number): boolean => !isCovered(covered, line);
  const free = tables.filter(({ block }) => isFree(block.from)).map(({ piece }) => piece);
  const freeRows = free.flatMap(({ found }) => found);
  const loose = readLoose(
    context,
    blocks.filter((block) => isRead(block) && isFree(block.from)),
    [...covered, ...freeRows],
  );
  // JSON repeats or adds findings wherever it stands, below the last section too.
  const json = blocks
    .filter((block) => block.kind === "code" && isRead(block))
    .map((block) => readJsonFence(context, block));
  return {
    found: [...sections, ...freeRows, ...loose, ...json.flatMap(({ found }) => found)],
    unread: [...free, ...json].flatMap((piece) => piece.unread),
  };
}

function isCovered(sections: readonly Found[], line: number): boolean {
  const before = countBefore(sections.length, (index) => (sections[index]?.line ?? 0) <= line);
  return line < (sections[before - 1]?.to ?? 0);
}

function surroundingsOf(context: MarkdownContext, rows: readonly Found[]): Surroundings {
  const ids = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id.toUpperCase()])));
  const titles = new Set(rows.map(({ title }) => canonical(title)).filter((title) => title !== ""));
  const numbers = new Map(
    rows.flatMap((row) => (row.number === null ? [] : [[row.number, canonical(row.title)] as const])),
  );
  const lines = [
    ...rows.filter(({ body }) => body.path !== null).map(({ line }) => line),
    ...explicitLines(context),
  ].sort((a, b) => a - b);
  const before = (line: number): number => countBefore(lines.length, (index) => (lines[index] ?? 0) < line);
  return {
    explicit: (from, to) => before(to) - before(from),
    isTold(id, number, title) {
      if (id !== null && ids.has(id.toUpperCase())) return true;
      const own = canonical(title);
      if (titles.has(own)) return true;
      const row = number === null ? undefined : numbers.get(number);
      return row !== undefined && (row === "" || row.split(" ").some((word) => word.length >= 4 && own.includes(word)));
    },
  };
}

/** Bullets of R1.7 and R0.35 and lines of R0.34 are findings wherever they stand. */
function explicitLines(context: MarkdownContext): number[] {
  return context.document.blocks.flatMap(({ kind, from, to }) => {
    if (kind === "item") {
      const isExplicit = /^(?:\*\*|__|`)?\s*\[(?:P[0-4]|nit|critical|high|medium|low)\]/i.test(
        withoutMarker(context.document.lines[from] ?? ""),
      );
      return isExplicit ? [from] : [];
    }
    if (kind !== "paragraph") return [];
    const found: number[] = [];
    for (let line = from; line < to; line += 1) {
      if ((context.document.lines[line] ?? "").includes("|") && readLineForm(context, line) !== null) found.push(line);
    }
    return found;
  });
}
