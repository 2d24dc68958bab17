import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { FromPanel } from "../../src/protocol/panel.ts";
import { startPanelHarness, type OpenOptions, type Panel, type PanelHarness } from "../support/panelHarness.ts";
import { EMPTY_PACK } from "../../src/core/evidence/pack.ts";
import * as states from "../support/panelStates.ts";

// The page in a real browser, under the policy of the real panel. What it looks like is judged in panelLooks.test.ts.

let harness: PanelHarness;
before(async () => {
  harness = await startPanelHarness();
});
after(() => harness.close());

/** Opens a page, runs the body, and demands that neither policy nor console had anything to complain about. */
async function withPanel(options: OpenOptions, body: (panel: Panel) => Promise<void>): Promise<void> {
  const panel = await harness.open(options);
  try {
    await body(panel);
    assert.deepEqual(await panel.trouble(), []);
  } finally {
    await panel.close();
  }
}

const { key } = states.finding;
const action = (name: string): string => `[data-action="${name}"]`;

/** What was posted after `ready`, each message as the host's parser reads it. */
async function asked(panel: Panel): Promise<readonly FromPanel[]> {
  const [first, ...rest] = await panel.posted();
  assert.deepEqual(first, { type: "ready" });
  return rest.map((message) => FromPanel.parse(message));
}

test("the page says ready once and waits, and shows why there is nothing to show", () =>
  withPanel({}, async (panel) => {
    assert.deepEqual(await panel.posted(), [{ type: "ready" }]);
    await panel.send({ type: "empty", text: "The review file was deleted." });
    assert.equal(await panel.page.getByText("The review file was deleted.").count(), 1);
    assert.equal(await panel.page.locator(".bar").count(), 0);
    await panel.send({ type: "state", state: states.untriaged });
    assert.equal(
      await panel.page.getByRole("heading", { level: 1 }).innerText(),
      "Semgrep OSS typescript.sql-injection.concat",
    );
  }));

test("every state is drawn without a violation of the page policy or an error", () =>
  withPanel({}, async (panel) => {
    for (const state of Object.values(states.STATES)) await panel.send({ type: "state", state });
    assert.deepEqual(await asked(panel), []);
  }));

test("hostile text stays text: no element, no handler, no hidden character (design 8, ruling 33)", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.hostile });
    await panel.openAll();
    const root = panel.page.locator("#skeptical-triage");
    assert.equal(await root.locator("img, script, b, a, iframe, style, [onerror], [style]").count(), 0);
    const hidden = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n\r])\p{Cc}/u;
    assert.doesNotMatch(String(await panel.page.evaluate("document.body.textContent")), hidden);
    const attributes = `[...document.querySelectorAll("#skeptical-triage *")].flatMap((element) =>
      [...element.attributes].filter(({ name }) => name !== "data-receipt").map(({ value }) => value)).join("\\n")`;
    assert.doesNotMatch(String(await panel.page.evaluate(attributes)), hidden);
    assert.ok((await root.getByText("U+202E").count()) > 10);
    assert.deepEqual(await asked(panel), []);
  }));

test("a person never sees a raw verdict, state or action", () =>
  withPanel({}, async (panel) => {
    for (const state of [states.proposed, states.needsHuman, states.overrideRejected, states.hard, states.decided]) {
      await panel.send({ type: "state", state });
      await panel.openAll();
      const text = await panel.page.locator("#skeptical-triage").innerText();
      assert.doesNotMatch(text, /\b(VALID|INVALID|UNCERTAIN|needs-human|human-required|needsHuman|abstained)\b/);
    }
  }));

test("disagreement of arbiter and rounds is plain: marks, figure and sentence (R0.22)", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.proposed });
    const verdict = panel.page.getByRole("region", { name: "Verdict" });
    assert.deepEqual(await verdict.locator(".pip-word").allInnerTexts(), [
      "real",
      "false alarm",
      "real",
      "false alarm",
    ]);
    assert.equal(await verdict.locator(".figure").innerText(), "vote 67 % (2 of 3)");
    assert.match(await verdict.locator(".standing").innerText(), /The arbiter overrules the vote/);
    await panel.send({ type: "state", state: states.overrideRejected });
    assert.match(await verdict.locator(".standing").innerText(), /Override rejected: the vote stands/);
  }));

test("a round whose false alarm had no line shows what it said and what counts (C8)", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.needsHuman });
    const card = panel.page.locator('[data-card="round-2"]');
    assert.match(await card.innerText(), /It said false alarm; it counts as not decided\./);
    assert.match(
      await panel.page.locator('[data-card="round-3"]').innerText(),
      /does not count in the vote: the model answered/,
    );
  }));

