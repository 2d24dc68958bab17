import assert from "node:assert/strict";
import test from "node:test";
import { constantOf, valueText } from "../../../src/core/code/constants.ts";
import type { Structure } from "../../../src/core/code/structure.ts";
import { createMemoryWorkspace } from "../../support/memoryWorkspace.ts";

const VALUES: readonly (readonly [string, string | null])[] = [
  ["50", "50"],
  ["60 * 1000", "60 * 1000"],
  ["60\n  * 1000", "60 * 1000"],
  ["0xFFu", "0xFFu"],
  ["1_000", "1_000"],
  ["10'000", "10'000"],
  ["8 * 1024'", null],
  ["1e-3", "1e-3"],
  ["5u64", "5u64"],
  ["true", "true"],
  ["False", "False"],
  ["(SIZE - 1)", "(SIZE - 1)"],
  ["50 as const", "50"],
  ['"hunter2"', null],
  ["'a'", null],
  ["`x`", null],
  ["[1, 2]", null],
  ["{ a: 1 }", null],
  ["f(1)", null],
  ["new Map()", null],
  ["a.b", null],
  ["+", null],
  ["", null],
  ["null", null],
  ["1".repeat(200), null],
];

for (const [source, expected] of VALUES) {
  test(`constants: ${JSON.stringify(source.slice(0, 30))} is ${expected === null ? "no value" : "a value"}`, () => {
    assert.equal(valueText(source), expected);
  });
}

async function structureOf(file: string, text: string, structures: "grammar" | "text" = "grammar"): Promise<Structure> {
  const structure = await createMemoryWorkspace({ [file]: text }, { structures }).structures.of(file);
  assert.ok(structure !== null);
  return structure;
}

/** File, text, name, line it stands on, what it comes to. */
const RESOLVED: readonly (readonly [string, string, string, string, number, string | null])[] = [
  ["a literal stays as it is written", "a.ts", "const A = 2 * 1000;\nf(A);", "A", 2, "2 * 1000"],
  ["names are followed through several", "a.ts", "const A = 8;\nconst B = A * 2;\nconst C = B - 1;\n", "C", 3, "15"],
  ["brackets and signs are kept", "a.ts", "const A = 8;\nconst B = -(A + 2) * 3;\n", "B", 2, "-30"],
  ["a shift is an exact product", "a.c", "#define A 1\n#define B (A << 10)\n", "B", 2, "1024"],
  ["division depends on the language and stays open", "a.ts", "const A = 9;\nconst B = A / 2;\n", "B", 2, null],
  ["what may be octal stays open", "a.c", "#define A 010\n#define B (A + 1)\n", "B", 2, null],
  ["a variable is no constant", "a.ts", "let A = 5;\nf(A);", "A", 2, null],
  [
    "a name that is given two values is none",
    "a.c",
    "#ifdef X\n#define A 1\n#else\n#define A 2\n#endif\n",
    "A",
    1,
    null,
  ],
  ["a parameter of that name is meant instead", "a.ts", "const A = 5;\nfunction f(A) {\n  g(A);\n}", "A", 3, null],
  [
    "one of another function is not meant",
    "a.ts",
    "function f() {\n  const A = 5;\n}\nfunction g() {\n  h(A);\n}",
    "A",
    5,
    null,
  ],
  ["one of the same function is", "a.ts", "function f() {\n  const A = 5;\n  h(A);\n}", "A", 3, "5"],
  [
    "names in a function may be its own variables",
    "a.ts",
    "const A = 5;\nfunction f(A) {\n  const B = A + 1;\n  h(B);\n}",
    "B",
    4,
    null,
  ],
  ["a circle ends", "a.ts", "const A = B + 1;\nconst B = A + 1;\n", "A", 1, null],
  ["a value beyond what is exact stays open", "a.ts", "const A = 9007199254740993;\nconst B = A + 1;\n", "B", 2, null],
  ["members of an enumeration count", "a.cs", "enum E { Low = 3 }\n", "Low", 1, "3"],
  [
    "final fields of Java count",
    "A.java",
    "class A {\n  static final int MAX = 3;\n  int other = 4;\n}\n",
    "MAX",
    2,
    "3",
  ],
  [
    "other fields of Java do not",
    "A.java",
    "class A {\n  static final int MAX = 3;\n  int other = 4;\n}\n",
    "other",
    3,
    null,
  ],
  ["a mutable static of Rust does not", "a.rs", "static mut A: u8 = 3;\nstatic B: u8 = 4;\n", "A", 1, null],
];

for (const [what, file, text, name, line, expected] of RESOLVED) {
  test(`constants: ${what}`, async () => {
    assert.equal(constantOf(await structureOf(file, text), name, line)?.value ?? null, expected);
  });
}

test("constants: patterns find the plain ones too", async () => {
  const found = async (file: string, text: string): Promise<string[]> =>
    (await structureOf(file, text, "text")).constants.map(({ name, value }) => `${name}=${value}`);
  assert.deepEqual(await found("a.ts", 'export const A = 5; // five\nlet B = 6;\nconst KEY = "hunter2";'), ["A=5"]);
  assert.deepEqual(await found("a.py", "A: int = 5  # five\nb = 6\n"), ["A=5"]);
  assert.deepEqual(await found("a.kt", "const val A = 5\nvar b = 6\n"), ["A=5"]);
  assert.deepEqual(await found("a.c", "#define A 5\nstatic const int b = 6;\nint c = 7;\n"), ["A=5", "b=6"]);
});
