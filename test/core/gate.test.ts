import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { gateExitCode, scanEvidence, validateEvidence } from "../../src/core/gate.ts";
import { EVIDENCE_MARKERS, HEDGES } from "../../src/core/evidenceGate.ts";
import { checkPlaces } from "../../src/core/gatePlaces.ts";
import { createMemoryRepository } from "../support/memoryRepository.ts";
import { SEED } from "../support/seed.ts";

const lines = (...text: string[]): string => text.join("\n");
const HEADER = ["| Location | Severity | Category | Description | Fix |", "|---|---|---|---|---|"];
/** Downgrades as `LINE FROM reason`. */
const downs = (text: string): string[] =>
  scanEvidence(text).downgrades.map(({ line, from, reason }) => `${line} ${from} ${reason}`);

const EXITS: readonly [why: string, text: string, code: number][] = [
  ["something was downgraded", "CRITICAL: the cache is wrong", 0],
  ["every finding has evidence", "CRITICAL: the cache is wrong, cache.ts:9", 1],
  ["only INFO was found", "INFO: the cache is wrong", 1],
  ["nothing is there at all", "", 1],
  ["no finding was read, but a severity stands there", "The review found a CRITICAL problem.", 3],
];
for (const [why, text, code] of EXITS) {
  test(`R3.15: exit ${code}: ${why}`, () => assert.equal(gateExitCode(scanEvidence(text)), code));
}

const SPOKEN: readonly [text: string, unreadable: boolean][] = [
  ["## Summary: 2 CRITICAL", true],
  ["APPROVED: 0 CRITICAL, 0 WARNING, no INFO", false],
  ["We count **0 CRITICAL** and 0 **WARNING**, No INFO.", false],
  ["We count 10 CRITICAL.", true],
  ["- [CRITICAL] src/a.ts:3 leaks", true],
  ["* **WARNING** leaks", true],
  ["a critical problem, a warning, some info", false],
  ["WARNINGS, INFORMATION and NON_CRITICAL_PATH are other words", false],
  ["| Location | Severity |\n|---|---|\n| a.ts:3 | HIGH |\nsome INFO", true],
];
for (const [text, unreadable] of SPOKEN) {
  test(`R3.16: ${unreadable ? "exit 3" : "exit 1"} for ${JSON.stringify(text)}`, () => {
    const scan = scanEvidence(text);
    assert.deepEqual([scan.findings, scan.unreadable], [0, unreadable]);
    assert.equal(validateEvidence(text, "r.md").text, text);
  });
}

test("R3.16: where one finding was read, severity words elsewhere do not matter", () => {
  assert.equal(scanEvidence("INFO: a\n\n- [CRITICAL] b").unreadable, false);
});

test("R3.18: INFO is counted and never changed", () => {
  const text = lines(...HEADER, "| a.ts | INFO | q | might be | f |");
  assert.deepEqual(validateEvidence(text, "r.md"), {
    findings: 1,
    downgrades: [],
    unreadable: false,
    text,
    rewritten: 0,
  });
});

test("R3.19, R3.21: each hedge without a marker is the reason, with a marker it is kept", () => {
  for (const hedge of HEDGES) {
    assert.deepEqual(downs(`WARNING: it ${hedge.toUpperCase()} wrong`), ["1 WARNING hedge_without_evidence"]);
    assert.deepEqual(downs(`WARNING: it ${hedge} wrong\nobserved: 3`), []);
  }
  assert.deepEqual(downs("WARNING: it is wrong"), ["1 WARNING no_evidence"]);
});

test("R3.21: for a table row the marker counts in any cell, Location included", () => {
  assert.deepEqual(downs(lines(...HEADER, "| src/a.ts:48 | CRITICAL | s | possibly wrong | f |")), []);
  assert.deepEqual(downs(lines(...HEADER, "| src/a.ts | CRITICAL | s | wrong | f |", "exit code 1")), [
    "3 CRITICAL no_evidence",
  ]);
});

