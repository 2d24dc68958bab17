import { html, nothing, type TemplateResult } from "lit";
import type { FromPanel } from "../../protocol/panel.ts";
import { piecesOf, plain } from "../clean.ts";
import { looksLocal, momentWords, placeWords } from "../figures.ts";
import type { Objection, PageMemory } from "../memory.ts";
import type { Word } from "../words.ts";

/** What the views may do: read the page's memory, and report what the person does. */
export interface Hands {
  readonly memory: PageMemory;
  /** Why the reason in the form was not sent; null where nothing is wrong. */
  readonly problem: string | null;
  readonly post: (message: FromPanel) => void;
  readonly toggled: (section: string, open: boolean) => void;
  /** Opens the receipts and moves to one of them. */
  readonly showReceipt: (id: string) => void;
  readonly openForm: () => void;
  readonly closeForm: () => void;
  readonly drafted: (draft: string) => void;
  readonly submitReason: () => void;
  /** Why the objection was not sent; null where nothing is wrong. */
  readonly objectionProblem: string | null;
  readonly objected: (change: Partial<Objection>) => void;
  readonly submitObjection: () => void;
}

/** Text of a tool or model: text nodes only, hidden and reordering characters made visible (ruling 33). */
export function say(text: string): TemplateResult {
  const pieces = piecesOf(text).map((piece) =>
    piece.kind === "text" ? piece.text : html`<span class="odd" title=${piece.title}>${piece.label}</span>`,
  );
  return html`<span class="said">${pieces}</span>`;
}

/** A sentence of a tool or model: as `say`, with what stands between backticks set as code. */
export function prose(text: string): TemplateResult {
  const parts = text.split(/`([^`\n]{1,200})`/u);
  if (parts.length === 1) return say(text);
  // Odd places hold what the brackets of the pattern caught.
  return html`<span class="said"
    >${parts.map((part, index) => (index % 2 === 0 ? say(part) : html`<code class="inline">${say(part)}</code>`))}</span
  >`;
}

/** A moment in the reader's own time zone; `iso` as the log has it. */
export function moment(iso: string): TemplateResult {
  return html`<time datetime=${plain(iso)}>${say(momentWords(iso))}</time>`;
}

/** A codicon; what it means always stands beside it in words. */
export function icon(name: string, busy = false): TemplateResult {
  return html`<span class="codicon codicon-${name} ${busy ? "codicon-modifier-spin" : ""}" aria-hidden="true"></span>`;
}

/** An icon with its word, in its tone. */
export function badge(word: Word, busy = false): TemplateResult {
  return html`<span class="badge tone-${word.tone}">${icon(word.icon, busy)}<span>${word.text}</span></span>`;
}

/** A section that opens and closes and stays as the person left it. */
export function fold(
  hands: Hands,
  id: string,
  summary: unknown,
  body: unknown,
  options: { readonly open?: boolean; readonly kind?: string } = {},
): TemplateResult {
  const open = hands.memory.open[id] ?? options.open ?? false;
  // A section that is drawn open says that it was toggled, too; only what differs is the person's doing.
  const toggled = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLDetailsElement && currentTarget.open !== open)
      hands.toggled(id, currentTarget.open);
  };
  return html`<details class="fold ${options.kind ?? ""}" ?open=${open} @toggle=${toggled}>
    <summary>${icon("chevron-right")}<span class="fold-title">${summary}</span></summary>
    <div class="fold-body">${body}</div>
  </details>`;
}

/**
 * A place in the workspace as a button that opens it, `line` 1-based; a path that cannot be opened is plain text. Where the
 * place stands beside it, `label` says what the button does.
 */
export function placeLink(
  hands: Hands,
  file: string,
  line: number | null,
  endLine: number | null,
  label?: string,
): TemplateResult {
  const words = placeWords(file, line, endLine);
  if (!looksLocal(file)) return html`<code class="place">${say(words)}</code>`;
  const open = (): void => hands.post({ type: "open", key: hands.memory.key, file, line: Math.max(1, line ?? 1) });
  return html`<button
    type="button"
    class="link ${label === undefined ? "place" : ""}"
    title=${`Open ${plain(words)}`}
    @click=${open}
  >
    ${label ?? say(words)}
  </button>`;
}

/** Lines of code or output in a box of their own; a long one scrolls there and can be reached by keyboard. */
export function codeBox(text: string, label: string): TemplateResult {
  const long = text.length > 900 || text.split("\n").length > 12;
  return html`<pre
    class="code"
    tabindex=${long ? "0" : nothing}
    role=${long ? "group" : nothing}
    aria-label=${long ? plain(label) : nothing}
  ><code>${say(text)}</code></pre>`;
}

/** Lines of a file with their numbers, 1-based; a flagged one says so in words too. */
export function codeRows(
  lines: readonly { readonly line: number; readonly text: string; readonly flagged: boolean }[],
  label: string,
): TemplateResult {
  return html`<div class="excerpt" role="group" aria-label=${label} tabindex=${lines.length > 24 ? "0" : nothing}>
    ${lines.map(
      ({ line, text, flagged }) =>
        html`<div class=${flagged ? "row flagged" : "row"}>
          <span class="line-number">${flagged ? html`<span class="unseen">flagged </span>` : nothing}${line}</span>
          <code>${say(text)}</code>
        </div>`,
    )}
  </div>`;
}
