import { SORTABLE } from "./limits.ts";

/** Page numbers start at 1; whatever else arrives becomes the first page. */
export function pageNumber(text: string | null): number {
  const page = Number(text ?? "1");
  if (!Number.isInteger(page) || page < 1) return 1;
  return page;
}

/** A column from the list of sortable ones; throws for everything else. */
export function sortColumn(text: string | null): string {
  const column = SORTABLE.find((name) => name === (text ?? "created"));
  if (column === undefined) throw new RangeError("unknown sort column");
  return column;
}
