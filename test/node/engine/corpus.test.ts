import { USUAL_METHOD } from "../../../src/core/method.ts";
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { createTextStructures } from "../../../src/core/code/textStructure.ts";
import { createBuiltInReviewer } from "../../../src/core/builtIn/reviewer.ts";
import type { Severity } from "../../../src/core/finding.ts";
import type { Outcome } from "../../../src/core/outcome.ts";
import type { Engine } from "../../../src/node/engine/engine.ts";
import { openEngine } from "../../../src/node/engine/openEngine.ts";
import { createMask } from "../../../src/node/mask/mask.ts";
import { loadPrompts } from "../../../src/node/prompts.ts";
import { beforeChange, corpusFiles, corpusLabels, type CorpusRow, corpusRows } from "../../support/corpus.ts";
import { folderWith, git, write } from "../repository/folder.ts";

const LEVEL = { P0: "error", P1: "error", P2: "warning", Nit: "note" } as const satisfies Record<Severity, string>;

/** The rows as a SARIF log, one run a tool; `critical` by its security number. */
function sarifOf(rows: readonly CorpusRow[]): string {
  const runs = Map.groupBy(rows, ({ claimed }) => claimed.tool);
  return JSON.stringify({
    version: "2.1.0",
    runs: Array.from(runs, ([name, own]) => ({
      tool: { driver: { name } },
      results: own.map(({ id, claimed: { rule, severity, message, path, span, quote } }) => ({
        guid: id,
        ruleId: rule,
        level: LEVEL[severity],
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: path },
              region: { startLine: span.line, snippet: { text: quote } },
            },
          },
        ],
        properties: severity === "P0" ? { "security-severity": "9.8" } : {},
      })),
    })),
  });
}

/** The project in a repository: committed as it was before the change, which lies in the working tree with the review beside it. */
async function reviewed(
  t: TestContext,
  sarif: string,
  prepare: (root: string) => void = () => undefined,
): Promise<Engine> {
  const { "change.diff": _diff, ...files } = corpusFiles();
  const root = folderWith(t, { ...files, ...beforeChange(files) });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "base");
  write(root, { "src/http.ts": files["src/http.ts"] ?? "", "review.sarif": sarif });
  prepare(root);
  const { engine } = await openEngine({
    root,
    ripgrep: null,
    liveText: () => undefined,
    liveFiles: () => [],
    mask: createMask(),
    now: () => new Date(0),
    prompts: loadPrompts("prompts"),
    history: null,
    checkers: null,
    concurrency: () => 2,
    severityMap: () => ({}),
    sourceRoots: () => ({}),
    budget: () => ({ calls: 6, bytes: 60_000 }),
    method: () => USUAL_METHOD,
    costMode: () => "normal",
    untouchable: () => null,
    changed: () => undefined,
    log: () => undefined,
  });
  await engine.loadReviews(["review.sarif"]);
  const repository = { files: async () => [], text: async () => null, head: async () => null, diff: async () => null };
  const reviewer = createBuiltInReviewer({
    repository,
    structures: createTextStructures(repository),
    mask: (text) => text,
  });
  const run = await engine.triage(
    engine.entries().map(({ finding }) => finding.key),
    true,
    reviewer,
  );
  await run.finished;
  return engine;
}

/** Outcomes by row. */
function outcomesOf(engine: Engine): ReadonlyMap<string, Outcome> {
  return new Map(
    engine.entries().flatMap(({ finding, triaged }) => {
      const row = corpusRows().find(
        ({ claimed }) => claimed.message === finding.message && claimed.rule === finding.rule,
      );
      return row === undefined || triaged === null ? [] : [[row.id, triaged.outcome] as const];
    }),
  );
}

const labels = corpusLabels();
const rowsOf = (expect: string, name: string): string[] =>
  [...labels].filter(([, { oracle }]) => oracle.expect === expect && oracle.class === name).map(([id]) => id);

