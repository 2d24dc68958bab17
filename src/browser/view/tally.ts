import { html, nothing, type TemplateResult } from "lit";
import { figure, opinionWord, tallyOf } from "../judges.ts";
import type { Opinion, Refutation } from "../shapes.ts";
import { SIDES } from "../judges.ts";
import { icon } from "./parts.ts";

/** How many refuters stand where, beside the headline. */
export function tally(refutation: Refutation): TemplateResult {
  const { against, forIt, open, lost } = tallyOf(refutation);
  const counted = against + forIt + open;
  const { polarity } = refutation;
  const [breaks, holds] = polarity === "safe" ? ["break it", "could not"] : ["against it", "for it"];
  const asked = counted + lost + refutation.awaited.length;
  return html`<div class="votes tally">
    <ol class="pips" aria-label="Refuters">
      ${mark(against, breaks, polarity === "safe" ? "real" : SIDES.against.tone)}
      ${mark(forIt, holds, polarity === "safe" ? "false" : SIDES.for.tone)}
      ${mark(open, "not decided", SIDES["needs-check"].tone)}
    </ol>
    <p class="figure">${counted} of ${asked} counted</p>
  </div>`;
}

function mark(count: number, name: string, tone: string): TemplateResult {
  return html`<li class="pip tone-${count === 0 ? "off" : tone}">
    <span class="pip-mark">${count}</span>
    <span class="pip-name">${name}</span>
  </li>`;
}

/** The mark of a second opinion that stands alone; its confidence is its own figure and no vote (C5). */
export function opinionMark(opinion: Opinion | null, running: boolean): TemplateResult {
  const word =
    opinion === null
      ? ({ text: running ? "at work" : "waiting", icon: running ? "sync" : "circle-outline", tone: "info" } as const)
      : opinionWord(opinion);
  return html`<div class="votes tally alone">
    <ol class="pips" aria-label="Second opinion">
      <li class="pip arbiter tone-${word.tone}">
        <span class="pip-mark">${icon(word.icon, running)}</span>
        <span class="pip-name">Second opinion<span class="unseen">: </span></span>
        <span class="pip-word">${word.text}</span>
      </li>
    </ol>
    ${opinion?.kind === "gave" ? html`<p class="figure">its own confidence ${figure(opinion.verdictConfidence)}</p>` : nothing}
  </div>`;
}
