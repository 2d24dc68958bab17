import { ASKED } from "../../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { CheckContext } from "../../../src/core/checks/check.ts";
import type { Claimed, Finding } from "../../../src/core/finding.ts";
import { runChecks } from "../../../src/core/oracle.ts";
import { judge } from "../../../src/core/judge.ts";
import { admit } from "../../../src/core/policy.ts";
import type { Repository } from "../../../src/core/ports.ts";
import type { MemoryOptions } from "../../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";

const FILES = {
  "src/cart.ts":
    "export function total(cart) {\n  if (cart.items.length === 0) return 0;\n  return sum(cart.items) * rate;\n}\n",
  "src/evaluate.ts": "export function run(formula) {\n  return eval(formula) as number;\n}\n",
};

interface Setting extends MemoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly context?: Partial<CheckContext>;
}

/** Class, verdict and reason of the premise, the action, and who may close. */
async function premise(
  message: string,
  file: string,
  more: Partial<Claimed>,
  { files = FILES, context = {}, ...options }: Setting = {},
): Promise<{ verdict: string; text: string; action: string; authorization: string }> {
  const workspace = createMemoryWorkspace(files, { past: {}, ...options });
  const finding = await findingIn(workspace.repository, message, file, 2, { severity: "P2", ...more });
  return await judged(finding, { ...workspace.context, reviewedTree: () => true, ...context });
}

async function judged(finding: Finding, context: CheckContext) {
  const checks = await runChecks(finding, context, () => undefined);
  const check = checks.find(({ check: name }) => name === "quote-absent" || name === "file-absent");
  const outcome = judge({
    ...ASKED,
    finding,
    admission: admit(finding, true),
    checks,
  });
  const { action, authorization } = outcome;
  return { verdict: check?.verdict ?? "none", text: check?.text ?? "", action, authorization };
}

const QUOTE = "return launch(userRocket, 42)";
const RESTS = `\`${QUOTE}\` launches without a check.`;

test("class 8: a P2 about code that is nowhere is closed; a P1 goes to a person, with the reason", async () => {
  const p2 = await premise(RESTS, "src/cart.ts", { quote: QUOTE });
  assert.deepEqual([p2.verdict, p2.action, p2.authorization], ["refuted", "settled", "automated"]);
  assert.match(p2.text, /neither in src\/cart\.ts nor anywhere else/);
  const p1 = await premise(RESTS, "src/cart.ts", { quote: QUOTE, severity: "P1" });
  assert.deepEqual([p1.verdict, p1.action, p1.authorization], ["refuted", "needs-human", "none"]);
});

const gone = { ...FILES, "src/cart.ts": FILES["src/cart.ts"] };
const OPEN: readonly (readonly [string, string, Partial<Claimed>, Setting, RegExp])[] = [
  [
    "the workspace is not shown to be the reviewed tree",
    RESTS,
    { quote: QUOTE },
    { context: { reviewedTree: () => false } },
    /not shown to be the tree/,
  ],
  [
    "nobody says whether it is the reviewed tree",
    RESTS,
    { quote: QUOTE },
    { context: { reviewedTree: undefined } },
    /not shown to be the tree/,
  ],
  [
    "the change could not be read whole",
    RESTS,
    { quote: QUOTE },
    { past: { complete: false } },
    /could not be read whole/,
  ],
  [
    "the change removes it",
    RESTS,
    { quote: QUOTE },
    { files: gone, past: { before: { "src/cart.ts": `  ${QUOTE};\n${FILES["src/cart.ts"]}` } } },
    /takes such code out of src\/cart\.ts|none/,
  ],
  [
    "the change removes something like it from another file",
    RESTS,
    { quote: QUOTE },
    { past: { before: { "src/evaluate.ts": `return launch( userRocket , 43 );\n${FILES["src/evaluate.ts"]}` } } },
    /takes such code out/,
  ],
  [
    "an earlier commit held it",
    RESTS,
    { quote: QUOTE },
    { past: { held: [`if (x) ${QUOTE};`] } },
    /Earlier commits held it/,
  ],
  [
    "a submodule is not checked out",
    RESTS,
    { quote: QUOTE },
    { files: { ...FILES, ".gitmodules": '[submodule "x"]\n\tpath = libs/x\n' } },
    /submodule libs\/x/,
  ],
  [
    "the message says more than the quote",
    `${RESTS} It also leaks.`,
    { quote: QUOTE },
    {},
    /says more than what it quotes/,
  ],
  [
    "the message does not speak of the quoted code",
    "The total is wrong for an empty cart.",
    { quote: QUOTE },
    {},
    /says more than what it quotes/,
  ],
  [
    "the message also names a function that is there",
    `\`${QUOTE}\` in total() launches.`,
    { quote: QUOTE },
    {},
    /also names total/,
  ],
  [
    "most of it stands in the cited file",
    "`return sum(cart.items) * fee` is wrong.",
    { quote: "return sum(cart.items) * fee" },
    {},
    /has \d+ % of it/,
  ],
  [
    "it is too long to be shown absent by few names",
    "`a1(1+1+1+1+1+1+1+1+1)` is wrong.",
    { quote: "aaaaaa(1+1+1+1+1+1+1+1+1)" },
    {},
    /says more|too few names/,
  ],
];

