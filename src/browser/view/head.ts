import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { plain } from "../clean.ts";
import { placeWords, withoutIndent } from "../figures.ts";
import { remarksOf } from "../remarks.ts";
import type { Finding } from "../shapes.ts";
import { SEVERITIES, sourceSeverityWords, stateWord } from "../words.ts";
import { badge, codeBox, codeRows, fold, icon, placeLink, prose, say, type Hands } from "./parts.ts";

/** Severity, tool and rule, place, state: what this finding is, in two lines. */
export function header(state: PanelState, hands: Hands): TemplateResult {
  const { finding } = state;
  const { severity } = finding;
  return html`<header class="head">
    <div class="head-line">
      <span class="severity severity-${severity}" title=${`Severity ${severity}: ${SEVERITIES[severity]}`}
        >${severity}</span
      >
      <h1 tabindex="-1">
        ${say(finding.tool)} ${finding.rule === null ? nothing : html`<span class="rule">${say(finding.rule)}</span>`}
      </h1>
      <span class="state">${badge(stateWord(state), state.state === "running")}</span>
    </div>
    <p class="head-facts">
      ${placeOf(finding, hands)}
      <span class="muted">${say(sourceSeverityWords(finding.sourceSeverity))}</span>
      ${sourceOf(finding, hands)}
    </p>
  </header>`;
}

function placeOf({ place, citedPath }: Finding, hands: Hands): TemplateResult {
  if (place.file !== null) return placeLink(hands, place.file, place.line, place.endLine);
  if (citedPath === null) return html`<span class="muted">no place in the code</span>`;
  return html`<code class="place">${say(placeWords(citedPath, place.cited.line, place.cited.endLine))}</code>`;
}

function sourceOf({ source }: Finding, hands: Hands): TemplateResult {
  if (source.path === "editor") return html`<span class="muted">live from the editor</span>`;
  const open = (): void => hands.post({ type: "openSource", key: hands.memory.key });
  return html`<span class="muted">
    in
    <button type="button" class="link" title=${`Open the review file at ${plain(source.pointer)}`} @click=${open}>
      ${say(source.path)}
    </button>
  </span>`;
}

/** The claim as its source wrote it, and where it stands. */
export function claim(state: PanelState, hands: Hands): TemplateResult {
  const remarks = remarksOf(state);
  const { message } = state.finding;
  const long = message.length > 1000 || message.split("\n").length > 12;
  return html`<section class="claim" aria-labelledby="claim-title">
    <h2 id="claim-title">Claim</h2>
    <p class="claim-text" tabindex=${long ? "0" : nothing}>${prose(message)}</p>
    ${state.state === "stale" ? stale(state.staleReason) : nothing}
    ${
      remarks.length === 0
        ? nothing
        : html`<ul class="remarks">
            ${remarks.map(
              (remark) =>
                html`<li class="remark tone-${remark.tone}">${icon(remark.icon)}<span>${say(remark.text)}</span></li>`,
            )}
          </ul>`
    }
    ${excerpt(state)} ${fromSource(state.finding, hands)}
  </section>`;
}

function stale(reason: string | null): TemplateResult {
  return html`<p class="remark tone-open">
    ${icon("history")}<span>
      <strong>The verdict below is out of date.</strong> ${say(reason ?? "The code it rests on has changed.")}
    </span>
  </p>`;
}

function excerpt({ excerpt: all, finding }: PanelState): TemplateResult | typeof nothing {
  const lines = withoutBlankEnds(all);
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return quoted(finding);
  return codeRows(lines, `${plain(finding.place.file ?? "")} lines ${first.line} to ${last.line}`);
}

/** Blank lines at the ends show nothing of the code; a flagged one stays. */
function withoutBlankEnds(lines: PanelState["excerpt"]): PanelState["excerpt"] {
  const first = lines.findIndex(isWorthShowing);
  return first < 0 ? lines : lines.slice(first, lines.findLastIndex(isWorthShowing) + 1);
}

function isWorthShowing({ text, flagged }: PanelState["excerpt"][number]): boolean {
  return flagged || text.trim() !== "";
}

/** Where there is no code to show, the source's own quote is better than nothing, and named as what it is. */
function quoted({ quote }: Finding): TemplateResult | typeof nothing {
  if (quote === null || quote.trim() === "") return nothing;
  return html`<p class="note">The code as the source quotes it; it was not read here:</p>
    ${codeBox(withoutIndent(quote), "Code as the source quotes it")}`;
}

/** What else the source said, closed at first: help, fix, weakness ids, other places, its own confidence by its own name (C5). */
function fromSource(finding: Finding, hands: Hands): TemplateResult | typeof nothing {
  const { help, helpUri, fix, cwe, finderConfidence, category, related, flows } = finding;
  const rows: TemplateResult[] = [];
  const row = (name: string, value: unknown): void => {
    rows.push(
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
    );
  };
  if (category !== null) row("Category", say(category));
  if (cwe.length > 0) row("Weakness", say(cwe.join(", ")));
  if (help !== null) row("Help", say(help));
  if (helpUri !== null) row("Rule page", say(helpUri));
  if (fix !== null) row("Suggested fix", say(fix));
  if (finderConfidence !== null) row("Finder confidence", `${finderConfidence} of 100, as the source states it`);
  if (related.length > 0) row("Related places", places(related, hands));
  flows.forEach((flow, index) => row(flows.length === 1 ? "Flow" : `Flow ${index + 1}`, places(flow, hands)));
  if (rows.length === 0) return nothing;
  return fold(hands, "source", "More from the source", html`<dl class="facts">${rows}</dl>`);
}

function places(list: Finding["related"], hands: Hands): TemplateResult {
  return html`<ol class="steps">
    ${list.map(
      ({ path, span, message }) =>
        html`<li>${path === null ? nothing : placeLink(hands, path, span.line, span.endLine)} ${say(message)}</li>`,
    )}
  </ol>`;
}