test("buttons are usable exactly where the worker permits, and say why where not (ruling 22)", () =>
  withPanel({}, async (panel) => {
    for (const state of Object.values(states.STATES)) {
      await panel.send({ type: "state", state });
      for (const [name, permit] of Object.entries(state.permits)) {
        const button = panel.page.locator(action(name));
        if ((await button.count()) === 0) continue;
        assert.equal(await button.isEnabled(), permit.allowed, `${name} of ${state.state}`);
        if (permit.allowed) continue;
        const described = String(await button.getAttribute("aria-describedby"));
        assert.ok(await panel.page.locator(`#${described}`).isVisible());
        await button.click({ force: true });
      }
    }
    assert.deepEqual(await asked(panel), []);
    await panel.send({ type: "state", state: states.stale });
    const why = panel.page.locator(".why-not");
    assert.equal(await why.innerText(), "Confirm finding, Dismiss: The code changed since: triage it again first.");
  }));

test("each button posts its one message with the key of the finding", () =>
  withPanel({}, async (panel) => {
    const { page } = panel;
    await panel.send({ type: "state", state: states.untriaged });
    await page.locator(action("triage")).click();
    await page.getByRole("button", { name: "src/store/orders.ts:42" }).click();
    await page.getByRole("button", { name: "reviews/semgrep.sarif" }).click();
    await panel.send({ type: "state", state: states.running2 });
    await page.locator(action("cancel")).click();
    await panel.send({ type: "state", state: states.proposed });
    await page.locator('[data-card="round-2"]').getByRole("button", { name: "src/store/ids.ts:8" }).click();
    await page.locator(action("confirm")).click();
    await panel.send({ type: "state", state: states.decided });
    await page.locator(action("reopen")).click();
    await page.getByRole("button", { name: "Open in the triage log" }).click();
    assert.deepEqual(await asked(panel), [
      { type: "triage", key },
      { type: "open", key, file: "src/store/orders.ts", line: 42 },
      { type: "openSource", key },
      { type: "cancel", key },
      { type: "open", key, file: "src/store/ids.ts", line: 8 },
      { type: "confirm", key, reason: "" },
      { type: "reopen", key, reason: "" },
      { type: "openLog", key },
    ]);
  }));

test("what looks like the same defect stands together, each with its own verdict, and a conflict is said (C18, ruling 11)", () =>
  withPanel({}, async (panel) => {
    const section = panel.page.getByRole("region", { name: "Likely the same defect" });
    await panel.send({ type: "state", state: states.decided });
    assert.equal(await section.count(), 0);
    await panel.send({ type: "state", state: states.alike });
    assert.match(await section.innerText(), /The verdicts on what looks like one defect differ\./);
    assert.deepEqual(await section.getByRole("button").allInnerTexts(), [
      "CodeQL Unsanitised input reaches db.query() P1 · 3 of 3 say real · arbiter: real",
      "review String-built SQL P2 · not triaged",
    ]);
    await panel.send({ type: "state", state: { ...states.alike, alikeCount: 5, conflict: false } });
    assert.doesNotMatch(await section.innerText(), /differ/);
    assert.match(await section.innerText(), /3 more near these lines/);
  }));

test("the button of a like asks for that finding by keyboard, and reading goes on at its title", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.alike });
    await panel.page.getByRole("button", { name: "String-built SQL" }).focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await asked(panel), [{ type: "show", key, other: "f-orders-3" }]);
    const other = { ...states.untriaged, finding: { ...states.finding, key: "f-orders-3", tool: "review" } };
    await panel.send({ type: "state", state: other });
    assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "H1");
    assert.match(await panel.page.getByRole("heading", { level: 1 }).innerText(), /^review/);
  }));

test("the second half of a double click does not press what came in the place of the first", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.untriaged });
    const box = await panel.page.locator(action("triage")).boundingBox();
    assert.ok(box !== null);
    await panel.page.mouse.click(box.x + 8, box.y + 8);
    await panel.send({ type: "state", state: states.running1 });
    await panel.page.mouse.move(box.x + 8, box.y + 8);
    await panel.page.mouse.down({ clickCount: 2 });
    await panel.page.mouse.up({ clickCount: 2 });
    assert.deepEqual(await asked(panel), [{ type: "triage", key }]);
  }));

