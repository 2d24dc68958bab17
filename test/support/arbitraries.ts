import * as fc from "fast-check";
import type { CheckResult } from "../../src/core/check.ts";
import { SEVERITIES, type Finding, type Severity } from "../../src/core/finding.ts";
import { BLANK_CLAIM } from "../../src/core/intake/reader.ts";
import { LENS_IDS } from "../../src/core/lens.ts";
import { type Method, STRATEGIES, USUAL_METHOD, VISIBILITIES } from "../../src/core/method.ts";
import { IMPACT_ASSESSMENTS, type Opinion, OPINIONS } from "../../src/core/opinion.ts";
import { BARS, type Terms } from "../../src/core/policy.ts";
import { recount, type Refutation, type Refuter } from "../../src/core/refuter.ts";
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

/** Methods of every strategy. */
export const methods: fc.Arbitrary<Method> = fc
  .record({
    strategy: fc.constantFrom(...STRATEGIES),
    visibility: fc.constantFrom(...VISIBILITIES),
    intent: fc.constantFrom("dismiss", "dismiss", "confirm", "clarify"),
    secondOpinion: fc.constantFrom("when-needed", "always"),
  })
  .map((drawn) => ({ ...USUAL_METHOD, ...drawn, intent: drawn.strategy === "verdict" ? drawn.intent : "dismiss" }));

/** Terms of every kind. */
export const terms: fc.Arbitrary<Terms> = fc.record({
  costMode: fc.constantFrom("normal", "p0-only"),
  heightened: fc.boolean(),
  untouchable: fc.option(fc.constant("Your settings keep it."), { freq: 4 }),
  braked: fc.constantFrom(null, null, 11),
});

/** One refuter of every kind; a counted one names a line that resolves, as the pipeline makes it. */
export const refuters: fc.Arbitrary<Refuter> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        lens: fc.constantFrom(...LENS_IDS),
        side: fc.constantFrom("against", "for", "needs-check"),
        refuterConfidence: fc.constantFrom("high", "medium", "low"),
        impact: fc.constantFrom("critical", "high", "medium", "low"),
        cited: fc.array(citations, { minLength: 1, maxLength: 3 }),
        scenario: fc.constantFrom("", "two requests at once"),
      })
      .map(({ lens, side, refuterConfidence, impact, cited, scenario }): Refuter => ({
        kind: "counted",
        lens: { kind: "own", id: lens },
        pass: 1,
        side,
        stated: side === "against" ? "refuted" : side === "for" ? "confirmed_bug" : "needs_oracle",
        refuterConfidence,
        impact,
        attack: side === "against" ? "it is guarded" : "",
        scenario,
        citations: cited.map((citation, index) => (index === 0 ? { ...citation, ok: true } : citation)),
        reReadSources: ["src/a.ts"],
        note: null,
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...LENS_IDS)
      .map((id): Refuter => ({ kind: "abstained", lens: { kind: "own", id }, pass: 1, reason: "down", attack: "" })),
  },
);

/** What a number of refuters come to. */
export function refutationOf(all: readonly Refuter[], polarity: Refutation["polarity"] = "bug"): Refutation {
  return { polarity, refuters: all, recount: recount(all), passes: 1, stopped: null, untouched: [] };
}

export const refutations: fc.Arbitrary<Refutation> = fc
  .record({
    all: fc.array(refuters, { minLength: 1, maxLength: 7 }),
    polarity: fc.constantFrom("bug", "bug", "bug", "safe"),
  })
  .map(({ all, polarity }) => refutationOf(all, polarity));

/** A second opinion with so many references that resolve. */
export function opinionWith(more: Partial<Extract<Opinion, { kind: "gave" }>>, refs: number): Opinion {
  return {
    kind: "gave",
    intent: "dismiss",
    thread: "thread",
    verdict: "NON_ACTIONABLE",
    stated: "NON_ACTIONABLE",
    impact: "NOT_ASSESSED",
    verdictConfidence: 1,
    reasoning: "reasoning",
    by: { provider: "p", model: "m" },
    note: null,
    rebuttal: null,
    ...more,
    refs: Array.from({ length: refs }, (_, index) => ({
      text: `src/a.ts:${index + 1}: quoted code`,
      ok: true,
      receipt: null,
      citation: {
        file: "src/a.ts",
        line: index + 1,
        endLine: index + 1,
        quote: "quoted code",
        ok: true,
        shown: "quoted code",
        note: null,
      },
    })),
  };
}

/** A second opinion that reaches the bar of a severity in the usual state. */
export function agreeing(severity: Severity): Opinion {
  const { confidence, refs } = BARS[severity].usual;
  return opinionWith({ verdictConfidence: confidence }, refs);
}

export const opinions: fc.Arbitrary<Opinion> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        verdict: fc.constantFrom(...OPINIONS),
        impact: fc.constantFrom(...IMPACT_ASSESSMENTS),
        verdictConfidence: fc.constantFrom(0, 0.5, 0.69, 0.7, 0.75, 0.79, 0.8, 0.85, 0.9, 0.95, 0.99, 1),
        intent: fc.constantFrom("dismiss", "dismiss", "confirm", "clarify"),
        refs: fc.nat({ max: 6 }),
      })
      .map(({ refs, ...more }) => opinionWith({ ...more, stated: more.verdict }, refs)),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Opinion>({
      kind: "abstained",
      intent: "dismiss",
      reason: "down",
      by: { provider: "p", model: "m" },
    }),
  },
);
