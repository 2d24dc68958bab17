import type { Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import { labelsOfLine } from "./fields.ts";
import type { MarkdownContext } from "./piece.ts";
import { readPlaces } from "./places.ts";
import { groupRank, idOf, isEmptyPhrase, isPositive, isVoid, rankOfHeading, rankOfLine } from "./rank.ts";
import { SEVERITY_WORDS } from "./severityWords.ts";
import { tableRows } from "./table.ts";

const BAR = new RegExp(String.raw`\|\s*\**(${SEVERITY_WORDS})\**\s*\|`, "i");
const RANK_CELL = new RegExp(`^[^\\p{L}\\p{N}]*(?:${SEVERITY_WORDS})(?![\\p{L}\\p{N}])`, "iu");
const NONE_COUNTED = /(?:\b0|\bno|\bzero)\s+\**(?:CRITICAL|WARNING|INFO)\b\**/gi;
const REASON = "This line ranks something like a finding, in a form that is not read.";

/**
 * Everything that carries a severity in the position of a finding and was not read (C20): headings, list items, labels, paragraphs and
 * table rows. `taken` are the 0-based lines that gave findings, `ids` the ids of those. Each id is listed once.
 */
export function listLeftovers(
  context: MarkdownContext,
  taken: ReadonlySet<number>,
  ids: ReadonlySet<string>,
): Unread[] {
  const { sections, document } = context;
  const list = createList(context, taken, ids);
  const groups: Block[] = [];
  const framed = new Set<number>();
  for (const block of document.blocks) {
    const topic = sections.topic(block.from);
    if (block.kind === "code" || topic === "silent" || topic === "plans") continue;
    if (block.kind === "table") list.addTable(rankedRows(context, block, taken));
    else if (block.kind === "item") {
      const first = withoutMarker(document.lines[block.from] ?? "").replace(/[:：]\s*$/, "");
      // An item that only ranks those below it.
      const frames =
        block.to - block.from > 1 && groupRank(first) !== null && list.isKnownWithin(block.from + 1, block.to);
      if (frames) framed.add(block.from);
      else listLine(context, list, block.from);
    } else if (block.kind === "paragraph") {
      for (let line = block.from; line < block.to; line += 1) if (!framed.has(line)) listLine(context, list, line);
    } else if (groupRank(block.text) !== null) groups.push(block);
    else if (rankOfHeading(block.text) !== null) {
      if (!isVoid(block.text) && !isPositive(block.text) && !list.isKnownWithin(block.from, sections.end(block)))
        list.add(block.from, block.text);
    } else listPlace(context, list, block);
  }
  for (const group of groups) {
    const to = sections.end(group);
    if (list.isKnownWithin(group.from, to)) continue;
    for (const child of childrenOf(context, group, to)) list.add(child.line, child.text, true);
  }
  return list.rows();
}

/** R3.16: nothing was read, yet a severity word in capitals stands somewhere, or a place is named: never a silent zero. */
export function lastResort(context: MarkdownContext): Unread[] {
  return context.document.lines.flatMap((whole, index) => {
    if (context.sections.topic(index) === "silent") return [];
    const text = whole.slice(0, 2000);
    const at = { line: context.offset + index + 1 };
    const counted = text.replace(NONE_COUNTED, "");
    if (/\b(?:CRITICAL|WARNING|INFO)\b/.test(counted)) return [unread(context.path, at, text, REASON, true)];
    const names =
      /^\s*(?:[-*+]|\d+[.)])\s/.test(text) && readPlaces(withoutMarker(text)).some(({ span }) => span.line !== null);
    return names ? [unread(context.path, at, text, "This line names a place, but no severity.")] : [];
  });
}

/** A section whose label names a line, under no rank at all. */
function listPlace(context: MarkdownContext, list: Leftovers, heading: Block): void {
  const { sections, document } = context;
  const to = Math.min(sections.after(heading.from), heading.to + 40);
  if (isVoid(heading.text) || list.isKnownWithin(heading.from, to)) return;
  for (let line = heading.to; line < to; line += 1) {
    for (const { label, value } of labelsOfLine(document.lines[line] ?? "")) {
      if (label !== "location" || !readPlaces(value).some(({ span }) => span.line !== null)) continue;
      list.add(heading.from, heading.text, false, "This section names a place, but no severity.");
      return;
    }
  }
}

/** The rows so far. Nothing is listed twice: neither a line nor, in different places of a report, an id. */
interface Leftovers {
  readonly add: (line: number, text: string, surely?: boolean, reason?: string) => void;
  readonly addTable: (rows: readonly { readonly line: number; readonly text: string }[]) => void;
  readonly isKnown: (heading: Block) => boolean;
  readonly isKnownWithin: (from: number, to: number) => boolean;
  readonly rows: () => Unread[];
}

