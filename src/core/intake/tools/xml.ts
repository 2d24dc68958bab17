import { SaxesParser } from "saxes";
import type { ReviewReading, Unread } from "../../finding.ts";
import { unread } from "../reader.ts";
import type { Draft, ToolContext } from "./tool.ts";
import { finishDraft, notRead } from "./tool.ts";

/** An element as it opens: its name, its attributes, and the 1-based line on which its name stands. */
export interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

/** What a reader of one XML format is told, in the order of the document. `text` is all text directly inside the element. */
export interface ElementHandler {
  readonly open: (element: OpenElement) => void;
  readonly close: (element: OpenElement, text: string) => void;
}

/** Where an XML report is not well-formed. `isCut` says that entries may be missing because of it. */
export interface XmlProblem {
  readonly line: number;
  readonly words: string;
  readonly isCut: boolean;
}

/** Matches a text whose root element has one of the names, behind declarations, comments and a document type. */
export function rootPattern(names: string): RegExp {
  const prolog = String.raw`(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^>[\]]|\[[^\]]*\])*>|\s)*`;
  return new RegExp(`^${prolog}<(?:${names})[\\s>/]`, "i");
}

// Deeper nesting is no report.
const DEEPEST = 200;

/**
 * Walks an XML text and goes on after errors, so that what stands before and behind broken parts is read. Entities of a document type
 * are not expanded and nothing outside the text is fetched. Answers the first error, null where there is none.
 */
export function walkXml(text: string, handler: ElementHandler): XmlProblem | null {
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  const opened: { readonly element: OpenElement; text: string }[] = [];
  const problems: XmlProblem[] = [];
  let startLine = 1;
  parser.on("error", (error) => {
    const words = error.message.replace(/^\d+:\d+: /, "").slice(0, 120);
    const isCut = !/disallowed character|entity|whitespace|xml declaration|encoding/i.test(words);
    if (problems.length === 0 || (isCut && problems[0]?.isCut !== true)) {
      problems.length = 0;
      problems.push({ line: parser.line, words, isCut });
    }
  });
  parser.on("opentagstart", () => {
    startLine = parser.line;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, line: startLine };
    if (opened.length < DEEPEST) handler.open(element);
    opened.push({ element, text: "" });
  });
  const addText = (more: string): void => {
    const last = opened.at(-1);
    if (last !== undefined && opened.length <= DEEPEST) last.text += more;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = opened.pop();
    if (closed !== undefined && opened.length < DEEPEST) handler.close(closed.element, closed.text);
  });
  parser.write(text).close();
  return problems[0] ?? null;
}

/** What a reader of XML puts together. Two entries on one line get pointers of their own: `L3`, `L3#2`. */
export interface XmlCollector {
  readonly add: (draft: Draft, line: number) => void;
  readonly miss: (text: string, line: number, reason: string) => void;
  readonly reading: (format: string, problem: XmlProblem | null) => ReviewReading;
}

/** Collects what one XML report holds. */
export function createCollector({ path, severityMap }: ToolContext): XmlCollector {
  const claimed: ReviewReading["claimed"][number][] = [];
  const missed: Unread[] = [];
  let lastLine = 0;
  let onLine = 0;
  const pointerOf = (line: number): string => {
    onLine = line === lastLine ? onLine + 1 : 1;
    lastLine = line;
    return onLine === 1 ? `L${line}` : `L${line}#${onLine}`;
  };
  return {
    add: (draft, line) => claimed.push(finishDraft(draft, pointerOf(line), severityMap)),
    miss: (text, line, reason) => missed.push(notRead(path, { pointer: pointerOf(line), line }, text, reason)),
    reading(format, problem) {
      if (problem !== null) missed.push(problemRow(path, problem));
      return { format, claimed, unread: missed, revision: null };
    },
  };
}

function problemRow(path: string, { line, words, isCut }: XmlProblem): Unread {
  const reason = isCut
    ? "The XML is broken here, so entries may be missing; the rest was read."
    : "The XML is not quite well-formed here; everything else was read.";
  return { ...unread(path, { line }, words, reason), severityWord: isCut };
}
