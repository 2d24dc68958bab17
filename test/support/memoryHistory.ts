import type { History } from "../../src/core/ports.ts";
import { tokensOf } from "../../src/core/tokens.ts";

/** What a history in memory knows; everything left out is known to be empty. */
export interface PastOptions {
  /** Texts before the change under review, by path; a file that is not here is unchanged, null where it was not there. */
  readonly before?: Readonly<Record<string, string | null>>;
  readonly complete?: boolean;
  /** Texts that earlier commits held. */
  readonly held?: readonly string[];
  /** Paths that earlier commits held. */
  readonly named?: readonly string[];
  readonly renamed?: Readonly<Record<string, string>>;
  readonly ignored?: readonly string[];
}

/** The past of a workspace in memory. `now` gives the present text of a file; undefined where it is gone. */
export function createMemoryHistory(options: PastOptions, now: (file: string) => string | undefined): History {
  return {
    change: async () => ({
      base: "0123456789abcdef0123456789abcdef01234567",
      complete: options.complete ?? true,
      files: Object.entries(options.before ?? {}).map(([file, before]) => ({
        file,
        diff: unifiedDiff(file, before ?? "", now(file) ?? ""),
      })),
    }),
    renamed: async (path) => options.renamed?.[path] ?? null,
    everHeld: async (tokens) =>
      (options.held ?? []).some((text) => ` ${tokensOf(text).join(" ")} `.includes(` ${tokens.join(" ")} `)),
    everNamed: async (name) =>
      (options.named ?? []).some((path) => path.slice(path.lastIndexOf("/") + 1).toLowerCase() === name.toLowerCase()),
    ignores: async (path) => options.ignored?.includes(path) ?? false,
  };
}

/** A unified diff with one hunk: what stands between the common head and the common tail of two texts. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  if (removed.length + added.length === 0) return "";
  const side = (lines: readonly string[]): string => `${lines.length === 0 ? head : head + 1},${lines.length}`;
  const body = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return [`--- a/${file}`, `+++ b/${file}`, `@@ -${side(removed)} +${side(added)} @@`, ...body, ""].join("\n");
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/\r\n|\n|\r/);
}
