import { html, nothing, type TemplateResult } from "lit";
import type { LineView } from "../shapes.ts";
import { codeBox, icon, say, type Hands } from "./parts.ts";

interface Box {
  /** Makes the ids of this box its own. */
  readonly id: string;
  /** True while it runs: the button stops it then, and stays the same element, so that it keeps the focus. */
  readonly running: boolean;
}

/** A line that waits for a person: as it would run, where, and the button that asks. It never runs from here. */
export function lineBox(view: LineView, { id, running }: Box, hands: Hands): TemplateResult {
  const { line, folder, permit, accepted } = view;
  const { key } = hands.memory;
  const held = running || permit.allowed ? null : permit.why;
  const press = (event: MouseEvent): void => {
    if (held !== null || event.detail > 1) return;
    hands.post(running ? { type: "stopLine", key } : { type: "runLine", key, line });
  };
  const label = running ? "Stop" : accepted ? "Run This Line" : "Run This Line…";
  return html`<div class="line-box">
    ${codeBox(line, "Command line as it would run")}
    <p class="note">in the folder <code>${say(folder)}</code></p>
    <div class="line-ask">
      <button
        type="button"
        class="button side"
        data-action="run-line"
        aria-disabled=${held === null ? "false" : "true"}
        aria-describedby=${held === null ? nothing : `${id}-held`}
        @click=${press}
      >
        ${icon(running ? "debug-stop" : "play")}<span>${label}</span>
      </button>
      <p class="note" id="${id}-held">
        ${held !== null ? say(held) : running ? "It is running." : accepted ? "You accepted it for this workspace." : "You are asked before it runs."}
      </p>
    </div>
  </div>`;
}
