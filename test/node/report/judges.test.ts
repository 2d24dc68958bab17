import assert from "node:assert/strict";
import test from "node:test";
import type { Mapped } from "../../../src/core/opinion.ts";
import { MAPPED } from "../../../src/core/opinion.ts";
import type { Triaged } from "../../../src/core/triage.ts";
import { judgeLines } from "../../../src/node/report/judgeLines.ts";
import { markdownReport } from "../../../src/node/report/markdown.ts";
import { refutationResult } from "../../../src/node/report/refutation.ts";
import { triageRecord } from "../../../src/node/report/rows.ts";
import { sarifReport } from "../../../src/node/report/sarif.ts";
import { paintFor, summaryLines, triagedBlock } from "../../../src/node/report/text.ts";
import { judgedAs } from "../../../src/node/report/verdict.ts";
import { summaryOf } from "../../../src/node/report/words.ts";
import { abstained, counted, entryOf, gave, line, opinedBy, refutedBy, triagedBy } from "../../support/judged.ts";
import { finding, proposed } from "../../support/panelStates.ts";

const plain = paintFor({}, {});
const defends = counted({
  lens: { kind: "own", id: "other-path" },
  side: "for",
  stated: "survives",
  attack: "",
  scenario: "A caller of the admin route reads it.",
  citations: [line("src/admin.ts", 9), { ...line("src/gone.ts", 1), ok: false }],
});
const open = counted({ lens: { kind: "own", id: "downstream" }, side: "needs-check", refuterConfidence: "low" });
const waits = { action: "filter", proposesDismissal: true, authorization: "human-required" } as const;

/** What lens, view and hover say of a triage. */
const SUMMARIES: readonly (readonly [words: string, triaged: Triaged])[] = [
  ["P1 · 2 of 3 refuters against · waits for you", refutedBy([counted(), counted(), defends], waits)],
  ["P1 · 2 of 3 refuters for it", refutedBy([defends, defends, open], { action: "keep" })],
  ["P1 · 0 of 2 refuters against · yours to decide", refutedBy([open, open])],
  ["P1 · only 1 of 3 refuters counted · yours to decide", refutedBy([defends, abstained(), abstained()])],
  ["P1 · second opinion: fix it", opinedBy(gave(), { action: "keep", mapped: "FIX_REQUIRED" })],
  ["P1 · second opinion: false alarm · waits for you", opinedBy(gave(), { ...waits, mapped: "DISMISS_CANDIDATE" })],
  ["P1 · second opinion: not decided · yours to decide", opinedBy(gave(), { mapped: "NEED_HUMAN" })],
  [
    "P1 · second opinion: no answer · yours to decide",
    opinedBy({ kind: "abstained", intent: "dismiss", reason: "it refused", by: gave().by }, { mapped: "NEED_HUMAN" }),
  ],
  [
    "P1 · 2 of 3 refuters against · second opinion: false alarm · waits for you",
    { ...refutedBy([counted(), counted(), defends], { ...waits, mapped: "DISMISS_CANDIDATE" }), opinion: gave() },
  ],
  [
    "P1 · 2 of 3 say real · arbiter: false alarm · second opinion: fix it · yours to decide",
    triagedBy(
      { rounds: proposed.rounds, vote: proposed.vote, ruling: proposed.ruling, opinion: gave() },
      { mapped: "FIX_REQUIRED" },
    ),
  ],
];
for (const [words, triaged] of SUMMARIES) {
  test(`the view says: ${words}`, () => {
    assert.equal(summaryOf(entryOf(triaged)), words);
  });
}

test("every mapping has words of its own in the view, and none is a raw value", () => {
  for (const mapped of MAPPED) assert.doesNotMatch(summaryOf(entryOf(opinedBy(gave(), { mapped }))), /[A-Z]{3}/);
});

/** What a judgement came to as one verdict. */
const VERDICTS: readonly (readonly [what: string, triaged: Triaged, verdict: "VALID" | "INVALID" | null])[] = [
  ["a surviving claim", refutedBy([defends, defends]), "VALID"],
  ["a refuted claim", refutedBy([counted(), counted()]), "INVALID"],
  ["an open panel", refutedBy([open, open]), null],
  ["too few refuters", refutedBy([counted()]), null],
  ["a broken claim that all is well (R4.10)", refutedBy([counted(), counted()], {}, "safe"), "VALID"],
  ["an unbroken claim that all is well", refutedBy([defends, defends], {}, "safe"), null],
  ["no second opinion's mapping", opinedBy(gave()), null],
];
for (const [what, triaged, verdict] of VERDICTS) {
  test(`${what} counts as ${verdict ?? "not decided"}`, () => assert.equal(judgedAs(triaged), verdict));
}

test("a second opinion decides where it stands alone, and an informational one only what it was asked", () => {
  const said = (mapped: Mapped): string | null => judgedAs(opinedBy(gave(), { mapped }));
  assert.deepEqual(MAPPED.map(said), ["INVALID", "INVALID", "VALID", null, "VALID", null, null, null, null]);
  assert.equal(judgedAs({ ...refutedBy([open, open], { mapped: "FIX_REQUIRED" }), opinion: gave() }), null);
});

const entries = [
  entryOf(refutedBy([defends, defends, open])),
  entryOf(
    refutedBy([
      counted({ refuterConfidence: "medium", attack: "Weak." }),
      counted({ citations: [line("src/z.ts", 7)] }),
      abstained(),
    ]),
  ),
  entryOf(refutedBy([abstained(), abstained("the model refused")])),
  entryOf(opinedBy(gave())),
  entryOf(null),
];

