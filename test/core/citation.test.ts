import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import {
  checkCitation,
  checkCitations,
  discountComments,
  fold,
  normalisePath,
  overlap,
} from "../../src/core/citation.ts";
import { maskLines } from "../../src/core/lines.ts";
import type { CheckedCitation, Citation } from "../../src/core/round.ts";
import { createMemoryRepository } from "../support/memoryRepository.ts";
import { unmasked } from "../support/memoryWorkspace.ts";

const CART = [
  "import { limit } from './limits';", // 1
  "",
  "export function total(cart) {", // 3
  "  if (cart === null) {", // 4
  "    return 0;", // 5
  "  }", // 6
  "  return sum(cart.items, limit);", // 7
  "}", // 8
  "", // 9
  "export function again(cart) {", // 10
  "  if (cart === null) {", // 11
  "    return 0;", // 12
  "  }", // 13
  "  return total(cart);", // 14
  "}", // 15
].join("\n");

const collapse = (text: string): string => text.replace(/BEGIN[\s\S]*END/, "[REDACTED:pem#1]");
const of = (file: string, line: number, endLine: number) => ({ file, line, endLine });
const bare = (text: string): string => text.replace(/\s+/g, "");

async function check(quote: string, line: number, endLine = line, file = "src/cart.ts"): Promise<CheckedCitation> {
  const repository = createMemoryRepository({ "src/cart.ts": CART });
  return await checkCitation({ file, line, endLine, quote }, repository, unmasked);
}

const RESOLVES: readonly (readonly [string, string, number, number])[] = [
  ["the line as it stands", "  return sum(cart.items, limit);", 7, 7],
  ["the line trimmed", "return sum(cart.items, limit);", 7, 7],
  ["other white space", "return  sum( cart.items,limit ) ;", 7, 7],
  ["a part of the line", "sum(cart.items, limit)", 7, 7],
  ["a wrong line near by", "return sum(cart.items, limit);", 5, 7],
  ["a line past the end", "return sum(cart.items, limit);", 900, 7],
  ["a line number in front", "7: return sum(cart.items, limit);", 7, 7],
  ["a line number and a bar", "  7 | return sum(cart.items, limit);", 7, 7],
  ["the mark of an added line", "+  return sum(cart.items, limit);", 7, 7],
  ["backticks around it", "`return sum(cart.items, limit);`", 7, 7],
  ["an ellipsis behind it", "return sum(cart.items, …", 7, 7],
  ["the nearer of two places, below", "if (cart === null) {", 9, 11],
  ["the nearer of two places, above", "if (cart === null) {", 6, 4],
  ["a short line that is whole", "return 0;", 5, 5],
  ["a short line that is whole, elsewhere", "return 0;", 14, 12],
  ["a few characters on the very line", "cart", 7, 7],
];

for (const [what, quote, line, found] of RESOLVES) {
  test(`citation: ${what} resolves at line ${found} (design, idea 3)`, async () => {
    const checked = await check(quote, line);
    assert.deepEqual([checked.ok, checked.line, checked.endLine], [true, found, found]);
    assert.equal(checked.note === null, line === found);
    assert.equal(checked.shown, CART.split("\n")[found - 1]);
  });
}

const FAILS: readonly (readonly [string, string, number])[] = [
  ["code that is nowhere", "return eval(userInput);", 7],
  ["one changed character", "return sum(cart.item, limit);", 7],
  ["a word cut at its end", "return sum(cart.items, lim", 7],
  ["a word cut at its start", "eturn sum(cart.items, limit);", 7],
  ["a brace alone", "}", 8],
  ["nothing", "", 7],
  ["white space", "  \n ", 7],
  ["two letters", "if", 4],
  ["a few characters, cited where they are not", "cart", 1],
  ["lines in another order", "return 0;\nif (cart === null) {", 4],
  ["lines with one left out", "export function total(cart) {\nreturn 0;", 3],
];

for (const [what, quote, line] of FAILS) {
  test(`citation: ${what} does not resolve, and the note says why`, async () => {
    const checked = await check(quote, line);
    assert.equal(checked.ok, false);
    assert.notEqual(checked.note, null);
  });
}

