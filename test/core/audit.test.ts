import { PLAIN_OUTCOME } from "../support/asked.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import * as fc from "fast-check";
import {
  compatibleRow,
  confirmationPromptHash,
  LogEntry,
  LogRecord,
  type TriagedRecord,
} from "../../src/core/audit.ts";
import { codeSeen, decidedEntry, reopenedEntry, triagedEntry } from "../../src/core/auditEntry.ts";
import { LONGEST_TEXT, redactForLog } from "../../src/core/redaction.ts";
import { redactEntry } from "../../src/core/redactEntry.ts";
import { UNJUDGED } from "../../src/core/judgement.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import type { CheckedCitation } from "../../src/core/round.ts";
import type { Triaged } from "../../src/core/triage.ts";
import { finding } from "../support/arbitraries.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const mask = (text: string): string => text.replaceAll("hunter2", "[REDACTED:password#1]");
const AT = "2026-01-02T03:04:05.000Z";

const FINDING = finding({
  key: hash("key"),
  sourceSeverity: { scale: "sarif", value: "error" },
  tool: "scanner",
  rule: "no-sum",
  message: "The sum is wrong",
  quote: "let total = 1;",
  finderConfidence: 80,
  place: {
    status: "exact",
    file: "src/cart.ts",
    line: 14,
    endLine: 14,
    column: null,
    endColumn: null,
    note: null,
    cited: { line: 14, endLine: 14, column: null, endColumn: null },
  },
  citedPath: "src/cart.ts",
  source: { path: "review.sarif", pointer: "/runs/0/results/0" },
});

const citation = (file: string, line: number, ok: boolean): CheckedCitation => ({
  file,
  line,
  endLine: line,
  quote: "subtractOne(total)",
  ok,
  shown: "  subtractOne(total)",
  note: null,
});

const TRIAGED: Triaged = {
  ...UNJUDGED,
  method: USUAL_METHOD,
  key: FINDING.key,
  checks: [],
  rounds: [
    {
      kind: "counted",
      n: 1,
      question: "premise",
      verdict: "VALID",
      stated: "VALID",
      crux: "It begins with `let total = 1;`",
      reasoning: "A long text with code that never gets into the log",
      citations: [citation("src/cart.ts", 14, true), citation("src/gone.ts", 1, false)],
      grepUsed: null,
      note: null,
    },
    {
      kind: "counted",
      n: 2,
      question: "defences",
      verdict: "VALID",
      stated: "VALID",
      crux: "nothing calls subtractOne(total) there",
      reasoning: "",
      citations: [citation("src/checkout.ts", 3, true)],
      grepUsed: true,
      note: null,
    },
    { kind: "abstained", n: 3, question: "missed", reason: "the server did not answer" },
  ],
  vote: { counted: 2, valid: 2, invalid: 0, uncertain: 0, validShare: 1, unanimous: "VALID", dropped: ["round 3"] },
  ruling: {
    verdict: "VALID",
    crux: "The sum starts at one",
    reasoning: "more",
    citations: [],
    overrideRejected: false,
    reason: null,
  },
  outcome: {
    ...PLAIN_OUTCOME,
    action: "keep",
    severity: "P1",
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    because: [{ rule: "R0.18", text: "The arbiter says VALID and validShare = 1.00 is 0.50 or more" }],
    next: "",
  },
  receipts: [
    {
      id: "grep-1",
      verb: "grep",
      argv: ["rg", "-e", "subtractOne"],
      cwd: ".",
      exitCode: 0,
      durationMs: 3,
      outputHash: hash("out"),
      truncated: false,
      lines: ["src/checkout.ts:3: subtractOne(total)"],
      by: "round-2",
    },
  ],
  regions: [{ role: "flagged", file: "src/cart.ts", line: 14, endLine: 14, hash: hash("line") }],
  reviewer: { provider: "https://models.example", model: "m" },
  calls: 4,
  tokens: { prompt: 10, completion: 2 },
  ledger: [],
};

const CODE: readonly (readonly [what: string, text: string, expected: string])[] = [
  ["a backticked span", "`validate(x)` is never reached", "a.ts:1 is never reached"],
  ["a backticked name", "the `validate` guard", "the a.ts:1 guard"],
  ["a fence", "see\n```ts\nconst a = 1;\n```\nthere", "see a.ts:1 there"],
  ["a fence without an end", "see ```ts const a = 1;", "see a.ts:1"],
  ["quoted code", 'it says "if (!user) return;" first', "it says a.ts:1 first"],
  ["a call", "findUser(id, opts.find(x)) returns null", "a.ts:1 returns null"],
  ["a declaration", "const id = req.body.id; is unchecked", "a.ts:1 is unchecked"],
  ["an assignment", "then total = price is wrong", "then a.ts:1 is wrong"],
  ["a condition", "the branch if (a && b(c)) is dead", "the branch a.ts:1 is dead"],
  ["a comparison", "user.role === 'admin' fails", "a.ts:1 fails"],
  ["an arrow", "x => x.y is passed", "a.ts:1 is passed"],
  ["an index", "rows[0].id; is undefined", "a.ts:1 is undefined"],
  ["markup", "<div onclick=x> is printed", "a.ts:1 is printed"],
];
for (const [what, text, expected] of CODE)
  test(`R1.33: ${what} becomes the finding's place`, () => {
    assert.equal(redactForLog(text, { place: "a.ts:1" }), expected);
  });

const PLAIN: readonly string[] = [
  "The guard at src/auth.ts:14 runs first; the claim is wrong.",
  "One of the caller(s) checks it (see src/a.ts:3-9).",
  'The reviewer calls this "a real risk" and it\'s not.',
  "`src/auth.ts:14`",
  "It is P1, so 2 of 3 rounds are not enough.",
  "Don't change user's data, that's why.",
];
for (const text of PLAIN)
  test(`plain words stay: ${text}`, () => {
    assert.equal(redactForLog(text), text.replaceAll("`", ""));
  });

test("figures of the program's own sentences stay, quoted code in them goes", () => {
  const text = "validShare = 0.33 < 0.50, because `total += 1` is there";
  assert.equal(redactForLog(text, { ownWords: true }), "validShare = 0.33 < 0.50, because [code] is there");
});

test("the owner's name in a path goes", () => {
  const paths = String.raw`in /home/ada/x/a.ts, /Users/ada/b.ts and C:\Users\ada\c.ts`;
  assert.equal(redactForLog(paths), String.raw`in ~/x/a.ts, ~/b.ts and ~\c.ts`);
});

test("R1.33: no known line of code survives, texts are short and on one line, and a second pass changes nothing", () => {
  const code = ["  let total = 1;", "return items.reduce((a, b) => a + b)", "subtractOne total", "if x > 3 then"];
  const word = fc.oneof(
    fc.constantFrom(...code, "`", "```", '"', "'", "the", "guard", "\n"),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const clean = redactForLog(words.join(" "), { code, place: "src/a.ts:14" });
      for (const line of code) assert.ok(!clean.includes(line.trim()), clean);
      assert.ok(clean.length <= LONGEST_TEXT && !clean.includes("\n"));
    }),
  );
});

