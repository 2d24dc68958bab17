import assert from "node:assert/strict";
import test from "node:test";
import { readSample } from "../../../support/samples.ts";
import { placed } from "./reading.ts";

interface Row {
  readonly name: string;
  readonly format: string;
  readonly tool: string;
  readonly count: number;
  readonly unread: number;
  /** How often each severity stands, as the source writes it. */
  readonly severities: Readonly<Record<string, number>>;
  readonly places: readonly string[];
}

/** The values of `INDEX.md`: count, severities and three places of each sample. */
const ROWS: readonly Row[] = [
  {
    name: "json/eslint-metadata.json",
    format: "eslint",
    tool: "ESLint",
    count: 5,
    unread: 2,
    severities: { 2: 2, 1: 3 },
    places: [
      "/var/lib/jenkins/workspace/eslint/fullOfProblems.js:1:1",
      "/var/lib/jenkins/workspace/eslint/fullOfProblems.js:2:2",
      "/var/lib/jenkins/workspace/eslint/fullOfProblems.js:3:1",
    ],
  },
  {
    name: "json/semgrep-many.json",
    format: "semgrep",
    tool: "Semgrep",
    count: 3,
    unread: 0,
    severities: { WARNING: 2, INFO: 1 },
    places: [
      "src/main/java/org/owasp/benchmark/testcode/BenchmarkTest02194.java:64:WARNING",
      "src/main/java/org/owasp/benchmark/testcode/BenchmarkTest02195.java:64:WARNING",
      "src/main/java/org/owasp/benchmark/testcode/BenchmarkTest01150.java:66:INFO",
    ],
  },
  {
    name: "json/bandit.json",
    format: "bandit",
    tool: "Bandit",
    count: 47,
    unread: 0,
    severities: { MEDIUM: 36, LOW: 11 },
    places: [
      "dojo/tools/acunetix/parser.py:39:MEDIUM",
      "dojo/tools/mozilla_observatory/parser.py:55:MEDIUM",
      "dojo/tools/zap/parser.py:162:LOW",
    ],
  },
  {
    name: "json/ruff-json-lines.jsonl",
    format: "ruff",
    tool: "Ruff",
    count: 3,
    unread: 0,
    severities: { error: 3 },
    places: ["input.py:1:error", "input.py:2:error", "input.py:3:error"],
  },
  {
    name: "json/github-code-scanning-alerts.json",
    format: "code-scanning",
    tool: "-CodeQL-",
    count: 1,
    unread: 0,
    severities: { error: 1 },
    places: ["spec-main/api-session-spec.ts:917:error"],
  },
  {
    name: "json/reviewdog.rdjson",
    format: "rdjson",
    tool: "reviewdog",
    count: 15,
    unread: 0,
    severities: { ERROR: 3, WARNING: 1, INFO: 1, 2: 1, "": 9 },
    places: ["_testdata/custom.txt:5:", "_testdata/custom.txt:3:ERROR", "_testdata/custom.txt:-:"],
  },
  {
    name: "json/infer-report.json",
    format: "infer",
    tool: "Infer",
    count: 1,
    unread: 0,
    severities: { ERROR: 1 },
    places: ["files/NullDereference.java:8:ERROR"],
  },
  {
    name: "json/agent-findings-ledger.jsonl",
    format: "agent",
    tool: "deployment-qa",
    count: 7,
    unread: 0,
    severities: { S3: 7 },
    places: ["README.md:-:S3", "qa-suite/scripts/finding-ledger.mjs:-:S3"],
  },
  {
    name: "json/ai-review-comments.json",
    format: "agent",
    tool: "agent",
    count: 29,
    unread: 0,
    severities: { "": 29 },
    places: [
      "src/Mod/TechDraw/App/DrawProjGroup.cpp:1123:",
      "src/Mod/TechDraw/App/DrawProjGroup.cpp:1144:",
      "internal/execute/watcher.go:83:",
    ],
  },
  {
    name: "xml/checkstyle.xml",
    format: "checkstyle",
    tool: "Checkstyle",
    count: 7,
    unread: 0,
    severities: { error: 7 },
    places: [
      String.raw`X:\Build\Results\jobs\Maven\workspace\tasks\src\main\java\hudson\plugins\tasks\util\model\package.html:-:error`,
      String.raw`X:\Build\Results\jobs\Maven\workspace\tasks\src\main\java\hudson\plugins\tasks\parser\CsharpNamespaceDetector.java:17:error`,
      String.raw`X:\Build\Results\jobs\Maven\workspace\tasks\src\main\java\hudson\plugins\tasks\parser\CsharpNamespaceDetector.java:37:error`,
    ],
  },
];

