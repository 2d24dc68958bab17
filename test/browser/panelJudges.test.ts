import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { WORD_FLOOR } from "../../src/browser/judges.ts";
import * as policy from "../../src/core/policy.ts";
import { LONGEST_ARTEFACT } from "../../src/core/rebuttal.ts";
import { CHALLENGES, FromPanel, MOST_ARTEFACT } from "../../src/protocol/panel.ts";
import * as judges from "../support/judgeStates.ts";
import { startPanelHarness, type Panel, type PanelHarness } from "../support/panelHarness.ts";
import { finding, hard } from "../support/panelStates.ts";

// Refuters, second opinions, challenges and objections on the page, in a real browser under the policy of the real panel.

let harness: PanelHarness;
before(async () => {
  harness = await startPanelHarness();
});
after(() => harness.close());

async function withPanel(body: (panel: Panel) => Promise<void>): Promise<void> {
  const panel = await harness.open();
  try {
    await body(panel);
    assert.deepEqual(await panel.trouble(), []);
  } finally {
    await panel.close();
  }
}

const { key } = finding;

async function asked(panel: Panel): Promise<readonly FromPanel[]> {
  return (await panel.posted()).slice(1).map((message) => FromPanel.parse(message));
}

const refuters = (panel: Panel) => panel.page.getByRole("region", { name: /^Blind refuters/ });
const opinion = (panel: Panel) => panel.page.getByRole("region", { name: /^Blind second opinion/ });
const verdict = (panel: Panel) => panel.page.getByRole("region", { name: "Verdict" });

test("every state of refuters and opinions is drawn without a violation of the page policy or an error", () =>
  withPanel(async (panel) => {
    for (const state of Object.values(judges.JUDGE_STATES)) await panel.send({ type: "state", state });
    assert.deepEqual(await asked(panel), []);
  }));

test("hostile text of refuters and opinions stays text (design 8, ruling 33)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.hostileJudges });
    await panel.openAll();
    const root = panel.page.locator("#skeptical-triage");
    assert.equal(await root.locator("img, script, b, a, iframe, style, [onerror], [style]").count(), 0);
    const hidden = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/u;
    assert.doesNotMatch(String(await panel.page.evaluate("document.body.textContent")), hidden);
    assert.ok((await refuters(panel).getByText("U+202E").count()) > 5);
    assert.ok((await opinion(panel).getByText("U+202E").count()) > 5);
    assert.deepEqual(await asked(panel), []);
  }));

test("a person never sees a raw word of refuters, opinions or their mapping", () =>
  withPanel(async (panel) => {
    const { hostileJudges: _hostile, ...shown } = judges.JUDGE_STATES;
    for (const [name, state] of Object.entries(shown)) {
      await panel.send({ type: "state", state });
      await panel.openAll();
      const text = await panel.page.locator("#skeptical-triage").innerText();
      const raw =
        /\b(NON_ACTIONABLE|ACTIONABLE|UNCERTAIN|DISMISS_\w+|FIX_REQUIRED|NEED_HUMAN|CONFIRMED|DISPUTED|\w+_IMPACT|NOT_ASSESSED|needs[-_]\w+|survives_|test-output)\b/;
      assert.doesNotMatch(text, raw, name);
    }
  }));

test("each refuter has its lens, its side, its attack and its lines; one that abstained says why and keeps its attack (R4.12, R4.17)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.refuted });
    const rows = refuters(panel).locator(".panel-row");
    const texts = await rows.allInnerTexts();
    assert.deepEqual(
      texts.map((text) =>
        text
          .split("\n")
          .filter((line) => line !== "")
          .slice(0, 2),
      ),
      [
        ["Another path to the place", "for it"],
        ["Forged input", "against it"],
        ["Nightly export job", "did not count"],
        ["Values at the limits", "against it"],
      ],
    );
    assert.match(texts[0] ?? "", /The admin route goes around the handler/, "a survivor's attack is kept");
    assert.match(texts[0] ?? "", /answered by other-large at https:\/\/models\.example/);
    assert.match(texts[1] ?? "", /its own confidence: high · damage if real: low/);
    assert.match(texts[2] ?? "", /It counts for nothing: none of the lines[\s\S]*The export never uses this function/);
    await rows.nth(1).getByRole("button", { name: "src/store/ids.ts:8" }).click();
    assert.deepEqual(await asked(panel), [{ type: "open", key, file: "src/store/ids.ts", line: 8 }]);
  }));

