import type { CancellationToken } from "vscode";
import {
  type AskEditorModelParams,
  type AskEditorModelResult,
  EDITOR_MODEL_LIMITS,
  type EditorModelRow,
  type ListEditorModelsResult,
} from "../protocol/models.ts";

/** One piece of a model's answer, as far as it counts here. */
export type ModelPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  /** Thoughts, data: a sign of life and nothing more. */
  | { readonly kind: "other" };

type Token = Pick<CancellationToken, "isCancellationRequested" | "onCancellationRequested">;

/** What is used of the editor. */
export interface ModelHost {
  /** Everything the editor offers; never asks the person. */
  models(): Promise<readonly Omit<EditorModelRow, "agreed">[]>;
  /**
   * Sends one request; null where there is no such model. Rejects where the editor or the model's extension does. Ends in
   * silence when it is cancelled.
   */
  send(params: AskEditorModelParams, token: Token): Promise<AsyncIterable<ModelPiece> | null>;
}

export interface LanguageModelPorts {
  readonly host: ModelHost;
  /** Whether a person agreed to send code to a vendor's models; never asks. */
  agreed(vendor: string): boolean;
  /** Tells the worker that an answer is still coming. */
  alive(request: string): void;
  readonly now: () => number;
}

/** Least time between two signs of life, in milliseconds. */
const ALIVE_MS = 100;

type Failure = Extract<AskEditorModelResult, { kind: "failed" }>["failure"];

/**
 * Asks the editor's language models for the worker. Knows nothing of findings: it passes messages on and gives back what was
 * answered, or why nothing was. Never rejects.
 */
export class LanguageModels {
  readonly #ports: LanguageModelPorts;

  constructor(ports: LanguageModelPorts) {
    this.#ports = ports;
  }

  async list(): Promise<ListEditorModelsResult> {
    const models = await this.#ports.host.models();
    return { models: models.map((row) => ({ ...row, agreed: this.#ports.agreed(row.vendor) })) };
  }

  async ask(params: AskEditorModelParams, token: Token): Promise<AskEditorModelResult> {
    // A model's extension may go on long after it was told to stop: nobody waits for it.
    const stopped = Promise.withResolvers<AskEditorModelResult>();
    const heard = token.onCancellationRequested(() => stopped.resolve(failed("cancelled", "")));
    try {
      const asked = this.#exchange(params, token).catch((error: unknown) => failureOf(error));
      const result = await Promise.race([stopped.promise, asked]);
      // Cancelled streams end without a word, as if they were complete.
      return token.isCancellationRequested ? failed("cancelled", "") : result;
    } finally {
      heard.dispose();
    }
  }

  async #exchange(params: AskEditorModelParams, token: Token): Promise<AskEditorModelResult> {
    const pieces = await this.#ports.host.send(params, token);
    if (pieces === null) return failed("not-found", "");
    const calls: { id: string; name: string; arguments: string }[] = [];
    let text = "";
    let length = 0;
    let told = -Infinity;
    for await (const piece of pieces) {
      if (token.isCancellationRequested) break;
      const now = this.#ports.now();
      if (now - told >= ALIVE_MS) {
        told = now;
        this.#ports.alive(params.request);
      }
      if (piece.kind === "text") text += piece.text;
      if (piece.kind === "text") length += piece.text.length;
      if (piece.kind === "call") {
        const written = JSON.stringify(piece.input ?? {});
        calls.push({ id: piece.id, name: piece.name, arguments: written });
        length += written.length;
      }
      if (length > EDITOR_MODEL_LIMITS.characters || calls.length > EDITOR_MODEL_LIMITS.calls)
        return failed("too-long", "");
    }
    if (text.trim() === "" && calls.length === 0) return failed("empty", "");
    return { kind: "ended", text, calls };
  }
}

function failed(failure: Failure, why: string): AskEditorModelResult {
  return { kind: "failed", failure, why: why.slice(0, EDITOR_MODEL_LIMITS.why) };
}

/** Codes of the editor's own errors, and names that model extensions give to theirs. */
const KINDS: ReadonlyMap<string, Failure> = new Map([
  ["NotFound", "not-found"],
  ["NoPermissions", "no-permission"],
  ["Blocked", "blocked"],
  ["ChatQuotaExceeded", "quota"],
  ["ChatRateLimited", "quota"],
]);

/** A filter has neither code nor name: its words only choose which reason a person reads, and whether a fallback is asked. */
const FILTERED = /content[ _-]?(?:filter|management policy)|responsible ai|(?:response|prompt) (?:got|was) filtered/i;

/** What an error of the editor or of a model's extension means. Extensions mostly throw plain errors. */
export function failureOf(error: unknown): AskEditorModelResult {
  if (!(error instanceof Error)) return failed("other", String(error));
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = KINDS.get(code) ?? KINDS.get(error.name);
  if (known !== undefined) return failed(known, error.message);
  // The editor wraps what a model's extension threw.
  const inner = error.cause instanceof Error ? error.cause : null;
  const cause = inner === null ? undefined : KINDS.get(inner.name);
  const said = error.message === "" && inner !== null ? inner.message : error.message;
  if (cause !== undefined) return failed(cause, said);
  return failed(FILTERED.test(said) ? "filtered" : "other", said);
}
