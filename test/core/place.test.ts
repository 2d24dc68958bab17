import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { Claimed, Place } from "../../src/core/finding.ts";
import { createPlacer } from "../../src/core/place.ts";
import { placeFinding } from "../support/collect.ts";
import { at, claim } from "../support/claims.ts";
import { createMemoryRepository } from "../support/memoryRepository.ts";

const CART = [
  "import { log } from './log';",
  "",
  "export function addItem(cart, item) {",
  "  if (item.count < 0) throw new Error('negative');",
  "  cart.items.push(item);",
  "  return cart;",
  "}",
  "",
  "export function total(cart) {",
  "  return cart.items.reduce((sum, item) => sum + item.price, 0);",
  "}",
];
const FILES = {
  "src/cart.ts": CART.join("\n"),
  "src/log.ts": "export const log = (text) => console.log(text);\n",
  "internal/templates/loader.go": "package templates\n\nfunc Load() {}\n",
  "web/index.ts": "export const web = 1;\n",
  "api/index.ts": "export const api = 1;\n",
  "docs/README.md": "# Docs\n",
  "logo.png": "\0PNG",
};

const place = (more: Partial<Claimed>, files: Record<string, string> = FILES): Promise<Place> =>
  placeFinding(claim(more), createMemoryRepository(files));
const shown = ({ status, file, line }: Place) => ({ status, file, line });

test("a file and line that exist are exact, with the columns of the source and no note", async () => {
  const span = { line: 4, endLine: 4, column: 3, endColumn: 9 };
  assert.deepEqual(await place({ path: "src/cart.ts", span }), {
    ...span,
    status: "exact",
    file: "src/cart.ts",
    note: null,
    cited: span,
  });
});

test("a quote that stands on the cited line is exact whatever its white space and quotation marks", async () => {
  for (const quote of [
    "if (item.count < 0) throw new Error('negative');",
    "  if ( item.count<0 )\nthrow new Error(“negative”);",
  ]) {
    assert.equal((await place({ path: "src/cart.ts", span: at(4), quote })).status, "exact");
  }
});

const RELOCATED: readonly [words: string, more: Partial<Claimed>, file: string, line: number | null][] = [
  ["a quote on another line", { path: "src/cart.ts", span: at(9), quote: "cart.items.push(item);" }, "src/cart.ts", 5],
  [
    "a quote with an ellipsis",
    { path: "src/cart.ts", span: at(1), quote: "return cart.items.reduce(… sum + item.price" },
    "src/cart.ts",
    10,
  ],
  [
    "a quote with markdown escapes",
    { path: "src/cart.ts", span: at(1), quote: "cart\\.items\\.push\\(item\\)" },
    "src/cart.ts",
    5,
  ],
  [
    "a quote over joined lines",
    { path: "src/cart.ts", span: at(1), quote: "cart.items.push(item); return cart;" },
    "src/cart.ts",
    5,
  ],
  ["a quote without a line", { path: "src/cart.ts", quote: "cart.items.push(item);" }, "src/cart.ts", 5],
  [
    "a line past the end, by the symbol in backticks",
    { path: "src/cart.ts", span: at(400), message: "`total` overflows" },
    "src/cart.ts",
    9,
  ],
  [
    "a line past the end, by the source's own symbol",
    { path: "src/cart.ts", span: at(400), extra: { symbol: "cart::addItem(Cart)" } },
    "src/cart.ts",
    3,
  ],
  ["a missing prefix", { path: "templates/loader.go", span: at(3) }, "internal/templates/loader.go", 3],
  ["another case", { path: "Src/Cart.ts", span: at(3) }, "src/cart.ts", 3],
  ["a prefix too much", { path: "shop/src/cart.ts", span: at(3) }, "src/cart.ts", 3],
  ["an absolute path", { path: "/home/ci/shop/src/cart.ts", span: at(3) }, "src/cart.ts", 3],
  ["a Windows path", { path: "C:\\agent\\shop\\src\\cart.ts", span: at(3) }, "src/cart.ts", 3],
  ["a file address", { path: "file:///home/ci/src/cart.ts", span: at(3) }, "src/cart.ts", 3],
  ["a file name without its folder", { path: "loader.go", span: at(3) }, "internal/templates/loader.go", 3],
  [
    "a moved file whose quote is there",
    { path: "lib/cart.ts", span: at(5), quote: "cart.items.push(item);" },
    "src/cart.ts",
    5,
  ],
  [
    "one of two files of that name, by its quote",
    { path: "index.ts", span: at(1), quote: "export const api = 1;" },
    "api/index.ts",
    1,
  ],
  [
    "a quote nowhere, at the line that exists",
    { path: "src/cart.ts", span: at(4), quote: "deleteEverything(now)" },
    "src/cart.ts",
    4,
  ],
];
for (const [words, more, file, line] of RELOCATED) {
  test(`claim classes 7-9: relocated, with a note and the cited span: ${words}`, async () => {
    const found = await place(more);
    assert.deepEqual(shown(found), { status: "relocated", file, line });
    assert.match(found.note ?? "", /\w/);
    assert.deepEqual(found.cited, more.span ?? claim().span);
  });
}

