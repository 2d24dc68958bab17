import type { Finding } from "./finding.ts";
import { canonicalText } from "./identity.ts";

/** Most lines between two places that may still be one defect. */
const NEAR = 3;
/** Share of common words from which two claims say the same in other words. */
const SAME_WORDS = 0.5;
/** Words that every claim has. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be been by can for from has in into is it its not of on or that the this to was which will with".split(
    " ",
  ),
);

/**
 * Findings that look like the same defect as `finding` and are not in its exact cluster (C18, ruling 11): in the same file, at most
 * three lines apart, with a common weakness id, the same rule or mostly the same words. Nearest first, at most `most`. They are
 * only shown together: no verdict passes from one to another. Likeness goes both ways.
 */
export function alikeIn(finding: Finding, others: readonly Finding[], most = 8): Finding[] {
  const words = wordsOf(finding);
  return others
    .filter(
      (other) =>
        other.key !== finding.key &&
        (finding.cluster === null || other.cluster !== finding.cluster) &&
        linesBetween(finding, other) <= NEAR &&
        sameClaim(finding, other, words),
    )
    .toSorted((a, b) => linesBetween(finding, a) - linesBetween(finding, b) || (a.key < b.key ? -1 : 1))
    .slice(0, most);
}

/** Lines from the end of one place to the start of the other, 0 where they overlap; infinite where they have no lines of one file. */
function linesBetween({ place: a }: Finding, { place: b }: Finding): number {
  if (a.file === null || a.file !== b.file || a.line === null || b.line === null) return Infinity;
  return Math.max(0, Math.max(a.line, b.line) - Math.min(a.endLine ?? a.line, b.endLine ?? b.line));
}

/** Other weakness ids or another category keep two claims apart, unless their words are mostly the same. */
function sameClaim(a: Finding, b: Finding, words: ReadonlySet<string>): boolean {
  if (a.cwe.some((id) => b.cwe.includes(id)) || overlap(words, wordsOf(b)) >= SAME_WORDS) return true;
  const differ = (a.cwe.length > 0 && b.cwe.length > 0) || (a.category ?? b.category) !== (b.category ?? a.category);
  return !differ && a.rule !== null && a.rule === b.rule;
}

/** True where two claims use mostly the same words. */
export function saysAlike(a: Finding, b: Finding): boolean {
  return overlap(wordsOf(a), wordsOf(b)) >= SAME_WORDS;
}

function wordsOf({ message }: Finding): ReadonlySet<string> {
  const words =
    canonicalText(message)
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)));
}

/** Common words of all words (Jaccard), 0-1; 0 where there are none. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return common / (a.size + b.size - common || 1);
}
