import assert from "node:assert/strict";
import test from "node:test";
import type { Clusterable } from "../../src/core/duplicates.ts";
import { clusterIds, maskedText } from "../../src/core/duplicates.ts";
import { sha256 } from "../support/memoryRepository.ts";

const finding = (more: Partial<Clusterable>): Clusterable => ({
  file: "a.ts",
  category: "quality",
  rule: null,
  message: "`total` is never read",
  status: "open",
  hard: null,
  ...more,
});
const together = (a: Partial<Clusterable>, b: Partial<Clusterable>): boolean => {
  const [first, second] = clusterIds([finding(a), finding(b)], sha256);
  return first !== null && first === second;
};

test("C18: findings that differ only in names and lines cluster", () => {
  assert.ok(together({ message: "`total` is never read (line 3)" }, { message: "`count` is never read (line 90)" }));
  assert.ok(together({ message: "userName is unused" }, { message: "orderId is unused" }));
});

test("C18: a finding that stands alone has no cluster", () => {
  assert.deepEqual(clusterIds([finding({}), finding({ message: "Division by zero" })], sha256), [null, null]);
});

const APART: readonly [string, Partial<Clusterable>, Partial<Clusterable>][] = [
  ["another file", {}, { file: "b.ts" }],
  ["another category", {}, { category: "security" }],
  ["other words", {}, { message: "`total` is read too early" }],
  ["without a category, another rule", { category: null, rule: "a" }, { category: null, rule: "b" }],
  ["a suppressed one beside an open one", {}, { status: "suppressed" }],
  ["hard facts", { hard: "secret" }, { hard: "secret" }],
  ["findings without a file", { file: null }, { file: null }],
];
for (const [words, a, b] of APART) {
  test(`C18, rulings 7 and 11: apart: ${words}`, () => assert.ok(!together(a, b)));
}

test("ruling 11: other numbers in the claim are another claim", () => {
  assert.notEqual(maskedText("The limit is 10"), maskedText("The limit is 20"));
});

test("C18: the id of a cluster does not depend on order or on other findings", () => {
  const pair = [finding({ message: "`a` is unused" }), finding({ message: "`b` is unused" })];
  const [id] = clusterIds(pair, sha256);
  const more = clusterIds([finding({ file: "z.ts" }), ...pair.toReversed()], sha256);
  assert.deepEqual(more, [null, id, id]);
});