const ELSE: readonly [words: string, more: Partial<Claimed>, expected: ReturnType<typeof shown>][] = [
  [
    "a line past the end without a symbol keeps the cited line",
    { path: "src/cart.ts", span: at(400) },
    { status: "out-of-range", file: "src/cart.ts", line: 400 },
  ],
  ["a file without a line", { path: "src/cart.ts" }, { status: "file-level", file: "src/cart.ts", line: null }],
  [
    "a file that is not text",
    { path: "logo.png", span: at(3) },
    { status: "file-level", file: "logo.png", line: null },
  ],
  [
    "an absent file keeps the cited line",
    { path: "src/gone.ts", span: at(3) },
    { status: "missing-file", file: null, line: 3 },
  ],
  ["a name two files share", { path: "index.ts", span: at(1) }, { status: "missing-file", file: null, line: 1 }],
  [
    "a file of that name in another folder, without a witness",
    { path: "lib/cart.ts", span: at(1) },
    { status: "missing-file", file: null, line: 1 },
  ],
  [
    "a file name from a foreign root",
    { path: "x/y/README.md", span: at(1) },
    { status: "missing-file", file: null, line: 1 },
  ],
  ["no path", { path: null }, { status: "none", file: null, line: null }],
  ["a web address", { path: "http://localhost/", span: at(1) }, { status: "none", file: null, line: 1 }],
  ["a folder", { path: "src" }, { status: "none", file: null, line: null }],
  ["the root", { path: "." }, { status: "none", file: null, line: null }],
  [
    "a path out of the workspace",
    { path: "../../etc/passwd", span: at(1) },
    { status: "missing-file", file: null, line: 1 },
  ],
];
for (const [words, more, expected] of ELSE) {
  test(`${expected.status}: ${words}`, async () => assert.deepEqual(shown(await place(more)), expected));
}

test("a lone brace proves nothing: a short quote that is elsewhere moves no finding", async () => {
  assert.deepEqual(shown(await place({ path: "src/cart.ts", span: at(4), quote: "}" })), {
    status: "exact",
    file: "src/cart.ts",
    line: 4,
  });
});

test("prose whose named code stands once, elsewhere, and names nothing near the line is relocated", async () => {
  const message = "`cart.items.push(item)` keeps a reference to the caller's object";
  const prose = { prose: true, path: "src/cart.ts", message };
  assert.equal((await place({ ...prose, span: at(11) })).line, 5);
  assert.deepEqual(shown(await place({ ...prose, span: at(6) })), { status: "exact", file: "src/cart.ts", line: 6 });
});

test("a file that version control ignores is found when it can be read", async () => {
  const repo = createMemoryRepository(FILES, { ignored: { "dist/out.js": "a\nb" } });
  const found = await placeFinding(claim({ path: "./dist/out.js", span: at(2) }), repo);
  assert.deepEqual(shown(found), { status: "exact", file: "dist/out.js", line: 2 });
});

test("an absolute path into the workspace's own root is exact, even where another file ends the same", async () => {
  const repo = createMemoryRepository({ "pkg/src/a.ts": "1\n2", "src/a.ts": "1\n2" });
  const placer = createPlacer(await repo.files(), (file) => repo.text(file), "/ws/shop");
  assert.deepEqual(shown(await placer.place(claim({ path: "/ws/shop/pkg/src/a.ts", span: at(2) }))), {
    status: "exact",
    file: "pkg/src/a.ts",
    line: 2,
  });
  const joined = claim({ path: "src/a.ts", span: at(2), extra: { absolutePath: "/ws/shop/pkg/src/a.ts" } });
  assert.equal((await placer.place(joined)).file, "pkg/src/a.ts");
});

const OFFSETS: readonly [eol: string, offsets: Record<string, number>, span: Partial<Place>][] = [
  ["\n", { charOffset: 5, charLength: 2 }, { line: 2, column: 2, endLine: 2, endColumn: 4 }],
  ["\r\n", { charOffset: 6, charLength: 2 }, { line: 2, column: 2, endLine: 2, endColumn: 4 }],
  ["\n", { charOffset: 0, charLength: 0 }, { line: 1, column: 1, endLine: 1, endColumn: 1 }],
  ["\n", { byteOffset: 4 + 3, byteLength: 2 }, { line: 2, column: 3, endLine: 2, endColumn: 4 }],
];
for (const [eol, offsets, expected] of OFFSETS) {
  test(`offsets ${JSON.stringify(offsets)} with ${JSON.stringify(eol)} become lines and UTF-16 columns`, async () => {
    const found = await place({ path: "a.txt", extra: { offsets } }, { "a.txt": ["abc", "é€ü", "x"].join(eol) });
    const { line, column, endLine, endColumn, status } = found;
    const bytes = "byteOffset" in offsets;
    assert.equal(status, "exact");
    if (bytes) assert.equal(line, 2);
    else assert.deepEqual({ line, column, endLine, endColumn }, expected);
  });
}

