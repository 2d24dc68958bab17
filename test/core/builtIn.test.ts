import { PLAIN_TASK } from "../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { createBuiltInReviewer } from "../../src/core/builtIn/reviewer.ts";
import type { CheckResult } from "../../src/core/check.ts";
import type { Finding } from "../../src/core/finding.ts";
import { buildPacket } from "../../src/core/packet.ts";
import { createDesk, type RoundTask } from "../../src/core/reviewer.ts";
import { type CheckedCitation, QUESTIONS } from "../../src/core/round.ts";
import { triage, type Triaged } from "../../src/core/triage.ts";
import { corpusFiles, corpusRows, placeRows } from "../support/corpus.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";

type Workspace = ReturnType<typeof createMemoryWorkspace>;

async function run(finding: Finding, workspace: Workspace): Promise<Triaged> {
  const ports = { ...workspace, reviewer: createBuiltInReviewer(workspace), budget: { calls: 6, bytes: 60_000 } };
  return await triage(finding, true, ports, () => undefined, new AbortController().signal);
}

const shop = createMemoryWorkspace(corpusFiles());
/** The same where no grammar can be used. */
const unparsed = createMemoryWorkspace(corpusFiles(), { structures: "text" });
const rows = await placeRows(corpusRows(), shop.repository);

/** A row of the corpus by the end of its id, triaged. */
async function row(id: string, workspace = shop): Promise<Triaged> {
  const finding = [...rows].find(([key]) => key.endsWith(id))?.[1];
  assert.ok(finding !== undefined, id);
  return await run(finding, workspace);
}

/** What the rounds said and showed, by number. */
function told(
  triaged: Triaged,
): { crux: string; reasoning: string; lines: string[]; citations: readonly CheckedCitation[] }[] {
  return triaged.rounds.map((round) => {
    assert.ok(round.kind === "counted");
    const { crux, reasoning, citations } = round;
    return { crux, reasoning, citations, lines: citations.map(({ file, line }) => `${file}:${line}`) };
  });
}

test("built-in: over the corpus it says UNCERTAIN in every round, with a crux and reasons, and calls no model (ruling 6)", async () => {
  for (const [id, finding] of rows) {
    const triaged = await run(finding, shop);
    assert.equal(triaged.calls, 0);
    for (const round of triaged.rounds) {
      assert.ok(round.kind === "counted", id);
      assert.equal(round.stated, "UNCERTAIN", id);
      assert.match(round.crux, /^.{10,300}\.$/s);
      assert.notEqual(round.reasoning, "");
    }
  }
});

test("built-in: every line it cites is a line of the workspace that was re-read (design, idea 3)", async () => {
  for (const finding of rows.values())
    for (const { citations } of told(await run(finding, shop)))
      for (const { file, line, shown, ok } of citations) {
        assert.ok(ok);
        assert.equal((await shop.repository.text(file))?.lines[line - 1], shown);
      }
});

test("built-in: it closes nothing: what checks do not settle goes to the person (R0.21), hard facts bypass it (R0.2)", async () => {
  for (const finding of rows.values()) {
    const { outcome } = await run(finding, shop);
    const expected = finding.hard === null ? "needs-human" : "bypass";
    // What facts set aside stays open as it is.
    const aside = outcome.action === "route" && outcome.authorization === "none" && !outcome.proposesDismissal;
    assert.ok(outcome.action === expected || aside || outcome.settledAs === "refuted");
  }
});

// The lines that decide the case by the corpus, and the round in which the reviewer has to show them.
const TELLING: readonly (readonly [string, number, readonly string[]])[] = [
  ["37988e2d", 2, ["src/http.ts:19", "src/guard.ts:18"]],
  ["37988e2d", 1, ["src/http.ts:46", "src/http.ts:18"]],
  ["bfcbf9b7", 2, ["src/guard.ts:25"]],
  ["506b658d", 1, ["src/http.ts:50"]],
  ["506b658d", 3, ["src/http.ts:50", "src/http.ts:46"]],
  ["230dd3cc", 2, ["src/cart.ts:36", "src/limits.ts:1"]],
  ["70051d41", 2, ["src/limits.ts:3"]],
  ["23a35e6e", 2, ["src/cart.ts:81"]],
  ["d9dc273f", 2, ["src/http.ts:41"]],
  ["090f4d39", 2, ["src/cart.ts:46", "src/util.ts:4"]],
  ["b1ccef88", 3, ["src/evaluate.ts:9"]],
  ["19b27241", 1, ["src/plugins/registry.ts:2"]],
  ["260ca96e", 1, ["package.json:6"]],
  ["48d982db", 1, ["src/cart.ts:73", "src/cart.ts:71"]],
];

