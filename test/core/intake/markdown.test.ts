import assert from "node:assert/strict";
import test from "node:test";
import type { Claimed, ReviewReading } from "../../../src/core/finding.ts";
import { leadingPlace, readPlaces } from "../../../src/core/intake/markdown/places.ts";
import { splitRow } from "../../../src/core/intake/markdown/table.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";

const read = (...lines: string[]): ReviewReading => readReview(lines.join("\n"), "review.md");
const one = (...lines: string[]): Claimed => {
  const { claimed, unread } = read(...lines);
  assert.deepEqual(unread, []);
  assert.equal(claimed.length, 1);
  return claimed[0] ?? assert.fail("no finding");
};
const where = ({ path, span }: Claimed): string =>
  `${path}:${span.line}${span.endLine === null ? "" : `-${span.endLine}`}`;

const HEADER = ["| Location | Severity | Category | Description | Fix |", "|---|---|---|---|---|"];

test("R3.5: a row of the finding table gives place, severity, category, description and fix", () => {
  const found = one(...HEADER, "| `src/a.ts:12-14` | CRITICAL | security | Query from **input** `x` | Bind it |");
  assert.equal(where(found), "src/a.ts:12-14");
  assert.deepEqual([found.severity, found.category, found.fix], ["P0", "security", "Bind it"]);
  assert.equal(found.message, "Query from input `x`");
  assert.deepEqual([found.pointer, found.prose], ["L3", true]);
  assert.match(String(found.extra["text"]), /^\| `src\/a\.ts/);
});

test("ruling 18: WARNING of the R3.5 table is P1, in another table it is P2", () => {
  const found = one(...HEADER, "| a.ts:1 | WARNING | x | y | z |");
  assert.deepEqual([found.severity, found.sourceSeverity], ["P1", { scale: "archeflow-table", value: "WARNING" }]);
  const other = one("| File | Severity | Issue |", "|---|---|---|", "| a.ts:1 | Warning | y |");
  assert.deepEqual([other.severity, other.sourceSeverity], ["P2", { scale: "word", value: "Warning" }]);
});

test("R3.23: bold, backticks and an earlier downgrade in the severity cell are understood", () => {
  const { claimed } = read(
    ...HEADER,
    "| a.ts:1 | **CRITICAL** | x | y | z |",
    "| a.ts:2 | `info` | x | y | z |",
    "| a.ts:3 | INFO (downgraded: no evidence; original in r.orig) | x | y | z |",
  );
  assert.deepEqual(
    claimed.map(({ severity }) => severity),
    ["P0", "Nit", "Nit"],
  );
});

test("R3.5: columns stand in any order, under other names, with a separate line column", () => {
  const found = one(
    "| # | Problem | Sev | File | Line | Recommendation |",
    "|--|--|--|--|--|--|",
    "| 7 | Leaks | High | src/a.ts | 12 | Close it |",
  );
  assert.equal(where(found), "src/a.ts:12");
  assert.deepEqual([found.severity, found.message, found.sourceId, found.fix], ["P1", "Leaks", "7", "Close it"]);
});

test("R3.23: a column named Impact ranks where its cells hold severities", () => {
  assert.equal(one("| Where | Impact | Issue |", "|--|--|--|", "| a.ts:3 | high | y |").severity, "P1");
  assert.deepEqual(read("| Where | Impact | Issue |", "|--|--|--|", "| a.ts:3 | breaks the build | y |").claimed, []);
});

test("a place column is known by its content where its name says nothing", () => {
  assert.equal(where(one("| Severity | Evidence | Issue |", "|--|--|--|", "| High | `a.ts:3` | y |")), "a.ts:3");
});

test("bars inside backticks and escaped bars do not shift the cells", () => {
  const row = "| a.ts:3 | CRITICAL | x | uses `a || b` and c \\| d | z |";
  const found = one(...HEADER, row);
  assert.deepEqual([found.message, found.fix], ["uses `a || b` and c | d", "z"]);
  assert.equal(splitRow("| `a` | `b` | c |", 3).length, 3);
});

test("several places in one cell: the first is the finding's, the others are related", () => {
  const found = one(...HEADER, "| a.ts:3, 9, `b.ts:1` and c.ts (lines 4–6) | CRITICAL | x | y | z |");
  assert.equal(where(found), "a.ts:3");
  assert.deepEqual(
    found.related.map(({ path, span }) => `${path}:${span.line}`),
    ["a.ts:9", "b.ts:1", "c.ts:4"],
  );
});

test("C20: a row with a place and a severity nobody knows is listed; empty and passed rows are no findings", () => {
  const { claimed, unread } = read(
    ...HEADER,
    "| a.ts:3 | terrible | x | y | z |",
    "| - | - | - | - | - |",
    "| b.ts:1 | PASS | x | y | z |",
  );
  assert.equal(claimed.length, 0);
  assert.deepEqual(
    unread.map(({ line }) => line),
    [3],
  );
});

test("tables that count, explain or plan are no findings", () => {
  const tables = [
    ["| Severity | Count |", "|--|--|", "| HIGH | 2 |"],
    ["| Severity | Meaning |", "|--|--|", "| HIGH | fix at once |"],
    ["| Check | Result |", "|--|--|", "| src/a.ts:1 | PASS |"],
    ["| Phase | Timeline | Owner |", "|--|--|--|", "| 1 | now | us |"],
  ];
  for (const table of tables)
    assert.deepEqual(read("# Review", "", ...table), { format: "markdown", claimed: [], unread: [], revision: null });
});

test("R3.5: 'No findings.' is no finding and no unread line", () => {
  for (const text of ["No findings.", "# Review\n\nNo findings.", "## Critical\n\nNone.\n\n## High\n\n- None found."]) {
    assert.deepEqual(readReview(text, "r.md"), { format: "markdown", claimed: [], unread: [], revision: null });
  }
});

test("R0.34: lines of file, severity and issue, with the verdict line beside them", () => {
  const { claimed, unread } = read(
    "src/a.ts:12 | P0 | drops `x` | y",
    "src/b.ts:3:5 | p1 | leaks",
    "lib/c.ts | P2 | untidy",
    "VERDICT: BLOCK",
  );
  assert.deepEqual(unread, []);
  assert.deepEqual(
    claimed.map((found) => [where(found), found.severity, found.message, found.pointer]),
    [
      ["src/a.ts:12", "P0", "drops `x` | y", "L1"],
      ["src/b.ts:3", "P1", "leaks", "L2"],
      ["lib/c.ts:null", "P2", "untidy", "L3"],
    ],
  );
  assert.deepEqual(claimed[0]?.sourceSeverity, { scale: "p-scale", value: "P0" });
});

test("R0.34: list marks, backticks and Windows paths in a line do not matter; a plain text file works too", () => {
  const { claimed } = readReview(
    "1. `src/a.ts:12` | **P1** | leaks\r\n- C:\\x\\a.cs:7 | P2 | untidy\r\n",
    "findings.txt",
  );
  assert.deepEqual(claimed.map(where), ["src/a.ts:12", "C:\\x\\a.cs:7"]);
});

test("C20: a line with the severity in its place but no file is listed with its line", () => {
  const { claimed, unread } = read("Intro", "", "somewhere | P1 | leaks");
  assert.deepEqual(claimed, []);
  assert.deepEqual(
    unread.map(({ line, severityWord }) => [line, severityWord]),
    [[3, true]],
  );
});

const BULLETS: readonly [bullet: string, place: string, severity: string, message: string, fix: string | null][] = [
  ["- [P0] src/a.ts:12 drops the table -> bind the value", "src/a.ts:12", "P0", "drops the table", "bind the value"],
  ["- [P1] <src/a.ts:12> leaks → close it", "src/a.ts:12", "P1", "leaks", "close it"],
  ["* [P2] `src/a.ts:12-15`: untidy", "src/a.ts:12-15", "P2", "untidy", null],
  ["1. **[Nit]** **src/a.ts:1** — naming", "src/a.ts:1", "Nit", "naming", null],
  ["- [P1] src/a.ts (line 9) calls `a -> b` late", "src/a.ts:9", "P1", "calls `a -> b` late", null],
  ["- [P1] [a.ts:9](./src/a.ts#L9) leaks", "a.ts:9", "P1", "leaks", null],
  ["- [P1] src/a.ts:9 first line\n  and the second -> fix", "src/a.ts:9", "P1", "first line\nand the second", "fix"],
];
for (const [bullet, place, severity, message, fix] of BULLETS) {
  test(`R1.7: ${bullet.replace("\n", "⏎")}`, () => {
    const found = one(bullet);
    assert.deepEqual([where(found), found.severity, found.message, found.fix], [place, severity, message, fix]);
  });
}

test("R1.7: a bullet without a place is still a finding; the gate sentinel is none", () => {
  const found = one("## Gate: ⛔", "", "- [P1] No test covers the rollback", "", "⛔ Blocked");
  assert.deepEqual([found.path, found.message], [null, "No test covers the rollback"]);
});

const LABELLED = [
  "## Findings",
  "",
  "- **[High]** Session survives logout",
  "  - Location: `src/session.ts:41`, `src/logout.ts:7`",
  "    ```ts",
  "    return sessions.get(id);",
  "    ```",
  "  - Rationale: the row is kept.",
  "    CWE-613 applies.",
  "  - Repro: log out, replay the cookie",
  "  - Remediation: delete the row",
  "  - References: https://example.com/x, more",
  "- **[Low] Typo in a log line**",
  "  Location: src/log.ts:2",
];

test("R0.35: title, location, rationale, repro, remediation and references of a labelled bullet", () => {
  const { claimed, unread } = read(...LABELLED);
  assert.deepEqual(unread, []);
  const [high, low] = claimed;
  assert.equal(high && where(high), "src/session.ts:41");
  assert.deepEqual(
    high?.related.map(({ path }) => path),
    ["src/logout.ts"],
  );
  assert.equal(high?.message, "Session survives logout\nthe row is kept.\nCWE-613 applies.");
  assert.deepEqual(
    [high?.severity, high?.quote?.trim(), high?.fix],
    ["P1", "return sessions.get(id);", "delete the row"],
  );
  assert.deepEqual(
    [high?.helpUri, high?.cwe, high?.extra["repro"]],
    ["https://example.com/x", ["CWE-613"], "log out, replay the cookie"],
  );
  assert.deepEqual(
    [low && where(low), low?.severity, low?.message, low?.pointer],
    ["src/log.ts:2", "Nit", "Typo in a log line", "L13"],
  );
});

test("a review that a model put into one code fence is read, with the file's own line numbers", () => {
  const { claimed } = read(
    "Here is my review:",
    "",
    "```markdown",
    ...HEADER,
    "| a.ts:3 | CRITICAL | x | y | z |",
    "```",
  );
  assert.deepEqual(
    claimed.map(({ pointer }) => pointer),
    ["L6"],
  );
  assert.equal(one("```", "src/a.ts:1 | P1 | leaks", "```").pointer, "L2");
});

test("code that only shows severity words is no finding", () => {
  assert.deepEqual(read("Use it so:", "", "```js", "log('CRITICAL: x', 'P1')", "```").claimed, []);
});

const RANKED: readonly (readonly [words: string, lines: readonly string[], found: readonly string[]])[] = [
  [
    "a heading that starts with the severity",
    ["### HIGH: Token is logged", "", "text"],
    ["L1 P1 Token is logged\ntext"],
  ],
  ["a heading that ends with it", ["### 1.1 Weak secret — **HIGH**"], ["L1 P1 Weak secret"]],
  ["a heading with an icon", ["### 🔴 CRITICAL — [A-1] x"], ["L1 P0 x"]],
  ["a numbered heading", ["### Issue #3: CRITICAL - x"], ["L1 P0 x"]],
  ["a bracketed bullet", ["- [CRITICAL] x in a.ts:3"], ["L1 P0 x in a.ts:3"]],
  ["a bold bullet", ["- **High:** x"], ["L1 P1 x"]],
  ["a bullet with an id", ["- [A-1] (critical) x"], ["L1 P0 x"]],
  ["a named bullet", ["- **multer:** High — DoS"], ["L1 P1 multer: DoS"]],
  [
    "a severity line under a heading",
    ["### Token is logged", "", "**Severity**: HIGH", "Told."],
    ["L1 P1 Token is logged\nTold."],
  ],
  ["a paragraph", ["P1: the token is logged"], ["L1 P1 the token is logged"]],
  ["a ranked row without a place", ["| ID | Severity | Title |", "|--|--|--|", "| X-1 | HIGH | t |"], ["L3 P1 t"]],
  [
    "sub-headings under a ranking heading",
    ["## High severity", "", "### Token", "", "### Cookie"],
    ["L3 P1 Token", "L5 P1 Cookie"],
  ],
  [
    "list items under a ranking heading",
    ["## Critical", "", "- token is logged", "- cookie is kept"],
    ["L3 P0 token is logged", "L4 P0 cookie is kept"],
  ],
  [
    "anything under a title that speaks of remediation",
    ["# Remediation review", "", "## HIGH: x is y"],
    ["L3 P1 x is y"],
  ],
  ["findings that are no false positives", ["## Confirmed, not false positive", "", "- **HIGH**: x"], ["L3 P1 x"]],
  [
    "two rows that share an id",
    [
      "| ID | Severity | Package | Title |",
      "|--|--|--|--|",
      "| CVE-2024-1 | HIGH | a | t |",
      "| CVE-2024-1 | HIGH | b | u |",
    ],
    ["L3 P1 t", "L4 P1 u"],
  ],
];
for (const [words, lines, found] of RANKED) {
  test(`R3.22: read: ${words}`, () => {
    const { claimed, unread } = read(...lines);
    assert.deepEqual(unread, []);
    assert.deepEqual(
      claimed.map(({ pointer, severity, message }) => `${pointer} ${severity} ${message}`),
      found,
    );
  });
}

const LISTED: readonly (readonly [words: string, lines: readonly string[], at: readonly number[]])[] = [
  ["a ranked row that says nothing else", ["| ID | Severity | Package |", "|--|--|--|", "| - | HIGH | a |"], [3]],
  ["capitals in a summary, R3.16", ["## Summary: 2 CRITICAL"], [1]],
  ["a place without a severity, where nothing else was found", ["- src/a.ts:3 leaks"], [1]],
  ["a section that names a line and no severity", ["## One", "", "**File:** src/a.ts:3", "", "It leaks."], [1]],
  ["a row that names a line and a problem", ["| File | Issue |", "|--|--|", "| a.ts:3 | leaks |"], [3]],
  ["a rank that stands alone", ["- **High**"], [1]],
];
for (const [words, lines, at] of LISTED) {
  test(`C20: listed, not dropped: ${words}`, () => {
    const { claimed, unread } = read(...lines);
    assert.deepEqual(claimed, []);
    assert.deepEqual(
      unread.map(({ line }) => line),
      at,
    );
  });
}

const SILENT: readonly string[] = [
  "APPROVED: 0 CRITICAL, 0 WARNING, no INFO",
  "High memory use is possible in principle.",
  "- high memory use: see docs",
  "# How to log at a low level",
  "## Severity legend\n\n- **CRITICAL** — fix at once\n- **HIGH** — fix soon",
  "## Remediation\n\n### P0 (now)\n\n- upgrade",
];
for (const text of SILENT) {
  test(`no false alarm: ${JSON.stringify(text)}`, () => assert.deepEqual(readReview(text, "r.md").unread, []));
}

test("C20: what was read is not listed again by its own detail section", () => {
  const table = ["| ID | Severity | File |", "|--|--|--|", "| X-1 | HIGH | a.ts:3 |"];
  assert.equal(
    one(...table, "", "## HIGH", "", "### X-1: Token is logged", "", "**Severity:** HIGH").message,
    "Token is logged",
  );
});

const PLACES: readonly [string, readonly string[]][] = [
  ["src/a.ts:12", ["src/a.ts:12:null"]],
  ["`src/a.ts:12:5`", ["src/a.ts:12:null"]],
  ["src/a.ts:12–15", ["src/a.ts:12:15"]],
  ["src/a.ts:15-12", ["src/a.ts:12:15"]],
  ["src/a.ts#L12-L15", ["src/a.ts:12:15"]],
  ["src/a.ts (lines 12–15)", ["src/a.ts:12:15"]],
  ["src/a.ts, line 12", ["src/a.ts:12:null"]],
  ["[a.ts:12](https://example.com/a.ts#L12)", ["a.ts:12:null"]],
  ["C:\\x\\a.cs:17", ["C:\\x\\a.cs:17:null"]],
  ["`internal/a.go:89` (HTTP client calls)", ["internal/a.go:89:null"]],
  ["`a.ts:1` vs `b.ts:2`", ["a.ts:1:null", "b.ts:2:null"]],
  ["src/a.ts:1498, 1515", ["src/a.ts:1498:null", "src/a.ts:1515:null"]],
  ["Dockerfile", ["Dockerfile:null:null"]],
  ["src/my file.ts:3", ["src/my file.ts:3:null"]],
  ["10:30", []],
  ["everywhere", []],
  ["n/a", []],
  ["—", []],
];
for (const [text, places] of PLACES) {
  test(`place: ${text}`, () => {
    assert.deepEqual(
      readPlaces(text).map(({ path, span }) => `${path}:${span.line}:${span.endLine}`),
      places,
    );
  });
}

test("a place at the start of a text leaves the rest", () => {
  assert.equal(leadingPlace("src/a.ts:3: leaks")?.rest, "leaks");
  assert.equal(leadingPlace("leaks in a.ts"), null);
});

test("severity words of a person's own map are read in tables", () => {
  const text = [...HEADER, "| a.ts:3 | Sev 1 | x | y | z |"].join("\n");
  assert.equal(readReview(text, "r.md", { severityMap: { word: { "sev 1": "P0" } } }).claimed[0]?.severity, "P0");
});

test("markdown is never markup: tags stay text", () => {
  const found = one(...HEADER, "| a.ts:3 | CRITICAL | x | <img src=x onerror=1> **b** | z |");
  assert.equal(found.message, "<img src=x onerror=1> b");
});

test("text that opens like JSON or a tag but is prose is read as prose", () => {
  assert.equal(one("[see the guide](guide.md)", "", "- [P1] a.ts:3 leaks").path, "a.ts");
  assert.equal(one("<!-- made by a model -->", "", "- [P1] a.ts:3 leaks").path, "a.ts");
});

const reason = (text: string): string => readReview(text, "x").unread[0]?.reason ?? "";

test("C20: empty, binary, cut off JSON and XML are told apart, in one row each", () => {
  assert.match(reason("  \n"), /empty/);
  assert.match(reason("PNG\0\0"), /not text/);
  assert.match(reason('{"version":"2.1.0","runs":[{'), /not valid JSON/);
  assert.match(reason('<?xml version="1.0"?><pmd/>'), /XML/);
});

test("a text over the limit is named, not cut silently", () => {
  assert.match(readReview("x".repeat(5_000_001), "r.md").unread[0]?.reason ?? "", /5 million/);
});

test("a large report, and one built to be slow, are read in bounded time", () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `| src/f${n}.ts:${n} | WARNING | q | text ${n} | fix |`);
  const started = performance.now();
  assert.equal(read(...HEADER, ...rows).claimed.length, 3000);
  for (const piece of ["[", "*", "`", "| ", "- ", "> ", "a:1 ", "**", "<", "(", " ", "-> ", "\\"]) {
    readReview(`- [P1] ${piece.repeat(20_000)}`, "r.md");
    readReview(`${HEADER.join("\n")}\n| ${piece.repeat(20_000)} | HIGH | x | y | z |`, "r.md");
    readReview(`### ${piece.repeat(20_000)}`, "r.md");
  }
  assert.ok(performance.now() - started < 10_000);
});
