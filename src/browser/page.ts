import { html, render, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { FromPanel, PanelState, ToPanel } from "../protocol/panel.ts";
import { announce } from "./announce.ts";
import { artefactKind } from "./judges.ts";
import { freshMemory, NO_OBJECTION, type Objection, readMemory, type PageMemory } from "./memory.ts";
import { barHeightSheet, sheets } from "./styles/sheets.ts";
import { actionBar } from "./view/actions.ts";
import { alike } from "./view/alike.ts";
import { askedChecks, checks, receipts } from "./view/evidence.ts";
import { claim, header } from "./view/head.ts";
import { opinion } from "./view/opinion.ts";
import { pack } from "./view/pack.ts";
import { icon, say, type Hands } from "./view/parts.ts";
import { record } from "./view/record.ts";
import { refuters } from "./view/refuters.ts";
import { reproduction } from "./view/reproduction.ts";
import { rounds } from "./view/rounds.ts";
import { verdict } from "./view/verdict.ts";
import { FEWEST_REASON, isReason } from "./words.ts";

/** What the editor gives a webview page: a wire to the extension host and a memory that outlives a reload. */
export interface Host {
  readonly post: (message: FromPanel) => void;
  /** What was kept last, from before a reload; undefined on the first start. */
  readonly recall: () => unknown;
  readonly keep: (memory: PageMemory) => void;
}

/** Draws the panel into `root` and keeps it up to date; posts `ready` once it listens (design, section 3). */
export class PanelPage {
  readonly #host: Host;
  readonly #root: HTMLElement;
  #memory: PageMemory | null;
  #state: PanelState | null = null;
  #empty: string | null = null;
  #problem: string | null = null;
  #objectionProblem: string | null = null;
  readonly #barHeight = barHeightSheet();
  readonly #barResized = new ResizeObserver(([entry]) => this.#barHeight.set(entry?.borderBoxSize[0]?.blockSize ?? 0));
  #bar: Element | null = null;
  #news = "";
  /** Where to scroll once the first state after a reload is drawn; null once done. */
  #scrollTo: number | null;

  constructor(host: Host, root: HTMLElement) {
    this.#host = host;
    this.#root = root;
    this.#memory = readMemory(host.recall());
    this.#scrollTo = this.#memory?.scroll ?? null;
  }

  /** Adopts the styles, listens, and says `ready`. */
  start(): void {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets(), this.#barHeight.sheet];
    window.addEventListener("message", (event: MessageEvent<unknown>) => {
      if (isToPanel(event.data)) this.#receive(event.data);
    });
    document.addEventListener("scrollend", () => this.#remember({ scroll: window.scrollY }));
    this.#draw();
    this.#host.post({ type: "ready" });
  }

  #receive(message: ToPanel): void {
    if (message.type === "empty") {
      this.#empty = message.text;
      this.#state = null;
    } else {
      this.#take(message.state);
    }
    this.#draw();
    if (this.#state === null || this.#scrollTo === null) return;
    window.scrollTo(0, this.#scrollTo);
    this.#scrollTo = null;
  }

  #take(state: PanelState): void {
    const before = this.#state;
    this.#empty = null;
    this.#state = state;
    const { key } = state.finding;
    if (this.#memory?.key !== key) {
      this.#memory = freshMemory(key);
      this.#problem = null;
      this.#objectionProblem = null;
      this.#scrollTo = 0;
    }
    if (before !== null && before.finding.key === key) this.#news = announce(before, state) || this.#news;
    // A reason that has reached the log is no draft any more.
    if (state.state === "decided" && !state.permits.dismiss.allowed) {
      this.#memory = { ...this.#memory, draft: "", formOpen: false };
      this.#problem = null;
    }
    this.#host.keep(this.#memory);
  }

  #remember(change: Partial<PageMemory>): void {
    if (this.#memory === null) return;
    this.#memory = { ...this.#memory, ...change };
    this.#host.keep(this.#memory);
  }

  #draw(): void {
    const focused = document.activeElement;
    const inBar = focused !== null && focused.closest(".bar") !== null;
    const inChecks = focused !== null && focused.closest(".checks .line-box") !== null;
    const inAlike = focused !== null && focused.closest(".alike") !== null;
    render(this.#page(), this.#root);
    this.#measureBar();
    // The pressed button may be gone with the state it belonged to: its bar keeps the place in the page.
    if (inBar && !focused.isConnected) this.#focus(".bar");
    // The line was accepted: its check runs again, and its button is gone until the check asks for another line.
    if (inChecks && !focused.isConnected) this.#focus("#checks-title");
    // The finding that was asked for has come in the place of the button: reading goes on at its title.
    if (inAlike && !focused.isConnected) this.#focus("h1");
  }

  // Only another finding brings another bar; a bar that grows is seen by the observer.
  #measureBar(): void {
    const bar = this.#root.querySelector(".bar");
    if (bar === this.#bar) return;
    this.#barResized.disconnect();
    this.#bar = bar;
    this.#barHeight.set(bar?.getBoundingClientRect().height ?? 0);
    if (bar !== null) this.#barResized.observe(bar);
  }

  #page(): TemplateResult {
    const news = html`<p class="unseen" role="status" aria-live="polite" data-news>${this.#news}</p>`;
    if (this.#state === null || this.#memory === null) {
      const text = this.#empty ?? "Waiting for the finding…";
      const mark = this.#empty === null ? "sync" : "info";
      return html`<main class="nothing">
        ${news}
        <h1 class="unseen">Skeptical Triage</h1>
        <p>${icon(mark, this.#empty === null)}<span>${say(text)}</span></p>
      </main>`;
    }
    const state = this.#state;
    const hands = this.#hands(this.#memory);
    return html`${keyed(
      state.finding.key,
      html`<main>
          ${header(state, hands)} ${news} ${claim(state, hands)} ${verdict(state, hands)} ${pack(state, hands)}
          ${checks(state, hands)} ${reproduction(state, hands)} ${alike(state, hands)} ${rounds(state, hands)}
          ${refuters(state, hands)} ${opinion(state, hands)} ${askedChecks(state, hands)} ${receipts(state, hands)}
          ${record(state, hands)}
        </main>
        ${actionBar(state, hands)}`,
    )}`;
  }

  #hands(memory: PageMemory): Hands {
    return {
      memory,
      problem: this.#problem,
      post: (message) => this.#host.post(message),
      toggled: (section, open) => {
        if (this.#memory?.open[section] === open) return;
        this.#remember({ open: { ...this.#memory?.open, [section]: open } });
        this.#draw();
      },
      showReceipt: (id) => this.#showReceipt(id),
      openForm: () => {
        this.#remember({ formOpen: true });
        this.#draw();
        this.#focus("#reason");
      },
      closeForm: () => this.#closeForm(),
      drafted: (draft) => this.#drafted(draft),
      submitReason: () => this.#submit(),
      objectionProblem: this.#objectionProblem,
      objected: (change) => this.#objected(change),
      submitObjection: () => this.#submitObjection(),
    };
  }

  #drafted(draft: string): void {
    this.#remember({ draft });
    if (this.#problem === null || !isReason(draft)) return;
    this.#problem = null;
    this.#draw();
  }

  #closeForm(): void {
    this.#problem = null;
    this.#remember({ formOpen: false });
    this.#draw();
    this.#focus('[data-action="dismiss"]');
  }

  // Closes the form and keeps the draft: the person may still step back in the modal that follows.
  #submit(): void {
    if (this.#memory === null || this.#state?.permits.dismiss.allowed !== true) return;
    const reason = this.#memory.draft.trim();
    if (!isReason(reason)) {
      this.#problem = `A dismissal needs a reason of at least ${FEWEST_REASON} characters.`;
      this.#draw();
      this.#focus("#reason");
      return;
    }
    this.#host.post({ type: "dismiss", key: this.#memory.key, reason });
    this.#closeForm();
  }

  #objected(change: Partial<Objection>): void {
    if (this.#memory === null) return;
    this.#remember({ objection: { ...(this.#memory.objection ?? NO_OBJECTION), ...change } });
    if (this.#objectionProblem === null) return;
    this.#objectionProblem = null;
    this.#draw();
  }

  // What was written stays until an answer has come: the worker may refuse it, and the person mends it then.
  #submitObjection(): void {
    if (this.#memory === null) return;
    const { kind, source, text } = this.#memory.objection ?? NO_OBJECTION;
    const known = artefactKind(kind);
    if (known === null || source.trim() === "" || text.trim() === "") {
      this.#objectionProblem = "Say where it is from, and give its text.";
      this.#draw();
      this.#focus(source.trim() === "" ? "#objection-source" : "#objection-text");
      return;
    }
    const artefacts = [{ kind: known, source: source.trim(), text }];
    this.#host.post({ type: "rebut", key: this.#memory.key, artefacts });
    this.#focus("#opinion-title");
  }

  #showReceipt(id: string): void {
    this.#remember({ open: { ...this.#memory?.open, receipts: true, [`receipt-${id}`]: true } });
    this.#draw();
    this.#focus(`[data-receipt="${CSS.escape(id)}"] summary`);
  }

  // Only ever called for something the person just did: a message never moves the focus.
  #focus(selector: string): void {
    const target = this.#root.querySelector(selector);
    if (target instanceof HTMLElement) target.focus();
  }
}

/** Only our host can post to this page, but the browser and its tools post messages of their own. */
function isToPanel(data: unknown): data is ToPanel {
  if (typeof data !== "object" || data === null || !("type" in data)) return false;
  return (data.type === "state" && "state" in data) || (data.type === "empty" && "text" in data);
}
