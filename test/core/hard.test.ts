import assert from "node:assert/strict";
import test from "node:test";
import type { Claimed, HardFact } from "../../src/core/finding.ts";
import { hardFact } from "../../src/core/hard.ts";
import { claim } from "../support/claims.ts";

const error = { sourceSeverity: { scale: "sarif-level", value: "error" } } as const;
const warning = { sourceSeverity: { scale: "sarif-level", value: "warning" } } as const;

const ROWS: readonly [words: string, more: Partial<Claimed>, fact: HardFact | null][] = [
  ["a gitleaks result", { tool: "gitleaks", ...warning }, "secret"],
  ["a detect-secrets result", { tool: "detect-secrets" }, "secret"],
  ["a ggshield result", { tool: "ggshield" }, "secret"],
  ["a TruffleHog v3 result", { tool: "TruffleHog v3" }, "secret"],
  ["Trivy's secret rule", { tool: "Trivy", rule: "aws-key", extra: { tags: ["secret", "CRITICAL"] } }, "secret"],
  ["Trivy's CVE", { tool: "Trivy", rule: "CVE-2019-1549" }, "vulnerable-dependency"],
  ["Trivy's misconfiguration", { tool: "Trivy", rule: "DS002" }, null],
  ["an osv-scanner GHSA", { tool: "osv-scanner", rule: "GHSA-jf85-cpcp-j695" }, "vulnerable-dependency"],
  [
    "a govulncheck id in the message",
    { tool: "govulncheck", message: "GO-2025-4012: cookies" },
    "vulnerable-dependency",
  ],
  ["an npm audit result without any id", { tool: "npm audit", message: "lodash is old" }, null],
  ["Semgrep that names a CVE", { tool: "Semgrep OSS", message: "like CVE-2021-44228" }, null],
  ["Semgrep's secret rule", { tool: "Semgrep OSS", rule: "generic.secrets.password" }, null],
  [
    "a TypeScript error of the editor",
    { tool: "TypeScript", rule: "TS2304", sourceSeverity: { scale: "editor", value: "error" } },
    "compile-error",
  ],
  [
    "a TypeScript hint",
    { tool: "TypeScript", rule: "TS6133", sourceSeverity: { scale: "editor", value: "hint" } },
    null,
  ],
  ["an ESLint error", { tool: "ESLint", rule: "no-undef", ...error }, null],
  ["a rustc error", { tool: "rustc", rule: "E0502", ...error }, "compile-error"],
  ["a rustc lint at error level", { tool: "rustc", rule: "clippy::all", ...error }, null],
  ["a GCC error", { tool: "GNU C++17", rule: null, ...error }, "compile-error"],
  ["a gcc error", { tool: "gcc", rule: "error", ...error }, "compile-error"],
  ["gcc's analyzer", { tool: "gcc", rule: "-Wanalyzer-double-free", ...error }, null],
  ["a gcc warning", { tool: "gcc", rule: null, ...warning }, null],
  ["a javac error", { tool: "javac", rule: "compiler.err.cant.resolve", ...error }, "compile-error"],
  ["a failing pytest", { tool: "pytest", ...error }, "failing-test"],
  ["a secret a model wrote about", { tool: "gitleaks", prose: true, message: "Hardcoded secret" }, null],
  ["a scanner's passed check", { tool: "gitleaks", status: "pass" }, null],
  ["a C compiler's error in a build log", { tool: "C compiler", rule: null, ...error }, "compile-error"],
  ["a linter's line in the form of a compiler", { tool: "compiler output", rule: null, ...error }, null],
  ["npm's own advisory", { tool: "npm audit", rule: "npm-advisory-1179" }, "vulnerable-dependency"],
  [
    "Snyk's advisory of a distribution",
    { tool: "Snyk Container", rule: "SNYK-DEBIAN11-CURL-123" },
    "vulnerable-dependency",
  ],
  ["Snyk's licence issue", { tool: "Snyk Open Source", rule: "snyk:lic:npm:x:GPL-3.0" }, null],
  ["Gemnasium's CVE", { tool: "Gemnasium", rule: "CVE-2020-8203" }, "vulnerable-dependency"],
  ["a secret an agent wrote about in JSON", { tool: "gitleaks", extra: { reader: "agent" } }, null],
  ["a suppressed secret", { tool: "gitleaks", status: "suppressed" }, "secret"],
];
for (const [words, more, fact] of ROWS) {
  test(`R0.2, ruling 7: ${words} is ${fact ?? "not hard"}`, () => assert.equal(hardFact(claim(more)), fact));
}

test("R0.2: the level counts even where a security number changed the severity", () => {
  const numbered = claim({
    tool: "tsc",
    rule: "TS2304",
    sourceSeverity: { scale: "security-severity", value: "5.0" },
    extra: { level: "error" },
  });
  assert.equal(hardFact(numbered), "compile-error");
});