const SHAPES: readonly [shape: string, text: string, found: readonly string[]][] = [
  ["a table row", lines(...HEADER, "| a.ts | WARNING | s | d | f |"), ["3 WARNING no_evidence"]],
  ["a label block", "### Token\n\n**Severity:** CRITICAL\n\nwrong", ["3 CRITICAL no_evidence"]],
  ["a label block with Impact in a bullet", "## Token\n- **Impact**: warning", ["2 WARNING no_evidence"]],
  ["a heading that starts with it", "### CRITICAL: token", ["1 CRITICAL no_evidence"]],
  ["a heading with noun, number, dash and bold", "#### Finding 2 — **WARNING** token", ["1 WARNING no_evidence"]],
  ["a heading with a numbered challenge", "## Challenge #1: [CRITICAL] token", ["1 CRITICAL no_evidence"]],
  ["a heading with it in brackets anywhere", "### Token is logged [warning]", ["1 WARNING no_evidence"]],
  ["a line and what continues it", "CRITICAL: token\n\nand more", ["1 CRITICAL no_evidence"]],
  ["a bold line in small letters", "**warning** token", ["1 WARNING no_evidence"]],
];
for (const [shape, text, found] of SHAPES) {
  test(`R3.22: ${shape} is a finding`, () => assert.deepEqual(downs(text), found));
}

const NO_SHAPES: readonly string[] = [
  "Severity: CRITICAL",
  "### Criticality of the cache",
  "### 2 CRITICAL findings",
  "## Token\n\nImpact: critical data is lost",
  "It is CRITICAL: really",
  "- CRITICAL: a bullet",
  "```\nCRITICAL: printed by a tool\n| a | WARNING | b |\n```",
];
for (const text of NO_SHAPES) {
  test(`R3.22: no finding: ${JSON.stringify(text)}`, () => assert.equal(scanEvidence(text).findings, 0));
}

test("R3.22: a review that stands in a fence of markdown is read", () => {
  assert.equal(scanEvidence("```markdown\nCRITICAL: token\n```").findings, 1);
});

test("R3.22: a line continues until the next shape; its evidence may stand below", () => {
  assert.deepEqual(downs("CRITICAL: a\n\ndetails\n\nWARNING: b\n\nexit code 1\n\n## End\nCRITICAL: c"), [
    "1 CRITICAL no_evidence",
    "10 CRITICAL no_evidence",
  ]);
});

test("R3.23: the header Severity or Impact fixes the column; other cells do not count", () => {
  const header = ["| Title | Impact | Note |", "|--|--|--|"];
  assert.deepEqual(downs(lines(...header, "| CRITICAL | warning | x |")), ["3 WARNING no_evidence"]);
  assert.equal(scanEvidence(lines(...header, "| CRITICAL | high | x |")).findings, 0);
});

test("R3.23: without such a header the first cell that is a severity counts", () => {
  assert.deepEqual(downs("| a | **WARNING** | `CRITICAL` |"), ["1 WARNING no_evidence"]);
});

test("R3.23: bold, backticks and an earlier downgrade in the cell are understood", () => {
  const text = lines(
    ...HEADER,
    "| a.ts | **CRITICAL** | s | d | f |",
    "| a.ts | `WARNING` | s | d | f |",
    "| a.ts | INFO (downgraded: no evidence; original in r.md.orig) | s | d | f |",
  );
  assert.equal(scanEvidence(text).findings, 3);
  assert.deepEqual(downs(text), ["3 CRITICAL no_evidence", "4 WARNING no_evidence"]);
});

test("R3.23: bars in code and escaped bars before the column do not shift it", () => {
  const header = ["| Description | Severity |", "|--|--|"];
  assert.deepEqual(downs(lines(...header, "| `a | b` c \\| d | CRITICAL |")), ["3 CRITICAL no_evidence"]);
});

test("R3.23: a line that is no table line resets the column", () => {
  const text = lines("| Title | Severity |", "|--|--|", "| a | WARNING |", "", "| CRITICAL | x |");
  assert.deepEqual(downs(text), ["3 WARNING no_evidence", "5 CRITICAL no_evidence"]);
});

test("R3.23: a table row ends an open block, so its evidence is its own", () => {
  const text = lines("### CRITICAL: token", "wrong", "| a.ts:3 | INFO | x |", "exit code 1");
  assert.deepEqual(downs(text), ["1 CRITICAL no_evidence"]);
  assert.equal(scanEvidence(text).findings, 2);
});

test("R3.24: a severity heading owns deeper headings and their evidence, not the next of its level", () => {
  assert.deepEqual(downs("## CRITICAL: a\n### Proof\nobserved: 3\n## WARNING: b\n# End\nobserved: 4"), [
    "4 WARNING no_evidence",
  ]);
});

