import { html, nothing, type TemplateResult } from "lit";
import type { FromPanel, PanelState } from "../../protocol/panel.ts";
import { isJudged } from "../judges.ts";
import { icon, say, type Hands } from "./parts.ts";

type How = Extract<FromPanel, { type: "challenge" }>["how"];

interface Item {
  readonly how: How;
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  /** Why it cannot be chosen; null where it can. */
  readonly held: string | null;
}

/** Ways to have a finding judged once more (issue: "Challenge again"). */
function itemsOf({ otherModel }: PanelState): readonly Item[] {
  return [
    {
      how: "refuters",
      icon: "organization",
      title: "With refuters",
      text: "Blind attackers at the same time, each with a lens of its own.",
      held: null,
    },
    {
      how: "opinion",
      icon: "eye-closed",
      title: "With a blind second opinion",
      text: "A fresh conversation that has seen none of the others.",
      held: null,
    },
    {
      how: "rounds",
      icon: "list-ordered",
      title: "With three rounds and an arbiter",
      text: "Premise, defences, missed angles, asked anew.",
      held: null,
    },
    {
      how: "other-model",
      icon: "arrow-swap",
      title: otherModel === null ? "With another model" : `With another model: ${otherModel}`,
      text: "The same question to the fallback model.",
      held: otherModel === null ? "Set a fallback model first (setting skepticalTriage.roles)." : null,
    },
    {
      how: "confirm",
      icon: "question",
      title: "Ask a second opinion: does it hold?",
      text: "Informs you. It never leads to a dismissal.",
      held: null,
    },
    {
      how: "clarify",
      icon: "flame",
      title: "Ask a second opinion: how bad is it?",
      text: "Informs you. It never leads to a dismissal.",
      held: null,
    },
  ];
}

/** The button that opens the menu, and the menu itself: it stands above the page, so that nothing moves when it opens. */
export function challenge(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (!state.permits.triage.allowed || state.finding.hard !== null || state.state === "running") return nothing;
  const choose = (item: Item): void => {
    if (item.held !== null) return;
    menuOf(document)?.hidePopover();
    hands.post({ type: "challenge", key: hands.memory.key, how: item.how });
  };
  return html`<button
      type="button"
      class="button side"
      data-action="challenge"
      popovertarget="challenge-menu"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-controls="challenge-menu"
    >
      ${icon("comment-discussion")}<span>${isJudged(state) ? "Challenge again" : "Challenge"}</span>${icon("chevron-up")}
    </button>
    <div
      id="challenge-menu"
      class="menu"
      role="menu"
      aria-label="Challenge again"
      popover="auto"
      tabindex="-1"
      @toggle=${toggled}
      @keydown=${moved}
    >
      ${itemsOf(state).map((item) => menuItem(item, () => choose(item)))}
    </div>`;
}

function menuItem({ how, icon: mark, title, text, held }: Item, press: () => void): TemplateResult {
  return html`<button
    type="button"
    role="menuitem"
    class="menu-item"
    data-how=${how}
    tabindex="-1"
    aria-disabled=${held === null ? "false" : "true"}
    @click=${press}
  >
    ${icon(mark)}
    <span class="menu-words"
      ><span class="menu-title">${say(title)}</span><span class="muted">${held ?? text}</span></span
    >
  </button>`;
}

function menuOf(root: ParentNode): HTMLElement | null {
  const menu = root.querySelector("#challenge-menu");
  return menu instanceof HTMLElement ? menu : null;
}

function itemsIn(menu: Element): readonly HTMLElement[] {
  return [...menu.querySelectorAll('[role="menuitem"]')].filter((one) => one instanceof HTMLElement);
}

/** The browser opens and closes it; the button says so, and the first item takes the focus. */
function toggled(event: Event): void {
  const menu = event.currentTarget;
  if (!(menu instanceof HTMLElement)) return;
  const open = menu.matches(":popover-open");
  document.querySelector('[data-action="challenge"]')?.setAttribute("aria-expanded", String(open));
  if (open) itemsIn(menu)[0]?.focus();
}

/** Arrow keys, Home and End move through the menu as in any other; Escape closes it and gives the focus back, Tab closes it and goes on. */
function moved(event: KeyboardEvent): void {
  const menu = event.currentTarget;
  if (!(menu instanceof HTMLElement)) return;
  const items = itemsIn(menu);
  const at = items.findIndex((one) => one === document.activeElement);
  const to: Partial<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  if (event.key === "Tab") return menu.hidePopover();
  const next = to[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
