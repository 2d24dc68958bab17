import type { Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import type { MarkdownContext } from "./piece.ts";
import { readPlaces } from "./places.ts";
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
const NO_FINDINGS_HERE =
  /legend|severity (?:levels?|scale|definitions?|ratings?)|remediation|timeline|next steps|roadmap|checklist|priority order|positive|优先级|changes since/i;
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
  const walk = createWalk(context, taken, new Set(ids));
  for (const block of context.document.blocks) walk.visit(block);
  return walk.rows();
}

/** R3.16: nothing was read, yet a severity word in capitals stands somewhere, or a place is named: never a silent zero. */
export function lastResort(context: MarkdownContext): Unread[] {
  const sections = sectionsOf(context);
  return context.document.lines.flatMap((whole, index) => {
    if (sections.above(index).some((heading) => NO_FINDINGS_HERE.test(heading.text))) return [];
    const text = whole.slice(0, 2000);
    const at = { line: context.offset + index + 1 };
    const counted = text.replace(NONE_COUNTED, "");
    if (/\b(?:CRITICAL|WARNING|INFO)\b/.test(counted)) return [unread(context.path, at, text, REASON, true)];
    const names =
      /^\s*(?:[-*+]|\d+[.)])\s/.test(text) && readPlaces(withoutMarker(text)).some(({ span }) => span.line !== null);
    return names ? [unread(context.path, at, text, "This line names a place, but no severity.")] : [];
  });
}

interface Walk {
  readonly visit: (block: Block) => void;
  readonly rows: () => Unread[];
}

function createWalk(context: MarkdownContext, taken: ReadonlySet<number>, ids: Set<string>): Walk {
  const found = new Map<number, Unread>();
  const sections = sectionsOf(context);
  const report = (line: number, text: string, surely = false, known: ReadonlySet<string> = ids): void => {
    const id = ID.exec(start(withoutMarker(text)))?.[1] ?? idCell(text);
    if (taken.has(line) || found.has(line) || (id !== null && known.has(id))) return;
    if (id !== null) ids.add(id);
    found.set(line, unread(context.path, { line: context.offset + line + 1 }, text, REASON, surely));
  };
  const inSection = (from: number, to: number): boolean => {
    for (let line = from; line < to; line += 1) if (taken.has(line) || found.has(line)) return true;
    return false;
  };
  const skipped = (line: number): boolean =>
    sections.above(line).some((heading) => NO_FINDINGS_HERE.test(heading.text));
  const pending: { readonly heading: Block; readonly to: number }[] = [];
  const visitLine = (line: number): void => {
    const text = context.document.lines[line] ?? "";
    const bare = start(withoutMarker(text));
    const heading = sections.above(line).at(0);
    const id = heading === undefined ? null : (ID.exec(start(heading.text))?.[1] ?? null);
    const ofKnown = heading !== undefined && (found.has(heading.from) || (id !== null && ids.has(id)));
    if (LABEL.test(bare) && !ofKnown) report(line, heading === undefined ? text : `${heading.text} — ${text}`);
    else if ((AT_START.test(bare) && isMarked(bare)) || AFTER_ID.test(bare) || AFTER_NAME.test(bare) || BAR.test(bare))
      report(line, text);
  };
  return {
    visit(block) {
      if (block.kind === "code" || skipped(block.from)) return;
      if (block.kind === "table") {
        // Two rows of one table may share an advisory's id and are two findings still.
        const before = new Set(ids);
        for (const row of rankedRows(context, block)) report(row.line, row.text, false, before);
      } else if (block.kind === "heading") {
        const head = start(block.text);
        const ranked = AT_START.test(head) || AFTER_ID.test(head) || AT_END.test(block.text.slice(-200));
        if (ranked && isGroup(block.text)) pending.push({ heading: block, to: sections.end(block) });
        else if (ranked) report(block.from, block.text);
      } else if (block.kind === "item") visitLine(block.from);
      else for (let line = block.from; line < block.to; line += 1) visitLine(line);
    },
    rows() {
      for (const { heading, to } of pending) {
        if (inSection(heading.from, to)) continue;
        for (const child of childrenOf(context, heading, to)) report(child.line, child.text, true);
      }
      return [...found.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    },
  };
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

/** What a ranking heading ranks: its sub-headings, else its list items, else its first text; nothing where it says "None". */
function childrenOf(context: MarkdownContext, heading: Block, to: number): { line: number; text: string }[] {
  const inside = context.document.blocks.filter((block) => block.from > heading.from && block.from < to);
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

/** Headings over a line, innermost first, and where a heading's section ends. */
function sectionsOf(context: MarkdownContext): { above(line: number): Block[]; end(heading: Block): number } {
  const headings = context.document.blocks.filter((block) => block.kind === "heading");
  const parents = new Map<Block, Block | null>();
  const open: Block[] = [];
  for (const heading of headings) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= heading.level) open.pop();
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
    end(heading) {
      const next = headings.find((other) => other.from > heading.from && other.level <= heading.level);
      return next?.from ?? context.document.lines.length;
    },
  };
}
