import { html, nothing, type TemplateResult } from "lit";
import { ARTEFACTS } from "../judges.ts";
import { NO_OBJECTION, type Objection } from "../memory.ts";
import { fold, icon, type Hands } from "./parts.ts";

/** Longest source and text that the protocol takes. */
const MOST = { source: 400, text: 8000 } as const;

/** A form for the one objection to a second opinion that asks for a fix: objective things only (R1.25). */
export function objection(hands: Hands): TemplateResult {
  const draft = hands.memory.objection ?? NO_OBJECTION;
  const submit = (event: Event): void => {
    event.preventDefault();
    hands.submitObjection();
  };
  const body = html`<form class="reason-form objection-form" novalidate @submit=${submit}>
    <p class="note">
      Once, and only with something objective: what a test printed, a line of a specification, a rule of the language.
      Opinions and appeals are refused. The same conversation answers.
    </p>
    <label for="objection-kind">What it is</label>
    <select id="objection-kind" @change=${set(hands, "kind")}>
      ${Object.entries(ARTEFACTS).map(([kind, name]) => html`<option value=${kind} ?selected=${kind === draft.kind}>${name}</option>`)}
    </select>
    <label for="objection-source">Where it is from</label>
    <input
      id="objection-source"
      type="text"
      maxlength=${MOST.source}
      placeholder="src/ids.test.ts:12, a section, a command"
      .value=${draft.source}
      @input=${set(hands, "source")}
    />
    <label for="objection-text">Its text</label>
    <textarea
      id="objection-text"
      rows="4"
      maxlength=${MOST.text}
      aria-describedby="objection-problem"
      .value=${draft.text}
      @input=${set(hands, "text")}
    ></textarea>
    <p id="objection-problem" class="problem" role="alert">
      ${hands.objectionProblem === null ? nothing : html`${icon("error")}<span>${hands.objectionProblem}</span>`}
    </p>
    <div class="buttons">
      <button type="submit" class="button side" data-action="object">Object with this</button>
    </div>
  </form>`;
  return fold(hands, "objection", "Object with a test, a specification or a rule of the language", body);
}

function set(hands: Hands, member: keyof Objection): (event: Event) => void {
  return ({ currentTarget }) => {
    if (
      currentTarget instanceof HTMLInputElement ||
      currentTarget instanceof HTMLTextAreaElement ||
      currentTarget instanceof HTMLSelectElement
    )
      hands.objected({ [member]: currentTarget.value });
  };
}
