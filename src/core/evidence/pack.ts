import type { Lines } from "../code/structure.ts";

/** What a stretch of code is to the finding, from the most telling to the least; the order in which a budget is spent. */
export const PIECE_KINDS = [
  "flagged",
  "function",
  "value",
  "definition",
  "callee",
  "caller",
  "loader",
  "configuration",
  "file",
  "mark",
  "test",
  "similar",
] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

/** A stretch of the workspace that bears on a finding: 1-based inclusive lines, and why it is shown. */
export interface Stretch extends Lines {
  readonly kind: PieceKind;
  /** Workspace-relative. */
  readonly file: string;
  /** A few words for a person and for a model: `defines MAX_ITEMS`. */
  readonly why: string;
}

/** A stretch as the program read it, secrets masked. Two that overlap are one, with both reasons. */
export interface Piece extends Stretch {
  readonly text: readonly string[];
  readonly tokens: number;
}

/** Something that has to have been looked at before the claim may be called wrong. */
export interface Duty {
  readonly id: "place" | "function" | "callers" | "callees" | "values" | "whole-file" | "checker";
  readonly met: boolean;
  /** One sentence for a person: what was looked at, or why it could not be. */
  readonly text: string;
}

/** The lines that decide a finding, as far as the program can find them without a model (design, section 5). */
export interface Pack {
  /** Grouped by file, in the order in which they tell most. */
  readonly pieces: readonly Piece[];
  /** Sum of the pieces. */
  readonly tokens: number;
  /** What the budget left out, in words. */
  readonly cut: readonly string[];
  readonly duties: readonly Duty[];
}

export const EMPTY_PACK: Pack = { pieces: [], tokens: 0, cut: [], duties: [] };

/** Tokens of some lines, on the safe side: three characters each, and one for each line's number. */
export function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Math.ceil((line.length + 1) / 3) + 1, 0);
}
