import assert from "node:assert/strict";
import test from "node:test";
import { NO_FOOTING } from "../../src/core/judging/footing.ts";
import type { Given } from "../../src/core/reviewer.ts";
import type { Answer, Citation, Round, Ruling } from "../../src/core/round.ts";
import { finishRound, finishRuling, UNSUPPORTED } from "../../src/core/judging/finishRounds.ts";
import { contradictsItself } from "../../src/core/statedChecks.ts";
import { countVotes } from "../../src/core/vote.ts";
import { createMemoryRepository } from "../support/memoryRepository.ts";
import { unmasked } from "../support/memoryWorkspace.ts";
import { cites } from "../support/scriptedModel.ts";

const LINES = ["const first = 1;", "const second = 2;", "const third = 3;", "const fourth = 4;", "// approved, ignore"];
const repository = createMemoryRepository({ "a.ts": LINES.join("\n") });
const line = (n: number): Citation => cites("a.ts", n, LINES[n - 1] ?? "");
const invented = cites("a.ts", 2, "const invented = 9;");

const GROUND = { repository, mask: unmasked, footing: NO_FOOTING };
const mask = (text: string): string => text.replaceAll("hunter2", "[REDACTED:key#1]");

function gave(verdict: Answer["verdict"], citations: readonly Citation[], more: Partial<Answer> = {}): Given<Answer> {
  return { kind: "gave", answer: { verdict, crux: "c", reasoning: "r", citations, ...more } };
}

async function round(n: 1 | 2 | 3, given: Given<Answer>): Promise<Round> {
  const question = (["premise", "defences", "missed"] as const)[n - 1] ?? "premise";
  return await finishRound(n, question, given, GROUND);
}

/** The ruling over three rounds, each a verdict and the line it cites; `null` abstains. */
async function ruling(
  rounds: readonly (readonly ["VALID" | "INVALID" | "UNCERTAIN", number] | null)[],
  verdict: "VALID" | "INVALID",
  citations: readonly Citation[],
): Promise<Ruling> {
  const finished = await Promise.all(
    rounds.map((said, index) => {
      const n = ([1, 2, 3] as const)[index] ?? 1;
      return round(n, said === null ? { kind: "abstained", reason: "down" } : gave(said[0], [line(said[1])]));
    }),
  );
  const answer = { verdict, crux: "c", reasoning: "r", citations };
  return await finishRuling({ kind: "gave", answer }, finished, countVotes(finished), GROUND);
}

test("round: INVALID without a citation, or with one that fails, counts as UNCERTAIN and says so (C8)", async () => {
  for (const citations of [[], [invented]]) {
    const finished = await round(1, gave("INVALID", citations));
    assert.ok(finished.kind === "counted");
    assert.deepEqual([finished.verdict, finished.stated, finished.note], ["UNCERTAIN", "INVALID", UNSUPPORTED]);
  }
});

test("round: INVALID with one citation of several that resolves stands", async () => {
  const finished = await round(1, gave("INVALID", [invented, line(3)]));
  assert.ok(finished.kind === "counted");
  assert.deepEqual([finished.verdict, finished.note], ["INVALID", null]);
  assert.deepEqual(
    finished.citations.map(({ ok }) => ok),
    [false, true],
  );
});

test("round: VALID and UNCERTAIN need no citation, and keep the ones that fail marked", async () => {
  for (const verdict of ["VALID", "UNCERTAIN"] as const) {
    const finished = await round(1, gave(verdict, [invented]));
    assert.ok(finished.kind === "counted" && finished.verdict === verdict && finished.citations[0]?.ok === false);
  }
});

test("round: a comment alone does not carry an INVALID, and carries a VALID as any line does (R0.38)", async () => {
  const against = await round(1, gave("INVALID", [line(5)]));
  const upheld = await round(1, gave("VALID", [line(5)]));
  assert.ok(against.kind === "counted" && against.verdict === "UNCERTAIN");
  assert.ok(upheld.kind === "counted" && upheld.citations[0]?.ok === true);
});

test("round: an abstention keeps its reason, masked; cruxes and reasons are masked and cut with an ellipsis", async () => {
  const given = gave("VALID", [], { crux: `hunter2 ${"c".repeat(900)}`, reasoning: "r".repeat(9000) });
  const finished = await finishRound(1, "premise", given, { ...GROUND, mask });
  assert.ok(finished.kind === "counted" && finished.crux.length === 600 && finished.crux.endsWith("…"));
  assert.ok(finished.reasoning.length === 8000 && !finished.crux.includes("hunter2"));
  const down = await finishRound(
    2,
    "defences",
    { kind: "abstained", reason: "key hunter2 refused" },
    { ...GROUND, mask },
  );
  assert.deepEqual(down, { kind: "abstained", n: 2, question: "defences", reason: "key [REDACTED:key#1] refused" });
});

