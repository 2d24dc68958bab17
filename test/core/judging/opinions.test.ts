import assert from "node:assert/strict";
import test from "node:test";
import type { Finding } from "../../../src/core/finding.ts";
import { type Method, USUAL_METHOD } from "../../../src/core/method.ts";
import type { OpinionAnswer } from "../../../src/core/opinion.ts";
import { USUAL_TERMS } from "../../../src/core/policy.ts";
import { refuseRebuttal } from "../../../src/core/rebuttal.ts";
import { rebut, triage } from "../../../src/core/triage.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { opinionSays, type Script, scriptedReviewer } from "../../support/panelOf.ts";

const LINES = ["const one = 1;", "const two = 2;", "const three = 3;", "const four = 4;", "const five = three / two;"];
const FILES = { "src/a.ts": `${LINES.join("\n")}\n` };
const MESSAGE = "The division crashes when nothing is configured.";
const refs = (count: number): string[] => LINES.slice(0, count).map((line, index) => `src/a.ts:${index + 1}: ${line}`);

async function judged(script: Script, method: Partial<Method> = {}, more: Partial<Finding> = {}, terms = USUAL_TERMS) {
  const workspace = createMemoryWorkspace(FILES);
  const finding = { ...(await findingIn(workspace.repository, MESSAGE, "src/a.ts", 5)), ...more };
  const reviewer = scriptedReviewer(script);
  const ports = {
    ...workspace,
    reviewer,
    budget: { calls: 3, bytes: 10_000 },
    method: { ...USUAL_METHOD, strategy: "verdict", ...method } as const,
    terms: () => terms,
  };
  const signal = new AbortController().signal;
  const triaged = await triage(finding, true, ports, () => undefined, signal);
  return { triaged, reviewer, finding, ports, signal };
}

/** An opinion that looked into the repository before it spoke. */
const researched = (more: Partial<OpinionAnswer>): Script => ({
  opinion: async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 5 });
    return opinionSays(more);
  },
});

test("R1.14: an opinion that looked for itself and names enough lines closes a P2, and proposes a P1 for dismissal", async () => {
  const p2 = await judged(researched({ verdictConfidence: 0.8, evidenceRefs: refs(2) }), {}, { severity: "P2" });
  assert.deepEqual([p2.triaged.outcome.mapped, p2.triaged.outcome.authorization], ["DISMISS_VERIFIED", "automated"]);
  const p1 = await judged(researched({ verdictConfidence: 0.9, evidenceRefs: refs(3) }));
  assert.deepEqual(
    [p1.triaged.outcome.mapped, p1.triaged.outcome.authorization],
    ["DISMISS_CANDIDATE", "human-required"],
  );
  assert.ok(p1.triaged.outcome.proposesDismissal);
});

test("R1.10: an opinion that looked at nothing itself is uncertain, whatever it names", async () => {
  const { triaged } = await judged({ opinion: () => opinionSays({ evidenceRefs: refs(4) }) }, {}, { severity: "Nit" });
  assert.ok(triaged.opinion?.kind === "gave" && triaged.opinion.verdict === "UNCERTAIN");
  assert.match(triaged.opinion.note ?? "", /without looking/);
  assert.equal(triaged.outcome.mapped, "NEED_HUMAN");
});

test("R1.11, design idea 3: references count once each and only where the program reads them again, commands only where they ran", async () => {
  const twice = [
    refs(1)[0] ?? "",
    refs(1)[0] ?? "",
    "src/a.ts:3",
    "src/a.ts:2: const invented = 1;",
    "git push --force",
  ];
  const { triaged } = await judged(researched({ evidenceRefs: twice }), {}, { severity: "P2" });
  assert.equal(triaged.outcome.mapped, "NEED_HUMAN");
  assert.ok(triaged.opinion?.kind === "gave");
  assert.deepEqual(
    triaged.opinion.refs.map(({ ok }) => ok),
    [true, true, false, false, false],
  );
  const command = await judged(
    researched({ evidenceRefs: [refs(1)[0] ?? "", "read src/a.ts 1 5"] }),
    {},
    { severity: "P2" },
  );
  assert.ok(command.triaged.opinion?.kind === "gave" && command.triaged.opinion.refs[1]?.receipt !== null);
});

test("R1.15, R1.16: an actionable opinion keeps the finding, an uncertain one hands it to a person", async () => {
  const fix = await judged(researched({ verdict: "ACTIONABLE", verdictConfidence: 0.7 }));
  assert.deepEqual([fix.triaged.outcome.mapped, fix.triaged.outcome.action], ["FIX_REQUIRED", "keep"]);
  const unsure = await judged(researched({ verdict: "UNCERTAIN" }));
  assert.deepEqual([unsure.triaged.outcome.mapped, unsure.triaged.outcome.action], ["NEED_HUMAN", "needs-human"]);
  const silent = await judged({});
  assert.deepEqual([silent.triaged.outcome.mapped, silent.triaged.outcome.action], ["NEED_HUMAN", "needs-human"]);
});

test("R1.27: in the warned state the bar is five hundredths and one reference higher", async () => {
  const warned = { ...USUAL_TERMS, heightened: true };
  const at = async (verdictConfidence: number, count: number) =>
    (await judged(researched({ verdictConfidence, evidenceRefs: refs(count) }), {}, { severity: "P2" }, warned)).triaged
      .outcome.mapped;
  assert.deepEqual(
    [await at(0.84, 3), await at(0.85, 2), await at(0.85, 3)],
    ["NEED_HUMAN", "NEED_HUMAN", "DISMISS_VERIFIED"],
  );
});

