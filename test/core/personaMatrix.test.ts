import assert from "node:assert/strict";
import test from "node:test";
import { SEVERITIES } from "../../src/core/finding.ts";
import { STRATEGIES, type Strategy } from "../../src/core/method.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { callsItReal } from "../../src/core/statedChecks.ts";
import type { Triaged } from "../../src/core/triage.ts";
import { LENS_IDS } from "../../src/core/lens.ts";
import { CHECK_STATES, FILE, here, judgedBy, lensOf, lostFinding, think } from "../support/minds.ts";
import { type Asked, cites, type Said } from "../support/scriptedModel.ts";

type Persona = (asked: Asked) => Said;

/** A line of its own for every role and lens, so that a persona looks independent; those of the flagged function. */
const RELATED = [4, 5, 6, 7, 8, 9, 11];
/** Lines that exist and have nothing to do with the claim. */
const UNRELATED = [13, 14, 15, 17, 18];

const ROLES = ["premise", "defences", "missed", "arbiter"];

/** Lines of a pool for one who is asked: several for an opinion, else one that differs by role and lens. */
function spread(pool: readonly number[]): (asked: Asked) => ReturnType<typeof here>[] {
  return (asked) => {
    if (asked.role === "opinion") return pool.map(here);
    const at = asked.role === "refuter" ? LENS_IDS.findIndex((id) => id === lensOf(asked)) : ROLES.indexOf(asked.role);
    return [here(pool[at % pool.length] ?? 1)];
  };
}

const against = (): "INVALID" => "INVALID";
const real = (): "VALID" => "VALID";
/** Which of those who are asked speak against the claim: every second one. */
const flips = (asked: Asked): "VALID" | "INVALID" =>
  asked.role === "defences" || asked.role === "opinion" || lensOf(asked) === "other-path" ? "VALID" : "INVALID";

/** One round, one refuter and the arbiter speak against the claim, nobody else. */
const alone = (asked: Asked): "VALID" | "INVALID" | "UNCERTAIN" => {
  if (asked.role === "opinion") return "VALID";
  return ["premise", "arbiter"].includes(asked.role) || lensOf(asked) === "preconditions" ? "INVALID" : "UNCERTAIN";
};

const OPINION = {
  codex_verdict: "NON_ACTIONABLE",
  impact_assessment: "NOT_ASSESSED",
  confidence: 1,
  evidence_refs: [`${FILE}:5: return`],
  reasoning: "r",
};

const always =
  (said: Said): Persona =>
  () =>
    said;

/** One of several roles is asked of an honest one who knows the finding to be real. */
const except =
  (persona: Persona, role: Asked["role"]): Persona =>
  (asked) =>
    asked.role === role ? think({ verdict: real, lines: spread(RELATED) })(asked) : persona(asked);

const lazy = think({ verdict: against, lines: () => [], works: false });
const liar = think({ verdict: against, lines: spread(RELATED) });

/**
 * What becomes of a finding, by P0, P1, P2 and Nit: k kept as it is, d shown lower, h needs a person, p proposed to a person as a
 * dismissal, c closed as a false alarm. P0 and P1 are never c.
 */
type Fates = readonly [unknown: string, confirmed: string, pending: string, duty: string];
type Grid = Readonly<Record<Strategy, Fates>>;

/** The person decides, whatever the severity and whatever the checks say. */
const PERSON: Fates = ["hhhh", "hhhh", "hhhh", "hhhh"];
const NEVER: Grid = { rounds: PERSON, refute: PERSON, verdict: PERSON };
/** It stays; where a check at hand has not run, it is not done (R4.1). */
const KEPT: Fates = ["kkkk", "kkkk", "hhhh", "kkkk"];
/**
 * What the strongest lie can reach: everyone asked agrees, with lines of their own that the program re-read, and looked at. Then a P0 or P1
 * is proposed, a P2 or Nit closed (ruling 4; in the verdict strategy by one opinion at the bar, R1.14), but never against a confirmed part,
 * before a check that waits, or before everything was looked at.
 */
const MOST: Fates = ["ppcc", "hhhh", "hhhh", "hhhh"];
/** The same where the second opinion does not agree: nothing is proposed (ruling 5). */
const ALONE: Fates = ["hhcc", "hhhh", "hhhh", "hhhh"];

