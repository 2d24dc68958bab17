import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { extractJson } from "../../../src/node/models/extractJson.ts";

const OBJECT = { verdict: "VALID", crux: 'a "quoted" } brace', list: [1, { deep: "{" }] };
const TEXT = JSON.stringify(OBJECT);

test("one JSON object is found bare, fenced, fenced on one line, and with prose around it (R2.24)", () => {
  const forms = [
    TEXT,
    `\uFEFF  ${TEXT}\n`,
    JSON.stringify(OBJECT, null, 2),
    `\`\`\`json\n${TEXT}\n\`\`\``,
    `\`\`\`\n${TEXT}\n\`\`\``,
    `\`\`\`json ${TEXT} \`\`\``,
    `Sure, here it is:\n\n\`\`\`json\n${TEXT}\n\`\`\`\n\nThe set {a, b} was empty.`,
    `The answer is ${TEXT}. I am done.`,
    `{not json} and then ${TEXT}`,
    `<think>maybe {"verdict": "INVALID"}?</think>\n${TEXT}`,
    `${TEXT}\n\nOnce more:\n${TEXT}`,
  ];
  for (const form of forms) assert.deepEqual(extractJson(form), { value: OBJECT }, form);
});

test("no object, half an object and two different objects are no answer, each with its reason", () => {
  const cases = [
    ["", /empty/],
    ["VALID", /no complete JSON object/],
    ['"VALID"', /no complete JSON object/],
    ['{"verdict": "VAL', /no complete JSON object/],
    ['{"verdict": "VALID"} or {"verdict": "INVALID"}', /2 different JSON objects/],
  ] as const;
  for (const [text, reason] of cases) {
    const extracted = extractJson(text);
    assert.match("problem" in extracted ? extracted.problem : "", reason, text);
  }
});

test("an object survives any prose without braces around it", () => {
  const prose = fc.string().map((text) => text.replace(/[{}`<]/g, " "));
  fc.assert(
    fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
      const plain: unknown = JSON.parse(JSON.stringify(object));
      assert.deepEqual(extractJson(`${before}\n${JSON.stringify(object)}\n${after}`), { value: plain });
    }),
  );
});

test("a text of openings alone is given up soon", () => {
  const started = performance.now();
  assert.ok("problem" in extractJson("{".repeat(200_000)));
  assert.ok(performance.now() - started < 2000);
});
