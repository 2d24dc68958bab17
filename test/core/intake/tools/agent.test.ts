import assert from "node:assert/strict";
import test from "node:test";
import { only, placed, read, spanned } from "./reading.ts";

/** One finding in the spelling of one kind of agent, and what is read from it: `path:line:severity`, ours, message. */
const SHAPES: readonly [words: string, report: unknown, place: string, severity: string, message: string][] = [
  ["a plain object", { file: "a.ts", line: 3, severity: "high", message: "leaks" }, "a.ts:3:high", "P1", "leaks"],
  [
    "snake case",
    [{ file_path: "a.ts", start_line: 3, priority: "P0", description: "leaks" }],
    "a.ts:3:P0",
    "P0",
    "leaks",
  ],
  [
    "camel case",
    [{ filePath: "a.ts", startLine: 3, severity: "CRITICAL", title: "leaks" }],
    "a.ts:3:CRITICAL",
    "P0",
    "leaks",
  ],
  [
    "names with blanks",
    [{ "File Path": "a.ts", "Line Number": "3", Severity: "Medium", Issue: "leaks" }],
    "a.ts:3:Medium",
    "P2",
    "leaks",
  ],
  [
    "a location as text",
    { issues: [{ location: "src/a.ts:3-9", level: "warning", problem: "leaks" }] },
    "src/a.ts:3:warning",
    "P2",
    "leaks",
  ],
  [
    "a location as object",
    { issues: [{ location: { path: "a.ts", lines: { begin: 3, end: 9 } }, severity: "minor", body: "leaks" }] },
    "a.ts:3:minor",
    "P2",
    "leaks",
  ],
  [
    "a location of the language server",
    [
      {
        location: {
          uri: "file:///ws/a.ts",
          range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } },
        },
        severity: "low",
        message: "leaks",
      },
    ],
    "/ws/a.ts:3:low",
    "Nit",
    "leaks",
  ],
  [
    "a pull request comment",
    [{ path: "a.ts", start_line: 3, line: 9, body: "leaks", side: "RIGHT" }],
    "a.ts:3:",
    "P2",
    "leaks",
  ],
  [
    "an emoji rank",
    [{ file: "a.ts", line: 3, severity: "🔴 Critical", comment: "leaks" }],
    "a.ts:3:Critical",
    "P0",
    "leaks",
  ],
  ["S1 as severity", [{ file: "a.ts", line: 3, severity: "S1", note: "leaks" }], "a.ts:3:S1", "P0", "leaks"],
  ["SEV-2 as severity", [{ file: "a.ts", line: 3, severity: "SEV-2", note: "leaks" }], "a.ts:3:SEV-2", "P1", "leaks"],
  ["a severity of 1 to 5", [{ file: "a.ts", line: 3, severity: 4, note: "leaks" }], "a.ts:3:4", "P1", "leaks"],
  ["a severity of 0 to 10", [{ file: "a.ts", line: 3, severity: 9.1, note: "leaks" }], "a.ts:3:9.1", "P0", "leaks"],
  ["a priority number", [{ file: "a.ts", line: 3, priority: 1, note: "leaks" }], "a.ts:3:1", "P1", "leaks"],
  ["only a CVSS score", [{ file: "a.ts", line: 3, cvss: { score: 7.5 }, note: "leaks" }], "a.ts:3:7.5", "P1", "leaks"],
  ["an unknown word", [{ file: "a.ts", line: 3, severity: "spicy", note: "leaks" }], "a.ts:3:spicy", "P2", "leaks"],
  ["grouped by severity", { critical: [{ file: "a.ts", line: 3, issue: "leaks" }] }, "a.ts:3:critical", "P0", "leaks"],
  [
    "grouped by file",
    { "src/a.ts": [{ line: 3, severity: "high", message: "leaks" }] },
    "src/a.ts:3:high",
    "P1",
    "leaks",
  ],
  [
    "grouped in file objects",
    { files: [{ path: "a.ts", summary: "1 problem", findings: [{ line: 3, severity: "high", message: "leaks" }] }] },
    "a.ts:3:high",
    "P1",
    "leaks",
  ],
  [
    "per pull request",
    { reviews: [{ pr: 7, comments: [{ path: "a.ts", from_line: 3, to_line: 4, note: "leaks", severity: "high" }] }] },
    "a.ts:3:high",
    "P1",
    "leaks",
  ],
  ["a text under a known list", { findings: ["[P1] src/a.ts:3 leaks"] }, "src/a.ts:3:P1", "P1", "leaks"],
  [
    "stylelint",
    [
      {
        source: "/ws/a.css",
        warnings: [{ line: 3, column: 1, rule: "color-no-invalid-hex", severity: "error", text: "leaks" }],
      },
    ],
    "/ws/a.css:3:error",
    "P1",
    "leaks",
  ],
  [
    "pylint",
    [
      {
        type: "convention",
        module: "a",
        obj: "",
        line: 3,
        column: 0,
        path: "a.py",
        symbol: "line-too-long",
        message: "leaks",
        "message-id": "C0301",
      },
    ],
    "a.py:3:convention",
    "Nit",
    "leaks",
  ],
  [
    "suggestions of a pull request agent",
    {
      code_suggestions: [
        {
          relevant_file: "a.ts",
          relevant_lines_start: 3,
          relevant_lines_end: 4,
          one_sentence_summary: "leaks",
          improved_code: "x",
        },
      ],
    },
    "a.ts:3:",
    "P2",
    "leaks",
  ],
  [
    "a code location",
    {
      findings: [
        {
          title: "leaks",
          priority: 1,
          code_location: { absolute_file_path: "/ws/a.ts", line_range: { start: 3, end: 5 } },
        },
      ],
      overall_explanation: "e",
    },
    "/ws/a.ts:3:1",
    "P1",
    "leaks",
  ],
  ["members in Chinese", [{ 文件: "a.ts", 行号: 3, 严重程度: "high", 问题: "leaks" }], "a.ts:3:high", "P1", "leaks"],
  [
    "entries under their ids",
    { issues: { "I-1": { file: "a.ts", line: "~3", severity: "high", description: "leaks" } } },
    "a.ts:3:high",
    "P1",
    "leaks",
  ],
  ["no place at all", { findings: [{ title: "leaks", severity: "high" }] }, "-:-:high", "P1", "leaks"],
];
for (const [words, report, place, severity, message] of SHAPES) {
  test(`agent findings: ${words}`, () => {
    const found = only(report);
    assert.deepEqual([placed(found), found.severity, found.message], [place, severity, message]);
  });
}

