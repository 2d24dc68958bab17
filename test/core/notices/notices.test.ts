import { ASKED } from "../../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckResult } from "../../../src/core/check.ts";
import type { CheckContext } from "../../../src/core/checks/check.ts";
import { collectFindings } from "../../support/collect.ts";
import { type Claimed, type Finding, SEVERITIES } from "../../../src/core/finding.ts";
import { suppressionAt } from "../../../src/core/notices/suppression.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { judge } from "../../../src/core/judge.ts";
import { admit } from "../../../src/core/policy.ts";
import { isStyleNote } from "../../../src/core/style.ts";
import { at, claim } from "../../support/claims.ts";
import { type MemoryOptions, sha256 } from "../../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

interface Judged {
  readonly notices: readonly string[];
  readonly action: string;
  readonly rules: readonly string[];
  readonly text: string;
  readonly severity: string;
}

async function judgeIn(finding: Finding, context: CheckContext, asked = true): Promise<Judged> {
  const checks = await runChecks(finding, context, () => undefined);
  const facts = checks.filter(({ notice }) => notice !== undefined);
  const outcome = judge({
    ...ASKED,
    finding,
    admission: admit(finding, asked),
    checks,
    rounds: [],
    vote: null,
    ruling: null,
  });
  assert.equal(outcome.authorization, "none", "a fact about a finding closes nothing");
  return {
    notices: facts.map(({ notice }) => `${notice?.claimClass} ${notice?.does}`),
    action: outcome.action,
    rules: outcome.because.map(({ rule }) => rule),
    text: facts.map(({ text }) => text).join("\n"),
    severity: outcome.severity,
  };
}

async function told(
  files: Readonly<Record<string, string>>,
  message: string,
  file: string,
  line: number,
  more: Partial<Claimed> = {},
  options: MemoryOptions = {},
): Promise<Judged> {
  const workspace = createMemoryWorkspace(files, options);
  return await judgeIn(
    await findingIn(workspace.repository, message, file, line, { severity: "P2", ...more }),
    workspace.context,
  );
}

// --- class 20

const WITHDRAWN: readonly string[] = [
  "The return type uses Path. No action needed; the type is correct.",
  "This looks like a leak. On second thought, this is not an issue.",
  "`x` may be null. Actually, it is a false positive.",
  "The regex is slow. Please disregard this finding.",
  "No changes required.",
  "Possible race. We withdraw this finding.",
  "Looks odd. So nothing to fix here.",
];
const STANDS: readonly string[] = [
  "No action is needed when the list is empty, but it throws.",
  "No action needed; unless the input is null, in which case it crashes.",
  "The handler says no action is needed. The lock is never released.",
  "No action needed. However, the token is logged.",
  "Please ignore this field when it is empty.",
  "This is not a bug in the parser but in the lexer.",
  "It is not an issue for small inputs.",
  "There is nothing to do in the else branch and the promise is never settled.",
  "The caller must disregard the result.",
];

test("class 20: a finding that takes itself back at its end is shown one step lower and stays open", async () => {
  for (const message of WITHDRAWN) {
    const { notices, action, severity, rules } = await told({ "a.ts": "let x;\n" }, message, "a.ts", 1);
    assert.deepEqual([notices, action, severity, rules], [["20 demote"], "demote", "Nit", ["class 20"]], message);
  }
  const fix = await told({ "a.ts": "let x;\n" }, "The type could be more precise.", "a.ts", 1, {
    fix: "No action needed; the type is correct. This is a false positive.",
    severity: "P1",
  });
  assert.deepEqual([fix.action, fix.severity], ["demote", "P2"]);
  const nit = await told({ "a.ts": "let x;\n" }, "Odd. No action needed.", "a.ts", 1, { severity: "Nit" });
  assert.deepEqual([nit.action, nit.severity], ["advisory", "Nit"]);
});

