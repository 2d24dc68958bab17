import { html, nothing, type TemplateResult } from "lit";
import type { PanelState } from "../../protocol/panel.ts";
import { plain } from "../clean.ts";
import { placeWords, stretchesWords } from "../figures.ts";
import type { Duty, Piece } from "../shapes.ts";
import { codeRows, fold, icon, placeLink, say, type Hands } from "./parts.ts";

/** Stretches that stand open at first: the most telling ones besides the flagged lines. */
const OPEN_AT_FIRST = 2;

/** The lines that bear on the finding as the program found them, before anyone judged; and what it could not look at. */
export function pack(state: PanelState, hands: Hands): TemplateResult | typeof nothing {
  if (state.pack === null) {
    return html`<section aria-labelledby="pack-title">
      <h2 id="pack-title">Evidence</h2>
      <p class="muted">${icon("sync", true)} Looking for the code that bears on it…</p>
    </section>`;
  }
  const { pieces, duties, cut, tokens } = state.pack;
  const unshown = pieces.filter((piece) => !isShown(piece, state));
  // The claim shows most of the flagged function already: what stands elsewhere comes first.
  const others = [...unshown.filter((piece) => !isOwn(piece)), ...unshown.filter(isOwn)];
  if (others.length === 0 && duties.every(({ met }) => met)) return nothing;
  return html`<section aria-labelledby="pack-title">
    <h2 id="pack-title">Evidence</h2>
    ${others.length === 0 ? nothing : html`<p class="muted">${stretchesWords(others, tokens)}</p>`}
    ${dutyList(duties, hands)} ${others.map((piece, index) => stretch(piece, hands, index < OPEN_AT_FIRST && !isOwn(piece)))}
    ${cut.length === 0 ? nothing : html`<p class="note">Left out for lack of room: ${say(cut.join(", "))}.</p>`}
    </div>
  </section>`;
}

/** True where the claim's own excerpt shows all of it already. */
function isShown({ file, line, endLine }: Piece, { finding, excerpt }: PanelState): boolean {
  const [first, last] = [excerpt[0]?.line ?? 0, excerpt.at(-1)?.line ?? -1];
  return file === finding.place.file && first <= line && endLine <= last;
}

function isOwn({ kind }: Piece): boolean {
  return kind === "flagged" || kind === "function";
}

/** What was looked at is one line that opens; what could not be looked at stands there, because it keeps the finding open. */
function dutyList(duties: readonly Duty[], hands: Hands): TemplateResult {
  const unmet = duties.filter(({ met }) => !met);
  const met = duties.filter((duty) => duty.met);
  return html`${
    unmet.length === 0
      ? nothing
      : html`<ul class="remarks duties">
          ${unmet.map((duty) => html`<li class="remark tone-open">${icon("circle-large-outline")}<span>${say(duty.text)} Until it is looked at, no verdict “false alarm” counts.</span></li>`)}
        </ul>`
  }
  ${
    met.length === 0
      ? nothing
      : fold(
          hands,
          "duties",
          `${met.length} of ${duties.length} things to look at were looked at`,
          html`<ul class="duties">
            ${met.map((duty) => html`<li>${icon("pass")} ${say(duty.text)}</li>`)}
          </ul>`,
        )
  }`;
}

function stretch(piece: Piece, hands: Hands, open: boolean): TemplateResult {
  const { file, line, endLine, why, text } = piece;
  const where = placeWords(file, line, endLine);
  const summary = html`<span class="stretch-place">${say(where)}</span> <span class="muted">${say(why)}</span>`;
  const rows = text.map((code, index) => ({ line: line + index, text: code, flagged: false }));
  const body = html`${codeRows(rows, `${plain(file)} lines ${line} to ${endLine}`)}
    <p>${placeLink(hands, file, line, endLine, "Open in the editor")}</p>`;
  return fold(hands, `stretch ${where}`, summary, body, { open, kind: "stretch" });
}
