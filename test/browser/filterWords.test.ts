import assert from "node:assert/strict";
import test from "node:test";
import { SEVERITIES, shortFigures, shownWords, toggled } from "../../src/browser/filter/words.ts";

const FIGURES: readonly (readonly [number, string])[] = [
  [0, "0"],
  [999, "999"],
  [1000, "1k"],
  [1099, "1k"],
  [2103, "2.1k"],
  [9949, "9.9k"],
  [9999, "9k"],
  [84_999, "84k"],
  [999_499, "999k"],
  [1_250_000, "1.2M"],
];
for (const [count, text] of FIGURES) {
  test(`${count} is written ${text}: never more than there are, never over four characters`, () => {
    assert.equal(shortFigures(count), text);
    assert.ok(text.length <= 4);
  });
}

test("the last line counts in words", () => {
  const counts = { waiting: 0, bySeverity: { P0: 0, P1: 0, P2: 0, Nit: 0 } };
  assert.equal(shownWords({ ...counts, shown: 1, total: 1 }), "1 finding");
  assert.equal(shownWords({ ...counts, shown: 12, total: 8412 }), "12 of 8,412 findings");
  assert.equal(shownWords({ ...counts, shown: 0, total: 8412 }), "All 8,412 are hidden");
});

test("a pressed severity goes in its place, worst first, and out again", () => {
  assert.deepEqual(toggled(["Nit"], "P1", SEVERITIES), ["P1", "Nit"]);
  assert.deepEqual(toggled(["P1", "Nit"], "P1", SEVERITIES), ["Nit"]);
});
