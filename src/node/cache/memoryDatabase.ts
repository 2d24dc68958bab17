import type { Database, Row } from "./rows.ts";

/** Rows that live as long as the process; of more than `most` the oldest go. */
export function createMemoryDatabase(most: number): Database {
  const rows = new Map<string, Row>();
  return {
    get: (kind, id) => rows.get(place(kind, id)),
    about: (kind, about) => [...rows.values()].filter((row) => row.kind === kind && row.about === about),
    put(row) {
      rows.delete(place(row.kind, row.id));
      rows.set(place(row.kind, row.id), row);
      const [oldest] = rows.keys();
      if (rows.size > most && oldest !== undefined) rows.delete(oldest);
    },
    remove: (kind, id) => void rows.delete(place(kind, id)),
    close: () => rows.clear(),
  };
}

function place(kind: string, id: string): string {
  return JSON.stringify([kind, id]);
}