test("hostile text is redacted in time", () => {
  const start = performance.now();
  for (const part of ["a(", "{", "a.", "`", "if (", "x = ", "<a", '"', "a["]) redactForLog(part.repeat(20_000));
  assert.ok(performance.now() - start < 5000);
});

test("a triaged entry holds what was judged and where, no text of the code and no reasoning", () => {
  const prompts = [{ id: "rules", version: 3, hash: hash("rules") }];
  const entry = redactEntry(triagedEntry(FINDING, TRIAGED, prompts), mask, codeSeen(FINDING, TRIAGED));
  assert.ok(LogEntry.safeParse(entry).success);
  assert.ok(entry.kind === "triaged");
  assert.deepEqual(
    entry.rounds.map((round) => [round.n, round.status, round.verdict, round.crux, round.grepUsed]),
    [
      [1, "counted", "VALID", "It begins with src/cart.ts:14", null],
      [2, "counted", "VALID", "nothing calls src/cart.ts:14 there", true],
      [3, "abstained", null, "the server did not answer", null],
    ],
  );
  assert.deepEqual(entry.evidence, ["src/cart.ts:14", "src/checkout.ts:3"]);
  assert.deepEqual(entry.prompts, { rules: `3:${hash("rules")}` });
  assert.deepEqual(entry.because, TRIAGED.outcome.because);
  assert.deepEqual(entry.receipts, [{ id: "grep-1", verb: "grep", outputHash: hash("out"), exitCode: 0 }]);
  const text = JSON.stringify(entry);
  for (const leak of ["let total", "subtractOne", "never gets into"]) assert.ok(!text.includes(leak), leak);
});