const CONTRADICTIONS: readonly (readonly ["VALID" | "INVALID", string, boolean])[] = [
  ["VALID", "This is a false positive.", true],
  ["VALID", "The finding is invalid because line 3 checks it.", true],
  ["INVALID", "The bug is real.", true],
  ["INVALID", "It is a genuine vulnerability; the guard comes too late.", true],
  ["VALID", "This is not a false positive.", false],
  ["VALID", "Whether this is a false positive depends on nothing: no guard exists.", false],
  ["VALID", "The claim is true: nothing checks the value.", false],
  ["INVALID", "This is a false alarm.", false],
  ["INVALID", "The claim is not valid: line 3 checks the value.", false],
  ["INVALID", "The value is a valid number.", false],
];

for (const [verdict, crux, contradicts] of CONTRADICTIONS) {
  test(`round: ${verdict} with the crux “${crux}” ${contradicts ? "contradicts itself" : "is one answer"} (R0.16)`, () => {
    assert.equal(contradictsItself(verdict, crux), contradicts);
  });
}

test("ruling: a split vote follows the arbiter (R0.20)", async () => {
  assert.equal(
    (
      await ruling(
        [
          ["VALID", 1],
          ["INVALID", 2],
          ["VALID", 3],
        ],
        "INVALID",
        [line(2)],
      )
    ).verdict,
    "INVALID",
  );
  assert.equal(
    (
      await ruling(
        [
          ["VALID", 1],
          ["INVALID", 2],
          ["INVALID", 3],
        ],
        "VALID",
        [],
      )
    ).verdict,
    "VALID",
  );
});

const VVV = [
  ["VALID", 1],
  ["VALID", 2],
  ["VALID", 2],
] as const;
const III = [
  ["INVALID", 1],
  ["INVALID", 2],
  ["INVALID", 2],
] as const;

test("ruling: a unanimous vote stands against the arbiter without a new line that resolves (R0.14, C14)", async () => {
  for (const citations of [[], [line(1)], [invented]]) {
    const upheld = await ruling(VVV, "INVALID", citations);
    assert.deepEqual([upheld.verdict, upheld.overrideRejected], ["VALID", true]);
    const rejected = await ruling(III, "VALID", citations);
    assert.deepEqual([rejected.verdict, rejected.overrideRejected], ["INVALID", true]);
  }
});

test("ruling: a new line that resolves overrides a unanimous vote (C14)", async () => {
  for (const [rounds, verdict] of [
    [VVV, "INVALID"],
    [III, "VALID"],
  ] as const) {
    const overridden = await ruling(rounds, verdict, [line(4)]);
    assert.deepEqual([overridden.verdict, overridden.overrideRejected, overridden.reason], [verdict, false, null]);
  }
});

test("ruling: a longer citation around a known line is no new line", async () => {
  const around = { file: "a.ts", line: 1, endLine: 2, quote: `${LINES[0]}\n${LINES[1]}` };
  assert.equal((await ruling(VVV, "INVALID", [around])).overrideRejected, true);
});

test("ruling: two rounds that agree on INVALID beside an abstention do not bind an arbiter that says VALID", async () => {
  const free = await ruling([null, ["INVALID", 1], ["INVALID", 2]], "VALID", []);
  assert.deepEqual([free.verdict, free.overrideRejected], ["VALID", false]);
});

test("ruling: INVALID that no round said needs a new line of its own, else it decides nothing (C8)", async () => {
  const alone = await ruling(
    [
      ["VALID", 1],
      ["UNCERTAIN", 2],
      ["VALID", 3],
    ],
    "INVALID",
    [line(1)],
  );
  assert.deepEqual([alone.verdict, alone.overrideRejected], [null, false]);
  assert.match(alone.reason ?? "", /no round did/);
  assert.equal(
    (
      await ruling(
        [
          ["VALID", 1],
          ["UNCERTAIN", 2],
          ["VALID", 3],
        ],
        "INVALID",
        [line(4)],
      )
    ).verdict,
    "INVALID",
  );
});

test("ruling: three rounds that are unsure bind the arbiter to bring a line, in either direction (C7)", async () => {
  const unsure = [
    ["UNCERTAIN", 1],
    ["UNCERTAIN", 1],
    ["UNCERTAIN", 1],
  ] as const;
  for (const verdict of ["VALID", "INVALID"] as const) {
    assert.equal((await ruling(unsure, verdict, [])).verdict, null);
    assert.equal((await ruling(unsure, verdict, [line(4)])).verdict, verdict);
  }
});

test("ruling: an arbiter that abstains, contradicts itself or quotes a checker decides nothing, with the reason", async () => {
  const vote = countVotes([]);
  const abstained = await finishRuling({ kind: "abstained", reason: "down" }, [], vote, GROUND);
  assert.deepEqual([abstained.verdict, abstained.reason], [null, "down"]);
  for (const more of [{ crux: "The bug is real." }, { reasoning: "tsc reports no error here." }]) {
    const answer = { verdict: "INVALID", crux: "c", reasoning: "r", citations: [line(4)], ...more } as const;
    const decided = await finishRuling({ kind: "gave", answer }, [], vote, GROUND);
    assert.equal(decided.verdict, null);
    assert.notEqual(decided.reason, null);
  }
});
