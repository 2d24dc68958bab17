import MarkdownIt from "markdown-it";
import { labelOf } from "./labels.ts";
import { groupRank, idOf, numberOf, rankOfHeading } from "./rank.ts";
import { onlyTableLines } from "./tableRule.ts";

/** A block of a markdown document: `from` inclusive, `to` exclusive, both 0-based lines. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "item" | "table" | "code";
  readonly from: number;
  readonly to: number;
  /** Level of a heading (1-6, and 7 for a bold line that serves as one), depth of a list item (1 is outermost) or in lists, else 0. */
  readonly level: number;
  /** Text of a heading; language of a code block; else empty. */
  readonly text: string;
}

/** A markdown document as its readers see it. */
export interface Document {
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
  /** Inline markdown as plain text: no emphasis, links reduced to their words, code kept in backticks. */
  readonly plain: (markdown: string) => string;
}

const KINDS: ReadonlyMap<string, Block["kind"]> = new Map([
  ["heading_open", "heading"],
  ["paragraph_open", "paragraph"],
  ["list_item_open", "item"],
  ["table_open", "table"],
  ["fence", "code"],
  ["code_block", "code"],
]);

/** Parses markdown into blocks with their lines. HTML is text here, never markup. */
export function parseDocument(text: string): Document {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const lines = text.split(/\r\n|\n|\r/);
  return { lines, blocks: blocksOf(text, lines), plain: (inline) => plainText(markdown, inline) };
}

function blocksOf(text: string, lines: readonly string[]): Block[] {
  const structure = new MarkdownIt({ html: false, linkify: false });
  // Inline markup is read where it is needed: most of a report is never shown.
  structure.core.ruler.enableOnly(["normalize", "block"]);
  onlyTableLines(structure);
  const tokens = structure.parse(text, {});
  const blocks: Block[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "list_item_open") depth += 1;
    if (token.type === "list_item_close") depth -= 1;
    const kind = KINDS.get(token.type);
    if (kind === undefined || token.map === null) continue;
    const [from, to] = token.map;
    if (kind === "heading") {
      blocks.push({ kind, from, to, level: Number(token.tag.slice(1)), text: tokens[index + 1]?.content ?? "" });
    } else if (kind === "paragraph" && depth === 0) blocks.push(...paragraphs(lines, from, to));
    else blocks.push({ kind, from, to, level: depth, text: token.info });
  }
  return blocks;
}

/** A paragraph, with a bold first line that titles or ranks what follows taken as the heading it serves as. */
function paragraphs(lines: readonly string[], from: number, to: number): Block[] {
  const title = titleLine((lines[from] ?? "").slice(0, 300), to - from === 1);
  const whole: Block = { kind: "paragraph", from, to, level: 0, text: "" };
  if (title === null) return [whole];
  const heading: Block = { kind: "heading", from, to: from + 1, level: 7, text: title };
  return to - from === 1 ? [heading] : [heading, { ...whole, from: from + 1 }];
}

function titleLine(line: string, isAlone: boolean): string | null {
  const bold =
    /^[\s>]*(?:[^\p{L}\p{N}*_\s]{1,4}\s)?(?:\*\*|__)([^*]{1,240}(?:\*[^*]{1,60}\*[^*]{0,60})?)(?:\*\*|__)(\s*[(（[][^()（）]{1,40}[)）\]]|\s*[—–-]\s*\*\*[^*]{1,30}\*\*)?\s*[:：]?\s*$/u.exec(
      line,
    );
  const text =
    bold === null
      ? /^[\s>]*([^\s*_`|>-][^`|]{0,60})[:：]\s*$/u.exec(line)?.[1]
      : `${bold[1] ?? ""}${bold[2] ?? ""}`.replace(/[:：]\s*$/, "");
  // "**Severity: High**" is a label of what stands around it.
  if (text === undefined || (/[:：]\s*\S/.test(text) && labelOf(text.split(/[:：]/, 1)[0] ?? "") !== null)) return null;
  if (groupRank(text) !== null) return isAlone || bold !== null ? text : null;
  if (bold === null || labelOf(text) !== null) return null;
  return rankOfHeading(text) !== null || idOf(text) !== null || numberOf(text) !== null ? text : null;
}

/** One line in which no character but code in single backticks means anything: its plain text is the line itself. */
const ALREADY_PLAIN = /^(?:[^\r\n\0`*_~[\]<&\\]|`[^\s`\0](?:[^\r\n\0`]*[^\s`\0])?`(?!`))*$/;

function plainText(markdown: InstanceType<typeof MarkdownIt>, inline: string): string {
  if (ALREADY_PLAIN.test(inline)) return inline.trim();
  const [token] = markdown.parseInline(inline.replace(/<br\s*\/?>/gi, "\n"), {});
  const parts = (token?.children ?? []).map((child) => {
    if (child.type === "code_inline") return `\`${child.content}\``;
    if (child.type === "softbreak" || child.type === "hardbreak") return "\n";
    return child.content;
  });
  return parts.join("").trim();
}

/** A line without the marks of quotes, list items and headings before it. */
export function withoutMarker(line: string): string {
  return line.replace(/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)?(?:\[[ xX]\]\s+)?/, "");
}
