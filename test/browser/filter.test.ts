import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { type FilterView, FromFilter } from "../../src/protocol/filter.ts";
import { SHOW_ALL } from "../../src/protocol/query.ts";
import { type FilterBarPage, type OpenOptions, type PanelHarness, startPanelHarness } from "../support/panelHarness.ts";
import { THEMES } from "../support/panelThemes.ts";

// The search and filter bar in a real browser, under the page policy of the real one.

let harness: PanelHarness;
before(async () => {
  harness = await startPanelHarness();
});
after(() => harness.close());

const VIEW: FilterView = {
  query: SHOW_ALL,
  counts: { shown: 8412, total: 8412, waiting: 3, bySeverity: { P0: 1, P1: 2103, P2: 999, Nit: 84_000 } },
  saved: null,
};

const BUSY: FilterView = {
  query: {
    text: "request",
    severities: ["P1"],
    states: ["new"],
    tools: ["A scanner with a name that is far longer than any button"],
    rules: ["a", "b"],
    path: "src/**",
    changedOnly: true,
    suppressed: true,
    dismissed: true,
    waiting: true,
  },
  counts: { shown: 0, total: 100_000, waiting: 3, bySeverity: { P0: 99_999, P1: 99_999, P2: 99_999, Nit: 99_999 } },
  saved: "mine",
};

/** Opens the bar, shows a filter, runs the body, and demands that neither policy nor console had anything to complain about. */
async function withBar(
  view: FilterView | null,
  body: (bar: FilterBarPage) => Promise<void>,
  options: OpenOptions = { width: 240, height: 240 },
): Promise<void> {
  const bar = await harness.openFilter(options);
  try {
    if (view !== null) await bar.send({ type: "filter", view });
    await body(bar);
    assert.deepEqual(await bar.trouble(), []);
  } finally {
    await bar.close();
  }
}

const does = (name: string): string => `[data-do="${name}"]`;

/** What was posted after `ready`, each message as the host's parser reads it. */
async function asked(bar: FilterBarPage): Promise<readonly FromFilter[]> {
  const [first, ...rest] = await bar.posted();
  assert.deepEqual(first, { type: "ready" });
  return rest.map((message) => FromFilter.parse(message));
}

/** The queries that were posted, each as what differs from the one that shows all. */
async function queries(bar: FilterBarPage): Promise<readonly object[]> {
  return (await asked(bar)).map((message) => {
    assert.equal(message.type, "query");
    const all = Object.entries(message.type === "query" ? message.query : {});
    const plain = Object.entries(SHOW_ALL);
    return Object.fromEntries(
      all.filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain.find(([other]) => other === name)?.[1]),
      ),
    );
  });
}

/** Waits for a message, without the `eval` that the page policy forbids. */
async function postedMoreThan(bar: FilterBarPage, count: number): Promise<void> {
  const look = `new Promise((done) => { const look = () => (harness.posted.length > ${count} ? done() : setTimeout(look, 5)); look(); })`;
  await bar.page.evaluate(look);
}

test("the bar says ready once, shows nothing before it is told, and then the counts", () =>
  withBar(null, async (bar) => {
    assert.deepEqual(await asked(bar), []);
    assert.equal(await bar.page.locator("main").count(), 0);
    await bar.send({ type: "filter", view: VIEW });
    assert.deepEqual(
      await bar.page.evaluate(
        `[...document.querySelectorAll(".severity")].map((chip) => chip.querySelector(".name").textContent + chip.querySelector(".count").textContent)`,
      ),
      ["P01", "P12.1k", "P2999", "Nit84k"],
    );
    assert.equal(await bar.page.getByRole("status").innerText(), "8,412 findings");
    assert.equal(await bar.page.locator(does("clear")).count(), 0);
  }));

test("what is typed is posted once, after a pause, and is not undone by a message that comes meanwhile", () =>
  withBar(VIEW, async (bar) => {
    const box = bar.page.getByRole("textbox", { name: "Search message, file, rule and tool" });
    await box.pressSequentially("request", { delay: 10 });
    await bar.send({ type: "filter", view: VIEW });
    assert.equal(await box.inputValue(), "request");
    await postedMoreThan(bar, 1);
    assert.deepEqual(await queries(bar), [{ text: "request" }]);
    await bar.send({ type: "filter", view: VIEW });
    assert.equal(await box.inputValue(), "request", "an old message");
    await bar.send({ type: "filter", view: { ...VIEW, query: { ...SHOW_ALL, text: "request" } } });
    await bar.send({ type: "filter", view: VIEW });
    assert.equal(await box.inputValue(), "", "cleared by a command");
  }));

test("Enter does not wait for the pause, Escape empties the box", () =>
  withBar(VIEW, async (bar) => {
    const box = bar.page.locator("#path");
    await box.fill("src/**");
    await box.press("Enter");
    assert.deepEqual(await queries(bar), [{ path: "src/**" }]);
    await box.press("Escape");
    assert.equal(await box.inputValue(), "");
    await postedMoreThan(bar, 2);
    assert.deepEqual((await queries(bar)).at(-1), {});
  }));

test("severities and switches are pressed and released; what is typed goes along", () =>
  withBar(VIEW, async (bar) => {
    await bar.page.locator("#text").fill("x");
    await bar.page.locator(does("P2")).click();
    await bar.page.locator(does("P0")).click();
    assert.equal(await bar.page.locator(does("P0")).getAttribute("aria-pressed"), "true", "seen before any answer");
    await bar.page.locator(does("P2")).click();
    await bar.page.locator(does("waiting")).click();
    assert.deepEqual(await queries(bar), [
      { text: "x", severities: ["P2"] },
      { text: "x", severities: ["P0", "P2"] },
      { text: "x", severities: ["P0"] },
      { text: "x", severities: ["P0"], waiting: true },
    ]);
  }));

