import assert from "node:assert/strict";
import test from "node:test";
import { placeFinding } from "../../../support/collect.ts";
import { createMemoryRepository } from "../../../support/memoryRepository.ts";
import { only, placed, read, spanned } from "./reading.ts";

const eslintFile = (messages: readonly unknown[], more: object = {}) => ({
  filePath: "/ws/src/a.ts",
  messages,
  ...more,
});

test("ESLint's list of files, as `-f json` writes it", () => {
  const found = only([
    eslintFile([
      { ruleId: "no-undef", severity: 2, message: "'x' is not defined.", line: 3, column: 5, endLine: 3, endColumn: 6 },
    ]),
    eslintFile([], { filePath: "/ws/src/clean.ts" }),
  ]);
  assert.deepEqual([placed(found), spanned(found), found.severity], ["/ws/src/a.ts:3:2", "3-3:5-6", "P1"]);
  assert.deepEqual(
    [found.pointer, found.sourceSeverity.scale, found.extra["level"]],
    ["/0/messages/0", "eslint", "error"],
  );
});

test("ESLint: a file that could not be parsed is a finding; messages hidden by a comment are suppressed", () => {
  const { claimed } = read([
    eslintFile([{ fatal: true, severity: 2, message: "Parsing error: Unexpected token", line: 1, column: 9 }], {
      suppressedMessages: [
        {
          ruleId: "no-eval",
          severity: 2,
          message: "eval can be harmful.",
          line: 9,
          column: 1,
          suppressions: [{ kind: "directive", justification: "sandboxed" }],
        },
      ],
    }),
  ]);
  assert.deepEqual(
    claimed.map(({ rule, status }) => [rule, status]),
    [
      [null, "open"],
      ["no-eval", "suppressed"],
    ],
  );
  assert.deepEqual(claimed[1]?.extra["suppressions"], [{ kind: "directive", justification: "sandboxed" }]);
});

test("ESLint: an empty text of a fix removes the code, and says so", () => {
  const fix = { range: [0, 5], text: "" };
  assert.equal(
    only([eslintFile([{ ruleId: "a", severity: 1, message: "m", line: 1, column: 1, fix }])]).fix,
    "Remove the marked code.",
  );
});

test("a clean run of a known tool is no error: nothing found, nothing unread", () => {
  for (const clean of [
    { results: [], metadata: { cwd: "/ws", rulesMeta: {} } },
    { version: "1.90.0", results: [], errors: [], paths: { scanned: ["a.py"] } },
    { errors: [], generated_at: "2024-01-01T00:00:00Z", metrics: { _totals: { loc: 3 } }, results: [] },
    { "Golang errors": {}, Issues: [], Stats: { files: 1 }, GosecVersion: "2.20.0" },
    { version: "1.1.380", generalDiagnostics: [], summary: { errorCount: 0 } },
    { SchemaVersion: 2, ArtifactName: ".", ArtifactType: "filesystem" },
    { auditReportVersion: 2, vulnerabilities: {}, metadata: {} },
    { vulnerabilities: [], ok: true, dependencyCount: 7, packageManager: "npm" },
    { scan_info: { app_path: "/app" }, warnings: [], ignored_warnings: [], errors: [] },
    "Success: no issues found in 3 source files\n",
  ]) {
    const reading = read(clean);
    assert.notEqual(reading.format, "none");
    assert.deepEqual([reading.claimed, reading.unread], [[], []]);
  }
});

