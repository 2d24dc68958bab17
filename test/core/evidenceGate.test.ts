import assert from "node:assert/strict";
import test from "node:test";
import { EVIDENCE_MARKERS, gateFinding, HEDGES, missingEvidence } from "../../src/core/evidenceGate.ts";
import { at, claim } from "../support/claims.ts";

const MARKED = [
  "Output: 3 failures",
  "ERROR: no such file",
  "see line 7",
  "src/a.ts:12",
  "a stack trace",
  "exit code 1",
  "$ npm test",
  "```",
  "command: make",
  "Result: wrong",
  "observed: 3",
  "Expected: 2",
  "actual: 3",
  "Reproduction: none",
  "Steps to reproduce",
];

for (const [index, text] of MARKED.entries()) {
  test(`R3.20: "${text}" is evidence, and only one kind of it`, () => {
    assert.equal(missingEvidence(text), null);
    assert.ok(EVIDENCE_MARKERS[index]?.test(text));
  });
}

test("R3.19, R3.21: each hedge without a marker is named as such, in any case", () => {
  assert.equal(HEDGES.length, 12);
  for (const hedge of HEDGES) {
    assert.equal(missingEvidence(`It ${hedge.toUpperCase()} broken`), "hedge_without_evidence");
  }
});

test("R3.21: no marker and no hedge is no evidence; a marker keeps even a hedged text", () => {
  assert.equal(missingEvidence("The cache is wrong."), "no_evidence");
  assert.equal(missingEvidence("The cache might be wrong: cache.ts:9"), null);
});

test("R3.20: 'line' counts only with one blank and a digit", () => {
  assert.equal(missingEvidence("the line above, line  9"), "no_evidence");
});

test("R3.30: the gate is lexical: a time of day passes, and the place check has to look behind it", () => {
  assert.equal(missingEvidence("It broke at 10:30"), null);
});

const prose = { prose: true, path: "src/a.ts", message: "The cache is wrong." } as const;

test("R3.18, ruling 12: prose at P0 or P1 without evidence is downgraded to Nit, with its reason", () => {
  assert.deepEqual(gateFinding(claim({ ...prose, severity: "P0" })), { from: "P0", to: "Nit", reason: "no_evidence" });
  const hedged = claim({ ...prose, severity: "P1", message: "The cache may not hold." });
  assert.deepEqual(gateFinding(hedged), { from: "P1", to: "Nit", reason: "hedge_without_evidence" });
});

test("R3.18: P2 and Nit are never downgraded", () => {
  for (const severity of ["P2", "Nit"] as const) assert.equal(gateFinding(claim({ ...prose, severity })), null);
});

test("ruling 12: only prose passes the gate", () => {
  assert.equal(gateFinding(claim({ ...prose, prose: false })), null);
});

test("ruling 12: a structured line is a marker", () => {
  assert.equal(gateFinding(claim({ ...prose, span: at(3) })), null);
});

test("ruling 12: a finding without any location is flagged by its place, not downgraded", () => {
  assert.equal(gateFinding(claim({ ...prose, path: null })), null);
});

test("R3.21: the marker is searched in the whole text of the finding, not only in its message", () => {
  assert.equal(gateFinding(claim({ ...prose, extra: { text: "| a.ts | HIGH | x | observed: 3 |" } })), null);
});
