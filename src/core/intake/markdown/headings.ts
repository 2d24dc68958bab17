import type { Block } from "./blocks.ts";
import { composeBody, labelledSeverity, textOf } from "./compose.ts";
import { isDeclaration } from "./declared.ts";
import type { Field } from "./fields.ts";
import { labelsOfLine, readFields } from "./fields.ts";
import { labelOf } from "./labels.ts";
import { mentionsIn } from "./mentions.ts";
import type { Found, MarkdownContext } from "./piece.ts";
import { worse } from "./piece.ts";
import { groupRank, idOf, isEmptyPhrase, isPositive, isVoid, numberOf, rankOfHeading, titleOf } from "./rank.ts";
import { severityOfWord } from "./severityWords.ts";

/** What stands elsewhere in the document and decides what a heading is: 0-based lines. */
export interface Surroundings {
  /** How many rows or bullets that are findings by themselves stand from a line to another (exclusive). */
  readonly explicit: (from: number, to: number) => number;
  /** True where another part of the report ranks this heading: a table row of the same id or title. */
  readonly isTold: (id: string | null, number: string | null, title: string) => boolean;
}

/** What a heading has: a rank of its own, labels that rank it, the rank of the section around it, or a part of a known finding. */
type Kind = "ranked" | "labelled" | "inherited" | "detail" | "none";

/**
 * Findings that have a heading (R3.22 b and c, R3.24): a rank in the heading, a severity label below it, or a heading under a section that
 * ranks. Each owns what stands under it, but for headings that are findings themselves.
 */
export function readHeadings(context: MarkdownContext, around: Surroundings): Found[] {
  const { sections } = context;
  const kinds = kindsOf(context, around);
  const found: Found[] = [];
  let covered = 0;
  for (const [index, heading] of sections.headings.entries()) {
    const kind = kinds.get(heading) ?? "none";
    if (heading.from < covered || kind === "none") continue;
    const end = sections.end(heading);
    const nested = nextFinding(sections.headings, kinds, index, end);
    const to = nested?.from ?? end;
    // A heading over findings only frames them, unless it tells a place of its own.
    const frames = nested !== null || around.explicit(heading.to, to) > 0;
    const section = frames && kind !== "labelled" ? null : readSection(context, heading, kind, to);
    if (section === null || (frames && section.body.path === null)) continue;
    found.push(section);
    covered = section.to;
  }
  return found;
}

function nextFinding(
  headings: readonly Block[],
  kinds: ReadonlyMap<Block, Kind>,
  index: number,
  end: number,
): Block | null {
  const own = kinds.get(headings[index] ?? { kind: "heading", from: 0, to: 0, level: 0, text: "" });
  for (let at = index + 1; at < headings.length; at += 1) {
    const heading = headings[at];
    if (heading === undefined || heading.from >= end) return null;
    const kind = kinds.get(heading) ?? "none";
    // Under an inherited or described finding, what only inherits too is a part of it.
    if (kind === "ranked" || kind === "labelled") return heading;
    if (kind === "detail" && own !== "detail") return heading;
    // A bold line that ranks what follows it, below real headings.
    if (heading.level === 7 && labelOf(heading.text) === null && groupRank(heading.text) !== null) return heading;
  }
  return null;
}

function kindsOf(context: MarkdownContext, around: Surroundings): ReadonlyMap<Block, Kind> {
  const kinds = new Map<Block, Kind>();
  const parents: Block[] = [];
  for (const heading of context.sections.headings) {
    while ((parents.at(-1)?.level ?? 0) >= heading.level) parents.pop();
    const parent = parents.at(-1) ?? null;
    parents.push(heading);
    const topic = context.sections.topic(heading.from);
    if (topic === "silent" || topic === "plans" || isVoid(heading.text)) continue;
    const label = labelOf(heading.text);
    if (label === "severity" && parent !== null && groupRank(parent.text) === null) kinds.set(parent, "labelled");
    if (label === null)
      kinds.set(heading, kindOf(context, around, heading, parent === null ? "none" : (kinds.get(parent) ?? "none")));
  }
  return kinds;
}

function kindOf(context: MarkdownContext, around: Surroundings, heading: Block, parent: Kind): Kind {
  const { sections } = context;
  const isTitle = heading === sections.headings[0] && heading.level === 1;
  if (!isTitle && groupRank(heading.text) !== null) return "none";
  if (!isTitle && rankOfHeading(heading.text) !== null) return "ranked";
  const next = sections.next(heading);
  const to = Math.min(next?.from ?? context.document.lines.length, sections.end(heading));
  if (hasSeverityLabel(context, heading.to, to)) return isTitle && next !== null ? "none" : "labelled";
  if (isTitle) return "none";
  if (around.isTold(idOf(heading.text), numberOf(heading.text), context.document.plain(titleOf(heading.text, false))))
    return "detail";
  const group = sections.group(heading.from);
  if (group === null || parent === "inherited" || parent === "ranked" || parent === "labelled") return "none";
  // A heading without words of its own over further headings sorts them: they inherit.
  const isEmpty = context.document.lines
    .slice(heading.to, to)
    .every((line) => line.trim() === "" || /^[\s*_-]*$/.test(line));
  const sorts =
    next !== null && next.from < sections.end(heading) && next.level > heading.level && labelOf(next.text) === null;
  return (isEmpty && sorts) || sortsItems(context, heading, to) ? "none" : "inherited";
}