test("class 20: words of a retraction inside a claim, or followed by more, take nothing back", async () => {
  for (const message of STANDS)
    assert.deepEqual((await told({ "a.ts": "let x;\n" }, message, "a.ts", 1)).notices, [], message);
});

test("class 20: words that may take back one point or one case of several take nothing back", async () => {
  for (const message of [
    "- `open()` leaks the handle when parse fails.\n- `close()` is fine.\nNo action needed.",
    "1. The lock is never released on the timeout path.\n2. The success path releases it.\nNo change needed here.",
    'The banner is wrong, it tells users\n"No action needed."',
    "Two threads can corrupt the file. With a single thread it works.\nThis is not an issue.",
  ])
    assert.deepEqual((await told({ "a.ts": "let x;\n" }, message, "a.ts", 1)).notices, [], message);
});

// --- classes 17 and 18

const GENERATED = "// Code generated by tool. DO NOT EDIT.\nexport var a = 1;\n";
const STYLE = { rule: "style", message: "Use const instead of var." };

const FOREIGN: readonly (readonly [string, Record<string, string>, string, string | null])[] = [
  ["a path and a mark", { "src/generated/a.ts": GENERATED }, "src/generated/a.ts", "17 route"],
  [
    "an attribute and a mark",
    { "src/a.ts": GENERATED, ".gitattributes": "src/*.ts linguist-generated\n" },
    "src/a.ts",
    "17 route",
  ],
  [
    "an attribute that is taken back",
    { "src/a.ts": GENERATED, ".gitattributes": "*.ts linguist-generated\nsrc/** -linguist-generated\n" },
    "src/a.ts",
    null,
  ],
  ["a mark alone", { "src/a.ts": GENERATED }, "src/a.ts", null],
  ["a path alone", { "src/generated/a.ts": "export var a = 1;\n" }, "src/generated/a.ts", null],
  [
    "a mark in a string",
    { "src/generated/a.ts": 'export const s = "Code generated by tool. DO NOT EDIT.";\n' },
    "src/generated/a.ts",
    null,
  ],
  [
    "a mark far below the head",
    { "src/generated/a.ts": `${"x();\n".repeat(30)}// Code generated by tool.\n` },
    "src/generated/a.ts",
    null,
  ],
  ["two signals of different kinds", { "vendor/generated/a.ts": "export var a = 1;\n" }, "vendor/generated/a.ts", null],
  [
    "a vendored copy",
    { "src/vendor/a.js": "/*! a 1.2.3 (vendored copy) */\nvar a = 1;\n" },
    "src/vendor/a.js",
    "17 route",
  ],
  ["minified code", { "a.min.js": `var a=1;${"b();".repeat(400)}\n` }, "a.min.js", "17 route"],
];

for (const [what, files, file, expected] of FOREIGN) {
  test(`class 17: ${what} ${expected === null ? "does not set a style note aside" : "sets a style note aside"}`, async () => {
    const { notices, action } = await told(files, STYLE.message, file, 1, { rule: STYLE.rule });
    assert.deepEqual(notices, expected === null ? [] : [expected]);
    assert.equal(action, expected === null ? "needs-human" : "route");
  });
}

test("class 17: security and correctness in a generated file are told of it and stand to be judged", async () => {
  const messages = [
    "The token is put into the URL.",
    "The loop starts at 1, so the first value is never read.",
    "Something is off here.",
  ];
  for (const message of messages) {
    const files = { "src/generated/a.ts": GENERATED };
    const { notices, action } = await told(files, message, "src/generated/a.ts", 2, { rule: null });
    assert.deepEqual([notices, action], [["17 tell"], "needs-human"], message);
  }
});