test("citation: several lines resolve together, also with numbers in front of each", async () => {
  for (const quote of [
    "if (cart === null) {\n    return 0;\n  }",
    "4: if (cart === null) {\n5:     return 0;\n6:   }",
  ]) {
    const checked = await check(quote, 4, 6);
    assert.deepEqual([checked.ok, checked.line, checked.endLine, checked.note], [true, 4, 6, null]);
    assert.equal(checked.shown, CART.split("\n").slice(3, 6).join("\n"));
  }
});

test("citation: a file that is not in the workspace does not resolve", async () => {
  const outside = ["../src/cart.ts", "/etc/passwd", "src/gone.ts", ""];
  for (const file of outside) assert.equal((await check("return sum(cart.items, limit);", 7, 7, file)).ok, false);
});

test("citation: a path as reviewers write it names the same file", () => {
  assert.deepEqual([" ./src/a.ts", "././src/a.ts", ".\\src\\a.ts"].map(normalisePath), Array(3).fill("src/a.ts"));
});

test("citation: lines that are no lines come back as lines, with nothing thrown", async () => {
  for (const line of [0, -5, Number.MAX_SAFE_INTEGER]) {
    const checked = await check("not in the file at all", line, line - 3);
    assert.equal(checked.ok, false);
    assert.ok(checked.line >= 1 && checked.endLine >= checked.line);
  }
});

const SECRET = "const key = 'hunter2hunter2';";
const mask = (text: string): string => text.replaceAll(/hunter2\w*/g, "[REDACTED:key#1]");

test("citation: a masked line resolves by its own and by its masked text, and only the masked text is shown", async () => {
  const repository = createMemoryRepository({ "src/k.ts": SECRET });
  for (const quote of [SECRET, "const key = '[REDACTED:key#1]';"]) {
    const checked = await checkCitation({ file: "src/k.ts", line: 1, endLine: 1, quote }, repository, mask);
    assert.equal(checked.ok, true);
    assert.doesNotMatch(JSON.stringify(checked), /hunter2/);
  }
});

test("citation: a quote that fails is masked too", async () => {
  const repository = createMemoryRepository({ "src/k.ts": "other text" });
  const checked = await checkCitation({ file: "src/k.ts", line: 1, endLine: 1, quote: SECRET }, repository, mask);
  assert.doesNotMatch(JSON.stringify(checked), /hunter2/);
});

test("citation: a secret over several lines keeps the numbers of all others, and none of its lines is shown", () => {
  const lines = ["a", "BEGIN", "secret", "END", "b", "c"];
  assert.deepEqual(maskLines(lines, collapse), ["a", "[REDACTED]", "[REDACTED]", "[REDACTED]", "b", "c"]);
});

test("citation: many are checked in their order", async () => {
  const repository = createMemoryRepository({ "src/cart.ts": CART });
  const asked: Citation[] = [7, 14, 3].map((line) => ({
    file: "src/cart.ts",
    line,
    endLine: line,
    quote: CART.split("\n")[line - 1] ?? "",
  }));
  const checked = await checkCitations(asked, repository, unmasked);
  assert.deepEqual(
    checked.map(({ line, ok }) => [line, ok]),
    [
      [7, true],
      [14, true],
      [3, true],
    ],
  );
});

const NOTES = [
  "// safe: checked by the caller",
  "const port = 80; // default",
  "/*",
  " * this is a false positive, approved",
  " */",
  "call(port);",
].join("\n");

test("citation: behind an INVALID a comment carries nothing, a line with code and a comment does (R0.38)", async () => {
  const repository = createMemoryRepository({ "src/n.ts": NOTES, "a.py": "# safe\nx = 100  # ok\n" });
  const lines = NOTES.split("\n");
  const cite = async (file: string, line: number, quote: string): Promise<boolean> => {
    const checked = await checkCitation({ file, line, endLine: line, quote }, repository, unmasked);
    assert.equal(checked.ok, true);
    const [discounted] = await discountComments([checked], repository);
    return discounted?.ok ?? false;
  };
  assert.equal(await cite("src/n.ts", 1, lines[0] ?? ""), false);
  assert.equal(await cite("src/n.ts", 2, lines[1] ?? ""), true);
  assert.equal(await cite("src/n.ts", 4, lines[3] ?? ""), false);
  assert.equal(await cite("src/n.ts", 6, lines[5] ?? ""), true);
  assert.equal(await cite("a.py", 1, "# safe"), false);
  assert.equal(await cite("a.py", 2, "x = 100  # ok"), true);
});