test("R1.21: a decision records a human, the hash of what was agreed to, and no name", () => {
  const given = { finding: FINDING, triaged: TRIAGED, regions: TRIAGED.regions, commit: "c0ffee", now: new Date(AT) };
  const said = {
    decision: "dismissed" as const,
    reason: "the password hunter2 is a sample",
    prompt: "Dismiss this P1",
  };
  const entry = redactEntry(decidedEntry({ ...given, ...said }, hash), mask);
  assert.ok(entry.kind === "decided" && LogEntry.safeParse(entry).success);
  assert.equal(entry.reason, "the password [REDACTED:password#1] is a sample");
  assert.equal(entry.confirmedBy, "human");
  assert.equal(entry.authorization, "human-confirmed");
  assert.equal(entry.blindVerdict, null);
  assert.equal(entry.confirmationPromptHash, hash(`Dismiss this P1\n${FINDING.key}\nc0ffee\n${AT}`));
  const other = confirmationPromptHash(
    { prompt: "Dismiss this P1", key: FINDING.key, commit: null, confirmedAt: AT },
    hash,
  );
  assert.notEqual(entry.confirmationPromptHash, other);
});

test("ruling 22: a finding can be decided without a triage, and reopened", () => {
  const given = { finding: FINDING, reason: "seen", prompt: "ok", commit: null, now: new Date(AT) };
  const decided = decidedEntry({ ...given, triaged: null, regions: [], decision: "confirmed" }, hash);
  assert.ok(LogEntry.safeParse(decided).success);
  assert.deepEqual(decided.evidence, []);
  assert.ok(LogEntry.safeParse(reopenedEntry(given, hash)).success);
});

const LINK = {
  v: 1,
  session: "s",
  chain: "c",
  seq: 1,
  prev: null,
  after: null,
  torn: null,
  at: AT,
  hash: hash("line"),
};

function record(changes: Partial<TriagedRecord> = {}): TriagedRecord {
  const parsed = LogRecord.parse({ ...triagedEntry(FINDING, TRIAGED, []), ...LINK, ...changes });
  assert.ok(parsed.kind === "triaged");
  return parsed;
}

test("R0.24: the row has exactly the old members; rounds that abstained are left out", () => {
  assert.deepEqual(compatibleRow(record()), {
    timestamp: AT,
    caller: "review",
    finding_id: FINDING.key,
    file: "src/cart.ts:14",
    original_severity: "P1",
    rounds: [
      { round: 1, verdict: "VALID", crux: TRIAGED.rounds[0]?.kind === "counted" ? TRIAGED.rounds[0].crux : "" },
      { round: 2, verdict: "VALID", crux: "nothing calls subtractOne(total) there", grep_used: true },
    ],
    arbiter: { verdict: "VALID", crux: "The sum starts at one" },
    confidence: 1,
    final_severity: "P1",
  });
});

test("R0.17: the row's confidence is the vote's share with two decimals, null without a verdict (C5, C6)", () => {
  assert.equal(compatibleRow(record({ validShare: 2 / 3 })).confidence, 0.67);
  assert.equal(compatibleRow(record({ validShare: null })).confidence, null);
  const bare = compatibleRow(record({ arbiter: null, file: null, line: null }), "architect");
  assert.deepEqual([bare.arbiter, bare.file, bare.caller], [{ verdict: null, crux: "" }, "", "architect"]);
});

test("a record that does not fit is refused: unknown kind, missing link, verdict out of the list", () => {
  const whole = record();
  for (const change of [
    { kind: "other" },
    { hash: "x" },
    { seq: 0 },
    { verdict: "MAYBE" },
    { at: "yesterday" },
    { line: 0 },
  ])
    assert.equal(LogRecord.safeParse({ ...whole, ...change }).success, false, JSON.stringify(change));
});