test("class 18: in a test, style is set aside where path and framework agree; assertions and secrets are not", async () => {
  const files = { "test/a.test.ts": 'import test from "node:test";\nvar a = 1;\n', "test/b.test.ts": "var a = 1;\n" };
  const style = { rule: "prefer-const" };
  const routed = await told(files, "`a` is never reassigned. Use const.", "test/a.test.ts", 2, style);
  // "never" is a word of defects: unsure means not style.
  assert.deepEqual([routed.notices, routed.action], [["18 tell"], "needs-human"]);
  const plain = await told(files, "Use const instead of var.", "test/a.test.ts", 2, style);
  assert.deepEqual([plain.notices, plain.action, plain.rules], [["18 route"], "route", ["class 18"]]);
  assert.equal((await told(files, "Use const instead of var.", "test/b.test.ts", 1, style)).action, "needs-human");
  assert.equal((await told(files, "The test asserts nothing.", "test/a.test.ts", 2)).action, "needs-human");
  assert.equal((await told(files, "A password is hard-coded here.", "test/a.test.ts", 2)).action, "needs-human");
});

test("style: category, rule and message must agree, and one word of a defect is enough against it", () => {
  const note = (more: Partial<Finding>): boolean =>
    isStyleNote({ category: null, rule: null, message: "Rename it.", cwe: [], hard: null, severity: "Nit", ...more });
  assert.ok(note({ rule: "style" }));
  assert.ok(note({ rule: "@stylistic/semi" }));
  assert.ok(note({ category: "naming" }));
  assert.ok(!note({}));
  assert.ok(!note({ message: "Bad naming of the variable." }));
  // Under broad categories stand defects too: the message itself must speak of style.
  for (const message of ["The loop runs once more than it should.", "Anyone may call this route; restrict it."])
    for (const category of ["maintainability", "code smell", "readability"]) {
      assert.ok(!note({ category, message }), `${category}: ${message}`);
      assert.ok(!note({ rule: category, message }), `${category}: ${message}`);
    }
  assert.ok(!note({ category: "style", message: "Use a stronger algorithm here." }));
  assert.ok(note({ category: "maintainability", message: "The naming is odd." }));
  assert.ok(!note({ rule: "style", severity: "P0" }));
  assert.ok(!note({ rule: "style", cwe: ["CWE-79"] }));
  assert.ok(!note({ rule: "style", category: "security" }));
  for (const word of [
    "crashes",
    "null dereference",
    "SQL injection",
    "leaks",
    "race",
    "wrong result",
    "password",
    "eval",
    "unvalidated",
  ])
    assert.ok(!note({ rule: "style", category: "style", message: `Formatting: ${word}` }), word);
});

// --- class 19

const REASONED =
  "run(\n  // eslint-disable-next-line no-eval -- constant literal, never user input\n  eval(FORMULA),\n);\n";
const LINT = { tool: "eslint", rule: "no-eval" };

test("class 19: a suppression with a reason sets a P2 aside as acknowledged; a P1 and one without a reason are told of it", async () => {
  const files = { "a.ts": REASONED, "b.ts": "// eslint-disable-next-line no-eval\neval(x);\n" };
  const p2 = await told(files, "eval is used.", "a.ts", 3, LINT);
  assert.deepEqual([p2.notices, p2.action, p2.rules], [["19 route"], "route", ["class 19"]]);
  assert.match(
    p2.text,
    /a\.ts:2 tells eslint to ignore no-eval, “constant literal, never user input”.*settles nothing by itself/,
  );
  const p1 = await told(files, "eval is used.", "a.ts", 3, { ...LINT, severity: "P1" });
  assert.deepEqual([p1.notices, p1.action], [["19 tell"], "needs-human"]);
  const silent = await told(files, "eval is used.", "b.ts", 2, LINT);
  assert.deepEqual([silent.notices, silent.action], [["19 tell"], "needs-human"]);
  assert.match(silent.text, /without a reason/);
});

