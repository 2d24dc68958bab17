import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { Claimed } from "../../../../src/core/finding.ts";
import { isObject } from "../../../../src/core/intake/json.ts";
import { readReview } from "../../../../src/core/intake/readReview.ts";
import { sampleText } from "../../../support/samples.ts";
import { editJson, jsonEdits } from "../../../support/jsonEdits.ts";
import { SEED } from "../../../support/seed.ts";

test(`fuzz: the seed of this run is FUZZ_SEED=${SEED}`, () => assert.ok(Number.isInteger(SEED)));

/** A report, and how to come to the list in it that holds one finding an entry. */
interface Listed {
  readonly name: string;
  readonly report: unknown;
  readonly list: (report: unknown) => unknown[];
  readonly pointer: string;
}

const arrayAt = (report: unknown, name: string): unknown[] => {
  const list: unknown = isObject(report) ? report[name] : report;
  return Array.isArray(list) ? list : assert.fail(name);
};
const sample = (name: string, member: string): Listed => ({
  name,
  report: JSON.parse(sampleText(name)),
  list: (report) => arrayAt(report, member),
  pointer: member === "" ? "" : `/${member}`,
});

const TRIVY = Array.from({ length: 4 }, (_, n) => ({
  VulnerabilityID: `CVE-2020-${n}000`,
  PkgName: `p${n}`,
  Severity: "HIGH",
}));
const NPM = Array.from({ length: 4 }, (_, n) => ({
  engineId: "e",
  ruleId: `r${n}`,
  severity: "MAJOR",
  primaryLocation: { message: `m${n}`, filePath: `a${n}.ts` },
}));
const AGENT = Array.from({ length: 5 }, (_, n) => ({
  file: `src/a${n}.ts`,
  line: n + 1,
  severity: "high",
  title: `t${n}`,
  description: `d${n}`,
  status: "open",
  tags: ["x"],
}));
const ROWS: readonly Listed[] = [
  sample("json/bandit.json", "results"),
  sample("json/semgrep-many.json", "results"),
  sample("json/reviewdog.rdjson", "diagnostics"),
  {
    name: "trivy",
    report: {
      SchemaVersion: 2,
      ArtifactName: ".",
      Results: [{ Target: "a.lock", Class: "lang-pkgs", Vulnerabilities: TRIVY }],
    },
    list: (report) => arrayAt(arrayAt(report, "Results")[0], "Vulnerabilities"),
    pointer: "/Results/0/Vulnerabilities",
  },
  { name: "sonarqube", report: { issues: NPM }, list: (report) => arrayAt(report, "issues"), pointer: "/issues" },
  { name: "agent", report: { findings: AGENT }, list: (report) => arrayAt(report, "findings"), pointer: "/findings" },
];

const EDITS = jsonEdits(6);

const byPointer = (claimed: readonly Claimed[]): Map<string, Claimed> =>
  new Map(claimed.map((found) => [found.pointer, found]));

test("C20: one broken entry costs no other: each untouched one reads as before, the broken one is a finding or a row", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ROWS), fc.nat(), EDITS, (row, pick, steps) => {
      const report: unknown = structuredClone(row.report);
      const before = readReview(JSON.stringify(report), row.name).claimed;
      const list = row.list(report);
      const broken = pick % list.length;
      const box = { entry: list[broken] };
      editJson(box, steps);
      list[broken] = "entry" in box ? box.entry : null;
      const { claimed, unread } = readReview(JSON.stringify(report), row.name);
      const after = byPointer(claimed);
      const pointer = `${row.pointer}/${broken}`;
      for (const found of before) if (found.pointer !== pointer) assert.deepEqual(after.get(found.pointer), found);
      const isEmpty = isObject(list[broken]) && Object.keys(list[broken]).length === 0;
      const seen = [...claimed, ...unread].some(
        (each) => each.pointer === pointer || each.pointer?.startsWith(`${pointer}/`),
      );
      assert.ok(seen || isEmpty || list[broken] === "" || JSON.stringify(list[broken]) === "[]", pointer);
    }),
    { numRuns: 600, seed: SEED },
  );
});

const SAMPLES = [
  "eslint-metadata.json",
  "semgrep-many.json",
  "github-code-scanning-alerts.json",
  "reviewdog.rdjson",
  "infer-report.json",
  "ai-review-comments.json",
];
const PARSED = SAMPLES.map((name) => [name, sampleText(`json/${name}`)] as const);

test("C20: a report with any members removed or replaced is read without a throw, with sound spans and pointers of its own", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PARSED), EDITS, ([name, text], steps) => {
      const box = { root: JSON.parse(text) };
      editJson(box, steps);
      const { claimed, unread } = readReview(JSON.stringify(box.root ?? null), name);
      assert.equal(new Set(claimed.map(({ pointer }) => pointer)).size, claimed.length);
      for (const { message, span, severity } of claimed) {
        assert.ok(message.trim() !== "" && ["P0", "P1", "P2", "Nit"].includes(severity));
        for (const value of Object.values(span))
          assert.ok(value === null || (Number.isSafeInteger(value) && value >= 1));
        assert.ok((span.endLine ?? span.line ?? 1) >= (span.line ?? 1));
      }
      for (const row of unread) assert.ok(row.reason !== "");
    }),
    { numRuns: 500, seed: SEED },
  );
});

const LINES = ["json/ruff-json-lines.jsonl", "json/agent-findings-ledger.jsonl"].map((name) =>
  sampleText(name).trimEnd().split("\n"),
);

