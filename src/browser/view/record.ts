import { html, nothing, type TemplateResult } from "lit";
import type { DecisionView, PanelState } from "../../protocol/panel.ts";
import { askedBy, costWords, ledgerWords } from "../figures.ts";
import { fold, icon, moment, say, type Hands } from "./parts.ts";

const DECISIONS = {
  confirmed: "Confirmed as real",
  dismissed: "Dismissed as a false alarm",
  reopened: "Reopened",
} as const satisfies Record<DecisionView["decision"], string>;

/** Who judged at what cost, what a person decided, and the way to the log. */
export function record(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  const { reviewer, decision, outcome } = state;
  if (reviewer === null && decision === null && outcome === null) return nothing;
  const openLog = (): void => hands.post({ type: "openLog", key: hands.memory.key });
  return html`<section class="record" aria-labelledby="record-title">
    <h2 id="record-title">Record</h2>
    <dl class="facts">
      ${
        decision === null || state.state === "decided"
          ? nothing
          : html`<div>
              <dt>Decision</dt>
              <dd>${decided(decision)}</dd>
            </div>`
      }
      ${
        reviewer === null
          ? nothing
          : html`<div>
              <dt>Reviewer</dt>
              <dd>${say(reviewer)}</dd>
            </div>`
      }
      ${
        reviewer === null
          ? nothing
          : html`<div>
              <dt>Cost</dt>
              <dd>${costWords(state.cost)} ${ledger(state, hands)}</dd>
            </div>`
      }
      ${
        decision === null && outcome === null
          ? nothing
          : html`<div>
              <dt>Log</dt>
              <dd>
                <button type="button" class="link" @click=${openLog}>
                  Open in the triage log ${icon("go-to-file")}
                </button>
              </dd>
            </div>`
      }
    </dl>
  </section>`;
}

/** Who cost what; nothing to tell where one row would only repeat the sum. */
function ledger({ ledger: rows }: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (rows.length < 2) return nothing;
  const list = html`<ul class="ledger">
    ${rows.map(
      (row) =>
        html`<li>
          <span>${say(askedBy(row.role))}</span>
          <span class="muted">${row.model === null ? nothing : say(row.model)}</span>
          <span class="ledger-figures">${ledgerWords(row)}</span>
        </li>`,
    )}
  </ul>`;
  return fold(hands, "ledger", "Who cost what", list);
}

function decided({ decision, reason, at }: DecisionView): TemplateResult {
  return html`${DECISIONS[decision]} by a person, ${moment(at)}
  ${reason.trim() === "" ? nothing : html`<p class="reason">${say(reason)}</p>`}`;
}
