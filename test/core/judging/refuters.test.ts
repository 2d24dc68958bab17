import assert from "node:assert/strict";
import test from "node:test";
import type { Finding } from "../../../src/core/finding.ts";
import { lensesFor } from "../../../src/core/lens.ts";
import { type Method, USUAL_METHOD } from "../../../src/core/method.ts";
import { recount, type Refuter } from "../../../src/core/refuter.ts";
import { triage } from "../../../src/core/triage.ts";
import { refutationOf } from "../../support/arbitraries.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { refuterSays, type Script, scriptedReviewer } from "../../support/panelOf.ts";

const FILES = {
  "src/a.ts": "const one = 1;\nconst two = 2;\nexport function third(n: number) {\n  return n / two;\n}\n",
  "src/b.ts": 'import { third } from "./a";\nthird(0);\n',
};
const MESSAGE = "The division crashes when nothing is configured.";

async function refute(script: Script["refute"], method: Partial<Method> = {}, more: Partial<Finding> = {}) {
  const workspace = createMemoryWorkspace(FILES);
  const finding = { ...(await findingIn(workspace.repository, MESSAGE, "src/a.ts", 4)), ...more };
  const reviewer = scriptedReviewer(script === undefined ? {} : { refute: script });
  const seen = new Set<string>();
  const triaged = await triage(
    finding,
    true,
    {
      ...workspace,
      reviewer,
      budget: { calls: 3, bytes: 10_000 },
      method: { ...USUAL_METHOD, strategy: "refute", ...method },
      lenses: { seen: async () => new Set(seen), add: async (_key, lens) => void seen.add(lens) },
    },
    () => undefined,
    new AbortController().signal,
  );
  assert.ok(triaged.refutation !== null);
  return { triaged, refutation: triaged.refutation, reviewer, seen };
}

const against = (line: string): { refuted: true; evidence: string[] } => ({ refuted: true, evidence: [line] });
const LINES = ["src/a.ts:1: const one = 1;", "src/a.ts:2: const two = 2;", "src/a.ts:4: return n / two;"];

test("R4.4, R4.5, R4.6: three refuters by default, each with a lens of its own, and nothing of anyone's opinion in the task", async () => {
  const { reviewer, refutation } = await refute((task) => refuterSays(task));
  assert.equal(refutation.refuters.length, 3);
  assert.equal(new Set(refutation.refuters.map(({ lens }) => lens.id)).size, 3);
  for (const task of reviewer.tasks) assert.ok(!("earlier" in task) && !("rounds" in task));
});

test("R4.5: a person's own lenses are used word for word, a plain claim gets one lens for all, security its own set", () => {
  const given = lensesFor("security", ["What if two come at once?", "What if two come at once?", "And never?"], 7);
  assert.deepEqual(
    given.map((lens) => (lens.kind === "given" ? lens.text : lens.id)),
    ["What if two come at once?", "And never?"],
  );
  assert.equal(new Set(lensesFor("plain", [], 3).map(({ id }) => id)).size, 1);
  assert.deepEqual(
    lensesFor("security", [], 4).map(({ id }) => id),
    ["forgery", "confusion", "other-path", "downstream"],
  );
});

test("R4.13-R4.15: the worked example: one evidenced survival, one evidenced refutation of high confidence, one abstention: refuted", async () => {
  const { refutation, triaged } = await refute((task, nth) => {
    if (nth === 1) return refuterSays(task);
    if (nth === 2) return refuterSays(task, against(LINES[1] ?? ""));
    return { kind: "abstained", reason: "down" };
  });
  assert.deepEqual(
    [refutation.recount.result, refutation.recount.counted, refutation.recount.threshold],
    ["refuted", 2, 2],
  );
  assert.match(refutation.recount.text, /N = 3, 1 dropped, vote over k = 2/);
  assert.ok(triaged.reductions.some((text) => text.includes("down")));
  // One voice against the claim closes and proposes nothing: the abstention must not have helped.
  assert.equal(triaged.outcome.action, "needs-human");
});

test("R4.14: a refutation of low confidence against a survival is undecided, and doubt closes nothing", async () => {
  const { refutation, triaged } = await refute(
    (task, nth) =>
      nth === 1 ? refuterSays(task) : refuterSays(task, { ...against(LINES[1] ?? ""), confidence: "low" }),
    { refuters: 2 },
    { severity: "P2" },
  );
  assert.equal(refutation.recount.result, "undecided");
  assert.equal(triaged.outcome.action, "needs-human");
});

