import assert from "node:assert/strict";
import test from "node:test";
import { hardFact } from "../../../src/core/hard.ts";
import type { DiagnosticInput } from "../../../src/core/intake/diagnostic.ts";
import { fromDiagnostic } from "../../../src/core/intake/diagnostic.ts";
import type { EditorDiagnostic } from "../../../src/protocol/worker.ts";

const diagnostic = (more: Partial<EditorDiagnostic> = {}): EditorDiagnostic => ({
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
  severity: "warning",
  source: "eslint",
  code: "no-undef",
  codeHref: "https://eslint.example/no-undef",
  message: "'x' is not defined.",
  tags: [],
  related: [],
  ...more,
});

test("a 0-based diagnostic becomes a 1-based claim with an exclusive end column", () => {
  const input: DiagnosticInput = diagnostic();
  const found = fromDiagnostic(input, "src/a.ts");
  assert.deepEqual(found.span, { line: 1, endLine: 1, column: 1, endColumn: 6 });
  assert.deepEqual([found.path, found.pointer, found.tool, found.rule], ["src/a.ts", "L1", "ESLint", "no-undef"]);
  assert.equal(found.prose, false);
});

for (const [severity, expected] of [
  ["error", "P1"],
  ["warning", "P2"],
  ["information", "Nit"],
  ["hint", "Nit"],
] as const) {
  test(`C2: a diagnostic of severity ${severity} is ${expected}`, () => {
    const found = fromDiagnostic(diagnostic({ severity }), "a.ts");
    assert.equal(found.severity, expected);
    assert.deepEqual(found.sourceSeverity, { scale: "editor", value: severity });
  });
}

test("C2: P0 comes only from an explicit tag", () => {
  assert.equal(fromDiagnostic(diagnostic({ message: "[P0] drops the table" }), "a.ts").severity, "P0");
});

test("C2: the editor's scale can be mapped otherwise", () => {
  assert.equal(fromDiagnostic(diagnostic(), "a.ts", { editor: { warning: "P1" } }).severity, "P1");
});

test("ruling 7: a TypeScript error of the editor is a compile error, its hint is not", () => {
  const error = diagnostic({ source: "ts", code: "2304", severity: "error" });
  assert.equal(fromDiagnostic(error, "a.ts").rule, "TS2304");
  assert.equal(hardFact(fromDiagnostic(error, "a.ts")), "compile-error");
  assert.equal(hardFact(fromDiagnostic({ ...error, severity: "hint" }, "a.ts")), null);
});

test("related places become 1-based paths; an unknown or absent source keeps a name", () => {
  const related = [{ uri: "file:///ws/b%20c.ts", line: 4, message: "declared here" }];
  const found = fromDiagnostic(diagnostic({ related, source: "my-linter" }), "a.ts");
  assert.deepEqual([found.related[0]?.path, found.related[0]?.span.line], ["/ws/b c.ts", 5]);
  assert.equal(found.tool, "my-linter");
  assert.equal(fromDiagnostic(diagnostic({ source: null }), "a.ts").tool, "editor");
});

for (const [source, code, tool, rule, path] of [
  ["ts", "2304", "TypeScript", "TS2304", "a.ts"],
  ["oxc", "eslint(no-undef)", "oxlint", "no-undef", "a.ts"],
  ["oxc", "typescript-eslint(no-explicit-any)", "oxlint", "typescript-eslint/no-explicit-any", "a.ts"],
  ["Pylint", "C0301:line-too-long", "Pylint", "C0301", "a.py"],
  ["Pylance", "reportUndefinedVariable", "Pylance", "reportUndefinedVariable", "a.py"],
  ["shellcheck", "2086", "ShellCheck", "SC2086", "a.sh"],
  ["printf", "default", "gopls", "printf", "a.go"],
  ["printf", "x", "printf", "x", "a.c"],
  ["rustc", "E0502", "rustc", "E0502", "a.rs"],
  ["clang-tidy", "bugprone-branch-clone", "clang-tidy", "bugprone-branch-clone", "a.cpp"],
  ["sonarlint", "typescript:S1854", "SonarQube for IDE", "typescript:S1854", "a.ts"],
  [" ", null, "editor", null, "a.ts"],
] as const) {
  test(`the source "${source}" with code ${code} is ${tool}, rule ${rule}`, () => {
    const found = fromDiagnostic(diagnostic({ source, code }), path);
    assert.deepEqual([found.tool, found.rule], [tool, rule]);
  });
}

test("code, address and tags of a diagnostic are kept as they were", () => {
  const found = fromDiagnostic(
    diagnostic({ code: "6133", source: "ts", tags: ["unnecessary"], severity: "hint" }),
    "a.ts",
  );
  assert.equal(found.helpUri, "https://eslint.example/no-undef");
  assert.deepEqual(found.extra, { level: "hint", tags: ["unnecessary"], source: "ts", code: "6133" });
});
