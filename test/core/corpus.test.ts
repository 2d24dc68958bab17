import { ASKED } from "../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import type { CheckResult } from "../../src/core/check.ts";
import type { Claimed, Finding } from "../../src/core/finding.ts";
import type { Repository } from "../../src/core/ports.ts";
import { runChecks } from "../../src/core/oracle.ts";
import { judge } from "../../src/core/judge.ts";
import { admit } from "../../src/core/policy.ts";
import { beforeChange, corpusFiles, corpusLabels, type CorpusRow, corpusRows, placeRows } from "../support/corpus.ts";
import { createMemoryWorkspace } from "../support/memoryWorkspace.ts";

type Change = (files: Record<string, string>) => Record<string, string>;

type Workspace = ReturnType<typeof createMemoryWorkspace>;

/** What the tier without a model made of a row. */
interface Verdict {
  readonly outcome: string;
  readonly checks: readonly CheckResult[];
  readonly because: readonly string[];
}

/**
 * Every row without any model, by id. Rows that are about the change under review see the project with that change, the others
 * see it as it was committed.
 */
async function judgeRows(
  rows: readonly CorpusRow[],
  change: Change,
  structures: "grammar" | "text" = "grammar",
): Promise<ReadonlyMap<string, Verdict>> {
  const files = change(corpusFiles());
  const verdicts = new Map<string, Verdict>();
  for (const changed of [false, true]) {
    const workspace = createMemoryWorkspace(files, {
      structures,
      past: changed ? { before: beforeChange(files) } : {},
    });
    const own = rows.filter((row) => (row.changed ?? false) === changed);
    const findings = await placeRows(changed ? own : rows, workspace.repository);
    for (const { id } of own) {
      const finding = findings.get(id);
      if (finding !== undefined) verdicts.set(id, await judgeOne(finding, workspace, [...findings.values()]));
    }
  }
  return verdicts;
}

/** Action and settlement of every row, by id. */
async function settle(
  rows: readonly CorpusRow[] = corpusRows(),
  change: Change = (files) => files,
  structures: "grammar" | "text" = "grammar",
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await judgeRows(rows, change, structures))].map(([id, { outcome }]) => [id, outcome]));
}

async function judgeOne(finding: Finding, { context }: Workspace, all: readonly Finding[]): Promise<Verdict> {
  const sameFile = (one: Finding): Finding[] => all.filter(({ place }) => place.file === one.place.file);
  const checks = await runChecks(finding, { ...context, reviewedTree: () => true, sameFile }, () => undefined);
  const admission = admit(finding, true);
  const { action, settledAs, authorization, because } = judge({
    ...ASKED,
    finding,
    admission,
    checks,
  });
  const outcome = settledAs === null ? action : `${action} ${settledAs} ${authorization}`;
  return { outcome, checks, because: because.map(({ rule }) => rule) };
}

const labels = corpusLabels();
const verdicts = await judgeRows(corpusRows(), (files) => files);
const settled = await settle();

/** Rows by what a sound tier may do with them, and their class. */
function rowsOf(expect: string, ...classes: readonly string[]): string[] {
  return [...labels]
    .filter(([, { oracle }]) => oracle.expect === expect && (classes.length === 0 || classes.includes(oracle.class)))
    .map(([id]) => id);
}

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

test("corpus: code that is nowhere and a file that is absent are refuted, and a P0 or P1 is handed to a person (classes 8, 10)", () => {
  for (const [name, claimClass] of [
    ["quote_absent_everywhere", 8],
    ["file_absent", 10],
  ] as const) {
    const ids = rowsOf("refute", name);
    assert.equal(ids.length, 1);
    for (const id of ids) {
      const verdict = verdicts.get(id);
      const weighty = verdict?.checks.filter(({ atom }) => atom?.weight === true) ?? [];
      assert.deepEqual(
        weighty.map(({ atom, verdict: said }) => [atom?.claimClass, said]),
        [[claimClass, "refuted"]],
      );
      assert.equal(verdict?.outcome, "needs-human");
      assert.deepEqual(verdict?.because, [`class ${claimClass}`, "ruling 1"]);
    }
  }
});

test("corpus: rows that belong elsewhere are routed under their class; a hard one bypasses (classes 15-19, ruling 7)", () => {
  const expected = {
    not_in_diff: "class 15",
    duplicate: "class 16",
    generated_file: "class 17",
    inline_suppression: "class 19",
  };
  for (const [name, rule] of Object.entries(expected)) {
    const ids = rowsOf("route", name);
    assert.equal(ids.length, 1, name);
    for (const id of ids) {
      assert.equal(verdicts.get(id)?.outcome, "route", id);
      assert.ok(verdicts.get(id)?.because.includes(rule), id);
    }
  }
  for (const id of [...rowsOf("route", "test_file"), ...rowsOf("hard")])
    assert.equal(verdicts.get(id)?.outcome, "bypass", id);
});