test("agent findings: every field survives, and what has no field stands in `extra`", () => {
  const found = only({
    scanner: "night-shift",
    commit: "0c65673a6fd2421be8fbe613116077120adea068",
    findings: [
      {
        id: "F-7",
        file: "src/a.ts",
        lines: "12-15",
        column: 3,
        severity: "high",
        priority: "P2",
        title: "Token is logged",
        description: "The token reaches the log.",
        category: "security",
        rule_id: "log-secrets",
        cwe: 532,
        confidence: 0.85,
        recommendation: ["Mask it.", "Rotate it."],
        code_snippet: "```ts\nlog(token)\n```",
        rationale: "Logs are kept for a year.",
        references: ["https://cwe.example/532"],
        reproduction: ["Sign in.", "Read the log."],
        tags: ["pii"],
        effort: "small",
        offsets: { charOffset: 0 },
      },
    ],
  });
  assert.equal(found.message, "Token is logged\nThe token reaches the log.");
  assert.deepEqual(
    [found.sourceId, found.rule, found.category, found.tool],
    ["F-7", "log-secrets", "security", "night-shift"],
  );
  assert.deepEqual([found.cwe, found.finderConfidence, found.fix], [["CWE-532"], 85, "Mask it.\nRotate it."]);
  assert.deepEqual(
    [found.quote, found.help, found.helpUri],
    ["log(token)", "Logs are kept for a year.", "https://cwe.example/532"],
  );
  assert.deepEqual([found.span.line, found.span.endLine, found.pointer], [12, 15, "/findings/0"]);
  assert.deepEqual(found.extra, {
    priority: "P2",
    effort: "small",
    properties: { tags: ["pii"], offsets: { charOffset: 0 } },
    reproduction: "Sign in.\nRead the log.",
    tags: ["pii"],
    reader: "agent",
  });
});

