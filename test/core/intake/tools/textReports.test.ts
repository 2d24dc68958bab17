import assert from "node:assert/strict";
import test from "node:test";
import { decodeText } from "../../../../src/core/intake/decode.ts";
import { readReview } from "../../../../src/core/intake/readReview.ts";
import { only, placed, read, spanned } from "./reading.ts";

test("tsc: plain lines, continued messages, errors without a place", () => {
  const { format, claimed, unread } = read(
    [
      "> shop@1.0.0 build",
      "> tsc -p .",
      "",
      "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      "  The expected type comes from property 'n'.",
      "src/b (1).ts(10,1): error TS2304: Cannot find name 'x'.",
      "error TS18003: No inputs were found in config file.",
      "npm ERR! Lifecycle script `build` failed with error:",
    ].join("\n"),
  );
  assert.equal(format, "compiler-text");
  assert.deepEqual(unread, []);
  assert.deepEqual(
    claimed.map((found) => `${placed(found)} ${found.rule} ${found.pointer}`),
    ["src/a.ts:3:error TS2322 L4", "src/b (1).ts:10:error TS2304 L6", "-:-:error TS18003 L7"],
  );
  assert.match(claimed[0]?.message ?? "", /\nThe expected type comes from property 'n'\.$/);
});

test("tsc --pretty: colours, code frames, the marked columns, related places, the sum", () => {
  const escape = String.fromCharCode(27);
  const found = only(
    [
      `${escape}[96msrc/a.ts${escape}[0m:${escape}[93m3${escape}[0m:${escape}[93m7${escape}[0m - ${escape}[91merror${escape}[0m${escape}[90m TS2322: ${escape}[0mType 'string' is not assignable to type 'number'.`,
      "",
      `${escape}[7m3${escape}[0m const total: number = "s";`,
      `${escape}[7m ${escape}[0m ${escape}[91m      ~~~~~${escape}[0m`,
      "",
      `  ${escape}[96msrc/b.ts${escape}[0m:1:10`,
      "    1 export interface Cart { total: number }",
      "               ~~~~",
      "    The expected type comes from property 'total'",
      "",
      "",
      "Found 1 error in src/a.ts:3",
    ].join("\n"),
  );
  assert.deepEqual([placed(found), spanned(found)], ["src/a.ts:3:error", "3-3:7-12"]);
  assert.equal(found.quote, 'const total: number = "s";');
  assert.deepEqual(
    found.related.map(({ path, span, message }) => [path, span.line, message]),
    [["src/b.ts", 1, "The expected type comes from property 'total'"]],
  );
});

test("tsc in a build log: time stamps and marks before each line", () => {
  const found = only("2024-05-01T10:00:00.1234567Z ##[error]src/a.ts(3,7): error TS2304: Cannot find name 'x'.");
  assert.equal(placed(found), "src/a.ts:3:error");
});

test("mypy: with and without columns and ends, notes go with their error, the sum is no finding", () => {
  const { claimed, unread } = read(
    [
      'shop/a.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]',
      "shop/a.py:3: note: See https://mypy.readthedocs.io",
      'shop/b.py:7:5: error: Name "x" is not defined  [name-defined]',
      "shop/b.py:9:5:9:12: error: Missing return statement  [return]",
      "shop/c.py: error: Source file found twice",
      "Found 4 errors in 3 files (checked 9 source files)",
    ].join("\n"),
  );
  assert.deepEqual(unread, []);
  assert.deepEqual(
    claimed.map((found) => `${found.tool} ${placed(found)} ${spanned(found)} ${found.rule}`),
    [
      "mypy shop/a.py:3:error 3-:- return-value",
      "mypy shop/b.py:7:error 7-:5- name-defined",
      "mypy shop/b.py:9:error 9-9:5-13 return",
      "mypy shop/c.py:-:error -:- null",
    ],
  );
  assert.match(claimed[0]?.related[0]?.message ?? "", /^See https/);
});

test("GCC and Clang: option in brackets is the rule, notes are related; flake8 lines", () => {
  const { claimed } = read(
    [
      "src/a.c: In function 'main':",
      "src/a.c:3:5: warning: unused variable 'x' [-Wunused-variable]",
      "    3 |     int x;",
      "      |         ^",
      "src/a.c:9:1: error: expected ';'",
      "src/b.h:2:1: note: declared here",
    ].join("\n"),
  );
  assert.deepEqual(
    claimed.map((found) => `${placed(found)} ${found.rule}`),
    ["src/a.c:3:warning -Wunused-variable", "src/a.c:9:error null"],
  );
  assert.deepEqual([claimed[0]?.quote, claimed[1]?.related[0]?.path], ["int x;", "src/b.h"]);
  assert.equal(only("a.py:1:1: F401 [*] `os` imported but unused\nFound 1 error.\n").rule, "F401");
});

test("C20: a line of the output with a severity word that is of no known form is listed with its line", () => {
  const { unread } = read("src/a.ts(3,7): error TS2304: Cannot find name 'x'.\nFatal error: out of memory");
  assert.deepEqual(
    unread.map(({ line, severityWord }) => [line, severityWord]),
    [[2, true]],
  );
});

test("a review that quotes a compiler is read as a review", () => {
  const review =
    "# Review\n\n- [P1] src/a.ts:3 does not compile\n\n```\nsrc/a.ts(3,7): error TS2304: Cannot find name 'x'.\n```\n";
  assert.equal(read(review).format, "markdown");
});

