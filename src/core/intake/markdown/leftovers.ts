import type { Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import type { MarkdownContext } from "./piece.ts";
import { readPlaces } from "./places.ts";
import type { Sections } from "./sections.ts";
import { sectionsOf } from "./sections.ts";
import { SEVERITY_WORDS } from "./severityWords.ts";
import { tableRows } from "./table.ts";

// The sign "ℹ" counts as a letter in Unicode.
const LEAD = String.raw`^(?:[^\p{L}\p{N}\[(（]|ℹ)*(?:(?:finding|issue|attack|challenge|bug|problem|vulnerability)\s*#?\d*|#?\d+(?:\.\d+)*[.)]?)?[^\p{L}\p{N}]*`;
const FOLLOW = String.raw`(?=\s*(?:$|[\])）:：|*_—–(（]|-\s?\d|-\s|severity\b|risk\b))`;
const AT_START = new RegExp(`${LEAD}(${SEVERITY_WORDS})${FOLLOW}`, "iu");
const AFTER_ID = new RegExp(
  String.raw`^[\s*_]*\[?[A-Z][A-Z0-9]*-\d+\]?[\s*_:]*[\[(（](${SEVERITY_WORDS})[\])）]`,
  "iu",
);
const AT_END = new RegExp(String.raw`(?:\s[—–-]\s*|[:：]\s*|[\[(（])\**(${SEVERITY_WORDS})\b[^—–]{0,40}$`, "iu");
const LABEL = new RegExp(
  String.raw`^[\s*_]*(?:severity|risk(?: level)?|priority|impact|严重程度|严重度|级别)[*_]*\s*[:：][^\p{L}\p{N}]*(${SEVERITY_WORDS})(?![\p{L}\p{N}])`,
  "iu",
);
const AFTER_NAME = new RegExp(String.raw`^\*\*[^*]{1,120}\*\*:?\s*\**(${SEVERITY_WORDS})\**\s*[—–:：-]`, "iu");
const BAR = new RegExp(String.raw`\|\s*\**(${SEVERITY_WORDS})\**\s*\|`, "i");
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SEVERITY_WORDS})(?![\\p{L}\\p{N}])`, "giu");
const GROUP_NOUNS =
  /\b(?:severity|priority|risk|findings?|issues?|vulnerabilit(?:y|ies)|problems?|bugs?|items?|level|and|or)\b|[项个]|问题/gi;
// Sections of a report that rank things which are no findings. A document's own title never hides what stands under it.
const LEGEND = /^[^\p{L}]*(?:legend|severity (?:legend|levels?|scale|definitions?|ratings?|criteria))/iu;
const NO_FINDINGS_HERE =
  /^[^\p{L}]*(?:remediation|timeline|(?:recommended )?next steps|roadmap|(?:\p{L}+ )?checklist|recommendations? \(priorit|positive (?:findings?|aspects?|observations?|notes?)|修复优先级|changes since)/iu;
// An id is written in capitals, so its pattern cannot ignore case as the others do.
const ANY_CASE = [
  SEVERITY_WORDS,
  SEVERITY_WORDS.toUpperCase(),
  SEVERITY_WORDS.replace(/(?<=^|\|)[a-z]/g, (first) => first.toUpperCase()),
].join("|");
const ID = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}]|ℹ)*(?:\d+[.)]\s*)?(?:(?:${ANY_CASE})[^\p{L}\p{N}]+)?[^\p{L}\p{N}]*` +
    String.raw`(?!CWE-|CVSS|UTF-|SHA-|ISO-|RFC-|HTTP-)([A-Z][A-Z0-9]{0,11}(?:-\d{4})?-\d{1,6})\b`,
  "u",
);
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
  const sections = sectionsOf(context);
  const list = createList(context, taken, ids);
  const groups: { readonly group: Block; readonly index: number }[] = [];
  for (const [index, block] of context.document.blocks.entries()) {
    if (block.kind === "code" || isSkipped(sections.above(block.from))) continue;
    if (block.kind === "table") list.addTable(rankedRows(context, block));
    else if (block.kind === "item") listLine(context, sections, list, block.from);
    else if (block.kind === "paragraph") {
      for (let line = block.from; line < block.to; line += 1) listLine(context, sections, list, line);
    } else if (isRanked(block.text)) {
      if (isGroup(block.text)) groups.push({ group: block, index });
      else list.add(block.from, block.text);
    }
  }
  for (const { group, index } of groups) {
    const to = sections.end(group);
    if (list.isKnownWithin(group.from, to)) continue;
    for (const child of childrenOf(context, group, blocksUntil(context, index + 1, to)))
      list.add(child.line, child.text, true);
  }
  return list.rows();
}

