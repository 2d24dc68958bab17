import type { ReviewReading } from "../finding.ts";
import type { SeverityMap } from "../severity.ts";
import { markdownReader } from "./markdown/read.ts";
import type { Reader, ReviewSource } from "./reader.ts";
import { unread } from "./reader.ts";
import { repairJson } from "./repairJson.ts";
import { sarifReader } from "./sarif/read.ts";
import { checkstyleReader } from "./tools/checkstyle.ts";
import { compilerTextReader } from "./tools/compilerText.ts";
import { junitReader } from "./tools/junit.ts";
import { jsonLinesReader, toolReader } from "./tools/toolReader.ts";

/** In the order they are asked; the last one takes any text. A new format is one more file and one more entry. */
const READERS: readonly Reader[] = [
  sarifReader,
  toolReader,
  checkstyleReader,
  junitReader,
  jsonLinesReader,
  compilerTextReader,
  markdownReader,
];

const READ_HERE = `Read are ${READERS.map(({ title }) => title).join("; ")}.`;

/**
 * Reads a review file's text. The reader is chosen by content, never by name; `path` only names the file in what was not read. Never
 * throws: what cannot be understood is in `unread`, and a file of no known format is `none` with one row that says what is read (C20).
 */
export function readReview(
  text: string,
  path: string,
  options: { readonly severityMap?: SeverityMap } = {},
): ReviewReading {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const start = plain.slice(0, 2000).trimStart();
  if (plain.trim() === "") return notRead(path, plain, `The file is empty. ${READ_HERE}`);
  if (plain.slice(0, 2000).includes("\0")) return notRead(path, "", `The file is not text. ${READ_HERE}`);
  const parsed = looksLikeJson(start) ? parseJson(plain) : null;
  const json = parsed?.kind === "value" ? { value: parsed.value } : null;
  const source = { path, text: plain, json, severityMap: options.severityMap ?? {} };
  if (parsed?.kind === "broken") {
    // JSON lines are no JSON document either.
    return (
      readSafely(jsonLinesReader, source) ??
      readRepaired(source) ??
      notRead(path, plain, `The file is not valid JSON (${parsed.problem}). ${READ_HERE}`)
    );
  }
  const isOtherXml = /^<(?:\?xml|!DOCTYPE (?!html)|(?:pmd|BugCollection|issues|results)\b)/i.test(start);
  return askReaders(source, isOtherXml);
}

/** What models write by a slip, and what a killed build left behind: read as far as it is whole, and said to be so. */
function readRepaired(source: ReviewSource): ReviewReading | null {
  const repaired = repairJson(source.text);
  if (repaired === null) return null;
  const reading = askReaders({ ...source, json: { value: repaired.value } }, false);
  if (reading.format === "none") return null;
  const row = unread(source.path, { line: repaired.line }, "", repaired.problem, repaired.isCut);
  return { ...reading, unread: [...reading.unread, row] };
}

function askReaders(source: ReviewSource, isOtherXml: boolean): ReviewReading {
  for (const reader of READERS) {
    // Markdown takes any text, and would make lines of a report in XML out of it.
    if (reader === markdownReader && isOtherXml) return notRead(source.path, source.text, OTHER_XML);
    const reading = readSafely(reader, source);
    if (reading !== null) return reading;
  }
  const isEmptyList = Array.isArray(source.json?.value) && source.json.value.length === 0;
  const reason = isEmptyList
    ? "The list is empty: it holds no findings."
    : `This is no format known here. ${READ_HERE}`;
  return notRead(source.path, source.text, reason);
}

const OTHER_XML = `XML of this kind is not read. ${READ_HERE}`;

/** The one catch of intake: a document built to exhaust the stack or a bug in a reader must not take the other files down. */
function readSafely(reader: Reader, source: ReviewSource): ReviewReading | null {
  try {
    return reader.read(source);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const row = unread(
      source.path,
      {},
      source.text.slice(0, 400),
      `The ${reader.title} reader failed: ${problem}`,
      true,
    );
    return { format: "none", claimed: [], unread: [row], revision: null };
  }
}

function notRead(path: string, text: string, reason: string): ReviewReading {
  return { format: "none", claimed: [], unread: [unread(path, { line: 1 }, text, reason)], revision: null };
}

/** `[text](link)`, `[P1] a.ts:3` and `{` in prose are no JSON. */
function looksLikeJson(start: string): boolean {
  return /^(?:\{\s*(?:"|\}|$)|\[\s*(?:[{["\]]|$|-?\d+\s*,))/.test(start);
}

function parseJson(text: string): { kind: "value"; value: unknown } | { kind: "broken"; problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "value", value };
  } catch (error) {
    return { kind: "broken", problem: error instanceof Error ? error.message.slice(0, 160) : "unreadable" };
  }
}