test("a dismissal needs a reason of some characters; blanks are none", () =>
  withPanel({}, async (panel) => {
    const { page } = panel;
    await panel.send({ type: "state", state: states.proposed });
    await page.locator(action("dismiss")).click();
    const field = page.getByRole("textbox", { name: "Why is this a false alarm?" });
    assert.match(await page.locator("#reason-help").innerText(), /P1: you are asked once more/);
    for (const poor of ["", "   \n  ", "no  "]) {
      await field.fill(poor);
      await page.locator(action("submit")).click();
      assert.match(await page.getByRole("alert").innerText(), /at least 5 characters/);
      assert.equal(await field.getAttribute("aria-invalid"), "true");
    }
    await field.fill("  guarded by parseOrderId  ");
    assert.equal(await page.getByRole("alert").innerText(), "");
    await page.locator(action("submit")).click();
    assert.deepEqual(await asked(panel), [{ type: "dismiss", key, reason: "guarded by parseOrderId" }]);
    assert.equal(await field.count(), 0);
  }));

test("the form works by keyboard: opened, left and sent, with the focus where it belongs", () =>
  withPanel({}, async (panel) => {
    const { page } = panel;
    await panel.send({ type: "state", state: states.proposed });
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.dataset.action ?? document.activeElement.id");
    await page.locator(action("dismiss")).focus();
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "reason");
    await page.keyboard.type("covered by a test");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "dismiss");
    assert.equal(await page.locator(action("dismiss")).getAttribute("aria-expanded"), "false");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#reason").inputValue(), "covered by a test");
    await page.keyboard.press("Control+Enter");
    assert.equal(await focused(), "dismiss");
    assert.deepEqual(await asked(panel), [{ type: "dismiss", key, reason: "covered by a test" }]);
  }));

test("everything that can be pressed is reached by Tab, in reading order", () =>
  withPanel({ width: 800 }, async (panel) => {
    await panel.send({ type: "state", state: states.proposed });
    const reachable = `[...document.querySelectorAll("button, summary, textarea")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest("details:not([open]) > .fold-body") === null)`;
    const expected = Number(await panel.page.evaluate(`${reachable}.length`));
    const order: number[] = [];
    for (let step = 0; step < expected; step += 1) {
      await panel.page.keyboard.press("Tab");
      order.push(Number(await panel.page.evaluate(`${reachable}.indexOf(document.activeElement)`)));
    }
    assert.deepEqual(
      order,
      Array.from({ length: expected }, (_, index) => index),
    );
  }));

test("a state that arrives keeps the focus, what is read in its place, and opened sections", () =>
  withPanel({ height: 500 }, async (panel) => {
    const { page } = panel;
    await panel.send({ type: "state", state: states.running2 });
    await page.locator('[data-card="round-1"] summary').click();
    await page.locator('[data-card="round-1"]').getByRole("button", { name: "src/http/orders.ts:18" }).focus();
    const where = "[document.activeElement.getBoundingClientRect().top, document.activeElement.textContent.trim()]";
    const earlier = await page.evaluate(where);
    for (const state of [states.running3, states.runningArbiter, states.proposed])
      await panel.send({ type: "state", state });
    assert.deepEqual(await page.evaluate(where), earlier);
    assert.equal(await page.locator('[data-card="round-1"] details').getAttribute("open"), "");
  }));

test("a draft survives the states that arrive while it is written", () =>
  withPanel({}, async (panel) => {
    const { page } = panel;
    await panel.send({ type: "state", state: states.proposed });
    await page.locator(action("dismiss")).click();
    await page.keyboard.type("half a rea");
    await panel.send({ type: "state", state: { ...states.proposed, notice: "Saved." } });
    await page.keyboard.type("son");
    assert.equal(await page.locator("#reason").inputValue(), "half a reason");
    await panel.send({ type: "state", state: states.decided });
    assert.equal(await page.locator("#reason").count(), 0);
    assert.deepEqual(await panel.memory(), { key, open: {}, draft: "", formOpen: false, scroll: 0 });
  }));

test("a button that goes away with its state leaves the focus in its bar", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.proposed });
    await panel.page.locator(action("confirm")).focus();
    await panel.send({ type: "state", state: states.decided });
    assert.equal(await panel.page.evaluate("document.activeElement.className"), "bar");
  }));

test("after a reload the page is as it was left, without taking the focus (ruling 41)", () =>
  withPanel(
    {
      height: 500,
      memory: {
        key,
        open: { "round-1-reasoning": true, because: true },
        draft: "covered by",
        formOpen: true,
        scroll: 300,
      },
    },
    async (panel) => {
      const { page } = panel;
      await panel.send({ type: "state", state: states.proposed });
      assert.equal(await page.locator("#reason").inputValue(), "covered by");
      assert.equal(await page.locator('[data-card="round-1"] details').getAttribute("open"), "");
      assert.equal(await page.locator("details.reasons").getAttribute("open"), "");
      assert.deepEqual(await page.evaluate("[scrollY, document.activeElement.tagName]"), [300, "BODY"]);
    },
  ));