test("class 19: a suppression that the reviewed change adds goes to a person, even where nobody asked", async () => {
  const past = { before: { "a.ts": "run(\n  eval(FORMULA),\n);\n" } };
  const workspace = createMemoryWorkspace({ "a.ts": REASONED }, { past });
  const finding = await findingIn(workspace.repository, "eval is used.", "a.ts", 3, { ...LINT, severity: "P2" });
  for (const asked of [true, false]) {
    const { notices, action, rules, text } = await judgeIn(finding, workspace.context, asked);
    assert.deepEqual([notices, action], [["19 escalate"], "needs-human"]);
    if (!asked) assert.equal(rules[0], "class 19");
    assert.match(text, /the change under review adds it/);
  }
});

const SUPPRESSIONS: readonly (readonly [string, readonly string[], number, string, string | null, string | null])[] = [
  ["a.ts", ["// eslint-disable-next-line no-eval, no-empty -- ok", "eval(x);"], 2, "ESLint", "no-eval", "ok"],
  ["a.ts", ["eval(x); // eslint-disable-line no-eval -- ok"], 1, "eslint", "no-eval", "ok"],
  ["a.ts", ["/* eslint-disable-next-line no-eval */", "eval(x);"], 2, "eslint", "no-eval", ""],
  ["a.ts", ["// eslint-disable-next-line no-alert", "eval(x);"], 2, "eslint", "no-eval", null],
  ["a.ts", ["// eslint-disable-next-line no-eval", "", "eval(x);"], 3, "eslint", "no-eval", null],
  ["a.ts", ["// eslint-disable-next-line no-eval", "eval(x);"], 2, "semgrep", "no-eval", null],
  ["a.ts", ["// eslint-disable-next-line no-eval", "eval(x);"], 2, "llm-review", "no-eval", null],
  ["a.ts", ['log("// eslint-disable-next-line no-eval");', "eval(x);"], 2, "eslint", "no-eval", null],
  [
    "a.ts",
    ["// biome-ignore lint/security/noGlobalEval: constant", "eval(x);"],
    2,
    "biome",
    "lint/security/noGlobalEval",
    "constant",
  ],
  ["a.ts", ["// @ts-expect-error wrong types upstream", "f(x);"], 2, "tsc", "TS2345", "wrong types upstream"],
  ["a.py", ["import os  # noqa: F401"], 1, "ruff", "F401", ""],
  ["a.py", ["import os  # noqa: F401"], 1, "ruff", "E501", null],
  ["a.py", ["x = f()  # type: ignore[arg-type]  # upstream stub"], 1, "mypy", "arg-type", "upstream stub"],
  ["a.py", ["subprocess.run(c)  # nosec B603"], 1, "bandit", "B603", ""],
  ["a.go", ["f() //nolint:errcheck // cannot fail"], 1, "golangci-lint", "errcheck", "cannot fail"],
  ["a.sh", ["# shellcheck disable=SC2034", "x=1"], 2, "shellcheck", "SC2034", ""],
];

test("class 19: a suppression is parsed for its own tool, rule and line; text in a string is none", () => {
  for (const [file, lines, line, tool, rule, reason] of SUPPRESSIONS) {
    const found = suppressionAt(file, lines, line, tool, rule);
    assert.equal(found === null ? null : (found.reason ?? ""), reason, `${tool} ${lines[0]}`);
  }
});

// --- class 15

const HTTP = "export function old(q) {\n  return db.query(q);\n}\n\nexport function fresh(p) {\n  return read(p);\n}\n";
const BEFORE = "export function old(q) {\n  return db.query(q);\n}\n";
const SAYS = "SQL injection; the change under review does not touch it.";

async function inChange(
  message: string,
  line: number,
  files: Record<string, string>,
  before: Record<string, string | null>,
): Promise<Judged> {
  return await told(files, message, "http.ts", line, { severity: "P1" }, { past: { before } });
}

