import { type Sides, sidesOf } from "./change.ts";
import type { History } from "./ports.ts";
import { findQuote, foldLines } from "./quoteSearch.ts";
import type { Settled } from "./settle.ts";

/** What version control adds to placing a claim: renamed files, and code that stands only on the other side of a change. */
export interface Past {
  /** Present path of a renamed file; null where it was not renamed or nothing is known. */
  readonly renamed: (path: string) => Promise<string | null>;
  /** A place whose quoted code the change under review removed, moved to where it stood; any other as it is. `count` is in lines. */
  readonly removed: (file: string, quote: string | null, settled: Settled, count: number) => Promise<Settled>;
}

/** Without a history nothing is added. The change is asked for once, when a quote is first missed. */
export function createPast(history: History | undefined): Past {
  let sides: Promise<ReadonlyMap<string, Sides>> | undefined;
  const sidesByFile = async (): Promise<ReadonlyMap<string, Sides>> => {
    const change = await history?.change();
    return new Map((change?.files ?? []).map((file) => [file.file, sidesOf(file)]));
  };
  return {
    renamed: async (path) => (await history?.renamed(path)) ?? null,
    removed: async (file, quote, settled, count) => {
      if (history === undefined || settled.quoteAbsent !== true || quote === null) return settled;
      sides ??= sidesByFile();
      const removed = (await sides).get(file)?.removed ?? [];
      const found = findQuote(foldLines(removed.map(({ text }) => text)), quote, null);
      const first = found === null ? undefined : removed[found.line - 1];
      if (first === undefined) return settled;
      const line = Math.min(first.at, count);
      const note = `The change under review removes the quoted code: it stood at line ${first.line} before, where line ${line} is now.`;
      return {
        status: "relocated",
        span: { line, endLine: line, column: null, endColumn: null },
        note,
        cited: settled.cited,
      };
    },
  };
}
