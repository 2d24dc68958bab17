import assert from "node:assert/strict";
import test from "node:test";
import { readReview } from "../../src/core/intake/readReview.ts";
import { reproductionOf } from "../../src/core/reproduction.ts";

const CASES: readonly (readonly [written: string, read: string])[] = [
  ["node a.js", "node a.js"],
  ["`node a.js 'x y'`", "node a.js 'x y'"],
  ["run `node a.js` twice", "run `node a.js` twice"],
];

for (const [written, read] of CASES)
  test(`the reproduction of a review, written as ${JSON.stringify(written)}, is read (R3.1)`, () => {
    const review = `## P2: It throws\n\n**File**: src/a.ts:3\n**Description**: It throws.\n**Reproduction**: ${written}\n`;
    const [claimed] = readReview(review, "review.md").claimed;
    assert.ok(claimed);
    assert.equal(reproductionOf(claimed), read);
  });

test("an agent's reproduction is read as well, and what is no text or blank is none", () => {
  assert.equal(reproductionOf({ extra: { reproduction: "npm test" } }), "npm test");
  assert.equal(reproductionOf({ extra: { reproduction: "```sh\nnpm test\n```" } }), "npm test");
  for (const extra of [{}, { repro: null }, { reproduction: 3 }, { repro: " \n" }])
    assert.equal(reproductionOf({ extra }), null);
});
