import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { startPanelHarness, type PanelHarness } from "../support/panelHarness.ts";
import * as judges from "../support/judgeStates.ts";
import * as states from "../support/panelStates.ts";
import { THEMES } from "../support/panelThemes.ts";

// What can be measured of how the page looks: contrast and semantics in every theme, fit at every width, and no jumps.

let harness: PanelHarness;
before(async () => {
  harness = await startPanelHarness();
});
after(() => harness.close());

const WIDTHS = [320, 800, 1200] as const;

for (const theme of THEMES) {
  test(`axe finds nothing to complain about in ${theme}`, async () => {
    const panel = await harness.open({ theme });
    const shown = [states.untriaged, states.running2, states.proposed, states.needsHuman, states.hard, states.stale];
    const lines = [states.waitingLine, states.heldLine, states.reproductionRuns, states.reproductionRan];
    const judged = [judges.refutersRun, judges.survives, judges.refuted, judges.noneCounted, judges.fixRequired];
    judged.push(judges.highImpact, judges.rebutted, judges.roundsAndOpinion, judges.warned, judges.opinionRuns);
    const others = [states.decided, states.alike, ...lines, states.reproductionText, states.hostile];
    for (const state of [...shown, ...others, ...judged, judges.streak, judges.hostileJudges]) {
      await panel.send({ type: "state", state });
      if (state === states.proposed) await panel.page.locator('[data-action="dismiss"]').click();
      if (state === judges.survives || state === judges.streak)
        await panel.page.locator('[data-action="challenge"]').click();
      await panel.openAll();
      const { violations } = await new AxeBuilder({ page: panel.page }).setLegacyMode(true).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
      );
      assert.deepEqual(found, [], `${state.state} in ${theme}`);
    }
    await panel.close();
  });
}

for (const width of WIDTHS) {
  test(`nothing is wider than the page at ${width} px`, async () => {
    const panel = await harness.open({ width });
    for (const [name, state] of Object.entries({ ...states.STATES, ...judges.JUDGE_STATES })) {
      await panel.send({ type: "state", state });
      await panel.openAll();
      const wide = await panel.page.evaluate<string[]>(`[...document.querySelectorAll("#skeptical-triage *")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && element.closest(".unseen") === null)
        .map((element) => element.outerHTML.slice(0, 100))`);
      assert.deepEqual(wide, [], name);
      assert.equal(await panel.page.evaluate("document.documentElement.scrollWidth"), width, name);
    }
    await panel.close();
  });

  test(`a round that arrives moves nothing that was there before, at ${width} px`, async () => {
    const panel = await harness.open({ width, height: 4000 });
    await panel.send({ type: "state", state: states.running1 });
    const boxes = (): Promise<Record<string, string>> =>
      panel.page.evaluate<Record<string, string>>(`Object.fromEntries(
        [...document.querySelectorAll("header, .claim, .verdict, section[aria-labelledby=checks-title], [data-card]")].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.dataset.card ?? element.className ?? element.tagName, [x, y, width, height].map(Math.round).join(" ")];
        }))`);
    const placed = ["head", "verdict", "claim", "", "round-1", "round-2", "round-3"];
    const steps = [states.running2, states.running3, states.runningArbiter, states.proposed];
    let earlier = await boxes();
    for (const [index, state] of steps.entries()) {
      await panel.send({ type: "state", state });
      const now = await boxes();
      // Everything above the card that was filled in this step keeps its box; the card itself keeps its top.
      for (const name of placed.slice(0, 4 + index))
        assert.equal(now[name], earlier[name], `${name} after step ${index + 1}`);
      earlier = now;
    }
    await panel.close();
  });
}

for (const width of WIDTHS) {
  test(`a refuter that arrives moves nothing that was there before, at ${width} px`, async () => {
    const panel = await harness.open({ width, height: 4000 });
    const boxes = (): Promise<Record<string, string>> =>
      panel.page.evaluate<Record<string, string>>(`Object.fromEntries(
        [...document.querySelectorAll("header, .claim, .verdict, section[aria-labelledby=checks-title], .panel-row h3")].map((element) => {
          const { x, y, width } = element.getBoundingClientRect();
          return [element.tagName === "H3" ? element.innerText : element.className || element.tagName, [x, y, width].map(Math.round).join(" ")];
        }))`);
    await panel.send({ type: "state", state: judges.refutersStart });
    const start = await boxes();
    await panel.send({ type: "state", state: judges.refutersRun });
    assert.equal(Object.keys(start).filter((name) => /[A-Z]/.test(name)).length >= 3, true);
    // The one that came is the last of the list: all rows keep their place.
    assert.deepEqual(await boxes(), start);
    await panel.close();
  });
}

test("a person who wants no motion sees none", async () => {
  const names = `[...document.querySelectorAll("#skeptical-triage .codicon-modifier-spin")].map((element) => getComputedStyle(element).animationName)
    .concat(getComputedStyle(document.querySelector(".progress"), "::before").animationName)`;
  for (const reducedMotion of [true, false]) {
    const panel = await harness.open({ reducedMotion });
    await panel.send({ type: "state", state: states.running2 });
    const moving = (await panel.page.evaluate<string[]>(names)).filter((name) => name !== "none");
    assert.equal(moving.length === 0, reducedMotion);
    await panel.close();
  }
});

test("a focused control is never hidden behind the bar that stays in view", async () => {
  const panel = await harness.open({ height: 500 });
  await panel.send({ type: "state", state: states.proposed });
  const hiddenBehind = `(() => {
    const focused = document.activeElement;
    if (focused.closest(".bar") !== null) return "bar";
    return focused.getBoundingClientRect().bottom > document.querySelector(".bar").getBoundingClientRect().top ? "hidden" : "seen";
  })()`;
  for (;;) {
    await panel.page.keyboard.press("Tab");
    const seen = await panel.page.evaluate(hiddenBehind);
    assert.notEqual(
      seen,
      "hidden",
      String(await panel.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")),
    );
    if (seen === "bar") break;
  }
  await panel.close();
});

test("the page stays within its budget of 200 KB", () => {
  assert.ok(harness.scriptBytes < 200 * 1024, `${harness.scriptBytes} bytes`);
});
