import * as fc from "fast-check";
import type { CheckResult } from "../../src/core/check.ts";
import { SEVERITIES, type Finding, type Severity } from "../../src/core/finding.ts";
import { BLANK_CLAIM } from "../../src/core/intake/reader.ts";
import { type CheckedCitation, QUESTIONS, type Round, type RoundNumber, type Ruling } from "../../src/core/round.ts";

/** A finding with everything a test does not care about filled in. */
export function finding(more: Partial<Finding> = {}): Finding {
  const { path: _path, span: _span, ...blank } = BLANK_CLAIM;
  return {
    ...blank,
    severity: "P1",
    sourceSeverity: { scale: "word", value: "high" },
    tool: "tool",
    message: "Something is wrong.",
    key: "k",
    place: {
      status: "exact",
      file: "src/a.ts",
      note: null,
      line: 3,
      endLine: 3,
      column: null,
      endColumn: null,
      cited: { line: 3, endLine: 3, column: null, endColumn: null },
    },
    citedPath: "src/a.ts",
    hard: null,
    cluster: null,
    gate: null,
    source: { path: "review", pointer: "L1" },
    ...more,
  };
}

export const severities = fc.constantFrom(...SEVERITIES);

/** Findings of every severity, hard or not, in every state of their source. */
export const findings: fc.Arbitrary<Finding> = fc
  .record({
    severity: severities,
    hard: fc.option(fc.constantFrom("secret", "failing-test"), { freq: 6 }),
    status: fc.constantFrom("open", "open", "suppressed", "absent", "pass"),
  })
  .map(finding);

/** Citations over few places, so that rounds often share one. */
export const citations: fc.Arbitrary<CheckedCitation> = fc
  .record({
    file: fc.constantFrom("src/a.ts", "src/b.ts"),
    line: fc.integer({ min: 1, max: 4 }),
    height: fc.integer({ min: 0, max: 2 }),
    ok: fc.boolean(),
  })
  .map(({ file, line, height, ok }) => ({
    file,
    line,
    endLine: line + height,
    quote: "quoted code",
    ok,
    shown: "quoted code",
    note: null,
  }));

/** What one round may have come to; an INVALID counts only with a citation that resolves, as the pipeline makes it (C8). */
export function rounds(n: RoundNumber): fc.Arbitrary<Round> {
  const question = QUESTIONS[n - 1] ?? "premise";
  const counted = fc
    .record({ stated: fc.constantFrom("VALID", "INVALID", "UNCERTAIN"), cited: fc.array(citations, { maxLength: 3 }) })
    .map(({ stated, cited }): Round => {
      const carries = stated !== "INVALID" || cited.some(({ ok }) => ok);
      return {
        kind: "counted",
        n,
        question,
        verdict: carries ? stated : "UNCERTAIN",
        stated,
        crux: "crux",
        reasoning: "reasoning",
        citations: cited,
        grepUsed: null,
        note: null,
      };
    });
  const abstained = fc.constant<Round>({ kind: "abstained", n, question, reason: "down" });
  return fc.oneof({ weight: 4, arbitrary: counted }, { weight: 1, arbitrary: abstained });
}

export const threeRounds: fc.Arbitrary<readonly Round[]> = fc.tuple(rounds(1), rounds(2), rounds(3));

/** Rulings of every kind. */
export const rulings: fc.Arbitrary<Ruling> = fc
  .record({
    verdict: fc.constantFrom("VALID", "INVALID", "INVALID", null),
    citations: fc.array(citations, { maxLength: 2 }),
    overrideRejected: fc.boolean(),
  })
  .map((ruling) => ({
    ...ruling,
    crux: "crux",
    reasoning: "reasoning",
    reason: ruling.verdict === null ? "why" : null,
  }));

/** Results of checks on atoms of every class, with and without weight, and of the place. */
export const checks: fc.Arbitrary<CheckResult> = fc
  .record({
    claimClass: fc.constantFrom(null, 1, 2, 3, 5, 6, 10, 11, 12, 13),
    weight: fc.boolean(),
    place: fc.boolean(),
    verdict: fc.constantFrom("refuted", "refuted", "confirmed", "inapplicable", "unknown"),
  })
  .map(({ claimClass, weight, place, verdict }) => ({
    check: "check",
    atom: place ? null : { id: 0, kind: "structural", claimClass, text: "atom", weight, subject: null },
    verdict: place && verdict === "refuted" ? "unknown" : verdict,
    text: "said",
    citations: [],
    receipts: [],
  }));

/** How far down a severity stands; 0 is the worst. */
export const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);
