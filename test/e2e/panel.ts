import type { FrameLocator, Locator } from "playwright-core";
import type { Workbench } from "./workbench.ts";

/** The triage panel as a person sees it. Every look-up finds its frame anew: the page is replaced when the window is reloaded. */
export class TriagePanel {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** The page of the one panel, once it shows the finding at a place (`src/routes.ts:30`). */
  async of(place: string): Promise<FrameLocator> {
    await this.tab.waitFor();
    // The frame keeps the title with which the panel was made.
    const frame = await this.#workbench.webview("Triage");
    await frame.locator(".head-facts .place", { hasText: place }).waitFor();
    return frame;
  }

  /** The panel's tab, whatever it shows. */
  get tab(): Locator {
    return this.#workbench.page.getByRole("tab", { name: /^Triage: / });
  }
}

/** The verdict in one line: what was decided or what is going on. */
export function headline(frame: FrameLocator): Locator {
  return frame.locator(".headline");
}

/** A card of the three rounds and the arbiter. */
export function card(frame: FrameLocator, id: "round-1" | "round-2" | "round-3" | "arbiter"): Locator {
  return frame.locator(`[data-card="${id}"]`);
}

/** The words on the four cards, in order: "real", "running", "waiting" and so on. */
export async function cardWords(frame: FrameLocator): Promise<readonly string[]> {
  return (await frame.locator("[data-card] .card-head .badge").allInnerTexts()).map((text) => text.trim());
}

export function button(frame: FrameLocator, action: string): Locator {
  return frame.locator(`.bar [data-action="${action}"]`);
}

/** Opens the form, writes the reason and sends it; the modal, where there is one, is left to the caller. */
export async function giveReason(frame: FrameLocator, reason: string): Promise<void> {
  await button(frame, "dismiss").click();
  await frame.locator("#reason").fill(reason);
  await frame.locator('[data-action="submit"]').click();
}
