import type { Block } from "./blocks.ts";
import { withoutMarker } from "./blocks.ts";
import { composeBody, labelledSeverity } from "./compose.ts";
import { labelsOfLine, readFields, splitInline } from "./fields.ts";
import { linesIn, splitFix } from "./lines.ts";
import type { Found, MarkdownContext, Spot } from "./piece.ts";
import { leadingFile, readPlace } from "./places.ts";
import { groupRank, idOf, isEmptyPhrase, isVoid, numberOf, type Rank, rankAtEnd, rankOfLine, titleOf } from "./rank.ts";
import { severityOfWord } from "./severityWords.ts";

/** What lies around a list item: the rank of a section or item over it, and a file that an item over it names. */
export interface ItemFrame {
  readonly rank: Rank | null;
  readonly file: Spot | null;
}

/**
 * A list item that is a finding: ranked at its start (`- **High:** …`, `- [CRITICAL] …`, `- [A-1] (critical) …`, `- src/a.ts:3 [P1] …`), by a
 * label in it, or by the section or item it stands under. Null where it is none.
 */
export function readItem(context: MarkdownContext, item: Block, frame: ItemFrame): Found | null {
  const raw = context.document.lines.slice(item.from, item.to);
  const last = raw.findLastIndex((line) => line.trim() !== "") + 1;
  const lines = raw.slice(0, last);
  const first = withoutMarker(lines[0] ?? "");
  if (isDone(lines[0] ?? "") || isVoid(first) || isEmptyPhrase(first)) return null;
  if (lines.length === 1 && groupRank(first) !== null) return null;
  // A label at the very start belongs to something that is told around this item.
  const labels = labelsOfLine(lines[0] ?? "");
  const isLabel = labels.length > 0 && labels[0]?.label !== "other" && labels[0]?.label !== "title";
  const inline = splitInline(first);
  const own = isLabel ? null : readStart(inline.head);
  const fields = [
    ...inline.fields,
    ...readFields(lines.slice(1).map((line) => line.replace(/^ {1,12}/, (blank) => blank.slice(0, 12)))),
  ];
  const { severity: labelled, weak } = labelledSeverity(context, fields);
  const word = own?.rank?.word ?? null;
  const ranked = (word === null ? null : severityOfWord(word, context.severityMap)) ?? labelled;
  const inherited =
    ranked === null && frame.rank !== null && !isLabel ? severityOfWord(frame.rank.word, context.severityMap) : null;
  const severity =
    ranked ?? inherited ?? (weak !== null && fields.some(({ label }) => label === "location") ? weak : null);
  if (severity === null) return null;
  const start = own ?? { rank: null, places: [], rest: inline.head };
  return makeItem(context, { item, lines, fields, start, severity, inherited: inherited !== null, file: frame.file });
}

interface Start {
  readonly rank: Rank | null;
  readonly places: readonly Spot[];
  /** The first line without the place before its rank. */
  readonly rest: string;
}

/** The rank at the start of a first line, before or after a place. */
export function readStart(first: string): Start {
  const rank = rankOfLine(first);
  if (rank !== null) return { rank, places: [], rest: first };
  const leading = /[:`/\\#]/.test(first.slice(0, 300)) ? leadingFile(first) : null;
  if (leading === null) return { rank: null, places: [], rest: first };
  const behind = leading.rest === "" ? null : rankOfLine(leading.rest);
  const last = behind === null ? rankAtEnd(leading.rest) : null;
  const rest = last === null ? leading.rest : titleOf(leading.rest, true);
  return { rank: behind ?? last, places: [leading.place], rest };
}

function makeItem(
  context: MarkdownContext,
  told: {
    readonly item: Block;
    readonly lines: readonly string[];
    readonly fields: ReturnType<typeof readFields>;
    readonly start: Start;
    readonly severity: NonNullable<Found["severity"]>;
    readonly inherited: boolean;
    readonly file: Spot | null;
  },
): Found {
  const { item, lines, fields, start } = told;
  const ranked = titleOf(
    start.rest,
    start.rank !== null && /^\*\*|\*\*\s*$/.test(start.rest) && rankOfLine(titleOf(start.rest, true)) === null,
  );
  const behind = start.places.length > 0 ? null : leadingFile(ranked);
  const [title, fix] = splitFix(behind === null || behind.rest === "" ? ranked : behind.rest);
  const id = idOf(withoutMarker(lines[0] ?? ""));
  const places = behind === null ? start.places : [behind.place];
  const body = composeBody(context, {
    line: item.from,
    title,
    fields,
    text: lines.join("\n"),
    id,
    fix,
    places: places.length > 0 || told.file === null ? places : linesIn(told.file.path, title),
  });
  return {
    shape: "item",
    line: item.from,
    to: item.from + lines.length,
    id,
    number: numberOf((lines[0] ?? "").replace(/^[\s>]+/, "")),
    title: context.document.plain(headOf(title)),
    severity: told.severity,
    inherited: told.inherited,
    summary: context.sections.topic(item.from) === "summary",
    body,
  };
}

/** The part of a first line that names the finding, to compare: its bold words, or what stands before a colon or dash. */
function headOf(title: string): string {
  const bold = /^\s*\*\*([^*]{3,200})\*\*/.exec(title)?.[1];
  return bold ?? title.split(/:\s|\s[—–-]\s|\.\s/, 1)[0] ?? title;
}

/** Ticked off, or struck through. */
function isDone(line: string): boolean {
  return /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[xX✓✔]\]|~~)/.test(line);
}

/** The frame that an item gives to those below it; null where it only tells. */
export function frameOf(context: MarkdownContext, item: Block, over: ItemFrame): ItemFrame | null {
  const first = withoutMarker(context.document.lines[item.from] ?? "").slice(0, 300);
  const rank = groupRank(first.replace(/[:：]\s*$/, ""));
  if (rank !== null) return { ...over, rank };
  const text = first
    .replace(/[`*]/g, "")
    .replace(/\s*[(（][^()（）]{0,40}[)）]\s*$|[:：]\s*$/, "")
    .trim();
  const place = readPlace(text);
  return place === null ? null : { ...over, file: place };
}
