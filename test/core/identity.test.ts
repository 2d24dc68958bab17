import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { canonicalText, findingKeys, trustedFingerprints } from "../../src/core/identity.ts";
import { sha256 } from "../support/memoryRepository.ts";

const SAME: readonly [string, string][] = [
  ["Guard missing at src/a.ts:12", "Guard missing at src/a.ts:340"],
  ["Guard missing at src/a.ts:12:5", "Guard missing at src/a.ts:9-11"],
  ["see a.ts#L4-L9", "see a.ts#L7"],
  ["Wrong on line 12", "Wrong on line 4"],
  ["Wrong on lines 12-15", "Wrong on lines 4 and 7"],
  ["`total` is   never\nread", "'total' is never read"],
  ["“total” is never read", '"total" is never read'],
];
for (const [a, b] of SAME) {
  test(`R1.4, ruling 19: "${a}" and "${b}" are one text`, () => assert.equal(canonicalText(a), canonicalText(b)));
}

const DIFFERENT: readonly [string, string][] = [
  ["`total` is never read", "`count` is never read"],
  ["Limit is 10", "Limit is 20"],
  ["Times out after 10:30", "Times out after 10:45"],
  ["Opens port 8080", "Opens port 9090"],
  ["total is never read", "Total is never read"],
];
for (const [a, b] of DIFFERENT) {
  test(`ruling 19: "${a}" and "${b}" are two texts`, () => assert.notEqual(canonicalText(a), canonicalText(b)));
}

test("R1.4: canonical text is stable when made canonical again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const once = canonicalText(text.replace(/\d/g, "n"));
      assert.equal(canonicalText(once), once);
    }),
  );
});

const keyed = (message: string, line: number | null = 1, file: string | null = "a.ts") => ({
  file,
  message,
  line,
  column: null,
});

test("C17: the key is made of file and words; the line is only an attribute", () => {
  const [a] = findingKeys([keyed("x is unused", 3)], sha256);
  const [b] = findingKeys([keyed("x is unused", 300)], sha256);
  const [c] = findingKeys([keyed("x is unused", 3, "b.ts")], sha256);
  assert.equal(a, b);
  assert.notEqual(a, c);
  assert.match(a ?? "", /^[0-9a-f]{16,}$/);
});

test("C17: the third of three equal findings gets -3, counted by line, whatever the order they come in", () => {
  const findings = [keyed("same", 9), keyed("same", 1), keyed("same", 5)];
  const keys = findingKeys(findings, sha256);
  const base = keys[1] ?? "";
  assert.deepEqual(keys, [`${base}-3`, base, `${base}-2`]);
});

test("C17: keys are unique in one ingest, and neither order nor other findings change them", () => {
  const finding = fc.record({
    file: fc.constantFrom("a.ts", "b.ts", null),
    message: fc.constantFrom("x", "y", "x at line 3", "'x'"),
    line: fc.integer({ min: 1, max: 1_000_000 }),
    column: fc.constant(null),
  });
  const distinct = fc.uniqueArray(finding, { selector: ({ line }) => line, maxLength: 30 });
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (findings, random) => {
      const keys = findingKeys(findings, sha256);
      assert.equal(new Set(keys).size, keys.length);
      const order = findings.map((_, index) => ({ index, at: random.next().value })).sort((a, b) => a.at - b.at);
      const shuffled = findingKeys(
        order.flatMap(({ index }) => findings[index] ?? []),
        sha256,
      );
      for (const [position, { index }] of order.entries()) assert.equal(shuffled[position], keys[index]);
      const others = findings.map((each) => ({ ...each, message: "another finding" }));
      assert.deepEqual(findingKeys([...others, ...findings], sha256).slice(findings.length), keys);
    }),
  );
});

test("C17: a fingerprint that repeats, is empty or holds blanks is no identity", () => {
  const trusted = trustedFingerprints([
    { v1: "abc", v2: "requires login" },
    { v1: "abc", v2: "d41d", v3: "" },
  ]);
  assert.deepEqual(trusted, [{}, { v2: "d41d" }]);
});
