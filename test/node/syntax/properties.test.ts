import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { constantOf } from "../../../src/core/code/constants.ts";
import { enclosingFunction, guardsBefore, type Lines, type Structure } from "../../../src/core/code/structure.ts";
import { readStructure } from "../../../src/core/code/textStructure.ts";
import { SEED } from "../../support/seed.ts";
import { createSyntaxReader } from "../../../src/node/syntax/reader.ts";
import { createStructures } from "../../../src/node/syntax/structures.ts";

const FOLDER = path.join(import.meta.dirname, "../../fixtures/structure");
const FIXTURES = readdirSync(FOLDER).map((file) => ({ file, text: readFileSync(path.join(FOLDER, file), "utf8") }));

/** Longest that any text may keep the process busy. */
const MOST_MS = 2000;

const reader = createSyntaxReader();

async function byGrammar(file: string, text: string): Promise<Structure> {
  const source = { file, lines: text.split(/\r\n|\n|\r/), truncated: false };
  const structure = await createStructures({
    repository: { text: async () => source },
    load: async () => reader,
  }).of(file);
  assert.ok(structure !== null);
  return structure;
}

function byPatterns(file: string, text: string): Structure {
  return readStructure(file, text.split(/\r\n|\n|\r/));
}

function inFile({ line, endLine }: Lines, lines: number): boolean {
  return Number.isInteger(line) && 1 <= line && line <= endLine && endLine <= lines;
}

/** Lines of two functions may touch where one begins on the line on which the other ends, and may not cross. */
function nest(a: Lines, b: Lines): boolean {
  const apart = a.endLine <= b.line || b.endLine <= a.line;
  return apart || (a.line <= b.line && b.endLine <= a.endLine) || (b.line <= a.line && a.endLine <= b.endLine);
}

function assertWellFormed(structure: Structure, text: string): void {
  const lines = text.split(/\r\n|\n|\r/);
  const { functions, guards, calls, constants, declarations, broken } = structure;
  for (const span of [...functions, ...guards, ...declarations])
    assert.ok(inFile(span, lines.length), span.line.toString());
  for (const span of broken) assert.ok(inFile(span, lines.length));
  for (const guard of guards)
    for (const stretch of guard.protects) assert.ok(stretch.endLine <= lines.length && stretch.line >= 1);
  for (const { name, line, column } of calls)
    assert.equal((lines[line - 1] ?? "").slice(column, column + name.length), name);
  for (const { line, value } of constants)
    assert.ok(line <= lines.length && !/["'`]/.test(value.replace(/\d'\d/g, "")));
  for (const [index, a] of functions.entries()) for (const b of functions.slice(index + 1)) assert.ok(nest(a, b));
  for (const list of [functions, guards])
    assert.deepEqual(
      list.map(({ line }) => line),
      list.map(({ line }) => line).toSorted((a, b) => a - b),
    );
  for (const line of [1, Math.ceil(lines.length / 2), lines.length]) {
    enclosingFunction(structure, line);
    assert.ok(guardsBefore(structure, line).every((guard) => guard.line !== line));
  }
  for (const { name, line } of constants.slice(0, 3)) constantOf(structure, name, line);
}

async function assertReads(file: string, text: string): Promise<void> {
  const started = performance.now();
  const parsed = await byGrammar(file, text);
  const read = byPatterns(file, text);
  assert.ok(performance.now() - started < 2 * MOST_MS, `${file} took ${performance.now() - started} ms`);
  assertWellFormed(parsed, text);
  assertWellFormed(read, text);
}

const fixture = fc.constantFrom(...FIXTURES);
const junk = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "{",
    "}",
    "(",
    ")",
    '"',
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "\t",
    "\r\n",
    "\uFEFF",
    "\u{1F600}",
    "${",
    "<",
    "=>",
    "\\",
    "\u2028",
    "#define A 1\n",
    "class",
    "def f(",
    "fn ",
    "try",
    "if (",
  ),
);

test(`syntax, property: the seed of this run is FUZZ_SEED=${SEED}`, () => assert.ok(Number.isInteger(SEED)));

test("syntax, property: any edit of any fixture is read without an error, in time, with lines inside the file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fixture,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 40 }), junk), { maxLength: 6 }),
      async ({ file, text }, edits) => {
        let edited = text;
        for (const [at, cut, put] of edits) {
          const from = at % (edited.length + 1);
          edited = edited.slice(0, from) + put + edited.slice(from + cut);
        }
        await assertReads(file, edited);
      },
    ),
    { numRuns: 400, seed: SEED },
  );
});

