import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { readStructure } from "../../../src/core/code/textStructure.ts";
import { enclosingFunction, guardsBefore, guardsWithin, type Structure } from "../../../src/core/code/structure.ts";
import type { SourceText } from "../../../src/core/ports.ts";
import { createSyntaxReader, type SyntaxReader, type SyntaxReaderOptions } from "../../../src/node/syntax/reader.ts";
import { createStructures } from "../../../src/node/syntax/structures.ts";
import { createMemoryWorkspace } from "../../support/memoryWorkspace.ts";

const TEXT = "export function f(a) {\n  if (a === null) return 0;\n  return g(a);\n}\n";

function sourceOf(file: string, text: string, truncated = false): SourceText {
  return { file, lines: text.split("\n"), truncated };
}

async function read(source: SourceText, options: SyntaxReaderOptions = {}): Promise<Structure> {
  const load = async (): Promise<SyntaxReader> => createSyntaxReader(options);
  const structure = await createStructures({ repository: { text: async () => source }, load }).of(source.file);
  assert.ok(structure !== null);
  return structure;
}

const FALLBACKS: readonly (readonly [string, SourceText, SyntaxReaderOptions, RegExp])[] = [
  ["no grammar knows the language", sourceOf("a.kt", TEXT), {}, /no grammar for this language/],
  [
    "the grammar is not installed",
    sourceOf("a.ts", TEXT),
    { locate: (wasm) => (wasm.startsWith("web-") ? locateRuntime() : null) },
    /the grammar of TypeScript is not installed/,
  ],
  [
    "the grammar is no grammar",
    sourceOf("a.ts", TEXT),
    { locate: (wasm) => (wasm.startsWith("web-") ? locateRuntime() : import.meta.filename) },
    /the grammar of TypeScript could not be loaded \(.+\)/,
  ],
  ["parsing takes too long", sourceOf("a.ts", `${TEXT}${"f(1);\n".repeat(30_000)}`), { timeLimitMs: -1 }, /too long/],
  ["the file is too large", sourceOf("a.ts", `${TEXT}${"//\n".repeat(200_000)}`), {}, /larger than 400 kB/],
];

function locateRuntime(): string {
  return path.join(import.meta.dirname, "../../../node_modules/web-tree-sitter/web-tree-sitter.wasm");
}

for (const [what, source, options, why] of FALLBACKS) {
  test(`structures: where ${what}, patterns read the file and the reason is named`, async () => {
    const structure = await read(source, options);
    assert.equal(structure.reader, "text");
    assert.match(structure.why ?? "", why);
    assert.deepEqual(structure, readStructure(source.file, source.lines, structure.why ?? ""));
    if (source.file.endsWith(".ts")) assert.equal(enclosingFunction(structure, 3)?.name, "f");
  });
}

test("structures: where the parser itself cannot be loaded, patterns read every file", async () => {
  const load = async (): Promise<SyntaxReader> => await Promise.reject(new Error("no such bundle"));
  const structures = createStructures({ repository: { text: async (file) => sourceOf(file, TEXT) }, load });
  const structure = await structures.of("a.ts");
  assert.equal(structure?.reader, "text");
  assert.match(structure?.why ?? "", /could not be loaded.*no such bundle/);
});

test("structures: a file whose text is not there has no structure", async () => {
  assert.equal(await createMemoryWorkspace({}).structures.of("a.ts"), null);
});

test("structures: of a file that was read in part it says that it is not sound, whoever reads it", async () => {
  for (const file of ["a.ts", "a.kt"]) assert.equal((await read(sourceOf(file, TEXT, true))).sound, false);
});

test("structures: a text is parsed once as long as it is the same, and anew when the buffer changed", async () => {
  let [parsed, source] = [0, sourceOf("a.ts", TEXT)];
  const reader = createSyntaxReader();
  const counting: SyntaxReader = {
    read: async (file, text) => {
      parsed += 1;
      return await reader.read(file, text);
    },
  };
  const structures = createStructures({ repository: { text: async () => source }, load: async () => counting });
  const [first, second] = await Promise.all([structures.of("a.ts"), structures.of("a.ts")]);
  assert.equal(first, second);
  assert.equal(parsed, 1);
  source = sourceOf("a.ts", TEXT.replace("function f", "function other"));
  assert.equal((await structures.of("a.ts"))?.functions[0]?.name, "other");
  assert.equal(parsed, 2);
});