test("Semgrep: taint trace as a flow, nosemgrep as suppressed, hidden values are none", () => {
  const place = (line: number) => ({ path: "app.py", start: { line, col: 5 }, end: { line, col: 20 } });
  const found = only({
    version: "1.90.0",
    errors: [],
    results: [
      {
        check_id: "python.sqli",
        ...place(9),
        extra: {
          message: "SQL from a request.",
          severity: "ERROR",
          lines: "requires login",
          fingerprint: "requires login",
          is_ignored: true,
          metadata: {
            cwe: ["CWE-89: SQL Injection"],
            confidence: "LOW",
            category: "security",
            references: ["https://r.example"],
            impact: "HIGH",
          },
          dataflow_trace: {
            taint_source: ["CliLoc", [place(3), "request.args"]],
            intermediate_vars: [{ location: place(4), content: "q" }],
            taint_sink: ["CliLoc", [place(9), "execute(q)"]],
          },
        },
      },
    ],
  });
  assert.deepEqual(
    found.flows[0]?.map(({ span, message }) => `${span.line} ${message}`),
    ["3 source: request.args", "4 q", "9 sink: execute(q)"],
  );
  assert.deepEqual(
    [found.quote, found.status, found.finderConfidence, found.helpUri],
    [null, "suppressed", 30, "https://r.example"],
  );
  assert.deepEqual([found.cwe, found.fingerprints, found.category], [["CWE-89"], {}, "security"]);
});

test("a tool's own errors are listed, and do not count as findings that were lost", () => {
  const { claimed, unread } = read({
    version: "1.90.0",
    paths: { scanned: [] },
    results: [],
    errors: [{ type: "Syntax error", level: "warn", path: "b.py", message: "Syntax error at line 3" }],
  });
  assert.equal(claimed.length, 0);
  assert.deepEqual(
    unread.map(({ pointer, severityWord }) => [pointer, severityWord]),
    [["/errors/0", false]],
  );
  assert.match(unread[0]?.text ?? "", /^b\.py: Syntax error/);
});

test("gosec: a range of lines as text, columns in bytes, CWE and suppression", () => {
  const found = only({
    "Golang errors": {},
    Issues: [
      {
        severity: "HIGH",
        confidence: "MEDIUM",
        cwe: { id: "22", url: "https://cwe.mitre.org/data/definitions/22.html" },
        rule_id: "G304",
        details: "Potential file inclusion via variable",
        file: "/ws/main.go",
        code: "11: \tif ok {\n12: \t\tos.Open(name)\n13: \t}\n",
        line: "12-13",
        column: "3",
        nosec: true,
        suppressions: [{ kind: "inSource", justification: "trusted" }],
      },
    ],
    Stats: {},
  });
  assert.deepEqual([placed(found), spanned(found), found.severity], ["/ws/main.go:12:HIGH", "12-13:3-", "P1"]);
  assert.deepEqual([found.cwe, found.status, found.finderConfidence], [["CWE-22"], "suppressed", 60]);
  assert.equal(found.quote, "\t\tos.Open(name)\n\t}");
});

test("Ruff's list: null fixes, notebook cells, rows from before severities", () => {
  const found = only([
    {
      cell: 2,
      code: "E501",
      end_location: { column: 100, row: 4 },
      filename: "/ws/a.ipynb",
      fix: null,
      location: { column: 89, row: 4 },
      message: "Line too long",
      noqa_row: 4,
      url: "https://docs.astral.sh/ruff/rules/line-too-long",
    },
  ]);
  assert.deepEqual([placed(found), spanned(found), found.extra["cell"]], ["/ws/a.ipynb:4:error", "4-4:89-100", 2]);
});

test("mypy --output json: columns from 0 become columns from 1; hints are help", () => {
  const row = {
    file: "a.py",
    line: 14,
    column: 0,
    end_line: 14,
    end_column: 9,
    message: "No overload variant",
    hint: "Possible overload variants:\n    def f()",
    code: "call-overload",
    severity: "error",
  };
  const found = only([row], true);
  assert.deepEqual([spanned(found), found.rule, found.severity], ["14-14:1-10", "call-overload", "P1"]);
  assert.match(found.help ?? "", /^Possible overload/);
});

test("Pyright: positions from 0, severity `information`", () => {
  const { claimed } = read({
    version: "1.1.380",
    generalDiagnostics: [
      {
        file: "/ws/a.py",
        severity: "error",
        message: 'Import "x" could not be resolved',
        rule: "reportMissingImports",
        range: { start: { line: 0, character: 7 }, end: { line: 0, character: 8 } },
      },
      {
        file: "/ws/a.py",
        severity: "information",
        message: "Type is int",
        range: { start: { line: 4, character: 0 }, end: { line: 4, character: 3 } },
      },
    ],
  });
  assert.deepEqual(
    claimed.map((found) => `${spanned(found)} ${found.severity}`),
    ["1-1:8-9 P1", "5-5:1-4 Nit"],
  );
});