test("class 15: code that the change neither touches nor reaches is set aside as existing, and never called false", async () => {
  const { notices, action, rules, severity, text } = await inChange(
    SAYS,
    2,
    { "http.ts": HTTP },
    { "http.ts": BEFORE },
  );
  assert.deepEqual([notices, action, rules, severity], [["15 route"], "route", ["class 15"], "P1"]);
  assert.match(text, /http\.ts:2 was there before the change under review \(1 file against 0123456789\)/);
});

const REACHED: readonly (readonly [string, string, number, Record<string, string>, Record<string, string | null>])[] = [
  ["the finding does not speak of a change", "SQL injection.", 2, { "http.ts": HTTP }, { "http.ts": BEFORE }],
  ["its line is new", SAYS, 6, { "http.ts": HTTP }, { "http.ts": BEFORE }],
  [
    "its function has a new line",
    SAYS,
    3,
    { "http.ts": HTTP.replace("  return db", "  log(q);\n  return db") },
    { "http.ts": HTTP },
  ],
  [
    "its function lost a line",
    SAYS,
    2,
    { "http.ts": HTTP },
    { "http.ts": HTTP.replace("  return db", "  check(q);\n  return db") },
  ],
  [
    "a new line calls it",
    SAYS,
    2,
    { "http.ts": `${HTTP}export function more(x) {\n  return old(x);\n}\n` },
    { "http.ts": HTTP },
  ],
  [
    "a new line calls what calls it",
    SAYS,
    2,
    { "http.ts": `${HTTP.replace("read(p)", "old(p)")}go(() => fresh(1));\n` },
    { "http.ts": HTTP.replace("read(p)", "old(p)") },
  ],
  [
    "what it calls has changed",
    SAYS,
    2,
    { "http.ts": HTTP, "db.ts": "export function query(q) {\n  return raw(q);\n}\n" },
    { "db.ts": "export function query(q) {\n  return safe(q);\n}\n" },
  ],
  [
    "a name that it uses is bound anew",
    SAYS,
    3,
    { "http.ts": `import { db } from "./raw";\n${HTTP}` },
    { "http.ts": `import { db } from "./safe";\n${HTTP}` },
  ],
  [
    "what it calls has changed under another name",
    SAYS,
    2,
    {
      "http.ts": `import { run as db } from "./db";\n\n${HTTP}`,
      "db.ts": "export function run(q) {\n  return raw(q);\n}\n",
    },
    { "db.ts": "export function run(q) {\n  return safe(q);\n}\n" },
  ],
  [
    "the default export that it uses has changed",
    SAYS,
    4,
    {
      "http.ts": `import db from "./db";\n\n${HTTP}`,
      "db.ts": "export default function connect(q) {\n  return raw(q);\n}\n",
    },
    { "db.ts": "export default function connect(q) {\n  return safe(q);\n}\n" },
  ],
  [
    "what it calls in an unchanged file calls what has changed",
    SAYS,
    4,
    {
      "http.ts": `import { db } from "./db";\n\n${HTTP}`,
      "db.ts": 'import { inner } from "./inner";\nexport function db(q) {\n  return inner(q);\n}\n',
      "inner.ts": "export function inner(q) {\n  return raw(q);\n}\n",
    },
    { "inner.ts": "export function inner(q) {\n  return safe(q);\n}\n" },
  ],
  [
    "it takes code from where the program cannot tell",
    SAYS,
    4,
    {
      "http.ts": `import { db } from "@/db";\n\n${HTTP}`,
      "lib/db.ts": 'import { inner } from "./inner";\nexport function db(q) {\n  return inner(q);\n}\n',
      "lib/inner.ts": "export function inner(q) {\n  return raw(q);\n}\n",
    },
    { "lib/inner.ts": "export function inner(q) {\n  return safe(q);\n}\n" },
  ],
  [
    "an entry of a table that it hands on has changed",
    SAYS,
    2,
    {
      "http.ts": HTTP.replace("query(q)", "query(q, options)"),
      "options.ts": "export const options = {\n  raw: 1,\n};\n",
    },
    { "options.ts": "export const options = {\n  raw: 0,\n};\n" },
  ],
  [
    "a lock file has changed",
    SAYS,
    2,
    { "http.ts": HTTP, "package-lock.json": '{ "db": "2.0.0" }\n' },
    { "package-lock.json": '{ "db": "1.0.0" }\n' },
  ],
  ["it stands in no function", SAYS, 1, { "http.ts": "run(q);\n\nfresh();\n" }, { "http.ts": "run(q);\n" }],
];

