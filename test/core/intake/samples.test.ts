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

const UNREAD: readonly [file: string, count: number, lines: readonly number[]][] = [
  ["md/axiom-vault-security-audit.md", 26, [24, 49]],
  ["md/tavern-code-review-zh.md", 31, [32, 249]],
  ["md/id-agents-security-audit.md", 26, [45, 347]],
  ["md/badshuffle-security-audit.md", 16, [16, 136]],
  ["md/judges-ai-review.md", 135, [53]],
];
for (const [file, count, lines] of UNREAD) {
  test(`C20: ${file}: each finding in a form not read yet is listed once, with its line`, () => {
    const { claimed, unread } = readSample(file);
    assert.equal(claimed.length, 0);
    assert.equal(unread.length, count);
    for (const line of lines) assert.ok(unread.some((row) => row.line === line));
    assert.ok(unread.every(({ severityWord }) => severityWord));
  });
}

test("C20: md/hex-code-review-fixes: all five findings are listed, by heading or by their severity line", () => {
  const { unread } = readSample("md/hex-code-review-fixes.md");
  for (const n of [1, 2, 3, 4, 5]) assert.ok(unread.some(({ text }) => text.includes(`Issue #${n}:`)));
});

const ranked = ({ path, span, sourceSeverity }: Claimed): string => `${path}:${span.line}:${sourceSeverity.value}`;

test("md/hex-govulncheck-table: twelve rows with place and severity; the details and other tables repeat nothing", () => {
  const { claimed, unread } = readSample("md/hex-govulncheck-table.md");
  assert.deepEqual(unread, []);
  assert.equal(claimed.length, 12);
  const row = (id: string) => claimed.find(({ sourceId }) => sourceId === id) ?? assert.fail(id);
  assert.equal(ranked(row("GO-2025-4013")), "templates/loader.go:85:Medium");
  assert.equal(ranked(row("GO-2025-3956")), "tools/task_tool.go:425:Medium");
  assert.equal(ranked(row("GO-2025-3563")), "core/stream.go:95:High");
  assert.match(row("GO-2025-4012").message, /Cookie Parsing Memory Exhaustion/);
  assert.deepEqual(
    ["High", "Medium", "Low"].map(
      (word) => claimed.filter(({ sourceSeverity }) => sourceSeverity.value === word).length,
    ),
    [4, 6, 2],
  );
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
