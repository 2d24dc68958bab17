import { PAGE_SIZE } from "./limits.ts";

export interface Parcel {
  readonly id: string;
  readonly weight: number;
  readonly price: number;
}

/** What a database driver offers here. */
export interface Database {
  all(sql: string, ...values: readonly (string | number)[]): Promise<Parcel[]>;
}

/** One page of parcels, in the order of a column. */
export async function listParcels(db: Database, column: string, page: number): Promise<Parcel[]> {
  const sql = "SELECT id, weight, price FROM parcels ORDER BY " + column + " LIMIT ? OFFSET ?";
  return await db.all(sql, PAGE_SIZE, offsetOf(page));
}

/** How many rows come before a page. */
function offsetOf(page: number): number {
  return (page - 1) * PAGE_SIZE;
}
