import { ASKED } from "../../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { runChecks } from "../../../src/core/oracle.ts";
import { judge } from "../../../src/core/judge.ts";
import { admit } from "../../../src/core/policy.ts";
import { valueClaimOf } from "../../../src/core/valueClaim.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

type Files = Readonly<Record<string, string>>;

/** Verdict and words about each claim of a value, and what becomes of the finding as a P2. */
async function settle(message: string, files: Files, file = "src/a.ts") {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, message, file, 1, { severity: "P2" });
  const checks = await runChecks(finding, workspace.context, () => undefined);
  const value = checks.find(({ atom }) => atom?.claimClass === 13);
  const outcome = judge({
    ...ASKED,
    finding,
    admission: admit(finding, true),
    checks,
  });
  const at = value?.citations.map(({ file: cited, line }) => `${cited}:${line}`) ?? [];
  return {
    verdict: value?.verdict ?? null,
    text: value?.text,
    at,
    action: outcome.action,
    settledAs: outcome.settledAs,
  };
}

const LIMITS =
  "export const MAX_ITEMS = 50;\nexport const SLOT_COUNT = MAX_ITEMS;\nexport const BYTES = 4 * 1_024 + (0x10 - 6);\n";
const CART =
  'import { MAX_ITEMS, SLOT_COUNT, BYTES as SIZE } from "./limits";\nconst slots: string[] = new Array<string>(SLOT_COUNT).fill("");\nconst few = 3;\n';
const FILES: Files = { "src/a.ts": CART, "src/limits.ts": LIMITS };

test("class 13: a value that the chain of constants leads to is refuted or confirmed, with every line of the chain", async () => {
  const zero = await settle("`MAX_ITEMS` is 0.", FILES);
  assert.deepEqual(
    [zero.verdict, zero.text, zero.at],
    ["refuted", "MAX_ITEMS is 50 (src/limits.ts:1).", ["src/limits.ts:1"]],
  );
  assert.deepEqual([zero.action, zero.settledAs], ["settled", "refuted"]);
  const fifty = await settle("MAX_ITEMS is set to 50", FILES);
  assert.deepEqual([fifty.verdict, fifty.settledAs], ["confirmed", "confirmed"]);
  const chain = await settle("SLOT_COUNT is 50", FILES);
  assert.deepEqual([chain.verdict, chain.at], ["confirmed", ["src/limits.ts:2", "src/limits.ts:1"]]);
  assert.equal((await settle("`SIZE` is 4106.", FILES)).verdict, "confirmed");
  assert.equal((await settle("`few` is larger than `MAX_ITEMS`.", FILES)).verdict, "refuted");
  assert.equal((await settle("`few` is smaller than `MAX_ITEMS`.", FILES)).verdict, "confirmed");
});

test("class 13: “larger than the array” settles the value alone; what follows from it stays open", async () => {
  const message = "fillSlots() can write past the end of `slots` because MAX_ITEMS is larger than the array.";
  const { verdict, text, action } = await settle(message, FILES);
  assert.deepEqual([verdict, action], ["refuted", "needs-human"]);
  assert.match(text ?? "", /MAX_ITEMS is 50 .*the length of slots is 50/);
});