test("engine, in a git repository with the change: each row of the corpus comes to what a sound tier may do with it", async (t) => {
  const outcomes = outcomesOf(await reviewed(t, sarifOf(corpusRows())));
  assert.equal(outcomes.size, 38);
  for (const [name, rule] of [
    ["quote_absent_everywhere", "class 8"],
    ["file_absent", "class 10"],
  ] as const)
    for (const id of rowsOf("refute", name)) {
      assert.equal(outcomes.get(id)?.action, "needs-human", id);
      assert.equal(outcomes.get(id)?.because[0]?.rule, rule, JSON.stringify(outcomes.get(id)));
    }
  for (const [name, rule] of [
    ["not_in_diff", "class 15"],
    ["duplicate", "class 16"],
    ["generated_file", "class 17"],
    ["inline_suppression", "class 19"],
  ] as const)
    for (const id of rowsOf("route", name)) {
      assert.equal(outcomes.get(id)?.action, "route", id);
      assert.ok(
        outcomes.get(id)?.because.some((because) => because.rule === rule),
        id,
      );
    }
  for (const [id, { truth, oracle, hard }] of labels) {
    const outcome = outcomes.get(id);
    if (hard) assert.equal(outcome?.action, "bypass", id);
    if (truth === "true_positive") assert.notEqual(outcome?.authorization, "automated", id);
    if (oracle.expect === "none") assert.equal(outcome?.action, "needs-human", id);
  }
});

test("engine: a suppression is shown with who added it and when, by blame, and with a receipt", async (t) => {
  const engine = await reviewed(t, sarifOf(corpusRows()));
  const entry = engine
    .entries()
    .find(({ finding }) => finding.place.file === "src/evaluate.ts" && finding.place.line === 5);
  const check = entry?.triaged?.checks.find(({ notice }) => notice?.claimClass === 19);
  assert.match(
    check?.text ?? "",
    /“constant literal, never user input”; A last changed that line on \d{4}-\d\d-\d\d \([0-9a-f]{10}\)/,
  );
  assert.equal(entry?.triaged?.receipts.find(({ id }) => check?.receipts.includes(id))?.verb, "blame");
});

test("engine: a review that speaks of another tree shows nothing absent (ruling 8)", async (t) => {
  const lost = corpusRows().filter(({ claimed }) => claimed.path === "src/payments.ts");
  const outcomes = outcomesOf(await reviewed(t, sarifOf(lost)));
  assert.equal(outcomes.size, 1);
  for (const { because } of outcomes.values()) assert.ok(because.every(({ rule }) => rule !== "class 10"));
});

test("engine: a duplicate is judged for itself once the finding that it was set aside for is dismissed", async (t) => {
  const engine = await reviewed(t, sarifOf(corpusRows()));
  const [twin] = rowsOf("route", "duplicate");
  const duplicate = engine
    .entries()
    .find(({ finding }) => finding.message === corpusRows().find(({ id }) => id === twin)?.claimed.message);
  const kept = engine
    .entries()
    .find(
      ({ finding }) =>
        finding.place.line === duplicate?.finding.place.line &&
        finding.rule === "loose-equality" &&
        finding.key !== duplicate?.finding.key,
    );
  assert.ok(duplicate !== undefined && kept !== undefined);
  assert.equal(duplicate.triaged?.outcome.action, "route");
  const dismissed = await engine.decide(kept.finding.key, {
    decision: "dismiss",
    reason: "The form only ever sends numbers.",
    prompt: "",
  });
  assert.equal(dismissed.kind, "settled");
  const repository = { files: async () => [], text: async () => null, head: async () => null, diff: async () => null };
  const run = await engine.triage(
    [duplicate.finding.key],
    true,
    createBuiltInReviewer({ repository, structures: createTextStructures(repository), mask: (text) => text }),
  );
  await run.finished;
  assert.equal(engine.entry(duplicate.finding.key)?.triaged?.outcome.action, "needs-human");
});
