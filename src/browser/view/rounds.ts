import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import type { CountedRound, Round, Ruling } from "../shapes.ts";
import {
  arbiterSlot,
  hasRounds,
  PENDING,
  roundSlots,
  roundWord,
  type ArbiterSlot,
  type RoundSlot,
} from "../summary.ts";
import { QUESTIONS, questionOf, VERDICTS, type Word } from "../words.ts";
import { byWords } from "../judges.ts";
import { citations } from "./evidence.ts";
import { badge, fold, icon, prose, say, type Hands } from "./parts.ts";

/** Three rounds and the arbiter in the order they speak; every card has its place before it is filled. */
export function rounds(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (!hasRounds(state)) return nothing;
  const by = state.reviewer === null ? nothing : html`<span class="muted">judged by ${say(state.reviewer)}</span>`;
  return html`<section class="rounds" aria-labelledby="rounds-title">
    <h2 id="rounds-title">Three rounds and an arbiter ${by}</h2>
    <ol class="rail">
      ${roundSlots(state).map((slot) => roundCard(slot, hands))} ${arbiterCard(arbiterSlot(state), hands)}
    </ol>
  </section>`;
}

interface Card {
  readonly id: string;
  readonly title: string;
  readonly asks: string;
  readonly word: Word;
  readonly busy: boolean;
  readonly body: TemplateResult | typeof nothing;
}

function card({ id, title, asks, word, busy, body }: Card): TemplateResult {
  return html`<li
    class="step tone-${word.tone} ${busy ? "busy" : ""}"
    data-card=${id}
    aria-busy=${busy ? "true" : "false"}
  >
    <span class="step-mark" aria-hidden="true">${icon(word.icon, busy)}</span>
    <article class="card" aria-labelledby="${id}-title">
      <div class="card-head">
        <h3 id="${id}-title">${title}</h3>
        ${badge(word, busy)}
      </div>
      <p class="asks muted">${asks}</p>
      ${body}
    </article>
  </li>`;
}

function roundCard(slot: RoundSlot, hands: Hands): TemplateResult {
  const { name, asks } = QUESTIONS[questionOf(slot.n)];
  const body = slot.kind === "done" ? roundBody(slot.round, hands) : pendingBody(slot.kind);
  const title = `Round ${slot.n} · ${name}`;
  return card({ id: `round-${slot.n}`, title, asks, word: roundWord(slot), busy: slot.kind === "running", body });
}

function pendingBody(kind: keyof typeof PENDING): TemplateResult | typeof nothing {
  return kind === "running" ? html`<div class="progress" aria-hidden="true"></div>` : nothing;
}

function roundBody(round: Round, hands: Hands): TemplateResult {
  const id = `round-${round.n}`;
  if (round.kind === "abstained") {
    return html`<p class="abstained">It does not count in the vote: ${say(round.reason)}</p>`;
  }
  const searched =
    round.grepUsed === null
      ? nothing
      : html`<p class="note">${round.grepUsed ? "Searched the code for them." : "Did not search the code."}</p>`;
  return statement(round, html`${counting(round)} ${searched} ${answeredBy(round)}`, hands, id);
}

/** Who answered, where that is somebody else than the reviewer of the whole. */
function answeredBy({ by }: Pick<CountedRound, "by">): TemplateResult | typeof nothing {
  return by === undefined ? nothing : html`<p class="note">answered by ${say(byWords(by))}</p>`;
}

function counting(round: CountedRound): TemplateResult | typeof nothing {
  if (round.stated === round.verdict && round.note === null) return nothing;
  const changed =
    round.stated === round.verdict
      ? ""
      : `It said ${VERDICTS[round.stated].text}; it counts as ${VERDICTS[round.verdict].text}. `;
  return html`<p class="remark tone-open">${icon("warning")}<span>${changed}${say(round.note ?? "")}</span></p>`;
}

/** Crux first, then evidence, then the whole reasoning for who wants it. */
function statement(
  said: Pick<CountedRound, "crux" | "reasoning" | "citations"> & { readonly verdict: CountedRound["verdict"] | null },
  remarks: TemplateResult | typeof nothing,
  hands: Hands,
  id: string,
): TemplateResult {
  const none = said.verdict === null ? nothing : html`<p class="note">It cites no line.</p>`;
  const evidence = said.citations.length === 0 ? none : citations(said.citations, hands, id);
  return html`<div class="statement">
    <div class="statement-words">
      ${said.crux.trim() === "" ? nothing : html`<p class="crux">${prose(said.crux)}</p>`} ${remarks}
      ${
        said.reasoning.trim() === ""
          ? nothing
          : fold(hands, `${id}-reasoning`, "Reasoning", html`<p class="reasoning">${prose(said.reasoning)}</p>`)
      }
    </div>
    <div class="statement-evidence">${evidence}</div>
  </div>`;
}

function arbiterCard(slot: ArbiterSlot, hands: Hands): TemplateResult {
  const asks = "Weighs the three rounds and has the last word on real or false alarm.";
  const word = slot.kind === "done" ? VERDICTS[slot.ruling.verdict ?? "UNCERTAIN"] : PENDING[slot.kind];
  const body = slot.kind === "done" ? rulingBody(slot.ruling, hands) : pendingBody(slot.kind);
  return card({ id: "arbiter", title: "Arbiter", asks, word, busy: slot.kind === "running", body });
}

function rulingBody(ruling: Ruling, hands: Hands): TemplateResult {
  const rejected =
    "Override rejected: the vote stands. Overruling rounds that agree takes a new line of evidence that resolves.";
  const remarks = html`${
    ruling.overrideRejected ? html`<p class="remark tone-open">${icon("warning")}<span>${rejected}</span></p>` : nothing
  }
  ${
    ruling.reason === null
      ? nothing
      : html`<p class="remark tone-open">${icon("info")}<span>${say(ruling.reason)}</span></p>`
  }
  ${answeredBy(ruling)}`;
  return statement(ruling, remarks, hands, "arbiter");
}
