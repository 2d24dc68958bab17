import type { Receipt } from "../../core/check.ts";

/** Most kept lines of one receipt that go to the panel; what is left out is counted. */
export const MOST_RECEIPT_LINES = 60;
/** Most receipts, and room for the lines of all together in characters; less where many refuters need the room themselves. */
const ROOM = { few: { receipts: 200, characters: 120_000 }, many: { receipts: 100, characters: 40_000 } } as const;

/** Receipts as the panel shows them: many refuters run many searches, and a snapshot has a limit. Fewer lines of each before fewer receipts. */
export function receiptsShown(
  all: readonly Receipt[],
  judges: "few" | "many",
): {
  readonly receipts: readonly Receipt[];
  readonly left: number;
} {
  const room = ROOM[judges];
  const some = all.slice(0, room.receipts);
  let lines = MOST_RECEIPT_LINES;
  while (lines > 0 && sizeOf(some, lines) > room.characters) lines = Math.floor(lines / 2);
  const receipts = some.map((receipt) => ({
    ...receipt,
    lines: receipt.lines.slice(0, lines),
    truncated: receipt.truncated || receipt.lines.length > lines,
  }));
  return { receipts, left: all.length - some.length };
}

function sizeOf(receipts: readonly Receipt[], most: number): number {
  return receipts.reduce((sum, { lines }) => sum + lines.slice(0, most).join("\n").length, 0);
}
