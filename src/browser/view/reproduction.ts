import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { runEndWords } from "../figures.ts";
import type { Reproduction } from "../shapes.ts";
import { receipt } from "./evidence.ts";
import { lineBox } from "./lines.ts";
import { icon, prose, say, type Hands } from "./parts.ts";

/** How to reproduce the finding, as its source says; what came of running that is shown and settles nothing (R3.1). */
export function reproduction({ reproduction: told, lines }: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (told === null) return nothing;
  const { text, line, refused, run } = told;
  const view = lines.find((one) => one.line === line);
  return html`<section class="reproduction" aria-labelledby="reproduction-title">
    <h2 id="reproduction-title">Reproduction <span class="muted">as the source tells it</span></h2>
    ${text === line ? nothing : html`<p class="reproduction-text">${prose(text)}</p>`}
    ${refused === null ? nothing : html`<p class="remark">${icon("circle-slash")}<span>It cannot be run from here. ${say(refused)}</span></p>`}
    ${view === undefined ? nothing : html`<p>${say(view.why)}</p>`}
    ${view === undefined ? nothing : lineBox(view, { id: "reproduction", running: run?.kind === "running" }, hands)}
    ${ended(run, hands)}
  </section>`;
}

function ended(run: Reproduction["run"], hands: Hands): TemplateResult | typeof nothing {
  if (run === null || run.kind === "running") return nothing;
  return html`<p class="remark tone-open">
      ${icon(run.kind === "ran" ? "output" : "warning")}<span>${say(runEndWords(run))}</span>
    </p>
    ${
      run.receipt === null
        ? nothing
        : html`<ol class="receipts">
            ${receipt(run.receipt, hands, true)}
          </ol>`
    }`;
}
