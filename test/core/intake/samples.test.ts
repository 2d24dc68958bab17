import assert from "node:assert/strict";
import test from "node:test";
import type { Claimed } from "../../../src/core/finding.ts";
import { readSample, sampleNames, sampleText } from "../../support/samples.ts";

/** Counts and three places of each sample as its INDEX gives them: `path:line:level`, the level as effective in SARIF. */
const SARIF: readonly [file: string, count: number, levels: Record<string, number>, places: readonly string[]][] = [
  ["codeql-python-flows", 2, { error: 2 }, ["server/routes.py:16:error", "server/routes.py:22:error"]],
  ["codeql-lgtm-two-runs", 3, { note: 3 }, ["main.js:2:note", "main.js:2:note", "src/promiseUtils.js:2:note"]],
  ["codeql-rules-in-extensions", 5, { warning: 5 }, ["file.js:1:warning", "file.js:3:warning", "file.js:5:warning"]],
  [
    "semgrep-taint-flow",
    3,
    { error: 2, warning: 1 },
    ["app/config.go:7:warning", "app/handlers.go:17:error", "app/handlers_test.go:7:error"],
  ],
  [
    "gosec-taxonomies",
    7,
    { error: 2, warning: 5 },
    ["pkg/jwt/generator.go:54:error", "cmd/setup.go:62:warning", "cmd/remove.go:102:warning"],
  ],
  ["trivy-image", 4, { warning: 4 }, ["testdata/fixtures/images/alpine-310.tar.gz:1:warning"]],
  [
    "snyk-code-suppressed-nulls",
    11,
    { error: 4, warning: 7 },
    ["routes/index.js:77:warning", "routes/index.js:144:error", "db.js:48:warning"],
  ],
  ["gcc-analyzer-codeflow", 1, { warning: 1 }, ["files/double_free.cpp:12:warning"]],
  ["clang-tidy-char-offset", 6, { warning: 6 }, ["/home/user/projects/staticlib/src/Hello.cpp:-:warning"]],
  [
    "spotbugs-message-args",
    56,
    { note: 56 },
    ["Boot.java:23:note", "XonoticParser.java:836:note", "XonoticParser.java:1925:note"],
  ],
  [
    "checkov-openapi",
    12,
    { error: 12 },
    ["v2/swagger_empty_paths.yaml:2:error", "v2/example.json:1:error", "v3/example1.yaml:10:error"],
  ],
  ["resharper-percent-encoded", 2, { warning: 2 }, ["whatever/€path.cs:5:warning", "this/dir/file.cs:6:warning"]],
  ["axe-http-uri", 1, { error: 1 }, ["http://localhost/:1:error"]],
  [
    "fortify-taxa-threadflow-index",
    3,
    { warning: 3 },
    [
      "src/Controllers/ContentFileHandlingController.cs:12:warning",
      "src/DocumentValidator.cs:12:warning",
      "src/Controllers/ContentFileHandlingController.cs:38:warning",
    ],
  ],
  [
    "region-variants-crlf",
    18,
    { warning: 18 },
    ["TextFile.txt:1:warning", "TextFile.txt:2:warning", "BinaryFile.bin:-:warning"],
  ],
  ["original-uri-base-ids", 3, { warning: 3 }, ["README.md:-:warning", "src/io/kb.c:-:warning", ".:-:warning"]],
  ["suppressions", 9, { warning: 9 }, ["-:-:warning"]],
  ["sarif-v1-pylint", 72, { warning: 72 }, ["test.py:18:warning", "test.py:57:warning", "test.py:14:warning"]],
  [
    "sarif-v2beta-bom",
    3,
    { error: 3 },
    [
      "/home/user/src/collections/list.h:15:error",
      "/home/user/src/collections/list3.h:18:error",
      "/home/user/src/collections/list2.h:15:error",
    ],
  ],
  ["ai-analyzer-webrequest", 2, { error: 1, warning: 1 }, ["src/handler.py:42:error", "src/handler.py:39:warning"]],
  [
    "judges-ai-review",
    135,
    { error: 59, warning: 48, note: 28 },
    [
      "examples/sample-vulnerable-api.ts:15:error",
      "examples/sample-vulnerable-api.ts:119:error",
      "examples/sample-vulnerable-api.ts:1:warning",
    ],
  ],
  ["detekt-utf16le", 6, { warning: 6 }, ["TestFile.kt:1:warning"]],
];

const level = (found: Claimed): string => String(found.extra["level"]);
const asPlace = (found: Claimed): string => `${found.path ?? "-"}:${found.span.line ?? "-"}:${level(found)}`;