test("structures: files of all languages asked for at once do not mix", async () => {
  const folder = path.join(import.meta.dirname, "../../fixtures/structure");
  const names = ["basket.ts", "view.tsx", "store.py", "server.go", "ring.c", "pool.cpp", "parser.rs", "cart.rb"];
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
  const { structures } = createMemoryWorkspace(files);
  const together = await Promise.all(names.map((name) => structures.of(name)));
  for (const [index, name] of names.entries())
    assert.deepEqual(together[index], await createMemoryWorkspace(files).structures.of(name));
});

async function parse(file: string, text: string): Promise<Structure> {
  const structure = await createMemoryWorkspace({ [file]: text }).structures.of(file);
  assert.ok(structure !== null);
  assert.equal(structure.reader, "grammar");
  return structure;
}

/** Which guards rule a line: file, text, line, kinds with their lines. */
const RULED: readonly (readonly [string, string, string, number, readonly string[]])[] = [
  [
    "a condition that is over rules nothing behind it",
    "a.ts",
    "function f(a) {\n  if (a) {\n    g();\n  }\n  h(a);\n}",
    5,
    [],
  ],
  [
    "a condition rules both its branches",
    "a.ts",
    "function f(a) {\n  if (a) {\n    g();\n  } else {\n    h();\n  }\n}",
    5,
    ["2 condition"],
  ],
  [
    "what a condition repairs is guarded from then on",
    "a.ts",
    "function f(n) {\n  if (n > MAX) n = MAX;\n  use(n);\n}",
    3,
    ["2 condition"],
  ],
  ["setting another name repairs nothing", "a.ts", "function f(n) {\n  if (n > MAX) m = MAX;\n  use(n);\n}", 3, []],
  [
    "an exit rules only its own block",
    "a.ts",
    "function f(a) {\n  if (b) {\n    if (!a) return;\n    g(a);\n  }\n  h(a);\n}",
    6,
    [],
  ],
  [
    "an exit in a nested block rules the rest of it",
    "a.ts",
    "function f(a) {\n  if (b) {\n    if (!a) return;\n    g(a);\n  }\n}",
    4,
    ["2 condition", "3 early exit"],
  ],
  [
    "the else that leaves rules what follows",
    "a.ts",
    "function f(a) {\n  if (a) {\n    g();\n  } else {\n    throw x;\n  }\n  h(a);\n}",
    7,
    ["2 early exit"],
  ],
  [
    "an exit behind other statements counts",
    "a.ts",
    "function f(a) {\n  if (!a) {\n    log();\n    // and out\n    process.exit(1);\n  }\n  h(a);\n}",
    7,
    ["2 early exit"],
  ],
  [
    "a branch that may go on is no exit",
    "a.ts",
    "function f(a) {\n  if (!a) {\n    if (b) return;\n    log();\n  }\n  h(a);\n}",
    6,
    [],
  ],
  [
    "an exit of a callback leaves only the callback",
    "a.ts",
    "function f(a) {\n  a.forEach((x) => {\n    if (!x) return;\n    g(x);\n  });\n  h(a);\n}",
    6,
    [],
  ],
  [
    "the same exit rules the callback's rest",
    "a.ts",
    "function f(a) {\n  a.forEach((x) => {\n    if (!x) return;\n    g(x);\n  });\n}",
    4,
    ["3 early exit"],
  ],
  ["an assertion behind && may not run", "a.ts", "function f(a) {\n  b && assertOpen(a);\n  h(a);\n}", 3, []],
  [
    "an assertion in a one-line closure does not run here",
    "a.ts",
    "function f(a) {\n  later(() => assertOpen(a));\n  h(a);\n}",
    3,
    [],
  ],
  [
    "the value of an assertion counts",
    "a.ts",
    "function f(a) {\n  const b = validate(a);\n  h(b);\n}",
    3,
    ["2 assertion"],
  ],
  ["a checkout is no check", "a.ts", "function f(a) {\n  checkout(a);\n  h(a);\n}", 3, []],
  [
    "a condition of several lines rules its block",
    "a.ts",
    "function f(a) {\n  if (\n    a &&\n    b\n  ) {\n    g(a);\n  }\n}",
    6,
    ["2 condition"],
  ],
  [
    "a case rules its own statements",
    "a.ts",
    "function f(a) {\n  switch (a) {\n    case 1:\n      g();\n      break;\n    case 2:\n      h();\n  }\n}",
    7,
    ["6 condition"],
  ],
  [
    "a handler is told at its own line",
    "a.ts",
    "function f() {\n  try {\n    g();\n  } catch {\n    h();\n  }\n}",
    3,
    ["4 handler"],
  ],
  [
    "a handler does not protect itself",
    "a.ts",
    "function f() {\n  try {\n    g();\n  } catch {\n    h();\n  }\n}",
    5,
    [],
  ],
  [
    "a loop over a collection bounds nothing",
    "a.ts",
    "function f(a) {\n  for (const b of a) {\n    use(b);\n  }\n}",
    3,
    [],
  ],
  ["range bounds a loop of Python", "a.py", "def f(n):\n    for i in range(n):\n        use(i)\n", 3, ["2 loop bound"]],
  ["other loops of Python are unbounded", "a.py", "def f(n):\n    for i in n:\n        use(i)\n", 3, []],
  [
    "an elif that leaves rules the rest when all before leave",
    "a.py",
    "def f(n):\n    if n < 0:\n        raise A\n    elif n > 9:\n        return\n    use(n)\n",
    6,
    ["2 early exit", "4 early exit"],
  ],
  [
    "an elif that leaves is no exit when the if goes on",
    "a.py",
    "def f(n):\n    if n < 0:\n        log()\n    elif n > 9:\n        return\n    use(n)\n",
    6,
    [],
  ],
  [
    "let else of Rust leaves",
    "a.rs",
    "fn f(a: Option<u8>) {\n    let Some(b) = a else {\n        return;\n    };\n    g(b);\n}",
    5,
    ["2 early exit"],
  ],
  [
    "braceless branches of C are read",
    "a.c",
    "int f(int *p)\n{\n  if (!p)\n    return 0;\n  return *p;\n}",
    5,
    ["3 early exit"],
  ],
  [
    "an exit in a loop without braces rules nothing behind it",
    "a.c",
    "int f(int *p)\n{\n  for (i = 0; i < 3; i++)\n    if (!p) return 0;\n  return *p;\n}",
    5,
    [],
  ],
  ["unless as a modifier leaves", "a.rb", "def f(a)\n  return unless a\n  g(a)\nend", 3, ["2 early exit"]],
];

