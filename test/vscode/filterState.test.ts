import assert from "node:assert/strict";
import test from "node:test";
import { QueryShape } from "../../src/protocol/filter.ts";
import { type FindingsQuery, SHOW_ALL } from "../../src/protocol/query.ts";
import { FilterState } from "../../src/vscode/filterState.ts";
import { narrows, queryInWords, sameQuery } from "../../src/vscode/filterWords.ts";

function rig(kept: Readonly<Record<string, unknown>> = {}) {
  const store = new Map<string, unknown>(Object.entries(kept));
  let changes = 0;
  const filter = new FilterState({
    state: {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the editor promises the type just as blindly
      get: <T>(key: string, otherwise?: T) => (store.get(key) as T | undefined) ?? otherwise,
      async update(key: string, value: unknown) {
        if (value === undefined) store.delete(key);
        // As the editor does: what is kept has gone through JSON.
        else store.set(key, JSON.parse(JSON.stringify(value)));
      },
    },
    parse: async (value) => QueryShape.safeParse(value).data ?? null,
    changed: () => {
      changes += 1;
    },
  });
  return { filter, store, changes: () => changes };
}

const SQL: FindingsQuery = { ...SHOW_ALL, text: "sql", severities: ["P0", "P1"] };

test("a filter is kept over a reload of the window, and so are saved ones", async () => {
  const first = rig();
  await first.filter.set(SQL);
  await first.filter.save("databases");
  await first.filter.change({ waiting: true });
  const second = rig(Object.fromEntries(first.store));
  await second.filter.restore();
  assert.deepEqual(second.filter.query, { ...SQL, waiting: true });
  assert.deepEqual(second.filter.saved, [{ name: "databases", query: SQL }]);
  assert.equal(second.filter.name, null);
  await second.filter.set(SQL);
  assert.equal(second.filter.name, "databases");
});

test("what another version or another hand kept is left out, and costs nothing else", async () => {
  const { filter } = rig({
    filter: { text: 7 },
    savedFilters: [
      null,
      { name: "", query: SHOW_ALL },
      { name: "odd", query: { ...SHOW_ALL, text: "x".repeat(501) } },
      { name: "more", query: { ...SHOW_ALL, colour: "red" } },
      { name: "good", query: SQL },
    ],
  });
  await filter.restore();
  assert.deepEqual(filter.query, SHOW_ALL);
  assert.deepEqual(
    filter.saved.map(({ name }) => name),
    ["good"],
  );
});

test("saving under a name that is taken replaces it; names are in order", async () => {
  const { filter } = rig();
  await filter.set(SQL);
  await filter.save("b");
  await filter.save("a");
  await filter.clear();
  await filter.change({ waiting: true });
  await filter.save("b");
  assert.deepEqual(
    filter.saved.map(({ name, query }) => [name, query.waiting]),
    [
      ["a", false],
      ["b", true],
    ],
  );
  await filter.delete("a");
  assert.deepEqual(
    filter.saved.map(({ name }) => name),
    ["b"],
  );
});

test("the same filter again changes nothing, and a cleared one leaves nothing behind", async () => {
  const { filter, store, changes } = rig();
  await filter.set({ ...SHOW_ALL });
  assert.equal(changes(), 0);
  await filter.set(SQL);
  await filter.clear();
  assert.equal(changes(), 2);
  assert.deepEqual([...store], []);
});

const WORDS: readonly (readonly [Partial<FindingsQuery>, string])[] = [
  [{}, ""],
  [{ severities: ["P0", "P1"], text: " total " }, "P0, P1 · “total”"],
  [{ states: ["new", "proposed"], waiting: true }, "not triaged, waits for you · waits for you"],
  [{ tools: ["Semgrep"], rules: ["a", "b"] }, "tool Semgrep · 2 rules"],
  [{ rules: [""] }, "no rule"],
  [
    { path: "src/**", changedOnly: true, dismissed: true, suppressed: true },
    "changed files · path src/** · with suppressed · with dismissed",
  ],
  [{ rules: ["evil\u202Etxt"] }, "rule evil\\u{202e}txt"],
];
for (const [change, words] of WORDS) {
  test(`a filter in words: ${words === "" ? "nothing for the one that shows all" : words}`, () =>
    assert.equal(queryInWords({ ...SHOW_ALL, ...change }), words));
}

test("filters are the same whatever the order of what was chosen, and blanks at the ends", () => {
  assert.ok(sameQuery({ ...SQL, severities: ["P1", "P0"], text: "sql " }, SQL));
  assert.ok(!sameQuery({ ...SQL, waiting: true }, SQL));
});

test("only conditions narrow: to show dismissed or suppressed findings too does not", () => {
  assert.equal(narrows(SHOW_ALL), false);
  assert.equal(narrows({ ...SHOW_ALL, dismissed: true, suppressed: true }), false);
  for (const change of [{ text: "x" }, { path: "x" }, { waiting: true }, { changedOnly: true }, { rules: [""] }])
    assert.equal(narrows({ ...SHOW_ALL, ...change }), true, JSON.stringify(change));
});
