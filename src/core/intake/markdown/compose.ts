import { NO_SPAN } from "../../finding.ts";
import { codeSpans } from "./codeSpans.ts";
import type { Field } from "./fields.ts";
import type { Label } from "./labels.ts";
import { linesOfLabel } from "./lineNumbers.ts";
import { mentionsIn } from "./mentions.ts";
import type { MarkdownContext, Spot, Unranked } from "./piece.ts";
import { proseBody } from "./piece.ts";
import { leadingPlace, readPlaces } from "./places.ts";
import type { ReadSeverity } from "./severityWords.ts";
import { readSeverity } from "./severityWords.ts";

/** What a finding's own lines say, before it is a claim. `line` is 0-based, `text` raw. */
export interface Told {
  readonly line: number;
  /** Markdown, without rank, id and number. */
  readonly title: string;
  readonly fields: readonly Field[];
  readonly text: string;
  readonly id: string | null;
  /** Places its first line gives; they come before those of a label. */
  readonly places?: readonly Spot[];
  readonly fix?: string | null;
}

const QUOTES = new Set([
  "",
  "text",
  "txt",
  "bash",
  "sh",
  "shell",
  "console",
  "http",
  "diff",
  "json",
  "log",
  "plaintext",
]);
const QUIET: ReadonlySet<Label> = new Set<Label>([
  "severity",
  "priority",
  "lines",
  "location",
  "confidence",
  "reference",
  "fix",
  "category",
  "rule",
  "id",
  "cwe",
  "revision",
  "meta",
  "status",
  "code",
  "repro",
]);

/** The text of all parts with this label, in their order; empty where there is none. Markdown. */
export function textOf(fields: readonly Field[], label: Label): string {
  return fields
    .filter((field) => field.label === label && field.text !== "")
    .map(({ text }) => text)
    .join("\n");
}

/** The code block below a label that says nothing else: a command line under "Reproduction". */
function codeOf(fields: readonly Field[], label: Label): string | null {
  return fields.find((field) => field.label === label && field.code !== null)?.code?.text ?? null;
}

/** The rank a finding's own labels give: "Severity", else what "Priority", "Risk" or "Impact" say with one word. */
export function labelledSeverity(
  context: MarkdownContext,
  fields: readonly Field[],
): {
  readonly severity: ReadSeverity | null;
  readonly weak: ReadSeverity | null;
} {
  const severity = textOf(fields, "severity");
  const words = ["priority", "impact"] as const;
  const weak = words
    .map((label) => textOf(fields, label))
    .find((text) => /^[^\p{L}]*[\p{L}\d]+[^\p{L}]*(?:[(（—–-].*)?$/u.test(text));
  return {
    severity: severity === "" ? null : readSeverity(severity, context.severityMap),
    weak: weak === undefined ? null : readSeverity(weak, context.severityMap),
  };
}

/** The claim that a title and its labelled parts make. */
export function composeBody(context: MarkdownContext, told: Told): Unranked {
  const { fields, title } = told;
  const location = splitLocation(textOf(fields, "location"));
  const plain = (text: string): string | null => context.document.plain(text) || null;
  const parts = [title, location.rest, ...fields.filter(({ label }) => !QUIET.has(label)).map(tellField)];
  const message = parts.map((part) => context.document.plain(part)).filter((part) => part !== "");
  const others = fields.filter(
    ({ label, name, text }) => name !== "" && text !== "" && ["other", "meta", "status", "impact"].includes(label),
  );
  return proseBody(context, {
    line: told.line,
    places: spotsOf(context, told, location.places),
    message:
      message.length === 0
        ? context.document.plain(told.text.split("\n", 1)[0]?.replace(/^[\s>#]+/, "") ?? "")
        : message.join("\n"),
    text: told.text,
    more: {
      sourceId: told.id ?? plain(textOf(fields, "id")),
      rule: plain(textOf(fields, "rule")),
      category: plain(textOf(fields, "category")),
      quote: quoteOf(fields),
      fix:
        told.fix === undefined || told.fix === null ? plain(textOf(fields, "fix")) : context.document.plain(told.fix),
      helpUri: /https?:\/\/[^\s)>\]]*[^\s)>\].,;:]/.exec(textOf(fields, "reference"))?.[0] ?? null,
      finderConfidence: confidenceOf(textOf(fields, "confidence")),
      extra: {
        location: plain(location.text),
        repro: plain(textOf(fields, "repro")) ?? codeOf(fields, "repro"),
        references: plain(textOf(fields, "reference")),
        ...(others.length === 0
          ? {}
          : { fields: Object.fromEntries(others.map(({ name, text }) => [name, context.document.plain(text)])) }),
      },
    },
  });
}

function tellField({ label, name, text }: Field): string {
  return name === "" || label === "description" || text === "" ? text : `${name.replace(/[*_]/g, "")}: ${text}`;
}

