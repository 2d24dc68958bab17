import assert from "node:assert/strict";
import test from "node:test";
import type { CheckResult, Receipt } from "../../../src/core/check.ts";
import { createLanguageDesk } from "../../../src/core/language.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { type Script, scriptedLanguage } from "../../support/scriptedLanguage.ts";

type Files = Readonly<Record<string, string>>;

interface Looked {
  readonly check: CheckResult;
  readonly receipts: readonly Receipt[];
  readonly asked: readonly string[];
}

/** Runs the checks of a finding in the first file, with language servers that answer by a script. */
async function look(files: Files, message: string, line: number | null, script: Script): Promise<Looked> {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, message, Object.keys(files)[0] ?? "", line);
  const receipts: Receipt[] = [];
  const keep = (receipt: Receipt): void => void receipts.push(receipt);
  const servers = scriptedLanguage(script);
  const language = createLanguageDesk(servers, keep, workspace.context.signal).askFor("check");
  const checks = await runChecks(finding, { ...workspace.context, receipt: keep, language }, () => undefined);
  const check = checks.find(({ atom }) => atom !== null);
  assert.ok(check);
  return { check, receipts, asked: servers.asked };
}

const HOME = "export function work() {\n  return 1;\n}\n";
const ALIAS = 'import { work } from "@/a";\nexport const start = () => work();\n';

test("one live reference that a server names and that is re-read refutes “unused”, with its receipt", async () => {
  const { check, receipts, asked } = await look({ "src/a.ts": HOME, "src/b.ts": ALIAS }, "`work` is unused.", 1, {
    references: { places: ["src/a.ts:1:16", "src/b.ts:1:9", "src/b.ts:2:27"] },
  });
  assert.equal(check.verdict, "refuted");
  assert.deepEqual(asked, ["references src/a.ts:1:16"]);
  assert.deepEqual(
    check.citations.map(({ file, line, quote }) => [file, line, quote]),
    [["src/b.ts", 2, "export const start = () => work();"]],
  );
  const receipt = receipts.find(({ verb }) => verb === "language");
  assert.deepEqual([receipt?.argv, receipt?.by], [["references", "src/a.ts:1:16"], "check"]);
  assert.ok(receipt !== undefined && check.receipts.includes(receipt.id));
  assert.equal(check.receipts.length, 2, "the search before it stands in the result too");
});

test("a use under another name counts, as an import with an alias makes it", async () => {
  const files = {
    "src/a.ts": HOME,
    "src/b.ts": 'import { work as run } from "@/a";\nexport const go = () => run();\n',
  };
  const { check } = await look(files, "`work` is never called.", 1, { references: { places: ["src/b.ts:2:24"] } });
  assert.equal(check.verdict, "refuted");
});

test("a method is called through an object: servers know which, a search does not", async () => {
  const files = {
    "src/a.ts": "export class Desk {\n  openDesk() {\n    return 1;\n  }\n}\n",
    "src/b.ts": 'import { Desk } from "./a.ts";\nexport const go = (desk: Desk) => desk.openDesk();\n',
  };
  const { check } = await look(files, "`openDesk` is never called.", 2, { references: { places: ["src/b.ts:2:39"] } });
  assert.equal(check.verdict, "refuted");
});

test("a call in another file of a Go package refutes, since a grammar read it as one", async () => {
  const files = {
    "a.go": "package p\n\nfunc workHard() int {\n\treturn 1\n}\n",
    "b.go": "package p\n\nfunc Run() int {\n\treturn workHard()\n}\n",
  };
  const { check } = await look(files, "`workHard` is unused.", 3, { references: { places: ["b.go:4:8"] } });
  assert.equal(check.verdict, "refuted");
});

