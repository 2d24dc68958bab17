import { ASKED } from "../support/asked.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { runChecks } from "../../src/core/oracle.ts";
import { judge } from "../../src/core/judge.ts";
import { admit } from "../../src/core/policy.ts";
import { corpusFiles } from "../support/corpus.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";

interface Row {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  /** What becomes of it: confirmed, or open because reading cannot confirm it. */
  readonly expect: "settled confirmed" | "needs-human";
}

// True claims about the project of the corpus. What only a search did not find is never confirmed.
const TRUE: readonly Row[] = [
  { message: "`MAX_ITEMS` is 50.", file: "src/cart.ts", line: 36, expect: "settled confirmed" },
  { message: "PAGE_SIZE is 32", file: "src/limits.ts", line: 4, expect: "settled confirmed" },
  { message: "RETRY_LIMIT is smaller than MAX_ITEMS.", file: "src/cart.ts", line: 61, expect: "settled confirmed" },
  { message: "`SLOT_COUNT` is set to 50.", file: "src/cart.ts", line: 16, expect: "settled confirmed" },
  { message: "The file `src/payments.ts` does not exist.", file: "src/cart.ts", line: 1, expect: "settled confirmed" },
  { message: "`formatPrice` is not exported from src/money.ts.", file: "src/money.ts", line: 1, expect: "needs-human" },
  { message: "`clampIndex` is not exported from src/money.ts.", file: "src/money.ts", line: 1, expect: "needs-human" },
  { message: "`formatPrice` is not defined in this module.", file: "src/cart.ts", line: 32, expect: "needs-human" },
  { message: "`upperPlugin` is unused.", file: "src/plugins/upper.ts", line: 1, expect: "needs-human" },
];

const CHANGES: readonly (readonly [string, (text: string) => string, number])[] = [
  ["as they are", (text) => text, 0],
  ["shifted by five lines", (text) => `${"\n".repeat(5)}${text}`, 5],
  ["with other indentation", (text) => text.replace(/^ {2}/gm, "\t"), 0],
  ["with Windows line ends", (text) => text.replaceAll("\n", "\r\n"), 0],
  ["with a comment behind every constant", (text) => text.replace(/^(export const .*;)$/gm, "$1 // = 99"), 0],
];

async function settle({ message, file, line }: Row, files: Readonly<Record<string, string>>): Promise<string> {
  const { repository, context } = createMemoryWorkspace(files);
  const finding = await findingIn(repository, message, file, line, { severity: "P2" });
  const checks = await runChecks(finding, context, () => undefined);
  const outcome = judge({
    ...ASKED,
    finding,
    admission: admit(finding, true),
    checks,
  });
  if (outcome.settledAs === "confirmed" && checks.some(({ atom }) => atom?.claimClass === 13))
    assert.ok(
      checks.some(({ citations }) => citations.some(({ ok }) => ok)),
      "the lines of the chain are cited",
    );
  return outcome.settledAs === null ? outcome.action : `${outcome.action} ${outcome.settledAs}`;
}

for (const [how, change, shift] of CHANGES) {
  test(`true claims about files ${how} are confirmed or stay open, and none is refuted (gate G1)`, async () => {
    const files = Object.fromEntries(
      Object.entries(corpusFiles()).map(([file, text]) => [file, file.endsWith(".ts") ? change(text) : text]),
    );
    for (const row of TRUE)
      assert.equal(await settle({ ...row, line: row.line + shift }, files), row.expect, row.message);
  });
}

// What each confirmation rests on, taken away.
const LESS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  [
    "a constant that becomes a variable",
    "`MAX_ITEMS` is 50.",
    { "src/limits.ts": "export let MAX_ITEMS = 50;\nexport const SLOT_COUNT = 50;\n" },
  ],
  ["a second module that may be meant", "`MAX_ITEMS` is 50.", { "src/limits.js": "export const MAX_ITEMS = 50;\n" }],
  [
    "a file of that name elsewhere",
    "The file `src/payments.ts` does not exist.",
    { "lib/payments.ts": "export {};\n" },
  ],
];

for (const [what, message, more] of LESS) {
  test(`with ${what} a true claim is confirmed no more, and not refuted either`, async () => {
    const row = { message, file: "src/cart.ts", line: 36, expect: "needs-human" } as const;
    assert.equal(await settle(row, { ...corpusFiles(), ...more }), "needs-human");
  });
}