test("the recount, what nobody attacked and why a loop ended are said (R4.13, R4.19, R4.29)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.survives });
    const text = await refuters(panel).innerText();
    assert.match(text, /N = 3, vote over k = 3\./);
    assert.match(text, /What nobody attacked\s+No refuter cites src\/http\/admin\.ts/);
    assert.match(
      text,
      /2 passes\. The loop ended because fresh lenses found nothing new\. That alone proves nothing\./,
    );
    assert.match(text, /Effect further on pass 2/);
  }));

test("what was left out stands in the open, and a severity that was argued for is advice (R4.20, R4.23, C15)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.noneCounted });
    assert.match(
      await verdict(panel).innerText(),
      /Left out\s+Only 1 of 3 refuters counted.*asked once more\.\s+Not counted: limits/,
    );
    assert.match(await verdict(panel).innerText(), /No verdict: fewer than two refuters counted\./);
    await panel.send({ type: "state", state: judges.survives });
    assert.match(
      await verdict(panel).innerText(),
      /Argued for P0: .*everyone's orders\. Change it in the source if you agree\./,
    );
  }));

test("refuters that are at work are named by their lens, and the headline says how many", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.refutersRun });
    assert.deepEqual(await refuters(panel).locator('[aria-busy="true"] h3').allInnerTexts(), [
      "Another path to the place",
      "Effect further on",
    ]);
    assert.match(
      await verdict(panel).innerText(),
      /3 refuters attack it[\s\S]*before all refuters have answered[\s\S]*1 of 3 refuters have answered\./,
    );
  }));

/** What each mapping says in the section, by the state's name. */
const MAPPINGS: readonly (readonly [name: keyof typeof judges.JUDGE_STATES, words: RegExp])[] = [
  [
    "candidate",
    /0\.96 ≥ 0\.95 and 4 ≥ 4 references \(a raised bar.*\) → it may be proposed for dismissal; only a person closes it/,
  ],
  ["refuted", /0\.96 ≥ 0\.90 and 4 ≥ 3 references → it may be proposed/],
  ["belowBar", /0\.91 < 0\.95 and 4 ≥ 4 references .* → a person has to judge/],
  ["fixRequired", /0\.82 ≥ 0\.70 → fix it/],
  ["confirmed", /0\.82 ≥ 0\.70 → it is confirmed/],
  ["disputed", /→ it is disputed: a person has to judge/],
  ["highImpact", /→ it stays open, with high impact/],
  ["lowImpact", /→ it stays open, with low impact/],
  [
    "weak",
    /Counted as not sure → a person has to judge[\s\S]*It said “nothing to fix”; it counts as “not sure”\. It called/,
  ],
  [
    "unsure",
    /by built-in reviewer[\s\S]*Not sure → a person has to judge[\s\S]*It neither proves nor refutes a claim that no check settles/,
  ],
  ["opinionAbstained", /no answer[\s\S]*It gave no answer: the model refused/],
];
for (const [name, words] of MAPPINGS) {
  test(`a second opinion says what follows from it and the bar it was held against: ${name} (R1.14-R1.24)`, () =>
    withPanel(async (panel) => {
      await panel.send({ type: "state", state: judges.JUDGE_STATES[name] });
      assert.match(await opinion(panel).innerText(), words);
    }));
}

