import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { codeOnly, depths, isIdentifier, lexCode, occurrences, syntaxOf } from "../../../src/core/code/lexer.ts";

/** The lines of a text as code, runs of blanks folded, empty ones left out. */
function code(file: string, text: string): string[] {
  return codeOnly(text.split("\n"), syntaxOf(file))
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

const sound = (file: string, text: string): boolean => lexCode(text.split("\n"), syntaxOf(file)).sound;

const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["a line comment", "a.ts", "one(); // two()", ["one();"]],
  ["a comment over lines", "a.ts", "one(); /* two()\nthree() */ four();", ["one();", "four();"]],
  ["strings", "a.ts", "say(\"two()\", 'three()');", ["say(\" \", ' ');"]],
  ["an escaped quote", "a.ts", String.raw`say("a\"two()"); one();`, ['say(" "); one();']],
  ["a string that goes on behind a backslash", "a.ts", 'say("a\\\ntwo()"); one();', ['say("', '"); one();']],
  ["a comment mark inside a string", "a.ts", 'say("http://x"); one();', ['say(" "); one();']],
  ["a template over lines", "a.ts", "say(`two()\nthree()`); one();", ["say(`", "`); one();"]],
  ["code in a template's hole", "a.ts", "say(`two() ${one(`${four()}`)} three()`);", ["say(` one(` four() `) `);"]],
  [
    "an object in a template's hole",
    "a.ts",
    "say(`${call({ a: { b: 1 } })} two()`);",
    ["say(` call({ a: { b: 1 } }) `);"],
  ],
  ["a regular expression with quotes", "a.ts", "x = /[\"'`]two()/g; one();", ["x = / / ; one();"]],
  ["a regular expression behind return", "a.ts", "return /`/.test(one());", ["return / /.test(one());"]],
  ["a division", "a.ts", "x = a / two() / one();", ["x = a / two() / one();"]],
  ["a division by an indexed value", "a.ts", "x = a[0] / two(); y = 'three() /';", ["x = a[0] / two(); y = ' ';"]],
  ["tags of markup", "a.tsx", "x = <b>{one()}</b>; y = two() / 2;", ["x = <b>{one()}</b>; y = two() / 2;"]],
  ["a Python comment and strings", "a.py", "one()  # two()\nsay('three()')", ["one()", "say(' ')"]],
  ["a docstring", "a.py", '"""two()\nthree()"""\none()', ['"""', '"""', "one()"]],
  ["a C character that is a quote", "a.c", "if (c == '\"') one();", ["if (c == ' ') one();"]],
  ["a Rust lifetime", "a.rs", "fn f<'a>(x: &'a str) { one(); }", ["fn f<'a>(x: &'a str) { one(); }"]],
  ["a Go raw string", "a.go", "x := `two()\nthree()`\none()", ["x := `", "`", "one()"]],
  ["a Java text block", "a.java", 'x = """\ntwo()\n"""; one();', ['x = """', '"""; one();']],
  ["an SQL comment", "a.sql", "select 1 -- two()", ["select 1"]],
  ["a comment in markup", "a.html", "<p>one</p><!-- two()\n --><p>three</p>", ["<p>one</p>", "<p>three</p>"]],
];

for (const [what, file, text, expected] of CASES) {
  test(`lexer: ${what} is told from code`, () => {
    assert.deepEqual(code(file, text), expected);
  });
}

test("lexer: a text whose template, comment or text block never ends is not sound", () => {
  assert.deepEqual(
    ["x = `a", "x = `${a", "/* a", "x = 1;", 'say("open\nx = 1;'].map((text) => sound("a.ts", text)),
    [false, false, false, true, true],
  );
  assert.equal(sound("a.py", '"""open\n'), false);
});

const pieces = fc.constantFrom(
  "a",
  " ",
  "\n",
  "'",
  '"',
  "`",
  "${",
  "}",
  "{",
  "/",
  "/*",
  "*/",
  "//",
  "\\",
  "#",
  "(",
  ")",
  "[",
  "]",
  '"""',
  "return ",
  "=",
);

test("lexer, property: columns and line count are kept, and nothing is put in that was not there", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom("a.ts", "a.py", "a.go", "a.rs", "a.java", "a.sql", "a.html"),
      (parts, file) => {
        const lines = parts.join("").split("\n");
        const out = codeOnly(lines, syntaxOf(file));
        assert.equal(out.length, lines.length);
        for (const [index, line] of out.entries()) {
          assert.equal(line.length, lines[index]?.length);
          for (const [column, character] of line.split("").entries())
            assert.ok(character === " " || character === lines[index]?.[column]);
        }
      },
    ),
    { numRuns: 6_000 },
  );
});

test("lexer: whole identifiers are found, parts of longer ones are not", () => {
  assert.deepEqual(occurrences(["ab a $a a_ aé a.a"], "a"), [
    { line: 1, column: 3 },
    { line: 1, column: 14 },
    { line: 1, column: 16 },
  ]);
});

test("lexer: depth counts every bracket that is open at the start of a line", () => {
  assert.deepEqual(depths(["f(", "{", "[", "]", "}", ")", "x"]), [0, 1, 2, 3, 2, 1, 0]);
});

test("lexer: identifiers are told from paths and words", () => {
  assert.deepEqual(["a", "$a_1", "a.b", "1a", "a b", ""].map(isIdentifier), [true, true, false, false, false, false]);
});
