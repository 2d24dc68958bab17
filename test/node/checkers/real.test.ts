import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import type { FileAnswer } from "../../../src/core/checkers.ts";
import { NEVER, openCheckers } from "../../support/checkerFolder.ts";

/** A reason to skip, seen in the report, where a program of the test set-up could not be installed. */
function without(program: string, ...argv: readonly string[]): string | false {
  return spawnSync(program, argv).status === 0 ? false : `${program} is not installed`;
}

const noMypy = without("mypy", "--version");
const noShellcheck = without("shellcheck", "--version");
const noGo = without("go", "version");

function reportsOf(answer: FileAnswer): unknown[] {
  assert.ok(answer.kind === "covered", JSON.stringify(answer));
  return answer.reports.map(({ line, code, severity }) => [line, code, severity]);
}

function silenceOf(answer: FileAnswer): string | null {
  assert.ok(answer.kind === "covered", JSON.stringify(answer));
  return answer.silence;
}

const PYTHON = {
  "mypy.ini": "[mypy]\nstrict = True\nfiles = .\nexclude = ^ex/\n",
  "pkg/__init__.py": "",
  "pkg/a.py": "def f(x: int) -> str:\n    return x\n",
  "pkg/b.py": "def g(x: int) -> int:\n    return x\n",
  "ex/c.py": 'x: int = "a"\n',
};

test(
  "mypy: a report stands at its line, a clean file's silence counts, an excluded file is outside",
  { skip: noMypy },
  async (t) => {
    const { ask } = openCheckers(t, PYTHON);
    assert.deepEqual(reportsOf(await ask("mypy", "pkg/a.py")), [[2, "return-value", "error"]]);
    const clean = await ask("mypy", "pkg/b.py", { strict: true });
    assert.deepEqual(reportsOf(clean), []);
    assert.equal(silenceOf(clean), null);
    assert.equal((await ask("mypy", "ex/c.py")).kind, "excluded");
  },
);

test(
  "mypy: an import that is unresolved, or a setting that silences, makes silence worthless",
  { skip: noMypy },
  async (t) => {
    const missing = openCheckers(t, { ...PYTHON, "pkg/b.py": "import nowhere\n" });
    assert.match(silenceOf(await missing.ask("mypy", "pkg/__init__.py")) ?? "", /unresolved/);
    const quiet = openCheckers(t, { ...PYTHON, "mypy.ini": `${PYTHON["mypy.ini"]}ignore_missing_imports = True\n` });
    assert.match(silenceOf(await quiet.ask("mypy", "pkg/b.py")) ?? "", /silences/);
  },
);

test(
  "mypy: plugins, a Python of the repository's choice and report folders need a person's word, and nothing runs before",
  { skip: noMypy },
  async (t) => {
    for (const setting of [
      "plugins = ./evil.py",
      "Plugins: ./evil.py",
      "python_executable = ./evil",
      "html_report = /tmp/x",
    ]) {
      const { ask, checkers } = openCheckers(t, {
        ...PYTHON,
        "mypy.ini": `${PYTHON["mypy.ini"]}${setting}\n`,
        "evil.py": "raise SystemExit(3)\n",
      });
      const answer = await ask("mypy", "pkg/b.py");
      assert.ok(answer.kind === "unknown" && answer.proposal !== null, setting);
      assert.deepEqual(answer.receipts, []);
      assert.match(answer.proposal.line, /mypy --no-site-packages .*--config-file=\.\/mypy\.ini$/);
      assert.deepEqual(checkers.consent.proposals(), [answer.proposal]);
    }
  },
);

test("mypy: strict mode is asked of mypy where the claim is about it", { skip: noMypy }, async (t) => {
  const files = { "mypy.ini": "[mypy]\n", "a.py": "def f(x):\n    return x\n" };
  const { ask } = openCheckers(t, files);
  assert.deepEqual(reportsOf(await ask("mypy", "a.py")), []);
  assert.deepEqual(reportsOf(await ask("mypy", "a.py", { strict: true })), [[1, "no-untyped-def", "error"]]);
});

const HIDDEN: readonly (readonly [string, Record<string, string>])[] = [
  ["a quoted key", { "pyproject.toml": '[tool.mypy]\n"plugins" = ["evil.py"]\n' }],
  ["an escaped key", { "pyproject.toml": '[tool.mypy]\n"\\u0070lugins" = ["evil.py"]\n' }],
  ["a dotted table", { "pyproject.toml": '[tool]\nmypy = { plugins = ["evil.py"] }\n' }],
  ["an escaped table", { "pyproject.toml": '[tool."\\u006dypy"]\nplugins = ["evil.py"]\n' }],
  ["a file that version control ignores", { "mypy.ini": "[mypy]\nplugins = evil.py\n", ".gitignore": "mypy.ini\n" }],
];

for (const [what, files] of HIDDEN) {
  test(`mypy: a plugin hidden behind ${what} is not loaded without a person's word`, { skip: noMypy }, async (t) => {
    const evil = 'open("ran", "w").write("x")\ndef plugin(version):\n    raise SystemExit(3)\n';
    const { ask, root } = openCheckers(t, { "a.py": "a: int = 1\n", "evil.py": evil, ...files });
    await ask("mypy", "a.py");
    assert.equal(existsSync(path.join(root, "ran")), false);
  });
}