/** A heading over a list of places sorts findings: `### Security` with `- a.ts:3 …`; one with a number or an id is a finding itself. */
function sortsItems(context: MarkdownContext, heading: Block, to: number): boolean {
  if (idOf(heading.text) !== null || numberOf(heading.text) !== null) return false;
  const items: string[] = [];
  for (let line = heading.to; line < Math.min(to, heading.to + 200); line += 1) {
    const text = context.document.lines[line] ?? "";
    if (/^(?:[-*+]|\d{1,3}[.)])\s/.test(text)) items.push(text);
    else if (items.length === 0 && text.trim() !== "") return false;
  }
  if (items.some((text) => labelsOfLine(text).some(({ label }) => label !== "other"))) return false;
  const placed = items.filter((text) => mentionsIn(text).some(({ span }) => span.line !== null));
  return items.length > 1 && placed.length * 2 >= items.length;
}

function hasSeverityLabel(context: MarkdownContext, from: number, to: number): boolean {
  for (let line = from; line < Math.min(to, from + 60); line += 1) {
    const text = context.document.lines[line] ?? "";
    for (const { label, value } of /[:：】*|]/.test(text) ? labelsOfLine(text) : []) {
      if (label === "severity" && (value.trim() === "" || severityOfWord(value, context.severityMap) !== null))
        return true;
    }
  }
  return false;
}

const RULE = /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;

/**
 * The lines of a section, without what follows it: blank lines, a rule and unlabelled text behind it, lines that declare a verdict, and for a
 * quoted heading all that is not quoted.
 */
function ownLines(context: MarkdownContext, heading: Block, to: number): readonly string[] {
  const all = context.document.lines.slice(heading.to, to);
  const isQuoted = /^\s{0,3}>/.test(context.document.lines[heading.from] ?? "");
  const out = isQuoted ? all.findIndex((line) => line.trim() !== "" && !/^\s{0,3}>/.test(line)) : -1;
  const lines = isQuoted
    ? all.slice(0, out === -1 ? undefined : out).map((line) => line.replace(/^\s{0,3}>\s?/, ""))
    : all;
  const rule = lines.findIndex((line, index) => RULE.test(line) && (lines[index - 1] ?? "").trim() === "");
  const goesOn =
    rule !== -1 && lines.slice(rule).some((line) => labelsOfLine(line).some(({ label }) => label !== "other"));
  const kept = rule === -1 || goesOn ? lines : lines.slice(0, rule);
  return kept.slice(
    0,
    kept.findLastIndex((line) => line.trim() !== "" && !RULE.test(line) && !isDeclaration(line)) + 1,
  );
}

function readSection(context: MarkdownContext, heading: Block, kind: Kind, to: number): Found | null {
  const own = ownLines(context, heading, to);
  const fields = readFields(own);
  const severity = rankOfSection(context, heading, kind, fields);
  if (
    (severity === null && kind !== "detail") ||
    (kind === "inherited" && isEmptyPhrase(own.join("\n").trim()) && isEmptyPhrase(heading.text))
  )
    return null;
  const title = titleOf(heading.text, kind === "ranked");
  const id = idOf(heading.text);
  const text = [...context.document.lines.slice(heading.from, heading.to), ...own].join("\n").trimEnd();
  const number = numberOf(heading.text);
  const body = composeBody(context, { line: heading.from, title, fields, text, id: id ?? number });
  return {
    shape: "section",
    line: heading.from,
    to: heading.to + own.length,
    id,
    number,
    title: context.document.plain(title),
    severity,
    inherited: kind === "inherited",
    summary: context.sections.topic(heading.from) === "summary",
    body: isPositive(heading.text) ? { ...body, status: "pass" } : body,
  };
}

function rankOfSection(
  context: MarkdownContext,
  heading: Block,
  kind: Kind,
  fields: readonly Field[],
): Found["severity"] {
  const word = kind === "ranked" ? (rankOfHeading(heading.text)?.word ?? null) : null;
  const inHeading = word === null ? null : severityOfWord(word, context.severityMap);
  const { severity, weak } = labelledSeverity(context, fields);
  // "Severity: none" takes the finding back, whatever section it stands in.
  const label = textOf(fields, "severity");
  if (severity === null && label !== "" && isVoid(`- ${label.split("\n")[0] ?? ""}`)) return null;
  const own = worse(inHeading, severity);
  if (own !== null) return own;
  const group = kind === "inherited" ? context.sections.group(heading.from) : null;
  return (group === null ? null : severityOfWord(group.rank.word, context.severityMap)) ?? weak;
}
