import type { Block } from "./blocks.ts";
import { composeBody, labelledSeverity } from "./compose.ts";
import type { Field } from "./fields.ts";
import { labelsOfLine, readFields, splitInline } from "./fields.ts";
import { readStart } from "./items.ts";
import { readLineForm, splitFix } from "./lines.ts";
import type { Found, MarkdownContext, Spot } from "./piece.ts";
import { leadingFile } from "./places.ts";
import { groupRank, idOf, isVoid, rankOfLine, titleOf } from "./rank.ts";
import type { ReadSeverity } from "./severityWords.ts";
import { severityOfWord } from "./severityWords.ts";

/**
 * Findings in running text: lines that start with their severity, with the lines that continue them (R3.22 d), lines of R0.34, and blocks
 * of labels without a heading. `to` is where the text that may belong to the last one ends.
 */
export function readParagraph(context: MarkdownContext, block: Block, to: number): Found[] {
  const found: Found[] = [];
  const labelled = readLabelBlock(context, block, to);
  if (labelled !== null) return labelled;
  const starts: number[] = [];
  for (let line = block.from; line < block.to; line += 1) {
    const form = readLineForm(context, line);
    if (form !== null) found.push(form);
    if (form !== null || startsFinding(context, line)) starts.push(line);
  }
  for (const [index, line] of starts.entries()) {
    if (found.some((each) => each.line === line)) continue;
    const next = starts[index + 1];
    const ranked = readRankedLine(context, line, next ?? block.to, next === undefined ? to : next);
    if (ranked !== null) found.push(ranked);
  }
  return found;
}

function startsFinding(context: MarkdownContext, line: number): boolean {
  const text = bare(context, line);
  const [label] = labelsOfLine(text);
  if ((label !== undefined && label.label !== "other" && label.label !== "title") || isVoid(text)) return false;
  const start = readStart(text);
  // A rank alone says nothing of a finding.
  if (groupRank(text) !== null) return false;
  return start.rank !== null && severityOfWord(start.rank.word, context.severityMap) !== null;
}

function bare(context: MarkdownContext, line: number): string {
  return (context.document.lines[line] ?? "").replace(/^[\s>]+/, "");
}

function readRankedLine(context: MarkdownContext, line: number, end: number, to: number): Found | null {
  const first = bare(context, line);
  const inline = splitInline(first);
  const start = readStart(inline.head);
  const severity = start.rank === null ? null : severityOfWord(start.rank.word, context.severityMap);
  if (severity === null) return null;
  const text = titleOf(start.rest, /^\*\*|\*\*\s*$/.test(start.rest) && rankOfLine(titleOf(start.rest, true)) === null);
  const behind = start.places.length > 0 ? null : leadingFile(text);
  const [title, fix] = splitFix(behind === null || behind.rest === "" ? text : behind.rest);
  // Labels and code right below a line belong to it; a further paragraph does not.
  const stop = continues(context, end, to);
  const lines = context.document.lines.slice(line, stop);
  const places = behind === null ? start.places : [behind.place];
  return make(context, {
    line,
    lines,
    title,
    fix,
    places,
    severity,
    fields: [...inline.fields, ...readFields(lines.slice(1))],
    id: idOf(first),
  });
}

/** Where the labelled lines, lists of labels and code blocks after a line end. */
function continues(context: MarkdownContext, from: number, to: number): number {
  let [end, fence] = [from, null as string | null];
  for (let line = from; line < to; line += 1) {
    const text = context.document.lines[line] ?? "";
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      end = line + 1;
    } else if (mark !== null) {
      fence = mark;
      end = line + 1;
    } else if (text.trim() !== "") {
      const isBelow = /^\s{2,}\S/.test(text) && end === line;
      const label = labelsOfLine(text)[0];
      if (!isBelow && (label === undefined || label.label === "severity" || label.label === "other")) break;
      end = line + 1;
    }
  }
  return end;
}

/** `Severity: High` with its place or words beside it, without a heading; a paragraph may hold several. Null where it is none. */
function readLabelBlock(context: MarkdownContext, block: Block, to: number): Found[] | null {
  const starts: number[] = [];
  let firstLabel: string | null = null;
  for (let line = block.from; line < block.to; line += 1) {
    const [label] = labelsOfLine(bare(context, line));
    if (label === undefined || label.label === "other") continue;
    firstLabel ??= label.label;
    if (label.label === firstLabel) starts.push(line);
  }
  if (starts[0] !== block.from) return null;
  const found: Found[] = [];
  for (const [index, line] of starts.entries()) {
    const next = starts[index + 1];
    const stop = next ?? continues(context, block.to, to);
    const lines = context.document.lines.slice(line, stop);
    const fields = readFields(lines);
    const severity = labelledSeverity(context, fields).severity;
    const tells = fields.some(
      ({ label, text }) => text !== "" && ["location", "lines", "description", "title", "fix"].includes(label),
    );
    if (severity === null || !tells) continue;
    const title = fields.find(({ label }) => label === "title")?.text ?? "";
    found.push(
      make(context, {
        line,
        lines,
        title,
        fix: null,
        places: [],
        severity,
        fields: fields.filter(({ label }) => label !== "title"),
        id: null,
      }),
    );
  }
  return found.length === 0 ? null : found;
}

function make(
  context: MarkdownContext,
  told: {
    readonly line: number;
    readonly lines: readonly string[];
    readonly title: string;
    readonly fix: string | null;
    readonly places: readonly Spot[];
    readonly severity: ReadSeverity;
    readonly fields: readonly Field[];
    readonly id: string | null;
  },
): Found {
  const { line, lines, title, severity } = told;
  const body = composeBody(context, { ...told, text: lines.join("\n").trimEnd() });
  return {
    shape: "line",
    line,
    to: line + lines.length,
    id: told.id ?? body.sourceId,
    number: null,
    title: context.document.plain(title.split(/:\s|\s[—–-]\s|\.\s/, 1)[0] ?? title),
    severity,
    inherited: false,
    summary: context.sections.topic(line) === "summary",
    body,
  };
}
