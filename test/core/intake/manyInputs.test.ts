import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { decodeText } from "../../../src/core/intake/decode.ts";
import { readReview } from "../../../src/core/intake/readReview.ts";
import { SEED } from "../../support/seed.ts";

const INPUTS = 20_000;
/** Larger samples have fuzzing of their own; here many inputs count. */
const LARGEST = 24_000;
const LONGEST_MS = 2000;
const SAMPLES = path.join(import.meta.dirname, "../../fixtures/samples");
/** Pieces that mean something to one reader or another. */
const TOKENS = [
  "null",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "|",
  "\n",
  "```",
  "- [P0] a.ts:1 x -> y",
  "<",
  "]]>",
  "%SRCROOT%",
  "**Severity:**",
  "\u0000",
  "\ud800",
  "0",
  "-1",
  "1e999",
  "# CRITICAL",
  ":99999999",
  "\r\n",
  "\ufeff",
];

test(`fuzz: ${INPUTS} mutated samples are read without a throw or a hang (FUZZ_SEED=${SEED})`, () => {
  const samples = ["sarif", "json", "xml", "md"]
    .flatMap((folder) => readdirSync(path.join(SAMPLES, folder)).map((name) => path.join(SAMPLES, folder, name)))
    .filter((file) => statSync(file).size <= LARGEST)
    .map((file) => readFileSync(file));
  assert.ok(samples.length >= 15);
  const next = random(SEED);
  let read = 0;
  for (let input = 0; input < INPUTS; input += 1) {
    const sample = samples[next(samples.length)] ?? Buffer.alloc(0);
    const bytes = mutate(sample, next);
    const started = performance.now();
    const { text } = decodeText(bytes);
    const { claimed, unread } = readReview(text, "fuzzed");
    assert.ok(performance.now() - started < LONGEST_MS, `input ${input} took too long`);
    for (const row of unread)
      assert.ok(row.reason !== "" && !row.reason.includes("reader failed"), `input ${input}: ${row.reason}`);
    read += claimed.length;
  }
  assert.ok(read > INPUTS / 2, "most inputs still hold findings: the mutations are small");
});

/** Whole numbers below a bound, always the same for a seed (xorshift). */
function random(seed: number): (bound: number) => number {
  let state = seed | 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, bound);
  };
}

/** One to three small changes: bytes cut out, doubled, flipped, a token put in, the end cut off. */
function mutate(sample: Buffer, next: (bound: number) => number): Buffer {
  let bytes = sample;
  for (let change = next(3); change >= 0; change -= 1) {
    const at = next(bytes.length);
    const to = Math.min(bytes.length, at + 1 + next(40));
    const kind = next(12);
    if (kind < 3) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    else if (kind < 5) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    else if (kind < 7) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([next(256)]), bytes.subarray(at + 1)]);
    else if (kind < 11)
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(TOKENS[next(TOKENS.length)] ?? ""),
        bytes.subarray(at),
      ]);
    else bytes = bytes.subarray(0, at);
  }
  return bytes;
}