test("C20: JSON lines in any order, joined, spaced or broken: whole ones stay, broken ones are rows", () => {
  const edit = fc.constantFrom<(line: string) => string>(
    (line) => line,
    (line) => `  ${line}  `,
    (line) => `${line}\n`,
    (line) => `${line},`,
    (line) => line.slice(0, -7),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...LINES),
      fc.array(edit, { minLength: 7, maxLength: 7 }),
      fc.constantFrom("\n", "\r\n"),
      (lines, edits, eol) => {
        const changed = lines.map((line, index) => edits[index]?.(line) ?? line);
        const broken = changed.filter((line, index) => line.length < (lines[index]?.length ?? 0)).length;
        if (broken * 2 > lines.length) return;
        const { claimed, unread } = readReview(changed.join(eol), "x.jsonl");
        assert.equal(claimed.length, lines.length - broken);
        assert.equal(unread.length, broken);
      },
    ),
    { numRuns: 200, seed: SEED },
  );
});

test("metamorphic: neither the order of members nor white space nor a byte order mark changes a finding", () => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, member]) => [name, turned(member)]),
        )
      : value;
  };
  for (const { name, report } of ROWS) {
    const plain = readReview(JSON.stringify(report), name).claimed;
    assert.ok(plain.length > 0);
    const bare = (claimed: readonly Claimed[]) => claimed.map((found) => ({ ...found, extra: null }));
    assert.deepEqual(bare(readReview(JSON.stringify(turned(report)), name).claimed), bare(plain), name);
    assert.deepEqual(readReview(`\ufeff${JSON.stringify(report, null, "\t")}\n`, name).claimed, plain, name);
  }
});

test("metamorphic: findings of an agent are the same in any spelling of their members", () => {
  const spellings: ((name: string) => string)[] = [
    (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    (name) => name.toUpperCase(),
    (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter}`),
  ];
  const finding = {
    filePath: "src/a.ts",
    startLine: 3,
    endLine: 9,
    severity: "high",
    title: "t",
    suggestedFix: "f",
    ruleId: "r",
  };
  const before = readReview(JSON.stringify([finding]), "x").claimed;
  for (const spelled of spellings) {
    const other = Object.fromEntries(Object.entries(finding).map(([name, value]) => [spelled(name), value]));
    assert.deepEqual(readReview(JSON.stringify([other]), "x").claimed, before);
  }
});

const PIECES = [
  "src/a.ts(3,7): error TS2304: x",
  "a.py:3: error: x  [misc]",
  "a.py:3: note: y",
  "  more",
  "    3 int x;",
  "   ~~~",
  "\n",
  "error",
  "Found 2 errors.",
  "a.c:3:5: warning: u [-Wall]",
  "<checkstyle>",
  '<file name="a">',
  '<error line="1" message="m"/>',
  "</file>",
  "<testsuite>",
  "<failure>",
  "&lt;",
  "<![CDATA[",
  "]]>",
  '{"file":"a.ts",',
  '"line":1}',
  "[",
  "]",
  "{",
  "}",
  '"',
];

test("any mixture of compiler lines, tags and brackets is read without a throw, each row with a line inside the text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 40 }),
      fc.boolean(),
      (parts, isXml) => {
        const text = (isXml ? "<checkstyle>" : "") + parts.join(isXml ? "" : "\n");
        const { claimed, unread } = readReview(text, "x");
        const count = text.split(/\r\n|\n|\r/).length;
        for (const found of claimed) assert.ok(found.message !== "");
        for (const row of unread) assert.ok(row.line === null || (row.line >= 1 && row.line <= count));
      },
    ),
    { numRuns: 1500, seed: SEED },
  );
});

test("documents built to exhaust a reader end in a row, in bounded time", () => {
  const started = performance.now();
  for (const text of [
    `{"findings":${'{"a":['.repeat(3000)}1${"]}".repeat(3000)}}`,
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    `{"x":1}\n${"{".repeat(100_000)}`,
    `<checkstyle>${"<file>".repeat(50_000)}`,
    `<checkstyle ${'a="b" '.repeat(20_000)}`,
    `a.ts(1,1): error TS1: x\n${"a:1:".repeat(50_000)}`,
    `a.py:1: error: ${" ".repeat(100_000)}x`,
    JSON.stringify([
      {
        file: "a.ts",
        line: 1,
        severity: "high",
        message: "m",
        lines: "1,".repeat(100_000),
        location: "a/ ".repeat(50_000),
      },
    ]),
    `<testsuite><testcase name="a"><failure>${"a/".repeat(50_000)}</failure></testcase></testsuite>`,
    '{"a":"'.repeat(30_000),
  ]) {
    const { claimed, unread } = readReview(text, "x");
    assert.ok(claimed.length + unread.length > 0, text.slice(0, 40));
  }
  assert.ok(performance.now() - started < 8000);
});

test("50,000 messages are read in linear time", () => {
  const messages = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ruleId: "semi",
      severity: 2,
      message: `Missing semicolon ${n}.`,
      line: n + 1,
      column: 1,
    }));
  const eslint = JSON.stringify([{ filePath: "/ws/a.ts", messages: messages(50_000), source: "x;\n".repeat(50_000) }]);
  const agent = JSON.stringify({
    findings: Array.from({ length: 20_000 }, (_, n) => ({
      file: `src/a${n}.ts`,
      line: n,
      severity: "high",
      message: `m ${n}`,
      category: "c",
    })),
  });
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `src/a${n}.ts(3,7): error TS2304: Cannot find name 'x${n}'.`,
  ).join("\n");
  for (const [text, count] of [
    [eslint, 50_000],
    [agent, 20_000],
    [lines, 20_000],
  ] as const) {
    const started = performance.now();
    assert.equal(readReview(text, "x").claimed.length, count);
    assert.ok(performance.now() - started < 4000, `${Math.round(performance.now() - started)} ms`);
  }
});