test("memory of another finding is not carried over", () =>
  withPanel(
    { memory: { key: "other", open: { because: true }, draft: "no", formOpen: true, scroll: 9 } },
    async (panel) => {
      await panel.send({ type: "state", state: states.proposed });
      assert.equal(await panel.page.locator("#reason").count(), 0);
      assert.deepEqual(await panel.memory(), { key, open: {}, draft: "", formOpen: false, scroll: 0 });
      await panel.page.locator("details.reasons summary").click();
      await panel.send({ type: "state", state: { ...states.proposed, finding: { ...states.finding, key: "next" } } });
      assert.equal(await panel.page.locator("details.reasons").getAttribute("open"), null);
    },
  ));

test("a receipt is one press away from the check that rests on it", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.proposed });
    await panel.page.getByRole("button", { name: "receipt r2" }).click();
    const receipt = panel.page.locator('[data-receipt="r2"]');
    assert.ok(await receipt.getByText("001122334455").isVisible());
    assert.match(await receipt.innerText(), /'parseOrderId\\\('.*exit 0.*1\.2 s.*cut/s);
    assert.equal(await panel.page.evaluate("document.activeElement.closest('[data-receipt]').dataset.receipt"), "r2");
  }));

test("stages and results are spoken politely, a notice is shown and spoken", () =>
  withPanel({}, async (panel) => {
    const news = panel.page.locator("[data-news]");
    await panel.send({ type: "state", state: states.running1 });
    assert.equal(await news.innerText(), "");
    await panel.send({ type: "state", state: states.running2 });
    assert.equal(await news.innerText(), "Round 1 says real. Round 2 of 3 looks for defences.");
    assert.equal(await news.getAttribute("aria-live"), "polite");
    await panel.send({ type: "state", state: states.stale });
    const notice = panel.page.locator(".notice");
    assert.equal(await notice.innerText(), "Not dismissed: src/store/ids.ts changed since the proposal.");
    assert.equal(await notice.getAttribute("role"), "status");
  }));

test("messages that are not ours change nothing", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.proposed });
    await panel.page.evaluate(
      'for (const data of [null, 1, "x", {}, { type: "state" }, { type: "other" }]) postMessage(data, "*")',
    );
    await panel.send({ type: "state", state: states.proposed });
    assert.equal(await panel.page.getByRole("heading", { level: 1 }).count(), 1);
  }));

test("where the place is not in the workspace, the source's quote is shown as just that", () =>
  withPanel({}, async (panel) => {
    const place = { ...states.finding.place, status: "missing-file" as const, file: null, note: "No such file here." };
    await panel.send({
      type: "state",
      state: { ...states.untriaged, excerpt: [], pack: EMPTY_PACK, finding: { ...states.finding, place } },
    });
    const claim = panel.page.getByRole("region", { name: "Claim" });
    assert.match(
      await claim.innerText(),
      /No such file here\..*as the source quotes it; it was not read here:\s+const rows/s,
    );
    assert.equal(await panel.page.getByRole("button", { name: "src/store/orders.ts" }).count(), 0);
    assert.match(await panel.page.locator(".head-facts").innerText(), /src\/store\/orders\.ts:42/);
  }));

test("a state of the largest size is drawn well within a second", () =>
  withPanel({}, async (panel) => {
    const size = JSON.stringify(states.huge).length;
    assert.ok(size > 150_000, `${size} characters`);
    await panel.send({ type: "state", state: states.proposed });
    const started = performance.now();
    await panel.send({ type: "state", state: states.huge });
    assert.ok(performance.now() - started < 1000);
    assert.equal(await panel.page.locator("[data-receipt]").count(), 60);
  }));

test("a line that waits for consent stands there to the letter with its folder, and its button only asks (R3.1)", () =>
  withPanel({}, async (panel) => {
    for (const [state, name] of [
      [states.waitingLine, "Checks"],
      [states.reproduction, "Reproduction as the source tells it"],
    ] as const) {
      await panel.send({ type: "state", state });
      const [view] = state.lines;
      assert.ok(view);
      const box = panel.page.getByRole("region", { name }).locator(".line-box");
      assert.equal(await box.locator("pre").innerText(), view.line);
      assert.match(await box.innerText(), /in the folder \/home\/ada\/projects\/shop/);
      const button = box.getByRole("button", { name: "Run This Line…" });
      await button.focus();
      await panel.page.keyboard.press("Enter");
      assert.deepEqual((await asked(panel)).at(-1), { type: "runLine", key, line: view.line });
    }
    assert.equal((await asked(panel)).length, 2);
  }));

