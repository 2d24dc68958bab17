import { type RootSuggestion, suggestRoots } from "../../core/sourceRoots.ts";
import type { SuggestRootsParams, SuggestRootsResult } from "../../protocol/worker.ts";
import type { WorkerSession } from "./session.ts";

/** Mappings that would give findings of all folders their file; a mapping that helps in several counts for all of them. */
export async function rootsFor(
  { folders, settings }: Pick<WorkerSession, "folders" | "settings">,
  tried: SuggestRootsParams["tried"],
): Promise<SuggestRootsResult> {
  const found = new Map<string, RootSuggestion>();
  let missing = 0;
  let example = "";
  for (const { engine, repository } of folders) {
    const unplaced = engine.unplaced();
    missing += unplaced.length;
    example ||= unplaced[0]?.path ?? "";
    for (const suggestion of suggestRoots(unplaced, await repository.files(), settings.sourceRoots, tried)) {
      const id = `${suggestion.from}\n${suggestion.to}`;
      found.set(id, { ...suggestion, fixes: suggestion.fixes + (found.get(id)?.fixes ?? 0) });
    }
  }
  return { missing, example, suggestions: [...found.values()].sort((a, b) => b.fixes - a.fixes) };
}
