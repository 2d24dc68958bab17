import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { type Sides, sidesOf, withoutMoved } from "../../src/core/change.ts";
import { unifiedDiff } from "../support/memoryHistory.ts";

/** The old text, rebuilt from the new one and both sides of the diff. */
function undo(after: readonly string[], { added, removed }: Sides): string[] {
  const dropped = new Set(added.map(({ line }) => line));
  const before: string[] = [];
  for (let line = 1; line <= after.length + 1; line += 1) {
    before.push(...removed.filter(({ at }) => at === line).map(({ text }) => text));
    if (line <= after.length && !dropped.has(line)) before.push(after[line - 1] ?? "");
  }
  return before;
}

const text = fc.array(fc.constantFrom("a", "b", "-- c", "++ d", "@@ -1 +1 @@", " e", "--- a/x", "+++ b/x"), {
  maxLength: 8,
});

test("change: both sides of any diff are told apart, lines that look like headers included", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const sides = sidesOf({ file: "x", diff: unifiedDiff("x", before.join("\n"), after.join("\n")) });
      assert.deepEqual(undo(after, sides), before);
      assert.equal(sides.cut, false);
      for (const { line, text: removed } of sides.removed) assert.equal(before[line - 1], removed);
      for (const { line, text: added } of sides.added) assert.equal(after[line - 1], added);
    }),
    { numRuns: 3000 },
  );
});

test("change: a diff that ends before its hunk does was cut, and says so", () => {
  assert.equal(sidesOf({ file: "x", diff: "@@ -1,3 +1,3 @@\n a\n-b" }).cut, true);
  assert.equal(sidesOf({ file: "x", diff: "@@ -1 +1 @@\n-a\n+b\n", cut: true }).cut, true);
  assert.equal(sidesOf({ file: "x", diff: "" }).cut, false);
});

test("change: what moved from one file to another is no change, each line once; what moved inside its file is", () => {
  const moved = withoutMoved([
    sidesOf({ file: "a", diff: "@@ -1,2 +0,0 @@\n-  guard(x);\n-  guard(x);\n" }),
    sidesOf({ file: "b", diff: "@@ -0,0 +1,2 @@\n+guard( x );\n+fresh();\n" }),
  ]);
  assert.deepEqual(
    moved.map(({ added, removed }) => [added.map((one) => one.text), removed.map((one) => one.text)]),
    [
      [[], ["  guard(x);"]],
      [["fresh();"], []],
    ],
  );
  const inside = withoutMoved([sidesOf({ file: "a", diff: "@@ -1,2 +1,2 @@\n-guard(x);\n use(x);\n+guard(x);\n" })]);
  assert.deepEqual([inside[0]?.added.length, inside[0]?.removed.length], [1, 1]);
});