for (const [file, count, levels, places] of SARIF) {
  test(`sarif/${file}: count, levels and places are those of the index, nothing is unread`, () => {
    const { format, claimed, unread } = readSample(`sarif/${file}.sarif`);
    assert.equal(format, "sarif");
    assert.deepEqual(unread, []);
    assert.equal(claimed.length, count);
    const counted = Object.entries(levels).map(([name]) => [
      name,
      claimed.filter((found) => level(found) === name).length,
    ]);
    assert.deepEqual(Object.fromEntries(counted), levels);
    const read = claimed.map(asPlace);
    for (const place of places) {
      const index = read.findIndex((each) => each === place || each.endsWith(`/${place}`));
      assert.notEqual(index, -1, `${place} in ${read.slice(0, 12).join(" ")}`);
    }
  });
}

test("sarif/results-not-an-array: a clear row with its pointer instead of a crash", () => {
  const { claimed, unread } = readSample("sarif/results-not-an-array.sarif");
  assert.equal(claimed.length, 0);
  assert.deepEqual(
    unread.map(({ pointer, reason, severityWord }) => ({ pointer, reason, severityWord })),
    [{ pointer: "/runs/0/results", reason: "The results of this run are not a list.", severityWord: true }],
  );
});

/** Findings of a report, by the severity word it uses; three places as `path:line:word`, or with an id before them. */
const REVIEWS: readonly [file: string, words: Record<string, number>, places: readonly string[]][] = [
  [
    "axiom-vault-security-audit",
    { CRITICAL: 1, HIGH: 3, MEDIUM: 10, LOW: 10, INFO: 2 },
    [
      "H-1 core/sync/src/engine.rs:520:HIGH",
      "M-7 core/crypto/src/stream.rs:77:MEDIUM",
      "L-10 tools/cli/src/main.rs:1312:LOW",
    ],
  ],
  [
    "tavern-code-review-zh",
    { HIGH: 2, MEDIUM: 11, LOW: 18 },
    [
      "1 crates/tavern-adapters/src/pandaria.rs:9:HIGH",
      "5 crates/tavern-comp/src/engine.rs:178:MEDIUM",
      "30 crates/tavern-adapters/src/pandaria.rs:28:LOW",
    ],
  ],
  [
    "hex-code-review-fixes",
    { CRITICAL: 2, MEDIUM: 2, LOW: 1 },
    [
      "1 internal/ui/update.go:192:CRITICAL",
      "3 internal/ui/model.go:336:MEDIUM",
      "5 internal/export/html.go:168:CRITICAL",
    ],
  ],
  // The table's paths lack the `internal/` of the sections, which is kept where a section has it.
  [
    "hex-govulncheck-table",
    { High: 4, Medium: 6, Low: 2 },
    [
      "GO-2025-4013 templates/loader.go:85:Medium",
      "GO-2025-3956 internal/tools/task_tool.go:425:Medium",
      "GO-2025-3563 internal/core/stream.go:95:High",
    ],
  ],
  [
    "id-agents-security-audit",
    { HIGH: 7, MEDIUM: 12, LOW: 9 },
    [
      "HIGH-1 src/agent-manager-db.ts:346:HIGH",
      "MEDIUM-7 src/db/repos/sqlite/agents-repo.ts:181:MEDIUM",
      "LOW-9 src/agent-manager-db.ts:2363:LOW",
    ],
  ],
  [
    "badshuffle-security-audit",
    { HIGH: 4, MEDIUM: 4, LOW: 4, High: 2, Moderate: 2 },
    [
      "2.1 server/index.js:76:HIGH",
      "4.1 client/src/pages/PublicQuotePage.jsx:399:HIGH",
      "4.2 client/src/pages/MessagesPage.jsx:185:LOW",
    ],
  ],
  [
    "judges-ai-review",
    { CRITICAL: 25, HIGH: 34, MEDIUM: 48, LOW: 24, INFO: 4 },
    ["DATA-001 null:15:CRITICAL", "DATA-003 null:17:CRITICAL", "FW-002 null:1:MEDIUM"],
  ],
];

const ranked = ({ sourceId, path, span, sourceSeverity }: Claimed): string =>
  `${sourceId === null ? "" : `${sourceId} `}${path}:${span.line}:${sourceSeverity.value}`;

