import type { Atom, CheckResult, CheckVerdict, Receipt } from "../check.ts";
import type { Checkers } from "../checkers.ts";
import { checkCitation, isQuotable } from "../citation.ts";
import type { Finding } from "../finding.ts";
import type { AskLanguage } from "../language.ts";
import type { Mask, Repository, Structures, Verbs } from "../ports.ts";
import type { CheckedCitation } from "../round.ts";

/** What a check works with. `receipt` hands a run's record to whoever shows and keeps receipts. */
export interface CheckContext {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly verbs: Verbs;
  /** Left out where no checker may be run. */
  readonly checkers?: Checkers | undefined;
  readonly mask: Mask;
  readonly signal: AbortSignal;
  readonly receipt: (receipt: Receipt) => void;
  /** True where the workspace is shown to be the tree that this finding's review speaks of (ruling 8); left out: not shown. */
  readonly reviewedTree?: ((finding: Finding) => boolean) | undefined;
  /** The findings of the finding's file that nobody has dismissed; left out: none known. */
  readonly sameFile?: ((finding: Finding) => readonly Finding[]) | undefined;
  /** The editor's language servers; absent where there are none. */
  readonly language?: AskLanguage | undefined;
}

/** One deterministic check: looks at one atom of a finding and says only what its evidence entails. */
export type Check = (finding: Finding, atom: Atom, context: CheckContext) => Promise<CheckResult>;

/** A second look for what the first leaves unknown; where it says no more, the first one's words stand with both receipts. */
export function orElse(first: Check, second: Check): Check {
  return async (finding, atom, context) => {
    const plain = await first(finding, atom, context);
    if (plain.verdict !== "unknown" || context.language === undefined) return plain;
    const more = await second(finding, atom, context);
    const told = more.verdict === "unknown" ? plain : more;
    return { ...told, receipts: [...new Set([...plain.receipts, ...more.receipts])] };
  };
}

/** Shorthand for a result about an atom. */
export function result(
  check: string,
  atom: Atom | null,
  verdict: CheckVerdict,
  text: string,
  citations: readonly CheckedCitation[] = [],
  receipts: readonly string[] = [],
): CheckResult {
  return { check, atom, verdict, text, citations, receipts };
}

/** Cites one line of the workspace by reading it; null where it cannot be read or holds nothing to quote. */
export async function citeLine(
  file: string,
  line: number,
  context: Pick<CheckContext, "repository" | "mask">,
): Promise<CheckedCitation | null> {
  const text = await context.repository.text(file);
  const quote = text?.lines[line - 1]?.trim();
  if (quote === undefined || quote === "") return null;
  const checked = await checkCitation({ file, line, endLine: line, quote }, context.repository, context.mask);
  return checked.ok ? checked : null;
}

/** Cites several lines, leaving out what cannot be read. */
export async function citeLines(
  places: readonly { readonly file: string; readonly line: number }[],
  context: Pick<CheckContext, "repository" | "mask">,
): Promise<CheckedCitation[]> {
  const cited = await Promise.all(places.map((place) => citeLine(place.file, place.line, context)));
  return cited.filter((citation) => citation !== null);
}

/** Cites the first line of a file that holds enough to be quoted; empty where there is none. */
export async function citeFirstLine(
  file: string,
  context: Pick<CheckContext, "repository" | "mask">,
): Promise<CheckedCitation[]> {
  const text = await context.repository.text(file);
  const index = text?.lines.findIndex(isQuotable) ?? -1;
  return index < 0 ? [] : await citeLines([{ file, line: index + 1 }], context);
}
