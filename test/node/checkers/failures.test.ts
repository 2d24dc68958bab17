import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { CHECKER_TOOLS, type CheckerTool } from "../../../src/core/checkerClaim.ts";
import type { Consent } from "../../../src/node/checkers/consent.ts";
import { CHECKERS } from "../../../src/node/checkers/table.ts";
import { NEVER, openCheckers, scratch } from "../../support/checkerFolder.ts";

/** A project of every checker, and the file that is asked about. */
const FILES: Readonly<Record<string, string>> = {
  "tsconfig.json": "{}",
  "eslint.config.js": "export default [];\n",
  "mypy.ini": "[mypy]\n",
  ".oxlintrc.json": "{}",
  "go.mod": "module example.com/x\n\ngo 1.19\n",
  ".semgrep.yml": "rules: []\n",
  "package.json": "{}",
  "package-lock.json": "{}",
  "src/a.ts": "export const a = 1;\n",
  "a.py": "a = 1\n",
  "a.go": "package x\n",
  "a.sh": "echo\n",
};

const ABOUT: Readonly<Record<CheckerTool, string>> = {
  tsc: "src/a.ts",
  mypy: "a.py",
  pyright: "a.py",
  ruff: "a.py",
  biome: "src/a.ts",
  oxlint: "src/a.ts",
  eslint: "src/a.ts",
  "go vet": "a.go",
  shellcheck: "a.sh",
  gosec: "a.go",
  bandit: "a.py",
  semgrep: "a.py",
  "npm audit": "package.json",
};

/** What each program says when it is asked for its version. */
const VERSIONS: Readonly<Record<CheckerTool, string>> = {
  tsc: "Version 7.0.2",
  mypy: "mypy 1.0.1 (compiled: yes)",
  pyright: "pyright 1.1.414",
  ruff: "ruff 0.16.9",
  biome: "Version: 2.6.8",
  oxlint: "Version: 1.94.0",
  eslint: "v9.39.5",
  "go vet": "go version go1.19.8 linux/amd64",
  shellcheck: "ShellCheck - shell script analysis tool\nversion: 0.9.0\nlicense: x",
  gosec: "Version: 2.22.0",
  bandit: "bandit 1.6.2\n  python version = 3",
  semgrep: "1.100.0",
  "npm audit": "11.19.1",
};

const everythingAllowed: Consent = {
  allows: async () => true,
  propose: () => undefined,
  proposed: () => null,
  proposals: () => [],
  accept: async () => undefined,
  remembered: async () => [],
  release: () => undefined,
  revoke: async () => false,
};

/** A shell script for a program's name: `version` for its own question, `body` for every other. */
function fake(folder: string, tool: CheckerTool, version: string, body: string): string {
  const { program, versionArgv } = CHECKERS[tool];
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, program);
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$*" = '${versionArgv.join(" ")}' ]; then cat <<'VERSION'\n${version}\nVERSION\nexit 0; fi\n${body}\n`,
  );
  chmodSync(file, 0o755);
  return folder;
}

const JSON_OF_ANOTHER =
  '{"results":3,"diagnostics":{},"comments":"","runs":[],"version":"x","summary":[],"generalDiagnostics":0}';

const WAYS: readonly (readonly [string, string])[] = [
  ["says nothing and exits with 2", "exit 2"],
  ["crashes with a message", "echo 'panic: index out of range' >&2; exit 101"],
  ["is killed", "kill -KILL $$"],
  ["hangs, and so does what it started", "sleep 60 & sleep 60; wait"],
  ["prints garbage and exits with 0", "echo '%%% no such thing %%%'"],
  ["prints garbage and exits with 1", "echo '%%% no such thing %%%'; exit 1"],
  ["answers in another version's form", `echo '${JSON_OF_ANOTHER}'`],
  ["answers in another version's form and exits with 1", `echo '${JSON_OF_ANOTHER}'; exit 1`],
  ["prints half an answer", `printf '{"diagnostics":[{"message":"x"'; exit 1`],
];

const SYSTEM = "/usr/bin:/bin";

for (const tool of CHECKER_TOOLS) {
  const question = { tool, file: ABOUT[tool], code: "some-rule", strict: false };
  for (const [what, body] of WAYS) {
    test(`${tool}: where it ${what}, the answer is unknown`, async (t) => {
      const searchPath = `${fake(scratch(t), tool, VERSIONS[tool], body)}:${SYSTEM}`;
      const more = { searchPath, consent: everythingAllowed, longestMs: 900 };
      const { checkers } = openCheckers(t, FILES, more);
      const answer = await checkers.report(question, NEVER);
      assert.ok(answer.kind === "unknown", JSON.stringify(answer));
      assert.ok(answer.receipts.length > 0, `it was started: ${answer.why}`);
      assert.equal((await checkers.rule(question, NEVER)).kind, "unknown");
    });
  }

  test(`${tool}: where it is not there, or does not tell its version in the known way, it is not asked`, async (t) => {
    const empty = scratch(t);
    const none = openCheckers(t, FILES, { searchPath: empty, consent: everythingAllowed });
    const missing = await none.checkers.report(question, NEVER);
    assert.ok(missing.kind === "unknown" && missing.receipts.length === 0);
    assert.match(missing.why, /not found/);
    const searchPath = `${fake(scratch(t), tool, "edition IV", "touch ran")}:${SYSTEM}`;
    const odd = openCheckers(t, FILES, { searchPath, consent: everythingAllowed });
    const answer = await odd.checkers.report(question, NEVER);
    assert.ok(answer.kind === "unknown" && answer.receipts.length === 0);
    assert.match(answer.why, /version/);
  });
}

test("a checker that prints more than is read has given no answer", async (t) => {
  const folder = fake(scratch(t), "shellcheck", VERSIONS.shellcheck, "head -c 17000000 /dev/zero");
  const { checkers } = openCheckers(t, FILES, { searchPath: `${folder}:${SYSTEM}` });
  const answer = await checkers.report({ tool: "shellcheck", file: "a.sh", code: null, strict: false }, NEVER);
  assert.ok(answer.kind === "unknown");
  assert.match(answer.why, /more than is read|stopped/);
});
