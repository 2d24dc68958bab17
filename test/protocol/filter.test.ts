import assert from "node:assert/strict";
import test from "node:test";
import { FromFilter, MOST_TEXT, QueryShape } from "../../src/protocol/filter.ts";
import { SHOW_ALL } from "../../src/protocol/query.ts";

test("the query that shows all is one, and comes through as it is", () => {
  assert.deepEqual(QueryShape.parse(SHOW_ALL), SHOW_ALL);
});

const WRONG: readonly (readonly [string, unknown])[] = [
  ["a text that is too long", { ...SHOW_ALL, text: "x".repeat(MOST_TEXT + 1) }],
  ["a severity that is none", { ...SHOW_ALL, severities: ["P9"] }],
  ["a state that is none", { ...SHOW_ALL, states: ["gone"] }],
  ["a list of too many rules", { ...SHOW_ALL, rules: Array.from({ length: 1001 }, String) }],
  ["a switch that is no boolean", { ...SHOW_ALL, waiting: "yes" }],
  ["a member too many", { ...SHOW_ALL, run: "rm" }],
  ["a member too few", { ...SHOW_ALL, path: undefined }],
];
for (const [what, query] of WRONG) {
  test(`${what} is refused from the page`, () =>
    assert.equal(FromFilter.safeParse({ type: "query", query }).success, false));
}

test("the page can ask for nothing but what the bar does", () => {
  for (const message of [null, "ready", { type: "triage" }, { type: "pick", what: "files" }, { type: "query" }])
    assert.equal(FromFilter.safeParse(message).success, false, JSON.stringify(message));
  for (const message of [{ type: "ready" }, { type: "pick", what: "rules" }, { type: "saved" }, { type: "clear" }])
    assert.equal(FromFilter.safeParse(message).success, true, JSON.stringify(message));
});
