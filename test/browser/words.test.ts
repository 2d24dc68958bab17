import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { announce } from "../../src/browser/announce.ts";
import { piecesOf, plain } from "../../src/browser/clean.ts";
import {
  askedBy,
  commandLine,
  costWords,
  durationWords,
  keptWords,
  looksLocal,
  momentWords,
  placeWords,
  withoutIndent,
} from "../../src/browser/figures.ts";
import { freshMemory, readMemory } from "../../src/browser/memory.ts";
import {
  checkWord,
  citationWord,
  outcomeWord,
  sourceSeverityWords,
  stateWord,
  VERDICTS,
  FEWEST_REASON,
  isReason,
} from "../../src/browser/words.ts";
import { SHORTEST_REASON } from "../../src/core/decision.ts";
import { ACTIONS } from "../../src/core/outcome.ts";
import * as states from "../support/panelStates.ts";

test("the page asks for as long a reason as the worker does", () => {
  assert.equal(FEWEST_REASON, SHORTEST_REASON);
  assert.deepEqual([isReason("  no \n"), isReason("wrong")], [false, true]);
});

test("verdicts are said in words, never as raw values", () => {
  assert.equal(VERDICTS.VALID.text, "real");
  assert.equal(VERDICTS.INVALID.text, "false alarm");
  assert.equal(VERDICTS.UNCERTAIN.text, "not decided");
});

test("every action has a headline in words, with its severity or fact where it has one (ruling 13)", () => {
  const { finding, outcome } = states.proposed;
  assert.ok(outcome !== null);
  for (const action of ACTIONS) {
    const { text } = outcomeWord({ ...outcome, action, proposesDismissal: false }, finding);
    assert.notEqual(text, action);
    assert.match(text, /^[A-Z].{3,}/);
  }
  assert.match(
    outcomeWord({ ...outcome, action: "demote", severity: "P2", proposesDismissal: false }, finding).text,
    /P2/,
  );
  assert.match(
    outcomeWord({ ...outcome, action: "bypass", proposesDismissal: false }, states.hard.finding).text,
    /secret/,
  );
});

test("a proposed dismissal says that it is only proposed (C4, ruling 1)", () => {
  const { finding, outcome } = states.proposed;
  assert.ok(outcome !== null);
  assert.match(outcomeWord(outcome, finding).text, /^Proposed/);
  assert.match(outcomeWord({ ...outcome, action: "settled", settledAs: "refuted" }, finding).text, /proposed/);
  assert.doesNotMatch(
    outcomeWord({ ...outcome, action: "settled", settledAs: "refuted", proposesDismissal: false }, finding).text,
    /proposed/i,
  );
});

test("the severity is shown with the scale and value of its source (C2)", () => {
  assert.equal(sourceSeverityWords({ scale: "sarif-level", value: "error" }), "from SARIF error");
  assert.equal(sourceSeverityWords({ scale: "security-severity", value: "9.8" }), "from security severity 9.8");
  assert.equal(sourceSeverityWords({ scale: "p-scale", value: "P0" }), "from P0");
  assert.equal(sourceSeverityWords({ scale: "house-scale", value: "sev2" }), "from house scale sev2");
});

test("the header names the state: not triaged, waiting, decided, out of date", () => {
  assert.equal(stateWord(states.untriaged).text, "Not triaged");
  assert.equal(stateWord(states.running2).text, "Triage is running");
  assert.equal(stateWord(states.proposed).text, "Waits for your decision");
  assert.equal(stateWord(states.needsHuman).text, "Needs your decision");
  assert.equal(stateWord(states.overrideRejected).text, "Triaged, open");
  assert.equal(stateWord(states.decided).text, "Dismissed by a person");
  assert.match(stateWord(states.stale).text, /^Out of date/);
});

test("a check without an atom speaks of the place, one with an atom of the claim", () => {
  const [place, claim] = states.checks;
  assert.ok(place !== undefined && claim !== undefined);
  assert.equal(checkWord({ ...place, verdict: "confirmed" }).text, "the place holds");
  const told = { ...place, verdict: "confirmed", notice: { claimClass: 20, does: "demote" } } as const;
  assert.equal(checkWord(told).text, "takes itself back");
  assert.equal(checkWord({ ...claim, verdict: "confirmed" }).text, "confirms the claim");
});

test("a citation is re-read, relocated or not found", () => {
  const citation = { file: "a.ts", line: 1, endLine: 1, quote: "x", shown: "x", ok: true, note: null };
  assert.equal(citationWord(citation).text, "re-read");
  assert.equal(citationWord({ ...citation, note: "found at line 2, cited at 1" }).text, "relocated");
  assert.equal(citationWord({ ...citation, ok: false, note: "moved" }).text, "not found");
});