test("citation: two overlap where they show a line of one file in common", () => {
  assert.equal(overlap(of("a", 1, 3), of("a", 3, 5)), true);
  assert.equal(overlap(of("a", 1, 3), of("a", 4, 5)), false);
  assert.equal(overlap(of("a", 1, 3), of("b", 1, 3)), false);
});

const words = fc.constantFrom("total", "cart", "return", "limit", "ünï", "x1", "_y", "größe", "数量");
const marks = fc.constantFrom(" ", "  ", "\t", "(", ")", ".", ", ", " = ", ";", "{", "}", "'", '"', "`", "//");
const lineText = fc
  .array(fc.oneof({ weight: 3, arbitrary: words }, { weight: 2, arbitrary: marks }), { maxLength: 8 })
  .map((parts) => parts.join(""));
const files = fc.array(lineText, { minLength: 1, maxLength: 25 });
const enough = (text: string): boolean => (text.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= 3;

test("citation, property: a line quoted from any file resolves at that line", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), async (lines, pick) => {
      const at = pick % lines.length;
      const quote = lines[at] ?? "";
      fc.pre(enough(quote));
      const repository = createMemoryRepository({ "a.ts": lines.join("\n") });
      const checked = await checkCitation({ file: "a.ts", line: at + 1, endLine: at + 1, quote }, repository, unmasked);
      assert.deepEqual([checked.ok, checked.line], [true, at + 1]);
    }),
    { numRuns: 4_000 },
  );
});

test("citation, property: a run of lines resolves from its first line to its last", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), fc.integer({ min: 1, max: 4 }), async (lines, pick, height) => {
      const at = pick % lines.length;
      const run = lines.slice(at, at + height);
      fc.pre(enough(run[0] ?? "") && enough(run.at(-1) ?? ""));
      const repository = createMemoryRepository({ "a.ts": lines.join("\n") });
      const citation = { file: "a.ts", line: at + 1, endLine: at + run.length, quote: run.join("\n") };
      const checked = await checkCitation(citation, repository, unmasked);
      assert.equal(checked.ok, true);
      assert.deepEqual([checked.line, checked.endLine], [at + 1, at + run.length]);
    }),
    { numRuns: 4_000 },
  );
});

test("citation, property: text of a name that no file holds never resolves, wherever it is cited", async () => {
  await fc.assert(
    fc.asyncProperty(files, lineText, lineText, fc.integer({ min: -3, max: 40 }), async (lines, head, tail, line) => {
      const repository = createMemoryRepository({ "a.ts": lines.join("\n") });
      const quote = `${head} absentName ${tail}`;
      const checked = await checkCitation({ file: "a.ts", line, endLine: line, quote }, repository, unmasked);
      assert.equal(checked.ok, false);
    }),
    { numRuns: 3_000 },
  );
});

test("citation, property: a line of its own is found again after the file was shifted by any number of lines", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), fc.nat({ max: 60 }), async (lines, pick, shift) => {
      const at = pick % lines.length;
      const own = "const markerOfThisLine = limit + 1;";
      const moved = [...Array<string>(shift).fill("// filler"), ...lines.slice(0, at), own, ...lines.slice(at)];
      const repository = createMemoryRepository({ "a.ts": moved.join("\n") });
      const checked = await checkCitation(
        { file: "a.ts", line: at + 1, endLine: at + 1, quote: own },
        repository,
        unmasked,
      );
      assert.deepEqual([checked.ok, checked.line], [true, at + 1 + shift]);
    }),
    { numRuns: 2_000 },
  );
});

test("citation, property: whatever resolves shows text that holds the quote, white space aside", async () => {
  await fc.assert(
    fc.asyncProperty(files, lineText, fc.integer({ min: 1, max: 30 }), async (lines, quote, line) => {
      const repository = createMemoryRepository({ "a.ts": lines.join("\n") });
      const checked = await checkCitation({ file: "a.ts", line, endLine: line, quote }, repository, unmasked);
      if (!checked.ok) return;
      const shown = bare(lines.slice(checked.line - 1, checked.endLine).join("\n"));
      assert.ok(shown.includes(bare(quote)) || shown.includes(bare(quote.trim().replace(/^[`"]|[`"]$/g, ""))));
    }),
    { numRuns: 3_000 },
  );
});

test("fold: white space runs become one blank, ends are trimmed", () => {
  assert.equal(fold("  a\t\n b  "), "a b");
});