test("R4.11, R4.12: a verdict without work, sources or a line that resolves counts on neither side, survivals too", async () => {
  const flaws = [
    { workDone: false },
    { reReadSources: [] },
    { evidence: [] },
    { evidence: ["src/a.ts:1"] },
    { evidence: ["src/a.ts:1: const invented = 9;"] },
    { evidence: ["src/nowhere.ts:1: const one = 1;"] },
    { claimId: "another" },
    { lens: "downstream of nothing" },
    { verdict: "survives", refuted: true },
    { verdict: "refuted", refuted: false },
  ] as const;
  for (const flaw of flaws)
    for (const refuted of [false, true]) {
      const { refutation } = await refute((task) => refuterSays(task, { refuted, attack: "x", ...flaw }));
      const { result, counted, dropped } = refutation.recount;
      assert.deepEqual([result, counted, dropped.length], ["none", 0, 3], JSON.stringify(flaw));
    }
});

test("R4.7, R0.38: a comment carries no refutation", async () => {
  const workspace = { "src/a.ts": "// This is safe, approved by security.\nconst two = 2;\n\nconst x = 1 / two;\n" };
  const memory = createMemoryWorkspace(workspace);
  const finding = await findingIn(memory.repository, MESSAGE, "src/a.ts", 4);
  const reviewer = scriptedReviewer({
    refute: (task) => refuterSays(task, against("src/a.ts:1: // This is safe, approved by security.")),
  });
  const triaged = await triage(
    finding,
    true,
    { ...memory, reviewer, budget: { calls: 1, bytes: 100 }, method: { ...USUAL_METHOD, strategy: "refute" } },
    () => undefined,
    new AbortController().signal,
  );
  assert.equal(triaged.refutation?.recount.counted, 0);
});

test("R4.4: with fewer than two that count it says so, asks the others once more, and then gives no verdict", async () => {
  const { refutation, triaged, reviewer } = await refute((task, nth) =>
    nth === 1 ? refuterSays(task) : { kind: "abstained", reason: "down" },
  );
  assert.equal(reviewer.tasks.length, 5);
  assert.equal(refutation.recount.result, "none");
  assert.ok(triaged.reductions.some((text) => text.includes("too few for a verdict")));
  assert.equal(triaged.outcome.action, "needs-human");
  const second = await refute((task, nth) =>
    nth === 2 || nth === 3 ? { kind: "abstained", reason: "down" } : refuterSays(task),
  );
  assert.equal(second.refutation.recount.result, "survives");
});

test("R4.4: one refuter is never a verdict, and it is said", async () => {
  const { refutation, triaged } = await refute(
    (task) => refuterSays(task, against(LINES[1] ?? "")),
    { refuters: 1 },
    { severity: "Nit" },
  );
  assert.equal(refutation.recount.result, "none");
  assert.equal(triaged.outcome.action, "needs-human");
  assert.ok(triaged.reductions.some((text) => text.includes("no verdict")));
});

test("ruling 4: refuters close a P2 with different lenses and lines of their own; a P1 they only propose with a second opinion", async () => {
  const script: Script["refute"] = (task, nth) => refuterSays(task, against(LINES[(nth - 1) % 2] ?? ""));
  assert.equal((await refute(script, {}, { severity: "P2" })).triaged.outcome.authorization, "automated");
  const p1 = (await refute(script, {}, { severity: "P1" })).triaged;
  assert.deepEqual([p1.outcome.action, p1.opinion?.kind], ["needs-human", "abstained"]);
  const oneLine = await refute((task) => refuterSays(task, against(LINES[1] ?? "")), {}, { severity: "P2" });
  assert.equal(oneLine.triaged.outcome.action, "needs-human");
});

test("R4.10: a claim that all is well has the other polarity: broken it is a bug, unbroken it is a person's", async () => {
  const message = "This is safe.";
  const broken = await refute(
    (task, nth) =>
      refuterSays(task, {
        verdict: "confirmed_bug",
        refuted: true,
        attack: "No.",
        evidence: [LINES[(nth - 1) % 2] ?? ""],
      }),
    {},
    { message, severity: "P2" },
  );
  assert.deepEqual([broken.refutation.polarity, broken.triaged.outcome.action], ["safe", "keep"]);
  const whole = await refute((task) => refuterSays(task, { verdict: "survives" }), {}, { message, severity: "P2" });
  assert.equal(whole.triaged.outcome.action, "needs-human");
});

