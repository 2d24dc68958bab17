import type { Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Block } from "./blocks.ts";
import { splitOutsideCode } from "./codeSpans.ts";
import { assignRoles, type Column, isFindingTable, type Role } from "./columns.ts";
import { onlyLines } from "./lineNumbers.ts";
import { mentionsIn } from "./mentions.ts";
import type { Found, MarkdownContext, Piece, Spot } from "./piece.ts";
import { NOTHING, proseBody } from "./piece.ts";
import { readPlaces } from "./places.ts";
import { idOf, isVoid } from "./rank.ts";
import type { ReadSeverity } from "./severityWords.ts";
import { readSeverity, severityOfWord } from "./severityWords.ts";

const NO_VALUE = /^[\s*_`~]*(?:|[-–—]+|n\/?a|none|pass(?:ed)?|good|ok|✅|✔)[\s*_`~.]*$/iu;
const EXPLAINS =
  /^(?:counts?|number|total|qty|#? ?of (?:findings|issues)|数量|meaning|definition|criteria|sla|response(?: time)?|examples?|说明|件数|anzahl|nombre|cantidad|quantidade)$/i;

interface Row {
  readonly line: number;
  readonly text: string;
  readonly cells: readonly string[];
}

/**
 * The rows of a table that ranks findings, whatever the order of its columns and further ones (R3.5, R3.23): a severity column, or a
 * section that ranks, and a place, words or an id. Tables that count or explain severities give nothing.
 */
export function readTable(context: MarkdownContext, block: Block): Piece {
  const rows = rowsOf(context, block);
  const header = splitRow(rows[0]?.text ?? "", 0).map((cell) => context.document.plain(cell));
  const body = rows.slice(2).map((row) => ({ ...row, cells: splitRow(row.text, header.length) }));
  const columns = assignRoles(
    header,
    body.map(({ cells }) => cells),
  );
  const has = (role: Role): boolean => columns.some((column) => column.role === role);
  const group = has("severity") ? null : context.sections.group(block.from);
  const inherited = group === null ? null : severityOfWord(group.rank.word, context.severityMap);
  const tells = has("location") || ((has("description") || has("id")) && !explains(columns, body));
  if (!has("severity") && inherited === null)
    return has("location") && has("description") ? unranked(context, columns, body) : NOTHING;
  if (!tells) return NOTHING;
  const found: Found[] = [];
  const missed: Unread[] = [];
  for (const row of body) {
    const read = readRow(context, columns, row, inherited);
    if (read === null) continue;
    if ("reason" in read) missed.push(read);
    else found.push(read);
  }
  return { found, unread: missed };
}

/** A legend or a count: `| Severity | Count |`, or each severity once with what it means. */
function explains(columns: readonly Column[], body: readonly Row[]): boolean {
  if (columns.some(({ name }) => EXPLAINS.test(name))) return true;
  const described = columns.findIndex(({ role }) => role === "description");
  const ranks = columns.findIndex(({ role }) => role === "severity");
  const counts =
    body.length > 0 && described !== -1 && body.every(({ cells }) => /^[\s*]*\d*[\s*]*$/.test(cells[described] ?? ""));
  const distinct = new Set(body.map(({ cells }) => (cells[ranks] ?? "").toLowerCase())).size === body.length;
  return counts || (columns.length === 2 && ranks !== -1 && body.length >= 3 && distinct);
}

/** Rows that name a line and a problem, under no rank at all (C20). */
function unranked(context: MarkdownContext, columns: readonly Column[], body: readonly Row[]): Piece {
  const at = columns.findIndex(({ role }) => role === "location");
  const rows = body.filter(({ cells }) => readPlaces(cells[at] ?? "").some(({ span }) => span.line !== null));
  const reason = "This table row names a place and a problem, but no severity.";
  return {
    found: [],
    unread: rows.map(({ line, text }) => unread(context.path, { line: context.offset + line + 1 }, text, reason)),
  };
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

/**
 * Cells of a row. A bar inside backticks splits a cell in GFM, but authors mean it as text: of the two ways to split, the one that
 * gives as many cells as the header has is taken. Escaped bars never split.
 */
export function splitRow(row: string, expected: number): string[] {
  const inner = row.replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  const strict = inner.split(/(?<!\\)\|/).map(cleanCell);
  if (strict.length === expected || !inner.includes("`")) return strict;
  const kept = splitOutsideCode(inner, (character) => character === "|").map(({ text }) => cleanCell(text));
  return expected === 0 || kept.length === expected ? kept : strict;
}

function cleanCell(cell: string): string {
  return cell.replaceAll("\\|", "|").trim();
}

function readRow(
  context: MarkdownContext,
  columns: readonly Column[],
  { line, text, cells }: Row,
  inherited: ReadSeverity | null,
): Found | Unread | null {
  const cell = (role: Role): string => cells[columns.findIndex((column) => column.role === role)] ?? "";
  const severity = inherited ?? readSeverity(cell("severity"), context.severityMap, isFindingTable(columns));
  const subject = cell("description") === "" ? cell("id") : cell("description");
  if (/^\s*~~/.test(cell("severity")) || isVoid(subject) || /^\s*~~/.test(cell("id"))) return null;
  if (severity === null) return rowWithoutRank(context, columns, line, text, cell);
  if (NO_VALUE.test(cell("location")) && NO_VALUE.test(subject)) return null;
  const plain = (role: Role): string | null => context.document.plain(cell(role)) || null;
  const others = columns.flatMap(({ name, role }, index) =>
    role === null && !NO_VALUE.test(cells[index] ?? "")
      ? [[name, context.document.plain(cells[index] ?? "")] as const]
      : [],
  );
  const id = plain("id");
  const told = plain("description");
  return {
    shape: "row",
    line,
    to: line + 1,
    id: id === null || /^#?\d/.test(id) ? idOf(told ?? "") : id,
    number: id === null ? null : (/^#?(\d+(?:\.\d+)*)\.?$/.exec(id)?.[1] ?? null),
    title: (told ?? "").split("\n", 1)[0] ?? "",
    severity,
    inherited: inherited !== null,
    summary: context.sections.topic(line) === "summary",
    body: proseBody(context, {
      line,
      places: placesOf(context, line, cell),
      message: messageOf(told, id, others),
      text,
      more: {
        sourceId: id,
        rule: plain("rule"),
        category: plain("category"),
        fix: plain("fix"),
        extra: { columns: Object.fromEntries(others), location: context.document.plain(cell("location")) },
      },
    }),
  };
}

function rowWithoutRank(
  context: MarkdownContext,
  columns: readonly Column[],
  line: number,
  text: string,
  cell: (role: Role) => string,
): Unread | null {
  const said = cell("severity");
  const places = columns.some(({ role }) => role === "location");
  if (!places || (NO_VALUE.test(said) && (NO_VALUE.test(cell("location")) || said.trim() !== ""))) return null;
  const reason = "This table row has a place, but its severity is no word known here.";
  return unread(context.path, { line: context.offset + line + 1 }, text, reason);
}

function placesOf(context: MarkdownContext, line: number, cell: (role: Role) => string): readonly Spot[] {
  const location = cell("location");
  const lines = /:\d/.test(location) ? [] : onlyLines(cell("line"));
  const places = readPlaces(location);
  const file = places[0]?.path ?? context.sections.file(line)?.path ?? context.reviewed;
  if (lines.length > 0) return lines.map((span) => ({ path: file, span }));
  if (places.length > 0) return places;
  const loose = onlyLines(location.replace(/^\s*(?:lines?|L)\s*/i, ""));
  if (loose.length > 0) return loose.map((span) => ({ path: file, span }));
  const mentioned = mentionsIn(cell("description")).filter(({ span }) => span.line !== null);
  if (mentioned.length > 0 || file === null) return mentioned;
  return [{ path: file, span: { line: null, endLine: null, column: null, endColumn: null } }];
}

/** Without a description the row speaks through its id and its other cells. */
function messageOf(told: string | null, id: string | null, others: readonly (readonly [string, string])[]): string {
  if (told !== null) return told;
  const details = others.map(([name, value]) => `${name}: ${value}`).join(", ");
  if (id === null) return details === "" ? "The row has no description." : details;
  return details === "" ? id : `${id} (${details})`;
}
