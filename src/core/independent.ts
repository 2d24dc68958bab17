import { overlap } from "./citation.ts";
import type { ArbiterTask } from "./reviewer.ts";
import type { CheckedCitation } from "./round.ts";

/** Whether two findings may be ruled on in one call (C11): they stand in different files, and no line decides both. */
export function areIndependent(a: ArbiterTask, b: ArbiterTask): boolean {
  const [fileA, fileB] = [a.finding.place.file, b.finding.place.file];
  if (fileA === null || fileB === null || fileA === fileB) return false;
  const cited = linesOf(b);
  return !linesOf(a).some((line) => cited.some((other) => overlap(line, other)));
}

function linesOf({ rounds }: ArbiterTask): readonly CheckedCitation[] {
  return rounds.flatMap((round) => (round.kind === "counted" ? round.citations.filter(({ ok }) => ok) : []));
}
