import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { alikeIn } from "../../src/core/alike.ts";
import type { Finding } from "../../src/core/finding.ts";
import { finding } from "../support/arbitraries.ts";

interface Some extends Partial<Omit<Finding, "place">> {
  readonly file?: string | null;
  readonly line?: number | null;
  readonly endLine?: number | null;
}

const SQL = "The column is concatenated into the SQL statement";
const OTHER = "A negative page yields a negative offset";

function some({ file = "src/a.ts", line = 10, endLine = null, ...more }: Some): Finding {
  const blank = finding();
  return { ...blank, message: SQL, ...more, place: { ...blank.place, file, line, endLine } };
}

const likes = (a: Some, b: Some): boolean => alikeIn(some({ key: "a", ...a }), [some({ key: "b", ...b })]).length === 1;

const ALIKE: readonly [string, Some, Some][] = [
  ["other words with a common weakness id", { cwe: ["CWE-89"] }, { cwe: ["CWE-20", "CWE-89"], message: OTHER }],
  [
    "a common weakness id in another category",
    { cwe: ["CWE-89"], category: "security" },
    { cwe: ["CWE-89"], category: "bug", message: OTHER },
  ],
  [
    "another tool with mostly the same words",
    { tool: "a" },
    { tool: "b", message: "The column is concatenated into an SQL query" },
  ],
  ["the same rule in other words", { rule: "sql" }, { rule: "sql", message: OTHER }],
  ["mostly the same words under another weakness id", { cwe: ["CWE-89"] }, { cwe: ["CWE-943"] }],
  ["three lines apart", {}, { line: 13 }],
  ["a region that holds the other", { line: 1, endLine: 40 }, { line: 20 }],
  ["three lines after the end of a region", { line: 1, endLine: 10 }, { line: 13 }],
  [
    "the same words but for a line number and quotes",
    {},
    { message: "The “column” is concatenated into the SQL statement (line 10)" },
  ],
  ["in different exact clusters", { cluster: "one" }, { cluster: "two" }],
];
for (const [words, a, b] of ALIKE) test(`C18: shown together: ${words}`, () => assert.ok(likes(a, b) && likes(b, a)));

const APART: readonly [string, Some, Some][] = [
  ["two defects on one line", {}, { message: OTHER }],
  ["two weaknesses on one line", { cwe: ["CWE-89"] }, { cwe: ["CWE-22"], message: OTHER }],
  [
    "one rule for two weaknesses",
    { cwe: ["CWE-89"], rule: "taint" },
    { cwe: ["CWE-22"], rule: "taint", message: OTHER },
  ],
  [
    "one rule name in two categories",
    { rule: "R1", category: "style" },
    { rule: "R1", category: "security", message: OTHER },
  ],
  ["no rule on either side", { rule: null }, { rule: null, message: OTHER }],
  ["words that every claim has", { message: "It is in the" }, { message: "It is in the" }],
  ["four lines apart", {}, { line: 14 }],
  ["another file", {}, { file: "src/b.ts" }],
  ["no file on either side", { file: null }, { file: null }],
  ["a file as a whole", { line: null }, { line: null }],
  ["the same exact cluster, where one verdict stands for all", { cluster: "one" }, { cluster: "one" }],
  ["itself", { key: "a" }, { key: "a" }],
];
for (const [words, a, b] of APART)
  test(`C18, ruling 11: apart: ${words}`, () => assert.ok(!likes(a, b) && !likes(b, a)));

test("C18: the nearest come first, and never more than asked for", () => {
  const others = [13, 11, 10, 12].map((line) => some({ key: `at-${line}`, line }));
  const keys = (most?: number): string[] => alikeIn(some({ key: "a" }), others, most).map(({ key }) => key);
  assert.deepEqual(keys(), ["at-10", "at-11", "at-12", "at-13"]);
  assert.deepEqual(keys(2), ["at-10", "at-11"]);
  assert.equal(
    alikeIn(
      some({ key: "a" }),
      Array.from({ length: 20 }, (_, n) => some({ key: `${n}` })),
    ).length,
    8,
  );
});

test("C18: likeness goes both ways", () => {
  const any = fc
    .record({
      file: fc.constantFrom("src/a.ts", "src/b.ts", null),
      line: fc.option(fc.integer({ min: 1, max: 12 })),
      length: fc.option(fc.nat(6)),
      rule: fc.constantFrom("one", "two", null),
      category: fc.constantFrom("security", "style", null),
      cluster: fc.constantFrom("c", "d", null),
      cwe: fc.subarray(["CWE-89", "CWE-22"]),
      message: fc.subarray(["sql", "column", "the", "page", "offset"]).map((words) => words.join(" ")),
    })
    .map(({ length, ...rest }) =>
      some({ ...rest, endLine: rest.line === null || length === null ? null : rest.line + length }),
    );
  let alike = 0;
  fc.assert(
    fc.property(any, any, (a, b) => {
      const [first, second] = [
        { ...a, key: "a" },
        { ...b, key: "b" },
      ];
      const { length } = alikeIn(first, [second]);
      assert.equal(alikeIn(second, [first]).length, length);
      alike += length;
    }),
    { numRuns: 2000 },
  );
  assert.ok(alike > 20, "some of them have to be alike");
});
