import assert from "node:assert/strict";
import test from "node:test";
import type { CheckVerdict } from "../../../src/core/check.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

type Files = Readonly<Record<string, string>>;

/** What the checks say of a one-clause finding about `src/a.ts`, or another file and line. */
async function verdictOf(
  files: Files,
  message = "`X` is not imported.",
  file = "src/a.ts",
  line: number | null = 2,
): Promise<CheckVerdict | undefined> {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, message, file, line);
  const checks = await runChecks(finding, workspace.context, () => undefined);
  return checks.find((check) => check.atom !== null)?.verdict;
}

const M = "export const X = 1;\n";

const REFUTED: readonly (readonly [string, Files, string?])[] = [
  ["a named import of an exported constant", { "src/a.ts": 'import { X } from "./m";\nX();\n', "src/m.ts": M }],
  ["with the extension", { "src/a.ts": 'import { X } from "./m.ts";\nX();\n', "src/m.ts": M }],
  ["with .js standing for .ts", { "src/a.ts": 'import { X } from "./m.js";\nX();\n', "src/m.ts": M }],
  [
    "an import over several lines",
    { "src/a.ts": 'import {\n  Y,\n  X,\n} from "./m";\nX();\n', "src/m.ts": `${M}export const Y = 1;` },
  ],
  ["an alias", { "src/a.ts": 'import { Z as X } from "./m";\nX();\n', "src/m.ts": "export function Z() {}\n" }],
  ["a default import", { "src/a.ts": 'import X from "./m";\nX();\n', "src/m.ts": "export default function () {}\n" }],
  [
    "a default beside named ones",
    { "src/a.ts": 'import X, { Y } from "./m";\nX();\n', "src/m.ts": "export const Y = 1;\nexport default Y;\n" },
  ],
  ["a namespace import", { "src/a.ts": 'import * as X from "./m";\nX.y();\n', "src/m.ts": "export const y = 1;\n" }],
  ["an index file", { "src/a.ts": 'import { X } from "./m";\nX();\n', "src/m/index.ts": M }],
  [
    "a re-export of all",
    { "src/a.ts": 'import { X } from "./u";\nX();\n', "src/u.ts": 'export * from "./m";\n', "src/m.ts": M },
  ],
  [
    "a re-export by name",
    {
      "src/a.ts": 'import { X } from "./u";\nX();\n',
      "src/u.ts": 'export { Z as X } from "./m";\n',
      "src/m.ts": "export class Z {}\n",
    },
  ],
  [
    "an import handed on in a list",
    {
      "src/a.ts": 'import { X } from "./u";\nX();\n',
      "src/u.ts": 'import { X } from "./m";\nexport { X };\n',
      "src/m.ts": M,
    },
  ],
  [
    "an export list with a local declaration",
    { "src/a.ts": 'import { X } from "./m";\nX();\n', "src/m.ts": "const Y = 1;\nexport { Y as X };\n" },
  ],
  ["a single-quoted specifier", { "src/a.ts": "import { X } from './m';\nX();\n", "src/m.ts": M }],
  [
    "an import behind a licence comment",
    { "src/a.ts": '/* one\n two */\nimport { X } from "./m";\nX();\n', "src/m.ts": M },
  ],
  [
    "a declaration in the file, where definition is denied",
    { "src/a.ts": "function X() {}\nX();\n" },
    "`X` is not defined.",
  ],
  [
    "an import, where definition or import is denied",
    { "src/a.ts": 'import { X } from "./m";\nX();\n', "src/m.ts": M },
    "`X` is not defined or imported in this module",
  ],
  [
    "the clause naming the finding's own file",
    { "src/a.ts": 'import { X } from "./m";\nX();\n', "src/m.ts": M },
    "`X` is not imported in a.ts",
  ],
  ["an export that is denied", { "src/a.ts": M }, "`X` is not exported."],
  [
    "an export denied of a relative specifier",
    { "src/a.ts": "\nx;\n", "src/m.ts": M },
    "`X` is not exported from './m'",
  ],
  ["an async function", { "src/a.ts": "export async function X() {}\n" }, "a.ts does not export `X`"],
];

