import type { Memento } from "vscode";
import type { AskConsentParams, AskConsentResult } from "../protocol/worker.ts";
import type { Asker } from "./asker.ts";

const AGREED = "consent";

/** What stands before the vendor where the origin is that of the editor's own models. */
const EDITOR = "editor:";

/** Whether code may be sent to a server, or to a vendor of the editor's models: asked once for each, remembered, revocable (ruling 32). */
export class Consent {
  readonly #state: Memento;
  readonly #ask: Asker;
  /** A question that stands open; a second one for the same server waits for its answer. */
  readonly #open = new Map<string, Promise<boolean>>();

  constructor(state: Memento, ask: Asker) {
    this.#state = state;
    this.#ask = ask;
  }

  async granted({ origin, model }: AskConsentParams): Promise<AskConsentResult> {
    if (this.#agreed().includes(origin)) return { granted: true };
    const asked = this.#open.get(origin) ?? this.#question(origin, model);
    this.#open.set(origin, asked);
    try {
      return { granted: await asked };
    } finally {
      this.#open.delete(origin);
    }
  }

  /** Whether a person agreed before; never asks. */
  has(origin: string): boolean {
    return this.#agreed().includes(origin);
  }

  /** Takes a consent back, after asking which one; true where one was taken back. */
  async forget(): Promise<boolean> {
    const agreed = this.#agreed();
    if (agreed.length === 0) {
      this.#ask.say("You have not agreed to send code to any server.");
      return false;
    }
    const origin = await this.#ask.pick(
      agreed.map((value) => ({ label: placeOf(value), value })),
      "Ask again before code is sent to which server?",
    );
    if (origin === undefined) return false;
    await this.#state.update(
      AGREED,
      agreed.filter((other) => other !== origin),
    );
    this.#ask.say(`You will be asked again before code is sent to ${placeOf(origin)}.`);
    return true;
  }

  async #question(origin: string, model: string): Promise<boolean> {
    const place = placeOf(origin);
    const detail =
      `To triage a finding, the lines around it and lines that the reviewer asks for go to ${place}` +
      `${model === "" ? "" : ` (model ${model})`}. Secrets that are recognised are masked before. ` +
      `Without your consent the built-in reviewer judges, and nothing leaves this machine.`;
    const agreed = await this.#ask.modal(`Send code of this workspace to ${place}?`, detail, "Send Code");
    if (agreed) await this.#state.update(AGREED, [...new Set([...this.#agreed(), origin])]);
    return agreed;
  }

  #agreed(): readonly string[] {
    return this.#state.get<readonly string[]>(AGREED, []);
  }
}

function placeOf(origin: string): string {
  return origin.startsWith(EDITOR) ? `the editor's models of ${origin.slice(EDITOR.length)}` : origin;
}