test(
  "shellcheck: reports stand at their lines; a script it could not follow is not cleared by silence",
  { skip: noShellcheck },
  async (t) => {
    const { ask } = openCheckers(t, {
      "a.sh": "#!/bin/sh\necho $1\n",
      "b.sh": '#!/bin/sh\necho "$1"\n',
      "c.sh": "#!/bin/sh\n. ./elsewhere.sh\n",
      "-rf.sh": "#!/bin/sh\necho $2\n",
    });
    assert.deepEqual(reportsOf(await ask("shellcheck", "a.sh")), [[2, "SC2086", "warning"]]);
    assert.equal(silenceOf(await ask("shellcheck", "b.sh")), null);
    assert.match(silenceOf(await ask("shellcheck", "c.sh")) ?? "", /SC1091/);
    assert.deepEqual(reportsOf(await ask("shellcheck", "-rf.sh")), [[2, "SC2086", "warning"]]);
  },
);

const GO = {
  "go.mod": "module example.com/shop\n\ngo 1.19\n",
  "main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Printf("%d\\n", "a")\n}\n',
  "sub/sub.go": "package sub\n\n// One is one.\nfunc One() int { return 1 }\n",
  "only_windows.go": "//go:build windows\n\npackage main\n\nfunc w() {}\n",
};

test(
  "go vet: analyzers' reports stand at their lines, clean files are silent, another platform's file is not known",
  { skip: noGo },
  async (t) => {
    const { ask } = openCheckers(t, GO);
    assert.deepEqual(reportsOf(await ask("go vet", "main.go")), [[6, "printf", "error"]]);
    assert.equal(silenceOf(await ask("go vet", "sub/sub.go")), null);
    assert.equal((await ask("go vet", "only_windows.go")).kind, "unknown");
  },
);

test(
  "go vet: a package that does not compile, or needs what is not here, gives no verdict",
  { skip: noGo },
  async (t) => {
    const broken = openCheckers(t, { ...GO, "sub/sub.go": "package sub\n\nfunc One() int { return x }\n" });
    assert.equal((await broken.ask("go vet", "main.go")).kind, "unknown");
    const needs = openCheckers(t, { ...GO, "sub/sub.go": 'package sub\n\nimport _ "example.org/not/here"\n' });
    assert.equal((await needs.ask("go vet", "main.go")).kind, "unknown");
  },
);

const WEB = {
  ".oxlintrc.json": JSON.stringify({ rules: { eqeqeq: "error" }, ignorePatterns: ["old"] }),
  "src/a.js": "export const same = (a, b) => a == b;\n",
  "src/b.js": "export const one = 1;\n",
  "src/broken.js": "export const = 1;\n",
  "old/c.js": "export const same = (a, b) => a == b;\n",
};

test("oxlint: its own list tells covered from excluded, and a file it cannot parse is not cleared", async (t) => {
  const { ask } = openCheckers(t, WEB);
  assert.deepEqual(reportsOf(await ask("oxlint", "src/a.js")), [[1, "eqeqeq", "error"]]);
  assert.equal(silenceOf(await ask("oxlint", "src/b.js")), null);
  assert.match(silenceOf(await ask("oxlint", "src/b.js", { code: "typescript/no-floating-promises" })) ?? "", /types/);
  assert.match(silenceOf(await ask("oxlint", "src/b.js", { code: "no-double-equals" })) ?? "", /another name/);
  assert.match(silenceOf(await ask("oxlint", "src/broken.js")) ?? "", /parse/);
  assert.equal((await ask("oxlint", "old/c.js")).kind, "excluded");
});

test("oxlint: a rule is on, off or unknown as its own resolved configuration and list say", async (t) => {
  const { checkers } = openCheckers(t, WEB);
  const rule = async (code: string): Promise<string> =>
    (await checkers.rule({ tool: "oxlint", file: "src/a.js", code, strict: false }, NEVER)).kind;
  assert.equal(await rule("eqeqeq"), "error");
  assert.equal(await rule("no-var"), "off");
  assert.equal(await rule("no-such-rule-anywhere"), "unknown");
});

const PROGRAMS: readonly (readonly [string, Record<string, string>])[] = [
  ["a plugin in JavaScript", { ".oxlintrc.json": JSON.stringify({ jsPlugins: ["./evil.js"] }) }],
  [
    "a plugin, in a configuration that version control ignores",
    { ".oxlintrc.json": JSON.stringify({ jsPlugins: ["./evil.js"] }), ".gitignore": ".oxlintrc.json\n" },
  ],
  ["a configuration that is a program", { "oxlint.config.ts": "export default {};\n" }],
  ["a plugin under an escaped name", { ".oxlintrc.json": '{"js\\u0050lugins":["./evil.js"]}' }],
  ["rules that start a type checker", { ".oxlintrc.json": JSON.stringify({ options: { typeAware: true } }) }],
];

for (const [what, files] of PROGRAMS) {
  test(`oxlint: with ${what} nothing is started before a person accepts the line`, async (t) => {
    const { ask } = openCheckers(t, { "src/b.js": WEB["src/b.js"], ...files, "evil.js": "process.exit(9)\n" });
    const answer = await ask("oxlint", "src/b.js");
    assert.ok(answer.kind === "unknown" && answer.proposal !== null, JSON.stringify(answer));
    assert.deepEqual(answer.receipts, []);
  });
}

test("oxlint: configurations in several folders are not mixed by us, so the answer is unknown", async (t) => {
  const { ask } = openCheckers(t, { ...WEB, "src/.oxlintrc.json": "{}" });
  assert.equal((await ask("oxlint", "src/a.js")).kind, "unknown");
});