const NOT_LIVE: readonly (readonly [string, Files, Script, string?])[] = [
  ["the servers name nothing", { "src/b.ts": ALIAS }, { references: {} }],
  ["they are not ready", { "src/b.ts": ALIAS }, { references: { unknown: "not ready" } }],
  ["only the declaration is named", {}, { references: { places: ["src/a.ts:1:16"] } }],
  ["only its own body is named", {}, { references: { places: ["src/a.ts:2:2"] } }],
  ["only an import is named", { "src/b.ts": ALIAS }, { references: { places: ["src/b.ts:1:9"] } }],
  [
    "only a re-export is named",
    { "src/b.ts": 'export { work } from "@/a";\n' },
    { references: { places: ["src/b.ts:1:9"] } },
  ],
  ["only a test uses it", { "test/a.test.ts": ALIAS }, { references: { places: ["test/a.test.ts:2:27"] } }],
  ["the place is in a comment", { "src/b.ts": "// work()\n" }, { references: { places: ["src/b.ts:1:3"] } }],
  ["the place is in text", { "src/b.ts": 'log("work()");\n' }, { references: { places: ["src/b.ts:1:5"] } }],
  ["the place is in the middle of a word", { "src/b.ts": ALIAS }, { references: { places: ["src/b.ts:2:28"] } }],
  ["the file is not there", {}, { references: { places: ["src/gone.ts:1:0"] } }],
  ["the line is past the end", { "src/b.ts": ALIAS }, { references: { places: ["src/b.ts:900:0"] } }],
  [
    "the use stands in a function that nothing uses",
    { "src/b.ts": 'import { work } from "@/a";\nfunction island() {\n  work();\n}\n' },
    { references: { places: ["src/b.ts:3:2"] } },
  ],
  [
    "the use stands in a private method that nothing calls",
    { "src/b.ts": 'import { work } from "@/a";\nclass Island {\n  #rest() {\n    work();\n  }\n}\n' },
    { references: { places: ["src/b.ts:4:4"] } },
  ],
  [
    "it is only asked for its type",
    { "src/b.ts": 'import { work } from "@/a";\nexport type W = ReturnType<typeof work>;\n' },
    { references: { places: ["src/b.ts:2:34"] } },
  ],
  ["a declaration file names it", { "src/b.d.ts": ALIAS }, { references: { places: ["src/b.d.ts:2:27"] } }],
  [
    "the claim is about its own file",
    { "src/b.ts": ALIAS },
    { references: { places: ["src/b.ts:2:27"] } },
    "`work` is unused in this file.",
  ],
  [
    "the claim is about calls, and it is only handed on",
    { "src/b.ts": 'import { work } from "@/a";\nexport const table = [work];\n' },
    { references: { places: ["src/b.ts:2:22"] } },
    "`work` is never called.",
  ],
];

for (const [what, files, script, message] of NOT_LIVE) {
  test(`“unused” stays unknown where ${what}`, async () => {
    const { check } = await look({ "src/a.ts": HOME, ...files }, message ?? "`work` is unused.", 1, script);
    assert.equal(check.verdict, "unknown");
  });
}

test("a finding that points elsewhere than at the declaration is not asked about", async () => {
  const files = { "src/a.ts": `${HOME}export const x = 1;\n` };
  const { check, asked } = await look(files, "`work` is unused.", 4, { references: { places: ["src/a.ts:4:0"] } });
  assert.deepEqual([check.verdict, asked], ["unknown", []]);
});

test("where a name is declared twice and the finding says no line, nobody is asked which is meant", async () => {
  const files = { "src/a.ts": `${HOME}export function other() {\n  function work() {}\n  return 2;\n}\n` };
  const { check, asked } = await look(files, "`work` is unused.", null, { references: { places: ["src/a.ts:1:16"] } });
  assert.deepEqual([check.verdict, asked], ["unknown", []]);
});

test("of Go only calls count: what else a name does there is not read", async () => {
  const files = {
    "a.go": "package p\n\nfunc workHard() int {\n\treturn 1\n}\n",
    "b.go": "package p\n\nfunc Run() func() int {\n\treturn workHard\n}\n",
  };
  const { check } = await look(files, "`workHard` is unused.", 3, { references: { places: ["b.go:4:8"] } });
  assert.equal(check.verdict, "unknown");
});