test("a byte offset counts UTF-8 bytes of the characters before it", async () => {
  const offsets = { charOffset: null, charLength: null, byteOffset: 4 + 2 + 3, byteLength: 2 };
  const found = await place({ path: "a.txt", extra: { offsets } }, { "a.txt": "abc\né€ü\nx" });
  assert.deepEqual([found.line, found.column, found.endColumn], [2, 3, 4]);
});

test("an offset past the end is out of range", async () => {
  const offsets = { charOffset: 500, charLength: 1, byteOffset: null, byteLength: null };
  assert.equal((await place({ path: "src/log.ts", extra: { offsets } })).status, "out-of-range");
});

test("columns in code points become UTF-16 columns", async () => {
  const span = { line: 1, endLine: 1, column: 3, endColumn: 4 };
  const found = await place({ path: "a.txt", span, extra: { columnKind: "unicodeCodePoints" } }, { "a.txt": "a😀bc" });
  assert.deepEqual([found.column, found.endColumn], [4, 5]);
});

test("an end line past the end of the file is cut to the file", async () => {
  assert.equal((await place({ path: "src/log.ts", span: at(1, 90) })).endLine, 2);
});

test("shifting the file by k lines moves a quoted finding by k lines", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (k) => {
      const files = { "src/cart.ts": [...Array<string>(k).fill("// moved"), ...CART].join("\n") };
      const found = await place({ path: "src/cart.ts", span: at(5), quote: "cart.items.push(item);" }, files);
      assert.deepEqual(shown(found), { status: "relocated", file: "src/cart.ts", line: 5 + k });
    }),
    { numRuns: 40 },
  );
});

test("spacing a quote out, or changing its quotation marks, changes no place", async () => {
  const line = 4;
  const words = (CART[line - 1] ?? "").split(/(?<=[^\w])|(?=[^\w])/);
  const gap = fc.constantFrom("", " ", "\t", "\n  ", "\u00a0");
  await fc.assert(
    fc.asyncProperty(
      fc.array(gap, { minLength: words.length, maxLength: words.length }),
      fc.nat(10),
      async (gaps, cited) => {
        const quote = words.map((word, index) => word.replace("'", "’") + (gaps[index] ?? "")).join("");
        const found = await place({ path: "src/cart.ts", span: at(cited + 1), quote });
        assert.equal(found.line, line);
        assert.equal(found.status, cited + 1 === line ? "exact" : "relocated");
      },
    ),
    { numRuns: 60 },
  );
});

test("putting the workspace one folder deeper changes no line", async () => {
  const folder = fc.stringMatching(/^[a-z]{1,8}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(folder, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 11 }),
      async (folders, line) => {
        const file = `${folders.join("/")}/src/cart.ts`;
        const found = await place({ path: "src/cart.ts", span: at(line) }, { [file]: CART.join("\n"), "other.ts": "" });
        assert.deepEqual(shown(found), { status: "relocated", file, line });
      },
    ),
    { numRuns: 40 },
  );
});

test("no path, line or quote makes placing throw, and only exact and relocated have lines inside the file", async () => {
  const repo = createMemoryRepository(FILES);
  const placer = createPlacer(await repo.files(), (file) => repo.text(file));
  const count = new Map(Object.entries(FILES).map(([file, text]) => [file, text.split("\n").length]));
  const path = fc.oneof(fc.constantFrom(...Object.keys(FILES), "cart.ts", "__proto__", "constructor"), fc.string());
  const number = fc.option(fc.integer({ min: 1, max: 30 }));
  await fc.assert(
    fc.asyncProperty(path, number, fc.option(fc.string()), fc.string(), async (cited, line, quote, message) => {
      const span = { line, endLine: null, column: null, endColumn: null };
      const found = await placer.place(claim({ path: cited, span, quote, message, prose: true }));
      if (found.status !== "exact" && found.status !== "relocated") return;
      assert.ok(found.line !== null && found.line >= 1 && found.line <= (count.get(found.file ?? "") ?? 0));
    }),
    { numRuns: 300 },
  );
});

test("placing 10,000 findings over 10,000 files opens each file once and takes seconds, not minutes", async () => {
  const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`pkg/p${n}/src/index.ts`, "a\nb\nc"]));
  const repo = createMemoryRepository(files);
  const placer = createPlacer(await repo.files(), (file) => repo.text(file));
  for (let n = 0; n < 10_000; n += 1) {
    const cited = n % 10 === 0 ? `/build/pkg/p${n}/src/index.ts` : `pkg/p${n}/src/index.ts`;
    assert.equal((await placer.place(claim({ path: cited, span: at(2) }))).file, `pkg/p${n}/src/index.ts`);
  }
  assert.equal(Math.max(...repo.opened.values()), 1);
});
