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