for (const [why, message, line, files, before] of REACHED) {
  test(`class 15: nothing is set aside where ${why}`, async () => {
    const { notices, action } = await inChange(message, line, files, before);
    assert.deepEqual([notices, action], [[], "needs-human"]);
  });
}

test("class 15: in Go a file of the package that nothing imports may lead to the change", async () => {
  const home = "package a\n\nfunc Old(q string) {\n\tmiddle(q)\n}\n";
  const files = {
    "http.go": home,
    "middle.go": "package a\n\nfunc middle(q string) {\n\tinner(q)\n}\n",
    "inner.go": "package a\n\nfunc inner(q string) {\n\traw(q)\n}\n",
  };
  const past = (before: Record<string, string>) => ({ past: { before } });
  const reached = { "inner.go": files["inner.go"].replace("raw", "safe") };
  assert.deepEqual((await told(files, SAYS, "http.go", 4, {}, past(reached))).notices, []);
  const apart = { ...files, "other.go": "package a\n\nfunc other() {\n\tlog(2)\n}\n" };
  const before = { "other.go": "package a\n\nfunc other() {\n\tlog(1)\n}\n" };
  assert.deepEqual((await told(apart, SAYS, "http.go", 4, {}, past(before))).notices, ["15 route"]);
});

test("class 15: a changed text for readers reaches no code", async () => {
  const files = { "http.ts": HTTP, "README.md": "new\n" };
  assert.deepEqual((await inChange(SAYS, 2, files, { "README.md": "old\n" })).notices, ["15 route"]);
});

test("class 15: lines that came from another file are moved, not changed; lines that moved within a file are changed", async () => {
  const moved = await inChange(
    SAYS,
    2,
    { "http.ts": HTTP, "other.ts": "x();\n" },
    { "http.ts": HTTP.slice(BEFORE.length), "other.ts": `x();\n${BEFORE}` },
  );
  assert.deepEqual(moved.notices, ["15 route"]);
  const order = "export function old(q) {\n  check(q);\n  return db.query(q);\n}\n";
  const swapped = "export function old(q) {\n  return db.query(q);\n  check(q);\n}\n";
  assert.deepEqual((await inChange(SAYS, 3, { "http.ts": order }, { "http.ts": swapped })).notices, []);
});

test("class 15: a change that is not known whole sets nothing aside", async () => {
  const past = { before: { "http.ts": BEFORE }, complete: false };
  assert.deepEqual((await told({ "http.ts": HTTP }, SAYS, "http.ts", 2, {}, { past })).notices, []);
  assert.deepEqual((await told({ "http.ts": HTTP }, SAYS, "http.ts", 2)).notices, []);
});

// --- class 16

const CODE = { "a.ts": "one();\nreturn input == quantity;\nthree(input == quantity);\n" };

async function group(
  claims: readonly Partial<Claimed>[],
): Promise<{ finding: Finding; checks: readonly CheckResult[] }[]> {
  const workspace = createMemoryWorkspace(CODE);
  const claimed = claims.map((more) =>
    claim({ path: "a.ts", span: at(2), rule: "eq", quote: "return input == quantity;", ...more }),
  );
  const reading = { format: "test", claimed, unread: [], revision: null };
  const { findings } = await collectFindings([{ path: "review", reading }], workspace.repository, sha256);
  const context = { ...workspace.context, sameFile: () => findings };
  return await Promise.all(
    findings.map(async (finding) => ({ finding, checks: await runChecks(finding, context, () => undefined) })),
  );
}

