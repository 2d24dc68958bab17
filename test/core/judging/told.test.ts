import assert from "node:assert/strict";
import test from "node:test";
import { dismissLine, readTokenLine } from "../../../src/core/auditLines.ts";
import type { Checkers } from "../../../src/core/checkers.ts";
import { figure } from "../../../src/core/figure.ts";
import { checkClaim } from "../../../src/core/oracle.ts";
import { opinionReason } from "../../../src/core/opinionWords.ts";
import { USUAL_METHOD } from "../../../src/core/method.ts";
import { USUAL_TERMS } from "../../../src/core/policy.ts";
import { refuseRebuttal } from "../../../src/core/rebuttal.ts";
import { triage } from "../../../src/core/triage.ts";
import { agreeing } from "../../support/arbitraries.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { opinionSays, type Script, scriptedReviewer } from "../../support/panelOf.ts";

const LINES = ["const one = 1;", "const two = 2;", "const three = one / two;"];
const ENTRY = { severity: "P2" as const, evidence: ["src/a.ts:1"] };
const OPINION = { verdictConfidence: 0.94999, thread: "t" } as const;
const KEY = { file: "src/a.ts", issue: "it divides" };

async function judged(
  script: Script,
  method: Partial<typeof USUAL_METHOD>,
  severity: "P1" | "P2",
  terms = USUAL_TERMS,
) {
  const workspace = createMemoryWorkspace({ "src/a.ts": LINES.join("\n") });
  const placed = await findingIn(workspace.repository, "The division crashes when nothing is set.", "src/a.ts", 3);
  const reviewer = scriptedReviewer(script);
  const how = {
    ...workspace,
    reviewer,
    budget: { calls: 3, bytes: 10_000 },
    method: { ...USUAL_METHOD, ...method },
    terms: () => terms,
  };
  return await triage({ ...placed, severity }, true, how, () => undefined, new AbortController().signal);
}

test("R1.17: a confidence just below a bar is never written as the bar", () => {
  assert.deepEqual([0.95, 0.9499999, 0.8, 0.7999, 1, 0, -0, 1e-9, 0.29].map(figure), [
    "0.95",
    "0.94",
    "0.80",
    "0.79",
    "1.00",
    "0.00",
    "0.00",
    "0.00",
    "0.29",
  ]);
  const opinion = agreeing("P0");
  assert.ok(opinion.kind === "gave");
  const { text } = opinionReason("P0", { ...opinion, verdictConfidence: 0.9499999 }, false, []);
  assert.match(text, /confidence 0\.94, .* needs 0\.95/);
});

test("R1.18, R1.30: nothing that stays open is told as dismissed", () => {
  const told = (
    mapped: "DISMISS_VERIFIED" | "DISMISS_CANDIDATE",
    authorization: "none" | "automated" | "human-required",
  ) => readTokenLine(dismissLine({ ...ENTRY, authorization }, { ...OPINION, mapped }, KEY, new Date(0)))?.members;
  assert.equal(told("DISMISS_VERIFIED", "none")?.get("verdict"), "NEED_HUMAN");
  assert.equal(told("DISMISS_CANDIDATE", "none")?.get("verdict"), "NEED_HUMAN");
  assert.equal(told("DISMISS_VERIFIED", "human-required")?.get("verdict"), "DISMISS_CANDIDATE");
  assert.equal(told("DISMISS_VERIFIED", "automated")?.get("verdict"), "DISMISS_VERIFIED");
  assert.equal(told("DISMISS_VERIFIED", "automated")?.get("confidence"), "0.94");
});

const invalid = (line: number) =>
  ({
    kind: "gave",
    answer: {
      verdict: "INVALID",
      crux: "c",
      reasoning: "r",
      citations: [{ file: "src/a.ts", line, endLine: line, quote: LINES[line - 1] ?? "" }],
    },
  }) as const;
const rejecting: Script = { round: (task) => invalid(task.n), arbiter: () => invalid(1) };

