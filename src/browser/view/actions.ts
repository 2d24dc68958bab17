import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PanelAction, PanelState } from "../../protocol/panel.ts";
import { plain } from "../clean.ts";
import { isJudged } from "../judges.ts";
import { challenge } from "./challenge.ts";
import { icon, say, type Hands } from "./parts.ts";

/** Longest reason the protocol takes. */
const MOST_REASON = 4000;

interface Button {
  readonly action: PanelAction;
  readonly label: string;
  readonly icon: string;
  readonly look: "main" | "side";
  readonly press: () => void;
}

/** The bar that stays in view: what a person can do now, and why not where something is not allowed. */
export function actionBar(state: PanelState, hands: Hands): TemplateResult {
  const buttons = buttonsOf(state, hands);
  const held = heldBack(buttons, state);
  return html`<section class="bar" aria-label="Decide" tabindex="-1">
    <p class="notice" role="status">
      ${state.notice === null ? nothing : html`${icon("info")}<span>${say(state.notice)}</span>`}
    </p>
    ${hands.memory.formOpen ? form(state, hands) : nothing}
    <div class="buttons" @keydown=${ignoreHeld}>
      ${repeat(buttons, placeOf, (button) => pressable(button, held, hands))} ${challenge(state, hands)}
    </div>
    ${whyNot(held)}
  </section>`;
}

function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}

/** Triage and Cancel share one place, so that the focus stays when one becomes the other. */
function placeOf({ action }: Button): string {
  return action === "cancel" ? "triage" : action;
}

/** Buttons in the order of the work; a decided finding offers Reopen (ruling 22). Both decisions look alike: the page does not push. */
function buttonsOf(whole: PanelState, hands: Hands): readonly Button[] {
  const { state, permits, outcome, stage, finding } = whole;
  const { key } = hands.memory;
  const running = state === "running" || stage !== null;
  const judged = outcome !== null || isJudged(whole);
  const decided = state === "decided";
  const decideLook = judged && !decided && !hands.memory.formOpen ? "main" : "side";
  const all: Button[] = [];
  if (running) {
    all.push({
      action: "cancel",
      label: "Cancel",
      icon: "debug-stop",
      look: "side",
      press: () => hands.post({ type: "cancel", key }),
    });
  } else {
    const again = isJudged(whole) || outcome?.action === "settled";
    const label = again ? "Triage again" : "Triage";
    all.push({
      action: "triage",
      label,
      icon: again ? "refresh" : "play",
      // Triage has nothing to say about a hard fact.
      look: judged || finding.hard !== null ? "side" : "main",
      press: () => hands.post({ type: "triage", key }),
    });
  }
  if (!decided || permits.confirm.allowed) {
    all.push({
      action: "confirm",
      label: "Confirm finding",
      icon: "bug",
      look: decideLook,
      press: () => hands.post({ type: "confirm", key, reason: "" }),
    });
  }
  if (!decided || permits.dismiss.allowed) {
    all.push({
      action: "dismiss",
      label: "Dismiss…",
      icon: "bell-slash",
      look: decideLook,
      press: hands.memory.formOpen ? hands.closeForm : hands.openForm,
    });
  }
  if (decided || permits.reopen.allowed) {
    all.push({
      action: "reopen",
      label: "Reopen",
      icon: "discard",
      look: "side",
      press: () => hands.post({ type: "reopen", key, reason: "" }),
    });
  }
  return all;
}

// `aria-disabled` instead of `disabled`: the button keeps the focus when a state arrives, and its reason can be read.
// A double click or a held key counts once: it must not press the button that has taken the place of the first.
function pressable(button: Button, held: readonly Held[], { memory }: Hands): TemplateResult {
  const { action, label, icon: mark, look, press } = button;
  const reason = held.find(({ buttons }) => buttons.includes(button));
  const click = (event: MouseEvent): void => {
    if (reason === undefined && event.detail < 2) press();
  };
  return html`<button
    type="button"
    class="button ${look}"
    data-action=${action}
    aria-disabled=${reason === undefined ? "false" : "true"}
    aria-describedby=${reason?.id ?? nothing}
    aria-expanded=${action === "dismiss" ? String(memory.formOpen) : nothing}
    title=${reason === undefined ? nothing : plain(reason.why)}
    @click=${click}
  >
    ${icon(mark)}<span>${label}</span>
  </button>`;
}

interface Held {
  readonly id: string;
  readonly why: string;
  readonly buttons: readonly Button[];
}

/** The buttons that may not be used, grouped by the worker's reason. */
function heldBack(buttons: readonly Button[], { permits }: PanelState): readonly Held[] {
  const groups = new Map<string, Button[]>();
  for (const button of buttons) {
    const permit = permits[button.action];
    if (!permit.allowed) groups.set(permit.why, [...(groups.get(permit.why) ?? []), button]);
  }
  return Array.from(groups, ([why, held], index) => ({ id: `why-${index}`, why, buttons: held }));
}

/** One line for each reason, naming the buttons it holds back. */
function whyNot(held: readonly Held[]): TemplateResult | typeof nothing {
  if (held.length === 0) return nothing;
  const names = ({ buttons }: Held): string => buttons.map(({ label }) => label.replace("…", "")).join(", ");
  return html`<ul class="why-not">
    ${held.map((one) => html`<li id=${one.id}><strong>${names(one)}:</strong> ${say(one.why)}</li>`)}
  </ul>`;
}

function form({ permits, dismissNeedsModal, finding }: PanelState, hands: Hands): TemplateResult {
  const { draft } = hands.memory;
  const blocked = permits.dismiss.allowed ? null : permits.dismiss.why;
  const problem = blocked ?? hands.problem;
  const what = finding.hard === null ? finding.severity : "A hard fact";
  const asked = dismissNeedsModal
    ? `${what}: you are asked once more before it stands in the log.`
    : "The reason stands in the log.";
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "Escape") hands.closeForm();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) hands.submitReason();
    else return;
    event.preventDefault();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    hands.submitReason();
  };
  const input = (event: Event): void => {
    if (event.currentTarget instanceof HTMLTextAreaElement) hands.drafted(event.currentTarget.value);
  };
  return html`<form class="reason-form" novalidate @submit=${submit} @keydown=${keys}>
    <label for="reason">Why is this a false alarm?</label>
    <textarea
      id="reason"
      rows="3"
      required
      maxlength=${MOST_REASON}
      aria-describedby="reason-help reason-problem"
      aria-invalid=${problem === null ? "false" : "true"}
      .value=${draft}
      @input=${input}
    ></textarea>
    <p id="reason-help" class="note">${asked} <span class="keys">Ctrl+Enter sends, Escape closes.</span></p>
    <p id="reason-problem" class="problem" role="alert">
      ${problem === null ? nothing : html`${icon("error")}<span>${say(problem)}</span>`}
    </p>
    <div class="buttons">
      <button
        type="submit"
        class="button main"
        data-action="submit"
        aria-disabled=${blocked === null ? "false" : "true"}
      >
        Dismiss with this reason
      </button>
      <button type="button" class="button side" data-action="back" @click=${hands.closeForm}>Back</button>
    </div>
  </form>`;
}