for (const [file, words, places] of REVIEWS) {
  test(`md/${file}: each finding once, with the counts and places of the index; nothing is unread`, () => {
    const { claimed, unread } = readSample(`md/${file}.md`);
    assert.deepEqual(unread, []);
    const counts = new Map<string, number>();
    for (const { sourceSeverity } of claimed)
      counts.set(sourceSeverity.value, (counts.get(sourceSeverity.value) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(counts), words);
    const read = claimed.map(ranked);
    for (const place of places) assert.ok(read.includes(place), `${place} in ${read.join(", ")}`);
  });
}

test("md/axiom-vault-security-audit: table, sections and bullets tell of one finding; positive findings and plans are none", () => {
  const { claimed } = readSample("md/axiom-vault-security-audit.md");
  const byId = new Map(claimed.map((found) => [found.sourceId, found]));
  assert.equal(byId.size, 26);
  assert.equal(byId.get("M-10")?.path, "core/vault/src/migration.rs");
  assert.equal(byId.get("H-2")?.related.length, 2);
  assert.match(byId.get("L-1")?.message ?? "", /^`encrypt_with_nonce` is a public footgun\nPublic API; nonce reuse/);
  assert.match(byId.get("L-1")?.fix ?? "", /pub\(crate\)/);
  assert.match(byId.get("I-1")?.message ?? "", /profile is conservative[\s\S]*OWASP 2023/);
  // The gate looks for its markers in everything the report says of a finding.
  assert.match(String(byId.get("L-1")?.extra["text"]), /### L-1 [\s\S]*\| L-1 \|/);
});

test("md/tavern-code-review-zh: a number used twice is two findings; nested lists of places are read", () => {
  const { claimed, declared } = readSample("md/tavern-code-review-zh.md");
  const at = (line: number): Claimed =>
    claimed.find(({ pointer }) => pointer === `L${line}`) ?? assert.fail(`L${line}`);
  assert.deepEqual([at(140).path, at(140).span.line], ["Cargo.lock", null]);
  assert.deepEqual(
    at(161).related.map(({ path, span }) => `${path}:${span.line}`),
    [
      "crates/tavern-comp/src/engine.rs:208",
      "crates/tavern-comp/src/engine.rs:209",
      "crates/tavern-server/src/main.rs:64",
    ],
  );
  assert.equal(at(244).path, null);
  assert.match(at(244).fix ?? "", /tokio::spawn/);
  assert.equal(declared?.verdict, "REQUEST CHANGES");
});

test("md/id-agents-security-audit: praise under an id is kept as passed, several files and lines are related places", () => {
  const { claimed } = readSample("md/id-agents-security-audit.md");
  const byId = new Map(claimed.map((found) => [found.sourceId, found]));
  assert.deepEqual(
    claimed.filter(({ status }) => status === "pass").map(({ sourceId }) => sourceId),
    ["LOW-2", "LOW-3"],
  );
  const places = (id: string): string[] => byId.get(id)?.related.map(({ path, span }) => `${path}:${span.line}`) ?? [];
  assert.deepEqual(places("HIGH-2"), ["src/agent-manager-db.ts:1515"]);
  assert.deepEqual(places("MEDIUM-3"), ["src/interactive-agent-cli.ts:256"]);
  assert.equal(places("HIGH-3").length, 4);
});

test("md/badshuffle-security-audit: a rank at the end of a heading, lines in words, dependencies without a file", () => {
  const { claimed } = readSample("md/badshuffle-security-audit.md");
  const download = claimed.find(({ pointer }) => pointer === "L41");
  assert.deepEqual(download?.span, { line: 76, endLine: 84, column: null, endColumn: null });
  assert.deepEqual(
    download?.related.map(({ path, span }) => `${path}:${span.line}-${span.endLine}`),
    ["server/api/v1.js:30-37"],
  );
  const multer = claimed.find(({ pointer }) => pointer === "L127");
  assert.deepEqual([multer?.path, multer?.message], [null, "multer < 2.1.1: DoS via uncontrolled recursion."]);
  assert.match(multer?.fix ?? "", /npm audit fix/);
});

test("md/judges-ai-review: lines without a file, confidence, CWE and the overall verdict are kept", () => {
  const { claimed, declared } = readSample("md/judges-ai-review.md");
  assert.ok(claimed.every(({ path }) => path === null));
  assert.equal(claimed.filter(({ span }) => span.line === null).length, 12);
  const secret = claimed.find(({ sourceId }) => sourceId === "DATA-003");
  assert.deepEqual(
    secret?.related.map(({ span }) => span.line),
    [209],
  );
  assert.deepEqual([secret?.finderConfidence, secret?.cwe], [90, ["CWE-798"]]);
  assert.equal(declared?.verdict, "FAIL");
});

for (const name of sampleNames()) {
  test(`C20: ${name} is read without a throw, and never as zero findings and zero unread lines`, () => {
    const { claimed, unread } = readSample(name);
    assert.ok(claimed.length + unread.length > 0);
    const lines = sampleText(name).split(/\r\n|\n|\r/).length;
    for (const row of unread)
      assert.ok(row.path === name && (row.pointer !== null || (row.line ?? 0) >= 1) && (row.line ?? 1) <= lines);
    assert.equal(
      new Set(claimed.map(({ pointer }) => pointer)).size,
      claimed.length,
      "each finding has its own pointer",
    );
    assert.ok(claimed.every(({ message }) => message.trim() !== ""));
  });
}
