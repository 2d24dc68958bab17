import type { Span } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, isObject } from "../json.ts";

/** A position from 1 as a number or as digits; null for anything else (0 and -1 are how tools say "none"). */
export function positive(value: unknown): number | null {
  const number = typeof value === "string" && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 1 ? number : null;
}

/** A 0-based position as 1-based; null where there is none. */
export function fromZero(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value + 1 : null;
}

/** A span of 1-based positions, columns end-exclusive. A reversed range is turned round; without a line there is no place. */
export function makeSpan(line: unknown, endLine?: unknown, column?: unknown, endColumn?: unknown): Span {
  const [from, to] = [positive(line), positive(endLine)];
  if (from === null) return NO_SPAN;
  if (to !== null && to < from) return { line: to, endLine: from, column: null, endColumn: null };
  const [start, end] = [positive(column), positive(endColumn)];
  const sameLine = to === null || to === from;
  if (sameLine && start !== null && end !== null && end < start)
    return { line: from, endLine: to, column: end, endColumn: start };
  return { line: from, endLine: to, column: start, endColumn: end };
}

// How sure a tool calls itself, on our scale from 0 to 100. The tool's own word stays in `extra`.
const CONFIDENCE_WORDS: ReadonlyMap<string, number> = new Map([
  ["certain", 95],
  ["confirmed", 95],
  ["veryhigh", 95],
  ["high", 90],
  ["firm", 75],
  ["medium", 60],
  ["moderate", 60],
  ["tentative", 40],
  ["weak", 30],
  ["low", 30],
  ["experimental", 20],
  ["verylow", 10],
]);

/** The source's confidence as 0-100: a share up to 1, a number up to 100, "85%", or a word; null where it says none. */
export function confidenceOf(value: unknown): number | null {
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value < 0 || value > 100) return null;
    return value <= 1 ? Math.round(value * 1000) / 10 : value;
  }
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text);
  if (percent !== null) return Number(percent[1]) <= 100 ? Number(percent[1]) : null;
  if (/^\d{1,3}(?:\.\d+)?$/.test(text)) return confidenceOf(Number(text));
  return CONFIDENCE_WORDS.get(text.replace(/[^a-z]/g, "")) ?? null;
}

/** CWE numbers in texts, numbers, lists and `{id}` objects, as `CWE-89`, each once. */
export function cweOf(...values: readonly unknown[]): string[] {
  const found = new Set<string>();
  const look = (value: unknown, depth: number): void => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) found.add(`CWE-${value}`);
    else if (typeof value === "string") {
      if (/^\s*\d{1,5}\s*$/.test(value) && Number(value) > 0) found.add(`CWE-${Number(value)}`);
      for (const match of value.slice(0, 2000).matchAll(/\bcwe[-_:/ ]{0,2}(\d{1,5})\b/gi))
        found.add(`CWE-${Number(match[1])}`);
    } else if (depth < 3 && Array.isArray(value)) for (const each of value) look(each, depth + 1);
    else if (depth < 3 && isObject(value)) look(at(value, "id") ?? at(value, "value") ?? at(value, "name"), depth + 1);
  };
  for (const value of values) look(value, 0);
  return [...found];
}

// Members of `extra` that later stages understand; a source's own member of that name must not pass for ours.
const OURS: ReadonlySet<string> = new Set([
  "level",
  "tags",
  "symbol",
  "offsets",
  "columnKind",
  "absolutePath",
  "text",
  "reader",
  "properties",
]);

/** What a source says beyond the members that were read: into `extra`, nothing empty. Names of ours go below `properties`. */
export function restOf(value: JsonObject, read: readonly string[]): Record<string, unknown> {
  const own: [string, unknown][] = [];
  const held: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (read.includes(name) || isEmpty(member)) continue;
    (OURS.has(name) ? held : own).push([name, member]);
  }
  return Object.fromEntries(held.length === 0 ? own : [...own, ["properties", Object.fromEntries(held)]]);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Members that are there: null, undefined and empty ones are left out. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => !isEmpty(member)));
}

/** The lines of a quoted snippet whose rows are numbered (`12: code` or `12 code`), from `line` to `endLine`; null where none is. */
export function numberedLines(code: string | null, line: number | null, endLine: number | null): string | null {
  if (code === null || line === null) return null;
  const rows: string[] = [];
  for (const row of code.split(/\r?\n/)) {
    const found = /^\s{0,6}(\d{1,7})(?::? |:?$)(.*)$/.exec(row);
    const number = Number(found?.[1]);
    if (found !== null && number >= line && number <= (endLine ?? line)) rows.push(found[2] ?? "");
  }
  const quoted = rows.join("\n");
  return quoted.trim() === "" ? null : quoted;
}

/** The first non-blank of several texts. */
export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) if (typeof value === "string" && value.trim() !== "") return value.trim();
  return null;
}

/** A number or a text as text; null for anything else. */
export function scalarText(value: unknown): string | null {
  return typeof value === "number" || typeof value === "string" ? String(value) : null;
}
