import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { icon, say, type Hands } from "./parts.ts";

/** Other findings that look like the same defect, each with its own verdict; whether the verdicts differ comes first (C18, ruling 11). */
export function alike(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (state.alike.length === 0) return nothing;
  const hidden = state.alikeCount - state.alike.length;
  return html`<section class="alike" aria-labelledby="alike-title">
    <h2 id="alike-title">Likely the same defect</h2>
    ${
      state.conflict
        ? html`<p class="remark tone-open">
            ${icon("warning")}<span>The verdicts on what looks like one defect differ.</span>
          </p>`
        : nothing
    }
    <ul class="alike-list">
      ${state.alike.map((other) => entry(other, hands))}
    </ul>
    ${hidden > 0 ? html`<p class="note">${hidden} more near these lines; the Findings view lists all.</p>` : nothing}
  </section>`;
}

function entry({ key, tool, title, summary }: PanelState["alike"][number], hands: Hands): TemplateResult {
  const show = (): void => hands.post({ type: "show", key: hands.memory.key, other: key });
  return html`<li>
    <button type="button" class="link" @click=${show}>
      <span class="muted">${say(tool)}</span> ${say(title)} <span class="muted">${say(summary)}</span>
    </button>
  </li>`;
}