test("corpus: every row that a sound tier must leave undecided is neither settled nor routed nor demoted", () => {
  const ids = rowsOf("none");
  assert.equal(ids.length, 23);
  for (const id of ids) {
    assert.equal(verdicts.get(id)?.outcome, "needs-human", id);
    assert.deepEqual(
      verdicts
        .get(id)
        ?.checks.filter(
          ({ atom, verdict }) => atom?.weight === true && verdict === "refuted" && atom.claimClass !== 13,
        ),
      [],
      id,
    );
  }
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
  return corpusRows().map((row) => ({ ...row, claimed: { ...row.claimed, ...more(row.claimed) } }));
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
      (await judgeOne(finding, { ...workspace, context: { ...workspace.context, repository: blind } }, [])).outcome,
      /settled/,
    );
});

/** What may become of an outcome when what it rests on is seen less well: the same, or undecided. */
function onlyLess(before: string, after: string): boolean {
  return after === before || after === "needs-human";
}

const renameTo = (file: string): string => file.replace(/^src\/(\w+)\.ts$/, "src/$1_renamed.ts");

/** All modules beside each other under other names, imports with them. */
const renamed: Change = (files) =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => [
      renameTo(file),
      file.endsWith(".ts") ? text.replace(/from "(\.{1,2}(?:\/src)?\/\w+)"/g, 'from "$1_renamed"') : text,
    ]),
  );

const QUOTES: readonly (readonly [string, (quote: string) => string])[] = [
  ["doubled blanks", (quote) => quote.replaceAll(" ", "  ")],
  ["line breaks for blanks", (quote) => quote.replaceAll(" ", "\n\t")],
  ["typographic quotes", (quote) => quote.replaceAll('"', "”")],
  ["markdown escapes", (quote) => quote.replace(/[*_[\]]/g, "\\$&")],
  ["blanks around", (quote) => `\n   ${quote}   \n`],
];

for (const [what, rewrite] of QUOTES) {
  test(`corpus, metamorphic: with quotes written with ${what} an answer may only become undecided`, async () => {
    const rows = mutate(({ quote }) => ({ quote: quote === null ? null : rewrite(quote) }));
    for (const [id, outcome] of await settle(rows))
      assert.ok(onlyLess(settled.get(id) ?? "", outcome), `${id}: ${outcome}`);
  });
}

test("corpus, metamorphic: with every module renamed, and the findings with them, every row is settled as before", async () => {
  const rows = mutate(({ path }) => ({ path: path === null ? null : renameTo(path) }));
  const inOther = new Map<string, string>();
  const files = renamed(corpusFiles());
  for (const changed of [false, true]) {
    const now = files["src/http_renamed.ts"] ?? "";
    const before = { "src/http_renamed.ts": now.replace(/async function preview[\s\S]*?\n\}\n\n/, "") };
    const workspace = createMemoryWorkspace(files, { past: changed ? { before } : {} });
    const findings = await placeRows(changed ? rows.filter((row) => row.changed === true) : rows, workspace.repository);
    for (const row of rows.filter((one) => (one.changed ?? false) === changed)) {
      const finding = findings.get(row.id);
      if (finding !== undefined)
        inOther.set(row.id, (await judgeOne(finding, workspace, [...findings.values()])).outcome);
    }
  }
  assert.equal(inOther.size, 38);
  for (const [id, outcome] of inOther) assert.ok(onlyLess(settled.get(id) ?? "", outcome), `${id}: ${outcome}`);
  for (const id of rowsOf("route")) assert.equal(inOther.get(id), settled.get(id), id);
});

test("corpus, metamorphic: with one thing about a claim or the files made worse, no answer flips to a settlement", async () => {
  for (const [what, more] of MUTATIONS)
    for (const [id, outcome] of await settle(mutate(more)))
      if (outcome.startsWith("settled")) assert.equal(outcome, settled.get(id), `${what}: ${id}`);
});

test("corpus: without version control, or on another tree, nothing is shown absent", async () => {
  const workspace = createMemoryWorkspace(corpusFiles());
  const findings = await placeRows(corpusRows(), workspace.repository);
  for (const id of [...rowsOf("refute", "quote_absent_everywhere"), ...rowsOf("refute", "file_absent")]) {
    const finding = findings.get(id);
    assert.ok(finding !== undefined);
    const { checks } = await judgeOne(finding, workspace, []);
    assert.ok(checks.every(({ verdict }) => verdict !== "refuted"));
  }
});
