import type { Claimed, Span, Unread } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { BLANK_CLAIM } from "../reader.ts";
import type { Document } from "./blocks.ts";
import type { Sections } from "./sections.ts";
import type { ReadSeverity } from "./severityWords.ts";

/** What the readers of one markdown file share. */
export interface MarkdownContext {
  readonly path: string;
  readonly document: Document;
  readonly sections: Sections;
  readonly severityMap: SeverityMap;
  /** The one file that the report says it reviews; null where it says none, or several. */
  readonly reviewed: string | null;
  /** Lines before the document in its file: not 0 where a fenced part is read on its own. */
  readonly offset: number;
}

/** A place of a finding: a report may give lines without ever naming its file. */
export interface Spot {
  readonly path: string | null;
  readonly span: Span;
}

/** A finding without its rank: that may stand elsewhere in the report. */
export type Unranked = Omit<Claimed, "severity" | "sourceSeverity">;

/** Something that describes a finding: a table row, a section, an item or a line. Several may describe the same one (`merge.ts`). */
export interface Found {
  readonly shape: "row" | "section" | "item" | "line" | "json";
  /** 0-based lines in the document, `to` exclusive. */
  readonly line: number;
  readonly to: number;
  /** `H-1`, `GO-2025-4012`; null where it has none. */
  readonly id: string | null;
  /** A bare number: `3`, `1.2`. It names a finding only beside other likenesses. */
  readonly number: string | null;
  /** Plain text, to compare. */
  readonly title: string;
  readonly severity: ReadSeverity | null;
  /** True where the rank is that of the section around it: a rank of its own wins. */
  readonly inherited: boolean;
  /** True where it stands in a summary, which repeats what is told elsewhere. */
  readonly summary: boolean;
  readonly body: Unranked;
}

/** What the blocks of a document gave. */
export interface Piece {
  readonly found: readonly Found[];
  readonly unread: readonly Unread[];
}

export const NOTHING: Piece = { found: [], unread: [] };

/** What a reader found in prose. `line` is 0-based in the document, `text` the whole raw text of the finding, for the gate. */
export interface ProseClaim {
  readonly line: number;
  readonly places: readonly Spot[];
  readonly message: string;
  readonly text: string;
  readonly more?: Partial<Unranked>;
}

/** A finding written as prose. The first place is its own, the others are related. */
export function proseBody(context: MarkdownContext, found: ProseClaim): Unranked {
  const [place, ...others] = found.places;
  const cwe = new Set(Array.from(found.text.matchAll(/\bCWE[- ](\d{1,5})\b/gi), (match) => `CWE-${Number(match[1])}`));
  return {
    ...BLANK_CLAIM,
    path: place?.path ?? null,
    ...(place === undefined ? {} : { span: place.span }),
    tool: "review",
    message: found.message === "" ? "The review gives no words for this finding." : found.message,
    cwe: [...cwe],
    related: others.map(({ path, span }) => ({ path, span, message: "" })),
    prose: true,
    pointer: `L${context.offset + found.line + 1}`,
    ...found.more,
    extra: { text: found.text, ...found.more?.extra },
  };
}

/** The finding, ranked. */
export function ranked(body: Unranked, { severity, sourceSeverity }: ReadSeverity): Claimed {
  return { ...body, severity, sourceSeverity };
}

/** The more severe of two ranks; the first where they are equal. */
export function worse(first: ReadSeverity | null, second: ReadSeverity | null): ReadSeverity | null {
  if (first === null || second === null) return first ?? second;
  const order = ["P0", "P1", "P2", "Nit"];
  return order.indexOf(second.severity) < order.indexOf(first.severity) ? second : first;
}
