import { ASKED } from "../../support/asked.ts";
import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import type { CheckResult } from "../../../src/core/check.ts";
import type { CheckContext } from "../../../src/core/checks/check.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { judge } from "../../../src/core/judge.ts";
import { admit } from "../../../src/core/policy.ts";
import { corpusFiles, corpusLabels, corpusRows, type CorpusRow, placeRows } from "../../support/corpus.ts";
import {
  NEVER,
  openCheckers,
  OWN_PROGRAMS,
  recordedEslint,
  scratch,
  type Opened,
} from "../../support/checkerFolder.ts";
import { createStructures } from "../../../src/node/syntax/structures.ts";
import { createMemoryVerbs, unmasked } from "../../support/memoryWorkspace.ts";

const TS2322 = "own-ts-shop-4ed2f50a";
const EXCLUDED = "own-ts-shop-b7ec9d42";
const NOT_ENABLED = "own-ts-shop-483fe389";
const NO_RULE = "own-ts-shop-f7745e49";
const labels = corpusLabels();

interface Settled {
  readonly checks: readonly CheckResult[];
  readonly outcome: string;
}

async function settle(opened: Opened, rows: readonly CorpusRow[]): Promise<ReadonlyMap<string, Settled>> {
  const { repository, checkers } = opened;
  const verbs = createMemoryVerbs(repository);
  const context: CheckContext = {
    repository,
    structures: createStructures({ repository }),
    verbs,
    checkers,
    mask: unmasked,
    signal: NEVER,
    receipt: () => undefined,
  };
  const settled = new Map<string, Settled>();
  for (const [id, finding] of await placeRows(rows, repository)) settled.set(id, await settleOne(finding, context));
  return settled;
}

async function settleOne(finding: Finding, context: CheckContext): Promise<Settled> {
  const checks = await runChecks(finding, context, () => undefined);
  const outcome = judge({
    ...ASKED,
    finding,
    admission: admit(finding, true),
    checks,
  });
  return { checks, outcome: `${outcome.action}${outcome.settledAs === null ? "" : ` ${outcome.settledAs}`}` };
}

/** The corpus project on disk, with the real compiler and ESLint's recorded answers, all lines of it accepted. */
async function open(
  t: TestContext,
  change: (files: Record<string, string>) => Record<string, string> = (files) => files,
) {
  const eslint = recordedEslint(scratch(t));
  const searchPath = [eslint, path.dirname(process.execPath), OWN_PROGRAMS, process.env["PATH"]].join(path.delimiter);
  const opened = openCheckers(t, change(corpusFiles()), { searchPath });
  await settle(opened, corpusRows());
  for (const { line } of opened.checkers.consent.proposals()) await opened.checkers.consent.accept(line, false);
  return opened;
}

test("corpus with checkers: the claims about checkers are refuted at the atom, and with them their findings (claims.md 1-5)", async (t) => {
  const settled = await settle(await open(t), corpusRows());
  for (const id of [TS2322, EXCLUDED, NOT_ENABLED, NO_RULE]) {
    const row = settled.get(id);
    assert.equal(row?.outcome, "settled refuted", JSON.stringify(row?.checks));
    const refuted = row.checks.find((check) => check.verdict === "refuted");
    assert.ok((refuted?.receipts.length ?? 0) > 0, `${id} rests on a receipt`);
  }
});

test("corpus with checkers: no true finding is refuted, and no row that a sound tier leaves open is settled", async (t) => {
  const settled = await settle(await open(t), corpusRows());
  for (const [id, { truth, oracle }] of labels) {
    const outcome = settled.get(id)?.outcome ?? "missing";
    if (truth === "true_positive") assert.doesNotMatch(outcome, /refuted|filter|missing/, id);
    if (oracle.expect !== "refute") assert.doesNotMatch(outcome, /settled|missing/, id);
  }
});

