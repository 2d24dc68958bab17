import assert from "node:assert/strict";
import test from "node:test";
import { declaredMinimum } from "../../../src/core/checks/declaredVersion.ts";
import { compareVersions, FEATURES } from "../../../src/core/checks/versionTable.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

async function settle(message: string, files: Readonly<Record<string, string>>, file: string): Promise<string> {
  const workspace = createMemoryWorkspace(files);
  const finding = await findingIn(workspace.repository, message, file, 1, { severity: "P2" });
  const checks = await runChecks(finding, workspace.context, () => undefined);
  return checks.find(({ atom }) => atom?.claimClass === 14)?.verdict ?? "no version claim";
}

const node = (range: string): string => `{\n  "engines": { "node": "${range}" }\n}\n`;
const CLONE = "export const copy = structuredClone(first);\n";
const OLDER = "`structuredClone` is not available in older Node versions.";

const CASES: readonly (readonly [string, string, Record<string, string>, string, string])[] = [
  ["declared newer", OLDER, { "package.json": node(">=18"), "a.js": CLONE }, "a.js", "refuted"],
  ["declared older and used", OLDER, { "package.json": node(">=16.0.0"), "a.js": CLONE }, "a.js", "confirmed"],
  ["declared older, not used", OLDER, { "package.json": node(">=16"), "a.js": "x();\n" }, "a.js", "unknown"],
  ["one alternative older", OLDER, { "package.json": node("^16 || >=18"), "a.js": CLONE }, "a.js", "confirmed"],
  ["nothing declared", OLDER, { "package.json": "{}\n", "a.js": CLONE }, "a.js", "unknown"],
  ["a range without a lower bound", OLDER, { "package.json": node("<22"), "a.js": CLONE }, "a.js", "unknown"],
  ["a hyphen range", OLDER, { "package.json": node("16 - 20"), "a.js": CLONE }, "a.js", "unknown"],
  [
    "a browser package",
    OLDER,
    { "package.json": '{ "browser": "x.js",\n"engines": { "node": ">=18" } }\n', "a.js": CLONE },
    "a.js",
    "unknown",
  ],
  [
    "an editor extension",
    OLDER,
    { "package.json": '{ "engines": { "vscode": "^1.90", "node": ">=18" } }\n', "a.js": CLONE },
    "a.js",
    "unknown",
  ],
  [
    "the nearest declaration counts",
    OLDER,
    { "package.json": node(">=18"), "p/package.json": node(">=16"), "p/a.js": CLONE },
    "p/a.js",
    "confirmed",
  ],
  [
    "a named version that has it",
    "`structuredClone` is not available in Node 18.",
    { "a.js": CLONE },
    "a.js",
    "refuted",
  ],
  [
    "a named version that lacks it and is supported",
    "structuredClone() is not supported in Node.js 16.",
    { "package.json": node(">=14"), "a.js": CLONE },
    "a.js",
    "confirmed",
  ],
  [
    "a named version that lacks it and is not supported",
    "`structuredClone` is not available in Node 16.",
    { "package.json": node(">=18"), "a.js": CLONE },
    "a.js",
    "unknown",
  ],
  [
    "syntax that a compiler translates",
    "optional chaining is not supported in older Node versions.",
    { "package.json": node(">=12"), "a.ts": "a?.b;\n" },
    "a.ts",
    "unknown",
  ],
  [
    "syntax that runs as it is",
    "optional chaining is not supported in older Node versions.",
    { "package.json": node(">=12"), "a.js": "const first = cart?.items;\n" },
    "a.js",
    "confirmed",
  ],
  [
    "Python",
    "`removeprefix` is not available in the minimum supported Python version.",
    { "pyproject.toml": '[project]\nrequires-python = ">=3.8,<4"\n', "a.py": "x = name.removeprefix('a')\n" },
    "a.py",
    "confirmed",
  ],
  [
    "Python, newer",
    "`removeprefix` is not available in older Python versions.",
    { "setup.cfg": "[options]\npython_requires = >=3.9\n", "a.py": "x = name.removeprefix('a')\n" },
    "a.py",
    "refuted",
  ],
  [
    "a feature that the table does not hold",
    "`frobnicate` is not available in older Node versions.",
    { "package.json": node(">=18"), "a.js": CLONE },
    "a.js",
    "no version claim",
  ],
  [
    "a claim with more in it",
    "`structuredClone` is not available in older Node versions on Windows.",
    { "package.json": node(">=18"), "a.js": CLONE },
    "a.js",
    "no version claim",
  ],
  [
    "a hedge",
    "`structuredClone` may not be available in older Node versions.",
    { "package.json": node(">=18"), "a.js": CLONE },
    "a.js",
    "no version claim",
  ],
  [
    "Go, one variable an iteration",
    "Loop variable `v` is captured by the goroutine.",
    { "go.mod": "module x\n\ngo 1.22\n", "a.go": "package x\n" },
    "a.go",
    "refuted",
  ],
  [
    "Go, one variable a loop",
    "Loop variable `v` is captured by the goroutine.",
    { "go.mod": "module x\n\ngo 1.21\n", "a.go": "package x\n" },
    "a.go",
    "unknown",
  ],
  [
    "Go with a build constraint",
    "Loop variable `v` is captured by the goroutine.",
    { "go.mod": "module x\n\ngo 1.22\n", "a.go": "//go:build go1.20\n\npackage x\n" },
    "a.go",
    "unknown",
  ],
  [
    "JavaScript",
    "Loop variable `v` is captured by the closure.",
    { "go.mod": "module x\n\ngo 1.22\n", "a.js": "x();\n" },
    "a.js",
    "unknown",
  ],
];