const isDuplicate = ({ checks }: { checks: readonly CheckResult[] }): boolean =>
  checks.some(({ notice }) => notice?.claimClass === 16);

test("class 16: of one rule about one piece of code the worst is kept and the others are set aside, citing it", async () => {
  const all = await group([
    { message: "It coerces.", severity: "P2" },
    { message: "An empty string equals zero here.", severity: "P1" },
  ]);
  assert.deepEqual(all.map(isDuplicate), [true, false]);
  assert.match(
    all[0]?.checks.find(({ notice }) => notice !== undefined)?.text ?? "",
    /already reported at a\.ts:2 .*An empty string equals zero/,
  );
});

test("class 16: exact duplicates share one verdict and are not set aside for each other (C18, ruling 11)", async () => {
  const all = await group([{ message: "It coerces." }, { message: "It coerces." }]);
  assert.ok(all.every(({ finding }) => finding.cluster !== null));
  assert.deepEqual(all.map(isDuplicate), [false, false]);
});

const APART: readonly (readonly [string, Partial<Claimed>])[] = [
  ["another rule", { rule: "other" }],
  ["no rule", { rule: null }],
  ["another line", { span: at(3), quote: "three(input == quantity);" }],
  ["another column", { span: { line: 2, endLine: null, column: 9, endColumn: null } }],
  ["another category", { category: "security" }],
  ["no quote", { quote: null }],
  ["another name in its words", { message: "`quantity` may be NaN." }],
  ["another status", { status: "suppressed" }],
];

for (const [what, more] of APART) {
  test(`class 16: ${what} makes it another defect`, async () => {
    const first = {
      message: "`input` is coerced.",
      category: "style",
      span: { line: 2, endLine: null, column: 1, endColumn: null },
    };
    const all = await group([first, { ...first, ...more }]);
    assert.deepEqual(all.map(isDuplicate), [false, false]);
  });
}

test("class 16: under a rule that names a whole field, or with other weakness ids, other words are another defect", async () => {
  const apart = await group([
    { message: "The promise is not awaited.", rule: "bug" },
    { message: "An error inside is swallowed without a trace.", rule: "bug" },
  ]);
  assert.deepEqual(apart.map(isDuplicate), [false, false]);
  const alike = await group([
    { message: "The promise is not awaited here.", rule: "correctness", severity: "P1" },
    { message: "The promise is never awaited.", rule: "correctness" },
  ]);
  assert.deepEqual(alike.map(isDuplicate), [false, true]);
  const ids = await group([
    { message: "It coerces.", cwe: ["CWE-89"] },
    { message: "An empty string equals zero here.", cwe: ["CWE-79"] },
  ]);
  assert.deepEqual(ids.map(isDuplicate), [false, false]);
});

test("class 16: whatever the group, one stays; none is set aside for a milder one or for one that takes itself back", async () => {
  const one = fc.record({
    message: fc.constantFrom(
      "It coerces.",
      "`input` is coerced.",
      "`quantity` is coerced.",
      "Odd. No action needed.",
      "The change coerces.",
    ),
    severity: fc.constantFrom(...SEVERITIES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 5 }), async (claims) => {
      const all = await group(claims);
      const kept = all.filter((each) => !isDuplicate(each));
      assert.ok(kept.length > 0);
      const worst = Math.min(...all.map(({ finding }) => SEVERITIES.indexOf(finding.severity)));
      const worstOpen = all.filter(({ finding }) => !/No action needed/.test(finding.message));
      if (worstOpen.some(({ finding }) => SEVERITIES.indexOf(finding.severity) === worst))
        assert.ok(kept.some(({ finding }) => SEVERITIES.indexOf(finding.severity) === worst));
    }),
    { numRuns: 300 },
  );
});