test("Brakeman: how sure it is decides, ignored warnings are suppressed, method and CWE come along", () => {
  const warning = {
    warning_type: "SQL Injection",
    warning_code: 0,
    fingerprint: "abc123",
    check_name: "SQL",
    message: "Possible SQL injection",
    file: "app/models/user.rb",
    line: 7,
    link: "https://brakemanscanner.org/docs/sql",
    code: "User.where(params[:q])",
    render_path: null,
    location: { type: "method", class: "User", method: "find" },
    user_input: "params[:q]",
    confidence: "Medium",
    cwe_id: [89],
  };
  const { claimed } = read({
    scan_info: {},
    warnings: [warning],
    ignored_warnings: [{ ...warning, confidence: "Weak" }],
    errors: [],
  });
  assert.deepEqual(
    claimed.map(({ severity, status, pointer }) => [severity, status, pointer]),
    [
      ["P2", "open", "/warnings/0"],
      ["Nit", "suppressed", "/ignored_warnings/0"],
    ],
  );
  assert.deepEqual(
    [claimed[0]?.cwe, claimed[0]?.extra["where"], claimed[0]?.fingerprints],
    [["CWE-89"], "User#find", { brakeman: "abc123" }],
  );
});

test("golangci-lint: the linter is the tool, the code in the text is the rule", () => {
  const found = only({
    Issues: [
      {
        FromLinter: "staticcheck",
        Text: "SA4006: this value is never used",
        Severity: "",
        SourceLines: ["\tx := 1"],
        Pos: { Filename: "a.go", Offset: 0, Line: 9, Column: 2 },
      },
    ],
    Report: { Linters: [] },
  });
  assert.deepEqual(
    [found.tool, found.rule, placed(found), found.quote],
    ["golangci-lint staticcheck", "SA4006", "a.go:9:warning", "\tx := 1"],
  );
});

test("GitHub's alerts: the security level outranks the rule's, dismissed and fixed are not open", () => {
  const alert = (state: string) => ({
    number: 1,
    state,
    rule: {
      id: "js/xss",
      severity: "warning",
      security_severity_level: "critical",
      tags: ["security"],
      description: "XSS",
    },
    tool: { name: "CodeQL" },
    most_recent_instance: {
      state,
      location: { path: "a.js", start_line: 2, end_line: 2, start_column: 1, end_column: 5 },
      message: { text: "Unsafe." },
    },
  });
  const { claimed } = read(["open", "dismissed", "fixed"].map(alert));
  assert.deepEqual(
    claimed.map(({ severity, status }) => `${severity} ${status}`),
    ["P0 open", "P0 suppressed", "P0 absent"],
  );
});

test("pages of GitHub's interface, written one behind the other, are all read", () => {
  const page = (path: string) =>
    JSON.stringify([
      {
        number: 1,
        state: "open",
        rule: { id: "r" },
        most_recent_instance: { location: { path, start_line: 1 }, message: { text: path } },
      },
    ]);
  const { format, claimed } = read(page("a.js") + page("b.js"));
  assert.equal(format, "code-scanning");
  assert.deepEqual(
    claimed.map(({ path, pointer }) => `${path} ${pointer}`),
    ["a.js L1/0", "b.js L1#2/0"],
  );
});

test("reviewdog rdjsonl: one diagnostic a line, the severity of the whole for those without", () => {
  const row = {
    message: "unused",
    location: { path: "a.go", range: { start: { line: 3, column: 2 }, end: { line: 3, column: 9 } } },
    severity: "WARNING",
  };
  const { format, claimed } = read([row, row], true);
  assert.deepEqual([format, claimed.map(({ pointer }) => pointer)], ["rdjson", ["L1", "L2"]]);
  const whole = only({
    source: { name: "golint" },
    severity: "ERROR",
    diagnostics: [{ message: "m", location: { path: "a.go" } }],
  });
  assert.deepEqual([whole.tool, whole.severity], ["golint", "P1"]);
});

