import type { Claimed, Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import type { MarkdownContext, Piece } from "./piece.ts";
import { NOTHING, proseClaim } from "./piece.ts";
import { readPlaces } from "./places.ts";
import { readSeverity } from "./severityWords.ts";

// Header words by role; a column has the first role that fits and is still free.
const ROLES = {
  severity: /^(?:severity|sev|严重程度|严重度|严重性|级别)$/i,
  location:
    /^(?:locations?|files?|paths?|where|affected(?: code| files?| locations?)?|file[ :/]+line|source|位置|文件)$/i,
  line: /^(?:lines?|line (?:no\.?|number)|行号?)$/i,
  category: /^(?:category|type|class|kind|类别|类型)$/i,
  fix: /^(?:(?:suggested |proposed )?fix(?:es)?|recommend\w*|remediation|mitigation|suggestions?|修复(?:建议)?)$/i,
  description: /^(?:descriptions?|issues?|findings?|problems?|titles?|summary|messages?|details?|问题|描述|标题)$/i,
  id: /^(?:id|#|no\.?|nr\.?|(?:finding|issue|vuln\w*) ?(?:id|#)|ref|编号)$/i,
  rule: /^(?:rules?|rule ?id|check)$/i,
} as const;
type Role = keyof typeof ROLES;
const ROLE_ORDER: readonly Role[] = ["severity", "location", "line", "category", "fix", "description", "id", "rule"];
// Used as the severity only where no column is named so and its cells hold severities (R3.23 names Impact).
const MAYBE_SEVERITY = /^(?:impact|risk(?: level)?|level|priority|优先级)$/i;
const NO_VALUE = /^[\s*_`~]*(?:|[-–—]+|n\/?a|none|pass(?:ed)?|ok|✅|✔)[\s*_`~.]*$/iu;

interface Column {
  readonly name: string;
  readonly role: Role | null;
}

/** A table with a severity column and a place column, whatever their order and further columns (R3.5, R3.23); else nothing. */
export function readTable(context: MarkdownContext, block: Block): Piece {
  const rows = rowsOf(context, block);
  const header = splitRow(rows[0]?.text ?? "", 0).map((cell) => context.document.plain(cell));
  const body = rows
    .slice(2)
    .map((row) => ({ line: row.line, text: row.text, cells: splitRow(row.text, header.length) }));
  const columns = assignRoles(
    header,
    body.map(({ cells }) => cells),
  );
  const has = (role: Role): boolean => columns.some((column) => column.role === role);
  if (!has("severity") || !has("location")) return NOTHING;
  const claimed: Claimed[] = [];
  const missed: Unread[] = [];
  for (const row of body) {
    const read = readRow(context, columns, row.cells, row.line, row.text);
    if (read === null) continue;
    if ("reason" in read) missed.push(read);
    else claimed.push(read);
  }
  return { claimed, unread: missed };
}

/** The cells of a table by column, header first, without the separator row: for what no reader took. */
export function tableRows(context: MarkdownContext, block: Block): { line: number; text: string; cells: string[] }[] {
  return rowsOf(context, block)
    .filter((_, index) => index !== 1)
    .map((row) => ({ line: row.line, text: row.text, cells: splitRow(row.text, 0) }));
}

function rowsOf(context: MarkdownContext, block: Block): { line: number; text: string }[] {
  return context.document.lines
    .slice(block.from, block.to)
    .map((text, index) => ({ line: block.from + index, text: text.replace(/^[\s>]+/, "").trimEnd() }))
    .filter(({ text }) => text !== "");
}

function splitCells(text: string): string[] {
  return text.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/**
 * Cells of a row. A bar inside backticks splits a cell in GFM, but authors mean it as text: of the two ways to split, the one that
 * gives as many cells as the header has is taken. Escaped bars never split.
 */
export function splitRow(row: string, expected: number): string[] {
  const inner = row.replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  const strict = splitCells(inner);
  if (strict.length === expected || !inner.includes("`")) return strict;
  const shielded = splitCells(inner.replace(/`[^`]*`/g, (code) => code.replaceAll("|", "\u0000")));
  const kept = shielded.map((cell) => cell.replaceAll("\u0000", "|"));
  return expected === 0 || kept.length === expected ? kept : strict;
}

function assignRoles(header: readonly string[], body: readonly (readonly string[])[]): Column[] {
  const taken = new Set<Role>();
  const columns = header.map((name): Column => {
    const role = ROLE_ORDER.find((each) => !taken.has(each) && ROLES[each].test(name.trim())) ?? null;
    if (role !== null) taken.add(role);
    return { name: name.trim(), role };
  });
  const byContent = (role: Role, fits: (column: Column, index: number) => boolean): void => {
    const index = taken.has(role) ? -1 : columns.findIndex((column, at) => column.role === null && fits(column, at));
    const column = columns[index];
    if (column === undefined) return;
    columns[index] = { name: column.name, role };
    taken.add(role);
  };
  const mostly = (index: number, test: (cell: string) => boolean): boolean =>
    body.length > 0 && body.filter((cells) => test(cells[index] ?? "")).length * 2 >= body.length;
  byContent(
    "severity",
    (column, at) => MAYBE_SEVERITY.test(column.name) && mostly(at, (cell) => readSeverity(cell, {}) !== null),
  );
  byContent("location", (_, at) => mostly(at, (cell) => readPlaces(cell).some(({ span }) => span.line !== null)));
  return columns;
}

function readRow(
  context: MarkdownContext,
  columns: readonly Column[],
  cells: readonly string[],
  line: number,
  text: string,
): Claimed | Unread | null {
  const cell = (role: Role): string => cells[columns.findIndex((column) => column.role === role)] ?? "";
  const severityCell = cell("severity");
  const severity = readSeverity(severityCell, context.severityMap, isFindingTable(columns));
  if (severity === null) {
    if (NO_VALUE.test(severityCell) && (NO_VALUE.test(cell("location")) || severityCell.trim() !== "")) return null;
    const at = { line: context.offset + line + 1 };
    return unread(context.path, at, text, "This table row has a place, but its severity is no word known here.");
  }
  const plain = (role: Role): string | null => context.document.plain(cell(role)) || null;
  const others = columns.flatMap(({ name, role }, index) =>
    role === null && !NO_VALUE.test(cells[index] ?? "")
      ? [[name, context.document.plain(cells[index] ?? "")] as const]
      : [],
  );
  const lineCell = cell("line").trim();
  const location =
    lineCell === "" || /:\d/.test(cell("location")) ? cell("location") : `${cell("location")}:${lineCell}`;
  return proseClaim(context, {
    line,
    severity,
    places: readPlaces(location),
    message: messageOf(context, plain("description"), plain("id"), others),
    text,
    more: {
      sourceId: plain("id"),
      rule: plain("rule"),
      category: plain("category"),
      fix: plain("fix"),
      extra: { columns: Object.fromEntries(others), location: context.document.plain(cell("location")) },
    },
  });
}

/** Without a description column the row speaks through its id, that id's own heading, and its other cells. */
function messageOf(
  context: MarkdownContext,
  description: string | null,
  id: string | null,
  others: readonly (readonly [string, string])[],
): string {
  if (description !== null) return description;
  const heading =
    id === null || id.length < 3
      ? undefined
      : context.document.blocks.find((block) => block.kind === "heading" && block.text.includes(id));
  const title = heading === undefined ? null : context.document.plain(heading.text).replace(/^\s*\d+[.)]\s*/, "");
  const details = others.map(([name, value]) => `${name}: ${value}`).join(", ");
  const subject = title ?? id ?? "";
  if (subject === "") return details === "" ? "The row has no description." : details;
  return details === "" ? subject : `${subject} (${details})`;
}

/** The five columns of R3.5, in any order. */
function isFindingTable(columns: readonly Column[]): boolean {
  return (["location", "severity", "category", "description", "fix"] as const).every((role) =>
    columns.some((column) => column.role === role),
  );
}
