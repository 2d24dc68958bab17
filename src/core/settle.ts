import type { Claimed, Place, Span } from "./finding.ts";
import { NO_SPAN } from "./finding.ts";
import { isObject } from "./intake/json.ts";
import { spanOfOffsets, toUtf16Columns } from "./offsets.ts";
import type { SourceText } from "./ports.ts";
import type { FoldedText } from "./quoteSearch.ts";
import { findQuote, foldLines, hidesSecret, quoteWeight } from "./quoteSearch.ts";
import { findSymbol, softQuotes, symbolsOf } from "./symbols.ts";

/** A text held open while claims are placed in it; `folded` is made once, when a quote is searched. */
export interface OpenText {
  readonly lines: SourceText["lines"];
  readonly source: SourceText;
  readonly folded: () => FoldedText;
}

/** Opens a text. */
export function openText(source: SourceText): OpenText {
  let folded: FoldedText | null = null;
  return { source, lines: source.lines, folded: () => (folded ??= foldLines(source.lines)) };
}

/** Where in its file a claim stands; `cited` is the source's span in lines and UTF-16 columns. */
export interface Settled {
  readonly status: Place["status"];
  readonly span: Span;
  readonly note: string | null;
  readonly cited: Span;
  /** True where the quoted code is nowhere in the whole text: it may stand on the other side of a change. */
  readonly quoteAbsent?: boolean;
}

// Letters and digits a quote needs before it is worth looking for elsewhere: "}" stands everywhere.
const ENOUGH_TO_SEARCH = 4;

/** Holds the cited lines and the quoted code against the text (claim classes 7 and 9): relocates, never refutes. */
export function settle(claimed: Claimed, text: OpenText): Settled {
  const cited = citedSpan(claimed, text);
  const inFile = cited.line !== null && cited.line <= text.lines.length;
  const quote = claimed.quote;
  if (quote !== null && quoteWeight(quote) > 0 && !hidesSecret(quote)) {
    return settleQuote(cited, inFile, quote, text, claimed);
  }
  if (inFile) return settleLine(claimed, cited, text);
  if (cited.line === null && isObject(claimed.extra["offsets"])) {
    return {
      status: "out-of-range",
      span: NO_SPAN,
      note: "The source cites an offset outside the text of this file.",
      cited,
    };
  }
  if (cited.line === null) return { status: "file-level", span: NO_SPAN, note: null, cited };
  return bySymbol(claimed, cited, text);
}

function citedSpan(claimed: Claimed, text: OpenText): Span {
  const offsets = claimed.extra["offsets"];
  if (claimed.span.line === null && offsets !== undefined) return spanOfOffsets(text.source, offsets) ?? claimed.span;
  const kind = claimed.extra["columnKind"];
  if (kind === "unicodeCodePoints" || kind === "utf8") return toUtf16Columns(claimed.span, text.lines, kind);
  return claimed.span;
}

function settleQuote(cited: Span, inFile: boolean, quote: string, text: OpenText, claimed: Claimed): Settled {
  const found = findQuote(text.folded(), quote, cited.line);
  if (
    found !== null &&
    cited.line !== null &&
    found.line <= (cited.endLine ?? cited.line) &&
    found.endLine >= cited.line
  ) {
    return { status: "exact", span: clampEnd(cited, text), note: null, cited };
  }
  if (found !== null && (quoteWeight(quote) >= ENOUGH_TO_SEARCH || !inFile)) {
    const span: Span = { line: found.line, endLine: found.endLine, column: null, endColumn: null };
    const said = cited.line === null ? "gives no line" : `cites line ${cited.line}`;
    return {
      status: "relocated",
      span,
      note: `The source ${said}; the quoted code stands at line ${found.line}.`,
      cited,
    };
  }
  if (!inFile) return cited.line === null ? unquoted(NO_SPAN, cited, text) : bySymbol(claimed, cited, text);
  return quoteWeight(quote) >= ENOUGH_TO_SEARCH
    ? unquoted(clampEnd(cited, text), cited, text)
    : { status: "exact", span: clampEnd(cited, text), note: null, cited };
}

/** The line exists but not the code said to stand there: shown, yet never as exact. */
function unquoted(span: Span, cited: Span, text: OpenText): Settled {
  const status = span.line === null ? "file-level" : "relocated";
  const note = `The quoted code is nowhere in ${partRead(text)}.`;
  return { status, span, note, cited, quoteAbsent: !text.source.truncated };
}

/** A cited line that exists stands, unless the first code the prose names is elsewhere, once, and nothing it names is near the line. */
function settleLine(claimed: Claimed, cited: Span, text: OpenText): Settled {
  const exact: Settled = { status: "exact", span: clampEnd(cited, text), note: null, cited };
  const line = cited.line ?? 1;
  const quotes = softQuotes(claimed);
  const [first] = quotes;
  if (first === undefined || quoteWeight(first) < 8) return exact;
  const window = foldLines(text.lines.slice(Math.max(0, line - 4), (cited.endLine ?? line) + 3));
  if (quotes.some((quote) => findQuote(window, quote, null) !== null)) return exact;
  if (findSymbol(text.lines.slice(line - 1, cited.endLine ?? line), symbolsOf(claimed)) !== null) return exact;
  const found = findQuote(text.folded(), first, 1);
  const last = findQuote(text.folded(), first, text.lines.length);
  if (found === null || found.line !== last?.line) return exact;
  const note = `The source cites line ${line}; the code it names stands at line ${found.line}.`;
  return { status: "relocated", span: { ...NO_SPAN, line: found.line, endLine: found.endLine }, note, cited };
}

/** The line is past the end: the names the claim speaks about are looked for, unless the end of the file was not even read. */
function bySymbol(claimed: Claimed, cited: Span, text: OpenText): Settled {
  const { truncated } = text.source;
  const note = `The source cites line ${cited.line}; ${truncated ? "" : "this file has "}${countOf(text)}.`;
  const found = truncated ? null : findSymbol(text.lines, symbolsOf(claimed));
  if (found === null) return { status: "out-of-range", span: cited, note, cited };
  const span: Span = { ...NO_SPAN, line: found.line };
  return { status: "relocated", span, note: `${note} \`${found.symbol}\` stands at line ${found.line}.`, cited };
}

function countOf(text: OpenText): string {
  const lines = text.lines.length === 1 ? "1 line" : `${text.lines.length} lines`;
  return text.source.truncated ? `only the first ${lines} were read` : lines;
}

function partRead(text: OpenText): string {
  return text.source.truncated
    ? `the first ${text.lines.length} lines of this file, which is too large to read on`
    : "this file";
}

function clampEnd(span: Span, text: OpenText): Span {
  if (span.endLine === null || span.endLine <= text.lines.length) return span;
  return { ...span, endLine: text.lines.length, endColumn: null };
}
