import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { plain } from "../clean.ts";
import { askedBy, commandLine, durationWords, exitWords, keptWords, withoutIndent } from "../figures.ts";
import type { CheckedCitation, CheckResult, Receipt } from "../shapes.ts";
import { checkWord, citationWord } from "../words.ts";
import { lineBox } from "./lines.ts";
import { badge, codeBox, fold, icon, placeLink, prose, say, type Hands } from "./parts.ts";

/** Citations shown at once; the others are one click away and counted. */
const AT_ONCE = 4;

/** Cited lines as the program re-read them: place, what stands there, and what the re-read made of it. */
export function citations(list: readonly CheckedCitation[], hands: Hands, id: string): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const rest = list.slice(AT_ONCE);
  const more = html`<ul class="citations">
    ${rest.map((one) => citation(one, hands))}
  </ul>`;
  return html`<ul class="citations">
      ${list.slice(0, AT_ONCE).map((one) => citation(one, hands))}
    </ul>
    ${rest.length === 0 ? nothing : fold(hands, `${id}-more`, `${rest.length} more cited ${rest.length === 1 ? "place" : "places"}`, more)}`;
}

function citation(one: CheckedCitation, hands: Hands): TemplateResult {
  const word = citationWord(one);
  return html`<li class="citation ${one.ok ? "" : "missing"}">
    <p class="citation-head">${placeLink(hands, one.file, one.line, one.endLine)} ${badge(word)}</p>
    ${one.note === null ? nothing : html`<p class="note">${say(one.note)}</p>`}
    ${one.shown === "" ? nothing : codeBox(withoutIndent(one.shown), `What stands at line ${one.line}`)}
  </li>`;
}

/** The checks that cost nothing, with what each rests on. */
export function checks(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (state.checks.length === 0) {
    if (state.state !== "running") return nothing;
    const words = state.stage?.kind === "checks" ? "Checks are running." : "No check applies to this claim.";
    return html`<section aria-labelledby="checks-title">
      <h2 id="checks-title" tabindex="-1">Checks</h2>
      <p class="muted">${words}</p>
    </section>`;
  }
  const all = state.checks.map((result, index) => ({ result, id: `check-${index}` }));
  const telling = all.filter(({ result }) => isTelling(result));
  const quiet = all.filter(({ result }) => !isTelling(result));
  return html`<section aria-labelledby="checks-title">
    <h2 id="checks-title" tabindex="-1">Checks</h2>
    ${telling.length === 0 ? nothing : checkList(telling, state, hands)}
    ${quiet.length === 0 ? nothing : fold(hands, "quiet-checks", quietWords(telling.length, quiet.length), checkList(quiet, state, hands))}
  </section>`;
}

/** Checks that somebody who judged asked for; they were told to who asked and settle nothing by themselves (C7). */
export function askedChecks(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (state.asked.length === 0) return nothing;
  const all = state.asked.map((result, index) => ({ result, id: `asked-${index}` }));
  return html`<section aria-labelledby="asked-title">
    <h2 id="asked-title">Checks asked for on the way <span class="muted">they settle nothing by themselves</span></h2>
    ${checkList(all, state, hands)}
  </section>`;
}

interface ListedCheck {
  readonly result: CheckResult;
  readonly id: string;
}

/** True for a check that speaks for or against the claim, found the place wrong, or has a line to show. */
function isTelling(result: CheckResult): boolean {
  const { tone } = checkWord(result);
  return tone !== "info" && (tone !== "off" || result.citations.length > 0);
}

function quietWords(telling: number, quiet: number): string {
  if (telling > 0)
    return quiet === 1 ? "1 more check that settles nothing" : `${quiet} more checks that settle nothing`;
  return quiet === 1 ? "1 check ran; it does not settle the claim" : `${quiet} checks ran; none settles the claim`;
}

function checkList(list: readonly ListedCheck[], state: PanelState, hands: Hands): TemplateResult {
  return html`<ul class="checks">
    ${list.map(({ result, id }) => check(result, state, hands, id))}
  </ul>`;
}

