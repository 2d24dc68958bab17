import type { Atom, CheckResult } from "../check.ts";
import type { CheckerClaim, CheckerTool } from "../checkerClaim.ts";
import type { Checkers, CheckerUnknown } from "../checkers.ts";
import type { Finding } from "../finding.ts";
import { findQuote, foldLines, quoteWeight } from "../quoteSearch.ts";
import { type CheckContext, citeLine, result } from "./check.ts";

export const CHECKER = "checker";

/** Everything that must be known before any checker is asked. Lines 1-based; null for a claim about the whole file. */
export interface Ground {
  readonly atom: Atom;
  readonly claim: CheckerClaim;
  readonly tool: CheckerTool;
  /** True where the text speaks of the project's own check without naming a tool. */
  readonly unnamed: boolean;
  readonly file: string;
  readonly line: number | null;
  readonly endLine: number | null;
  readonly lines: readonly string[];
  readonly checkers: Checkers;
  readonly context: CheckContext;
}

/** The ground of a checker claim, or the `unknown` that says what is missing (claims.md, classes 1-6, preconditions). */
export async function groundOf(finding: Finding, atom: Atom, context: CheckContext): Promise<Ground | CheckResult> {
  const unknown = (text: string): CheckResult => result(CHECKER, atom, "unknown", text);
  const { checker: claim } = atom;
  const { checkers } = context;
  if (claim === undefined) return result(CHECKER, atom, "inapplicable", "It names no checker.");
  if (checkers === undefined) return unknown("No checker may be run here.");
  const { place } = finding;
  if (place.file === null || !["exact", "relocated", "file-level"].includes(place.status))
    return unknown("The finding's place is not in this workspace, so no checker can be asked about it.");
  const text = await context.repository.text(place.file);
  if (text === null || text.truncated) return unknown(`${place.file} could not be read whole.`);
  if (finding.quote !== null && quoteWeight(finding.quote) > 0) {
    if (findQuote(foldLines(text.lines), finding.quote, place.line) === null)
      return unknown("The quoted code is nowhere in the file: this may not be the code that was reviewed.");
  }
  const tools =
    claim.tool === null ? await checkers.projectTools(claim.role, place.file, context.signal) : [claim.tool];
  const [tool] = tools;
  if (tool === undefined) return unknown("It is not known which checker the project uses for this file.");
  if (tools.length > 1) return unknown(`The project uses more than one checker for this file: ${tools.join(", ")}.`);
  const { line, endLine, file } = place;
  return { atom, claim, tool, unnamed: claim.tool === null, file, line, endLine, lines: text.lines, checkers, context };
}

/** A result about a ground, with the flagged line cited and every receipt handed on. */
export async function answered(
  ground: Ground,
  verdict: CheckResult["verdict"],
  text: string,
  receipts: CheckerUnknown["receipts"],
): Promise<CheckResult> {
  const { atom, context, file, line } = ground;
  for (const receipt of receipts) context.receipt(receipt);
  const cited = line === null || verdict === "unknown" ? null : await citeLine(file, line, context);
  const ids = receipts.map(({ id }) => id);
  return result(CHECKER, atom, verdict, context.mask(text), cited === null ? [] : [cited], ids);
}

/** What could not be found out, with the line to accept where one would help. */
export async function notAnswered(ground: Ground, answer: CheckerUnknown): Promise<CheckResult> {
  const { proposal } = answer;
  const offer = proposal === null ? "" : ` To settle it, accept this line: ${proposal.line}`;
  const told = await answered(ground, "unknown", `${answer.why}${offer}`, answer.receipts);
  return proposal === null ? told : { ...told, proposal };
}