/** R3.16: nothing was read, yet a severity word in capitals stands somewhere, or a place is named: never a silent zero. */
export function lastResort(context: MarkdownContext): Unread[] {
  const sections = sectionsOf(context);
  return context.document.lines.flatMap((whole, index) => {
    if (sections.above(index).some(({ level, text }) => level > 1 && LEGEND.test(text))) return [];
    const text = whole.slice(0, 2000);
    const at = { line: context.offset + index + 1 };
    const counted = text.replace(NONE_COUNTED, "");
    if (/\b(?:CRITICAL|WARNING|INFO)\b/.test(counted)) return [unread(context.path, at, text, REASON, true)];
    const names =
      /^\s*(?:[-*+]|\d+[.)])\s/.test(text) && readPlaces(withoutMarker(text)).some(({ span }) => span.line !== null);
    return names ? [unread(context.path, at, text, "This line names a place, but no severity.")] : [];
  });
}

function isSkipped(above: readonly Block[]): boolean {
  return above.some(({ level, text }) => level > 1 && (LEGEND.test(text) || NO_FINDINGS_HERE.test(text)));
}

/** The rows so far. Nothing is listed twice: neither a line nor, in different places of a report, an id. */
interface Leftovers {
  readonly add: (line: number, text: string, surely?: boolean) => void;
  readonly addTable: (rows: readonly { readonly line: number; readonly text: string }[]) => void;
  readonly isKnown: (heading: Block) => boolean;
  readonly isKnownWithin: (from: number, to: number) => boolean;
  readonly rows: () => Unread[];
}