test("syntax: where the source is broken, a call still stands where its name does", async () => {
  const broken = [
    "<?php",
    "function send(): bool {",
    "  $this->queue->) (\\Error $error) {",
    "    report($error)=>",
    "  }",
    "}",
  ];
  await assertReads("Mailer.php", broken.join("\n"));
  const { calls } = await byGrammar("Mailer.php", broken.join("\n"));
  assert.ok(calls.every(({ name, line, column }) => (broken[line - 1] ?? "").startsWith(name, column)));
  assert.ok(calls.some(({ name }) => name === "report"));
});

test("syntax, property: any fixture cut off anywhere is read without an error", async () => {
  await fc.assert(
    fc.asyncProperty(fixture, fc.nat(), fc.boolean(), async ({ file, text }, at, head) => {
      const cut = at % (text.length + 1);
      await assertReads(file, head ? text.slice(0, cut) : text.slice(cut));
    }),
    { numRuns: 200, seed: SEED },
  );
});

test("syntax, property: any text at all is read without an error by every grammar", async () => {
  await fc.assert(
    fc.asyncProperty(fixture, fc.array(junk, { maxLength: 40 }), async ({ file }, parts) => {
      await assertReads(file, parts.join(" "));
    }),
    { numRuns: 200, seed: SEED },
  );
});

const DEEP: readonly (readonly [string, (n: number) => string])[] = [
  ["open brackets", (n) => "(".repeat(n)],
  ["braces", (n) => "{".repeat(n) + "}".repeat(n)],
  ["calls", (n) => `${"f(".repeat(n)}1${")".repeat(n)}`],
  ["nested conditions", (n) => `function f() {\n${"if (a) {\n".repeat(n)}${"}\n".repeat(n)}}\n`],
  ["conditions that stay open", (n) => `function f() {\n${"if (a) {\n".repeat(n)}`],
  ["functions that stay open", (n) => "function f() {\n".repeat(n)],
  [
    "deeper and deeper indentation",
    (n) => Array.from({ length: Math.min(n, 700) }, (_unused, at) => `${" ".repeat(at)}if a:`).join("\n"),
  ],
  ["a long line", (n) => `x = ${"a + ".repeat(n)}1`],
  ["a long line of calls", (n) => "f(a).g(b);".repeat(n)],
  ["else ifs", (n) => `if (a) { return }${" else if (b) { return }".repeat(n)}`],
  ["quotes", (n) => "\"'`".repeat(n)],
  ["slashes", (n) => "/*//".repeat(n)],
  ["generics", (n) => `${"A<".repeat(n)}B${">".repeat(n)} f() {}`],
  ["words", (n) => "public static const ".repeat(n)],
];

for (const [what, make] of DEEP) {
  test(`syntax: 3,000 ${what} are read in time by every grammar and by patterns`, async () => {
    const text = make(3_000);
    const lines = text.split("\n").length;
    for (const { file } of FIXTURES) {
      for (const read of [byGrammar, byPatterns]) {
        const started = performance.now();
        const structure = await read(file, text);
        const took = performance.now() - started;
        assert.ok(took < MOST_MS, `${file} by ${read.name}: ${took} ms`);
        assert.ok(structure.functions.every((span) => inFile(span, lines)));
      }
    }
  });
}

test("syntax: where both claim to be sound, patterns find no function that the grammar does not, at the same lines", async () => {
  let compared = 0;
  for (const { file, text } of FIXTURES) {
    const [parsed, read] = [await byGrammar(file, text), byPatterns(file, text)];
    if (!parsed.sound || !read.sound) continue;
    compared += 1;
    const known = new Set(parsed.functions.map(({ name, line, endLine }) => `${name} ${line}-${endLine}`));
    assert.deepEqual(
      read.functions.map(({ name, line, endLine }) => `${name} ${line}-${endLine}`).filter((span) => !known.has(span)),
      [],
      file,
    );
    const values = new Map(parsed.constants.map(({ name, line, value }) => [`${name} ${line}`, value]));
    for (const { name, line, value } of read.constants)
      assert.equal(values.get(`${name} ${line}`), value, `${file}:${line}`);
  }
  assert.ok(compared >= 8, String(compared));
});
