import assert from "node:assert/strict";
import test from "node:test";
import type { Claimed, Finding } from "../../src/core/finding.ts";
import type { Repository } from "../../src/core/ports.ts";
import { runChecks } from "../../src/core/oracle.ts";
import { admit, judge } from "../../src/core/policy.ts";
import { corpusFiles, corpusLabels, type CorpusRow, corpusRows, placeRows } from "../support/corpus.ts";
import { createMemoryWorkspace } from "../support/memoryWorkspace.ts";

type Change = (files: Record<string, string>) => Record<string, string>;

/** Action and settlement of every row without any model, by id. */
async function settle(
  rows: readonly CorpusRow[] = corpusRows(),
  change: Change = (files) => files,
  structures: "grammar" | "text" = "grammar",
): Promise<ReadonlyMap<string, string>> {
  const workspace = createMemoryWorkspace(change(corpusFiles()), { structures });
  const findings = await placeRows(rows, workspace.repository);
  const outcomes = new Map<string, string>();
  for (const [id, finding] of findings) outcomes.set(id, await settleOne(finding, workspace));
  return outcomes;
}

async function settleOne(finding: Finding, workspace: ReturnType<typeof createMemoryWorkspace>): Promise<string> {
  const checks = await runChecks(finding, workspace.context, () => undefined);
  const admission = admit(finding, true);
  const outcome = judge({ finding, admission, checks, rounds: [], vote: null, ruling: null });
  return outcome.settledAs === null
    ? outcome.action
    : `${outcome.action} ${outcome.settledAs} ${outcome.authorization}`;
}

const labels = corpusLabels();
const settled = await settle();

test("corpus: all 38 rows are read, placed and judged", () => {
  assert.equal(corpusRows().length, 38);
  assert.equal(settled.size, 38);
});

test("corpus: no true finding is refuted or closed (gate G1: zero lost)", () => {
  const lost = [...labels].filter(
    ([id, { truth }]) => truth === "true_positive" && /refuted|filter/.test(settled.get(id) ?? "missing"),
  );
  assert.deepEqual(lost, []);
});

test("corpus: nothing is settled that a sound tier must leave undecided", () => {
  const over = [...labels].filter(
    ([id, { oracle }]) => oracle.expect !== "refute" && (settled.get(id) ?? "missing").startsWith("settled"),
  );
  assert.deepEqual(over, []);
});

test("corpus: the unresolved-name rows are refuted; the P1 waits for a person, the P2 is closed (ruling 1)", () => {
  const names = [...labels].filter(([, { oracle }]) => oracle.class === "identifier_unresolved").map(([id]) => id);
  assert.deepEqual(
    new Set(names.map((id) => settled.get(id))),
    new Set(["settled refuted automated", "settled refuted human-required"]),
  );
});

test("corpus: rows whose checker cannot run here stay open, whatever they expect", () => {
  const others = [...labels].filter(
    ([, { oracle }]) => oracle.expect === "refute" && oracle.class !== "identifier_unresolved",
  );
  assert.ok(others.length >= 5);
  for (const [id] of others) assert.equal(settled.get(id), "needs-human");
});

test("corpus: a wrong line, another case and other white space are relocated to the real place (class 7, class 9)", async () => {
  const { repository } = createMemoryWorkspace(corpusFiles());
  const findings = await placeRows(corpusRows(), repository);
  const moved = [...labels].filter(([, { tags }]) => tags.includes("relocate"));
  assert.ok(moved.length >= 2);
  for (const [id, { actual }] of moved) {
    assert.equal(findings.get(id)?.place.file, actual?.file);
    assert.equal(findings.get(id)?.place.line, actual?.line);
  }
});

const edit =
  (more: (text: string) => string): Change =>
  (files) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, /\.[jt]s$/.test(file) ? more(text) : text]));

const SAME: readonly (readonly [string, Change])[] = [
  ["all lines shifted by seven", edit((text) => `${"\n".repeat(7)}${text}`)],
  ["an unrelated file beside them", (files) => ({ ...files, "src/zzz.ts": "export const formatMoneyLater = 1;\n" })],
  ["other indentation", edit((text) => text.replace(/^ {2}/gm, "\t"))],
  ["Windows line ends", edit((text) => text.replaceAll("\n", "\r\n"))],
  ["single quotes", edit((text) => text.replaceAll('"', "'"))],
  ["a comment on top of every file", edit((text) => `/* one\n * \`two\n */\n${text}`)],
];

for (const [what, change] of SAME) {
  test(`corpus, metamorphic: with ${what} every row is settled as before`, async () => {
    assert.deepEqual(await settle(corpusRows(), change), settled);
  });
}

