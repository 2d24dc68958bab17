import { fold } from "./citation.ts";
import type { CheckResult } from "./check.ts";
import type { Finding } from "./finding.ts";
import type { Hash, Repository, SourceText } from "./ports.ts";
import { citationsIn, type Judgement } from "./judgement.ts";

/** A region that a verdict rests on, with the hash of its text (white space folded) at the time of the verdict. */
export interface Region {
  readonly role: "flagged" | "cited";
  readonly file: string;
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly hash: string;
}

/** The flagged region and every resolving citation, each hashed as it reads now. */
export async function regionsOf(
  finding: Finding,
  evidence: Pick<Judgement, "rounds" | "ruling" | "refutation" | "opinion"> & {
    readonly checks: readonly CheckResult[];
  },
  repository: Repository,
  hash: Hash,
): Promise<Region[]> {
  const cited = [...evidence.checks.flatMap((check) => check.citations), ...citationsIn(evidence)].filter(
    ({ ok }) => ok,
  );
  const places: Omit<Region, "hash">[] = cited.map((c) => ({
    role: "cited",
    file: c.file,
    line: c.line,
    endLine: c.endLine,
  }));
  const { file, line, endLine } = finding.place;
  if (file !== null && line !== null) places.unshift({ role: "flagged", file, line, endLine: endLine ?? line });
  const regions = new Map<string, Region>();
  for (const place of places) {
    const id = `${place.file}:${place.line}-${place.endLine}`;
    const text = regions.has(id) ? null : await repository.text(place.file);
    if (text !== null) regions.set(id, { ...place, hash: hashLines(text, place.line, place.endLine, hash) });
  }
  return [...regions.values()];
}

/**
 * The first region whose text is no longer anywhere in its file; null while all stand. A region that only moved is
 * still there: its lines are looked for in the whole file.
 */
export async function changedRegion(
  regions: readonly Region[],
  repository: Repository,
  hash: Hash,
): Promise<Region | null> {
  for (const region of regions) {
    const text = await repository.text(region.file);
    if (text === null) return region;
    if (hashLines(text, region.line, region.endLine, hash) === region.hash) continue;
    if (findRegion(text, region, hash) === null) return region;
  }
  return null;
}

/** The 1-based line where a region stands now, nearest to where it stood; null where its text is gone. */
export function findRegion(text: SourceText, region: Region, hash: Hash): number | null {
  const height = region.endLine - region.line;
  let best: number | null = null;
  for (let line = 1; line + height <= text.lines.length; line += 1) {
    if (best !== null && Math.abs(line - region.line) >= Math.abs(best - region.line)) continue;
    if (hashLines(text, line, line + height, hash) === region.hash) best = line;
  }
  return best;
}

/** Hash of lines `line`..`endLine` (1-based, inclusive), white space folded: what a region is recognised by. */
export function hashLines(text: SourceText, line: number, endLine: number, hash: Hash): string {
  return hash(fold(text.lines.slice(line - 1, endLine).join("\n")));
}