/** Quotes that tell the cited code in other words, or that a tool has escaped: what they mean may be there. */
const OTHER_WORDS: readonly (readonly [string, RegExp])[] = [
  ["total(rate, cart)", /other words/],
  ["cart.items.isEmpty() && rate", /other words/],
  ["const total = (cart, rate) =>", /other words/],
  ["rate * sum(item for item in cart.items)", /other words/],
  ["if&nbsp;(cart.items.length&nbsp;===&nbsp;0)&nbsp;return&nbsp;0;", /escapes/],
  ["cart.items.length \\u003d\\u003d\\u003d 0 \\u0026\\u0026 rocket", /escapes/],
];

for (const [quote, reason] of OTHER_WORDS) {
  test(`class 8: “${quote}” may be told in other words or escaped, so it stands undecided`, async () => {
    const { verdict, text, action } = await premise(`\`${quote}\` is wrong.`, "src/cart.ts", { quote });
    assert.deepEqual([verdict, action], ["unknown", "needs-human"]);
    assert.match(text, reason);
  });
}

for (const [why, message, more, setting, reason] of OPEN) {
  test(`class 8: it stands undecided where ${why}`, async () => {
    const { verdict, text, action } = await premise(message, "src/cart.ts", more, setting);
    assert.notEqual(verdict, "refuted");
    assert.match(text === "" ? "none" : text, reason);
    assert.equal(action, "needs-human");
  });
}

test("class 8: without version control nothing is shown absent", async () => {
  const workspace = createMemoryWorkspace(FILES);
  const finding = await findingIn(workspace.repository, RESTS, "src/cart.ts", 2, { quote: QUOTE, severity: "P2" });
  const { verdict, text } = await judged(finding, { ...workspace.context, reviewedTree: () => true });
  assert.equal(verdict, "unknown");
  assert.match(text, /no version control/);
});

test("class 8: something like it in any file keeps it open (0.85 of its tokens)", async () => {
  const files = { ...FILES, "lib/x.ts": "return launch(userRocket, config.retries, 43, true);\n" };
  const quote = "return launch(userRocket, config.retries, 42, true)";
  const { verdict, text } = await premise(`\`${quote}\` is wrong.`, "src/cart.ts", { quote }, { files });
  assert.equal(verdict, "unknown");
  assert.match(text, /lib\/x\.ts/);
});

const lines = fc.array(
  fc.constantFrom(
    "  if (cart.items.length === 0) return 0;",
    "  return sum(cart.items) * rate;",
    "  const target = resolveInside(root, request.query.name);",
    "  await database.query(`select * from items`, [first, second]);",
    "  if (user.role !== 'admin') throw new Forbidden(user.id);",
    "for (let attempt = 0; attempt < RETRY_LIMIT; attempt += 1) {",
    "}",
  ),
  { minLength: 1, maxLength: 8 },
);
const REWRITE: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => code.replaceAll(" ", "   "),
  (code) => code.replace(/\s+/g, "\n\t"),
  (code) => code.replaceAll("'", '"').replaceAll("`", '"'),
  (code) => code.replace(/^\s+|;$/g, ""),
  (code) => `${code.slice(0, Math.ceil(code.length / 2))}…`,
];

test("class 8: no code that stands somewhere, on either side or in the past, is ever refuted, however it is quoted", async () => {
  const where = fc.constantFrom("file", "other", "before", "past", "ignored");
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), where, fc.nat({ max: REWRITE.length - 1 }), async (code, pick, place, how) => {
      const chosen = code[pick % code.length] ?? "";
      const quote = (REWRITE[how] ?? String)(chosen.trim());
      const text = `${code.join("\n")}\n`;
      const home = "export const unrelated = 1;\n";
      const files = {
        "src/home.ts": place === "file" ? text : home,
        ...(place === "other" || place === "ignored" ? { "src/other.ts": text } : {}),
      };
      const past = {
        ...(place === "before" ? { before: { "src/home.ts": text + home } } : {}),
        ...(place === "past" ? { held: [chosen] } : {}),
      };
      const { verdict } = await premise(`\`${quote}\` is dangerous.`, "src/home.ts", { quote }, { files, past });
      assert.notEqual(verdict, "refuted", `${quote} (${place})`);
    }),
    { numRuns: 1500 },
  );
});

