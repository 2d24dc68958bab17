import { ASKED } from "../../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckResult, Receipt } from "../../../src/core/check.ts";
import type { CheckerTool } from "../../../src/core/checkerClaim.ts";
import type { CheckerReport, Checkers, FileAnswer, RuleAnswer } from "../../../src/core/checkers.ts";
import type { Claimed } from "../../../src/core/finding.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { judge } from "../../../src/core/judge.ts";
import { admit } from "../../../src/core/policy.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

const RECEIPT: Receipt = {
  id: "tsc-0",
  verb: "checker",
  argv: ["tsc", "--noEmit"],
  cwd: ".",
  exitCode: 0,
  durationMs: 1,
  outputHash: "0".repeat(64),
  truncated: false,
  lines: [],
  by: "check",
};

const CODE = Array.from({ length: 30 }, (_, index) => `export const value${index + 1} = make(${index + 1});`).join(
  "\n",
);

const covered = (more: Partial<Extract<FileAnswer, { kind: "covered" }>> = {}): FileAnswer => ({
  kind: "covered",
  reports: [],
  silence: null,
  reportsInAll: more.reports?.length ?? 0,
  version: "7.0.2",
  receipts: [RECEIPT],
  ...more,
});
const excluded: FileAnswer = { kind: "excluded", how: "its own list", version: "7.0.2", receipts: [RECEIPT] };
const unknown = { kind: "unknown", why: "It hung.", proposal: null, receipts: [RECEIPT] } as const;
const at = (line: number, more: Partial<CheckerReport> = {}): CheckerReport => ({
  line,
  endLine: line,
  code: "TS2322",
  message: "Type 'any' is not assignable to type 'Cart'.",
  severity: "error",
  ...more,
});

interface Told {
  readonly answer?: FileAnswer;
  readonly rule?: RuleAnswer;
  readonly tools?: readonly CheckerTool[];
  readonly code?: string;
  readonly claimed?: Partial<Claimed>;
}

/** The check of the only weighty atom of a message about line 10, with what the checkers answer. */
async function check(message: string, told: Told, line: number | null = 10): Promise<CheckResult> {
  const { repository, context } = createMemoryWorkspace({ "src/a.ts": told.code ?? CODE });
  const checkers: Checkers = {
    projectTools: async () => told.tools ?? ["tsc"],
    report: async () => told.answer ?? unknown,
    rule: async () => told.rule ?? unknown,
  };
  const receipts: Receipt[] = [];
  const finding = await findingIn(repository, message, "src/a.ts", line, told.claimed);
  const results = await runChecks(
    finding,
    { ...context, checkers, receipt: (receipt) => void receipts.push(receipt) },
    () => undefined,
  );
  const [only, ...more] = results.filter((result) => result.atom?.weight === true);
  assert.ok(only !== undefined && more.length === 0, JSON.stringify(results));
  for (const id of only.receipts)
    assert.ok(
      receipts.some((receipt) => receipt.id === id),
      "every receipt is handed on",
    );
  return only;
}

const REPORTS = "tsc reports TS2322 here.";
const FAILS = "The project type check fails here.";
const REPORTED: readonly (readonly [string, string, FileAnswer, CheckResult["verdict"]])[] = [
  ["the code at the place", REPORTS, covered({ reports: [at(10)] }), "confirmed"],
  ["the code within the statement", REPORTS, covered({ reports: [at(8, { endLine: 12 })] }), "confirmed"],
  ["the code three lines off", REPORTS, covered({ reports: [at(13)] }), "confirmed"],
  ["the code elsewhere in the file", REPORTS, covered({ reports: [at(25)] }), "unknown"],
  ["another code at the place", REPORTS, covered({ reports: [at(11, { code: "TS2345" })] }), "unknown"],
  ["another code elsewhere", REPORTS, covered({ reports: [at(25, { code: "TS2345" })] }), "refuted"],
  ["nothing", REPORTS, covered(), "refuted"],
  ["nothing, where silence proves nothing", REPORTS, covered({ silence: "an import is unresolved" }), "unknown"],
  ["that the file is outside", REPORTS, excluded, "unknown"],
  ["no verdict", REPORTS, unknown, "unknown"],
  ["that the file is outside", FAILS, excluded, "refuted"],
  ["nothing", FAILS, covered(), "refuted"],
  ["nothing, where silence proves nothing", FAILS, covered({ silence: "an import is unresolved" }), "unknown"],
  ["something anywhere in the file", FAILS, covered({ reports: [at(25)] }), "unknown"],
  ["no verdict", FAILS, unknown, "unknown"],
  ["nothing in the whole project", "This file does not compile.", covered(), "refuted"],
  ["an error at the place", "This file does not compile.", covered({ reports: [at(10)] }), "confirmed"],
  ["an error in another file", "This file does not compile.", covered({ reportsInAll: 1 }), "unknown"],
  ["that the file is outside", "This file does not compile.", excluded, "unknown"],
  ["a type error at the place", "There is a syntax error here.", covered({ reports: [at(10)] }), "unknown"],
  ["nothing in the whole project", "There is a syntax error here.", covered(), "refuted"],
];