for (const name of ["changedOnly", "suppressed", "dismissed"] as const) {
  test(`the switch ${name} is posted, and shown as the host has it`, () =>
    withBar(VIEW, async (bar) => {
      await bar.page.locator(does(name)).click();
      assert.deepEqual(await queries(bar), [{ [name]: true }]);
      await bar.send({ type: "filter", view: { ...VIEW, query: { ...SHOW_ALL, [name]: true } } });
      assert.equal(await bar.page.locator(does(name)).getAttribute("aria-pressed"), "true");
    }));
}

test("lists and saved filters are opened by the host; Clear drops what is not sent yet", () =>
  withBar(BUSY, async (bar) => {
    for (const name of ["tools", "rules", "states", "saved"]) await bar.page.locator(does(name)).click();
    await bar.page.locator("#text").fill("half a wo");
    await bar.page.locator(does("clear")).click();
    await bar.send({ type: "filter", view: VIEW });
    assert.equal(await bar.page.locator("#text").inputValue(), "");
    assert.deepEqual(await asked(bar), [
      { type: "pick", what: "tools" },
      { type: "pick", what: "rules" },
      { type: "pick", what: "states" },
      { type: "saved" },
      { type: "clear" },
    ]);
  }));

test("a filter that hides everything says how many, and what is set can be read from its buttons", () =>
  withBar(BUSY, async (bar) => {
    assert.equal(await bar.page.getByRole("status").innerText(), "All 100,000 are hidden");
    for (const name of ["2 rules", "Not triaged", "Saved filters, “mine” is shown", "P0 99,999 findings"])
      assert.equal(await bar.page.getByRole("button", { name, exact: true }).count(), 1, name);
  }));

test("names of tools and filters are text, with what is hidden in them made visible (ruling 33)", () =>
  withBar({ ...VIEW, query: { ...SHOW_ALL, tools: ["<img src=x>\u202Eevil"] }, saved: "a\u200Bb" }, async (bar) => {
    assert.equal(await bar.page.locator("img").count(), 0);
    assert.equal(await bar.page.locator(`${does("tools")} .name`).textContent(), "<img src=x>[U+202E]evil");
    assert.match(String(await bar.page.locator(does("saved")).getAttribute("title")), /a\[U\+200B\]b/);
  }));

test("a bar that gets the focus as a whole gives it to the search box, and takes it from no other control", () =>
  withBar(VIEW, async (bar) => {
    const focused = async (): Promise<unknown> => {
      await bar.page.evaluate('window.dispatchEvent(new Event("focus"))');
      return await bar.page.evaluate("document.activeElement.id || document.activeElement.dataset.do");
    };
    assert.equal(await focused(), "text");
    await bar.page.locator(does("P1")).focus();
    assert.equal(await focused(), "P1");
  }));

test("messages that are not ours change nothing", () =>
  withBar(VIEW, async (bar) => {
    await bar.page.evaluate(
      'for (const data of [null, 1, "x", {}, { type: "filter" }, { type: "state" }]) postMessage(data, "*")',
    );
    await bar.send({ type: "filter", view: VIEW });
    assert.equal(await bar.page.locator("main").count(), 1);
  }));

test("everything is reached by Tab in reading order, and the focus stays when counts arrive", () =>
  withBar(BUSY, async (bar) => {
    const all = `[...document.querySelectorAll("button, input")]`;
    const count = Number(await bar.page.evaluate(`${all}.length`));
    const order: number[] = [];
    for (let step = 0; step < count; step += 1) {
      await bar.page.keyboard.press("Tab");
      await bar.send({ type: "filter", view: step % 2 === 0 ? BUSY : { ...BUSY, counts: VIEW.counts } });
      order.push(Number(await bar.page.evaluate(`${all}.indexOf(document.activeElement)`)));
    }
    assert.deepEqual(
      order,
      Array.from({ length: count }, (_, index) => index),
    );
  }));

for (const width of [180, 240, 300, 600]) {
  test(`at ${width} px nothing is wider than the bar, and no count is cut off`, () =>
    withBar(
      BUSY,
      async (bar) => {
        const wide = `[...document.querySelectorAll("#skeptical-triage *")]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5).map((element) => element.outerHTML.slice(0, 80))`;
        assert.deepEqual(await bar.page.evaluate(wide), []);
        if (width < 240) return;
        const cut = `[...document.querySelectorAll(".severity")].filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.textContent)`;
        assert.deepEqual(await bar.page.evaluate(cut), []);
        assert.ok(
          Number(await bar.page.evaluate("document.documentElement.scrollHeight")) <= 206,
          "fits its share of the sidebar",
        );
      },
      { width, height: 206 },
    ));
}

for (const theme of THEMES) {
  test(`axe finds nothing to complain about in ${theme}`, () =>
    withBar(
      VIEW,
      async (bar) => {
        for (const view of [VIEW, BUSY]) {
          await bar.send({ type: "filter", view });
          const { violations } = await new AxeBuilder({ page: bar.page }).setLegacyMode(true).analyze();
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
          );
          assert.deepEqual(found, []);
        }
      },
      { theme, width: 240, height: 240 },
    ));
}