test("corpus with checkers: before a person accepts the lines, ESLint is not started and its rows stay open with the line named", async (t) => {
  const eslint = recordedEslint(scratch(t));
  const searchPath = [eslint, path.dirname(process.execPath), OWN_PROGRAMS, process.env["PATH"]].join(path.delimiter);
  const opened = openCheckers(t, corpusFiles(), { searchPath });
  const settled = await settle(opened, corpusRows());
  for (const id of [NOT_ENABLED, NO_RULE]) {
    assert.equal(settled.get(id)?.outcome, "needs-human");
    assert.match(
      JSON.stringify(settled.get(id)?.checks),
      /accept this line: .*eslint --print-config \.\/src\/cart\.ts/,
    );
  }
  assert.equal(settled.get(TS2322)?.outcome, "settled refuted");
});

test("corpus with checkers: in a workspace that is not trusted nothing is asked and every such row stays open", async (t) => {
  const opened = openCheckers(t, corpusFiles(), { trusted: () => false });
  const settled = await settle(opened, corpusRows());
  for (const id of [TS2322, EXCLUDED, NOT_ENABLED, NO_RULE]) assert.equal(settled.get(id)?.outcome, "needs-human");
  assert.deepEqual(opened.checkers.consent.proposals(), []);
});

const rewrite =
  (more: (text: string) => string) =>
  (files: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, file.endsWith(".ts") ? more(text) : text]));

// Answers may only become unknown: each of these takes away what the silence of a checker rested on.
const LESS: readonly (readonly [
  string,
  readonly string[],
  (files: Record<string, string>) => Record<string, string>,
])[] = [
  ["an import that is not there", [TS2322], rewrite((text) => `import * as gone from "not-installed";\n${text}`)],
  [
    "suppressions at the place",
    [TS2322],
    (files) => ({
      ...files,
      "src/cart.ts":
        files["src/cart.ts"]?.replace("  return raw as Cart", "  // @ts-ignore\n  return raw as Cart") ?? "",
    }),
  ],
  ["a syntax error elsewhere", [TS2322], (files) => ({ ...files, "src/broken.ts": "export const = 1;\n" })],
  [
    "a configuration without strict",
    [TS2322],
    (files) => ({
      ...files,
      "tsconfig.json": files["tsconfig.json"]?.replace('"strict": true', '"strict": false') ?? "",
    }),
  ],
  [
    "a configuration that covers the file",
    [EXCLUDED],
    (files) => ({
      ...files,
      "tsconfig.legacy.json": '{"compilerOptions":{"strict":true,"noEmit":true},"include":["src/legacy"]}',
    }),
  ],
  [
    "another version in the lock file",
    [TS2322, EXCLUDED],
    (files) => ({ ...files, "package-lock.json": '{"packages":{"node_modules/typescript":{"version":"5.9.2"}}}' }),
  ],
];

for (const [what, gone, change] of LESS) {
  test(`corpus with checkers, metamorphic: with ${what} what rested on it is refuted no more`, async (t) => {
    const rows = corpusRows().filter(({ id }) => gone.includes(id));
    const settled = await settle(openCheckers(t, change(corpusFiles())), rows);
    for (const id of gone) assert.doesNotMatch(settled.get(id)?.outcome ?? "missing", /refuted|missing/);
  });
}

test("corpus with checkers, mutation: a second sentence, a hedge or a quote that is nowhere leaves every row open", async (t) => {
  const opened = await open(t);
  const ids = [TS2322, EXCLUDED, NOT_ENABLED, NO_RULE];
  const rows = corpusRows().filter(({ id }) => ids.includes(id));
  const mutate = (more: (row: CorpusRow) => Partial<CorpusRow["claimed"]>): CorpusRow[] =>
    rows.map((row) => ({ ...row, claimed: { ...row.claimed, ...more(row) } }));
  for (const changed of [
    mutate(({ claimed }) => ({ message: `${claimed.message} It also leaks the connection.` })),
    mutate(({ claimed }) => ({ message: `It seems that ${claimed.message}` })),
    mutate(() => ({ quote: "return launchRockets(now);" })),
    mutate(() => ({ path: "src/gone/nowhere.ts" })),
  ]) {
    const settled = await settle(opened, changed);
    for (const id of ids) assert.doesNotMatch(settled.get(id)?.outcome ?? "missing", /refuted|missing/, id);
  }
});
