import path from "node:path";
import * as z from "zod";
import type { SeenLenses } from "../../core/judging/sitting.ts";
import { createJournal } from "../journal.ts";

const Lenses = z.array(z.string()).catch([]);

/** Lenses that refuters have used, kept in a folder of the user's cache: loaded after a restart and never reset (R4.24). */
export function createSeenLenses(folder: string): SeenLenses {
  const journal = createJournal(path.join(folder, "lenses"));
  const seen = async (key: string): Promise<Set<string>> => new Set(Lenses.parse(await journal.get(key)));
  let turn: Promise<unknown> = Promise.resolve();
  return {
    seen,
    add: async (key, lens) => {
      const mine = turn.then(async () => {
        const known = await seen(key);
        if (!known.has(lens)) await journal.put(key, [...known, lens].sort());
      });
      // Losing the memory of a lens costs a repeated question, no verdict.
      turn = mine.catch(() => undefined);
      await turn;
    },
  };
}
