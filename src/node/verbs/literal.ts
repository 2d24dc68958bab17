import type { WorkspaceRepository } from "../repository/repository.ts";
import type { RawHit } from "./ripgrep.ts";

/** A search without ripgrep. A foreign pattern is never run as a JavaScript expression: such an engine can be made to hang. */
export interface LiteralSearch {
  readonly hits: readonly RawHit[];
  /** Files of which only the head was searched. */
  readonly headOnly: number;
  /** False where the time ran out: nothing follows from a missing hit. */
  readonly finished: boolean;
}

const TIMEOUT_MS = 10_000;
/** More are not collected; the caller says that there were more. */
export const MOST_COLLECTED = 10_000;

/** Looks for a text, letter by letter, in files of the workspace (live buffers first). Rejects with the signal's reason. */
export async function searchLiteral(
  repository: WorkspaceRepository,
  files: readonly string[],
  pattern: string,
  signal: AbortSignal,
): Promise<LiteralSearch> {
  const end = performance.now() + TIMEOUT_MS;
  const hits: RawHit[] = [];
  let headOnly = 0;
  for (const file of files) {
    signal.throwIfAborted();
    if (performance.now() > end) return { hits, headOnly, finished: false };
    const text = await repository.text(file);
    if (text === null) continue;
    if (text.truncated) headOnly += 1;
    for (const [index, line] of text.lines.entries()) {
      if (!line.includes(pattern)) continue;
      if (hits.length >= MOST_COLLECTED) return { hits, headOnly, finished: true };
      hits.push({ file, line: index + 1, text: line });
    }
  }
  return { hits, headOnly, finished: true };
}
