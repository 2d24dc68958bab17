import type { ReviewReading } from "../../finding.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { unread } from "../reader.ts";
import type { Document } from "./blocks.ts";
import { parseDocument } from "./blocks.ts";
import { readDeclared, readRevision } from "./declared.ts";
import { readDocument } from "./document.ts";
import { labelsOfLine } from "./fields.ts";
import { lastResort } from "./leftovers.ts";
import type { MarkdownContext } from "./piece.ts";
import { readPlaces } from "./places.ts";
import { sectionsOf } from "./sections.ts";

/** Reviews in markdown or plain text, by people and models. */
export const markdownReader: Reader = {
  format: "markdown",
  title:
    "markdown or text reviews (tables, headings, bullets and lines that rank findings; labels such as Severity and File, also in other languages)",
  read: readMarkdown,
};

// A report of people or models is far below this; a larger text would hold the worker.
const LARGEST = 5_000_000;

function readMarkdown(source: ReviewSource): ReviewReading | null {
  if (source.json !== null) return null;
  const empty = { format: "markdown", claimed: [], unread: [], revision: null };
  if (source.text.length > LARGEST) {
    const reason = "The text is larger than 5 million characters, which is more than is read of a review.";
    return { ...empty, unread: [unread(source.path, { line: 1 }, source.text.slice(0, 400), reason, true)] };
  }
  const context = contextOf(source, source.text, 0);
  const declared = readDeclared(context.document.lines);
  const said = {
    ...empty,
    revision: readRevision(context.document.lines),
    ...(declared === null ? {} : { declared }),
  };
  const piece = readDocument(context);
  if (piece.claimed.length > 0 || piece.unread.length > 0) return { ...said, ...piece };
  const fenced = readFences(source, context);
  if (fenced.claimed.length > 0) return { ...said, ...fenced };
  return { ...said, unread: lastResort(context) };
}

function contextOf(source: ReviewSource, text: string, offset: number): MarkdownContext {
  const document = parseDocument(text);
  const sections = sectionsOf(document);
  const { path, severityMap } = source;
  return { path, document, sections, severityMap, offset, reviewed: reviewedFile(document) };
}

/** The file that a label before the second heading names: `**File:** src/a.ts`. A scope of several files names none. */
function reviewedFile(document: Document): string | null {
  const second = document.blocks.filter(({ kind }) => kind === "heading")[1]?.from ?? 0;
  const paths = new Set<string>();
  for (const line of document.lines.slice(0, Math.min(second, 30))) {
    const labels = labelsOfLine(line);
    if (labels.some(({ label }) => label === "severity")) return null;
    for (const { label, value } of labels)
      if (label === "location") for (const { path } of readPlaces(value)) paths.add(path);
  }
  const [only] = paths;
  return paths.size === 1 && only !== undefined ? only : null;
}

/** Models like to put a whole review into a code fence: read where nothing stands outside of it. */
function readFences(source: ReviewSource, context: MarkdownContext): Pick<ReviewReading, "claimed" | "unread"> {
  const pieces = context.document.blocks
    .filter((block) => block.kind === "code" && /^(?:|md|markdown|text|txt|plaintext)$/i.test(block.text.trim()))
    .map((block) => {
      const fenced = /^\s*(?:```|~~~)/.test(context.document.lines[block.from] ?? "");
      const [from, to] = fenced ? [block.from + 1, block.to - 1] : [block.from, block.to];
      const inner = context.document.lines.slice(from, to).map((line) => (fenced ? line : line.trim()));
      return readDocument(contextOf(source, inner.join("\n"), from));
    });
  return {
    claimed: pieces.flatMap((piece) => piece.claimed),
    unread: pieces.flatMap((piece) => piece.unread),
  };
}
