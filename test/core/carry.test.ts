import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { carryOver, type Present, type Remembered } from "../../src/core/carry.ts";

const one = (key: string, line: number, flagged: string | null, more: Partial<Remembered> = {}): Remembered => ({
  key,
  file: "src/a.ts",
  line,
  tool: "scan",
  rule: "r1",
  flagged,
  ...more,
});

function carried(remembered: readonly Remembered[], present: readonly Present[]): Record<string, string> {
  return Object.fromEntries(carryOver(remembered, present).byKey);
}

test("a finding that kept its key keeps its verdict, wherever its line went", () => {
  assert.deepEqual(carried([one("k", 10, "x")], [one("k", 90, "x")]), { k: "k" });
});

test("C17: one more occurrence before the others shifts their numbers, not their verdicts", () => {
  const before = [one("k", 10, "x"), one("k-2", 20, "y")];
  const after = [one("k", 5, "new"), one("k-2", 11, "x"), one("k-3", 21, "y")];
  assert.deepEqual(carried(before, after), { "k-2": "k", "k-3": "k-2" });
});

test("C17: one occurrence less takes its own verdict away and nobody else's", () => {
  assert.deepEqual(carried([one("k", 10, "x"), one("k-2", 20, "y")], [one("k", 20, "y")]), { k: "k-2" });
});

test("occurrences that flag the same code are a multiset: their order decides", () => {
  const before = [one("k", 10, "x"), one("k-2", 20, "x")];
  assert.deepEqual(carried(before, [one("k", 12, "x"), one("k-2", 22, "x"), one("k-3", 40, "x")]), {
    k: "k",
    "k-2": "k-2",
  });
});

test("a renamed file or other words keep the verdict where tool, rule and flagged code say so", () => {
  assert.deepEqual(carried([one("k", 10, "x")], [one("m", 10, "x", { file: "src/b.ts" })]), { m: "k" });
  assert.deepEqual(carried([one("k", 10, "x")], [one("m", 10, "x", { rule: "r2" })]), {});
  assert.deepEqual(carried([one("k", 10, null)], [one("m", 10, null)]), {}, "no code, no likeness");
});

test("where more findings flag the same code than the log remembers, none gets the verdict, and that is said", () => {
  const result = carryOver(
    [one("k", 10, "x")],
    [one("m", 1, "x", { file: "src/b.ts" }), one("n", 1, "x", { file: "src/c.ts" })],
  );
  assert.deepEqual([[...result.byKey], result.ambiguous], [[], ["k"]]);
});

test("property: every verdict goes to one finding at most, and an unchanged list keeps all", () => {
  const finding = fc.record({
    base: fc.constantFrom("a", "b", "c"),
    line: fc.integer({ min: 1, max: 9 }),
    flagged: fc.constantFrom("x", "y", null),
  });
  const list = fc.array(finding, { maxLength: 6 }).map((items) => {
    const sorted = items.toSorted((p, q) => p.line - q.line);
    return sorted.map(({ base, line, flagged }, index) => {
      const nth = sorted.slice(0, index).filter((other) => other.base === base).length;
      return one(nth === 0 ? base : `${base}-${nth + 1}`, line, flagged);
    });
  });
  fc.assert(
    fc.property(list, list, (before, after) => {
      const values = Object.values(carried(before, after));
      assert.equal(new Set(values).size, values.length);
      assert.equal(Object.keys(carried(before, before)).length, before.length);
    }),
    { numRuns: 3000 },
  );
});
