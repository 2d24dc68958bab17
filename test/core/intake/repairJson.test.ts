import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { repairJson } from "../../../src/core/intake/repairJson.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";

for (const [words, text, value, isCut] of [
  ["a comma too much in a list", "[1, 2, ]", [1, 2], false],
  ["a comma too much in an object", '{"a": {"b": 1,},\n}', { a: { b: 1 } }, false],
  ["a comma inside a string stays", '[",]", {"a": 1},]', [",]", { a: 1 }], false],
  ["a half entry goes, whole ones stay", '{"x": [{"a": 1}, {"a": {"b": 2}, "c', { x: [{ a: 1 }] }, true],
  ["a cut inside a string with brackets", '[{"a": "]}"}, {"a": "]}', [{ a: "]}" }], true],
] as const) {
  test(`broken JSON: ${words}`, () => {
    const repaired = repairJson(text);
    assert.deepEqual([repaired?.value, repaired?.isCut], [value, isCut]);
  });
}

for (const text of [
  "",
  "{",
  '{"a": 1',
  "[1, 2",
  "[1}",
  '{"a": [}]}',
  "not json",
  "[1] [2]",
  `${"[".repeat(100_000)}1,`,
]) {
  test(`what cannot be mended is not: ${text.slice(0, 12)}`, () => assert.equal(repairJson(text), null));
}

test("a report cut off anywhere keeps every entry that is whole, and says that it ends early (C20)", () => {
  const findings = Array.from({ length: 6 }, (_, n) => ({
    file: `src/a${n}.ts`,
    line: n + 1,
    severity: "high",
    message: `m${n} } ]`,
  }));
  const text = JSON.stringify({ tool: "t", findings }, null, 2);
  const ends = findings.map((_, n) => text.indexOf("}", text.indexOf(`m${n} } ]`) + 6) + 1);
  fc.assert(
    fc.property(fc.integer({ min: ends[0] ?? 0, max: (ends[5] ?? 0) - 1 }), (length) => {
      const { claimed, unread } = readReview(text.slice(0, length), "x");
      const whole = ends.filter((end) => end <= length).length;
      assert.deepEqual(
        claimed.map(({ path }) => path),
        findings.slice(0, whole).map(({ file }) => file),
      );
      assert.equal(unread.filter(({ severityWord }) => severityWord).length, 1);
    }),
  );
});

test("C20: a comma too much is said and costs nothing", () => {
  const { claimed, unread } = readReview('[\n{"file":"a.ts","line":1,"severity":"low",\n"message":"m",}]', "x");
  assert.equal(claimed.length, 1);
  assert.deepEqual(
    unread.map(({ line, severityWord }) => [line, severityWord]),
    [[3, false]],
  );
});