test("a second opinion's confidence is named as its own and never as a share of votes (C5)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.candidate });
    assert.equal(await opinion(panel).locator(".figure").innerText(), "its own confidence 0.96");
    assert.doesNotMatch(await panel.page.locator("main").innerText(), /96 %|vote/);
    await panel.send({ type: "state", state: judges.roundsAndOpinion });
    assert.equal(await verdict(panel).locator(".figure").innerText(), "vote 67 % (2 of 3)");
    assert.match(await opinion(panel).innerText(), /the same family of models as before/);
  }));

test("references show the line as it was read again, or lead to the receipt of the run they name (R1.13)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.candidate });
    assert.match(await opinion(panel).innerText(), /4 of 5 references could be read again and count\./);
    await opinion(panel).getByRole("button", { name: "grep parseOrderId src" }).click();
    assert.equal(await panel.page.evaluate("document.activeElement.closest('[data-receipt]').dataset.receipt"), "r2");
  }));

test("the streak is a quiet line first and a clear warning after three (R1.26-R1.28)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.refuted });
    assert.doesNotMatch(await verdict(panel).innerText(), /in a row/);
    await panel.send({ type: "state", state: judges.streak });
    assert.match(
      await verdict(panel).locator(".muted").last().innerText(),
      /^2 findings in a row were dismissed in this session\.$/,
    );
    await panel.send({ type: "state", state: judges.warned });
    assert.match(await verdict(panel).locator(".overrule").innerText(), /Look twice: .* one more reference/);
  }));

test("the menu of challenges is worked by keyboard, and each choice is one message", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.streak });
    const button = panel.page.locator('[data-action="challenge"]');
    const focused = () =>
      panel.page.evaluate<string | null>("document.activeElement.dataset.how ?? document.activeElement.dataset.action");
    assert.equal(await button.getAttribute("aria-expanded"), "false");
    for (const [index, how] of CHALLENGES.entries()) {
      await button.focus();
      await panel.page.keyboard.press("Enter");
      await panel.page.locator('[role="menuitem"]:focus').waitFor();
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      for (let step = 0; step < index; step += 1) await panel.page.keyboard.press("ArrowDown");
      assert.equal(await focused(), how);
      await panel.page.keyboard.press("Enter");
      await panel.page.locator("#challenge-menu").waitFor({ state: "hidden" });
    }
    assert.deepEqual(
      await asked(panel),
      CHALLENGES.map((how) => ({ type: "challenge", key, how })),
    );
    await button.focus();
    await panel.page.keyboard.press("Enter");
    await panel.page.locator('[role="menuitem"]:focus').waitFor();
    await panel.page.keyboard.press("End");
    assert.equal(await focused(), "clarify");
    await panel.page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "refuters");
    await panel.page.keyboard.press("Escape");
    await panel.page.locator("#challenge-menu").waitFor({ state: "hidden" });
    assert.equal(await focused(), "challenge");
    assert.equal((await asked(panel)).length, CHALLENGES.length);
  }));

test("another model is offered by its name, and without one the menu says where to set it", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.streak });
    await panel.page.locator('[data-action="challenge"]').click();
    assert.match(await panel.page.locator('[data-how="other-model"]').innerText(), /With another model: second-large/);
    await panel.page.keyboard.press("Escape");
    await panel.send({ type: "state", state: judges.refuted });
    await panel.page.locator('[data-action="challenge"]').click();
    const item = panel.page.locator('[data-how="other-model"]');
    assert.equal(await item.getAttribute("aria-disabled"), "true");
    assert.match(await item.innerText(), /Set a fallback model first/);
    await item.click({ force: true });
    assert.deepEqual(await asked(panel), []);
  }));

test("a challenge is offered only where a triage may start: not while it runs, not when decided, never for a hard fact", () =>
  withPanel(async (panel) => {
    for (const state of [judges.refutersRun, judges.decidedJudges, hard]) {
      await panel.send({ type: "state", state });
      assert.equal(await panel.page.locator('[data-action="challenge"]').count(), 0);
    }
    await panel.send({ type: "state", state: judges.JUDGE_STATES.untriagedWithOther });
    assert.equal(await panel.page.locator('[data-action="challenge"]').innerText(), "Challenge");
  }));

