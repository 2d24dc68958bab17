import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { type ResultRange, SarifSplitter, type SplitLog } from "../../../../src/core/intake/sarif/split.ts";

function split(bytes: Uint8Array, sizes: readonly number[]): SplitLog {
  const splitter = new SarifSplitter();
  let from = 0;
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    splitter.push(bytes.subarray(from, from + size));
    from += size;
  }
  return splitter.end();
}

function cut(bytes: Uint8Array, pairs: readonly number[]): string {
  let text = "";
  for (let at = 0; at < pairs.length; at += 2)
    text += Buffer.from(bytes.subarray(pairs[at], pairs[at + 1])).toString("utf8");
  return text;
}

function piece(bytes: Uint8Array, { start, end, holes }: ResultRange): string {
  let text = "";
  let from = start;
  for (let at = 0; at < holes.length; at += 2) {
    text += `${Buffer.from(bytes.subarray(from, holes[at])).toString("utf8")}null`;
    from = holes[at + 1] ?? end;
  }
  return text + Buffer.from(bytes.subarray(from, end)).toString("utf8");
}

const word = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", '\\"', "{", "]", "runs", "results", "ü€𝄞", "a\\\\"),
);
/** A result as it reads without what is left for later. */
function bare(member: unknown): unknown {
  const flows =
    typeof member === "object" && member !== null && !Array.isArray(member) && Object.hasOwn(member, "codeFlows");
  return flows ? { ...member, codeFlows: null } : member;
}

// No key that has to be escaped: V8 13.6 mixes up such keys of objects of one shape, in JSON.parse itself.
const name = fc.constantFrom("runs", "results", "codeFlows", "ü", "a", "");
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    word,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const result = fc.oneof(
  fc.record(
    { ruleId: word, message: fc.record({ text: word }), results: value, codeFlows: value, runs: value },
    { requiredKeys: [] },
  ),
  value,
);
const run = fc.oneof(
  fc.record({ tool: value, results: fc.array(result, { maxLength: 4 }), codeFlows: value }, { requiredKeys: [] }),
  fc.constant(null),
);
const log = fc.record(
  {
    version: fc.constant("2.1.0"),
    inlineExternalProperties: value,
    runs: fc.array(run, { maxLength: 3 }),
    properties: value,
  },
  { requiredKeys: ["runs"] },
);

test("every result of a log is found, wherever chunks end, with its flows left out and its position kept", () => {
  fc.assert(
    fc.property(
      log,
      fc.constantFrom(0, 1, 2),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      (document, indent, sizes) => {
        const bytes = Buffer.from(JSON.stringify(document, null, indent));
        const found = split(bytes, sizes);
        assert.equal(found.complete, true);
        const wanted = document.runs.flatMap((one, runIndex) =>
          (one?.results ?? []).map((member, index) => ({ run: runIndex, index, member })),
        );
        const read = found.ranges.map((range) => ({
          run: range.run,
          index: range.index,
          member: JSON.parse(piece(bytes, range)) as unknown,
        }));
        assert.equal(
          JSON.stringify(read),
          JSON.stringify(wanted.map(({ run: at, index, member }) => ({ run: at, index, member: bare(member) }))),
        );
        const skeleton = JSON.stringify(JSON.parse(cut(bytes, found.skeleton)));
        const empty = {
          ...document,
          runs: document.runs.map((one) => (one === null || one.results === undefined ? one : { ...one, results: [] })),
        };
        assert.equal(skeleton, JSON.stringify(JSON.parse(JSON.stringify(empty))));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a log that was cut off keeps every result that was complete", () => {
  const document = {
    version: "2.1.0",
    runs: [{ results: Array.from({ length: 5 }, (_unused, index) => ({ ruleId: `r${index}` })) }],
  };
  const bytes = Buffer.from(JSON.stringify(document));
  for (let length = 0; length < bytes.length; length += 1) {
    const found = split(bytes.subarray(0, length), [7]);
    assert.equal(found.complete, length === 0);
    for (const range of found.ranges) assert.equal(JSON.parse(piece(bytes, range)).ruleId, `r${range.index}`);
  }
});