const CHARGE = "charge() reads and writes the balance without a lock.";
const ABSENT = { quote: "await charge(user, amount)" };

test("class 10: a P2 about a file and names that never were is closed; a P1 goes to a person", async () => {
  const p2 = await premise(CHARGE, "src/payments.ts", ABSENT);
  assert.deepEqual([p2.verdict, p2.action, p2.authorization], ["refuted", "settled", "automated"]);
  assert.match(p2.text, /No src\/payments\.ts .* charge stands nowhere/);
  const p1 = await premise(CHARGE, "src/payments.ts", { ...ABSENT, severity: "P1" });
  assert.deepEqual([p1.verdict, p1.action, p1.authorization], ["refuted", "needs-human", "none"]);
});

const PRESENT: readonly (readonly [string, string, string, Partial<Claimed>, Setting])[] = [
  [
    "the function stands elsewhere",
    CHARGE,
    "src/payments.ts",
    ABSENT,
    { files: { ...FILES, "lib/pay.ts": "export function charge() {}\n" } },
  ],
  [
    "the change removes the function",
    CHARGE,
    "src/payments.ts",
    ABSENT,
    { past: { before: { "src/cart.ts": `function charge() {}\n${FILES["src/cart.ts"]}` } } },
  ],
  [
    "an earlier commit held the function",
    CHARGE,
    "src/payments.ts",
    ABSENT,
    { past: { held: ["function charge(user) {"] } },
  ],
  ["an earlier commit held the file", CHARGE, "src/payments.ts", ABSENT, { past: { named: ["app/Payments.ts"] } }],
  [
    "the change deletes a file of that name",
    CHARGE,
    "src/payments.ts",
    ABSENT,
    { past: { before: { "old/payments.ts": "x\n" } } },
  ],
  [
    "another file has that name",
    CHARGE,
    "src/payments.ts",
    ABSENT,
    { files: { ...FILES, "a/payments.ts": "", "b/payments.ts": "" } },
  ],
  ["ignore rules cover it", CHARGE, "src/payments.ts", ABSENT, { past: { ignored: ["src/payments.ts"] } }],
  ["it is where builds put files", CHARGE, "dist/payments.js", ABSENT, {}],
  ["it is a file of a generator", CHARGE, "src/payments.pb.go", ABSENT, {}],
  [
    "the finding says that a file is missing",
    "src/payments.ts is missing: charge() has no home.",
    "src/payments.ts",
    ABSENT,
    {},
  ],
  ["the finding says that a file was removed", "The change removed charge().", "src/payments.ts", ABSENT, {}],
  ["it names nothing", "This is wrong.", "src/payments.ts", {}, {}],
  ["the tree is not the reviewed one", CHARGE, "src/payments.ts", ABSENT, { context: { reviewedTree: () => false } }],
  ["the history is not whole", CHARGE, "src/payments.ts", ABSENT, { past: { complete: false } }],
];

for (const [why, message, file, more, setting] of PRESENT) {
  test(`class 10: it stands undecided where ${why}`, async () => {
    const { verdict, action } = await premise(message, file, more, setting);
    assert.notEqual(verdict, "refuted");
    assert.equal(action, "needs-human");
  });
}

test("class 10: a search or a history that cannot answer settles nothing", async () => {
  const workspace = createMemoryWorkspace(FILES, { past: {} });
  const finding = await findingIn(workspace.repository, CHARGE, "src/payments.ts", 2, { ...ABSENT, severity: "P2" });
  const { history } = workspace.repository;
  assert.ok(history !== undefined);
  const silent: Partial<Record<keyof typeof history, () => Promise<null>>>[] = (
    ["change", "everHeld", "everNamed", "ignores"] as const
  ).map((name) => ({ [name]: async () => null }));
  for (const quiet of silent) {
    const repository: Repository = { ...workspace.repository, history: { ...history, ...quiet } };
    const context: CheckContext = { ...workspace.context, repository, reviewedTree: () => true };
    assert.equal((await judged(finding, context)).verdict, "unknown", Object.keys(quiet)[0]);
  }
  const broken = {
    run: async (...call: Parameters<typeof workspace.verbs.run>) => {
      const run = await workspace.verbs.run(...call);
      return { ...run, error: "stopped after 10 seconds" };
    },
  };
  const context = { ...workspace.context, verbs: broken, reviewedTree: () => true };
  assert.equal((await judged(finding, context)).verdict, "unknown");
});
