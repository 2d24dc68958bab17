import type { CallOf, SourceText, VerbName, Verbs } from "../../core/ports.ts";
import { createJoinedSearch } from "./joinedSearch.ts";
import { failed, writeRun, type VerbContext, type VerbResult } from "./receipt.ts";
import { VERBS } from "./table.ts";

export interface VerbsOptions extends Omit<VerbContext, "maskedLines" | "withheld" | "search"> {
  /** Review files and whatever else tells a reviewer what others think; default none. Called with a workspace-relative path. */
  readonly withheld?: (file: string) => boolean;
}

/**
 * The verbs of tier 0 (`table.ts`) inside one workspace (design, section 6). A run resolves with its receipt whatever
 * goes wrong; it rejects only with the signal's reason. Receipt ids are unique per instance, and the same for the same
 * calls in the same order.
 */
export function createVerbs(options: VerbsOptions): Verbs {
  const { mask, now, hash } = options;
  const masked = new WeakMap<SourceText, readonly string[]>();
  const context: VerbContext = {
    ...options,
    search: createJoinedSearch(),
    withheld: options.withheld ?? (() => false),
    maskedLines: (text) => {
      const known = masked.get(text);
      if (known !== undefined) return known;
      // Masking keeps the number of lines, so line numbers stay right.
      const lines = mask(text.lines.join("\n")).split("\n");
      masked.set(text, lines);
      return lines;
    },
  };
  let runs = 0;
  return {
    run: async (call, by, signal) => {
      signal.throwIfAborted();
      runs += 1;
      const id = `${call.verb}-${hash(JSON.stringify([runs, by, call]), 12)}`;
      const start = now().getTime();
      const result = await runVerb(call, context, signal);
      signal.throwIfAborted();
      const durationMs = Math.max(0, now().getTime() - start);
      return writeRun(result, { id, verb: call.verb, durationMs, by }, hash);
    },
  };
}

/** Whatever the disk does, a verb answers: a reviewer that gets an error goes on, one that gets nothing cannot. */
async function runVerb<V extends VerbName>(
  call: CallOf<V>,
  context: VerbContext,
  signal: AbortSignal,
): Promise<VerbResult> {
  try {
    return await VERBS[call.verb].run(call, context, signal);
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error && "code" in error ? String(error.code) : "unexpected";
    return failed([call.verb], `The ${call.verb} failed (${why}).`);
  }
}
