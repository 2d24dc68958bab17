import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { Claimed } from "../../../../src/core/finding.ts";
import { readReview } from "../../../../src/core/intake/readReview.ts";
import { sampleNames, sampleText } from "../../../support/samples.ts";
import { SEED } from "../../../support/seed.ts";

const TEXTS = new Map(
  sampleNames()
    .filter((name) => name.startsWith("md/") && sampleText(name).length < 40_000)
    .map((name) => [name, sampleText(name)]),
);
const NAMES = [...TEXTS.keys()];
const textOf = (name: string): string => TEXTS.get(name) ?? "";
const WHOLE = new Map(NAMES.map((name) => [name, readReview(textOf(name), name).claimed]));

test(`fuzz of reviews: the seed of this run is FUZZ_SEED=${SEED}`, () => assert.ok(Number.isInteger(SEED)));

const LINE = fc.oneof(
  fc.constantFrom(
    "",
    "## ",
    "### HIGH: x",
    "## Critical",
    "**Low**",
    "---",
    "```",
    "~~~json",
    "> quoted",
    "- **High:** `a.ts:3` x",
    "| a | b |",
    "|---|---|",
    "| Severity | File |",
    "**Severity:** ",
    "**File:** `a.ts`, b.ts:9 (lines 3–5)",
    "位置：src/a.ts",
    "VERDICT: PASS",
    "<details>",
    "    code",
    "1. ",
    "| X-1 | HIGH | t |",
    '{"severity":"high","file":"a.ts"}',
  ),
  fc.string({ maxLength: 60, unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, " ")),
);
const EDITS = fc.array(fc.record({ at: fc.nat(), drop: fc.nat(6), insert: fc.array(LINE, { maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 5,
});

test("a review with any lines removed or inserted is read without a throw, in time, each row inside the text", () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), EDITS, (name, edits) => {
      const lines = textOf(name).split("\n");
      for (const { at, drop, insert } of edits) lines.splice(at % (lines.length + 1), drop, ...insert);
      const text = lines.join("\n");
      const started = performance.now();
      const { claimed, unread } = readReview(text, name);
      assert.ok(performance.now() - started < 2000);
      assert.equal(new Set(claimed.map(({ pointer }) => pointer)).size, claimed.length);
      for (const { pointer, message } of claimed) {
        const line = Number(/^L(\d+)/.exec(pointer)?.[1]);
        assert.ok(line >= 1 && line <= lines.length && message.trim() !== "", pointer);
      }
      for (const { line } of unread) assert.ok(line !== null && line >= 1 && line <= lines.length);
    }),
    { numRuns: 150, seed: SEED },
  );
});

test("a review with any characters removed or inserted is read without a throw and in time", () => {
  const edit = fc.record({ at: fc.nat(), drop: fc.nat(30), insert: fc.string({ maxLength: 12, unit: "grapheme" }) });
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.array(edit, { minLength: 1, maxLength: 6 }), (name, edits) => {
      let text = textOf(name);
      for (const { at, drop, insert } of edits) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + insert + text.slice(from + drop);
      }
      const started = performance.now();
      readReview(text, name);
      assert.ok(performance.now() - started < 2000);
    }),
    { numRuns: 100, seed: SEED },
  );
});

const lineOf = ({ pointer }: Claimed): number => Number(/^L(\d+)/.exec(pointer)?.[1]);
const essence = ({ severity, path, span, message }: Claimed): string =>
  [severity, path, span.line, span.endLine, message.split("\n", 1)[0]].join(" ");

/** What stays inside its finding: no heading, fence, rule or verdict, which are boundaries of their own. */
const INNER = fc.oneof(
  fc.constantFrom(
    "",
    "It also leaks.",
    "**Impact:** none",
    "- a point",
    "  - a deeper one",
    "`code` in a line",
    "| a | b |",
    "(see above)",
    "> a quote",
  ),
  fc.string({ maxLength: 40 }).map((text) => `x ${text.replace(/[\r\n#`~|<>*_:=-]/g, " ")}`),
);

test("what is written into one finding costs no other", () => {
  const sectioned = NAMES.filter((name) => /axiom|tavern|id-agents|hex-code/.test(name));
  fc.assert(
    fc.property(
      fc.constantFrom(...sectioned),
      fc.nat(),
      fc.array(INNER, { minLength: 1, maxLength: 6 }),
      (name, pick, insert) => {
        const all = WHOLE.get(name) ?? [];
        const lines = textOf(name).split("\n");
        const own = all.filter((found) => /^#{2,4} /.test(lines[lineOf(found) - 1] ?? ""));
        const changed = own[pick % own.length];
        assert.ok(changed !== undefined);
        const at = lineOf(changed);
        lines.splice(at, 0, "", ...insert, "");
        const after = readReview(lines.join("\n"), name).claimed.map(essence);
        for (const found of all) {
          if (found === changed) continue;
          const index = after.indexOf(essence(found));
          assert.notEqual(index, -1, `${essence(found)} after ${JSON.stringify(insert)} in ${changed.pointer}`);
          after.splice(index, 1);
        }
      },
    ),
    { numRuns: 120, seed: SEED },
  );
});

test("a whole section that is cut out costs no finding outside of it", () => {
  fc.assert(
    fc.property(fc.nat(), (pick) => {
      const name = NAMES.find((each) => each.includes("id-agents")) ?? "";
      const all = WHOLE.get(name) ?? [];
      const lines = textOf(name).split("\n");
      const index = pick % (all.length - 1);
      const [gone, next] = [all[index], all[index + 1]];
      assert.ok(gone !== undefined && next !== undefined);
      const rest = lines.toSpliced(lineOf(gone) - 1, lineOf(next) - lineOf(gone));
      const after = readReview(rest.join("\n"), name).claimed.map(essence);
      assert.deepEqual(after, all.filter((found) => found !== gone).map(essence));
    }),
    { numRuns: 28, seed: SEED },
  );
});
