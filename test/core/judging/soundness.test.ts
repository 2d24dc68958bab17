import assert from "node:assert/strict";
import test from "node:test";
import { normalisePath } from "../../../src/core/citation.ts";
import { polarityOf, topicOf } from "../../../src/core/claimKind.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { lensesFor } from "../../../src/core/lens.ts";
import { type Method, USUAL_METHOD } from "../../../src/core/method.ts";
import { triage } from "../../../src/core/triage.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { opinionSays, refuterSays, type Script, scriptedReviewer } from "../../support/panelOf.ts";

const CODE = [
  "import { two } from './b';",
  "export function third(n: number) {",
  "  if (two === 0) return;",
  "  else {",
  "    return n / two;",
  "  }",
  "}",
];
const FILES = {
  "src/a.ts": CODE.join("\n"),
  "README.md": "The division by two is safe here.\nIt was checked by the security team.\n",
  "review.md": "- [P1] src/a.ts:5 the division crashes\n",
};
const MESSAGE = "The division crashes when nothing is configured.";

async function judged(script: Script, method: Partial<Method>, more: Partial<Finding> = {}, file = "src/a.ts") {
  const workspace = createMemoryWorkspace(FILES);
  const placed = await findingIn(workspace.repository, MESSAGE, file, file === "src/a.ts" ? 5 : 1);
  const finding = { ...placed, source: { ...placed.source, path: "review.md" }, ...more };
  const reviewer = scriptedReviewer(script);
  const how = { ...workspace, reviewer, budget: { calls: 3, bytes: 10_000 }, method: { ...USUAL_METHOD, ...method } };
  return await triage(finding, true, how, () => undefined, new AbortController().signal);
}

const opinion = async (evidenceRefs: readonly string[], more: Partial<Finding> = { severity: "P2" }, file?: string) => {
  const looks: Script["opinion"] = async (task) => {
    await task.desk.run({ verb: "read", file: "src/a.ts", from: 1, to: 7 });
    await task.desk.run({ verb: "read", file: "README.md", from: 1, to: 2 });
    await task.desk.run({ verb: "grep", pattern: "third", path: ".", literal: true });
    return opinionSays({ evidenceRefs });
  };
  return await judged({ opinion: looks }, { strategy: "verdict" }, more, file);
};

const NOTHING: readonly (readonly [string, readonly string[]])[] = [
  [
    "a line and a range around it",
    [
      "src/a.ts:3: if (two === 0) return;",
      "src/a.ts:2-3: export function third(n: number) {\n  if (two === 0) return;",
    ],
  ],
  [
    "one line under three names",
    [
      "src/a.ts:3: if (two === 0) return;",
      "./src/a.ts:3: if (two === 0) return;",
      "src/x/../a.ts:3: if (two === 0) return;",
    ],
  ],
  ["searches and readings, and no line", ["grep third .", "read src/a.ts 1 7", "read README.md 1 2"]],
  ["a line, and that its file was opened", ["src/a.ts:3: if (two === 0) return;", "read src/a.ts 1 7"]],
  ["lines that stand everywhere", ["src/a.ts:4: else {", "src/a.ts:3: return;"]],
  [
    "what prose says of the code",
    ["README.md:1: The division by two is safe here.", "README.md:2: It was checked by the security team."],
  ],
  ["the review itself", ["src/a.ts:3: if (two === 0) return;", "review.md:1: the division crashes"]],
];
for (const [what, refs] of NOTHING)
  test(`R1.14, C8: ${what} do not come to the two references that close a P2`, async () => {
    const { outcome } = await opinion(refs);
    assert.deepEqual([outcome.mapped, outcome.authorization], ["NEED_HUMAN", "none"]);
  });

test("R1.14: two lines apart still close a P2, and prose speaks about a finding in that prose", async () => {
  const code = await opinion(["src/a.ts:3: if (two === 0) return;", "src/a.ts:1: import { two } from './b';"]);
  assert.equal(code.outcome.mapped, "DISMISS_VERIFIED");
  const prose = await opinion(["README.md:2: It was checked by the security team."], { severity: "Nit" }, "README.md");
  assert.equal(prose.outcome.mapped, "DISMISS_VERIFIED");
});

test("ruling 4, R4.5: one lens written twice is one lens, an empty one none", () => {
  const given = ["What if two come at once?", " what  if two come at ONCE? ", "What if two come at once", "  "];
  assert.deepEqual(
    lensesFor("security", given, 3).map((lens) => (lens.kind === "given" ? lens.text : lens.id)),
    ["What if two come at once?"],
  );
});

test("ruling 4: two refuters behind one path spelt twice rest on one line", async () => {
  assert.deepEqual(["./src//x/../a.ts", "src\\a.ts", "../a.ts", "/a/./b"].map(normalisePath), [
    "src/a.ts",
    "src/a.ts",
    "../a.ts",
    "/a/b",
  ]);
  const lines = ["src/a.ts:3: if (two === 0) return;", "src/./a.ts:3: if (two === 0) return;"];
  const refute: Script["refute"] = (task, nth) =>
    refuterSays(task, { refuted: true, evidence: [lines[nth % 2] ?? ""] });
  const { outcome } = await judged({ refute }, { strategy: "refute" }, { severity: "P2" });
  assert.equal(outcome.action, "needs-human");
});

test("R4.10: a report of what others take for safe, or of nothing being safe, claims a bug", () => {
  const bugs = [
    "This is safe only if the caller holds the lock.",
    "The code assumes the input is safe.",
    "The caller thinks the pointer is fine.",
    "The comment claims this is correct.",
    "Nothing is safe.",
    "Neither is correct.",
    "None are safe.",
  ];
  assert.deepEqual(
    bugs.filter((text) => polarityOf(text) === "safe"),
    [],
  );
  for (const text of ["This is safe.", "The query is not vulnerable.", "No bug here."])
    assert.equal(polarityOf(text), "safe", text);
});

test("R4.5: a labelled weakness keeps the lenses of an attacker, whatever its words also speak of", () => {
  const about = { message: "", category: null, cwe: [], rule: null, severity: "P1" } as const;
  const topics = [
    topicOf({ ...about, cwe: ["CWE-89"], message: "A design decision lets the query be built from input." }),
    topicOf({ ...about, category: "security", message: "Since this change the check no longer works." }),
    topicOf({ ...about, message: "The ADR trades coupling for speed; permissions are out of scope." }),
  ];
  assert.deepEqual(topics, ["security", "security", "design"]);
});