test("C1, ruling 5: rounds that reject a P1 ask a blind second opinion, which is told nothing of them, and only its agreement proposes", async () => {
  const round: Script["round"] = (task) => ({
    kind: "gave",
    answer: {
      verdict: "INVALID",
      crux: "c",
      reasoning: "r",
      citations: [{ file: "src/a.ts", line: task.n, endLine: task.n, quote: LINES[task.n - 1] ?? "" }],
    },
  });
  const arbiter: Script["arbiter"] = () => ({
    kind: "gave",
    answer: {
      verdict: "INVALID",
      crux: "c",
      reasoning: "r",
      citations: [{ file: "src/a.ts", line: 1, endLine: 1, quote: LINES[0] ?? "" }],
    },
  });
  const method = { strategy: "rounds" } as const;
  const agreed = await judged({ round, arbiter, ...researched({ evidenceRefs: refs(4) }) }, method);
  assert.ok(agreed.triaged.outcome.proposesDismissal);
  const task = agreed.reviewer.tasks.at(-1);
  assert.ok(task !== undefined && !("rounds" in task) && !("earlier" in task));
  for (const verdict of ["ACTIONABLE", "UNCERTAIN"] as const) {
    const other = await judged({ round, arbiter, ...researched({ verdict, evidenceRefs: refs(4) }) }, method);
    assert.deepEqual([other.triaged.outcome.action, other.triaged.outcome.proposesDismissal], ["needs-human", false]);
  }
  const p2 = await judged({ round, arbiter }, method, { severity: "P2" });
  assert.equal(p2.triaged.opinion, null, "a P2 needs none");
  assert.equal(p2.triaged.outcome.authorization, "automated");
  const always = await judged({ round, arbiter }, { ...method, secondOpinion: "always" }, { severity: "P2" });
  assert.equal(always.triaged.outcome.action, "needs-human", "one that was asked for and not given is doubt");
});

test("R1.22-R1.24: confirm and clarify inform, and dismiss nothing", async () => {
  const confirm = await judged(researched({ evidenceRefs: refs(4) }), { intent: "confirm" }, { severity: "P2" });
  assert.deepEqual([confirm.triaged.outcome.mapped, confirm.triaged.outcome.action], ["DISPUTED", "needs-human"]);
  const clarify = await judged(researched({ impact: "LOW_IMPACT" }), { intent: "clarify" }, { severity: "P2" });
  assert.deepEqual([clarify.triaged.outcome.mapped, clarify.triaged.outcome.action], ["LOW_IMPACT", "keep"]);
  const mismatched = await judged(researched({ impact: "NOT_ASSESSED" }), { intent: "clarify" });
  assert.match(mismatched.triaged.outcome.because.map(({ text }) => text).join(" "), /not the one answered/);
});

test("R1.25: an objection is taken once, against 'fix it', with objective things that stand where they are said to", async () => {
  const artefact = { kind: "specification", source: "src/a.ts:2", text: LINES[1] ?? "" } as const;
  const fix = await judged(researched({ verdict: "ACTIONABLE" }), {}, { severity: "P2" });
  const refuse = async (given: Parameters<typeof refuseRebuttal>[1]) =>
    await refuseRebuttal(fix.triaged, given, [fix.reviewer.identity], fix.ports);
  assert.equal(await refuse([artefact]), null);
  assert.match((await refuse([])) ?? "", /objective/);
  assert.match((await refuse([{ ...artefact, text: "const two = 3;" }])) ?? "", /does not hold/);
  assert.match(
    (await refuse([{ kind: "test-output", source: "npm test", text: "I think this is a false positive." }])) ?? "",
    /no opinion/,
  );
  assert.equal(await refuse([{ kind: "test-output", source: "npm test", text: "14 passed, 0 failed" }]), null);
  const disagree = scriptedReviewer({
    opinion: async (task) => {
      assert.equal(task.rebuttal?.to.stated, "ACTIONABLE");
      await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 5 });
      return opinionSays({ evidenceRefs: refs(2), verdictConfidence: 0.9 });
    },
  });
  const ports = { ...fix.ports, reviewer: disagree };
  const after = await rebut(fix.finding, fix.triaged, [artefact], ports, () => undefined, fix.signal);
  assert.equal(after.outcome.mapped, "DISMISS_VERIFIED");
  assert.ok(after.opinion?.kind === "gave" && fix.triaged.opinion?.kind === "gave");
  assert.equal(after.opinion.thread, fix.triaged.opinion.thread, "the same conversation goes on");
  assert.match(
    (await refuseRebuttal(after, [artefact], [fix.reviewer.identity], fix.ports)) ?? "",
    /there is none|once already/,
  );
});

test("R1.25: an objection that nobody answers leaves the opinion as it was, and counts as made", async () => {
  const fix = await judged(researched({ verdict: "ACTIONABLE" }));
  const artefact = { kind: "language-rule", source: "the language", text: "Integers do not overflow here." } as const;
  const ports = { ...fix.ports, reviewer: scriptedReviewer({}) };
  const after = await rebut(fix.finding, fix.triaged, [artefact], ports, () => undefined, fix.signal);
  assert.deepEqual([after.outcome.mapped, after.outcome.action], ["FIX_REQUIRED", "keep"]);
  assert.match((await refuseRebuttal(after, [artefact], [fix.reviewer.identity], fix.ports)) ?? "", /once already/);
});
