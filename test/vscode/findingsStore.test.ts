import assert from "node:assert/strict";
import test from "node:test";
import { type FindingsQuery, type ListGroupsResult, SHOW_ALL } from "../../src/protocol/query.ts";
import type { FindingRow } from "../../src/protocol/worker.ts";
import { FindingsStore, PAGE } from "../../src/vscode/findingsStore.ts";

const NONE = { P0: 0, P1: 0, P2: 0, Nit: 0 };

function row(index: number): FindingRow {
  return {
    key: `k${index}`,
    severity: "P2",
    shownSeverity: "P2",
    title: `finding ${index}`,
    file: "a.ts",
    absolute: "/a.ts",
    line: index,
    tool: "t",
    rule: null,
    state: index % 2 === 0 ? "new" : "decided",
    action: null,
    decision: null,
    status: "open",
    place: "exact",
    hard: false,
    summary: "",
    clusterSize: 1,
    fromEditor: false,
  };
}

/** A worker with one group of so many rows, that counts what it is asked; `hold` lets its next answer wait. */
function rig(rowCount: number, groupCount = 1, reading = false) {
  const asked: string[] = [];
  const seen: ListGroupsResult[] = [];
  const waits: number[] = [];
  let query: FindingsQuery = SHOW_ALL;
  let gate: Promise<void> = Promise.resolve();
  let most = 0;
  let endWait: () => void = () => undefined;
  const store: FindingsStore = new FindingsStore(
    {
      async listGroups({ query: { text }, groupBy, offset, limit }) {
        asked.push(`groups ${groupBy} ${offset} ${text}`);
        const count = Math.max(0, Math.min(limit, groupCount - offset));
        const groups = Array.from({ length: count }, (_, index) => ({
          id: `g${offset + index}`,
          label: "",
          total: 1,
          bySeverity: NONE,
          waiting: 0,
        }));
        await gate;
        const unread =
          offset === 0 ? [{ path: "r", line: 1, pointer: null, text: "x", reason: "", severityWord: false }] : [];
        const counts = { groupCount, shown: rowCount, total: rowCount, waiting: 0, bySeverity: NONE };
        return { groups, ...counts, unread, unreadCount: 1, reading, note: text };
      },
      async listRows({ group, offset, limit }) {
        asked.push(`rows ${group} ${offset}`);
        most = Math.max(most, limit);
        const count = Math.max(0, Math.min(limit, rowCount - offset));
        return { rows: Array.from({ length: count }, (_, index) => row(offset + index)), total: rowCount };
      },
      query: () => query,
      changed: () => seen.push(store.current),
      async wait(ms) {
        waits.push(ms);
        await new Promise<void>((resolve) => {
          endWait = resolve;
        });
      },
    },
    "file",
  );
  return {
    store,
    asked,
    seen,
    waits,
    most: () => most,
    filter: (text: string) => {
      query = { ...SHOW_ALL, text };
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = Promise.resolve();
        resolve();
      };
    },
    endWait: () => endWait(),
  };
}

test("of 100,000 findings the first look asks for one page of groups and no row", async () => {
  const { store, asked } = rig(100_000, 4000);
  await store.reload();
  assert.deepEqual(asked, ["groups file 0 "]);
  assert.equal(store.current.groups.length, PAGE);
});

test("a group shows one page, and one more each time it is asked for", async () => {
  const { store, asked } = rig(2500);
  assert.equal((await store.rowsOf("g0")).rows.length, 1000);
  await store.loadMore("g0");
  assert.equal((await store.rowsOf("g0")).rows.length, 2000);
  await store.loadMore("g0");
  const { rows, total } = await store.rowsOf("g0");
  assert.deepEqual([rows.length, total, new Set(rows.map(({ key }) => key)).size], [2500, 2500, 2500]);
  assert.equal(asked.length, 1 + 2 + 3);
});

test("groups are paged too, and what was not understood comes with the first page only", async () => {
  const { store } = rig(10, 2500);
  await store.reload();
  await store.loadMore(null);
  assert.equal(store.current.groups.length, 2000);
  assert.equal(store.current.unread.length, 1);
});

test("another filter or grouping starts from the first page again", async () => {
  const { store, filter } = rig(5000, 2500);
  await store.loadMore("g0");
  await store.loadMore(null);
  filter("x");
  await store.restart();
  assert.equal(store.current.groups.length, 1000);
  assert.equal((await store.rowsOf("g0")).rows.length, 1000);
  await store.group("rule");
  assert.equal(store.grouping, "rule");
});

test("reloads that come while it reads are one more reading, not as many as there were", async () => {
  const { store, asked, hold } = rig(1);
  const go = hold();
  const all = [store.reload(), store.reload(), store.reload(), store.reload()];
  go();
  await Promise.all(all);
  assert.equal(asked.length, 2);
});

test("an answer to a filter that has changed meanwhile is never shown", async () => {
  const { store, seen, filter, hold } = rig(1);
  const go = hold();
  const first = store.reload();
  filter("new");
  const second = store.restart();
  go();
  await Promise.all([first, second]);
  assert.deepEqual(
    seen.map(({ note }) => note),
    ["new"],
  );
});

test("while a review is read, the view is told now and then; a person who filters does not wait for it", async () => {
  const { store, asked, seen, waits, filter, endWait, hold } = rig(1, 1, true);
  const go = hold();
  const reloads = [store.reload(), store.reload()];
  go();
  // The first answer is shown, the second reading waits.
  while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked.length, 1);
  filter("mine");
  const mine = store.restart();
  while (seen.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seen[1]?.note, "mine");
  endWait();
  await Promise.all([...reloads, mine]);
});

test("a row is near while it is loaded or on the next page, and far beyond", async () => {
  const { store } = rig(5000);
  assert.deepEqual(
    [0, 999, 1000, 1999, 2000].map((place) => store.isNear("g", place)),
    ["shown", "shown", "next", "next", "far"],
  );
  await store.loadMore("g");
  assert.equal(store.isNear("g", 2000), "next");
});

test("keys of a large group are gathered page by page, up to a number, and it is known whether that was all", async () => {
  const { store, asked, most } = rig(4000);
  const of = { query: SHOW_ALL, groupBy: "file", group: "g0" } as const;
  const open = ({ state, key }: FindingRow): string | null => (state === "new" ? key : null);
  const all = await store.gather(of, open, 5000);
  assert.deepEqual([all.taken.length, all.complete, asked.length, most()], [2000, true, 4, PAGE]);
  const some = await store.gather(of, open, 600);
  assert.deepEqual([some.taken.length, some.complete], [600, false]);
  const exactly = await store.gather(of, open, 2000);
  assert.deepEqual([exactly.taken.length, exactly.complete], [2000, true]);
});