test("an objection is offered against “fix it”, once, and not while nothing may be asked (R1.25)", () =>
  withPanel(async (panel) => {
    for (const [name, state] of Object.entries(judges.JUDGE_STATES)) {
      if (state === judges.hostileJudges) continue;
      await panel.send({ type: "state", state });
      assert.equal(await panel.page.locator("#objection-text").count(), state === judges.fixRequired ? 1 : 0, name);
    }
    await panel.send({ type: "state", state: judges.rebutted });
    assert.match(await opinion(panel).innerText(), /It was objected to once, and this is its answer to that/);
  }));

test("an objection needs a source and a text, and keeps what was written until an answer has come (R1.25)", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.fixRequired });
    await opinion(panel).getByText("Object with a test").click();
    await panel.page.locator('[data-action="object"]').click();
    assert.match(await panel.page.locator("#objection-problem").innerText(), /Say where it is from, and give its text/);
    assert.equal(await panel.page.evaluate("document.activeElement.id"), "objection-source");
    await panel.page.locator("#objection-kind").selectOption({ label: "Rule of the language" });
    await panel.page.locator("#objection-source").fill(" ECMA-262, 7.1.4 ");
    await panel.page.locator("#objection-text").fill("Number('') is 0");
    await panel.send({ type: "state", state: judges.fixRequired });
    await panel.page.locator('[data-action="object"]').click();
    const artefacts = [{ kind: "language-rule", source: "ECMA-262, 7.1.4", text: "Number('') is 0" }] as const;
    assert.deepEqual(await asked(panel), [{ type: "rebut", key, artefacts: [...artefacts] }]);
    assert.equal(await panel.page.locator("#objection-text").inputValue(), "Number('') is 0");
  }));

test("what a screen reader hears: how many have answered, then what they came to, then the second opinion", () =>
  withPanel(async (panel) => {
    const news = () => panel.page.locator("[data-news]").innerText();
    await panel.send({ type: "state", state: judges.refutersStart });
    await panel.send({ type: "state", state: judges.refutersRun });
    assert.match(await news(), /1 refuter has answered\./);
    await panel.send({ type: "state", state: judges.refuted });
    assert.match(
      await news(),
      /The refuters refute it\. 2 against it, 1 for it\..*A blind second opinion says: nothing to fix\. It follows: it may be proposed/,
    );
  }));

test("the page knows the policy's floor and the longest thing that may be put against an opinion", () =>
  withPanel(async (panel) => {
    assert.equal(WORD_FLOOR, policy.WORD_FLOOR);
    assert.equal(MOST_ARTEFACT.text, LONGEST_ARTEFACT);
    await panel.send({ type: "state", state: judges.fixRequired });
    const most = (id: string) => panel.page.locator(id).getAttribute("maxlength");
    assert.equal(await most("#objection-text"), String(MOST_ARTEFACT.text));
    assert.equal(await most("#objection-source"), String(MOST_ARTEFACT.source));
  }));

test("the cost is told by who answered, with what was kept from earlier answers", () =>
  withPanel(async (panel) => {
    await panel.send({ type: "state", state: judges.refuted });
    assert.equal(await panel.page.locator(".ledger").count(), 0);
    await panel.send({ type: "state", state: judges.streak });
    await panel.openAll();
    assert.deepEqual(
      (await panel.page.locator(".ledger li").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ")),
      [
        "refuter 1 (forgery) review-large at models.example 2 calls, 4,100 tokens in, 320 out",
        "refuter 2 (other-path) other-large at models.example 2 from earlier answers",
        "the second opinion 1 call, 900 tokens in, 80 out; 1 from earlier answers",
      ],
    );
  }));
