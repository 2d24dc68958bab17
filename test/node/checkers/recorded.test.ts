import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import * as z from "zod";
import type { CheckerTool } from "../../../src/core/checkerClaim.ts";
import type { FileAnswer } from "../../../src/core/checkers.ts";
import { standIn } from "../../../src/node/checkers/eslint.ts";
import { fakeProgram, NEVER, openCheckers, recordedEslint, scratch, type Opened } from "../../support/checkerFolder.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures");

/** A program that answers by its arguments from files recorded of its real runs; `{{ROOT}}` is the folder it runs in. */
function player(
  t: TestContext,
  name: string,
  version: string,
  answers: readonly (readonly [when: string, file: string, code: number])[],
): string {
  const rows = answers.map(([when, file, code]) => [when, path.join(FIXTURES, file), code]);
  return fakeProgram(
    scratch(t),
    name,
    `const { readFileSync } = require("node:fs");
const line = argv.join(" ");
if (/^(--|-)?version$/.test(line)) process.stdout.write(${JSON.stringify(`${version}\n`)});
else {
  const row = ${JSON.stringify(rows)}.find(([when]) => line.includes(when));
  if (row === undefined) process.exit(70);
  process.stdout.write(readFileSync(row[1], "utf8").replaceAll("{{ROOT}}", process.cwd()));
  process.exitCode = row[2];
}`,
  );
}

function open(t: TestContext, program: string, files: Readonly<Record<string, string>>): Opened {
  return openCheckers(t, files, {
    searchPath: [program, path.dirname(process.execPath), "/usr/bin", "/bin"].join(path.delimiter),
  });
}

function reports(answer: FileAnswer): unknown[] {
  assert.ok(answer.kind === "covered", JSON.stringify(answer));
  return answer.reports.map(({ line, code }) => [line, code]);
}

const silence = (answer: FileAnswer): string | null | undefined =>
  answer.kind === "covered" ? answer.silence : undefined;

const PYTHON = {
  "pyproject.toml": "[tool.ruff]\n",
  "pkg/__init__.py": "",
  "pkg/a.py": "",
  "pkg/b.py": "",
  "ex/c.py": "",
};

const ruff = (t: TestContext): string =>
  player(t, "ruff", "ruff 0.16.9", [
    ["--show-files", "checkers/ruff/files.out", 0],
    ["--show-settings", "checkers/ruff/settings.out", 0],
    ["rule --all", "checkers/ruff/rules.json", 0],
    ["--output-format json", "checkers/ruff/report.json", 1],
  ]);

test("ruff, recorded: reports, the listing and what it leaves out", async (t) => {
  const { ask } = open(t, ruff(t), PYTHON);
  assert.deepEqual(reports(await ask("ruff", "pkg/a.py")), [
    [1, "F401"],
    [8, "F821"],
  ]);
  assert.equal(silence(await ask("ruff", "pkg/__init__.py")), null);
  assert.equal((await ask("ruff", "ex/c.py")).kind, "excluded");
});

test("ruff and biome, recorded: silence about a name that they do not print proves nothing (class 3)", async (t) => {
  const python = open(t, ruff(t), PYTHON);
  for (const code of ["unused-import", "TCH001"])
    assert.match(silence(await python.ask("ruff", "pkg/__init__.py", { code })) ?? "", /another name/, code);
  assert.equal(silence(await python.ask("ruff", "pkg/__init__.py", { code: "F401" })), null);
  const program = player(t, "biome", "Version: 2.6.8", [
    ["--reporter=json", "checkers/biome/report.json", 1],
    ["--verbose", "checkers/biome/verbose.out", 1],
  ]);
  const { ask } = open(t, program, { "biome.json": "{}", "src/a.js": "", "src/b.js": "", "src/broken.js": "" });
  assert.match(silence(await ask("biome", "src/b.js", { code: "eqeqeq" })) ?? "", /no name of a rule/);
  assert.equal(silence(await ask("biome", "src/b.js", { code: "lint/suspicious/noDoubleEquals" })), null);
});

test("go vet: silence about a name that is none of its analyzers proves nothing (class 3)", async (t) => {
  const body = `if (argv[0] === "version") process.stdout.write("go version go1.24.0 linux/amd64\\n");
else if (argv[0] === "list") process.stdout.write(JSON.stringify({ Dir: process.cwd(), GoFiles: ["a.go"] }, null, "\\t") + "\\n");
else process.stderr.write("# x\\n{}\\n");`;
  const { ask } = open(t, fakeProgram(scratch(t), "go", body), {
    "go.mod": "module x\n\ngo 1.24\n",
    "a.go": "package x\n",
  });
  assert.match(silence(await ask("go vet", "a.go", { code: "printf-args" })) ?? "", /not known to be a name/);
  assert.equal(silence(await ask("go vet", "a.go", { code: "printf" })), null);
});

