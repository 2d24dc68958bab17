import type { Claimed, RelatedPlace, ReviewReading, Unread } from "../../finding.ts";
import { NO_SPAN } from "../../finding.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { hasSeverityWord, unread } from "../reader.ts";
import { readCompilerLine } from "./compilerLines.ts";
import { makeSpan } from "./fields.ts";
import type { Draft } from "./tool.ts";
import { finishDraft } from "./tool.ts";

/** What `tsc`, `mypy`, C compilers, flake8 and ruff print: one finding a line, with its notes and code frames. */
export const compilerTextReader: Reader = {
  format: "compiler-text",
  title: "text output of TypeScript, mypy, GCC, Clang, flake8 and Ruff",
  read: readCompilerText,
};

// Written by hand, so that no control character stands in a pattern: the escape, then what a terminal makes of it.
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,20}[A-Za-z]`, "g");
/** Time stamps and marks that build logs put before each line. */
const LOG_PREFIX = /^(?:\d{4}-\d\d-\d\dT[\d:.]{8,20}Z? )?(?:##\[\w+\])?/;
const MARKDOWN = /^(?:#{1,6} \S|```|~~~|\|.*\|\s*$|[-*] \S|> [-*]?\s?\[)/m;
/** Sums, banners of scripts, and what package managers print when a script fails. */
const NOISE =
  /^\s*(?:Found \d+ errors?\b|Success: no issues found|Errors? +Files?\b|\d+ +\S+:\d+$|\d+ (?:warnings?|errors?)(?: and \d+ errors?)? generated|npm (?:ERR!|error|warn)|error Command failed|\s*ELIFECYCLE|info Visit|[$>] |make(?:\[\d+\])?: \*\*\*|In file included from|\S.*: In (?:function|member function|constructor|method)\b|compilation terminated|\[\*\] \d+ fixable|All checks passed|No errors found)/;

interface Entry {
  draft: Draft;
  readonly line: number;
  readonly related: RelatedPlace[];
  readonly more: string[];
  quote: string | null;
}

function readCompilerText(source: ReviewSource): ReviewReading | null {
  if (source.json !== null || MARKDOWN.test(source.text.slice(0, 200_000))) return null;
  const lines = source.text.split(/\r\n|\n|\r/).map((line) => line.replace(COLOUR, "").replace(LOG_PREFIX, ""));
  const entries: Entry[] = [];
  const missed: Unread[] = [];
  let filled = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const read = readCompilerLine(line);
    if (read !== null && !(read.isNote && addNote(entries.at(-1), read.draft))) {
      entries.push({ draft: read.draft, line: index + 1, related: [], more: [], quote: null });
    } else if (read === null && !NOISE.test(line) && !addLine(entries.at(-1), line)) {
      filled += 1;
      if (hasSeverityWord(line))
        missed.push(unread(source.path, { line: index + 1 }, line, "This line of the output was not understood."));
    }
  }
  const isClean =
    entries.length === 0 && filled === 0 && lines.some((line) => line.startsWith("Success: no issues found"));
  // Prose that quotes a compiler once is a review, not its output.
  if (!isClean && (entries.length === 0 || entries.length < filled)) return null;
  const claimed = entries.map((entry): Claimed => finishDraft(whole(entry), `L${entry.line}`, source.severityMap));
  return { format: "compiler-text", claimed, unread: missed, revision: null };
}

/** A note goes with the finding before it; in another file it stands for itself, unless it only names another place of it. */
function addNote(entry: Entry | undefined, note: Draft): boolean {
  if (entry === undefined || (note.tool === "mypy" && note.path !== entry.draft.path)) return false;
  entry.related.push({ path: note.path ?? null, span: note.span ?? NO_SPAN, message: note.message });
  return true;
}

/** A line that belongs to the finding before it: more words, the code, the marks below it, another place. */
function addLine(entry: Entry | undefined, line: string): boolean {
  if (entry === undefined) return false;
  if (/^[\s|\d]*[~^][\s~^]*$/.test(line)) return markColumns(entry, line);
  const frame = /^\s*(\d{1,7})\s?(?:\| ?)?(.*)$/.exec(line);
  if (frame !== null) {
    if (Number(frame[1]) === entry.draft.span?.line) entry.quote ??= frame[2] ?? null;
    return true;
  }
  const place = /^\s+(\S.{0,999}?):(\d{1,9}):(\d{1,9})\s*$/.exec(line);
  if (place !== null) {
    entry.related.push({ path: place[1] ?? null, span: makeSpan(place[2], null, place[3]), message: "" });
    return true;
  }
  if (!/^\s/.test(line)) return false;
  const last = entry.related.at(-1);
  if (last !== undefined && last.message === "") entry.related.splice(-1, 1, { ...last, message: line.trim() });
  else if (entry.draft.tool === "TypeScript") entry.more.push(line.trim());
  return true;
}

/** `~~~` below the code says how far the place reaches. */
function markColumns(entry: Entry, line: string): boolean {
  const { span } = entry.draft;
  const length = /~+/.exec(line)?.[0].length ?? 0;
  const isFirst = entry.related.length === 0 && span?.endColumn === null && span.endLine === null;
  if (entry.draft.tool === "TypeScript" && isFirst && span.column !== null && length > 0)
    entry.draft = { ...entry.draft, span: { ...span, endLine: span.line, endColumn: span.column + length } };
  return true;
}

function whole({ draft, related, more, quote }: Entry): Draft {
  return {
    ...draft,
    message: [draft.message, ...more].join("\n"),
    related,
    quote: quote !== null && quote.trim() !== "" ? quote.trim() : null,
  };
}