test("agent findings: the revision that the report says it looked at", () => {
  const report = {
    commit: "0c65673a6fd2421be8fbe613116077120adea068",
    findings: [{ file: "a.ts", line: 1, severity: "low", message: "m" }],
  };
  assert.equal(read(report).revision, "0c65673a6fd2421be8fbe613116077120adea068");
  assert.equal(read({ ...report, commit: "latest" }).revision, null);
});

for (const [status, expected] of [
  ["fixed", "absent"],
  ["Resolved", "absent"],
  ["wont_fix", "suppressed"],
  ["false-positive", "suppressed"],
  ["suppressed", "suppressed"],
  ["PASS", "pass"],
  ["open", "open"],
  ["needs work", "open"],
] as const) {
  test(`agent findings: a status of "${status}" is ${expected}, and stays readable`, () => {
    const found = only([{ file: "a.ts", line: 3, severity: "high", message: "m", status }]);
    assert.deepEqual([found.status, found.extra["status"]], [expected, status]);
  });
}

test("agent findings: reversed ranges, several lines, several places", () => {
  const one = (more: object) => only([{ file: "a.ts", severity: "high", message: "m", ...more }]);
  assert.equal(spanned(one({ from_line: 1153, to_line: 1144 })), "1144-1153:-");
  assert.equal(spanned(one({ line_range: [12, 15] })), "12-15:-");
  const several = one({ lines: [3, 9, 20] });
  assert.deepEqual([several.span.line, several.related.map(({ span }) => span.line)], [3, [9, 20]]);
  const places = only([{ locations: ["a.ts:3", "b.ts:9"], severity: "high", message: "m" }]);
  assert.deepEqual([places.path, places.related.map(({ path, span }) => `${path}:${span.line}`)], ["a.ts", ["b.ts:9"]]);
  assert.equal(one({ line: 0 }).span.line, null);
});

test("C20: an entry among findings that is none is unread with its pointer, and costs no other", () => {
  const { claimed, unread } = read({
    findings: [
      { file: "a.ts", line: 1, severity: "high", message: "m" },
      { file: "b.ts" },
      null,
      7,
      "looks fine overall",
      { file: "c.ts", line: 2, severity: "low", message: "n" },
    ],
  });
  assert.deepEqual(
    claimed.map(({ path }) => path),
    ["a.ts", "c.ts"],
  );
  assert.deepEqual(
    unread.map(({ pointer }) => pointer),
    ["/findings/1", "/findings/2", "/findings/3", "/findings/4"],
  );
  assert.ok(unread.every(({ severityWord }) => severityWord));
});

test("JSON that holds no findings is named as such, whatever it speaks of", () => {
  for (const other of [
    { name: "shop", version: "1.0.0", description: "A shop", files: ["dist"], scripts: { build: "tsc" } },
    { compilerOptions: { target: "es2022", paths: { "@/*": ["./src/*"] } }, include: ["src"] },
    [
      { level: "info", msg: "started", time: 1 },
      { level: "error", msg: "failed", time: 2 },
    ],
    { total: { lines: { total: 10, covered: 9, pct: 90 } }, "/ws/a.ts": { lines: { total: 10, covered: 9 } } },
    { openapi: "3.0.0", paths: { "/a": { get: { summary: "A", description: "B" } } } },
    { lockfileVersion: 3, packages: { "node_modules/a": { version: "1.0.0", license: "MIT" } } },
  ]) {
    const { format, claimed, unread } = read(other);
    assert.deepEqual([format, claimed, unread.length], ["none", [], 1]);
  }
});

test("an agent that found nothing is no error; an empty list says so", () => {
  const { format, claimed, unread } = read({ summary: "All good", findings: [] });
  assert.deepEqual([format, claimed, unread], ["agent", [], []]);
  assert.match(read([]).unread[0]?.reason ?? "", /list is empty/);
});
