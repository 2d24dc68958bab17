import { ASKED } from "../support/asked.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as z from "zod";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import type { Finding } from "../../src/core/finding.ts";
import { runChecks } from "../../src/core/oracle.ts";
import { judge } from "../../src/core/judge.ts";
import { settlement } from "../../src/core/settlement.ts";
import { admit } from "../../src/core/policy.ts";
import { severityOf } from "../../src/core/severity.ts";
import { statesCheckerOutput } from "../../src/core/statedChecks.ts";
import { triage, type Triaged } from "../../src/core/triage.ts";
import { at, claim } from "../support/claims.ts";
import { type CorpusRow, placeRows } from "../support/corpus.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { createMemoryWorkspace } from "../support/memoryWorkspace.ts";
import { judgeIn, think } from "../support/minds.ts";
import { cites, createScriptedModel, says, scriptedPrompts } from "../support/scriptedModel.ts";

const FOLDER = path.join(import.meta.dirname, "../fixtures/guardian");

const Recorded = z.object({
  index: z.int(),
  file: z.string(),
  line: z.int(),
  severity: z.string(),
  title: z.string(),
  evidence: z.string(),
  problem: z.string(),
  fix: z.string(),
  confidence: z.number(),
  anchor: z.string(),
  verdict: z.string(),
  skeptic_note: z.string(),
});
const Arm = z.object({ index: z.int(), now: z.string(), rationale: z.string() });
const Label = z.object({ index: z.int(), label: z.enum(["true", "false"]) });

function read<T>(file: string, shape: z.ZodType<T>): T[] {
  const text = readFileSync(path.join(FOLDER, file), "utf8").trim();
  return text.split("\n").map((line) => shape.parse(JSON.parse(line)));
}

const recorded = read("pr-399-findings.jsonl", Recorded);
const isTrue = new Set(
  read("pr-399-labels.jsonl", Label).flatMap(({ index, label }) => (label === "true" ? [index] : [])),
);

/** The reviewed files are not here: each quoted line is set at a place of its own, far from the line that is cited. */
function files(): Record<string, string> {
  const texts = new Map<string, string[]>();
  for (const { file, anchor, evidence } of recorded) {
    const lines = texts.get(file) ?? Array<string>(200).fill("");
    for (const quote of [anchor, evidence])
      if (!lines.some((line) => line.includes(quote))) lines.push("", `    ${quote}`, "    pass");
    texts.set(file, lines);
  }
  return Object.fromEntries([...texts].map(([file, lines]) => [file, lines.join("\n")]));
}

const rows: CorpusRow[] = recorded.map((row) => ({
  id: String(row.index),
  claimed: claim({
    sourceId: String(row.index),
    message: `${row.title}. ${row.problem}`,
    path: row.file,
    span: at(row.line),
    severity: severityOf({ scale: "word", value: row.severity }) ?? "P1",
    quote: row.evidence,
    fix: row.fix,
    finderConfidence: row.confidence,
  }),
}));

const workspace = createMemoryWorkspace(files());
const findings = await placeRows(rows, workspace.repository);

test("guardian: 24 of 24 wrong lines are relocated to the quoted code, the true finding included (gate G4)", () => {
  assert.equal(findings.size, 24);
  for (const { index, file, evidence } of recorded) {
    const place = findings.get(String(index))?.place;
    assert.equal(place?.file, file);
    assert.equal(place.status, "relocated", String(index));
    assert.ok((files()[file]?.split("\n")[(place.line ?? 0) - 1] ?? "").includes(evidence.split("\n")[0] ?? "?"));
  }
});

test("guardian: the place check confirms each and no check refutes any", async () => {
  for (const finding of findings.values()) {
    const checks = await runChecks(finding, workspace.context, () => undefined);
    assert.equal(checks[0]?.verdict, "confirmed");
    assert.ok(checks.every(({ verdict }) => verdict !== "refuted"));
    assert.equal(settlement(finding, checks), null);
  }
});

test("guardian: of 24 findings the one that withdraws itself, and no other, is shown lower and stays open (class 20)", async () => {
  const shown: string[] = [];
  for (const [id, finding] of findings) {
    const checks = await runChecks(finding, workspace.context, () => undefined);
    const outcome = judge({
      ...ASKED,
      finding,
      admission: admit(finding, true),
      checks,
    });
    assert.equal(outcome.authorization, "none", id);
    if (outcome.action !== "needs-human") shown.push(`${id} ${outcome.action} ${outcome.because[0]?.rule}`);
  }
  assert.deepEqual(shown, ["17 demote class 20"]);
  assert.ok(!isTrue.has(17));
});

const ARMS: readonly (readonly [string, readonly z.infer<typeof Arm>[]])[] = [
  ["recorded", recorded.map(({ index, verdict, skeptic_note }) => ({ index, now: verdict, rationale: skeptic_note }))],
  ["control", read("401-control-rows.jsonl", Arm)],
  ["treatment", read("401-treatment-rows.jsonl", Arm)],
  ["directive", read("407-directive-rows.jsonl", Arm)],
];

const VERDICT = { confirmed: "VALID", refuted: "INVALID", uncertain: "UNCERTAIN" } as const;

