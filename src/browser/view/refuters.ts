import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PanelState } from "../../protocol/panel.ts";
import { builtInWords, byWords, passesWords, refuterFigures, SIDES, sideWord } from "../judges.ts";
import type { CountedRefuter, Refutation, Refuter } from "../shapes.ts";
import { citations } from "./evidence.ts";
import { badge, fold, icon, prose, say, type Hands } from "./parts.ts";

/** Blind refuters, one row each: what each attacked, with which lines, and what was made of it. All attacks stay in view (R4.17). */
export function refuters(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  const { refutation } = state;
  if (refutation === null) return nothing;
  const by = state.reviewer === null ? nothing : html`<span class="muted">judged by ${say(state.reviewer)}</span>`;
  const [passes, expect] = [passesWords(refutation), builtInWords(state.reviewer)];
  return html`<section class="refuters" aria-labelledby="refuters-title">
    <h2 id="refuters-title">Blind refuters ${by}</h2>
    <p class="muted">
      Each attacked the claim through a lens of its own, without knowing of the
      others.${passes === "" ? nothing : ` ${passes}`}
    </p>
    <ol class="panel-list">
      ${repeat(
        rowsOf(refutation),
        ({ id }) => id,
        ({ row }) => rowOf(row, refutation, hands),
      )}
    </ol>
    ${expect === null ? nothing : html`<p class="note">${expect}</p>`}
    ${refutation.recount === null ? nothing : html`<p class="recount">${say(refutation.recount.text)}</p>`}
    ${untouched(refutation)}
  </section>`;
}

type Row =
  | { readonly kind: "awaited"; readonly title: string }
  | { readonly kind: "done"; readonly refuter: Refuter; readonly id: string };

/** Those that answered and those still at work in one order, each with an id that stays its own when it has answered. */
function rowsOf({ refuters: all, awaited, passes }: Refutation): readonly { readonly id: string; readonly row: Row }[] {
  const listed = [
    ...all.map((refuter) => ({ pass: refuter.pass, title: refuter.title, refuter })),
    ...awaited.map((title) => ({ pass: passes, title, refuter: null })),
  ].sort((a, b) => a.pass - b.pass || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  const seen = new Map<string, number>();
  return listed.map(({ pass, title, refuter }) => {
    const name = `${pass}-${title}`;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const id = `${name}-${nth}`;
    return { id, row: refuter === null ? { kind: "awaited", title } : { kind: "done", refuter, id } };
  });
}

function rowOf(row: Row, { polarity }: Refutation, hands: Hands): TemplateResult {
  if (row.kind === "awaited") {
    return html`<li class="panel-row tone-info busy" aria-busy="true">
      <span class="row-mark" aria-hidden="true">${icon("sync", true)}</span>
      <div class="row-body">
        <div class="card-head">
          <h3>${say(row.title)}</h3>
          ${badge(SIDES.awaited, true)}
        </div>
        <div class="progress" aria-hidden="true"></div>
      </div>
    </li>`;
  }
  const { refuter, id } = row;
  const word = sideWord(refuter, polarity);
  const later = refuter.pass > 1 ? html` <span class="muted">pass ${refuter.pass}</span>` : nothing;
  return html`<li class="panel-row tone-${word.tone} ${refuter.kind}">
    <span class="row-mark" aria-hidden="true">${icon(word.icon)}</span>
    <div class="row-body">
      <div class="card-head">
        <h3>${say(refuter.title)}${later}</h3>
        ${badge(word)}
      </div>
      ${refuter.kind === "abstained" ? abstained(refuter) : counted(refuter, hands, id)}
    </div>
  </li>`;
}

function abstained({ reason, attack }: Extract<Refuter, { kind: "abstained" }>): TemplateResult {
  return html`<p class="note">It counts for nothing: ${say(reason)}</p>
    ${attack === "" ? nothing : html`<p class="note">What it said all the same: ${prose(attack)}</p>`}`;
}

function counted(refuter: CountedRefuter, hands: Hands, id: string): TemplateResult {
  const { attack, scenario, note, by, reReadSources, uncited } = refuter;
  const more = uncited === 0 ? nothing : html`<p class="note">${uncited} more cited, not shown here.</p>`;
  return html`<div class="statement">
    <div class="statement-words">
      ${attack === "" ? nothing : html`<p class="attack">${prose(attack)}</p>`}
      ${scenario === "" ? nothing : html`<p><span class="muted">How it would show:</span> ${prose(scenario)}</p>`}
      ${attack === "" && scenario === "" ? html`<p class="muted">It found nothing that breaks the claim, and nothing that proves it.</p>` : nothing}
      ${note === null ? nothing : html`<p class="remark tone-open">${icon("warning")}<span>${say(note)}</span></p>`}
      <p class="note">
        ${refuterFigures(refuter)}${by === undefined ? nothing : html` · answered by ${say(byWords(by))}`}
      </p>
      ${reReadSources.length === 0 ? nothing : fold(hands, `refuter-${id}-read`, "What it opened again", html`<p class="note">${say(reReadSources.join(", "))}</p>`)}
    </div>
    <div class="statement-evidence">${citations(refuter.citations, hands, `refuter-${id}`)} ${more}</div>
  </div>`;
}

/** What no refuter looked at: a survival says nothing about it (R4.19). */
function untouched({ untouched: left }: Refutation): TemplateResult | typeof nothing {
  if (left.length === 0) return nothing;
  return html`<div class="untouched">
    <h3>What nobody attacked</h3>
    <ul class="plain-list">
      ${left.map((text) => html`<li>${say(text)}</li>`)}
    </ul>
  </div>`;
}
