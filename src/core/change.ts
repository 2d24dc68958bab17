import type { Change } from "./ports.ts";
import { foldCode } from "./quoteSearch.ts";

/** A line of one side of a diff, 1-based on that side. */
export interface SideLine {
  readonly line: number;
  readonly text: string;
}

/** What a unified diff of one file adds and removes. `at` is the present line before which a removed line stood. */
export interface Sides {
  readonly file: string;
  readonly added: readonly SideLine[];
  readonly removed: readonly (SideLine & { readonly at: number })[];
  /** True where the diff was cut: lines may be missing on both sides. */
  readonly cut: boolean;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Both sides of a unified diff; the counts of each hunk decide what is a line, so code that looks like a header is none. */
export function sidesOf({ file, diff, cut = false }: Change["files"][number]): Sides {
  const added: SideLine[] = [];
  const removed: (SideLine & { at: number })[] = [];
  let left = { before: 0, after: 0 };
  let at = { before: 0, after: 0 };
  for (const raw of diff.split("\n")) {
    if (left.before <= 0 && left.after <= 0) {
      const hunk = HUNK.exec(raw);
      if (hunk === null) continue;
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
      // An empty side is numbered by the line before it.
      at = {
        before: Number(hunk[1]) + (left.before === 0 ? 1 : 0),
        after: Number(hunk[3]) + (left.after === 0 ? 1 : 0),
      };
      continue;
    }
    const mark = raw[0];
    if (mark === "+") added.push({ line: at.after, text: raw.slice(1) });
    else if (mark === "-") removed.push({ line: at.before, text: raw.slice(1), at: at.after });
    else if (mark !== " " && raw !== "") continue;
    if (mark !== "+") step(left, at, "before");
    if (mark !== "-") step(left, at, "after");
  }
  return { file, added, removed, cut: cut || left.before > 0 || left.after > 0 };
}

function step(
  left: Record<"before" | "after", number>,
  at: Record<"before" | "after", number>,
  side: "before" | "after",
): void {
  left[side] -= 1;
  at[side] += 1;
}

/**
 * Takes lines out that only moved from one file to another, white space aside. A line that moved inside its file stays in: its
 * new order may be what is wrong.
 */
export function withoutMoved(all: readonly Sides[]): Sides[] {
  const gone = new Map<string, string[]>();
  for (const { file, removed } of all) for (const { text } of removed) push(gone, foldCode(text), file);
  const arrived = new Map<string, string[]>();
  const kept = all.map((sides) => ({
    ...sides,
    added: sides.added.filter(({ text }) => {
      const folded = foldCode(text);
      const from = gone.get(folded)?.findIndex((file) => file !== sides.file) ?? -1;
      if (from < 0) return true;
      push(arrived, folded, gone.get(folded)?.splice(from, 1)[0] ?? "");
      return false;
    }),
  }));
  return kept.map((sides) => ({
    ...sides,
    removed: sides.removed.filter(({ text }) => {
      const at = arrived.get(foldCode(text))?.indexOf(sides.file) ?? -1;
      if (at >= 0) arrived.get(foldCode(text))?.splice(at, 1);
      return at < 0;
    }),
  }));
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
