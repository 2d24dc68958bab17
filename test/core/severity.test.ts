import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { SEVERITY_SCALES, securityBand, severityOf } from "../../src/core/severity.ts";

const TABLE: readonly [scale: string, value: string, severity: string | null][] = [
  ["sarif-level", "error", "P1"],
  ["sarif-level", "warning", "P2"],
  ["sarif-level", "note", "Nit"],
  ["sarif-level", "none", "Nit"],
  ["security-severity", "9.0", "P0"],
  ["security-severity", "8.9", "P1"],
  ["security-severity", "7", "P1"],
  ["security-severity", "6.9", "P2"],
  ["security-severity", "4.0", "P2"],
  ["security-severity", "3.9", "Nit"],
  ["security-severity", "10.1", null],
  ["security-severity", "high", null],
  ["archeflow-table", "CRITICAL", "P0"],
  ["archeflow-table", "WARNING", "P1"],
  ["archeflow-table", "INFO", "Nit"],
  ["word", "Critical", "P0"],
  ["word", "blocker", "P0"],
  ["word", "major", "P1"],
  ["word", "error", "P1"],
  ["word", "moderate", "P2"],
  ["word", "warning", "P2"],
  ["word", "style", "Nit"],
  ["word", "terrible", null],
  ["p-scale", "P0", "P0"],
  ["p-scale", "p2", "P2"],
  ["p-scale", "Nit", "Nit"],
  ["editor", "error", "P1"],
  ["editor", "warning", "P2"],
  ["editor", "information", "Nit"],
  ["editor", "hint", "Nit"],
  ["no such scale", "error", null],
];

for (const [scale, value, severity] of TABLE) {
  test(`C2, ruling 18: ${value} on the scale ${scale} is ${severity ?? "unknown"}`, () => {
    assert.equal(severityOf({ scale, value }), severity);
  });
}

test("C2: every map can be changed, word by word, and the rest of its scale stays", () => {
  const map = { "sarif-level": { error: "P0" }, "security-severity": { high: "P2" } } as const;
  assert.equal(severityOf({ scale: "sarif-level", value: "error" }, map), "P0");
  assert.equal(severityOf({ scale: "sarif-level", value: "warning" }, map), "P2");
  assert.equal(severityOf({ scale: "security-severity", value: "7.5" }, map), "P2");
});

test("a person's map adds words that no table knows", () => {
  assert.equal(severityOf({ scale: "word", value: "Showstopper" }, { word: { showstopper: "P0" } }), "P0");
});

test("names of object members are no severities", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.equal(severityOf({ scale: name, value: name }, {}), null);
    assert.equal(severityOf({ scale: "word", value: name }, { word: {} }), null);
  }
});

const ofNumber = (value: string) => severityOf({ scale: "security-severity", value }) ?? assert.fail(value);

test("C2: a higher security number never gives a lower severity", () => {
  const rank = { P0: 0, P1: 1, P2: 2, Nit: 3 };
  const score = fc.integer({ min: 0, max: 100 }).map((tenths) => (tenths / 10).toFixed(1));
  fc.assert(
    fc.property(score, score, (a, b) => {
      const [low, high] = Number(a) <= Number(b) ? [a, b] : [b, a];
      assert.ok(rank[ofNumber(high)] <= rank[ofNumber(low)]);
      assert.notEqual(securityBand(a), null);
    }),
  );
});

test("only explicit words and security numbers reach P0: no diagnostic and no SARIF level does", () => {
  for (const scale of ["sarif-level", "editor"] as const) {
    assert.ok(!Object.values(SEVERITY_SCALES[scale]).some((severity: string) => severity === "P0"));
  }
});
