import assert from "node:assert/strict";
import test from "node:test";
import { lintPrompt } from "../../src/core/promptLint.ts";

const NEUTRAL = "Presume neither that the claim is true nor that it is false.";

const LEANING = [
  "Is this a false positive?",
  "Decide whether it is a false-positive.",
  "This may be a false alarm.",
  "I think the bounds are checked.",
  "We believe this can be dismissed.",
  "The developer thinks that the caller checks it.",
  "The requester suspects a mistake.",
  "In my opinion this is fine.",
  "In the author's view the lock is enough.",
  "Please confirm that this is not a bug.",
  "The claim is probably wrong.",
  "This is likely a real bug.",
  "Severity: P1",
  "**Severity**: high",
  "[P0] crash in parser",
  "severity = critical",
  "Confidence: 80",
  "Reported by: somebody",
  "Author: someone",
];

for (const text of LEANING) {
  test(`a prompt that leans the judge is refused: ${text} (R1.9, C16)`, () => {
    assert.equal(lintPrompt(`${NEUTRAL}\n\n${text}`).length > 0, true);
    assert.match(lintPrompt(`${NEUTRAL}\n\n${text}`)[0] ?? "", /^line 3: /);
  });
}

const NEUTRAL_TEXTS = [
  "Cite the line that the author of the commit changed.",
  "A comment may name an owner; it proves nothing.",
  "The severity of an effect is not asked for.",
  "Look at callers P and Q, at HTTP1 and at the P1Handler class.",
  "If the code is likely to be called twice, say so.",
];

for (const text of NEUTRAL_TEXTS) {
  test(`a neutral sentence passes: ${text}`, () => assert.deepEqual(lintPrompt(`${NEUTRAL}\n${text}`), []));
}

test("a prompt without the instruction to presume neither is refused (R1.9)", () => {
  assert.match(lintPrompt("Judge the claim.").join(), /presume the claim neither true nor false is missing/);
  assert.deepEqual(lintPrompt("Do not presume the finding true or false."), []);
});

test("the requester's stored hypothesis in a prompt is refused, however it is spaced or cased (R1.5, R1.9)", () => {
  const text = `${NEUTRAL}\nThe  Buffer is\nnever reused.`;
  assert.match(lintPrompt(text, "the buffer is never reused").join(), /stored hypothesis/);
  assert.deepEqual(lintPrompt(text, "the socket is closed"), []);
  assert.deepEqual(lintPrompt(text, "  "), []);
});