function check(result: CheckResult, { lines }: PanelState, hands: Hands, id: string): TemplateResult {
  const word = checkWord(result);
  const { atom, proposal } = result;
  const waiting = proposal === undefined ? undefined : lines.find(({ line }) => line === proposal.line);
  return html`<li class="check tone-${word.tone}">
    <span class="check-mark">${icon(word.icon)}</span>
    <div class="check-body">
      <p class="check-head"><strong>${word.text}</strong> <span class="muted">${say(result.check)}</span></p>
      ${waiting === undefined ? html`<p>${prose(result.text)}</p>` : nothing}
      ${atom === null || result.text.includes(atom.text) ? nothing : html`<p class="note">about: ${prose(atom.text)}</p>`}
      ${
        waiting === undefined
          ? nothing
          : html`<p>${prose(withoutEnd(result.text, waiting.line))}</p>
              ${lineBox(waiting, { id, running: false }, hands)}`
      }
      ${citations(result.citations, hands, id)} ${receiptLinks(result.receipts, hands)}
    </div>
  </li>`;
}

/** The sentence ends with the line that stands in a box of its own below it. */
function withoutEnd(text: string, line: string): string {
  return text.endsWith(line) ? text.slice(0, -line.length).trimEnd() : text;
}

function receiptLinks(ids: readonly string[], hands: Hands): TemplateResult | typeof nothing {
  if (ids.length === 0) return nothing;
  return html`<p class="receipt-links muted">
    rests on
    ${ids.map(
      (id) =>
        html`<button type="button" class="link" @click=${() => hands.showReceipt(id)}>receipt ${say(id)}</button> `,
    )}
  </p>`;
}

/** What was run, exactly: argument list, exit code, time, hash and the kept lines. */
export function receipts(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  const count = state.receipts.length;
  if (count === 0) return nothing;
  const list = html`<ol class="receipts">
    ${state.receipts.map((one) => receipt(one, hands))}
  </ol>`;
  return html`<section aria-labelledby="receipts-title">
    <h2 id="receipts-title" class="unseen">Receipts</h2>
    ${fold(hands, "receipts", html`<strong>Receipts</strong> <span class="muted">${runsWords(state)}</span>`, list)}
  </section>`;
}

function runsWords({ receipts: { length }, receiptsLeft }: PanelState): string {
  if (receiptsLeft > 0) return `${length} of ${length + receiptsLeft} runs`;
  return length === 1 ? "1 run" : `${length} runs`;
}

/** One run; `open` where it stands open at first. */
export function receipt(one: Receipt, hands: Hands, open = false): TemplateResult {
  const summary = html`<span class="receipt-head">
    <span class="receipt-verb">${say(one.verb)}</span>
    <code class="receipt-argv">${say(commandLine(one.argv))}</code>
    <span class="receipt-figures muted">
      <span>${exitWords(one)}</span> <span>${durationWords(one.durationMs)}</span>
      ${one.truncated ? html`<span class="cut">cut</span>` : nothing}
    </span>
  </span>`;
  const body = html`<dl class="facts">
      <div>
        <dt>Receipt</dt>
        <dd>${say(one.id)}, asked by ${say(askedBy(one.by))}</dd>
      </div>
      <div>
        <dt>Folder</dt>
        <dd><code>${say(one.cwd === "" ? "." : one.cwd)}</code></dd>
      </div>
      <div>
        <dt>Output</dt>
        <dd>
          ${keptWords(one)}, SHA-256 <code title=${plain(one.outputHash)}>${say(one.outputHash.slice(0, 12))}</code>
        </dd>
      </div>
    </dl>
    ${one.lines.length === 0 ? nothing : codeBox(one.lines.join("\n"), `Output of receipt ${one.id}`)}`;
  return html`<li data-receipt=${one.id}>
    ${fold(hands, `receipt-${one.id}`, summary, body, { kind: "receipt", open })}
  </li>`;
}