test("bidi overrides, zero-width and control characters become visible marks (ruling 33)", () => {
  assert.deepEqual(piecesOf("a\u202eb"), [
    { kind: "text", text: "a" },
    { kind: "odd", label: "U+202E", title: "Hidden in the text: U+202E right-to-left override" },
    { kind: "text", text: "b" },
  ]);
  assert.equal(plain("a\u200b\u200b\u200bb"), "a[U+200B ×3]b");
  assert.equal(plain("\u001b[31m"), "[U+001B][31m");
  assert.equal(plain("\u{e0041}\u{e0042}\u{e0043}\u{e0044}"), "[4 hidden characters]");
});

test("tabs, new lines, emoji and other scripts stay as they are", () => {
  const text = "a\tb\nc ☀\ufe0f é 漢字 שלום";
  assert.deepEqual(piecesOf(text), [{ kind: "text", text }]);
  assert.equal(plain("one\r\ntwo"), "one\ntwo");
});

test("no text leaves a hidden character behind, and nothing visible is lost", () => {
  const hidden = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u3164]|(?![\t\n])\p{Cc}/u;
  const odd = fc.constantFrom("\u202e", "\u200b", "\u0000", "\u001b", "\ufeff", "\ud800", "\u3164", "\u{e0001}", "\r");
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), odd), { maxLength: 40 }), (parts) => {
      const shown = piecesOf(parts.join("")).map((piece) => (piece.kind === "text" ? piece.text : `[${piece.label}]`));
      assert.doesNotMatch(shown.join(""), hidden);
      assert.equal(shown.join(""), plain(parts.join("")));
    }),
  );
});

test("a text made of marks stays one text instead of thousands of elements", () => {
  const pieces = piecesOf("a\u200b".repeat(5000));
  assert.equal(pieces.length, 1);
  assert.deepEqual(pieces[0], { kind: "text", text: "a[U+200B]".repeat(5000) });
});

test("an argument list is shown with the borders of its arguments", () => {
  assert.equal(commandLine(["src/a.ts", "1-60"]), "src/a.ts 1-60");
  assert.equal(commandLine(["a b", "", "it's", "**/*.ts"]), `'a b' '' "it's" '**/*.ts'`);
});

test("figures are named: time, cost, kept lines, place, who asked", () => {
  assert.deepEqual([3, 1240, 59_990, 125_000].map(durationWords), ["3 ms", "1.2 s", "1 min 0 s", "2 min 5 s"]);
  assert.equal(costWords({ calls: 0, prompt: 0, completion: 0 }), "No model calls, no tokens.");
  assert.equal(costWords({ calls: 1, prompt: 8123, completion: 5 }), "1 model call, 8,123 tokens in, 5 tokens out.");
  const [receipt] = states.receipts;
  assert.ok(receipt !== undefined);
  assert.equal(keptWords({ ...receipt, truncated: true }), "1 line kept of a longer output");
  assert.equal(keptWords({ ...receipt, lines: [] }), "no output");
  assert.equal(placeWords("a.ts", 4, 6), "a.ts:4-6");
  assert.equal(placeWords("a.ts", 4, 4), "a.ts:4");
  assert.equal(placeWords("a.ts", null, null), "a.ts");
  assert.equal(askedBy("round-2"), "round 2");
  assert.equal(momentWords("yesterday"), "yesterday");
});

test("quoted lines lose the indent they share and keep the rest", () => {
  assert.equal(withoutIndent("    if (a)\n\n      b();"), "if (a)\n\n  b();");
  assert.equal(withoutIndent("\ta\n  b"), "\ta\n  b");
});

test("only a relative path without a way up may be opened", () => {
  for (const path of ["src/a.ts", "a b/c.ts", "..x/a.ts"]) assert.equal(looksLocal(path), true, path);
  for (const path of ["/etc/passwd", "../a.ts", "a/../../b", "file:///a", "javascript:x", "C:\\a", "\\\\host\\a"]) {
    assert.equal(looksLocal(path), false, path);
  }
});

test("a screen reader hears stages and results, not every change", () => {
  assert.equal(announce(null, states.proposed), "");
  assert.match(announce(states.running1, states.running2), /^Round 1 says real\. Round 2 of 3 looks for defences\.$/);
  assert.equal(announce(states.running2, { ...states.running2, cost: { calls: 9, prompt: 1, completion: 1 } }), "");
  const last = announce(states.runningArbiter, states.proposed);
  assert.match(last, /The arbiter says false alarm\. The arbiter overrules the vote\./);
  assert.match(last, /Waits for your decision\.$/);
  assert.equal(announce(states.proposed, states.hard), "");
});

test("memory of an older version or of another kind is no memory", () => {
  for (const raw of [undefined, null, "x", 3, [], {}, { key: 1, open: {} }, { key: "k", open: null }]) {
    assert.equal(readMemory(raw), null);
  }
  assert.deepEqual(readMemory({ key: "k", open: { a: true, b: "no" }, scroll: -4, draft: 3 }), {
    ...freshMemory("k"),
    open: { a: true },
  });
  const memory = { key: "k", open: { a: false }, draft: "why", formOpen: true, scroll: 12 };
  assert.deepEqual(readMemory(structuredClone(memory)), memory);
});