test("the result of a run holds survivors with what defends them, and refuted claims with their strongest attack and line (R4.21)", () => {
  const result = refutationResult(entries);
  assert.equal(result.kind, "refutation");
  assert.deepEqual(
    result.survivors.map(({ defending, recount, severity }) => [severity, recount, defending]),
    [
      [
        "P1",
        "N = 3, vote over k = 3.",
        Array.from({ length: 2 }, () => ({
          lens: "other-path",
          scenario: "A caller of the admin route reads it.",
          citations: [{ file: "src/admin.ts", line: 9, endLine: 9, quote: "const one = 1;", ok: true }],
        })),
      ],
    ],
  );
  assert.deepEqual(
    result.refuted.map(({ strongest }) => [
      strongest?.attack,
      strongest?.refuterConfidence,
      strongest?.at?.file,
      strongest?.at?.line,
    ]),
    [["The guard runs first.", "high", "src/z.ts", 7]],
  );
});

test("the result of a run names abstentions with their reasons, each lens's count, what nobody looked at, and what to do (R4.12, R4.21)", () => {
  const result = refutationResult(entries);
  assert.deepEqual(
    result.abstentions.map(({ lens, reason, attack }) => [lens, reason, attack]),
    [
      ["limits", "it opened no source again", "It cannot happen."],
      ["limits", "it opened no source again", "It cannot happen."],
      ["limits", "the model refused", "It cannot happen."],
    ],
  );
  assert.deepEqual(
    result.perLens.map(({ lens, title, against, forClaim, needsCheck, abstained: lost }) => [
      lens,
      title,
      against,
      forClaim,
      needsCheck,
      lost,
    ]),
    [
      ["other-path", "Another path to the place", 0, 2, 0, 0],
      ["downstream", "Effect further on", 0, 0, 1, 0],
      ["forgery", "Forged input", 2, 0, 0, 0],
      ["limits", "Values at the limits", 0, 0, 0, 3],
    ],
  );
  assert.equal(result.untouched.length, 3);
  assert.deepEqual(
    result.undecided.map((claim) => claim.result),
    ["none"],
  );
  assert.match(
    result.recommendation,
    /^1 survived: look at P1 src\/store\/orders\.ts:42 first\. 1 refuted: .* 1 undecided: /,
  );
  assert.match(refutationResult([]).recommendation, /No refuter was asked/);
});

test("a row of triage holds refuters, second opinion, mapping and what was left out, without the code that was read", () => {
  const triaged: Triaged = {
    ...refutedBy([counted(), abstained()], {
      mapped: "NEED_HUMAN",
      bar: { confidence: 0.9, refs: 3, heightened: false },
    }),
    opinion: gave(),
    reductions: ["Not counted: limits."],
  };
  const row = triageRecord(finding, triaged);
  assert.deepEqual(
    [row.method?.strategy, row.mapped, row.bar?.refs, row.reductions],
    ["refute", "NEED_HUMAN", 3, ["Not counted: limits."]],
  );
  assert.deepEqual(
    row.refutation?.refuters.map(({ kind }) => kind),
    ["counted", "abstained"],
  );
  assert.equal(row.opinion?.kind === "gave" ? row.opinion.verdictConfidence : null, 0.96);
  assert.equal(JSON.stringify(row).includes('"shown"'), false);
});

test("text and markdown reports name each refuter, the recount, the opinion with its figures, and what was left out", () => {
  const triaged: Triaged = {
    ...refutedBy([counted(), abstained()], {
      mapped: "NEED_HUMAN",
      severitySuggestion: { to: "P0", why: "Reachable." },
    }),
    opinion: gave(),
    reductions: ["Only 2 of 3 refuters were asked."],
  };
  const expected = [
    "refuter: Forged input: against it (its own confidence: high). The guard runs first.",
    "refuter: Values at the limits: does not count, it opened no source again. It said all the same: It cannot happen.",
    "recount: N = 2, 1 dropped, vote over k = 1.",
    "missed: No refuter cites src/b.ts:1-9 (calls it).",
    "opinion: not actionable (its own confidence 0.96, references 1) → not decided: The guard runs before it.",
    "argued: P0: Reachable.",
    "left out: Only 2 of 3 refuters were asked.",
  ];
  assert.deepEqual(
    judgeLines(triaged).map(({ who, text }) => `${who}: ${text}`),
    expected,
  );
  const text = triagedBlock(entryOf(triaged), triaged, plain);
  const markdown = markdownReport([entryOf(triaged)], []);
  for (const part of ["Forged input: against it", "vote over k = 1.", "0.96", "Only 2 of 3 refuters"]) {
    assert.ok(text.includes(part), text);
    assert.ok(markdown.includes(part), markdown);
  }
  assert.match(markdown, /`src\/a\.ts:3`/);
});

test("a SARIF report gives the lines of refuters and second opinion as related places", () => {
  const report = sarifReport([entryOf({ ...refutedBy([counted(), defends]), opinion: gave() })], "1.0.0");
  for (const file of ["src/a.ts", "src/admin.ts"]) assert.ok(report.includes(`"uri": "${file}"`), file);
  assert.ok(!report.includes('"uri": "src/gone.ts"'), "what could not be read again is no evidence");
});

test("the advice on false alarms stands below the counts, and only where there is some (R0.25, C21)", () => {
  assert.match(summaryLines([], [], "30 of 60 were false alarms.", plain), /\nAdvice: 30 of 60 were false alarms\.$/);
  assert.doesNotMatch(summaryLines([], [], null, plain), /Advice/);
});