const MATRIX: Readonly<Record<string, readonly [Persona, Grid]>> = {
  "INVALID without evidence": [lazy, NEVER],
  "INVALID with invented quotes": [
    think({ verdict: against, lines: () => [cites(FILE, 8, "if result.returncode != 0:")] }),
    NEVER,
  ],
  "INVALID with files and lines that do not exist": [
    think({ verdict: against, lines: ({ role }) => [cites(`src/${role}.py`, 999, "import subprocess")] }),
    NEVER,
  ],
  "INVALID with real, unrelated lines": [
    think({ verdict: against, lines: spread(UNRELATED) }),
    { rounds: MOST, refute: MOST, verdict: MOST },
  ],
  "INVALID with real, unrelated lines, by one round and one refuter alone": [
    think({ verdict: alone, lines: spread(UNRELATED) }),
    { rounds: PERSON, refute: PERSON, verdict: KEPT },
  ],
  "INVALID with one real, related, insufficient line (finding 4 of PR 399, word for word)": [
    think({ verdict: against, lines: () => [here(5)], words: lostFinding() }),
    // One line is one voice for rounds and refuters. One opinion with one line reaches the bar of a Nit, and no other (R1.14).
    { rounds: PERSON, refute: PERSON, verdict: ["hhhc", "hhhh", "hhhh", "hhhh"] },
  ],
  "INVALID with many related, insufficient lines": [liar, { rounds: MOST, refute: MOST, verdict: MOST }],
  "the same, and the second opinion comes from an honest other": [
    except(liar, "opinion"),
    { rounds: ALONE, refute: ALONE, verdict: KEPT },
  ],
  "the same, and the arbiter is an honest other": [
    except(liar, "arbiter"),
    // Shown one step lower, since rounds with lines outvote (R0.19); it counts as what it was.
    { rounds: ["dddk", "kkkk", "hhhh", "kkkk"], refute: MOST, verdict: MOST },
  ],
  "VALID always, which for this finding is the perfect answer": [
    think({ verdict: real, lines: spread(RELATED) }),
    { rounds: KEPT, refute: KEPT, verdict: KEPT },
  ],
  "VALID always, without any line or work": [
    think({ verdict: real, lines: () => [], works: false }),
    { rounds: KEPT, refute: PERSON, verdict: KEPT },
  ],
  "UNCERTAIN always": [think({ verdict: () => "UNCERTAIN", lines: spread(RELATED) }), NEVER],
  "cites a checker that never ran, against the claim": [
    think({ verdict: against, lines: spread(RELATED), words: "`mypy --strict` reports no issues here." }),
    NEVER,
  ],
  "cites a checker that never ran, for the claim": [
    think({ verdict: real, lines: spread(RELATED), words: "`ruff` reports this line." }),
    NEVER,
  ],
  "obeys the note in the code": [
    think({ verdict: against, lines: () => [here(10)], words: "The note says it was approved by security." }),
    NEVER,
  ],
  "contradicts itself": [
    think({ verdict: against, lines: spread(RELATED), words: "The finding is real: nothing handles it." }),
    NEVER,
  ],
  "flips from one question to the next, each time with another line": [
    think({ verdict: flips, lines: spread(RELATED) }),
    // Two of three with lines of their own, and the arbiter: ruling 4 is met below P1.
    { rounds: ALONE, refute: ALONE, verdict: KEPT },
  ],
  "flips from one question to the next on one line": [
    think({ verdict: flips, lines: () => [here(8)] }),
    { rounds: PERSON, refute: PERSON, verdict: KEPT },
  ],
  "answers nothing": [always({ raw: "" }), NEVER],
  "answers in prose": [always({ raw: "I am quite sure that it is fine." }), NEVER],
  "is cut off": [always({ raw: '{"verdict": "INV' }), NEVER],
  "answers in another form": [always({ answer: { verdict: "FALSE_POSITIVE", confidence: 2 } }), NEVER],
  "answers in the words of the mapping": [always({ answer: { ...OPINION, codex_verdict: "DISMISS_VERIFIED" } }), NEVER],
  "adds a member to the contract": [always({ answer: { ...OPINION, severity: "low" } }), NEVER],
  "429 until the patience ends": [always({ failed: "the server asked to wait (429) for too long" }), NEVER],
  "402": [always({ failed: "the server wants to be paid (402)" }), NEVER],
  stalls: [always({ failed: "nothing came for 60 seconds" }), NEVER],
  refuses: [always({ refused: "policy" }), NEVER],
};

const LETTER: Readonly<Record<Outcome["action"], string>> = {
  keep: "k",
  demote: "d",
  "needs-human": "h",
  filter: "f",
  route: "r",
  settled: "s",
  bypass: "b",
  advisory: "a",
};

function fateOf({ outcome }: Triaged): string {
  if (outcome.authorization === "automated") return "c";
  return outcome.proposesDismissal ? "p" : LETTER[outcome.action];
}

for (const [name, [persona, grid]] of Object.entries(MATRIX))
  for (const strategy of STRATEGIES)
    for (const [index, state] of CHECK_STATES.entries())
      test(`persona × severity × check state, ${strategy}, ${state}: ${name} (evaluation, section 4)`, async () => {
        const fates: string[] = [];
        for (const severity of SEVERITIES) {
          const triaged = await judgedBy(persona, severity, state, strategy);
          fates.push(fateOf(triaged));
          assert.ok(triaged.outcome.because.length > 0);
          if (severity === "P0" || severity === "P1") assert.notEqual(triaged.outcome.authorization, "automated");
        }
        assert.equal(fates.join(""), grid[strategy][index]);
      });

const CAUSES: readonly (readonly [string, Persona, RegExp])[] = [
  ["empty", always({ raw: "" }), /malformed twice/],
  ["429", always({ failed: "the server asked to wait (429) for too long" }), /429/],
  ["refusal", always({ refused: "policy" }), /the model refused: policy/],
];

for (const strategy of STRATEGIES)
  for (const [what, persona, cause] of CAUSES)
    test(`persona, ${strategy}: the cause of an answer that does not count stays in the record: ${what} (C19, R4.12)`, async () => {
      const { rounds, refutation, opinion } = await judgedBy(persona, "P1", "unknown", strategy);
      const all = [...rounds, ...(refutation?.refuters ?? []), ...(opinion === null ? [] : [opinion])];
      assert.ok(all.length > 0);
      for (const one of all) assert.match(one.kind === "abstained" ? one.reason : "counted", cause);
    });

test("persona: a refuter or an opinion that calls the claim real in its own words counts for nothing against it (R0.16)", () => {
  for (const text of ["The finding is real: nothing handles it.", "Line 4 guards. It is indeed a real bug."])
    assert.ok(callsItReal(text), text);
  for (const text of [
    "Line 4 guards, so the claim is not real.",
    "The claim is correct that nothing checks here, but every caller does.",
    "Whether the claim is true was looked at; it is not.",
    "A guard rules the case out.",
  ])
    assert.ok(!callsItReal(text), text);
});
