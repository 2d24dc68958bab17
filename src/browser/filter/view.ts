import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { FilterView, FromFilter } from "../../protocol/filter.ts";
import { plain } from "../clean.ts";
import { icon } from "../view/parts.ts";
import { figures, isSet, pickWords, SEVERITIES, type Severity, shortFigures, shownWords, toggled } from "./words.ts";

export type BoxName = "text" | "path";

/** What the bar may do. */
export interface Hands {
  /** What stands in a box now. */
  readonly textOf: (box: BoxName) => string;
  readonly typed: (box: BoxName, text: string) => void;
  /** The person does not want to wait for the pause. */
  readonly entered: () => void;
  readonly change: (change: Partial<FilterView["query"]>) => void;
  readonly post: (message: FromFilter) => void;
  readonly clear: () => void;
}

const MOST_TEXT = 500;

/** The whole bar: search, severities, what is shown, where, and how many that leaves. */
export function draw(view: FilterView, hands: Hands): TemplateResult {
  const { query } = view;
  return html`<main aria-label="Filter findings">
    <h1 class="unseen">Filter findings</h1>
    <search>
      <div class="line">
        ${box("text", "Search", "Search message, file, rule and tool", "search", hands)} ${saved(view, hands)}
      </div>
      <div class="chips four" role="group" aria-label="Severities">
        ${SEVERITIES.map((severity) => severityChip(severity, view, hands))}
      </div>
      <div class="chips two" role="group" aria-label="Show">
        ${chip("waiting", "Waits for me", query.waiting, () => hands.change({ waiting: !query.waiting }))}
        ${chip("changedOnly", "Changed files", query.changedOnly, () => hands.change({ changedOnly: !query.changedOnly }))}
        ${chip("suppressed", "Suppressed", query.suppressed, () => hands.change({ suppressed: !query.suppressed }))}
        ${chip("dismissed", "Dismissed", query.dismissed, () => hands.change({ dismissed: !query.dismissed }))}
      </div>
      ${box("path", "Path or glob", "Path, or a glob such as src/**/*.ts", "folder", hands)}
      <div class="chips three" role="group" aria-label="Choose from a list">
        ${pick("tools", view, hands)} ${pick("rules", view, hands)} ${pick("states", view, hands)}
      </div>
      <div class="foot">
        <p role="status" aria-live="polite">${view.counts === null ? nothing : shownWords(view.counts)}</p>
        ${
          isSet(query)
            ? html`<button type="button" class="link" data-do="clear" @click=${hands.clear}>Clear</button>`
            : nothing
        }
      </div>
    </search>
  </main>`;
}

function box(name: BoxName, placeholder: string, label: string, mark: string, hands: Hands): TemplateResult {
  const input = (event: Event): void => {
    if (event.currentTarget instanceof HTMLInputElement) hands.typed(name, event.currentTarget.value);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "Enter") hands.entered();
    else if (event.key === "Escape" && hands.textOf(name) !== "") hands.typed(name, "");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="box">
    ${icon(mark)}<input
      type="text"
      id=${name}
      placeholder=${placeholder}
      aria-label=${label}
      title=${label}
      maxlength=${MOST_TEXT}
      spellcheck="false"
      autocomplete="off"
      .value=${live(hands.textOf(name))}
      @input=${input}
      @keydown=${keys}
    />
  </div>`;
}

function saved({ saved: name }: FilterView, hands: Hands): TemplateResult {
  const label = name === null ? "Saved filters" : `Saved filters, “${plain(name)}” is shown`;
  return html`<button
    type="button"
    class="chip mark"
    data-do="saved"
    data-set=${String(name !== null)}
    aria-haspopup="dialog"
    aria-label=${label}
    title=${label}
    @click=${() => hands.post({ type: "saved" })}
  >
    ${icon("bookmark")}
  </button>`;
}

function severityChip(severity: Severity, { query, counts }: FilterView, hands: Hands): TemplateResult {
  const pressed = query.severities.includes(severity);
  const count = counts?.bySeverity[severity] ?? 0;
  const words = `${figures(count)} ${count === 1 ? "finding" : "findings"}`;
  return html`<button
    type="button"
    class="chip severity severity-${severity}"
    data-do=${severity}
    aria-pressed=${String(pressed)}
    title=${`${severity}, ${words}`}
    @click=${() => hands.change({ severities: toggled(query.severities, severity, SEVERITIES) })}
  >
    <span class="name">${severity}</span> <span class="count" aria-hidden="true">${shortFigures(count)}</span>
    <span class="unseen">${words}</span>
  </button>`;
}

function chip(name: string, text: string, pressed: boolean, press: () => void): TemplateResult {
  return html`<button type="button" class="chip" data-do=${name} aria-pressed=${String(pressed)} @click=${press}>
    <span class="name">${text}</span>
  </button>`;
}

function pick(what: "tools" | "rules" | "states", { query }: FilterView, hands: Hands): TemplateResult {
  const { text, set } = pickWords(what, query);
  return html`<button
    type="button"
    class="chip pick"
    data-do=${what}
    data-set=${String(set)}
    aria-haspopup="dialog"
    title=${set ? `Choose ${what}, now ${text}` : `Choose ${what}`}
    @click=${() => hands.post({ type: "pick", what })}
  >
    <span class="name">${text}</span>${icon("chevron-down")}
  </button>`;
}
