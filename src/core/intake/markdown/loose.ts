import type { Block } from "./blocks.ts";
import { composeBody } from "./compose.ts";
import { readFields } from "./fields.ts";
import { frameOf, type ItemFrame, readItem } from "./items.ts";
import { readBullet, readLineForm } from "./lines.ts";
import { mentionsIn } from "./mentions.ts";
import { readParagraph } from "./paragraphs.ts";
import type { Found, MarkdownContext } from "./piece.ts";
import { groupRank, isEmptyPhrase, type Rank } from "./rank.ts";
import { countBefore } from "./sections.ts";
import { severityOfWord } from "./severityWords.ts";

// What is told of one line of text stands close to it; the bound keeps a hostile text linear.
const MOST_LINES = 60;

/** Items and paragraphs outside of sections that are findings. `known` is what was found so far, by line. */
export function readLoose(context: MarkdownContext, blocks: readonly Block[], known: readonly Found[]): Found[] {
  const found: Found[] = [];
  const groups = groupsOf(context, known);
  const frames: { readonly to: number; readonly frame: ItemFrame }[] = [];
  let covered = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.from < covered) continue;
    while ((frames.at(-1)?.to ?? Number.MAX_SAFE_INTEGER) <= block.from) frames.pop();
    if (block.kind === "item") {
      const over = frames.at(-1)?.frame ?? { rank: block.level === 1 ? groups.rank(block.from) : null, file: null };
      const frame = holdsItems(blocks, index) ? frameOf(context, block, over) : null;
      if (frame !== null) frames.push({ to: block.to, frame });
      const item = frame === null ? readBlock(context, block, over) : null;
      if (
        item === null ||
        (item.inherited &&
          frames.length === 0 &&
          item.body.path === null &&
          item.id === null &&
          groups.needsPlace(item.line))
      )
        continue;
      found.push(item);
      covered = block.to;
    } else if (block.kind === "paragraph" && block.level === 0) {
      const read = readParagraph(context, block, textEnd(context, blocks, index));
      found.push(...read);
      covered = read.reduce((most, { to }) => Math.max(most, to), covered);
    }
  }
  return [...found, ...groups.texts(found)];
}

function readBlock(context: MarkdownContext, block: Block, over: ItemFrame): Found | null {
  return readBullet(context, block, over.file) ?? readLineForm(context, block.from) ?? readItem(context, block, over);
}

/** True where an item has items below it. */
function holdsItems(blocks: readonly Block[], index: number): boolean {
  const [item, next, further] = [blocks[index], blocks[index + 1], blocks[index + 2]];
  const below = next?.kind === "paragraph" ? further : next;
  return (
    item !== undefined &&
    below !== undefined &&
    below.kind === "item" &&
    below.level > item.level &&
    below.from < item.to
  );
}

/** Where text that may belong to a paragraph ends: at the next one, a table, or a heading. */
function textEnd(context: MarkdownContext, blocks: readonly Block[], index: number): number {
  const own = blocks[index];
  const heading = Math.min(context.sections.after(own?.from ?? 0), (own?.to ?? 0) + MOST_LINES);
  for (let at = index + 1; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block === undefined || block.from >= heading) break;
    const isText = block.kind === "paragraph" && block.level === 0 && block.from !== own?.from;
    // A paragraph of labels right after its line still tells of it.
    if (block.kind === "table" || (isText && !startsWithLabel(context, block))) return block.from;
  }
  return heading;
}

function startsWithLabel(context: MarkdownContext, block: Block): boolean {
  return /^[\s>]*(?:\*\*|__)?[\p{L} ]{2,30}(?:\*\*|__)?\s*[:：]/u.test(context.document.lines[block.from] ?? "");
}

/** What sections that only rank give to the items and texts in them. */
interface Groups {
  /** The rank an item at this line has from its section. */
  readonly rank: (line: number) => Rank | null;
  /** True where an item of this section counts only if it names a place: beside sections that are findings, or under "Notes". */
  readonly needsPlace: (line: number) => boolean;
  /** Findings that are nothing but the text of such a section. */
  readonly texts: (loose: readonly Found[]) => Found[];
}

function groupsOf(context: MarkdownContext, known: readonly Found[]): Groups {
  const { sections, document } = context;
  const lines = known.map(({ line }) => line).sort((a, b) => a - b);
  return {
    rank: (line) => sections.group(line)?.rank ?? null,
    needsPlace(line) {
      const group = sections.group(line);
      return group !== null && (isWeak(group.rank) || holds(lines, group.heading.from, sections.end(group.heading)));
    },
    texts(loose) {
      const all = [...lines, ...loose.map(({ line }) => line)].sort((a, b) => a - b);
      return sections.headings.flatMap((heading, index) => {
        const topic = sections.topic(heading.from);
        const rank = index === 0 && heading.level === 1 ? null : groupRank(heading.text);
        const to = Math.min(sections.after(heading.from), sections.end(heading));
        if (rank === null || topic === "silent" || topic === "plans" || holds(all, heading.from, sections.end(heading)))
          return [];
        const severity = severityOfWord(rank.word, context.severityMap);
        if (severity === null) return [];
        return paragraphsOf(document.lines, heading.to, to).flatMap((text) =>
          textFinding(context, text, severity, isWeak(rank)),
        );
      });
    },
  };
}

/** True where an ordered list of lines has one from here to there (exclusive). */
function holds(lines: readonly number[], from: number, to: number): boolean {
  const at = countBefore(lines.length, (index) => (lines[index] ?? 0) < from);
  return (lines[at] ?? to) < to;
}

/** "Notes" and "Info" head what is no finding as often as what is one. */
function isWeak({ word }: Rank): boolean {
  return /^(?:infos?|information|informational|notes?|style|hinweise?)$/i.test(word) && word !== word.toUpperCase();
}

interface Text {
  readonly line: number;
  readonly lines: readonly string[];
}

/** The paragraphs of a section that each name a line; else all of it as one text. */
function paragraphsOf(lines: readonly string[], from: number, to: number): Text[] {
  const texts: Text[] = [];
  for (let line = from; line < to; line += 1) {
    if ((lines[line] ?? "").trim() === "") continue;
    let end = line;
    while (end < to && (lines[end] ?? "").trim() !== "") end += 1;
    texts.push({ line, lines: lines.slice(line, end) });
    line = end;
  }
  const [first, ...others] = texts;
  if (first === undefined) return [];
  const placed = texts.every((text) => mentionsIn(text.lines.join("\n")).some(({ span }) => span.line !== null));
  const last = others.at(-1) ?? first;
  return placed ? texts : [{ line: first.line, lines: lines.slice(first.line, last.line + last.lines.length) }];
}

function textFinding(
  context: MarkdownContext,
  text: Text,
  severity: NonNullable<Found["severity"]>,
  needsPlace: boolean,
): Found[] {
  const whole = text.lines.join("\n");
  // A list or a table in such a section was looked at already.
  if (isEmptyPhrase(whole.trim()) || /^\s*(?:[-*+|]|\d+[.)]\s)/.test(whole) || /^[\s*_-]*$/.test(whole)) return [];
  const body = composeBody(context, {
    line: text.line,
    title: "",
    fields: readFields(text.lines),
    text: whole,
    id: null,
  });
  if (needsPlace && body.path === null) return [];
  const title = body.message.split(/[.:\n]/, 1)[0] ?? "";
  const { line } = text;
  const summary = context.sections.topic(line) === "summary";
  return [
    {
      shape: "line",
      line,
      to: line + text.lines.length,
      id: null,
      number: null,
      title,
      severity,
      inherited: true,
      summary,
      body,
    },
  ];
}