test("what a search settles is not asked again", async () => {
  const files = { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\nwork();\n' };
  const { check, asked } = await look(files, "`work` is unused.", 1, { references: { unknown: "never asked" } });
  assert.deepEqual([check.verdict, asked], ["refuted", []]);
});

const USER = 'import { formatMoney } from "@/money";\nexport const price = () => formatMoney(1);\n';
const MONEY = "export function formatMoney(cents: number) {\n  return `${cents}`;\n}\n";
const UNBOUND = "`formatMoney` is not imported.";
const THERE: Script = { definition: { places: ["src/money.ts:1:16"] } };

test("an import behind a path alias refutes “not imported” where the server leads to the declaration", async () => {
  const { check, receipts, asked } = await look({ "src/a.ts": USER, "src/money.ts": MONEY }, UNBOUND, 2, THERE);
  assert.equal(check.verdict, "refuted");
  assert.deepEqual(
    check.citations.map(({ file, line }) => `${file}:${line}`),
    ["src/a.ts:1", "src/money.ts:1"],
  );
  assert.deepEqual(asked, [
    "definition src/a.ts:1:9",
    "hover src/a.ts:1:9",
    "diagnostics src/a.ts:1:0",
    "diagnostics src/a.ts:2:0",
  ]);
  assert.ok(receipts.filter(({ verb }) => verb === "language").every(({ id }) => check.receipts.includes(id)));
});

test("a parameter of an outer function refutes “not defined” on a later line", async () => {
  const files = { "src/a.ts": "export function outer(rate: number) {\n  return () => rate * 2;\n}\n" };
  const script = { definition: { places: ["src/a.ts:1:22"] } };
  const { check } = await look(files, "`rate` is not defined.", 2, script);
  assert.equal(check.verdict, "refuted");
});

const UNBOUND_STAYS: readonly (readonly [string, Files, string, number | null, Script])[] = [
  ["no server is ready", { "src/a.ts": USER, "src/money.ts": MONEY }, UNBOUND, 2, { definition: { unknown: "no" } }],
  ["the servers name nothing", { "src/a.ts": USER, "src/money.ts": MONEY }, UNBOUND, 2, { definition: {} }],
  [
    "the servers only name the import itself",
    { "src/a.ts": USER, "src/money.ts": MONEY },
    UNBOUND,
    2,
    { definition: { places: ["src/a.ts:1:9"] } },
  ],
  [
    "another name stands at the place",
    { "src/a.ts": USER, "src/money.ts": MONEY.replace("formatMoney", "formatMoneys") },
    UNBOUND,
    2,
    THERE,
  ],
  [
    "only a declaration without a value stands there",
    { "src/a.ts": USER, "src/money.ts": "export declare function formatMoney(cents: number): string;\n" },
    UNBOUND,
    2,
    { definition: { places: ["src/money.ts:1:24"] } },
  ],
  [
    "a type of an inner scope stands there",
    { "src/a.ts": "export function f() {\n  interface Rate {}\n  return new Rate();\n}\n" },
    "`Rate` is not defined.",
    3,
    { definition: { places: ["src/a.ts:2:12"] } },
  ],
  [
    "it is declared for the checker only",
    { "src/a.ts": "declare const rate: number;\nexport const twice = rate * 2;\n" },
    "`rate` is not defined.",
    2,
    { definition: { places: ["src/a.ts:1:14"] } },
  ],
  [
    "the claim is about imports, and a scope binds it",
    { "src/a.ts": "export function outer(rate: number) {\n  return () => rate * 2;\n}\n" },
    "`rate` is not imported.",
    2,
    { definition: { places: ["src/a.ts:1:22"] } },
  ],
  [
    "the claim is about an export",
    { "src/a.ts": USER, "src/money.ts": MONEY },
    "`formatMoney` is not exported.",
    2,
    THERE,
  ],
  [
    "the claim is about another file",
    { "src/a.ts": USER, "src/money.ts": MONEY, "src/other.ts": "formatMoney(2);\n" },
    "`formatMoney` is not defined in src/other.ts.",
    2,
    THERE,
  ],
  [
    "a type stands at the place",
    { "src/a.ts": USER, "src/money.ts": "export interface formatMoney {}\n" },
    UNBOUND,
    2,
    { definition: { places: ["src/money.ts:1:17"] } },
  ],
  [
    "only a declaration file holds it",
    { "src/a.ts": USER, "src/money.d.ts": MONEY },
    UNBOUND,
    2,
    { definition: { places: ["src/money.d.ts:1:16"] } },
  ],
  [
    "a hover calls it a type",
    { "src/a.ts": USER, "src/money.ts": MONEY },
    UNBOUND,
    2,
    { ...THERE, hover: { texts: ["(alias) type formatMoney = number\nimport formatMoney"] } },
  ],
  [
    "a problem on the line names it",
    { "src/a.ts": USER, "src/money.ts": MONEY },
    UNBOUND,
    2,
    { ...THERE, diagnostics: { texts: ["ts: Module has no exported member 'formatMoney'."] } },
  ],
  [
    "it is imported as a type only",
    { "src/a.ts": USER.replace("import {", "import type {"), "src/money.ts": MONEY },
    UNBOUND,
    2,
    { definition: { places: ["src/money.ts:1:16"] } },
  ],
  [
    "the binding comes after the line",
    { "src/a.ts": "export function f() {\n  rate();\n  const rate = () => 1;\n}\n" },
    "`rate` is not defined.",
    2,
    { definition: { places: ["src/a.ts:3:8"] } },
  ],
  [
    "a Python scope binds it, which may not have run",
    { "a.py": "def f(a):\n    if a:\n        rate = 1\n    return rate\n" },
    "`rate` is not defined.",
    4,
    { definition: { places: ["a.py:3:8"] } },
  ],
  [
    "a del statement takes it away again",
    { "a.py": "from money import rate\ndel rate\nprint(rate)\n", "lib/money.py": "rate = 1\n" },
    "`rate` is not defined.",
    3,
    { definition: { places: ["lib/money.py:1:0"] } },
  ],
  [
    "it is a type parameter",
    { "src/a.ts": "export function f<Rate>(x: Rate) {\n  return new Rate();\n}\n" },
    "`Rate` is not defined.",
    2,
    { definition: { places: ["src/a.ts:1:18"] }, hover: { texts: ["(type parameter) Rate in f<Rate>"] } },
  ],
];

for (const [what, files, message, line, script] of UNBOUND_STAYS) {
  test(`“not defined” stays unknown where ${what}`, async () => {
    const { check } = await look(files, message, line, script);
    assert.equal(check.verdict, "unknown", check.text);
  });
}
