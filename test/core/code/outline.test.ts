import assert from "node:assert/strict";
import test from "node:test";
import { enclosingFunction, guardsBefore } from "../../../src/core/code/structure.ts";
import { readStructure } from "../../../src/core/code/textStructure.ts";

function functions(file: string, text: string): string[] {
  return readStructure(file, text.split("\n")).functions.map(({ name, line, endLine }) => `${name} ${line}-${endLine}`);
}

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["a.ts", "export async function f(a: number): Promise<void> {\n  g();\n}\n", ["f 1-3"]],
  [
    "a.ts",
    "function f(send: (b: string) => Promise<{ ok: boolean }>): Promise<{ ok: boolean }> {\n  g();\n}\n",
    ["f 1-3"],
  ],
  ["a.ts", "function f(): { a: string } {\n  return g();\n}\n", ["f 1-3"]],
  ["a.ts", "const f = async (a, b) => {\n  g();\n};\nconst h = (x) => x + 1;\n", ["f 1-3", "h 4-4"]],
  [
    "a.ts",
    "class A {\n  get(id: string) { return this.x[id]; }\n  private async put(\n    id: string,\n  ): Promise<void> {\n    g();\n  }\n}\n",
    ["get 2-2"],
  ],
  ["a.ts", 'describe("x", function () {\n  g();\n});\n', []],
  ["a.py", "def f(a):\n    raise KeyError(a)\n    if a and g(a):\n        h()\n", ["f 1-4"]],
  ["a.go", "func f(l int) {\n\tif g(l) {\n\t\th()\n\t}\n}\n", ["f 1-5"]],
  ["a.kt", "foreach (f(a)) {\n  g();\n}\n", []],
  ["a.ts", "if (a) {\n  g();\n}\nfor (const b of c) {\n  g();\n}\n", []],
  ["a.ts", "function outer() {\n  function inner() {\n    g();\n  }\n  return inner;\n}\n", ["outer 1-6", "inner 2-4"]],
  ["a.ts", "function f() {\n  return `}`;\n}\n", ["f 1-3"]],
  ["a.py", "async def f(a):\n    g()\n\n    h()\nx = 1\n", ["f 1-4"]],
  ["a.py", "class A:\n    def m(self):\n        g()\n\n    def n(self):\n        h()\n", ["m 2-3", "n 5-6"]],
  ["a.go", "func (s *Server) Get(id string) error {\n\treturn nil\n}\n", ["Get 1-3"]],
  ["a.rs", "pub async fn get(id: u8) -> u8 {\n    id\n}\n", ["get 1-3"]],
  ["a.java", "  public int get(int a) throws IOException {\n    return a;\n  }\n", ["get 1-3"]],
  ["a.c", "static int get(int a)\n{\n  return a;\n}\n", ["get 1-4"]],
];

for (const [file, text, expected] of CASES) {
  test(`outline: functions of ${JSON.stringify(text)} in ${file}`, () => {
    assert.deepEqual(functions(file, text), expected);
  });
}

test("outline: the innermost function around a line is found, none at the top level", () => {
  const lines = "function outer() {\n  function inner() {\n    g();\n  }\n}\nh();".split("\n");
  assert.deepEqual(
    [1, 3, 5, 6].map((line) => enclosingFunction(readStructure("a.ts", lines), line)?.name),
    ["outer", "inner", "outer", undefined],
  );
});

function guards(file: string, text: string, line: number): string[] {
  const lines = text.split("\n");
  const structure = readStructure(file, lines);
  assert.ok(enclosingFunction(structure, line) !== null);
  return guardsBefore(structure, line).map((guard) => `${guard.line} ${guard.kind}`);
}

test("outline: conditions, early exits over several lines, assertions and loop bounds before a line are told apart", () => {
  const text = [
    "function f(a) {",
    "  if (a === null) {",
    "    log(a);",
    "    return;",
    "  }",
    "  if (b) c();",
    "  assertOpen(a);",
    "  for (let i = 0; i < LIMIT; i++) {",
    "    if (a[i]) {",
    "      use(a[i]);",
    "    }",
    "  }",
    "}",
  ].join("\n");
  assert.deepEqual(guards("a.ts", text, 10), [
    "2 early exit",
    "6 condition",
    "7 assertion",
    "8 loop bound",
    "9 condition",
  ]);
});

test("outline: a loop over a collection bounds nothing, a loop that is over neither, the flagged line itself is no guard", () => {
  const text =
    "function f(a) {\n  for (const b of a) {\n    use(b);\n  }\n  while (x < 3) {\n    x++;\n  }\n  if (x) use(x);\n}";
  assert.deepEqual(guards("a.ts", text, 3), []);
  assert.deepEqual(guards("a.ts", text, 8), []);
});

test("outline: guards of Python are told by indentation", () => {
  const text = "def f(a):\n    if a is None:\n        raise ValueError(a)\n    if a:\n        use(a)\n    return a";
  assert.deepEqual(guards("a.py", text, 5), ["2 early exit", "4 condition"]);
});
