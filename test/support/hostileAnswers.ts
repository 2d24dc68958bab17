import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Severity } from "../../src/core/finding.ts";
import { countedRefs } from "../../src/core/opinion.ts";
import { BARS } from "../../src/core/policy.ts";
import type { Triaged } from "../../src/core/triage.ts";
import { callFromFunction } from "../../src/node/models/verbCalls.ts";
import { FILE, here, lensOf } from "./minds.ts";
import { type Asked, createScriptedModel, type Said, type ScriptedModel } from "./scriptedModel.ts";

/** What stands in a file beside the workspace: the part that models know, and the part that shows that somebody read it. */
export const OUTSIDE = "OUTSIDE_THE_WORKSPACE";
export const UNKNOWN = "read_from_outside_7f3a";

const paths = fc.oneof(
  { weight: 3, arbitrary: fc.constant(FILE) },
  fc.constantFrom(
    "../outside.txt",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "file:///etc/passwd",
    "https://evil.example/a.ts",
    "link.txt",
    "folder/outside.txt",
    "~/.ssh/id_rsa",
    ".git/config",
    "",
    "\0",
    "a".repeat(5000),
  ),
  fc.string({ maxLength: 30 }),
);
const lines = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 18 }) },
  fc.constantFrom(
    0,
    -1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1.5,
  ),
);
const quotes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 18 }).map((line) => here(line).quote) },
  fc.constantFrom(OUTSIDE, "", "root:x:0:0", "x".repeat(100_000), "\u0000\uD800", "(".repeat(2000)),
  fc.string({ maxLength: 40 }),
);
const words = fc.oneof(
  { weight: 3, arbitrary: fc.constant("the key fact") },
  fc.constantFrom(
    "the key fact",
    "",
    "y".repeat(50_000),
    "mypy reports nothing",
    "The finding is real.",
    "\uDFFF\u202E",
  ),
  fc.string({ maxLength: 60 }),
);
const confidences = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 0.6, max: 1, noNaN: true }) },
  fc.constantFrom(-1, 2, Number.NaN, Number.POSITIVE_INFINITY, "1", null),
);
/** Mostly what stands in the file, so that answers can win something; else anything. */
const citation = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 18 }).map(here) },
  { weight: 1, arbitrary: fc.record({ file: paths, line: lines, endLine: lines, quote: quotes }) },
);
const sure = fc.constantFrom("INVALID", "INVALID", "INVALID", "INVALID", "INVALID", "VALID", "UNCERTAIN");

/** One answer, in the form of whoever is asked; now and then something else altogether. */
const answer = fc.record({
  fate: fc.constantFrom(
    "answer",
    "answer",
    "answer",
    "answer",
    "answer",
    "answer",
    "answer",
    "answer",
    "raw",
    "refused",
    "failed",
    "other",
  ),
  verdict: sure,
  citations: fc.array(citation, { maxLength: 4 }),
  words,
  confidence: confidences,
  workDone: fc.constantFrom(true, true, true, false),
  needsOracle: fc.oneof({ weight: 5, arbitrary: fc.constant("") }, words, fc.constant("`LIMIT` is 50.")),
  other: fc.anything(),
  call: fc.record({
    name: fc.constantFrom("read_file", "search", "git_log", "git_blame", "git_diff", "git_show", "exec", "answer"),
    members: fc.record({
      file: paths,
      path: paths,
      from: lines,
      to: lines,
      pattern: quotes,
      literal: fc.boolean(),
      revision: paths,
      count: lines,
    }),
  }),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

function say(given: Answer, asked: Asked): Said {
  const { fate, verdict, citations, call } = given;
  if (fate === "raw") return { raw: given.words };
  if (fate === "refused") return { refused: given.words };
  if (fate === "failed") return { failed: given.words };
  if (fate === "other") return { answer: given.other };
  if (asked.tools && !asked.request.messages.some(({ role }) => role === "evidence"))
    return { wants: [callFromFunction("c", call.name, JSON.stringify(call.members))] };
  const evidence = citations.map(({ file, line, quote }) => `${file}:${line}: ${quote}`);
  if (asked.role === "refuter")
    return {
      answer: {
        claimId: /^claimId: (.*)$/m.exec(asked.prompt)?.[1] ?? "",
        lens: lensOf(asked),
        verdict: { INVALID: "refuted", VALID: "survives", UNCERTAIN: "needs_oracle" }[verdict],
        refuted: verdict === "INVALID",
        severity: "low",
        confidence: "high",
        workDone: given.workDone,
        reReadSources: citations.map(({ file }) => file),
        evidence,
        attack: given.words,
        scenario: "",
        needsOracle: given.needsOracle,
      },
    };
  if (asked.role === "opinion")
    return {
      answer: {
        codex_verdict: { INVALID: "NON_ACTIONABLE", VALID: "ACTIONABLE", UNCERTAIN: "UNCERTAIN" }[verdict],
        impact_assessment: "NOT_ASSESSED",
        confidence: given.confidence,
        evidence_refs: evidence,
        reasoning: given.words,
      },
    };
  const { words: crux, needsOracle } = given;
  return {
    answer: { verdict, crux, reasoning: crux, citations, grepUsed: true, needsOracle, impact: "critical", reach: crux },
  };
}

/** Answers of one run: one after the other, each again from the start when they are used up. */
export const answers = fc.array(answer, { minLength: 4, maxLength: 8 });

/** A model that gives them. */
export function createHostileModel(said: readonly Answer[]): ScriptedModel {
  let turn = 0;
  return createScriptedModel((asked) => {
    const given = said[turn % said.length];
    if (given === undefined) throw new Error("There is no answer.");
    const next = say(given, asked);
    // What it says after a look is part of the same answer.
    if (!("wants" in next)) turn += 1;
    return next;
  });
}

/** What an automatic dismissal rests on, told apart from the policy's own code (ruling 4, R1.14). */
export function assertGrounds(triaged: Triaged, severity: Severity): void {
  const { outcome, rounds, ruling, refutation, opinion, receipts } = triaged;
  if (outcome.proposesDismissal) {
    assert.equal(outcome.authorization, "human-required");
    assert.equal(outcome.mapped, "DISMISS_CANDIDATE");
  }
  if (outcome.authorization !== "automated") return;
  assert.ok(severity === "P2" || severity === "Nit");
  if (triaged.method?.strategy === "rounds") {
    const against = rounds.filter(
      (round) => round.kind === "counted" && round.verdict === "INVALID" && round.citations.some(({ ok }) => ok),
    );
    assert.ok(against.length >= 2 && ruling?.verdict === "INVALID");
  } else if (triaged.method?.strategy === "refute") {
    const against = (refutation?.refuters ?? []).filter(
      (one) => one.kind === "counted" && one.side === "against" && one.citations.some(({ ok }) => ok),
    );
    assert.ok(against.length >= 2 && against.length > (refutation?.recount.asked ?? 0) / 2);
  } else {
    assert.ok(opinion?.kind === "gave" && opinion.verdict === "NON_ACTIONABLE");
    assert.ok(opinion.verdictConfidence >= BARS[severity].usual.confidence && opinion.verdictConfidence <= 1);
    assert.ok(countedRefs(opinion.refs) >= BARS[severity].usual.refs);
    assert.ok(receipts.some(({ by, exitCode }) => by === "second-opinion" && exitCode === 0));
  }
}