test("eslint: a rule that a plugin stands in for is not off (class 2)", () => {
  const rules = { "no-unused-vars": [0], "@typescript-eslint/no-unused-vars": [2, {}], "x/no-eval": [0] } as const;
  assert.equal(standIn("no-unused-vars", rules), "@typescript-eslint/no-unused-vars");
  assert.equal(standIn("no-eval", rules), null);
});

const RUFF_RULES: readonly (readonly [string, string])[] = [
  ["F401", "error"],
  ["unused-import", "error"],
  ["E501", "off"],
  ["D100", "off"],
  ["QQZ123", "absent"],
  ["F9999", "unknown"],
  ["no-such-name", "unknown"],
];

for (const [code, expected] of RUFF_RULES) {
  test(`ruff, recorded: the rule ${code} is ${expected} by its registry and resolved settings`, async (t) => {
    const { checkers } = open(t, ruff(t), PYTHON);
    const answer = await checkers.rule({ tool: "ruff", file: "pkg/a.py", code, strict: false }, NEVER);
    assert.equal(answer.kind, expected, JSON.stringify(answer).slice(0, 300));
  });
}

test("ruff, recorded: settings resolved for another file than the one asked about settle nothing", async (t) => {
  const { checkers } = open(t, ruff(t), PYTHON);
  assert.equal(
    (await checkers.rule({ tool: "ruff", file: "pkg/b.py", code: "E501", strict: false }, NEVER)).kind,
    "unknown",
  );
});

test("biome, recorded: reports, the list of processed files, and a file it could not parse", async (t) => {
  const program = player(t, "biome", "Version: 2.6.8", [
    ["--reporter=json", "checkers/biome/report.json", 1],
    ["--verbose", "checkers/biome/verbose.out", 1],
  ]);
  const { ask } = open(t, program, {
    "biome.json": "{}",
    "src/a.js": "",
    "src/b.js": "",
    "src/broken.js": "",
    "ignored/c.js": "",
  });
  assert.deepEqual(reports(await ask("biome", "src/a.js")), [[2, "lint/suspicious/noDoubleEquals"]]);
  assert.equal(silence(await ask("biome", "src/b.js")), null);
  assert.match(silence(await ask("biome", "src/broken.js")) ?? "", /parse/);
  assert.equal((await ask("biome", "ignored/c.js")).kind, "excluded");
});

test("pyright, recorded: its reports count, its silence and its coverage do not", async (t) => {
  const { ask } = open(
    t,
    player(t, "pyright", "pyright 1.1.414", [["--outputjson", "checkers/pyright/report.json", 1]]),
    PYTHON,
  );
  const answer = await ask("pyright", "pkg/a.py");
  assert.deepEqual(reports(answer), [
    [4, "reportReturnType"],
    [8, "reportUndefinedVariable"],
  ]);
  assert.match(silence(answer) ?? "", /does not list/);
  assert.equal((await ask("pyright", "pkg/__init__.py")).kind, "unknown");
});

const SCANNERS: readonly (readonly [
  CheckerTool,
  string,
  string,
  string,
  string,
  number,
  Record<string, string>,
  string,
  unknown[],
])[] = [
  [
    "bandit",
    "bandit",
    "bandit 1.6.2\n  python version = 3.11.2",
    "-f json",
    "checkers/bandit/report.json",
    1,
    { "s.py": "" },
    "s.py",
    [
      [1, "B404"],
      [2, "B607"],
      [2, "B602"],
    ],
  ],
  [
    "gosec",
    "gosec",
    "Version: 2.22.0",
    "-fmt=sarif",
    "samples/sarif/gosec-taxonomies.sarif",
    1,
    { "pkg/jwt/generator.go": "" },
    "pkg/jwt/generator.go",
    [[54, "G304"]],
  ],
  [
    "semgrep",
    "semgrep",
    "1.100.0",
    "scan --json",
    "samples/json/semgrep-many.json",
    0,
    { ".semgrep.yml": "rules: []\n", "src/main/java/org/owasp/benchmark/testcode/BenchmarkTest02194.java": "" },
    "src/main/java/org/owasp/benchmark/testcode/BenchmarkTest02194.java",
    [[64, "java.lang.security.audit.cbc-padding-oracle.cbc-padding-oracle"]],
  ],
];

for (const [tool, name, version, when, file, code, files, about, expected] of SCANNERS) {
  test(`${tool}, recorded: its report confirms, its silence proves nothing (claims.md 3)`, async (t) => {
    const { ask } = open(t, player(t, name, version, [[when, file, code]]), {
      ...files,
      "clean.py": "",
      "clean.go": "",
    });
    const answer = await ask(tool, about);
    const found = reports(answer);
    for (const row of expected)
      assert.ok(
        found.some((one) => JSON.stringify(one) === JSON.stringify(row)),
        JSON.stringify(found),
      );
    assert.match(silence(answer) ?? "", /scanner/);
    assert.equal((await ask(tool, tool === "gosec" ? "clean.go" : "clean.py")).kind, "unknown");
  });
}