test("R3.24: several severities in one finding are one finding of the highest rank; all are rewritten, one event is told", () => {
  const text = "## WARNING: a\n**Severity:** INFO\n### CRITICAL part\nWarning: c\n## Next";
  const { findings, downgrades, rewritten, text: after } = validateEvidence(text, "r.md");
  assert.deepEqual([findings, rewritten], [1, 3]);
  assert.deepEqual(downgrades, [{ from: "CRITICAL", reason: "no_evidence", line: 1 }]);
  const words = "INFO (downgraded: no evidence; original in r.md.orig)";
  assert.equal(after, `## ${words}: a\n**Severity:** INFO\n### ${words} part\n${words}: c\n## Next`);
});

test("R3.24: a label block owns deeper headings that are no findings themselves", () => {
  const text =
    "## A\n**Severity:** CRITICAL\n### Proof\nexit code 1\n## B\nImpact: WARNING\n### C\nSeverity: CRITICAL\n:9";
  assert.deepEqual(downs(text), ["6 WARNING no_evidence"]);
});

test("R3.24: headings in code do not end a finding", () => {
  assert.deepEqual(downs("## CRITICAL: a\n```sh\n# comment\n```\n"), []);
});

test("R3.25: the severity gives way to INFO with the reason in words and the file's name; the word itself is not repeated", () => {
  const { text } = validateEvidence("**CRITICAL**: perhaps\n", "check-guardian.md");
  assert.equal(text, "**INFO (downgraded: hedge without evidence; original in check-guardian.md.orig)**: perhaps\n");
  assert.doesNotMatch(text, /CRITICAL/);
});

test("R3.26: line ends, blanks and everything else stay as they are", () => {
  const text = "\ufeff# R\r\n\r\nCRITICAL: a  \r\n\tx\u00a0y\r\n| b |WARNING| c|\r\nend";
  const words = "INFO (downgraded: no evidence; original in r.md.orig)";
  assert.equal(
    validateEvidence(text, "r.md").text,
    `\ufeff# R\r\n\r\n${words}: a  \r\n\tx\u00a0y\r\n| b |${words}| c|\r\nend`,
  );
});

test("R3.27: a file name full of severities, bars and markers changes nothing in a second run", () => {
  for (const name of [
    "[CRITICAL].md",
    "a|WARNING|.md",
    "line 3:4 `x`.md",
    "(critical) $ .md",
    "a.orig).md",
    "a\nCRITICAL: b",
  ]) {
    const first = validateEvidence("### [WARNING] a\n\n| CRITICAL | x |\n\nCRITICAL: b", name);
    const second = validateEvidence(first.text, name);
    assert.deepEqual([first.findings, first.downgrades.length], [3, 3]);
    assert.deepEqual([second.findings, second.downgrades.length, second.text], [3, 0, first.text]);
  }
});

const PIECE = fc.oneof(
  fc.constantFrom(
    "CRITICAL",
    "WARNING",
    "INFO",
    "critical",
    "| ",
    " |",
    "## ",
    "### ",
    "- ",
    "**",
    ": ",
    "Severity:",
    "Impact: ",
    "\n",
    "\r\n",
    "\n\n",
    "```\n",
    "~~~\n",
    "[",
    "]",
    "(",
    ")",
    "`",
    "\\",
    "x",
    "might be ",
    "a.ts:3",
    "0 ",
    "no ",
    "Finding 1 ",
    "|---|\n",
    "$ ",
    "INFO (downgraded: no evidence; original in r.md.orig)",
  ),
  fc.string({ maxLength: 4, unit: "grapheme" }),
);
const REVIEW = fc.array(PIECE, { maxLength: 60 }).map((parts) => parts.join(""));

test(`gate properties: the seed of this run is FUZZ_SEED=${SEED}`, () => assert.ok(Number.isInteger(SEED)));

test("R3.27: a second run downgrades nothing and finds as much, whatever the text", () => {
  fc.assert(
    fc.property(REVIEW, (text) => {
      const first = validateEvidence(text, "r.md");
      const second = validateEvidence(first.text, "r.md");
      assert.deepEqual([second.downgrades, second.rewritten, second.text], [[], 0, first.text]);
      assert.equal(second.findings, first.findings);
    }),
    { numRuns: 3000, seed: SEED },
  );
});