/** `` `src/a.ts:3`. The caller … ``: what stands after the place and is a sentence belongs to the finding's words. */
function splitLocation(text: string): { readonly places: string; readonly rest: string; readonly text: string } {
  const [first = "", ...others] = text.split("\n");
  const code = codeSpans(first);
  const isCode = (at: number): boolean => code.some(({ from, to }) => at >= from && at < to);
  const end = Array.from(first.matchAll(/[.。](?:\s+(?=[\p{Lu}`])|(?<=。))/gu), ({ index }) => index).find(
    (at) => !isCode(at),
  );
  const places = end === undefined ? first : first.slice(0, end);
  const sentence = end === undefined ? "" : first.slice(end + 1).trim();
  const aside = leadingPlace(places.trim())?.rest ?? "";
  const tells = /^(?![,;、，]|and\b|vs\b)(?:.*?\p{L}{2,}\b){4}/u.test(aside) && readPlaces(aside).length === 0;
  return {
    places: [places, ...others].join("\n"),
    rest: [tells ? aside : "", sentence].filter(Boolean).join(". "),
    text,
  };
}

/** Its own places first, then labels, then what its words mention; lines without a file take the file of the section or report. */
function spotsOf(context: MarkdownContext, told: Told, location: string): readonly Spot[] {
  const labelled = readPlaces(location);
  const lines = linesOfLabel(textOf(told.fields, "lines"));
  const own = told.places ?? [];
  const named: readonly Spot[] = [...own, ...labelled.filter((place) => !own.some((each) => samePlace(each, place)))];
  const [only] = named;
  if (lines.length > 0 && (only === undefined || (named.length === 1 && only.span.line === null))) {
    const path = only?.path ?? mentioned(told)[0]?.path ?? fileAround(context, told.line);
    return lines.map((span) => ({ path, span }));
  }
  if (named.length > 0)
    return named.map((spot) => (spot.path === null ? { ...spot, path: fileAround(context, told.line) } : spot));
  const spots = mentioned(told);
  if (spots.length > 0) return spots;
  const path = fileAround(context, told.line);
  const loose = linesOfLabel(/^.{0,200}?(?:\(|\b)((?:lines?|L)\s?~?\d.{0,60})/i.exec(told.title)?.[1] ?? "");
  if (path === null) return [];
  return loose.length > 0
    ? loose.map((span) => ({ path, span }))
    : [{ path, span: context.sections.file(told.line)?.span ?? NO_SPAN }];
}

function samePlace(a: Spot, b: Spot): boolean {
  return a.path === b.path && a.span.line === b.span.line && a.span.endLine === b.span.endLine;
}

/** Places in running text: those with a line come first. What a fix or a reference names is no place of the defect. */
function mentioned(told: Told): readonly Spot[] {
  const inTitle = mentionsIn(told.title);
  if (inTitle.some(({ span }) => span.line !== null)) return inTitle;
  const told2 = told.fields.filter(({ label }) => label === "description" || label === "other" || label === "impact");
  const spots = [...inTitle, ...told2.flatMap(({ text }) => mentionsIn(text))];
  const unique = spots.filter((spot, index) => spots.findIndex((each) => samePlace(each, spot)) === index).slice(0, 50);
  return [...unique.filter(({ span }) => span.line !== null), ...unique.filter(({ span }) => span.line === null)];
}

function fileAround(context: MarkdownContext, line: number): string | null {
  return context.sections.file(line)?.path ?? context.reviewed;
}

/** Code shown under a location or a label that means code quotes the place; shells, answers and abridged code do not. */
function quoteOf(fields: readonly Field[]): string | null {
  const shown = fields.find(({ label, code }) => code !== null && (label === "location" || label === "code"));
  const code = shown?.code ?? null;
  if (
    code === null ||
    code.text.trim() === "" ||
    (shown?.label === "code" && QUOTES.has(code.language.toLowerCase()) && code.language !== "")
  )
    return null;
  return /^\s*(?:\/\/|#)?\s*(?:\.\.\.|…)\s*$/m.test(code.text) ? null : code.text;
}

/** `90%`, `0.9`, `8/10` as 0-100; a word is no number. */
function confidenceOf(text: string): number | null {
  const found = /^[^\d]{0,4}(\d{1,3}(?:\.\d{1,4})?)\s*(%|\/\s*(?:10|100|5)\b)?/.exec(text.replace(/[*_`]/g, ""));
  if (found === null) return null;
  const value = Number(found[1]);
  const of = (found[2] ?? "").replace(/[\s/]/g, "");
  const percent =
    of === "10" || of === "5" ? (value * 100) / Number(of) : of === "" && value <= 1 ? value * 100 : value;
  return percent > 100 ? null : Math.round(percent);
}