for (const [what, files, message] of REFUTED) {
  test(`class 11 is refuted by ${what}`, async () => {
    assert.equal(await verdictOf(files, message), "refuted");
  });
}

const IMPORTS_X = 'import { X } from "./m";\nX();\n';
const UNKNOWN: readonly (readonly [string, Files, string?])[] = [
  ["the import is of a type only", { "src/a.ts": 'import type { X } from "./m";\nX();\n', "src/m.ts": M }],
  ["the name is imported as a type", { "src/a.ts": 'import { type X } from "./m";\nX();\n', "src/m.ts": M }],
  ["the module exports a type of that name", { "src/a.ts": IMPORTS_X, "src/m.ts": "export interface X {}\n" }],
  ["the module exports a type alias", { "src/a.ts": IMPORTS_X, "src/m.ts": "export type X = 1;\n" }],
  [
    "the module only re-exports types",
    { "src/a.ts": IMPORTS_X, "src/m.ts": 'export type { X } from "./n";\n', "src/n.ts": M },
  ],
  ["the module does not export it", { "src/a.ts": IMPORTS_X, "src/m.ts": "const X = 1;\n" }],
  ["the export is commented out", { "src/a.ts": IMPORTS_X, "src/m.ts": "// export const X = 1;\n" }],
  ["the export stands in a block comment", { "src/a.ts": IMPORTS_X, "src/m.ts": "/*\nexport const X = 1;\n*/\n" }],
  ["the export stands in a template", { "src/a.ts": IMPORTS_X, "src/m.ts": "const t = `\nexport const X = 1;\n`;\n" }],
  [
    "the export stands inside a block",
    { "src/a.ts": IMPORTS_X, "src/m.ts": "declare module 'y' {\nexport const X: 1;\n}\n" },
  ],
  [
    "two re-exports offer the name, so neither exports it",
    { "src/a.ts": IMPORTS_X, "src/m.ts": 'export * from "./n";\nexport * from "./o";\n', "src/n.ts": M, "src/o.ts": M },
  ],
  [
    "one re-export cannot be followed",
    { "src/a.ts": IMPORTS_X, "src/m.ts": 'export * from "./n";\nexport * from "pkg";\n', "src/n.ts": M },
  ],
  [
    "re-exports go round in a circle",
    { "src/a.ts": IMPORTS_X, "src/m.ts": 'export * from "./n";\n', "src/n.ts": 'export * from "./m";\n' },
  ],
  ["there is no such module", { "src/a.ts": IMPORTS_X }],
  ["two files may be meant", { "src/a.ts": IMPORTS_X, "src/m.ts": M, "src/m.js": M }],
  ["it comes from a package", { "src/a.ts": 'import { X } from "pkg";\nX();\n' }],
  ["it comes through a path alias", { "src/a.ts": 'import { X } from "@/m";\nX();\n', "src/m.ts": M }],
  ["the import is commented out", { "src/a.ts": '// import { X } from "./m";\nX();\n', "src/m.ts": M }],
  [
    "the import stands in a comment over lines",
    { "src/a.ts": '/*\nimport { X } from "./m";\n*/\nX();\n', "src/m.ts": M },
  ],
  [
    "the import stands in a template",
    { "src/a.ts": 'const t = `\nimport { X } from "./m";\n`;\nX();\n', "src/m.ts": M },
  ],
  ["the import is dynamic", { "src/a.ts": 'if (y) { const { X } = await import("./m"); }\nX();\n', "src/m.ts": M }],
  [
    "it is required inside a function",
    { "src/a.ts": 'function f() { const { X } = require("./m"); }\nX();\n', "src/m.ts": M },
  ],
  [
    "another name is imported",
    { "src/a.ts": 'import { XY } from "./m";\nX();\n', "src/m.ts": "export const XY = 1;\n" },
  ],
  ["it is imported under another name", { "src/a.ts": 'import { X as Z } from "./m";\nX();\n', "src/m.ts": M }],
  ["only a side effect is imported", { "src/a.ts": 'import "./m";\nX();\n', "src/m.ts": M }],
  ["it is declared, but its import is denied", { "src/a.ts": "const X = 1;\nX();\n" }],
  [
    "it is declared inside a function",
    { "src/a.ts": "function f() {\nconst X = 1;\n}\nX();\n" },
    "`X` is not defined.",
  ],
  ["it is declared only after the flagged line", { "src/a.ts": "\nX();\nconst X = () => 1;\n" }, "`X` is not defined."],
  ["it is only a parameter", { "src/a.ts": "function f(X) { return X; }\nX();\n" }, "`X` is not defined."],
  [
    "the clause names another file",
    { "src/a.ts": IMPORTS_X, "src/m.ts": M, "src/b.ts": "X();" },
    "`X` is not imported in src/b.ts",
  ],
  [
    "the clause names a file whose name only ends alike",
    { "src/a.ts": IMPORTS_X, "src/m.ts": M },
    "`X` is not imported in data.ts",
  ],
  [
    "the clause names another file by a relative path",
    { "src/a.ts": IMPORTS_X, "src/m.ts": M, "src/b.ts": "X();" },
    "`X` is not imported in ./b.ts",
  ],
  ["the text was not understood to its end", { "src/a.ts": `${IMPORTS_X}const t = \`open\n`, "src/m.ts": M }],
  ["its value is called undefined", { "src/a.ts": "let X;\nX.go();\n" }, "`X` is undefined in this module."],
  [
    "the clause names two files",
    { "src/a.ts": IMPORTS_X, "src/m.ts": M, "src/b.ts": "export {};" },
    "`X` is used by `a.ts` but is not defined in b.ts.",
  ],
  ["a method is meant", { "src/a.ts": IMPORTS_X, "src/m.ts": M }, "The method `X` is not defined."],
  ["a type is meant", { "src/a.ts": "const X = 1;\nlet y: X;\n" }, "The type `X` is not defined."],
  [
    "only a declaration file gives it a value",
    { "src/a.ts": 'import { X } from "./m.d.ts";\nX();\n', "src/m.d.ts": "export const X: () => 1;\n" },
  ],
  [
    "the function declares it again further down",
    { "src/a.ts": "const X = 0; export function f() {\n  log(X);\n  const X = 1;\n  return X;\n}\n" },
    "`X` is not defined.",
  ],
  ["the claim is hedged with a platform", { "src/a.ts": IMPORTS_X, "src/m.ts": M }, "`X` is not imported on Windows."],
];