function createList(context: MarkdownContext, taken: ReadonlySet<number>, read: ReadonlySet<string>): Leftovers {
  const ids = new Set(read);
  const found = new Map<number, Unread>();
  const known = knownLines(context.document.lines.length, taken);
  const add = (line: number, text: string, surely: boolean, ofOthers: ReadonlySet<string>, reason = REASON): void => {
    const id = idOf(withoutMarker(text)) ?? idCell(text);
    if (taken.has(line) || found.has(line) || (id !== null && ofOthers.has(id))) return;
    if (id !== null) ids.add(id);
    found.set(line, unread(context.path, { line: context.offset + line + 1 }, text, reason, surely));
    known.add(line);
  };
  return {
    add: (line, text, surely = false, reason = REASON) => add(line, text, surely, ids, reason),
    addTable(rows) {
      // Two rows of one table may share an advisory's id and are two findings still.
      const before = new Set(ids);
      for (const { line, text } of rows) add(line, text, false, before);
    },
    isKnown: (heading) => found.has(heading.from) || ids.has(idOf(heading.text) ?? ""),
    isKnownWithin: (from, to) => known.within(from, to),
    rows: () => [...found.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

/** Counts of known lines up to each line, so that asking for a range costs nothing; lines listed later are few and kept beside. */
function knownLines(
  count: number,
  taken: ReadonlySet<number>,
): { add(line: number): void; within(from: number, to: number): boolean } {
  const upTo = new Uint32Array(count + 1);
  for (let line = 0; line < count; line += 1) upTo[line + 1] = (upTo[line] ?? 0) + (taken.has(line) ? 1 : 0);
  const later = new Set<number>();
  return {
    add: (line) => void later.add(line),
    within(from, to) {
      if ((upTo[Math.min(to, count)] ?? 0) > (upTo[Math.min(from, count)] ?? 0)) return true;
      if (later.size === 0) return false;
      for (const line of later) if (line >= from && line < to) return true;
      return false;
    },
  };
}

function listLine(context: MarkdownContext, list: Leftovers, line: number): void {
  const text = context.document.lines[line] ?? "";
  const bare = withoutMarker(text).slice(0, 240);
  if (/^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[xX✓✔]\]|~~)/.test(text) || isVoid(bare)) return;
  const [label] = labelsOfLine(bare);
  const [heading] = context.sections.above(line);
  if (label !== undefined && label.label !== "other" && label.label !== "title") {
    const ranks = label.label === "severity" && RANK_CELL.test(label.value);
    if (ranks && (heading === undefined || !list.isKnown(heading)))
      list.add(line, heading === undefined ? text : `${heading.text} — ${text}`);
  } else if (rankOfLine(bare) !== null || BAR.test(bare)) list.add(line, text);
}

/** What a ranking heading ranks: its sub-headings, else its list items, else its first text; nothing where it says "None". */
function childrenOf(context: MarkdownContext, heading: Block, to: number): { line: number; text: string }[] {
  const { blocks, lines } = context.document;
  const rank = context.document.plain(heading.text);
  const from = blocks.indexOf(heading) + 1;
  const inside: Block[] = [];
  for (let at = from; at < blocks.length && (blocks[at]?.from ?? to) < to; at += 1) {
    const block = blocks[at];
    if (block !== undefined) inside.push(block);
  }
  const named = (block: Block): { line: number; text: string } => ({
    line: block.from,
    text: block.kind === "heading" ? block.text : `${rank} — ${(lines[block.from] ?? "").trim()}`,
  });
  const headings = inside.filter((block) => block.kind === "heading" && !isVoid(block.text));
  const least = headings.reduce((level, each) => Math.min(level, each.level), 9);
  if (headings.length > 0) return headings.filter(({ level }) => level === least).map(named);
  const items = inside.filter((block) => block.kind === "item" && block.level === 1);
  const texts = inside.filter((block) => block.kind === "paragraph" || block.kind === "table").slice(0, 1);
  return (items.length > 0 ? items : texts)
    .map(named)
    .filter(
      ({ line }) => !isEmptyPhrase(withoutMarker(lines[line] ?? "")) && !isVoid(withoutMarker(lines[line] ?? "")),
    );
}

/** Rows of a table that has a severity column but was not read; tables that only count or explain severities are no findings. */
function rankedRows(
  context: MarkdownContext,
  block: Block,
  taken: ReadonlySet<number>,
): { line: number; text: string }[] {
  let read = block.from + 2;
  while (read < block.to && taken.has(read)) read += 1;
  if (read >= block.to) return [];
  const [header, ...rows] = tableRows(context, block);
  const names = (header?.cells ?? []).map((cell) => context.document.plain(cell).trim());
  const column = names.findIndex((name) => /^(?:severity|sev|严重程度|严重度|级别)$/i.test(name));
  const explains = names.some((name) =>
    /^(?:counts?|number|total|数量|meaning|definition|criteria|sla|response(?: time)?|description|findings?|说明)$/i.test(
      name,
    ),
  );
  if (column === -1 || (explains && names.length < 4)) return [];
  return rows.filter(({ cells, text }) => RANK_CELL.test(cells[column] ?? "") && !/^\s*\|?\s*~~/.test(text));
}

/** The id in the first cell of a table row. */
function idCell(text: string): string | null {
  return /^\s*\|\s*\**([A-Za-z][A-Za-z0-9]*-\d[\w-]*)\**\s*\|/.exec(text)?.[1] ?? null;
}