for (const [id, n, lines] of TELLING) {
  test(`built-in: round ${n} of row ${id} shows ${lines.join(" and ")}`, async () => {
    const shown = told(await row(id))[n - 1]?.lines ?? [];
    for (const line of lines) assert.ok(shown.includes(line), `${line} is not in ${shown.join(", ")}`);
    const read = told(await row(id, unparsed))[n - 1]?.lines ?? [];
    for (const line of lines) assert.ok(read.includes(line), `by patterns, ${line} is not in ${read.join(", ")}`);
  });
}

const CRUXES: readonly (readonly [string, number, RegExp])[] = [
  ["37988e2d", 1, /`download` is handed on at src\/http\.ts:46/],
  ["23a35e6e", 2, /early exit: src\/cart\.ts:81 `if \(cart\.items\.length === 0\) \{`/],
  ["230dd3cc", 2, /loop bound: src\/cart\.ts:36 .*MAX_ITEMS = 50/],
  ["d9dc273f", 2, /src\/http\.ts:41 `const n = Number\.parseInt/],
  ["506b658d", 2, /No defence was found by reading, which does not show/],
  ["506b658d", 3, /Unlike its neighbours, src\/http\.ts:50 .* does not hand on `requireUser`/],
  ["b1ccef88", 3, /A report was silenced here: src\/evaluate\.ts:9/],
  ["2f1403c5", 3, /generated \(line 1 says so\)/],
  ["c18596fd", 3, /copy of foreign code/],
  ["fb9baee9", 3, /test code/],
  ["48d982db", 1, /Only tests were found to use `removeAll`/],
  ["e20c90ff", 1, /No file src\/payments\.ts in this workspace/],
  ["e20c90ff", 2, /No line of this workspace holds `charge`/],
];

for (const [id, n, crux] of CRUXES) {
  test(`built-in: the crux of round ${n} of row ${id} is its most telling fact`, async () => {
    assert.match(told(await row(id))[n - 1]?.crux ?? "", crux);
    assert.match(told(await row(id, unparsed))[n - 1]?.crux ?? "", crux);
  });
}

test("built-in: a value that the caller makes through a check is shown, and the caller does not count as unguarded", async () => {
  const workspace = createMemoryWorkspace({
    "src/store.ts": 'export function list(db, column) {\n  return db.all("select * from t order by " + column);\n}\n',
    "src/routes.ts":
      'import { list } from "./store";\nimport { sortColumn } from "./check";\nexport function get(url, db) {\n  const column = sortColumn(url);\n  return list(db, column);\n}\n',
    "src/check.ts":
      "export function sortColumn(url) {\n  if (!KNOWN.has(url)) throw new RangeError(url);\n  return url;\n}\n",
  });
  const finding = await findingIn(workspace.repository, "`column` is concatenated into SQL.", "src/store.ts", 2);
  const [, defences, missed] = told(await run(finding, workspace));
  assert.match(defences?.crux ?? "", /src\/routes\.ts:4/);
  assert.ok(defences?.lines.includes("src/check.ts:2"));
  assert.doesNotMatch(missed?.crux ?? "", /checks nothing/);
});

/** The rounds over one finding in some files. */
async function roundsOn(
  files: Readonly<Record<string, string>>,
  message: string,
  file: string,
  line: number,
): Promise<ReturnType<typeof told>> {
  const workspace = createMemoryWorkspace(files);
  return told(await run(await findingIn(workspace.repository, message, file, line), workspace));
}

test("built-in: a condition that is over before the call guards no caller; one around the call does", async () => {
  const store = "export function drop(id) {\n  rows.delete(id);\n}\n";
  const caller = (body: string): string =>
    `import { drop } from "./store";\nexport function f(id, quiet) {\n${body}}\n`;
  const claim = "`drop` deletes any id.";
  const bare = caller("  if (!quiet) {\n    log(id);\n  }\n  drop(id);\n");
  const [, , missed] = await roundsOn({ "src/store.ts": store, "src/a.ts": bare }, claim, "src/store.ts", 2);
  assert.match(missed?.crux ?? "", /A caller checks nothing before it calls: src\/a\.ts:6/);
  const ruled = caller("  if (mayDrop(id)) {\n    drop(id);\n  }\n");
  const [, defences, other] = await roundsOn({ "src/store.ts": store, "src/a.ts": ruled }, claim, "src/store.ts", 2);
  assert.ok(defences?.lines.includes("src/a.ts:3"));
  assert.doesNotMatch(other?.crux ?? "", /checks nothing/);
});

test("built-in: a caller that could not be parsed whole is not called unguarded", async () => {
  const files = {
    "src/store.ts": "export function drop(id) {\n  rows.delete(id);\n}\n",
    "src/a.ts": 'import { drop } from "./store";\nexport function f(id) {\n  ) if ( {{ id\n  drop(id);\n}\n',
  };
  const [, , missed] = await roundsOn(files, "`drop` deletes any id.", "src/store.ts", 2);
  assert.doesNotMatch(missed?.crux ?? "", /checks nothing/);
});

test("built-in: a name in a document is no use of the function; one in a page is", async () => {
  const files = {
    "src/a.ts": "export function lookUp(a) {\n  return rows[a];\n}\n",
    "README.md": "Call lookUp(a) to find a row, or hand lookUp on.\n",
  };
  const [premise] = await roundsOn(files, "It breaks.", "src/a.ts", 2);
  assert.match(premise?.crux ?? "", /No use of `lookUp` was found, which does not show that there is none/);
  const page = { ...files, "src/a.html": '<button onclick="x" v-on=lookUp(1)>\n' };
  const [other] = await roundsOn(page, "It breaks.", "src/a.ts", 2);
  assert.match(other?.crux ?? "", /`lookUp` is called from src\/a\.html:1/);
});

test("built-in: of a file that no grammar read it says so, with the reason", async () => {
  const text = "fun f(a: Int) {\n  use(a)\n}\n";
  const [, defences] = await roundsOn({ "src/a.kt": text }, "`a` is not looked at.", "src/a.kt", 2);
  assert.match(defences?.reasoning ?? "", /read by patterns only: there is no grammar for this language\./);
});

test("built-in: bounds are resolved through other constants and through imports (R0.10)", async () => {
  const files = {
    "src/limits.ts": "const PAGE = 20;\nexport const MOST = PAGE * 5;\n",
    "src/a.ts":
      'import { MOST } from "./limits";\nexport function f(rows) {\n  if (rows.length > MOST) return;\n  send(rows);\n}\n',
  };
  const [, defences] = await roundsOn(files, "`rows` may hold any number of rows.", "src/a.ts", 4);
  assert.match(defences?.crux ?? "", /early exit: src\/a\.ts:3 .*\(MOST = 100\)/);
});

test("built-in: an error of the line that is caught is told with its handler, one that is not with the handlers beside it", async () => {
  const text = "export function f(a) {\n  try {\n    g(a);\n  } catch {\n    return null;\n  }\n  return h(a);\n}\n";
  const [, , inside] = await roundsOn({ "src/a.ts": text }, "`g` throws.", "src/a.ts", 3);
  assert.match(inside?.crux ?? "", /An error of the line is caught at src\/a\.ts:4/);
  const [, , behind] = await roundsOn({ "src/a.ts": text }, "`h` throws.", "src/a.ts", 7);
  assert.match(behind?.reasoning ?? "", /Error paths in f: src\/a\.ts:4\. None of them catches an error of the line/);
});

test("built-in: guards in a method of the same class count as those of a function that is used", async () => {
  const text =
    "export class A {\n  put(a) {\n    this.#allow(a);\n    rows.set(a);\n  }\n  #allow(a) {\n    if (!a.ok) throw new TypeError();\n  }\n}\n";
  const [, defences] = await roundsOn({ "src/a.ts": text }, "`a` is not looked at.", "src/a.ts", 3);
  assert.ok(defences?.lines.includes("src/a.ts:7"), defences?.lines.join(", "));
});

const CALLED: readonly (readonly [string, Record<string, string>, string, number, RegExp])[] = [
  [
    "Go",
    {
      "a.go": "package a\n\nfunc drop(id int) {\n\trows[id] = 0\n}\n",
      "b.go": "package a\n\nfunc run(id int) {\n\tdrop(id)\n}\n",
    },
    "a.go",
    4,
    /`drop` is called from b\.go:4/,
  ],
  [
    "C, whose prototypes are no calls",
    {
      "a.c": "int drop(int id)\n{\n  return rows[id];\n}\n",
      "a.h": "int drop(int id);\n",
      "b.c": '#include "a.h"\nint run(int id)\n{\n  return drop(id);\n}\n',
    },
    "a.c",
    3,
    /`drop` is called from b\.c:4/,
  ],
  [
    "Java",
    {
      "A.java": "class A {\n  void drop(int id) {\n    rows.remove(id);\n  }\n}\n",
      "B.java": "class B {\n  void run(A a) {\n    a.drop(1);\n  }\n}\n",
    },
    "A.java",
    3,
    /`drop` is called from B\.java:3/,
  ],
];

for (const [language, files, file, line, crux] of CALLED) {
  test(`built-in: callers are found in ${language}`, async () => {
    const [premise] = await roundsOn(files, "It breaks.", file, line);
    assert.match(premise?.crux ?? "", crux);
    assert.doesNotMatch(premise?.crux ?? "", /more place/);
  });
}

test("built-in: string constants are never told, they may be secrets; numbers are", async () => {
  const workspace = createMemoryWorkspace({
    "src/a.ts":
      'const KEY = "hunter2hunter2";\nconst LIMIT = 5;\nexport function f() {\n  return call(KEY, LIMIT);\n}\n',
  });
  const finding = await findingIn(workspace.repository, "The call leaks.", "src/a.ts", 4);
  const said = told(await run(finding, workspace))
    .map(({ crux, reasoning }) => crux + reasoning)
    .join(" ");
  assert.doesNotMatch(said, /hunter2/);
  assert.match(said, /LIMIT = 5/);
});

test("built-in: it says VALID only where a check confirmed a part that carries weight, and so does its arbiter", async () => {
  const finding = await findingIn(
    shop.repository,
    "The file `src/gone/x.ts` does not exist. The loop never ends.",
    "src/cart.ts",
    61,
  );
  const triaged = await run(finding, shop);
  assert.ok(triaged.checks.some(({ verdict }) => verdict === "confirmed"));
  for (const round of triaged.rounds) assert.ok(round.kind === "counted" && round.verdict === "VALID");
  assert.equal(triaged.ruling?.verdict, "VALID");
  assert.equal(triaged.outcome.action, "keep");
});

test("built-in: a spent or failing evidence desk leaves it honest and undecided", async () => {
  const finding = [...rows.values()][0];
  assert.ok(finding !== undefined);
  const signal = new AbortController().signal;
  const packet = await buildPacket(finding, [], shop, signal);
  const desk = createDesk(
    (call) => shop.verbs.run(call, "round-1", signal),
    { calls: 0, bytes: 0 },
    () => undefined,
  );
  const checks: CheckResult[] = [];
  const reviewer = createBuiltInReviewer(shop);
  for (const [index, question] of QUESTIONS.entries()) {
    const n = ([1, 2, 3] as const)[index] ?? 1;
    const task: RoundTask = {
      ...PLAIN_TASK,
      finding,
      packet,
      checks,
      desk,
      signal,
      spent: () => undefined,
      n,
      question,
      earlier: [],
    };
    const given = await reviewer.round(task);
    assert.ok(given.kind === "gave" && given.answer.verdict === "UNCERTAIN");
    if (n === 1) assert.match(given.answer.crux, /could not be searched/);
  }
});
