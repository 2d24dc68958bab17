import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { parseDocument } from "../../../../src/core/intake/markdown/blocks.ts";
import { SEED } from "../../../support/seed.ts";

const whole = new MarkdownIt({ html: false, linkify: false });

/** Pieces of which tables, and what may end them, are made. */
const LINES = [
  "| a | b |",
  "a | b",
  "|---|---|",
  "| :-- | --: |",
  "--- | ---",
  "| `x | y` | z |",
  "|",
  "",
  "   ",
  "text",
  "> | a | b |",
  "> |---|---|",
  "- | a | b |",
  "  |---|---|",
  "    | deep | row |",
  "# heading",
  "```",
  "---",
  "<div>",
  "1. | a | b |",
  "| lone |",
  "|-|",
];

test("markdown: our tables begin and end where those of markdown-it do, over any document", () => {
  const documents = fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(documents, (lines) => {
      const text = lines.join("\n");
      const theirs = whole.parse(text, {}).flatMap(({ type, map }) => (type === "table_open" ? [map] : []));
      const ours = parseDocument(text).blocks.flatMap(({ kind, from, to }) => (kind === "table" ? [[from, to]] : []));
      assert.deepEqual(ours, theirs);
    }),
    { seed: SEED, numRuns: 3000 },
  );
});

test("markdown: plain text without markup takes a short way and comes out as markdown-it reads it", () => {
  const pieces = fc.constantFrom(
    "a",
    " ",
    "`",
    "``",
    "*b*",
    "_",
    "x_y",
    "\\",
    "\\`",
    "<",
    "&amp;",
    "!",
    "[l](u)",
    "\n",
    "\0",
    "$1",
    "|",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const children = whole.parseInline(text, {})[0]?.children ?? [];
      const told = children.map(({ type, content }) =>
        type === "code_inline" ? `\`${content}\`` : type === "softbreak" || type === "hardbreak" ? "\n" : content,
      );
      assert.equal(parseDocument("").plain(text), told.join("").trim());
    }),
    { seed: SEED, numRuns: 5000 },
  );
});