for (const row of ROWS) {
  test(`${row.name}: format, count, severities and places are those of the index`, () => {
    const { format, claimed, unread } = readSample(row.name);
    assert.equal(format, row.format);
    assert.equal(claimed.length, row.count);
    assert.equal(unread.length, row.unread);
    assert.equal(claimed[0]?.tool, row.tool);
    const counted = new Map<string, number>();
    for (const { sourceSeverity } of claimed)
      counted.set(sourceSeverity.value, (counted.get(sourceSeverity.value) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(counted), { ...row.severities });
    const places = new Set(claimed.map(placed));
    for (const place of row.places) assert.ok(places.has(place), place);
    for (const found of claimed) assert.ok(found.message !== "" && !found.prose);
  });
}

const byPointer = (name: string, pointer: string) =>
  readSample(name).claimed.find((found) => found.pointer === pointer) ?? assert.fail(pointer);

test("json/eslint-metadata: help, page, category, fix and the line of the embedded source come along", () => {
  const semi = byPointer("json/eslint-metadata.json", "/results/0/messages/4");
  assert.deepEqual([semi.rule, semi.category, semi.fix, semi.severity], ["semi", "layout", ";", "P2"]);
  assert.match(semi.help ?? "", /semicolons/);
  assert.match(semi.helpUri ?? "", /^https:\/\/eslint\.org\//);
  const isnan = byPointer("json/eslint-metadata.json", "/results/0/messages/1");
  assert.deepEqual([isnan.quote, isnan.severity], ["    if (i != NaN) {", "P1"]);
  assert.equal(isnan.fix?.split("\n").length, 2);
});

test("json/bandit: the page, the confidence, and the flagged row of the snippet without its number", () => {
  const first = byPointer("json/bandit.json", "/results/0");
  assert.equal(first.rule, "B303");
  assert.match(first.helpUri ?? "", /b303-md5$/);
  assert.equal(first.finderConfidence, 90);
  assert.match(first.quote ?? "", /^ +dupe_key = hashlib\.md5/);
});

test("json/semgrep: CWE, fix, quoted line and metadata come along", () => {
  const first = byPointer("json/semgrep-many.json", "/results/0");
  assert.deepEqual(first.cwe, ["CWE-696"]);
  assert.match(first.fix ?? "", /AES\/GCM/);
  assert.match(first.quote ?? "", /Cipher\.getInstance/);
  assert.deepEqual(Object.keys(first.extra).includes("metadata"), true);
});

test("json/ruff-json-lines: a syntax error has no page; columns stay end-exclusive", () => {
  const third = byPointer("json/ruff-json-lines.jsonl", "L3");
  assert.deepEqual([third.rule, third.helpUri, third.span.endColumn], ["invalid-syntax", null, 6]);
  assert.equal(byPointer("json/ruff-json-lines.jsonl", "L1").fix, "Remove unused import: `os`");
});

test("json/github-code-scanning-alerts: CWE of the tags, the state, the number as id", () => {
  const alert = byPointer("json/github-code-scanning-alerts.json", "/0");
  assert.deepEqual([alert.rule, alert.cwe, alert.sourceId, alert.status], ["js/zipslip", ["CWE-22"], "4", "open"]);
  assert.deepEqual(alert.span, { line: 917, endLine: 917, column: 7, endColumn: 18 });
});

test("json/infer-report: a column of -1 is none; the trace is a flow of five steps", () => {
  const bug = byPointer("json/infer-report.json", "/0");
  assert.deepEqual(bug.span, { line: 8, endLine: null, column: null, endColumn: null });
  assert.deepEqual(
    bug.flows[0]?.map(({ span }) => span.line),
    [6, 7, 2, 3, 8],
  );
});

test("json/reviewdog: related places, rule with page, a number as severity", () => {
  const related = byPointer("json/reviewdog.rdjson", "/diagnostics/13");
  assert.deepEqual(
    related.related.map(({ path, span, message }) => [path, span.line, span.endLine, message]),
    [
      ["_testdata/custom.txt", 9, null, "related loc 1"],
      ["_testdata/suggestions.txt", 6, 8, "related loc 2 (different file)"],
    ],
  );
  assert.equal(
    byPointer("json/reviewdog.rdjson", "/diagnostics/10").helpUri,
    "https://github.com/reviewdog/reviewdog#E14",
  );
  assert.equal(byPointer("json/reviewdog.rdjson", "/diagnostics/6").severity, "P2");
  assert.equal(byPointer("json/reviewdog.rdjson", "/diagnostics/11").tool, "rdjsonl-source");
});

test("json/agent-findings-ledger: severity and priority stay apart, fixed is absent, every file of the prose is kept", () => {
  const first = byPointer("json/agent-findings-ledger.jsonl", "L1");
  assert.equal(first.sourceId, "FND-plugin-installed-payload-identity");
  assert.deepEqual([first.sourceSeverity, first.severity], [{ scale: "s-scale", value: "S3" }, "P2"]);
  assert.deepEqual([first.extra["priority"], first.status], ["P0", "absent"]);
  assert.deepEqual(
    first.related.map(({ path }) => path),
    ["docs/releasing.md"],
  );
  assert.match(String(first.extra["location"]), /post-install verification$/);
  assert.match(String(first.extra["reproduction"]), /^Compare the released/);
  const priorities = readSample("json/agent-findings-ledger.jsonl").claimed.map(({ extra }) => extra["priority"]);
  assert.deepEqual(priorities.map(String).sort(), ["P0", "P0", "P0", "P0", "P0", "P1", "P1"]);
});

test("json/ai-review-comments: a reversed range is turned round, category and reviewer come along", () => {
  const reversed = byPointer("json/ai-review-comments.json", "/0/comments/2");
  assert.deepEqual([reversed.span.line, reversed.span.endLine], [1144, 1153]);
  const first = byPointer("json/ai-review-comments.json", "/0/comments/0");
  assert.deepEqual(
    [first.category, first.extra["source_model"], first.severity],
    ["Performance", "Gemini-3-Pro", "P2"],
  );
});

test("xml/checkstyle: line 0 is the file, the rule is the check's name, its package the category", () => {
  const { claimed } = readSample("xml/checkstyle.xml");
  assert.deepEqual(claimed[0]?.span, { line: null, endLine: null, column: null, endColumn: null });
  assert.deepEqual(
    [claimed[1]?.rule, claimed[1]?.category, claimed[1]?.span.column],
    ["DesignForExtension", "design", 5],
  );
  assert.match(claimed[1]?.message ?? "", /'accepts'.*für/);
});