test("the sentence of a check does not repeat the line that stands in its box", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.waitingLine });
    const check = panel.page.locator(".check", { hasText: "waits for your consent" });
    assert.equal((await check.innerText()).split(states.waitingLine.lines[0]?.line ?? "").length, 2);
    assert.match(await check.innerText(), /To settle it, accept this line:\n/);
  }));

test("a line that may not be run says why and does nothing; a double click counts once", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.heldLine });
    const button = panel.page.locator(action("run-line"));
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    const described = String(await button.getAttribute("aria-describedby"));
    assert.match(await panel.page.locator(`#${described}`).innerText(), /Triage it again/);
    await button.click({ force: true });
    assert.deepEqual(await asked(panel), []);
    await panel.send({ type: "state", state: states.waitingLine });
    await button.dblclick();
    assert.equal((await asked(panel)).length, 1);
  }));

test("a reproduction that runs can be stopped by the same button, which keeps the focus; its end is announced and shown", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.reproduction });
    const button = panel.page.locator(action("run-line"));
    await button.focus();
    await panel.send({ type: "state", state: states.reproductionRuns });
    assert.equal(await panel.page.evaluate("document.activeElement.dataset.action"), "run-line");
    assert.equal(await button.innerText(), "Stop");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await asked(panel), [{ type: "stopLine", key }]);
    await panel.send({ type: "state", state: states.reproductionRan });
    const section = panel.page.getByRole("region", { name: /^Reproduction/ });
    const words =
      "It ended with exit code 1 after 1.8 s. That settles nothing by itself: what it printed is yours to judge.";
    assert.equal(await panel.page.locator("[data-news]").innerText(), words);
    for (const shown of [words, "TypeError: Cannot read properties", "exit 1", "asked by a person"])
      assert.ok((await section.innerText()).includes(shown), shown);
    assert.equal(await button.innerText(), "Run This Line");
    await panel.send({ type: "state", state: states.reproductionFailed });
    assert.match(await section.innerText(), /It did not run to its end: node was stopped after 300 seconds\./);
  }));

test("a reproduction that is no command line is text with its reason, and nothing can be pressed", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.reproductionText });
    const section = panel.page.getByRole("region", { name: /^Reproduction/ });
    assert.match(await section.innerText(), /1\. Start the server: npm start\n2\. POST/);
    assert.match(await section.innerText(), /It cannot be run from here\. It holds a line break/);
    assert.equal(await section.getByRole("button").count(), 0);
  }));

test("when the accepted line's check starts anew, the focus stays at the checks", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: states.waitingLine });
    await panel.page.locator(action("run-line")).focus();
    await panel.send({ type: "state", state: states.runningChecks });
    assert.equal(await panel.page.evaluate("document.activeElement.id"), "checks-title");
  }));

test("evidence stands there before any triage: what bears on it, why, and what could not be looked at", () =>
  withPanel({}, async (panel) => {
    await panel.send({ type: "state", state: { ...states.untriaged, pack: null } });
    const evidence = panel.page.getByRole("region", { name: "Evidence" });
    assert.match(await evidence.innerText(), /Looking for the code that bears on it/);
    await panel.send({ type: "state", state: states.untriaged });
    const text = await evidence.innerText();
    assert.match(text, /3 stretches of 3 files bear on it: about 420 tokens for a model/);
    assert.match(text, /src\/store\/ids\.ts:7-10\s+parseOrderId is used here/);
    assert.match(text, /return Number\(raw\);/, "the most telling stretches stand open");
    assert.doesNotMatch(text, /finds an order/, "the others are one click away");
    assert.match(text, /only the first 12 were looked at\. Until it is looked at, no verdict “false alarm” counts/);
    assert.match(text, /Left out for lack of room: src\/http\/admin\.ts:40-90/);
    assert.equal(
      await evidence.getByText("export async function findOrder").count(),
      0,
      "the claim shows that already",
    );
    await evidence.getByRole("button", { name: "Open in the editor" }).first().click();
    assert.deepEqual(await panel.posted(), [
      { type: "ready" },
      { type: "open", key: states.finding.key, file: "src/store/ids.ts", line: 7 },
    ]);
  }));
