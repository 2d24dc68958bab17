import { ASKED } from "../support/asked.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import * as z from "zod";
import type { CheckContext } from "../../src/core/checks/check.ts";
import { collectFindings } from "../support/collect.ts";
import type { Finding } from "../../src/core/finding.ts";
import { runChecks } from "../../src/core/oracle.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { judge } from "../../src/core/judge.ts";
import { admit } from "../../src/core/policy.ts";
import type { Repository } from "../../src/core/ports.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createRepository } from "../../src/node/repository/repository.ts";
import { createStructures } from "../../src/node/syntax/structures.ts";
import { createVerbs } from "../../src/node/verbs/verbs.ts";
import { folderWith, git, write } from "../node/repository/folder.ts";
import { at, claim } from "../support/claims.ts";
import { createMemoryWorkspace, readFolder, unmasked } from "../support/memoryWorkspace.ts";

const FOLDER = path.join(import.meta.dirname, "../fixtures/freezer");
const NOW = readFolder(path.join(FOLDER, "now"));
const BEFORE = readFolder(path.join(FOLDER, "before"));

const Row = z.object({
  id: z.string(),
  severity: z.enum(["P0", "P1", "P2", "Nit"]),
  file: z.string(),
  line: z.int(),
  quote: z.string().nullable(),
  message: z.string(),
  fix: z.string().optional(),
  expect: z.object({
    file: z.string().nullable(),
    /** What stands on the line it is placed at; null where that does not matter. */
    text: z.string().nullable(),
    status: z.enum(["exact", "relocated", "missing-file"]),
    action: z.enum(["needs-human", "demote", "settled"]),
  }),
});
type Row = z.infer<typeof Row>;

const rows: readonly Row[] = readFileSync(path.join(FOLDER, "findings.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => Row.parse(JSON.parse(line)));

interface Placed {
  readonly finding: Finding;
  readonly outcome: Outcome;
  readonly line: string;
}

/** Every row, placed and judged without a model in a workspace. */
async function review(repository: Repository, context: CheckContext): Promise<ReadonlyMap<string, Placed>> {
  const claimed = rows.map(({ id, severity, file, line, quote, message, fix }) =>
    claim({ sourceId: id, severity, path: file, span: at(line), quote, message, fix: fix ?? null }),
  );
  const reading = { format: "test", claimed, unread: [], revision: null };
  const { findings, treeMatches } = await collectFindings([{ path: "review", reading }], repository, sha256);
  const placed = new Map<string, Placed>();
  for (const finding of findings) {
    const checks = await runChecks(finding, { ...context, reviewedTree: () => treeMatches }, () => undefined);
    const outcome = judge({
      ...ASKED,
      finding,
      admission: admit(finding, true),
      checks,
    });
    const { file, line } = finding.place;
    const text = file === null ? null : await repository.text(file);
    placed.set(finding.sourceId ?? "", { finding, outcome, line: text?.lines[(line ?? 0) - 1] ?? "" });
  }
  return placed;
}

/** The change in a repository of its own: the base committed, the rename staged, the edit only on disk. */
function inGit(t: TestContext): Promise<ReadonlyMap<string, Placed>> {
  const root = folderWith(t, BEFORE);
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "base");
  git(root, "mv", "scripts/freezer.py", "scripts/freeze.py");
  git(root, "mv", "tests/unit/test_freezer.py", "tests/unit/test_freeze.py");
  write(root, NOW);
  const repository = createRepository({ root, liveText: () => undefined });
  const verbs = createVerbs({ root, repository, ripgrep: null, mask: unmasked, now: () => new Date(0), hash: sha256 });
  const signal = new AbortController().signal;
  return review(repository, {
    repository,
    structures: createStructures({ repository }),
    verbs,
    mask: unmasked,
    signal,
    receipt: () => undefined,
  });
}

function inMemory(): Promise<ReadonlyMap<string, Placed>> {
  const past = {
    before: {
      "scripts/freeze.py": BEFORE["scripts/freezer.py"] ?? "",
      "tests/unit/test_freeze.py": BEFORE["tests/unit/test_freezer.py"] ?? "",
    },
    renamed: { "scripts/freezer.py": "scripts/freeze.py" },
    named: Object.keys(BEFORE),
    held: Object.values(BEFORE),
  };
  const { repository, context } = createMemoryWorkspace(NOW, { past });
  return review(repository, context);
}

for (const [where, make] of [
  ["a git repository", inGit],
  ["memory", inMemory],
] as const) {
  test(`freezer, in ${where}: every wrong place is relocated by quote, symbol, rename or the other side of the change (G4)`, async (t) => {
    const placed = await make(t);
    assert.equal(placed.size, rows.length);
    for (const { id, expect } of rows) {
      const one = placed.get(id);
      assert.equal(one?.finding.place.file ?? null, expect.file, id);
      assert.equal(one?.finding.place.status, expect.status, id);
      if (expect.text !== null && id !== "paraphrase") assert.ok(one.line.includes(expect.text), `${id}: ${one.line}`);
    }
    assert.match(
      placed.get("renamed")?.finding.place.note ?? "",
      /scripts\/freezer\.py was renamed to scripts\/freeze\.py/,
    );
    assert.match(
      placed.get("removed-guard")?.finding.place.note ?? "",
      /change under review removes the quoted code: it stood at line \d+ before/,
    );
  });

  test(`freezer, in ${where}: what cannot be settled stays open, a retraction is shown lower, and only absence is settled`, async (t) => {
    for (const [id, { outcome, finding }] of await make(t)) {
      const expected = rows.find((row) => row.id === id)?.expect.action;
      assert.equal(outcome.action, expected, `${id}: ${outcome.because.map(({ text }) => text).join(" ")}`);
      if (expected !== "settled") assert.equal(outcome.authorization, "none", id);
      else assert.deepEqual([outcome.settledAs, finding.severity], ["refuted", "P2"], id);
    }
  });
}

test("freezer: a guard that exists but covers another failure settles nothing, and nothing refutes a part of the claim", async () => {
  const placed = (await inMemory()).get("other-failure");
  assert.equal(placed?.outcome.action, "needs-human");
  assert.equal(placed.outcome.settledAs, null);
});

test("freezer: an exclusion in another tool's table is no answer of the tool that the claim is about", async () => {
  const placed = (await inMemory()).get("other-table");
  assert.equal(placed?.outcome.settledAs, null);
  assert.equal(placed.outcome.authorization, "none");
});

test("freezer: a finding that takes itself back is shown one step lower, with its own words, and counts as before", async () => {
  const placed = (await inMemory()).get("withdrawn");
  assert.deepEqual([placed?.outcome.severity, placed?.finding.severity], ["Nit", "P2"]);
  assert.match(placed?.outcome.because[0]?.text ?? "", /“This is a false positive\.”/);
});
