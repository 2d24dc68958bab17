import type { CheckerTool } from "../checkerClaim.ts";
import { checkCitations } from "../citation.ts";
import { discountIdle } from "../contrary.ts";
import type { Duty } from "../evidence/pack.ts";
import type { Finding } from "../finding.ts";
import type { Mask, Repository } from "../ports.ts";
import type { CheckedCitation, Citation } from "../round.ts";
import { statesCheckerOutput } from "../statedChecks.ts";

/** What the program itself has done for a claim before anyone answered. */
export interface Footing {
  readonly duties: readonly Duty[];
  /** Checkers whose answer about this very claim the reviewer was given (C10). */
  readonly ran: readonly CheckerTool[];
}

export const NO_FOOTING: Footing = { duties: [], ran: [] };

/** What an answer is held against. */
export interface Ground {
  readonly repository: Repository;
  readonly mask: Mask;
  readonly footing: Footing;
  /** The finding that is judged: its own file may be prose, and the review it is from is no evidence. */
  readonly about?: Pick<Finding, "place" | "source"> | undefined;
}

/** What is left to look at before the claim may be called wrong; null where nothing is. */
export function unlooked(duties: readonly Duty[]): string | null {
  const open = duties.filter(({ met }) => !met);
  return open.length === 0 ? null : open.map(({ text }) => text).join(" ");
}

/** Why an answer that rests on a checker's report cannot count, where that checker did not run (R2.7); null where it can. */
export function madeUpReport(text: string, { ran }: Footing): string | null {
  const stated = statesCheckerOutput(text, ran);
  return stated === null ? null : `it rests on what a checker reports (“${stated}”), and that was not run`;
}

/** Citations, re-read; against the claim comments, prose and lines that stand everywhere carry nothing (R0.38, C8). */
export async function reread(
  citations: readonly Citation[],
  against: boolean,
  { repository, mask, about }: Ground,
): Promise<CheckedCitation[]> {
  const checked = await checkCitations(citations, repository, mask);
  return against ? await discountIdle(checked, about, repository) : checked;
}

/** Longest crux, attack or scenario kept, and longest reasoning, in characters; what is cut is marked with an ellipsis. */
export const MOST_CRUX = 600;
export const MOST_REASONING = 8000;

/** A text cut to a length, with an ellipsis where something was left out. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