const PYTHON = { "pyproject.toml": '[project]\nrequires-python = ">=3.8"\n' };
const OLD_PYTHON = (name: string): string => `\`${name}\` is not available in older Python versions.`;
const CHAIN = "optional chaining is not supported in older Node versions.";
const GO = { "go.mod": "module x\n\ngo 1.22\n" };

/** Uses that a lower version may survive, and versions that do not bind: confirming or refuting would not be entailed. */
const OPEN: readonly (readonly [string, string, Record<string, string>, string])[] = [
  [
    "Python that asks for its version",
    OLD_PYTHON("tomllib"),
    { ...PYTHON, "a.py": "if sys.version_info >= (3, 11):\n    import tomllib\nelse:\n    import tomli as tomllib\n" },
    "a.py",
  ],
  [
    "Python that catches the failed import",
    OLD_PYTHON("tomllib"),
    { ...PYTHON, "a.py": "try:\n    import tomllib\nexcept ModuleNotFoundError:\n    tomllib = None\n" },
    "a.py",
  ],
  [
    "a backport of that name",
    OLD_PYTHON("StrEnum"),
    { ...PYTHON, "a.py": "from strenum import StrEnum\nprint(StrEnum)\n" },
    "a.py",
  ],
  [
    "a function of its own",
    OLD_PYTHON("batched"),
    { ...PYTHON, "a.py": "def batched(x, n):\n    pass\n\nbatched(a, 2)\n" },
    "a.py",
  ],
  [
    "a method of its own",
    OLD_PYTHON("removeprefix"),
    { ...PYTHON, "a.py": "class A:\n    def removeprefix(self, x):\n        pass\n\nA().removeprefix('a')\n" },
    "a.py",
  ],
  [
    "code that asks whether it is there",
    OLDER,
    {
      "package.json": node(">=16"),
      "a.js": "const c = typeof structuredClone === 'function' ? structuredClone(x) : y;\n",
    },
    "a.js",
  ],
  [
    "an import of that name",
    OLDER,
    { "package.json": node(">=16"), "a.js": "import structuredClone from 'clone';\nconst c = structuredClone(x);\n" },
    "a.js",
  ],
  [
    "a polyfill",
    OLDER,
    { "package.json": node(">=16"), "a.js": "import 'core-js/actual';\nconst c = structuredClone(x);\n" },
    "a.js",
  ],
  [
    "a polyfill among the dependencies",
    OLDER,
    { "package.json": node(">=16").replace("{", '{ "dependencies": { "core-js": "3" },'), "a.js": CLONE },
    "a.js",
  ],
  ["markup, which is translated", CHAIN, { "package.json": node(">=12"), "a.jsx": "const a = b?.c;\n" }, "a.jsx"],
  [
    "a project that translates",
    CHAIN,
    {
      "package.json": node(">=12").replace("{", '{ "devDependencies": { "@babel/core": "7" },'),
      "a.js": "const a = b?.c;\n",
    },
    "a.js",
  ],
  [
    "a method that other things have too",
    "`Array.prototype.at` is not available in older Node versions.",
    { "package.json": node(">=14"), "a.js": "const first = cursor.at(3);\n" },
    "a.js",
  ],
  [
    "a line of versions of which some have it",
    "`Object.hasOwn` is not available in Node 16.",
    { "package.json": node(">=14"), "a.js": "const a = Object.hasOwn(b, c);\n" },
    "a.js",
  ],
  [
    "a package that declares nothing, inside one that does",
    OLDER,
    { "package.json": node(">=20"), "p/package.json": '{ "name": "p" }\n', "p/a.js": CLONE },
    "p/a.js",
  ],
  [
    "a Go module that declares nothing, inside one that does",
    "Loop variable `v` is captured by the goroutine.",
    { ...GO, "p/go.mod": "module p\n", "p/a.go": "package p\n" },
    "p/a.go",
  ],
  [
    "a Go loop that assigns to a variable from outside it",
    "Loop variable `v` is captured by the goroutine.",
    {
      ...GO,
      "a.go": "package x\n\nfunc f() {\n\tvar v T\n\tfor _, v = range xs {\n\t\tgo func() { use(v) }()\n\t}\n}\n",
    },
    "a.go",
  ],
  [
    "a Go function of its own",
    "`clear builtin` is not available in older Go versions.",
    { "go.mod": "module x\n\ngo 1.20\n", "a.go": "package x\n\nfunc clear(m M) {}\n" },
    "a.go",
  ],
];