function createList(context: MarkdownContext, taken: ReadonlySet<number>, read: ReadonlySet<string>): Leftovers {
  const ids = new Set(read);
  const found = new Map<number, Unread>();
  const add = (line: number, text: string, surely: boolean, known: ReadonlySet<string>): void => {
    const id = idOf(withoutMarker(text)) ?? idCell(text);
    if (taken.has(line) || found.has(line) || (id !== null && known.has(id))) return;
    if (id !== null) ids.add(id);
    found.set(line, unread(context.path, { line: context.offset + line + 1 }, text, REASON, surely));
  };
  return {
    add: (line, text, surely = false) => add(line, text, surely, ids),
    addTable(rows) {
      // Two rows of one table may share an advisory's id and are two findings still.
      const before = new Set(ids);
      for (const { line, text } of rows) add(line, text, false, before);
    },
    isKnown: (heading) => found.has(heading.from) || ids.has(idOf(heading.text) ?? ""),
    isKnownWithin(from, to) {
      for (let line = from; line < to; line += 1) if (taken.has(line) || found.has(line)) return true;
      return false;
    },
    rows: () => [...found.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

function listLine(context: MarkdownContext, sections: Sections, list: Leftovers, line: number): void {
  const text = context.document.lines[line] ?? "";
  const bare = start(withoutMarker(text));
  const [heading] = sections.above(line);
  const byRank = (AT_START.test(bare) && isMarked(bare)) || AFTER_ID.test(bare) || AFTER_NAME.test(bare);
  if (LABEL.test(bare) && (heading === undefined || !list.isKnown(heading))) {
    list.add(line, heading === undefined ? text : `${heading.text} — ${text}`);
  } else if (byRank || BAR.test(bare)) list.add(line, text);
}

function isRanked(heading: string): boolean {
  if (/\(positive\)/i.test(heading)) return false;
  const head = start(heading);
  return AT_START.test(head) || AFTER_ID.test(head) || AT_END.test(heading.slice(-200));
}

function idOf(text: string): string | null {
  return ID.exec(start(text))?.[1] ?? null;
}

/** A rank stands at the start of its line; a bounded start also bounds what a hostile line can cost. */
function start(text: string): string {
  return text.slice(0, 240);
}

/** In running text a lower-case word is no rank: "high memory use: …" describes. Marked words and capitals are. */
function isMarked(text: string): boolean {
  return (
    /^[^\p{L}\p{N}]*(?:\p{L}+\s*#?\d*[^\p{L}\p{N}]*)?(?:[A-Z]{3,}|P[0-4])\b/u.test(text) ||
    /^[^\p{L}\p{N}]*[*_[(（]/u.test(text) ||
    /^[^\p{L}\p{N}]*\p{Lu}\p{L}+\s*[:：]/u.test(text)
  );
}

/** A heading that only ranks what stands under it: `## Medium Severity Vulnerabilities`, `## HIGH（2 项）`. */
function isGroup(text: string): boolean {
  return (
    text
      .replace(WORD, "")
      .replace(GROUP_NOUNS, "")
      .replace(/[^\p{L}]/gu, "") === ""
  );
}

function blocksUntil(context: MarkdownContext, index: number, to: number): Block[] {
  const blocks: Block[] = [];
  for (let at = index; (context.document.blocks[at]?.from ?? to) < to; at += 1) {
    const block = context.document.blocks[at];
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** What a ranking heading ranks: its sub-headings, else its list items, else its first text; nothing where it says "None". */
function childrenOf(
  context: MarkdownContext,
  heading: Block,
  inside: readonly Block[],
): { line: number; text: string }[] {
  const rank = context.document.plain(heading.text);
  const named = (block: Block): { line: number; text: string } => ({
    line: block.from,
    text: block.kind === "heading" ? block.text : `${rank} — ${(context.document.lines[block.from] ?? "").trim()}`,
  });
  const headings = inside.filter((block) => block.kind === "heading");
  if (headings.length > 0)
    return headings.filter(({ level }) => level === Math.min(...headings.map((each) => each.level))).map(named);
  const items = inside.filter((block) => block.kind === "item" && block.level === 1);
  const blocks =
    items.length > 0
      ? items
      : inside.filter((block) => block.kind === "paragraph" || block.kind === "table").slice(0, 1);
  return blocks.map(named).filter(({ line }) => !isEmptyPhrase(withoutMarker(context.document.lines[line] ?? "")));
}

function isEmptyPhrase(text: string): boolean {
  return /^[\s*_`(]*(?:none|n\/?a|nil|nothing|无|no (?:\w+ ){0,3}(?:findings?|issues?|problems?)|[-–—]*)(?:\s+(?:found|identified|detected))?[\s*_`).!]*$/iu.test(
    text,
  );
}

/** Rows of a table that has a severity column but no place column; tables that only count or explain severities are no findings. */
function rankedRows(context: MarkdownContext, block: Block): { line: number; text: string }[] {
  const [header, ...rows] = tableRows(context, block);
  const names = (header?.cells ?? []).map((cell) => context.document.plain(cell).trim());
  const column = names.findIndex((name) => /^(?:severity|sev|严重程度|严重度|级别)$/i.test(name));
  const explains = names.some((name) =>
    /^(?:counts?|number|total|数量|meaning|definition|criteria|sla|response(?: time)?|说明)$/i.test(name),
  );
  if (column === -1 || explains) return [];
  return rows.filter(({ cells }) =>
    new RegExp(`^[^\\p{L}\\p{N}]*(?:${SEVERITY_WORDS})(?![\\p{L}\\p{N}])`, "iu").test(cells[column] ?? ""),
  );
}

/** The id in the first cell of a table row. */
function idCell(text: string): string | null {
  return /^\s*\|\s*\**([A-Za-z][A-Za-z0-9]*-\d[\w-]*)\**\s*\|/.exec(text)?.[1] ?? null;
}
