import { total, type Line } from "./checkout.ts";
import { bookPickup } from "./courier.ts";
import { readLabel } from "./labels.ts";
import { formatMoney } from "./money.ts";
import { type Database, listParcels } from "./store.ts";
import { pageNumber, sortColumn } from "./validate.ts";

export interface Services {
  readonly db: Database;
  send(body: string): Promise<{ ok: boolean }>;
}

/** GET /parcels?sort=weight&page=2 */
export async function getParcels(url: URL, services: Services): Promise<unknown> {
  const column = sortColumn(url.searchParams.get("sort"));
  const page = pageNumber(url.searchParams.get("page"));
  return await listParcels(services.db, column, page);
}

/** GET /labels?name=4711.pdf */
export async function getLabel(url: URL): Promise<Buffer> {
  return await readLabel(url.searchParams.get("name") ?? "");
}

/** POST /orders with the lines of a basket */
export async function postOrder(body: { lines: Line[]; parcel: string }, services: Services): Promise<string> {
  const owed = total(body.lines);
  const booked = await bookPickup(body.parcel, services.send);
  if (!booked) throw new Error("no courier available");
  return `You owe ${formatMoney(owed)}.`;
}