test("R3.26: with the replaced words put back the text is the old one, and its lines are as many", () => {
  fc.assert(
    fc.property(REVIEW, (text) => {
      const mark = "INFO (downgraded: ";
      const known = text.split(mark).length;
      const { text: after, rewritten } = validateEvidence(text, "r.md");
      assert.equal(after.split(mark).length, known + rewritten);
      assert.equal(after.split("\n").length, text.split("\n").length);
      const pattern =
        /INFO \(downgraded: (?:no evidence|hedge without evidence); original in r\.md\.orig\)|critical|warning|info/gi;
      assert.equal(after.replace(pattern, "#"), text.replace(pattern, "#"));
    }),
    { numRuns: 2000, seed: SEED },
  );
});

test("R3.18, R3.28: never more downgrades than findings, each on a line of its own inside the text", () => {
  fc.assert(
    fc.property(REVIEW, (text) => {
      const { findings, downgrades } = scanEvidence(text);
      assert.ok(downgrades.length <= findings);
      const count = text.split("\n").length;
      assert.ok(downgrades.every(({ line }) => line >= 1 && line <= count));
    }),
    { numRuns: 2000, seed: SEED },
  );
});

const MARKERS = [
  "output: x",
  "error: x",
  "line 3",
  "a:3",
  "stack trace",
  "exit code",
  "$ x",
  "```",
  "command: x",
  "result: x",
  "observed: x",
  "expected: x",
  "actual: x",
  "reproduction: x",
  "steps to reproduce",
];

test("R3.20, R3.21: each of the fifteen markers, anywhere in a finding, keeps it", () => {
  assert.equal(MARKERS.length, EVIDENCE_MARKERS.length);
  const places = fc.constantFrom(
    (mark: string) => `| ${mark} | CRITICAL | perhaps |`,
    (mark: string) => `| x | CRITICAL | perhaps ${mark} |`,
    (mark: string) => `## CRITICAL: perhaps\n\nx\n\n### deeper\n\ny ${mark}`,
    (mark: string) => `## T\n${mark}\n**Severity:** WARNING\nperhaps`,
    (mark: string) => `WARNING: perhaps\nx ${mark}`,
  );
  fc.assert(
    fc.property(places, fc.constantFrom(...MARKERS), fc.boolean(), (place, mark, upper) => {
      assert.deepEqual(scanEvidence(place(upper ? mark.toUpperCase() : mark)).downgrades, []);
    }),
    { numRuns: 300, seed: SEED },
  );
});

test("the gate is linear on hostile text", () => {
  const pieces = [
    "`",
    "```a\n",
    "# x\n",
    "| ",
    "[",
    "**",
    "CRITICAL\n",
    "## [CRITICAL] ",
    "INFO (downgraded: no evidence; original in ",
    "\\",
    " ",
    "(critical ",
    "0 ",
    "> ",
  ];
  for (const piece of pieces) {
    const started = performance.now();
    validateEvidence(piece.repeat(40_000), "r.md");
    assert.ok(performance.now() - started < 2000, JSON.stringify(piece));
  }
});

test("R3.30: the lexical gate takes an invented line, a time and a port for evidence; the places say which do not exist", async () => {
  const text = lines(
    ...HEADER,
    "| src/a.ts:2 | CRITICAL | s | true | f |",
    "| src/a.ts:42 | CRITICAL | s | invented line | f |",
    "| `src/x.ts:42` | CRITICAL | s | invented file | f |",
    "| http://localhost:8080 | CRITICAL | s | at 10:30 | f |",
    "**File:** `lib/b.ts` (line 9)",
    "```",
    "src/printed.ts:7",
    "```",
  );
  assert.deepEqual(scanEvidence(text).downgrades, []);
  const repo = createMemoryRepository({ "src/a.ts": "1\n2\n", "app/lib/b.ts": "1\n" });
  const { cited, missing } = await checkPlaces(text, repo);
  assert.equal(cited, 4);
  assert.deepEqual(
    missing.map(({ path, line, at }) => `${path}:${line} at ${at}`),
    ["src/a.ts:42 at 4", "src/x.ts:42 at 5", "lib/b.ts:9 at 7"],
  );
  assert.equal(missing[0]?.why, "the file has 2 lines");
});