const LOCKED = {
  "package.json": '{\n  "dependencies": {\n    "lodash": "4.17.15"\n  }\n}\n',
  "package-lock.json": "{}",
  ".npmrc": "registry=https://evil.example/\nscript-shell=./evil\n",
};

test("npm audit: asked for before it sends anything, run without the repository's .npmrc, and a refusal is no verdict", async (t) => {
  const program = player(t, "npm", "11.19.1", [["audit --json", "checkers/npm-audit/refused.json", 1]]);
  const { ask, checkers } = open(t, program, LOCKED);
  const before = await ask("npm audit", "package.json");
  assert.ok(before.kind === "unknown" && before.proposal !== null);
  assert.match(
    before.proposal.line,
    /npm audit --json --package-lock-only --ignore-scripts --registry=https:\/\/registry\.npmjs\.org\/$/,
  );
  await checkers.consent.accept(before.proposal.line, false);
  const after = await ask("npm audit", "package.json");
  assert.ok(after.kind === "unknown" && after.proposal === null && after.receipts.length === 1);
  assert.match(after.why, /no verdict/);
});

test("npm audit: an advisory is reported at the line that names its package, under its own number", async (t) => {
  const body = `if (argv[0] === "--version") console.log("11.19.1");
else {
  if (require("node:fs").readdirSync(".").join() !== "package-lock.json,package.json") process.exit(70);
  const via = [{ source: 1, name: "lodash", title: "Prototype Pollution in lodash", url: "https://github.com/advisories/GHSA-p6mc-m468-83gw", severity: "high" }, "other"];
  console.log(JSON.stringify({ auditReportVersion: 2, vulnerabilities: { lodash: { name: "lodash", severity: "high", via } }, metadata: {} }));
  process.exitCode = 1;
}`;
  const { ask, checkers } = open(t, fakeProgram(scratch(t), "npm", body), LOCKED);
  await ask("npm audit", "package.json");
  for (const { line } of checkers.consent.proposals()) await checkers.consent.accept(line, false);
  assert.deepEqual(reports(await ask("npm audit", "package.json")), [[3, "GHSA-p6mc-m468-83gw"]]);
});

const SHOP = {
  "eslint.config.mjs": "export default [];\n",
  "src/cart.ts": "",
  "src/config.ts": "",
  "src/legacy/report.ts": "",
};

const ESLINT_RULES: readonly (readonly [string, string])[] = [
  ["no-eval", "error"],
  ["no-empty", "warn"],
  ["eqeqeq", "off"],
  ["no-floating-await", "absent"],
  ["no-floating-promises", "unknown"],
  ["eqeqeqe", "unknown"],
  ["no-evall", "unknown"],
  ["import/no-cycle", "unknown"],
];

for (const [code, expected] of ESLINT_RULES) {
  test(`eslint, recorded: with its lines accepted, the rule ${code} is ${expected} for this file`, async (t) => {
    const { checkers } = open(t, recordedEslint(scratch(t)), SHOP);
    const question = { tool: "eslint", file: "src/cart.ts", code, strict: false } as const;
    assert.equal((await checkers.rule(question, NEVER)).kind, "unknown");
    assert.match(
      checkers.consent
        .proposals()
        .map(({ line }) => line)
        .join("\n"),
      /^\S+\/eslint --print-config \.\/src\/cart\.ts$/,
    );
    for (const { line } of checkers.consent.proposals()) await checkers.consent.accept(line, false);
    assert.equal((await checkers.rule(question, NEVER)).kind, expected);
  });
}

test("eslint, recorded: a parse error makes its silence worthless, a file it does not name is not known to be covered", async (t) => {
  const { ask, checkers } = open(t, recordedEslint(scratch(t)), SHOP);
  await ask("eslint", "src/cart.ts");
  for (const { line } of checkers.consent.proposals()) await checkers.consent.accept(line, false);
  assert.match(silence(await ask("eslint", "src/cart.ts")) ?? "", /parse/);
  assert.equal(silence(await ask("eslint", "src/config.ts")), null);
  assert.equal((await ask("eslint", "src/legacy/report.ts")).kind, "unknown");
});

test("the recorded lists are whole: ruff's and ESLint's registries hold hundreds of rules", () => {
  const list = (file: string): unknown[] =>
    z.array(z.unknown()).parse(JSON.parse(readFileSync(path.join(FIXTURES, file), "utf8")));
  assert.ok(list("checkers/ruff/rules.json").length > 500);
  assert.ok(list("checkers/eslint/rules.json").length > 200);
});

test("bandit: a file that supplies arguments of the repository's choosing needs a person's word first", async (t) => {
  const { ask } = open(t, player(t, "bandit", "bandit 1.6.2\n  python version = 3", []), {
    "a.py": "",
    "sub/.bandit": "[bandit]\noutput: /tmp/x\n",
  });
  const answer = await ask("bandit", "a.py");
  assert.ok(
    answer.kind === "unknown" && answer.proposal !== null && answer.receipts.length === 0,
    JSON.stringify(answer),
  );
});