for (const [what, file, text, line, expected] of RULED) {
  test(`guards: ${what} (${file})`, async () => {
    const guards = guardsBefore(await parse(file, text), line);
    assert.deepEqual(
      guards.map((guard) => `${guard.line} ${guard.kind}`),
      expected,
    );
  });
}

test("guards: of one that leaves, a function lists only that it leaves", async () => {
  const structure = await parse("a.ts", "function f(a) {\n  if (!a) {\n    return;\n  }\n  if (b) {\n    g();\n  }\n}");
  const [within] = structure.functions;
  assert.ok(within !== undefined);
  assert.deepEqual(
    guardsWithin(structure, within).map(({ line, kind }) => `${line} ${kind}`),
    ["2 early exit", "5 condition"],
  );
});

test("structures: a function in an export list is public, and so are the methods of a class in it", async () => {
  const structure = await parse("a.ts", "function f() {}\nfunction g() {}\nclass A {\n  m() {}\n}\nexport { f, A };\n");
  assert.deepEqual(
    structure.functions.map((span) => `${span.name} ${span.public}`),
    ["f true", "g false", "m true"],
  );
});

test("structures: a function goes by the name it is bound to, else by its own, and never by a computed one", async () => {
  const text =
    "const a = function b() {};\nmodule.exports = function c() {};\nx.d = () => 1;\nf(function e() {});\nf(function () {});\nmodule.exports = () => 2;\n({ ['g h']() {}, i: () => 3 });\n";
  const structure = await parse("a.js", text);
  assert.deepEqual(
    structure.functions.map(({ name, line }) => `${name} ${line}`),
    ["a 1", "c 2", "d 3", "e 4", "i 7"],
  );
});

test("structures: an astral character before a call does not shift its column in UTF-16 units", async () => {
  const line = 'const \u{1D4B6} = "\u{1F600}"; call(1);';
  const structure = await parse("a.ts", line);
  assert.deepEqual(
    structure.calls.map(({ name, column }) => line.slice(column, column + name.length)),
    ["call"],
  );
});
