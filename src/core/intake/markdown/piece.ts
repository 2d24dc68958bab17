import type { Claimed, Unread } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { BLANK_CLAIM } from "../reader.ts";
import type { Document } from "./blocks.ts";
import type { NamedPlace } from "./places.ts";
import type { ReadSeverity } from "./severityWords.ts";

/** What the readers of one markdown file share. */
export interface MarkdownContext {
  readonly path: string;
  readonly document: Document;
  readonly severityMap: SeverityMap;
  /** Lines before the document in its file: not 0 where a fenced part is read on its own. */
  readonly offset: number;
}

/** What one block gave. */
export interface Piece {
  readonly claimed: readonly Claimed[];
  readonly unread: readonly Unread[];
}

export const NOTHING: Piece = { claimed: [], unread: [] };

/** What a reader found in prose. `line` is 0-based in the document, `text` the whole raw text of the finding, for the gate. */
export interface ProseClaim {
  readonly line: number;
  readonly severity: ReadSeverity;
  readonly places: readonly NamedPlace[];
  readonly message: string;
  readonly text: string;
  readonly more?: Partial<Claimed>;
}

/** A finding written as prose. The first place is its own, the others are related. */
export function proseClaim(context: MarkdownContext, found: ProseClaim): Claimed {
  const [place, ...others] = found.places;
  const cwe = new Set(Array.from(found.text.matchAll(/\bCWE-(\d{1,5})\b/gi), (match) => `CWE-${Number(match[1])}`));
  return {
    ...BLANK_CLAIM,
    path: place?.path ?? null,
    ...(place === undefined ? {} : { span: place.span }),
    severity: found.severity.severity,
    sourceSeverity: found.severity.sourceSeverity,
    tool: "review",
    message: found.message,
    cwe: [...cwe],
    related: others.map(({ path, span }) => ({ path, span, message: "" })),
    prose: true,
    pointer: `L${context.offset + found.line + 1}`,
    ...found.more,
    extra: { text: found.text, ...found.more?.extra },
  };
}