const checkstyle = (inner: string, head = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${head}\n<checkstyle version="10">\n${inner}\n</checkstyle>`;

test("Checkstyle XML as other linters write it: the linter is the tool", () => {
  const { claimed } = read(
    checkstyle(
      '<file name="/ws/a.js"><error line="3" column="5" severity="error" message="&apos;x&apos; is not defined. (no-undef)" source="eslint.rules.no-undef" /></file>' +
        '<file name="/ws/a.sh"><error line="1" column="1" severity="info" message="Quote this" source="ShellCheck.SC2086"/></file>' +
        '<file name="/ws/a.php"><error line="1" severity="warning" message="Missing header" source="PSR12.Files.FileHeader"/></file>',
    ),
  );
  assert.deepEqual(
    claimed.map(({ tool, rule, severity, pointer }) => [tool, rule, severity, pointer]),
    [
      ["ESLint", "no-undef", "P1", "L3"],
      ["ShellCheck", "SC2086", "Nit", "L3#2"],
      ["Checkstyle", "PSR12.Files.FileHeader", "P2", "L3#3"],
    ],
  );
});

test("Checkstyle XML: a broken entry, a failed file and a cut-off end cost no other entry", () => {
  const text = checkstyle(
    '<file name="a.java"><error line="1" severity="error" source=""/>\n<error line="2" severity="error" message="m"/>\n<exception>boom</exception></file>',
  );
  const { claimed, unread } = read(text.slice(0, text.indexOf("</file>")));
  assert.deepEqual(claimed.map(placed), ["a.java:2:error"]);
  assert.deepEqual(
    unread.map(({ line, severityWord }) => [line, severityWord]),
    [
      [3, true],
      [5, true],
      [5, true],
    ],
  );
});

test("Checkstyle XML with control characters and unknown entities is read; nothing outside is fetched", () => {
  const bell = String.fromCharCode(7);
  const head = '<?xml version="1.0"?><!DOCTYPE checkstyle [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const { claimed, unread } = read(
    checkstyle(`<file name="a.java"><error line="2" severity="error" message="be${bell}ll &x; end"/></file>`, head),
  );
  assert.equal(claimed.length, 1);
  assert.match(claimed[0]?.message ?? "", /^be.*ll &x; end$/s);
  assert.deepEqual(
    unread.map(({ severityWord }) => severityWord),
    [false],
  );
});

test("XML in Windows-1252 or UTF-16 is decoded by its declaration or its mark", () => {
  const text = checkstyle(
    '<file name="a.java"><error line="2" severity="error" message="Größe für €"/></file>',
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
  );
  const bytes = Uint8Array.from(text.replace("€", "E"), (character) => character.charCodeAt(0));
  const euro = bytes.map((byte, index) => (index === text.indexOf("€") ? 0x80 : byte));
  assert.equal(readReview(decodeText(euro).text, "x").claimed[0]?.message, "Größe für €");
  const wide = new Uint8Array([
    0xff,
    0xfe,
    ...Array.from(text, (character) => [character.charCodeAt(0) & 255, character.charCodeAt(0) >> 8]).flat(),
  ]);
  assert.equal(readReview(decodeText(wide).text, "x").claimed[0]?.message, "Größe für €");
});

test("JSON lines: two values on a line, a broken line, blank lines, a banner around", () => {
  const row = (file: string) => JSON.stringify({ file, line: 1, severity: "high", message: `bad ${file}` });
  const { claimed, unread } = read(
    `> agent run\n${row("a.ts")}${row("b.ts")}\n\n{"file": "c.ts", "line": \n${row("d.ts")}, ${row("e.ts")}\n`,
  );
  assert.deepEqual(
    claimed.map(({ path, pointer }) => `${path} ${pointer}`),
    ["a.ts L2", "b.ts L2#2", "d.ts L5", "e.ts L5#2"],
  );
  assert.deepEqual(
    unread.map(({ line, severityWord }) => [line, severityWord]),
    [
      [1, false],
      [4, true],
    ],
  );
});

test("a report behind the banner of the script that made it, and two reports in one file", () => {
  const report = (file: string) =>
    JSON.stringify(
      [
        {
          filePath: file,
          messages: [{ ruleId: "semi", severity: 2, message: "Missing semicolon.", line: 1, column: 2 }],
        },
      ],
      null,
      2,
    );
  const behind = read(`\n> shop@1.0.0 lint\n> eslint -f json src\n\n${report("/ws/a.ts")}\n`);
  assert.deepEqual([behind.format, behind.claimed[0]?.pointer], ["eslint", "L5/0/messages/0"]);
  const both = read(`${report("/ws/a.ts")}\n${report("/ws/b.ts")}`);
  assert.deepEqual(
    both.claimed.map(({ path }) => path),
    ["/ws/a.ts", "/ws/b.ts"],
  );
});

test("a list with one entry a line that was cut off keeps its whole entries", () => {
  const { claimed, unread } = read(
    '[\n{"file":"a.ts","line":1,"severity":"low","message":"m"},\n{"file":"b.ts","line":2,"severity":"low","message":"n"},\n{"file":"c.ts","li',
  );
  assert.deepEqual(
    claimed.map(({ path }) => path),
    ["a.ts", "b.ts"],
  );
  assert.deepEqual(
    unread.map(({ line }) => line),
    [4],
  );
});