for (const [what, message, files, file] of OPEN) {
  test(`class 14: ${what}: unknown`, async () => {
    assert.equal(await settle(message, files, file), "unknown");
  });
}

test("class 14: a Go loop that declares its variable has one an iteration", async () => {
  const files = {
    ...GO,
    "a.go": "package x\n\nfunc f() {\n\tfor _, v := range xs {\n\t\tgo func() { use(v) }()\n\t}\n}\n",
  };
  assert.equal(await settle("Loop variable `v` is captured by the goroutine.", files, "a.go"), "refuted");
});

for (const [what, message, files, file, verdict] of CASES) {
  test(`class 14: ${what}: ${verdict}`, async () => {
    assert.equal(await settle(message, files, file), verdict);
  });
}

test("class 14: a comment or a string that names a feature is no use of it", async () => {
  const files = { "package.json": node(">=16"), "a.js": '// structuredClone(x)\nlog("structuredClone(x)");\n' };
  assert.equal(await settle(OLDER, files, "a.js"), "unknown");
});

const RANGES: readonly (readonly [string, string | null])[] = [
  [">=18", "18"],
  ["^18.17.0", "18.17.0"],
  ["~18.1", "18.1"],
  ["18.x", "18"],
  ["v18", "18"],
  [">=16 <21", "16"],
  ["^14 || ^16", "14"],
  ["*", null],
  ["", null],
  [">18", null],
  ["<20", null],
  ["14 - 16", null],
  [">=14 >=16", null],
  ["latest", null],
  ["^18 || *", null],
];

test("class 14: a range of versions gives its lowest, or nothing where that is not plain to read", async () => {
  for (const [range, minimum] of RANGES) {
    const { repository } = createMemoryWorkspace({ "package.json": node(range) });
    assert.equal((await declaredMinimum("node", "src/a.js", repository))?.minimum ?? null, minimum, range);
  }
});

test("class 14: the table names each feature once, with a version that can be compared", () => {
  const names = FEATURES.flatMap(({ runtime, names: own }) => own.map((name) => `${runtime} ${name}`));
  assert.equal(new Set(names).size, names.length);
  for (const { since } of FEATURES) assert.match(since, /^\d+\.\d+$/);
  assert.ok(compareVersions("3.10", "3.9") > 0);
  assert.ok(compareVersions("18", "18.0.1") < 0);
});