for (const [what, message, answer, expected] of REPORTED) {
  test(`“${message}”: where the checker reports ${what}, it is ${expected}`, async () => {
    const result = await check(message, { answer, claimed: { severity: "P2" } });
    assert.equal(result.verdict, expected, result.text);
    assert.deepEqual(result.receipts, ["tsc-0"]);
  });
}

test("“the project type check fails here: MESSAGE” is confirmed by an error of that message at the place", async () => {
  const message = "The project type check fails here: type 'any' is not assignable to type 'Cart'.";
  assert.equal((await check(message, { answer: covered({ reports: [at(10)] }) })).verdict, "confirmed");
  const other = at(10, { message: "Cannot find name 'window'." });
  assert.equal((await check(message, { answer: covered({ reports: [other] }) })).verdict, "unknown");
});

const answered = { version: "9.39.5", receipts: [RECEIPT] };
const RULED: readonly (readonly [string, RuleAnswer["kind"], CheckResult["verdict"]])[] = [
  ["The project lint configuration enforces `eqeqeq`.", "off", "refuted"],
  ["The project lint configuration enforces `eqeqeq`.", "absent", "refuted"],
  ["The project lint configuration enforces `eqeqeq`.", "error", "unknown"],
  ["The project lint configuration enforces `eqeqeq`.", "warn", "unknown"],
  ["ESLint rule `no-x` forbids calling it.", "absent", "refuted"],
  ["ESLint rule `no-x` forbids calling it.", "off", "unknown"],
  ["ESLint rule `no-x` forbids calling it.", "error", "unknown"],
];

for (const [message, kind, expected] of RULED) {
  test(`“${message}”: where the rule is ${kind}, it is ${expected}`, async () => {
    const rule: RuleAnswer = kind === "unknown" ? unknown : { kind, ...answered };
    assert.equal((await check(message, { rule, tools: ["eslint"] })).verdict, expected);
  });
}

test("a rule that could not be asked for names the line that a person may accept", async () => {
  const proposal = { line: "eslint --print-config ./src/a.ts", argv: ["eslint"], cwd: ".", why: "It runs code." };
  const rule: RuleAnswer = { kind: "unknown", why: "It runs code.", proposal, receipts: [] };
  const result = await check("ESLint rule `no-x` forbids calling it.", { rule });
  assert.equal(result.verdict, "unknown");
  assert.match(result.text, /accept this line: eslint --print-config \.\/src\/a\.ts$/);
});

const MARKS: readonly string[] = [
  "// @ts-ignore",
  "// @ts-expect-error",
  "// eslint-disable-next-line",
  "// biome-ignore lint: x",
  "x = 1  # noqa",
  "y()  # type: ignore",
  "//nolint:errcheck",
  "z() // #nosec",
  "# nosemgrep",
  "# shellcheck disable=SC2086",
];

for (const mark of MARKS) {
  test(`a suppression near the place (${mark}) takes the refutation away, one far off does not`, async () => {
    const lines = CODE.split("\n");
    const near = lines.with(7, mark).join("\n");
    assert.equal((await check(REPORTS, { answer: covered(), code: near })).verdict, "unknown");
    const far = lines.with(25, `f(); ${mark}`).join("\n");
    assert.equal((await check(REPORTS, { answer: covered(), code: far })).verdict, "refuted");
  });
}

for (const mark of [
  "// @ts-nocheck",
  "/* eslint-disable */",
  "# ruff: noqa",
  "# mypy: ignore-errors",
  "# type: ignore",
  "//nolint",
  "# shellcheck disable=SC2086",
]) {
  test(`a suppression that reaches over the file (${mark}) takes the refutation away wherever it stands`, async () => {
    assert.equal(
      (await check(REPORTS, { answer: covered(), code: `${mark}\n${"\n".repeat(20)}${CODE}` }, 28)).verdict,
      "unknown",
    );
  });
}