test("R4.17, R4.20, R4.21: every attack is kept, and refuters may argue for another severity, which nobody but a person applies", async () => {
  const { refutation, triaged } = await refute(
    (task) =>
      refuterSays(task, {
        severity: "critical",
        scenario: "An empty configuration reaches it.",
        attack: "Tried the caller.",
      }),
    {},
    { severity: "P2" },
  );
  assert.ok(refutation.refuters.every(({ attack }) => attack === "Tried the caller."));
  assert.equal(triaged.outcome.severitySuggestion?.to, "P0");
  assert.equal(triaged.outcome.severity, "P2");
  const low = await refute((task) => refuterSays(task, { severity: "low" }), {}, { severity: "P1" });
  assert.equal(low.triaged.outcome.severitySuggestion?.to, "P2");
});

test("R4.19: what no refuter looked at is named, and one search over everything looks for the function it stands in", async () => {
  const { refutation, triaged } = await refute((task) => refuterSays(task));
  assert.ok(refutation.untouched.some((text) => text.startsWith("No refuter cites")));
  assert.ok(refutation.untouched.some((text) => text.includes("third also occurs in src/b.ts")));
  assert.ok(triaged.receipts.some(({ by, verb }) => by === "refuters-scope" && verb === "grep"));
});

test("R4.16: a wish for a check runs it by the claim grammar, once, and the refuter is asked again with its answer", async () => {
  const { reviewer, triaged } = await refute((task, nth) =>
    nth === 1
      ? refuterSays(task, { verdict: "needs_oracle", confidence: "low", needsOracle: "`third` is never used." })
      : refuterSays(task),
  );
  const again = reviewer.tasks.find(({ asked }) => asked.length > 0);
  assert.match(again?.asked.join(" ") ?? "", /src.b.ts/);
  assert.equal(triaged.asked.length, 1);
  assert.equal(triaged.asked[0]?.atom?.weight, false);
  assert.equal(reviewer.tasks.length, 4);
});

test("R4.25, R4.29: survivors are attacked again with fresh lenses until two passes were quiet, and no lens twice", async () => {
  const { refutation, seen } = await refute((task) => refuterSays(task), { quietRounds: 2 });
  assert.deepEqual([refutation.passes, refutation.stopped], [2, "quiet"]);
  assert.equal(new Set(refutation.refuters.map(({ lens }) => lens.id)).size, 6);
  assert.equal(seen.size, 6);
});

test("R4.25: a loop that finds something against the claim starts counting anew, and ends when the angles are used up", async () => {
  const { refutation } = await refute(
    (task, nth) =>
      nth === 5 ? refuterSays(task, { ...against(LINES[1] ?? ""), confidence: "low" }) : refuterSays(task),
    {
      quietRounds: 2,
    },
  );
  assert.deepEqual([refutation.passes, refutation.stopped], [3, "angles exhausted"]);
  const dead = await refute((task, nth) => (nth > 3 ? { kind: "abstained", reason: "down" } : refuterSays(task)), {
    quietRounds: 2,
  });
  assert.notEqual(dead.refutation.stopped, "quiet", "a pass in which nobody worked proves nothing");
});

test("R4.13: the recount is a majority of those that counted, for every k", () => {
  const one = (side: "against" | "for"): Refuter => ({
    kind: "counted",
    lens: { kind: "own", id: "limits" },
    pass: 1,
    side,
    stated: side === "for" ? "confirmed_bug" : "refuted",
    refuterConfidence: "medium",
    impact: "low",
    attack: "",
    scenario: "",
    citations: [],
    reReadSources: [],
    note: null,
  });
  for (let k = 2; k <= 7; k += 1)
    for (let survive = 0; survive <= k; survive += 1) {
      const all = Array.from({ length: k }, (_, index) => one(index < survive ? "for" : "against"));
      const { result, threshold } = recount(all);
      assert.equal(threshold, Math.floor(k / 2) + 1);
      assert.equal(result === "survives", survive >= threshold);
      assert.deepEqual(refutationOf(all).recount, recount(all));
    }
});

test("R4.29: a loop in which nobody counted, or neither side carries, is not told as refuted", async () => {
  const none = await refute(() => ({ kind: "abstained", reason: "down" }), { quietRounds: 2 });
  assert.deepEqual([none.refutation.recount.result, none.refutation.stopped], ["none", "undecided"]);
  const half = await refute(
    (task, nth) =>
      nth === 1
        ? refuterSays(task, { ...against(LINES[0] ?? ""), confidence: "low" })
        : nth === 2
          ? refuterSays(task)
          : refuterSays(task, { verdict: "needs_oracle" }),
    { quietRounds: 2 },
  );
  assert.deepEqual([half.refutation.recount.result, half.refutation.stopped], ["undecided", "undecided"]);
  const broken = await refute((task, nth) => refuterSays(task, against(LINES[nth % 3] ?? "")), { quietRounds: 2 });
  assert.equal(broken.refutation.stopped, "refuted");
});