const UNKNOWN: readonly (readonly [string, string, Files, string?])[] = [
  [
    "an environment variable",
    "`LIMIT` is 0.",
    { "src/a.ts": "export const LIMIT = Number(process.env.LIMIT) || 0;\n" },
  ],
  ["a condition", "`LIMIT` is 0.", { "src/a.ts": "export const LIMIT = fast ? 0 : 5;\n" }],
  ["a variable that may change", "`LIMIT` is 1.", { "src/a.ts": "export let LIMIT = 0;\n" }],
  [
    "a name bound twice",
    "`LIMIT` is 1.",
    { "src/a.ts": "const LIMIT = 0;\nfunction f(LIMIT) {\n  return LIMIT;\n}\n" },
  ],
  ["a value on the next line", "`LIMIT` is 1.", { "src/a.ts": "const LIMIT = 0\n  + 1;\n" }],
  ["a string", "`LIMIT` is 0.", { "src/a.ts": 'const LIMIT = "0";\n' }],
  ["a package", "`LIMIT` is 0.", { "src/a.ts": 'import { LIMIT } from "limits";\n' }],
  [
    "a module that may be two files",
    "`LIMIT` is 0.",
    {
      "src/a.ts": 'import { LIMIT } from "./l";\n',
      "src/l.ts": "export const LIMIT = 1;\n",
      "src/l.js": "export const LIMIT = 0;\n",
    },
  ],
  ["itself", "`LIMIT` is 0.", { "src/a.ts": "const LIMIT = OTHER;\nconst OTHER = LIMIT;\n" }],
  ["a Python name that is set again", "`LIMIT` is 1.", { "a.py": "LIMIT = 0\nif fast:\n    LIMIT = 1\n" }, "a.py"],
  ["an operator that is not read", "`LIMIT` is 1.", { "src/a.ts": "const LIMIT = 5 % 4;\n" }],
  ["an inexact fraction", "`LIMIT` is 1.", { "src/a.ts": "const LIMIT = 1 / 3;\n" }],
  ["a language that is not read", "`LIMIT` is 1.", { "a.go": "const LIMIT = 0\n" }, "a.go"],
  [
    "a Python default under local settings",
    "`LIMIT` is 10.",
    { "a.py": "LIMIT = 10\ntry:\n    from .local import LIMIT\nexcept ImportError:\n    pass\n" },
    "a.py",
  ],
  ["a Python default under a star import", "`LIMIT` is 10.", { "a.py": "LIMIT = 10\nfrom .local import *\n" }, "a.py"],
  [
    "an imported Python default under local settings",
    "`LIMIT` is 10.",
    { "a.py": "from s import LIMIT\n", "s.py": "LIMIT = 10\nfrom local import (\n    OTHER,\n    LIMIT,\n)\n" },
    "a.py",
  ],
  [
    "an imported Python name with a type that is set again",
    "`LIMIT` is 10.",
    { "a.py": "from s import LIMIT\n", "s.py": "LIMIT: int = 10\nif fast:\n    LIMIT: int = 20\n" },
    "a.py",
  ],
  [
    "an imported Python name that a loop binds",
    "`LIMIT` is 10.",
    { "a.py": "from s import LIMIT\n", "s.py": "LIMIT = 10\nfor LIMIT in range(3):\n    pass\n" },
    "a.py",
  ],
  ["Python names given as text", "`LIMIT` is 10.", { "a.py": "LIMIT = 10\nglobals().update(load())\n" }, "a.py"],
  [
    "a Python constant that another module sets",
    "`LIMIT` is 10.",
    { "a.py": "from s import LIMIT\n", "s.py": "LIMIT = 10\n", "b.py": "import s\ns.LIMIT = 20\n" },
    "a.py",
  ],
  ["a number with a leading zero", "`LIMIT` is 777.", { "src/a.js": "const LIMIT = 0777;\n" }, "src/a.js"],
  [
    "an array that grows",
    "`LIMIT` is larger than `slots`.",
    { "src/a.ts": "const LIMIT = 10;\nconst slots = new Array(3);\nfor (const x of y) slots.push(x);\n" },
  ],
  [
    "an array whose length is set",
    "`LIMIT` is larger than `slots`.",
    { "src/a.ts": "const LIMIT = 3;\nconst slots = new Array(3);\nslots.length = 0;\n" },
  ],
  [
    "an array that is handed on",
    "`LIMIT` is larger than `slots`.",
    { "src/a.ts": "const LIMIT = 3;\nconst slots = new Array(3);\nshrink(slots);\n" },
  ],
  [
    "a Python list that grows",
    "`LIMIT` is greater than `ROWS`.",
    { "a.py": "LIMIT = 10\nROWS = [0] * 3\nROWS.append(1)\n" },
    "a.py",
  ],
  [
    "a buffer whose size may be in bytes",
    "`words` overflows because LIMIT_A is larger than the buffer.",
    { "src/a.ts": "const LIMIT_A = 8;\nconst words = new Uint32Array(4);\n" },
  ],
  [
    "another array, of a length that nobody knows",
    "`lines` overflows `slots` because LIMIT_A is larger than the array.",
    { "src/a.ts": "const LIMIT_A = 3;\nconst slots = new Array(3);\nexport const f = (lines) => lines[LIMIT_A];\n" },
  ],
  [
    "a value in another unit",
    "`timeoutSeconds` is larger than `timeoutMs`.",
    { "src/a.ts": "const timeoutSeconds = 5;\nconst timeoutMs = 3_000;\n" },
  ],
  [
    "two arrays",
    "`MAX_ITEMS` is larger than the array: `x1Array` or `y1Array`.",
    { "src/a.ts": "const MAX_ITEMS = 1;\nconst x1Array = new Array(2);\nconst y1Array = new Array(3);\n" },
  ],
];