const GROUNDS: readonly (readonly [string, Told, number | null])[] = [
  ["the place is past the end of the file", { answer: covered() }, 900],
  ["the quoted code is nowhere", { answer: covered(), claimed: { quote: "return launchRockets(now);" } }, 10],
  ["the project uses two checkers for it", { answer: excluded, tools: ["mypy", "pyright"] }, 10],
  ["the project uses no checker that is known", { answer: excluded, tools: [] }, 10],
];

for (const [what, told, line] of GROUNDS) {
  test(`a claim about the project's check is unknown where ${what}`, async () => {
    assert.equal((await check(FAILS, told, line)).verdict, "unknown");
  });
}

test("a checker claim at P0 or P1 is never closed by its refutation: a person confirms (ruling 1)", async () => {
  const { repository, context } = createMemoryWorkspace({ "src/a.ts": CODE });
  const checkers: Checkers = {
    projectTools: async () => ["tsc"],
    report: async () => covered(),
    rule: async () => unknown,
  };
  for (const severity of ["P0", "P1", "P2"] as const) {
    const finding = await findingIn(repository, REPORTS, "src/a.ts", 10, { severity });
    const checks = await runChecks(finding, { ...context, checkers }, () => undefined);
    const outcome = judge({
      ...ASKED,
      finding,
      admission: admit(finding, true),
      checks,
    });
    assert.equal(outcome.settledAs, "refuted");
    assert.equal(outcome.authorization, severity === "P2" ? "automated" : "human-required");
  }
});

test("a clean compile does not refute “does not compile” at P0 or P1: other tags and platforms may fail (claims.md 4)", async () => {
  for (const [severity, expected] of [
    ["P0", "unknown"],
    ["P1", "unknown"],
    ["P2", "refuted"],
  ] as const) {
    const told = { answer: covered(), claimed: { severity } };
    assert.equal((await check("This file does not compile.", told)).verdict, expected, severity);
  }
  const syntax = { answer: covered(), claimed: { severity: "P1" } } as const;
  assert.equal((await check("There is a syntax error here.", syntax)).verdict, "refuted");
});

test("no answer of any checker settles a finding that says anything beside it", async () => {
  const { repository, context } = createMemoryWorkspace({ "src/a.ts": CODE });
  const answers = fc.constantFrom(covered(), covered({ reports: [at(10)] }), excluded, unknown);
  const more = fc.constantFrom(
    "It crashes on an empty body.",
    "The token leaks.",
    "The name should be shorter.",
    "This change adds it.",
  );
  await fc.assert(
    fc.asyncProperty(answers, more, fc.constantFrom(REPORTS, FAILS), async (answer, second, first) => {
      const checkers: Checkers = {
        projectTools: async () => ["tsc"],
        report: async () => answer,
        rule: async () => unknown,
      };
      const finding = await findingIn(repository, `${first} ${second}`, "src/a.ts", 10);
      const checks = await runChecks(finding, { ...context, checkers }, () => undefined);
      const outcome = judge({
        ...ASKED,
        finding,
        admission: admit(finding, true),
        checks,
      });
      assert.equal(outcome.settledAs, null);
    }),
    { numRuns: 60 },
  );
});

test("a checker that breaks is unknown with its reason, and a cancelled one rejects", async () => {
  const { repository, context } = createMemoryWorkspace({ "src/a.ts": CODE });
  const broken = async (): Promise<never> => await Promise.reject(new Error("boom"));
  const checkers: Checkers = { projectTools: broken, report: broken, rule: broken };
  const finding = await findingIn(repository, REPORTS, "src/a.ts", 10);
  const checks = await runChecks(finding, { ...context, checkers }, () => undefined);
  assert.match(checks.at(-1)?.text ?? "", /boom/);
  assert.equal(checks.at(-1)?.verdict, "unknown");
  const stop = new AbortController();
  const cancelled = {
    ...checkers,
    report: async (): Promise<never> => {
      stop.abort(new Error("stopped"));
      return await broken();
    },
  };
  await assert.rejects(
    runChecks(finding, { ...context, checkers: cancelled, signal: stop.signal }, () => undefined),
    /stopped/,
  );
});