const IMPORTED = "own-ts-shop-c9780fb7";
const EXPORTED = "own-ts-shop-af67c8e7";
// What each check rests on, taken away: its refutation must go with it.
const LESS: readonly (readonly [string, readonly string[], Change])[] = [
  ["every import commented out", [IMPORTED], edit((text) => text.replace(/^import /gm, "// import "))],
  ["every import of types only", [IMPORTED], edit((text) => text.replace(/^import \{/gm, "import type {"))],
  ["every export taken away", [IMPORTED, EXPORTED], edit((text) => text.replace(/^export (?!\*)/gm, ""))],
  ["every re-export taken away", [IMPORTED, EXPORTED], edit((text) => text.replace(/^export \*.*$/gm, ""))],
  [
    "a second file that may be meant",
    [IMPORTED, EXPORTED],
    (files) => ({ ...files, "src/util.js": "", "src/money.js": "" }),
  ],
];

for (const [what, gone, change] of LESS) {
  test(`corpus, metamorphic: with ${what} what rested on it is refuted no more, and nothing else is`, async () => {
    const changed = await settle(corpusRows(), change);
    const before = [...settled].filter(([id, outcome]) => outcome.includes("refuted") && !gone.includes(id));
    assert.deepEqual(
      [...changed].filter(([, outcome]) => outcome.includes("refuted")),
      before,
    );
  });
}

/** The rows with one thing about each claim made worse. */
function mutate(more: (claimed: Claimed) => Partial<Claimed>): CorpusRow[] {
  return corpusRows().map(({ id, claimed }) => ({ id, claimed: { ...claimed, ...more(claimed) } }));
}

const MUTATIONS: readonly (readonly [string, (claimed: Claimed) => Partial<Claimed>])[] = [
  ["a line that is wrong by a few", ({ span }) => ({ span: { ...span, line: (span.line ?? 0) + 3 } })],
  ["a line past the end", ({ span }) => ({ span: { ...span, line: 9000 } })],
  ["no line", ({ span }) => ({ span: { ...span, line: null } })],
  ["another letter case of the file", ({ path }) => ({ path: path?.toUpperCase() ?? null })],
  ["a prefix before the file", ({ path }) => ({ path: `home/ci/shop/${path}` })],
  ["other white space in the quote", ({ quote }) => ({ quote: quote?.replaceAll(" ", "  ") ?? null })],
  ["a quote that is nowhere", () => ({ quote: "return launchRockets(now);" })],
  ["no quote", () => ({ quote: null })],
  ["a second sentence", ({ message }) => ({ message: `${message} It also leaks the connection.` })],
  ["a hedge before it", ({ message }) => ({ message: `It seems that ${message}` })],
];

for (const [what, more] of MUTATIONS) {
  test(`corpus, mutation: with ${what} no true finding is refuted (evaluation.md 4.6)`, async () => {
    const changed = await settle(mutate(more));
    const lost = [...labels].filter(
      ([id, { truth }]) => truth === "true_positive" && /refuted|filter/.test(changed.get(id) ?? "missing"),
    );
    assert.deepEqual(lost, []);
  });
}

test("corpus, mutation: with a second sentence behind them even the refutable rows stay open", async () => {
  const changed = await settle(mutate(({ message }) => ({ message: `${message} It also leaks the connection.` })));
  for (const [id, outcome] of changed) assert.doesNotMatch(outcome, /refuted/, id);
});

test("corpus: only the finding reaches the product, never its label (canary)", () => {
  const seen = JSON.stringify(corpusRows().map(({ claimed }) => ({ ...claimed, sourceId: null })));
  for (const word of ["true_positive", "false_positive", "oracle", "trap", "deciding"])
    assert.doesNotMatch(seen, new RegExp(word));
});

test("corpus: where no grammar can be used, patterns settle no row otherwise", async () => {
  const read = await settle(corpusRows(), (files) => files, "text");
  for (const [id, outcome] of settled) assert.equal(read.get(id), outcome, id);
});

test("corpus: the order of the rows changes nothing", async () => {
  const reversed = await settle(corpusRows().toReversed());
  for (const [id, outcome] of settled) assert.equal(reversed.get(id), outcome);
});

test("corpus: a repository that answers nothing settles nothing", async () => {
  const workspace = createMemoryWorkspace(corpusFiles());
  const findings = await placeRows(corpusRows(), workspace.repository);
  const blind: Repository = { ...workspace.repository, files: async () => [], text: async () => null };
  for (const finding of findings.values())
    assert.doesNotMatch(
      await settleOne(finding, { ...workspace, context: { ...workspace.context, repository: blind } }),
      /settled/,
    );
});
