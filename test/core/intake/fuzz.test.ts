import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { collectFindings } from "../../support/collect.ts";
import type { Claimed } from "../../../src/core/finding.ts";
import { decodeText } from "../../../src/core/intake/decode.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";
import { createMemoryRepository, sha256 } from "../../support/memoryRepository.ts";
import { sampleNames, sampleText } from "../../support/samples.ts";
import { editJson, jsonEdits } from "../../support/jsonEdits.ts";
import { SEED } from "../../support/seed.ts";

const SARIF = sampleNames().filter((name) => name.startsWith("sarif/") && sampleText(name).length < 40_000);
const TEXTS = new Map(sampleNames().map((name) => [name, sampleText(name)]));
const textOf = (name: string): string => TEXTS.get(name) ?? "";

test(`fuzz: the seed of this run is FUZZ_SEED=${SEED}`, () => assert.ok(Number.isInteger(SEED)));

const EDITS = jsonEdits(8);

test("C20: a SARIF log with any members removed or replaced is read without a throw, and accounts for every result", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SARIF), EDITS, (name, steps) => {
      const log: unknown = JSON.parse(textOf(name));
      assert.ok(typeof log === "object" && log !== null);
      editJson(log, steps);
      const { format, claimed, unread } = readReview(JSON.stringify(log), name);
      for (const found of claimed) assert.ok(found.message !== "" && found.pointer.startsWith("/runs/"));
      if (format !== "sarif" || !("runs" in log) || !Array.isArray(log.runs)) return assert.ok(unread.length > 0);
      for (const [index, run] of log.runs.entries()) {
        const results: unknown = typeof run === "object" && run !== null && "results" in run ? run.results : null;
        const prefix = `/runs/${index}/results/`;
        const seen = [...claimed, ...unread].filter(({ pointer }) => pointer?.startsWith(prefix)).length;
        if (Array.isArray(results)) assert.equal(seen, results.length);
        else assert.ok(unread.some(({ pointer }) => pointer?.startsWith(`/runs/${index}`)));
      }
    }),
    { numRuns: 400, seed: SEED },
  );
});

test("C20: a broken result costs no other: untouched results read the same as before", () => {
  const whole = SARIF.filter((name) => JSON.parse(textOf(name)).runs?.[0]?.results?.length >= 2);
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(), EDITS, (name, pick, steps) => {
      const before = readReview(textOf(name), name).claimed;
      const log = JSON.parse(textOf(name));
      const results = log.runs[0].results;
      const broken = pick % results.length;
      const box = { result: results[broken] };
      editJson(box, steps);
      results[broken] = "result" in box ? box.result : null;
      const after = new Map(readReview(JSON.stringify(log), name).claimed.map((found) => [found.pointer, found]));
      for (const found of before) {
        if (found.pointer !== `/runs/0/results/${broken}`) assert.deepEqual(after.get(found.pointer), found);
      }
    }),
    { numRuns: 150, seed: SEED },
  );
});

test("any sample with bytes replaced, inserted or cut is decoded, read and placed without a throw", async () => {
  const edit = fc.record({ at: fc.nat(), drop: fc.nat(40), insert: fc.uint8Array({ maxLength: 12 }) });
  const names = [...TEXTS.keys()].filter((name) => textOf(name).length < 25_000);
  const repo = createMemoryRepository({ "src/a.ts": "a\nb\n", "app/handlers.go": "x\n".repeat(30) });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.array(edit, { minLength: 1, maxLength: 6 }), async (name, edits) => {
      let bytes: Uint8Array = new TextEncoder().encode(textOf(name));
      for (const { at, drop, insert } of edits) {
        const from = at % (bytes.length + 1);
        bytes = Uint8Array.from([...bytes.subarray(0, from), ...insert, ...bytes.subarray(from + drop)]);
      }
      const reading = readReview(decodeText(bytes).text, name);
      const { findings, unread } = await collectFindings([{ path: name, reading }], repo, sha256);
      assert.equal(findings.length, reading.claimed.length);
      assert.equal(unread.length, reading.unread.length);
      assert.equal(new Set(findings.map(({ key }) => key)).size, findings.length);
    }),
    { numRuns: 120, seed: SEED },
  );
});

const lineOf = ({ pointer }: Claimed): number => Number(pointer.slice(1));
const unreadRows = (document: string): number => readReview(document, "x").unread.length;

const PIECES = [
  "- ",
  "[P1] ",
  "| ",
  "a.ts:3",
  "**",
  "`",
  "HIGH",
  "## ",
  "\n",
  " -> ",
  "Location: ",
  "|---|",
  "\\|",
  "> ",
  "    ",
  "```\n",
  "é",
  "：",
  "Severity",
  "None",
];

test("any mixture of markdown is read without a throw, each row with a line inside the text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 })), { maxLength: 60 }),
      (parts) => {
        const document = parts.join("");
        const { claimed, unread } = readReview(document, "r.md");
        const count = document.split(/\r\n|\n|\r/).length;
        for (const found of claimed)
          if (found.prose) assert.ok(lineOf(found) >= 1 && lineOf(found) <= count, found.pointer);
        for (const row of unread) assert.ok(row.line === null || (row.line >= 1 && row.line <= count));
      },
    ),
    { numRuns: 1500, seed: SEED },
  );
});

test("deep nesting ends in an unread row, not in a crash", () => {
  assert.ok(unreadRows(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) > 0);
  assert.ok(unreadRows(`{"version":"2.1.0","runs":[{"results":[${'{"a":'.repeat(5000)}1${"}".repeat(5000)}]}]}`) > 0);
  assert.doesNotThrow(() => readReview(`${"> ".repeat(5000)}- [P1] a.ts:1 x`, "x"));
});