for (const [what, files, message] of UNKNOWN) {
  test(`class 11 is not refuted where ${what}`, async () => {
    assert.ok(["unknown", "inapplicable"].includes((await verdictOf(files, message)) ?? "none"));
  });
}

const PYTHON = "X();\n";
const PYTHON_CASES: readonly (readonly [string, CheckVerdict, Files, string?])[] = [
  ["a relative import", "refuted", { "p/a.py": `from .m import X\n${PYTHON}`, "p/m.py": "def X():\n    pass\n" }],
  ["an import from the root", "refuted", { "p/a.py": `from p.m import X\n${PYTHON}`, "p/m.py": "X = 100\n" }],
  [
    "an import from the parent package",
    "refuted",
    { "p/q/a.py": `from ..m import X\n${PYTHON}`, "p/m.py": "class X:\n    pass\n" },
  ],
  [
    "an import in brackets over lines",
    "refuted",
    { "p/a.py": `from .m import (\n    Y,\n    X,\n)\n${PYTHON}`, "p/m.py": "X = 100\nY = 2\n" },
  ],
  [
    "a name handed on by a package",
    "refuted",
    { "p/a.py": `from . import m\nfrom .r import X\n${PYTHON}`, "p/r.py": "from .m import X\n", "p/m.py": "X = 100\n" },
  ],
  [
    "an import that only type checkers see",
    "unknown",
    { "p/a.py": `if TYPE_CHECKING:\n    from .m import X\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  [
    "an import inside try",
    "unknown",
    { "p/a.py": `try:\n    from .m import X\nexcept ImportError:\n    pass\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  [
    "an import inside a function",
    "unknown",
    { "p/a.py": `def f():\n    from .m import X\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  [
    "an import inside a docstring",
    "unknown",
    { "p/a.py": `"""\nfrom .m import X\n"""\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  [
    "a name that is deleted again",
    "unknown",
    { "p/a.py": `from .m import X\ndel X\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  [
    "a sibling for a parent's module",
    "unknown",
    { "p/q/a.py": `from ..m import X\n${PYTHON}`, "p/q/m.py": "X = 100\n" },
  ],
  [
    "a sibling inside a package, imported absolutely",
    "unknown",
    { "p/a.py": `from m import X\n${PYTHON}`, "p/m.py": "X = 100\n", "p/__init__.py": "" },
  ],
  ["an import that comes later", "unknown", { "p/a.py": `${PYTHON}from .m import X\n`, "p/m.py": "X = 100\n" }],
  ["a type without a value", "unknown", { "a.py": `X: Annotated[int, Field(gt=0)]\n${PYTHON}` }],
  ["a type with brackets and a value", "refuted", { "a.py": `X: Annotated[int, Field(gt=0)] = 3\n${PYTHON}` }],
  [
    "a name that an except clause takes away",
    "unknown",
    { "a.py": `X = None\ntry:\n    f()\nexcept ValueError as X:\n    log(X)\n${PYTHON}` },
  ],
  [
    "a local name that is used before it is set",
    "unknown",
    { "p/a.py": `from .m import X\ndef f():\n    X()\n${PYTHON}    X = 1\n`, "p/m.py": "X = 100\n" },
  ],
  [
    "a local name of another function",
    "refuted",
    { "p/a.py": `from .m import X\ndef f():\n    X = 1\n    return X\n\n${PYTHON}`, "p/m.py": "X = 100\n" },
  ],
  ["too many dots", "unknown", { "a.py": `from ...m import X\n${PYTHON}`, "m.py": "X = 100\n" }],
];

for (const [what, verdict, files] of PYTHON_CASES) {
  test(`class 11 in Python: ${what} is ${verdict}`, async () => {
    const file = Object.keys(files)[0] ?? "";
    const lines = (files[file] ?? "").split("\n");
    assert.equal(await verdictOf(files, "`X` is not defined or imported.", file, lines.indexOf("X();") + 1), verdict);
  });
}

test("class 11: a finding about the whole file is not refuted by what comes after a use", async () => {
  const python = { "a.py": "r = X()\n\ndef X():\n    pass\n" };
  assert.equal(await verdictOf(python, "`X` is not defined.", "a.py", null), "unknown");
  const javascript = { "a.js": "const r = X();\nconst X = () => 1;\n" };
  assert.equal(await verdictOf(javascript, "`X` is not defined.", "a.js", null), "unknown");
});

test("class 11: what a Python module holds is not what it exports", async () => {
  const listed = { "a.py": "__all__ = ['other']\n\ndef X():\n    pass\n" };
  assert.equal(await verdictOf(listed, "`X` is not exported by this module.", "a.py", 3), "unknown");
  const own = { "a.py": "def _X():\n    pass\n" };
  assert.equal(await verdictOf(own, "`_X` is not exported by this module.", "a.py", 1), "unknown");
});

test("class 11: other languages and missing files are unknown", async () => {
  assert.equal(await verdictOf({ "a.go": "package a\nfunc X() {}\n" }, "`X` is not defined.", "a.go"), "unknown");
  assert.equal(await verdictOf({ "src/m.ts": M }, "`X` is not imported.", "src/gone.ts"), "unknown");
});

test("class 11: a refutation cites the import and the export, both re-read, and leaves a receipt (design, idea 3)", async () => {
  const workspace = createMemoryWorkspace({
    "src/a.ts": 'import {\n  X,\n} from "./m";\nX();\n',
    "src/m.ts": `\n${M}`,
  });
  const finding = await findingIn(workspace.repository, "`X` is not imported.", "src/a.ts", 4);
  const [, check] = await runChecks(finding, workspace.context, () => undefined);
  assert.deepEqual(
    check?.citations.map((citation) => `${citation.file}:${citation.line} ${citation.shown.trim()} ${citation.ok}`),
    ["src/a.ts:1 import { true", "src/m.ts:2 export const X = 1; true"],
  );
  assert.equal(check.receipts.length, 1);
});
