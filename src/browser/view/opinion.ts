import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { plain } from "../clean.ts";
import { withoutIndent } from "../figures.ts";
import {
  ARTEFACTS,
  builtInWords,
  figure,
  INTENTS,
  mappingWords,
  mayObject,
  opinionWord,
  statedWords,
  whoWords,
} from "../judges.ts";
import type { Artefact, GivenOpinion, Opinion, Outcome, Ref } from "../shapes.ts";
import { objection } from "./objection.ts";
import { badge, codeBox, fold, icon, placeLink, prose, say, type Hands } from "./parts.ts";

/** References shown at once. */
const AT_ONCE = 4;

/** A blind second opinion: who gave it, what it rests on, and what the policy makes of it with the bar it was held against (R1.11-R1.24). */
export function opinion(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  const { opinion: given, stage, method } = state;
  if (given === null) {
    const due = stage !== null && (stage.kind === "opinion" || method?.strategy === "verdict");
    return due ? section(nothing, waiting(stage.kind === "opinion")) : nothing;
  }
  const who = html`<span class="muted">by ${say(whoWords(given))}</span>`;
  const expect = builtInWords(given.who);
  return section(
    who,
    html`${opinionCard(given, state, hands)} ${expect === null ? nothing : html`<p class="note expect">${expect}</p>`}
    ${mayObject(state) ? objection(hands) : nothing}`,
  );
}

function section(who: TemplateResult | typeof nothing, body: TemplateResult): TemplateResult {
  return html`<section class="opinion" aria-labelledby="opinion-title">
    <h2 id="opinion-title" tabindex="-1">Blind second opinion ${who}</h2>
    ${body}
  </section>`;
}

function waiting(running: boolean): TemplateResult {
  return html`<article class="card tone-info" aria-busy=${running ? "true" : "false"}>
    <p class="muted">
      ${running ? "It looks into the repository by itself, without knowing what others said." : "It is asked after the checks."}
    </p>
    ${running ? html`<div class="progress" aria-hidden="true"></div>` : nothing}
  </article>`;
}

function opinionCard(given: Opinion, { outcome }: PanelState, hands: Hands): TemplateResult {
  const word = opinionWord(given);
  return html`<article class="card tone-${word.tone}" aria-labelledby="opinion-says">
    <div class="card-head">
      <h3 id="opinion-says">${badge(word)}</h3>
      ${given.kind === "gave" ? html`<span class="figure">its own confidence ${figure(given.verdictConfidence)}</span>` : nothing}
    </div>
    <p class="asks muted">${INTENTS[given.intent]}</p>
    ${
      given.kind === "abstained"
        ? html`<p class="abstained">It gave no answer: ${say(given.reason)}</p>`
        : answer(given, outcome, hands)
    }
  </article>`;
}

function answer(given: GivenOpinion, outcome: Outcome | null, hands: Hands): TemplateResult {
  const { note, reasoning, rebuttal } = given;
  const changed =
    note === null
      ? nothing
      : html`<p class="remark tone-open">${icon("warning")}<span>${statedWords(given)}${say(note)}</span></p>`;
  return html`<div class="statement">
      <div class="statement-words">
        ${outcome?.mapped == null ? nothing : html`<p class="mapping">${mappingWords(given, outcome)}</p>`} ${changed}
        ${reasoning.trim() === "" ? nothing : fold(hands, "opinion-reasoning", "Reasoning", html`<p class="reasoning">${prose(reasoning)}</p>`, { open: reasoning.length < 600 })}
      </div>
      <div class="statement-evidence">${references(given, hands)}</div>
    </div>
    ${rebuttal === null ? nothing : objected(rebuttal, hands)}`;
}

function references({ refs, counted }: GivenOpinion, hands: Hands): TemplateResult {
  if (refs.length === 0) return html`<p class="note">It names nothing that could be read again.</p>`;
  const list = (some: readonly Ref[]): TemplateResult =>
    html`<ul class="citations">
      ${some.map((one) => reference(one, hands))}
    </ul>`;
  const rest = refs.slice(AT_ONCE);
  return html`<p class="note">
      ${counted} of ${refs.length} ${refs.length === 1 ? "reference" : "references"} could be read again and
      ${counted === 1 ? "counts" : "count"}.
    </p>
    ${list(refs.slice(0, AT_ONCE))}
    ${rest.length === 0 ? nothing : fold(hands, "opinion-refs", `${rest.length} more`, list(rest))}`;
}

/** One reference with the line as the program read it, or the run it names. */
function reference({ text, ok, citation, receipt }: Ref, hands: Hands): TemplateResult {
  const state = ok
    ? badge({ text: "counts", icon: "check", tone: "info" })
    : badge({ text: "does not count", icon: "error", tone: "off" });
  if (citation !== null) {
    const { file, line, endLine, shown, note } = citation;
    return html`<li class="citation ${ok ? "" : "missing"}">
      <p class="citation-head">${placeLink(hands, file, line, endLine)} ${state}</p>
      ${note === null ? nothing : html`<p class="note">${say(note)}</p>`}
      ${shown === "" ? nothing : codeBox(withoutIndent(shown), `What stands at line ${line}`)}
    </li>`;
  }
  const named =
    receipt === null
      ? say(text)
      : html`<button
          type="button"
          class="link"
          title=${`Show receipt ${plain(receipt)}`}
          @click=${() => hands.showReceipt(receipt)}
        >
          ${say(text)}
        </button>`;
  return html`<li class="citation ${ok ? "" : "missing"}">
    <p class="citation-head"><span>${named}</span> ${state}</p>
  </li>`;
}

/** What a person put against it, and that this is the answer to that. */
function objected(rebuttal: readonly Artefact[], hands: Hands): TemplateResult {
  const list = html`<ul class="plain-list">
    ${rebuttal.map(
      ({ kind, source, text }) =>
        html`<li>
          <strong>${ARTEFACTS[kind]}</strong>
          <span class="muted">from ${say(source)}</span>${codeBox(text, "What was put against it")}
        </li>`,
    )}
  </ul>`;
  return html`<p class="remark tone-info">
      ${icon("comment-discussion")}<span
        >It was objected to once, and this is its answer to that. More is not taken.</span
      >
    </p>
    ${fold(hands, "opinion-rebuttal", "The objection", list)}`;
}
