import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { result } from "../../../src/core/checks/check.ts";
import { atomsOf } from "../../../src/core/claim.ts";
import { cutPack } from "../../../src/core/evidence/budget.ts";
import { buildPack } from "../../../src/core/evidence/gather.ts";
import { type Pack, PIECE_KINDS, type Stretch, tokensOf } from "../../../src/core/evidence/pack.ts";
import type { Claimed } from "../../../src/core/finding.ts";
import { NO_FOOTING } from "../../../src/core/judging/footing.ts";
import { finishRound } from "../../../src/core/judging/finishRounds.ts";
import { createMemoryWorkspace, findingIn, readFolder } from "../../support/memoryWorkspace.ts";
import { SEED } from "../../support/seed.ts";

type Workspace = ReturnType<typeof createMemoryWorkspace>;

async function packOf(
  workspace: Workspace,
  message: string,
  file: string | null,
  line: number | null,
  more: Partial<Claimed> = {},
): Promise<Pack> {
  const { context, verbs, repository } = workspace;
  const finding = await findingIn(repository, message, file, line, more);
  const checks = atomsOf(message).map((atom) => result("claim", atom, "unknown", "not run"));
  return await buildPack(finding, checks, {
    ...context,
    desk: { run: async (call) => await verbs.run(call, "pack", context.signal) },
  });
}

const shows = (pack: Pack, file: string, line: number): boolean =>
  pack.pieces.some((piece) => piece.file === file && piece.line <= line && line <= piece.endLine);

const SHOP = {
  "src/total.ts": [
    'import { LIMIT } from "./limits";',
    'import { parse } from "./parse";',
    "",
    "/** Invariant: never called with an empty list. */",
    "export function average(items: string[]): number {",
    "  if (items.length > LIMIT) return 0;",
    "  return items.map(parse).reduce((a, b) => a + b, 0) / items.length;",
    "}",
  ].join("\n"),
  "src/limits.ts": "const BASE = 8;\nexport const LIMIT = BASE * 2;\n",
  "src/parse.ts":
    "export function parse(text: string): number {\n  if (text === '') throw new Error('empty');\n  return Number(text);\n}\n",
  "src/report.ts": [
    'import { average } from "./total";',
    "export function report(all: string[]): string {",
    "  if (all.length === 0) return 'nothing';",
    "  return `mean ${average(all)}`;",
    "}",
  ].join("\n"),
  "src/main.ts": 'import { report } from "./report";\nreport(process.argv.slice(2));\n',
  "test/total.test.ts":
    'import { average } from "../src/total";\ntest("mean", () => expect(average(["1"])).toBe(1));\n',
};

test("a pack holds the function with its invariant, the guard of the caller, the way up, constants and tests", async () => {
  const pack = await packOf(
    createMemoryWorkspace(SHOP),
    "average() divides by zero for an empty list.",
    "src/total.ts",
    7,
  );
  for (const [file, line] of [
    ["src/total.ts", 4],
    ["src/limits.ts", 2],
    ["src/parse.ts", 2],
    ["src/report.ts", 3],
    ["src/main.ts", 2],
    ["test/total.test.ts", 2],
  ] as const)
    assert.ok(shows(pack, file, line), `${file}:${line}`);
  assert.match(pack.pieces.map(({ why }) => why).join("\n"), /LIMIT = 16/);
  assert.deepEqual(
    pack.duties.map(({ id, met }) => [id, met]),
    [
      ["place", true],
      ["function", true],
      ["callers", true],
    ],
  );
});