test("R1.18: what a setting keeps for a person is a candidate, whatever its severity", async () => {
  const looks: Script["opinion"] = async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 3 });
    return opinionSays({ evidenceRefs: ["src/a.ts:1: const one = 1;", "src/a.ts:2: const two = 2;"] });
  };
  const free = await judged({ opinion: looks }, { strategy: "verdict" }, "P2");
  assert.deepEqual([free.outcome.mapped, free.outcome.authorization], ["DISMISS_VERIFIED", "automated"]);
  const kept = { ...USUAL_TERMS, untouchable: "Your settings keep it." };
  const held = await judged({ opinion: looks }, { strategy: "verdict" }, "P2", kept);
  assert.deepEqual([held.outcome.mapped, held.outcome.authorization], ["DISMISS_CANDIDATE", "human-required"]);
});

test("ruling 5: a second opinion that was not given is not told as one that disagrees", async () => {
  for (const severity of ["P1", "P2"] as const) {
    const silent = await judged(rejecting, { secondOpinion: "always" }, severity);
    const told = silent.outcome.because.map(({ text }) => text).join(" ");
    assert.match(told, /none was given/);
    assert.doesNotMatch(told, /not agree/);
  }
});

test("C1: an opinion that stands alone is not compared with a model that nobody asked", async () => {
  const looks: Script["opinion"] = async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 3 });
    return {
      ...opinionSays({ evidenceRefs: ["src/a.ts:1: const one = 1;"] }),
      by: { provider: "x", model: "y", family: "z" },
    };
  };
  const alone = await judged({ opinion: looks }, { strategy: "verdict" }, "P2");
  assert.doesNotMatch(alone.outcome.because[0]?.text ?? "", /another family|same model/);
  const beside = await judged({ ...rejecting, opinion: looks }, {}, "P1");
  assert.match(beside.outcome.because.map(({ text }) => text).join(" "), /another family/);
  const by = { provider: "x", model: "w", family: "z" };
  const mixed: Script = { ...rejecting, round: (task) => ({ ...invalid(task.n), ...(task.n === 2 ? { by } : {}) }) };
  const shared = await judged({ ...mixed, opinion: looks }, {}, "P1");
  assert.doesNotMatch(shared.outcome.because.map(({ text }) => text).join(" "), /another family/);
});

test("R1.25: no objection goes on in a conversation whose words are lost, or that another model had", async () => {
  const looks: Script["opinion"] = async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 3 });
    return opinionSays({ verdict: "ACTIONABLE" });
  };
  const fix = await judged({ opinion: looks }, { strategy: "verdict" }, "P2");
  const { repository, mask } = createMemoryWorkspace({});
  const refuse = async (triaged: typeof fix, model: string) =>
    await refuseRebuttal(
      triaged,
      [{ kind: "test-output", source: "npm test", text: "14 passed" }],
      [{ provider: "scripted", model }],
      { repository, mask },
    );
  assert.equal(await refuse(fix, "one"), null);
  const appeal = { kind: "test-output", source: "I think this is a false positive", text: "14 passed" } as const;
  const who = [{ provider: "scripted", model: "one" }];
  assert.match((await refuseRebuttal(fix, [appeal], who, { repository, mask })) ?? "", /no opinion/);
  assert.match((await refuse(fix, "two")) ?? "", /no other can go on/);
  assert.ok(fix.opinion?.kind === "gave");
  const recalled = { ...fix, opinion: { ...fix.opinion, reasoning: "", refs: [] } };
  assert.match((await refuse(recalled, "one")) ?? "", /known no more/);
});

test("C10, R2.16: a wish cannot bring a checker's silence to a claim that is not about that checker", async () => {
  const workspace = createMemoryWorkspace({ "src/a.ts": LINES.join("\n") });
  let ran = 0;
  const answer = async (): Promise<never> => {
    ran += 1;
    throw new Error("no checker in a test");
  };
  const checkers: Checkers = { report: answer, rule: answer, projectTools: answer };
  const context = { ...workspace.context, checkers };
  const crash = await findingIn(workspace.repository, "The division crashes when nothing is set.", "src/a.ts", 3);
  for (const wish of ["tsc reports TS2322 here.", "This file does not compile.", "mypy --strict fails."]) {
    const asked = await checkClaim(crash, wish, context);
    assert.deepEqual(
      asked.map(({ verdict }) => verdict),
      ["inapplicable"],
      wish,
    );
  }
  assert.equal(ran, 0);
  const reported = await findingIn(workspace.repository, "tsc reports TS2322 here.", "src/a.ts", 3);
  const [own] = await checkClaim(reported, "tsc reports TS2322 here.", context);
  assert.notEqual(own?.verdict, "inapplicable", "a claim about that checker may have it asked");
});
