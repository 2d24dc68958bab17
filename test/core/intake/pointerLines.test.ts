import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { linesOfPointers } from "../../../src/core/intake/pointerLines.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";

const TEXT = ['{ "a/b": [', '    1, "x\\"]",', '    { "~": null }', "  ],", '  "c": {"d": [[]]}', "}"].join("\n");

for (const [pointer, line] of [
  ["", 1],
  ["/a~1b", 1],
  ["/a~1b/0", 2],
  ["/a~1b/1", 2],
  ["/a~1b/2", 3],
  ["/a~1b/2/~0", 3],
  ["/c/d/0", 5],
  ["/c/e", undefined],
  ["/a~1b/3", undefined],
] as const) {
  test(`the member ${pointer || "(whole)"} begins on line ${line ?? "none"}`, () => {
    assert.equal(linesOfPointers(TEXT, [pointer]).get(pointer), line);
  });
}

test("every member of any JSON, one a line, is found on its line", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      (list, eol) => {
        const text = `[${list.map((value) => JSON.stringify(value)).join(`,${eol}`)}]`;
        const pointers = list.map((_, index) => `/${index}`);
        assert.deepEqual(
          [...linesOfPointers(text, pointers).values()],
          list.map((_, index) => index + 1),
        );
      },
    ),
  );
});

test("C20: a broken entry of a JSON report is named with its line", () => {
  const report = { findings: [{ file: "a.ts", line: 1, severity: "high", message: "m" }, { file: "b.ts" }] };
  const { unread } = readReview(JSON.stringify(report, null, 1), "x");
  assert.deepEqual(
    unread.map(({ line, pointer }) => [line, pointer]),
    [[9, "/findings/1"]],
  );
});