test("GitLab code quality: lines or positions; five severities", () => {
  const row = (severity: string, location: object) => ({
    description: "Too complex",
    check_name: "complexity",
    fingerprint: severity,
    severity,
    location: { path: "a.rb", ...location },
  });
  const { claimed } = read([
    row("blocker", { lines: { begin: 3, end: 9 } }),
    row("critical", { positions: { begin: { line: 4, column: 2 }, end: { line: 4, column: 8 } } }),
    row("major", { lines: { begin: 5 } }),
    row("minor", { lines: { begin: 6 } }),
    row("info", { lines: { begin: 7 } }),
  ]);
  assert.deepEqual(
    claimed.map(({ severity }) => severity),
    ["P0", "P0", "P1", "P2", "Nit"],
  );
  assert.deepEqual(claimed.slice(0, 2).map(spanned), ["3-9:-", "4-4:2-8"]);
});

test("SonarQube's generic import: old shape, new shape with rules, columns from 0", () => {
  const primaryLocation = {
    message: "fix the bug",
    filePath: "src/A.java",
    textRange: { startLine: 30, endLine: 30, startColumn: 9, endColumn: 14 },
  };
  const old = only({
    issues: [
      {
        engineId: "test",
        ruleId: "rule1",
        severity: "BLOCKER",
        type: "CODE_SMELL",
        primaryLocation,
        effortMinutes: 90,
        secondaryLocations: [{ message: "here", filePath: "src/B.java", textRange: { startLine: 10 } }],
      },
    ],
  });
  assert.deepEqual(
    [spanned(old), old.tool, old.severity, old.related[0]?.path],
    ["30-30:10-15", "test", "P0", "src/B.java"],
  );
  const current = only({
    rules: [
      {
        id: "rule1",
        name: "Rule",
        description: "Why it matters",
        engineId: "own",
        cleanCodeAttribute: "FORMATTED",
        impacts: [{ softwareQuality: "SECURITY", severity: "HIGH" }],
      },
    ],
    issues: [{ ruleId: "rule1", primaryLocation }],
  });
  assert.deepEqual([current.tool, current.severity, current.help], ["own", "P1", "Why it matters"]);
});

test("SonarQube's exported issues: the component's path, false positives suppressed, flows", () => {
  const found = only({
    issues: [
      {
        key: "AX1",
        rule: "java:S2259",
        severity: "MAJOR",
        component: "shop:src/A.java",
        line: 4,
        textRange: { startLine: 4, endLine: 4, startOffset: 0, endOffset: 6 },
        message: "NPE",
        status: "RESOLVED",
        resolution: "FALSE-POSITIVE",
        type: "BUG",
        flows: [
          { locations: [{ component: "shop:src/B.java", textRange: { startLine: 2, endLine: 2 }, msg: "null here" }] },
        ],
      },
    ],
    components: [{ key: "shop:src/A.java", path: "src/A.java" }],
  });
  assert.deepEqual([placed(found), spanned(found), found.status], ["src/A.java:4:MAJOR", "4-4:1-7", "suppressed"]);
  assert.deepEqual(
    found.flows[0]?.map(({ path, message }) => [path, message]),
    [["src/B.java", "null here"]],
  );
});

test("columns in bytes and in code points become UTF-16 columns where the file is at hand", async () => {
  const repo = createMemoryRepository({ "a.go": 'x := "a\u{10400}b" + y\n' });
  const range = { start: { line: 1, column: 16 }, end: { line: 1, column: 17 } };
  const bytes = only({ source: { name: "vet" }, diagnostics: [{ message: "m", location: { path: "a.go", range } }] });
  const points = only([
    {
      filename: "a.go",
      code: "X1",
      message: "m",
      location: { row: 1, column: 13 },
      end_location: { row: 1, column: 14 },
    },
  ]);
  for (const found of [bytes, points]) {
    const place = await placeFinding(found, repo);
    assert.deepEqual([place.status, place.column, place.endColumn], ["exact", 14, 15]);
  }
});