test("C10: the settings of a checker are shown only where the claim is about that checker", async () => {
  const files = { ...SHOP, "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n' };
  const workspace = createMemoryWorkspace(files);
  const about = await packOf(workspace, "`tsc --strict` reports TS2322 here.", "src/total.ts", 7);
  assert.ok(shows(about, "tsconfig.json", 1));
  assert.equal(about.duties.find(({ id }) => id === "checker")?.met, false);
  const behaviour = await packOf(workspace, "average() divides by zero for an empty list.", "src/total.ts", 7);
  assert.ok(!behaviour.pieces.some(({ file }) => file === "tsconfig.json"));
});

test("where quoted code is nowhere in the file, the file is shown; where there is no place, what the claim names", async () => {
  const workspace = createMemoryWorkspace(SHOP);
  const quoted = await packOf(workspace, "`return eval(x)` runs input.", "src/report.ts", 2, {
    quote: "return eval(x);",
  });
  for (let line = 1; line <= 5; line += 1) assert.ok(shows(quoted, "src/report.ts", line));
  const nowhere = await packOf(workspace, "charge() races with `average`.", "src/payments.ts", 3);
  assert.ok(shows(nowhere, "src/total.ts", 5));
  assert.deepEqual(
    nowhere.duties.map(({ id, met }) => [id, met]),
    [["place", false]],
  );
});

test("a search that was cut leaves a duty open, and an INVALID given all the same is not decided", async () => {
  const workspace = createMemoryWorkspace(SHOP);
  const { context, repository, mask } = workspace;
  const finding = await findingIn(repository, "average() divides by zero.", "src/total.ts", 7);
  const refused = { run: async () => await Promise.resolve({ refused: "The budget is spent." }) };
  const { duties } = await buildPack(finding, [], { ...context, desk: refused });
  assert.equal(duties.find(({ id }) => id === "callers")?.met, false);
  const citations = [{ file: "src/report.ts", line: 3, endLine: 3, quote: "if (all.length === 0) return 'nothing';" }];
  const answer = {
    verdict: "INVALID",
    crux: "The caller turns empty lists away.",
    reasoning: "See there.",
    citations,
  } as const;
  const given = { kind: "gave", answer } as const;
  const held = await finishRound(2, "defences", given, { repository, mask, footing: { duties, ran: [] } });
  const free = await finishRound(2, "defences", given, { repository, mask, footing: NO_FOOTING });
  assert.deepEqual(
    [held.kind === "counted" && held.verdict, free.kind === "counted" && free.verdict],
    ["UNCERTAIN", "INVALID"],
  );
  assert.match(
    held.kind === "counted" ? (held.note ?? "") : "",
    /before everything was looked at.*could not be searched/,
  );
  const said = await finishRound(
    2,
    "defences",
    { ...given, answer: { ...answer, verdict: "VALID" } },
    { repository, mask, footing: { duties, ran: [] } },
  );
  assert.equal(said.kind === "counted" && said.verdict, "VALID", "a duty holds nobody from calling it real");
});

test("secrets are masked over the whole file before a stretch is cut out of it (R1.33)", async () => {
  const key = [
    "-----BEGIN PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    "-----END PRIVATE KEY-----",
  ];
  const files = {
    "src/key.ts": ["export const key = `", ...key, "`;", "export function sign() {", "  return key;", "}"].join("\n"),
  };
  const workspace = createMemoryWorkspace(files);
  const hide = (text: string): string =>
    text.replace(/-----BEGIN[\s\S]*?END PRIVATE KEY-----/g, (all) => all.replace(/[^\n]/g, "x"));
  const { pieces } = await cutPack([stretch("src/key.ts", 3, 3)], { repository: workspace.repository, mask: hide });
  assert.doesNotMatch(pieces.flatMap(({ text }) => text).join(""), /MIIE/);
});

function stretch(file: string, line: number, endLine: number): Stretch {
  return { kind: "callee", file, line, endLine, why: "because" };
}

const anyStretch = fc.record({
  kind: fc.constantFrom(...PIECE_KINDS),
  file: fc.constantFrom("a.ts", "b.ts", "gone.ts"),
  line: fc.integer({ min: -5, max: 60 }),
  length: fc.integer({ min: 0, max: 30 }),
  why: fc.constantFrom("one", "two"),
});

test("budget, property: no line twice, nothing beyond the file, never over budget but for the first piece, what is left out is named", async () => {
  const lines = Array.from({ length: 40 }, (_unused, index) => `const line${index} = ${"x".repeat(index)};`);
  const { repository, mask } = createMemoryWorkspace({
    "a.ts": lines.join("\n"),
    "b.ts": lines.slice(0, 9).join("\n"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStretch, { maxLength: 12 }), fc.integer({ min: 0, max: 900 }), async (made, most) => {
      const stretches = made.map(({ length, ...rest }) => ({ ...rest, endLine: rest.line + length }));
      const { pieces, tokens, left } = await cutPack(stretches, { repository, mask }, most);
      const seen = new Set<string>();
      for (const { file, line, endLine, text, tokens: own } of pieces) {
        assert.ok(line >= 1 && endLine <= (file === "a.ts" ? 40 : 9) && text.length === endLine - line + 1);
        assert.equal(own, tokensOf(text));
        for (let at = line; at <= endLine; at += 1) {
          assert.ok(!seen.has(`${file}:${at}`), `${file}:${at} twice`);
          seen.add(`${file}:${at}`);
        }
      }
      assert.equal(
        tokens,
        pieces.reduce((sum, piece) => sum + piece.tokens, 0),
      );
      if (pieces.length > 1) assert.ok(tokens <= most, `${tokens} of ${most}`);
      const there = stretches.filter(
        ({ file, line, endLine }) => file !== "gone.ts" && endLine >= 1 && line <= (file === "a.ts" ? 40 : 9),
      );
      const told = there.every(
        ({ file, line }) =>
          seen.has(`${file}:${Math.max(1, line)}`) ||
          left.some((one) => one.file === file && one.line === Math.max(1, line)),
      );
      assert.ok(told, "a stretch is neither shown nor named");
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test("a name is no bound: a limit whose number is not known holds back every INVALID, one that resolves is told", async () => {
  const files = {
    "src/a.ts":
      "const MAX_RETRIES = Number(process.env.RETRIES);\nconst MAX_ITEMS = 8 * 4;\nexport function go(n: number) {\n  return n < MAX_RETRIES && n < MAX_ITEMS;\n}\n",
  };
  const { duties } = await packOf(
    createMemoryWorkspace(files),
    "`MAX_RETRIES` and `MAX_ITEMS` may be exceeded.",
    "src/a.ts",
    4,
  );
  assert.deepEqual(
    duties.filter(({ id }) => id === "values").map(({ met, text }) => [met, text]),
    [
      [false, "What MAX_RETRIES comes to could not be resolved."],
      [true, "MAX_ITEMS = 8 * 4."],
    ],
  );
});

test("functions that the flagged lines use and the budget left out are a duty that is not met", async () => {
  const long = (name: string): string =>
    `export function ${name}(x: number): number {\n${`  x += ${"1".repeat(150)};\n`.repeat(40)}  return x;\n}\n`;
  const names = ["one", "two", "three", "four", "five"];
  const files = {
    "src/use.ts": `${names.map((name) => `import { ${name} } from "./${name}";`).join("\n")}\nexport const all = (x: number) => ${names.join("(")}(x${")".repeat(5)};\n`,
    ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, long(name)])),
  };
  const { duties, cut, tokens } = await packOf(createMemoryWorkspace(files), "all() overflows.", "src/use.ts", 6);
  assert.ok(cut.length > 0 && tokens <= 3500);
  assert.equal(duties.find(({ id }) => id === "callees")?.met, false);
});

test("the demo's defences stand in the packs of the findings they answer, two files and two calls away", async () => {
  const workspace = createMemoryWorkspace(readFolder("test/workspaces/demo"));
  const sql = await packOf(workspace, "`column` is concatenated into an SQL statement.", "src/store.ts", 16);
  const page = await packOf(workspace, "For page 0 the offset becomes negative.", "src/store.ts", 22);
  const { lines = [] } = (await workspace.repository.text("src/validate.ts")) ?? {};
  for (const [pack, name] of [
    [sql, "sortColumn"],
    [page, "pageNumber"],
  ] as const)
    assert.ok(shows(pack, "src/validate.ts", lines.findIndex((line) => line.includes(`function ${name}`)) + 1), name);
});