/** One voice of an arm, word for word, in every round and as the arbiter. */
async function replay({ now, rationale }: z.infer<typeof Arm>, finding: Finding): Promise<Triaged> {
  const verdict = now === "confirmed" || now === "refuted" ? VERDICT[now] : VERDICT.uncertain;
  const { file, line } = finding.place;
  const quote = (files()[file ?? ""]?.split("\n")[(line ?? 1) - 1] ?? "").trim();
  const model = createScriptedModel(() =>
    says(verdict, [cites(file ?? "", line ?? 1, quote)], { reasoning: rationale }),
  );
  const reviewer = createModelReviewer(sameModel(model), scriptedPrompts, sha256);
  const ports = { ...workspace, reviewer, budget: { calls: 2, bytes: 9000 } };
  return await triage(finding, true, ports, () => undefined, new AbortController().signal);
}

for (const [arm, answers] of ARMS) {
  test(`guardian, ${arm}: no finding is closed by one voice, and the true one is never lost (finding 4)`, async () => {
    for (const answer of answers) {
      const finding = findings.get(String(answer.index));
      assert.ok(finding !== undefined);
      const triaged = await replay(answer, finding);
      assert.notEqual(triaged.outcome.authorization, "automated", `${arm} ${answer.index}`);
      if (isTrue.has(answer.index)) assert.ok(["keep", "needs-human"].includes(triaged.outcome.action));
    }
  });

  test(`guardian, ${arm}: no verdict that states a checker's output counts, since none ran (R2.7)`, async () => {
    for (const answer of answers) {
      const finding = findings.get(String(answer.index));
      if (finding === undefined || answer.now === "uncertain" || statesCheckerOutput(answer.rationale) === null)
        continue;
      const triaged = await replay(answer, finding);
      assert.ok(triaged.rounds.every(({ kind }) => kind === "abstained"));
    }
  });
}

/** One voice of an arm, word for word, as every refuter or as the second opinion; it has looked at the file and cites the flagged line. */
async function replayAs(
  strategy: "refute" | "verdict",
  { now, rationale }: z.infer<typeof Arm>,
  finding: Finding,
): Promise<Triaged> {
  const verdict = now === "confirmed" || now === "refuted" ? VERDICT[now] : VERDICT.uncertain;
  const { file, line } = finding.place;
  const quote = (files()[file ?? ""]?.split("\n")[(line ?? 1) - 1] ?? "").trim();
  const persona = think({
    verdict: () => verdict,
    lines: () => [cites(file ?? "", line ?? 1, quote)],
    words: rationale,
    reads: file ?? "",
  });
  return await judgeIn(persona, finding, strategy, workspace);
}

for (const strategy of ["refute", "verdict"] as const)
  for (const [arm, answers] of ARMS)
    test(`guardian, ${arm}, ${strategy}: no finding is closed by one voice with one line, and the true one is never lost (finding 4)`, async () => {
      let asked = 0;
      for (const answer of answers) {
        const finding = findings.get(String(answer.index));
        assert.ok(finding !== undefined);
        const { outcome, refutation, opinion } = await replayAs(strategy, answer, finding);
        asked += (refutation?.recount.asked ?? 0) + (opinion === null ? 0 : 1);
        const name = `${arm} ${answer.index}`;
        // One line reaches the bar of a Nit alone (R1.14).
        if (strategy === "refute" || finding.severity !== "Nit")
          assert.notEqual(outcome.authorization, "automated", name);
        if (isTrue.has(answer.index)) assert.ok(["keep", "needs-human"].includes(outcome.action), name);
      }
      assert.ok(asked >= 20);
    });

test("guardian: of the refutations given with checker output, every one that rests on it is recognised", () => {
  const treatment = ARMS.find(([arm]) => arm === "treatment")?.[1] ?? [];
  const resting = treatment.filter(({ rationale }) => /mypy --strict/.test(rationale)).map(({ index }) => index);
  assert.ok(resting.length >= 6);
  for (const { index, rationale } of treatment)
    assert.equal(statesCheckerOutput(rationale) !== null, resting.includes(index), rationale);
});

test("checker talk: a sentence about code, a configuration or a missing run states no output", () => {
  const innocent = [
    "The value passes Number.parseInt, so only an integer reaches the text.",
    "No checker has been run for this claim.",
    "The compiler option is not set in tsconfig.json.",
    "The check fails for an empty list.",
    "The request is rejected by requireUser.",
    "Whether it violates the rule cannot be known without running the linter.",
    "The validator reports an error to the caller.",
  ];
  assert.deepEqual(
    innocent.filter((text) => statesCheckerOutput(text) !== null),
    [],
  );
});

test("R2.7: what a checker reports may be said of the one that ran, and of no other", () => {
  const said = "tsc reports no error here, so the claim is wrong.";
  assert.notEqual(statesCheckerOutput(said), null);
  assert.equal(statesCheckerOutput(said, ["tsc"]), null);
  assert.equal(statesCheckerOutput("The type checker passes.", ["tsc"]), null);
  assert.equal(statesCheckerOutput("The TypeScript compiler rejects it.", ["tsc"]), null);
  assert.notEqual(statesCheckerOutput(said, ["mypy"]), null);
  assert.match(statesCheckerOutput(`${said} ESLint would flag it.`, ["tsc"]) ?? "", /ESLint/);
});
