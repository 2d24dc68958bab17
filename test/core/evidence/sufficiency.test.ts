import assert from "node:assert/strict";
import test from "node:test";
import { measureSufficiency, summarise } from "../../support/sufficiency.ts";

const measured = await measureSufficiency();
const choices = measured.get("pack") ?? [];

test("evidence: in at least nine of ten rows the pack holds all deciding lines, within the budget of tokens (issue 4)", () => {
  const { share, median, p95 } = summarise(choices);
  const missing = choices.filter(({ sufficient }) => !sufficient).map(({ id, missing: lines }) => [id, lines]);
  assert.ok(choices.length >= 35);
  assert.ok(share >= 0.9, JSON.stringify(missing));
  assert.ok(median <= 1500, `${median} tokens in the median`);
  assert.ok(p95 <= 4000, `${p95} tokens in the 95th percentile`);
});

test("evidence: no plain stretch of the flagged file does as well, the whole of it included", () => {
  const { share } = summarise(choices);
  for (const [way, others] of measured) if (way !== "pack") assert.ok(summarise(others).share < share - 0.2, way);
});
