import { html, nothing, type TemplateResult } from "lit";
import type { DecisionView, PanelState } from "../../protocol/panel.ts";
import type { Finding, Outcome } from "../shapes.ts";
import { isJudged, opinionStanding, refutersStanding, severityWords, streakWords } from "../judges.ts";
import { hasRounds, pipsOf, standingOf, voteFigure, type Pip, type Standing } from "../summary.ts";
import { authorizationWords, HARD_FACTS, outcomeWord, runningWords, stateWord, type Word } from "../words.ts";
import { fold, icon, moment, prose, say, type Hands } from "./parts.ts";
import { opinionMark, tally } from "./tally.ts";

/** What was decided, what happens next and why: the part to read when there is time for one part only. */
export function verdict(state: PanelState, hands: Hands): TemplateResult {
  const { word, next, busy } = headline(state);
  const { marks, standings } = judgesOf(state);
  const judged = marks !== nothing;
  return html`<section class="verdict tone-${word.tone} ${judged ? "with-rounds" : ""}" aria-labelledby="verdict-title">
    <h2 id="verdict-title" class="unseen">Verdict</h2>
    <div class="verdict-top">
      <div class="verdict-words">
        <p class="headline">${icon(word.icon, busy)}<span>${word.text}</span></p>
        <p class="next">${next}</p>
      </div>
      ${marks}
    </div>
    ${standings.map(standing)} ${suggestion(state)} ${reasons(state, hands)} ${leftOut(state)} ${streak(state)}
  </section>`;
}

/** Marks beside the headline and sentences below it, by who judged: rounds, refuters, a second opinion alone or besides. */
function judgesOf(state: PanelState): { marks: TemplateResult | typeof nothing; standings: readonly Standing[] } {
  const { refutation, opinion, outcome, method, stage } = state;
  const besides = opinion === null ? [] : [opinionStanding(opinion, outcome)];
  if (hasRounds(state)) return { marks: votes(state), standings: [standingOf(state), ...besides] };
  if (refutation !== null) return { marks: tally(refutation), standings: [refutersStanding(refutation), ...besides] };
  const alone = opinion !== null || (state.state === "running" && method?.strategy === "verdict");
  const empty: Standing = { kind: "none", lead: "", text: "" };
  if (alone)
    return {
      marks: opinionMark(opinion, stage?.kind === "opinion"),
      standings: besides.length > 0 ? besides : [empty],
    };
  return { marks: nothing, standings: [] };
}

/** Another severity that was argued for: advice, because only a person changes a source (C15). */
function suggestion({ outcome }: PanelState): TemplateResult | typeof nothing {
  const suggested = outcome?.severitySuggestion ?? null;
  if (suggested === null) return nothing;
  return html`<p class="remark tone-open">${icon("lightbulb")}<span>${prose(severityWords(suggested))}</span></p>`;
}

/** Everything that was left out, never folded away (R4.23). */
function leftOut({ reductions }: PanelState): TemplateResult | typeof nothing {
  if (reductions.length === 0) return nothing;
  return html`<div class="left-out">
    <h3>Left out</h3>
    <ul class="plain-list">
      ${reductions.map((text) => html`<li>${say(text)}</li>`)}
    </ul>
  </div>`;
}

/** Where the session stands with dismissals: a quiet line, and a clear warning once the bar is raised (R1.26-R1.28). */
function streak({ streak: now }: PanelState): TemplateResult | typeof nothing {
  const words = streakWords(now);
  if (words === null) return nothing;
  if (!words.warned) return html`<p class="muted">${words.text}</p>`;
  return html`<p class="standing overrule">${icon("warning")}<span>${words.text}</span></p>`;
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
    const next = html`Nothing is decided before ${lastWord(state)}. You can cancel at any time.`;
    return { word, next, busy: true };
  }
  if (state.state === "decided" && decision !== null) {
    return { word: stateWord(state), next: decided(decision, outcome, finding), busy: false };
  }
  if (outcome !== null) return { word: outcomeWord(outcome, finding), next: say(outcome.next), busy: false };
  if (isJudged(state)) {
    const word: Word = { text: "Triage did not finish", icon: "circle-slash", tone: "open" };
    const next = html`There is no outcome: the finding stays as it was. Triage it again, or decide it yourself.`;
    return { word, next, busy: false };
  }
  return { word: notJudgedWord(finding), next: notJudged(finding), busy: false };
}

function lastWord({ method }: PanelState): string {
  if (method?.strategy === "refute") return "all refuters have answered";
  return method?.strategy === "verdict" ? "the second opinion has answered" : "the arbiter has spoken";
}

function notJudgedWord({ hard }: Finding): Word {
  if (hard === null) return { text: "Not judged yet", icon: "circle-outline", tone: "off" };
  return { text: `A hard fact: ${HARD_FACTS[hard]}`, icon: "lock", tone: "real" };
}

function notJudged({ hard }: Finding): TemplateResult {
  return hard === null
    ? html`Triage runs the free checks first, then asks those whom the settings name: usually three skeptical rounds and
      an arbiter. It starts only when you say so.`
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
