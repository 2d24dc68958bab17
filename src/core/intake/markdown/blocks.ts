import MarkdownIt from "markdown-it";

/** A block of a markdown document: `from` inclusive, `to` exclusive, both 0-based lines. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "item" | "table" | "code";
  readonly from: number;
  readonly to: number;
  /** Level of a heading (1-6), depth of a list item (1 is outermost), else 0. */
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
  const tokens = markdown.parse(text, {});
  const blocks: Block[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "list_item_open") depth += 1;
    if (token.type === "list_item_close") depth -= 1;
    const kind = KINDS.get(token.type);
    if (kind === undefined || token.map === null) continue;
    const [from, to] = token.map;
    const heading = kind === "heading";
    const level = heading ? Number(token.tag.slice(1)) : kind === "item" ? depth : 0;
    blocks.push({ kind, from, to, level, text: heading ? (tokens[index + 1]?.content ?? "") : token.info });
  }
  return { lines: text.split(/\r\n|\n|\r/), blocks, plain: (inline) => plainText(markdown, inline) };
}

function plainText(markdown: InstanceType<typeof MarkdownIt>, inline: string): string {
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