for (const [what, message, files, file] of UNKNOWN) {
  test(`class 13: ${what} is no literal: unknown`, async () => {
    const { verdict, action } = await settle(message, files, file);
    assert.ok(verdict === "unknown" || verdict === null);
    assert.equal(action, "needs-human");
  });
}

test("class 13: Python constants and arrays are read too", async () => {
  const files = { "a.py": "from limits import LIMIT\nROWS = [0] * LIMIT\n", "limits.py": "LIMIT: int = 2 * 8\n" };
  assert.equal((await settle("`LIMIT` is 16.", files, "a.py")).verdict, "confirmed");
  assert.equal((await settle("`LIMIT` is greater than `ROWS`.", files, "a.py")).verdict, "refuted");
});

test("class 13: an array that is only read and filled keeps its length", async () => {
  const files = {
    "src/a.ts":
      "const LIMIT = 3;\nconst slots = new Array(3).fill(0);\nslots[1] = 2;\nfor (const one of slots) log(one, slots.length);\n",
  };
  assert.equal((await settle("`LIMIT` is larger than `slots`.", files)).verdict, "refuted");
});

test("class 13: only a clause that says nothing else is a claim about a value", () => {
  for (const text of [
    "MAX_ITEMS is 0 on Windows",
    "MAX_ITEMS is often 0",
    "MAX_ITEMS is 0 or 1",
    "It is 0",
    "items is 0",
    "MAX_ITEMS may be 0",
    "MAX_ITEMS is not 0",
  ])
    assert.equal(valueClaimOf(text), null, text);
  assert.deepEqual(valueClaimOf("The limit `maxItems` exceeds `SLOT_COUNT`."), {
    left: "maxItems",
    relation: "more",
    right: { name: "SLOT_COUNT" },
  });
});

interface Expression {
  readonly source: string;
  readonly value: number;
}

const OPERATE: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
};

const expression: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.nat({ max: 999 }).map((value) => ({ source: String(value), value })),
    fc.tuple(tie("tree"), fc.constantFrom(...Object.keys(OPERATE)), tie("tree")).map(([a, operator, b]) => ({
      source: `(${a.source} ${operator} ${b.source})`,
      value: OPERATE[operator]?.(a.value, b.value) ?? Number.NaN,
    })),
    tie("tree").map(({ source, value }) => ({ source: `-(${source})`, value: -value })),
  ),
})).tree;

test("class 13: whatever the arithmetic, the value is the one that it has, or unknown", async () => {
  await fc.assert(
    fc.asyncProperty(expression, async ({ source, value }) => {
      const files = { "src/a.ts": `const LIMIT = ${source};\n` };
      const right = await settle(`\`LIMIT\` is ${value}.`, files);
      const wrong = await settle(`\`LIMIT\` is ${value + 1}.`, files);
      assert.notEqual(right.verdict, "refuted", source);
      assert.notEqual(wrong.verdict, "confirmed", source);
    }),
    { numRuns: 300 },
  );
});
