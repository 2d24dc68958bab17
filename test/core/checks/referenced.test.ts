import assert from "node:assert/strict";
import test from "node:test";
import type { CheckVerdict } from "../../../src/core/check.ts";
import { isTestFile } from "../../../src/core/fileKind.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

type Files = Readonly<Record<string, string>>;

async function verdictOf(files: Files, message: string, line: number | null = 1): Promise<CheckVerdict | undefined> {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, message, Object.keys(files)[0] ?? "", line);
  const checks = await runChecks(finding, workspace.context, () => undefined);
  return checks.find((check) => check.atom !== null)?.verdict;
}

const HOME = "export function work() {\n  return 1;\n}\n";
const UNUSED = "`work` is unused.";

const REFUTED: readonly (readonly [string, Files, string?])[] = [
  ["a call in the same file", { "src/a.ts": `${HOME}work();\n` }],
  ["a call in exported code of the same file", { "src/a.ts": `${HOME}export function other() {\n  work();\n}\n` }],
  ["a value in an object", { "src/a.ts": `${HOME}export const table = { go: work };\n` }],
  ["a shorthand in an object", { "src/a.ts": `${HOME}export const table = { work };\n` }],
  ["an argument", { "src/a.ts": `${HOME}register("x", work);\n` }],
  ["a use inside a template's hole", { "src/a.ts": `${HOME}export const t = \`\${work()}\`;\n` }],
  ["a use behind a regular expression with a quote", { "src/a.ts": `${HOME}export const r = /["']/.test(work());\n` }],
  ["a call in a file that imports it", { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\nwork();\n' }],
  ["a call under an alias", { "src/a.ts": HOME, "src/b.ts": 'import { work as run } from "./a";\nrun();\n' }],
  [
    "a use in an import over several lines",
    { "src/a.ts": HOME, "src/b.ts": 'import {\n  work,\n} from "./a";\nexport default [work];\n' },
  ],
  [
    "a component in markup",
    { "src/a.tsx": "export function Work() {\n  return null;\n}\nexport const page = () => <Work />;\n" },
    "`Work` is never used.",
  ],
  ["a handler in markup", { "src/a.tsx": `${HOME}export const p = () => <b onClick={work}>x</b>;\n` }],
  ["a call between tags", { "src/a.tsx": `${HOME}export const p = () => <b title="a">{work()}</b>;\n` }],
  ["a comparison", { "src/a.tsx": `${HOME}export const p = a > work && work < b;\n` }],
  ["a call in the value of a field", { "src/a.ts": `${HOME}export class C {\n  a = work();\n}\n` }],
  [
    "a call behind an early return",
    { "src/a.ts": `${HOME}export function f() {\n  if (a)\n    return 1;\n  work();\n}\n` },
  ],
  [
    "a call in the case after a return",
    { "src/a.ts": `${HOME}switch (a) {\n  case 1:\n    return 1;\n  case 2:\n    work();\n}\n` },
  ],
  [
    "a call in a method of a class that is used",
    { "src/a.ts": `${HOME}class C {\n  m() {\n    work();\n  }\n}\nnew C().m();\n` },
  ],
  ["a call by what it writes into", { "src/a.ts": `${HOME}target.value = work();\n` }],
  ["a Python decorator", { "a.py": "def work(f):\n    return f\n\n@work\ndef other():\n    pass\n" }],
  [
    "a call in another Python module",
    { "p/a.py": "def work():\n    pass\n", "p/b.py": "from .a import work\nwork()\n" },
  ],
];

for (const [what, files, message] of REFUTED) {
  test(`class 12 is refuted by ${what}`, async () => {
    assert.equal(await verdictOf(files, message ?? UNUSED), "refuted");
  });
}

const UNKNOWN: readonly (readonly [string, Files, string?, number?])[] = [
  ["nothing else names it", { "src/a.ts": HOME }],
  [
    "it is loaded by a dynamic import",
    { "src/a.ts": "export default function work() {}\n", "src/b.ts": 'const l = () => import("./a");\n' },
  ],
  ["only a test uses it", { "src/a.ts": HOME, "test/a.test.ts": 'import { work } from "../src/a";\nwork();\n' }],
  ["only a story uses it", { "src/a.ts": HOME, "src/a.stories.ts": 'import { work } from "./a";\nwork();\n' }],
  ["the only use is a comment", { "src/a.ts": `${HOME}// work();\n` }],
  ["the only use is text", { "src/a.ts": `${HOME}log("work()");\nlog(\`work()\`);\n` }],
  ["the only use is a regular expression", { "src/a.ts": `${HOME}export const r = /work()/;\n` }],
  ["it only calls itself", { "src/a.ts": "export function work() {\n  return work();\n}\n" }],
  ["the only use stands in a function that nothing uses", { "src/a.ts": `${HOME}function island() {\n  work();\n}\n` }],
  [
    "two unused functions call each other",
    { "src/a.ts": "function work() {\n  island();\n}\nfunction island() {\n  work();\n}\n" },
  ],
  ["it is only exported in a list", { "src/a.ts": "function work() {}\nexport {\n  work,\n};\n" }],
  ["it is only the default export", { "src/a.ts": "function work() {}\nexport default work;\n" }],
  [
    "it is only exported in CommonJS",
    { "src/a.ts": "function work() {}\nmodule.exports = { work };\nexports.work = work;\n" },
  ],
  ["it is only re-exported", { "src/a.ts": HOME, "src/b.ts": 'export { work } from "./a";\n' }],
  ["it is only imported", { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\n' }],
  [
    "it is only imported as a type",
    { "src/a.ts": HOME, "src/b.ts": 'import type { work } from "./a";\nexport type W = ReturnType<typeof work>;\n' },
  ],
  [
    "another module's thing of that name is used",
    { "src/a.ts": HOME, "src/c.ts": HOME, "src/b.ts": 'import { work } from "./c";\nwork();\n' },
  ],
  [
    "the importing file was not understood to its end",
    { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\nwork();\nconst t = `open\n' },
  ],
  [
    "the importing file binds the name again",
    { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\nfunction f(work) {\n  work();\n}\n' },
  ],
  ["a parameter has that name", { "src/a.ts": `${HOME}export function f(work) {\n  return work();\n}\n` }],
  [
    "an arrow's parameter has that name",
    { "src/a.ts": `${HOME}export const f = (work) => work();\nexport const g = work => work();\n` },
  ],
  [
    "a local variable has that name",
    { "src/a.ts": `${HOME}export function f() {\n  const work = 1;\n  return work;\n}\n` },
  ],
  [
    "a destructured variable has that name",
    { "src/a.ts": `${HOME}export function f(o) {\n  const { a, work } = o;\n  return work;\n}\n` },
  ],
  [
    "a variable of a list has that name",
    { "src/a.ts": `${HOME}export function f() {\n  let a = 1, work = 2;\n  return work;\n}\n` },
  ],
  [
    "a loop variable has that name",
    { "src/a.ts": `${HOME}export function f(l) {\n  for (const work of l) go(work);\n}\n` },
  ],
  ["a caught error has that name", { "src/a.ts": `${HOME}try {\n  go();\n} catch (work) {\n  log(work);\n}\n` }],
  ["a method has that name", { "src/a.ts": `${HOME}export class C {\n  work() {\n    return 2;\n  }\n}\n` }],
  ["only a property of that name is used", { "src/a.ts": `${HOME}other.work();\nother?.work;\nthis.#work();\n` }],
  ["only a key of that name is written", { "src/a.ts": `${HOME}export const o = { work: 1 };\n` }],
  ["it is only written to", { "src/a.ts": "let work = 0;\nwork += 1;\nwork++;\n" }],
  ["it is silenced with void", { "src/a.ts": "function work() {}\nvoid work;\n" }],
  ["only its type is asked for", { "src/a.ts": "const work = 1;\nexport type T = typeof work;\n" }],
  ["the finding points at another line", { "src/a.ts": `${HOME}work();\nwork();\n` }, UNUSED, 5],
  [
    "it is a local of a function",
    { "src/a.ts": "function f() {\n  const work = 1;\n}\nexport const w = work;\n" },
    UNUSED,
    2,
  ],
  ["the file only imports it", { "src/a.ts": 'import { work } from "./m";\nwork();\n', "src/m.ts": HOME }],
  [
    "it is handed on, but a call is denied",
    { "src/a.ts": `${HOME}export const o = { a: work };\n` },
    "`work` is never called.",
  ],
  [
    "it is used elsewhere, but use in this file is denied",
    { "src/a.ts": HOME, "src/b.ts": 'import { work } from "./a";\nwork();\n' },
    "`work` is unused in this file.",
  ],
  [
    "Python rebinds it in a function",
    { "a.py": "def work():\n    pass\n\ndef f():\n    work = 1\n    return work\n\nf()\n" },
  ],
  ["Python has a parameter of that name", { "a.py": "def work():\n    pass\n\ndef f(work):\n    return work()\n" }],
  ["Python only passes a keyword of that name", { "a.py": "def work():\n    pass\n\nf(work=1)\n" }],
  ["Python only loops over that name", { "a.py": "def work():\n    pass\n\nx = [work for work in y]\n" }],
  ["a use anywhere else is denied", { "src/a.ts": `${HOME}work();\n` }, "`work` is never called anywhere else."],
  ["only the export is said to be unused", { "src/a.ts": `${HOME}work();\n` }, "The export `work` is unused."],
  [
    "a class only makes itself",
    { "src/a.ts": "class Work {\n  static make() {\n    return new Work();\n  }\n}\n" },
    "`Work` is never used.",
  ],
  [
    "a Python class only makes itself",
    { "a.py": "class Work:\n    def clone(self):\n        return Work()\n" },
    "`Work` is never used.",
  ],
  ["a wrapped function only calls itself", { "src/a.ts": "const work = debounce(() => {\n  work();\n}, 10);\n" }],
  ["it calls itself on the next line", { "src/a.ts": "const work =\n  debounce(() => work());\n" }],
  [
    "only a class that nothing names uses it",
    { "src/a.ts": "function work() {}\nclass Island {\n  run() {\n    work();\n  }\n}\n" },
  ],
  ["it is a word between tags", { "src/a.tsx": `${HOME}export const P = () => <p>Please work here</p>;\n` }],
  [
    "it is a word on a line between tags",
    { "src/a.tsx": `${HOME}export const P = () => (\n  <p>\n    Please work here\n  </p>\n);\n` },
  ],
  [
    "it is an attribute without a value",
    { "src/a.tsx": `${HOME}export const P = () => <input type="text" work />;\n` },
  ],
  [
    "it is such an attribute on its own line",
    { "src/a.tsx": `${HOME}export const P = () => (\n  <input\n    onClick={() => a()}\n    work\n  />\n);\n` },
  ],
  ["a field has that name", { "src/a.ts": `${HOME}export class C {\n  work;\n}\n` }],
  ["a typed field has that name", { "src/a.ts": `${HOME}export class C {\n  private work!: string;\n}\n` }],
  ["an interface has a method of that name", { "src/a.ts": `${HOME}export interface C {\n  work();\n}\n` }],
  ["an abstract method has that name", { "src/a.ts": `${HOME}export abstract class C {\n  abstract work();\n}\n` }],
  ["a type has a method of that name", { "src/a.ts": `${HOME}export type O = {\n  work();\n};\n` }],
  [
    "a type parameter has that name",
    { "src/a.ts": "export class Work {}\nexport type F<Work> = Work[];\n" },
    "`Work` is never used.",
  ],
  ["a member of an enum has that name", { "src/a.ts": `${HOME}export enum Mode {\n  rest,\n  work,\n}\n` }],
  ["a mapped type has a key of that name", { "src/a.ts": `${HOME}export type F<T> = { [work in keyof T]: 1 };\n` }],
  ["a label has that name", { "src/a.ts": `${HOME}work: for (;;) {\n  break work;\n}\n` }],
  ["it is only exported as the whole module", { "src/a.ts": "function work() {}\nexport = work;\n" }],
  ["it is only exported by a computed name", { "src/a.js": "function work() {}\nexports['work'] = work;\n" }],
  [
    "it is only given a property",
    { "src/a.tsx": "export function Work() {\n  return null;\n}\nWork.displayName = 'Work';\n" },
    "`Work` is never used.",
  ],
  ["Python only gives it a property", { "a.py": "def work():\n    pass\n\nwork.short_description = 'x'\n" }],
  ["it is a statement of its own", { "src/a.ts": `${HOME}work;\n` }],
  ["it is a statement of its own in Python", { "a.py": "def work():\n    pass\n\nwork\n" }],
  ["a Python class annotates a field of that name", { "a.py": "def work():\n    pass\n\nclass C:\n    work: int\n" }],
  ["its call stands under a false condition", { "src/a.ts": `${HOME}if (false) {\n  work();\n}\n` }],
  ["its call stands behind `false &&`", { "src/a.ts": `${HOME}false && work();\n` }],
  [
    "its call stands behind a return of several lines",
    { "src/a.ts": `${HOME}export function f() {\n  return g(\n    1,\n  );\n  work();\n}\n` },
  ],
  [
    "a compiler's export names it",
    {
      "src/a.js": `${HOME.replace("export ", "")}Object.defineProperty(exports, "work", { enumerable: true, get: () => work });\n`,
    },
  ],
  ["its call stands behind a return", { "src/a.ts": `${HOME}export function f() {\n  return 1;\n  work();\n}\n` }],
  ["its call stands under `if False`", { "a.py": "def work():\n    pass\n\nif False:\n    work()\n" }],
  ["only a type checker sees its call", { "a.py": "def work():\n    pass\n\nif TYPE_CHECKING:\n    x = work()\n" }],
  [
    "only a declaration file names it",
    { "src/a.ts": "export class Work {}\n", "src/b.d.ts": 'import { Work } from "./a";\nexport const w: Work;\n' },
    "`Work` is never used.",
  ],
  [
    "only an end-to-end test calls it",
    { "src/a.ts": HOME, "cypress/b.cy.ts": 'import { work } from "../src/a";\nwork();\n' },
  ],
  ["the language is not read", { "a.go": "package a\n\nfunc work() {}\n\nfunc main() { work() }\n" }, UNUSED, 3],
];

for (const [what, files, message, line] of UNKNOWN) {
  test(`class 12 is unknown where ${what}: no reference found proves nothing`, async () => {
    assert.equal(await verdictOf(files, message ?? UNUSED, line ?? 1), "unknown");
  });
}

test("class 12 never confirms: an unused thing may be used by name from outside", async () => {
  for (const [, files, message, line] of UNKNOWN)
    assert.notEqual(await verdictOf(files, message ?? UNUSED, line ?? 1), "confirmed");
});

test("test files are told by folder and by name, in the spellings of several languages", () => {
  const tests = [
    "test/a.ts",
    "src/__tests__/a.ts",
    "src/a.test.ts",
    "src/a.spec.js",
    "pkg/a_test.go",
    "test_a.py",
    "a/conftest.py",
  ];
  assert.deepEqual(
    tests.filter((file) => !isTestFile(file)),
    [],
  );
  const product = ["src/latest.ts", "src/contest/a.ts", "src/attest.py", "src/testing.ts", "src/spectrum.ts"];
  assert.deepEqual(product.filter(isTestFile), []);
});
