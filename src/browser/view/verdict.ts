import { html, nothing, type TemplateResult } from "lit";
import type { DecisionView, PanelState } from "../../protocol/panel.ts";
import type { Finding, Outcome } from "../shapes.ts";
import { hasRounds, pipsOf, standingOf, voteFigure, type Pip, type Standing } from "../summary.ts";
import { authorizationWords, HARD_FACTS, outcomeWord, runningWords, stateWord, type Word } from "../words.ts";
import { fold, icon, moment, prose, say, type Hands } from "./parts.ts";

/** What was decided, what happens next and why: the part to read when there is time for one part only. */
export function verdict(state: PanelState, hands: Hands): TemplateResult {
  const { word, next, busy } = headline(state);
  const rounds = hasRounds(state);
  return html`<section class="verdict tone-${word.tone} ${rounds ? "with-rounds" : ""}" aria-labelledby="verdict-title">
    <h2 id="verdict-title" class="unseen">Verdict</h2>
    <div class="verdict-top">
      <div class="verdict-words">
        <p class="headline">${icon(word.icon, busy)}<span>${word.text}</span></p>
        <p class="next">${next}</p>
      </div>
      ${rounds ? votes(state) : nothing}
    </div>
    ${rounds ? standing(standingOf(state)) : nothing} ${reasons(state, hands)}
  </section>`;
}

interface Headline {
  readonly word: Word;
  readonly next: TemplateResult;
  readonly busy: boolean;
}

function headline(state: PanelState): Headline {
  const { outcome, finding, stage, decision } = state;
  if (state.state === "running") {
    const word: Word = { text: runningWords(stage), icon: "sync", tone: "info" };
    const next = html`Nothing is decided before the arbiter has spoken. You can cancel at any time.`;
    return { word, next, busy: true };
  }
  if (state.state === "decided" && decision !== null) {
    return { word: stateWord(state), next: decided(decision, outcome, finding), busy: false };
  }
  if (outcome !== null) return { word: outcomeWord(outcome, finding), next: say(outcome.next), busy: false };
  if (state.rounds.length > 0) {
    const word: Word = { text: "Triage did not finish", icon: "circle-slash", tone: "open" };
    const next = html`There is no outcome: the finding stays as it was. Triage it again, or decide it yourself.`;
    return { word, next, busy: false };
  }
  return { word: notJudgedWord(finding), next: notJudged(finding), busy: false };
}

function notJudgedWord({ hard }: Finding): Word {
  if (hard === null) return { text: "Not judged yet", icon: "circle-outline", tone: "off" };
  return { text: `A hard fact: ${HARD_FACTS[hard]}`, icon: "lock", tone: "real" };
}

function notJudged({ hard }: Finding): TemplateResult {
  return hard === null
    ? html`Triage runs the free checks first, then three skeptical rounds and an arbiter. It starts only when you say
      so.`
    : html`Facts are not put to a vote. Fix it, or dismiss it with a reason.`;
}

/** The person's word comes first; what the triage had said stays beside it. */
function decided(decision: DecisionView, outcome: Outcome | null, finding: Finding): TemplateResult {
  const said = outcome === null ? null : outcomeWord(outcome, finding).text;
  const reason = decision.reason.trim() === "" ? nothing : html`: <q>${say(decision.reason)}</q>`;
  return html`${moment(decision.at)}${reason}
  ${said === null ? nothing : html`<span class="before muted">The triage had said: ${said}.</span>`}`;
}

function votes(state: PanelState): TemplateResult {
  const figure = state.vote === null ? null : voteFigure(state.vote);
  return html`<div class="votes">
    <ol class="pips" aria-label="Rounds and arbiter">
      ${pipsOf(state).map(pip)}
    </ol>
    <p class="figure">${figure ?? (state.state === "running" ? "vote open" : "no vote")}</p>
  </div>`;
}

function pip({ name, word, icon: mark, tone, busy, arbiter }: Pip): TemplateResult {
  return html`<li class="pip tone-${tone} ${arbiter ? "arbiter" : ""}">
    <span class="pip-mark">${icon(mark, busy)}</span>
    <span class="pip-name">${name}<span class="unseen">: </span></span>
    <span class="pip-word">${word}</span>
  </li>`;
}

function standing({ kind, lead, text }: Standing): TemplateResult {
  const mark =
    kind === "overrule" ? "warning" : kind === "differ" ? "git-compare" : kind === "agree" ? "check-all" : null;
  return html`<p class="standing ${kind}">
    ${mark === null ? nothing : icon(mark)}<span
      >${lead === "" ? nothing : html`<strong>${lead}</strong> `}${say(text)}</span
    >
  </p>`;
}

function reasons({ outcome, state }: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (outcome === null)
    return state === "running" ? html`<p class="muted">The reasons come with the outcome.</p>` : nothing;
  const authority = authorizationWords(outcome);
  const count = outcome.because.length;
  if (count === 0) return authority === null ? nothing : html`<p class="muted">${authority}</p>`;
  const title = html`Why: ${count === 1 ? "1 reason" : `${count} reasons`}`;
  const list = html`<ul class="because">
      ${outcome.because.map(({ rule, text }) => html`<li><span>${prose(text)}</span> <span class="rule-id">${say(rule)}</span></li>`)}
    </ul>
    ${authority === null ? nothing : html`<p class="muted">${authority}</p>`}`;
  return fold(hands, "because", title, list, { kind: "reasons" });
}
