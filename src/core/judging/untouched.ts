import { enclosingFunction } from "../code/structure.ts";
import type { Refuter } from "../refuter.ts";
import { overlap } from "../citation.ts";
import type { Sitting } from "./sitting.ts";

/** Places and files named at most in one sentence. */
const MOST_NAMED = 6;

/**
 * What no refuter looked at (R4.19): stretches of the evidence pack that none of them cites, and, by one search of the whole workspace for
 * what the finding is about, files that hold it and that nobody cites. Empty sentences are left out.
 */
export async function untouchedBy(sitting: Sitting, refuters: readonly Refuter[]): Promise<readonly string[]> {
  const cited = refuters.flatMap((one) => (one.kind === "counted" ? one.citations.filter(({ ok }) => ok) : []));
  const unread = sitting.pack.pieces.filter((piece) => !cited.some((citation) => overlap(piece, citation)));
  const sentences: string[] = [];
  if (unread.length > 0) {
    const named = unread.map(({ file, line, endLine, why }) => `${file}:${line}-${endLine} (${why})`);
    sentences.push(`No refuter cites ${listOf(named)}.`);
  }
  const scope = await scopeOf(sitting, new Set(cited.map(({ file }) => file)));
  return scope === null ? sentences : [...sentences, scope];
}

/** One search over everything for the function the finding stands in. */
async function scopeOf(sitting: Sitting, cited: ReadonlySet<string>): Promise<string | null> {
  const { file, line } = sitting.finding.place;
  const structure = file === null || line === null ? null : await sitting.context.structures.of(file);
  const name = structure === null || line === null ? null : (enclosingFunction(structure, line)?.name ?? null);
  if (name === null || !/^[\w$]{2,80}$/.test(name)) return null;
  const run = await sitting.desk("refuters-scope").run({ verb: "grep", pattern: name, path: ".", literal: true });
  if ("refused" in run || run.error !== null) return `The whole workspace could not be searched for ${name}.`;
  const others = [...new Set(run.hits.map((hit) => hit.file))].filter((other) => other !== file && !cited.has(other));
  return others.length === 0 ? null : `${name} also occurs in ${listOf(others)}, which no refuter cites.`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
