import type { ModelIdentity } from "../../core/modelIdentity.ts";
import type { Model, ModelReply, ModelRequest, Now } from "../../core/ports.ts";
import { familyOf } from "../../core/modelFamily.ts";
import type { AskEditorModelParams, AskEditorModelResult, EditorModelRow } from "../../protocol/models.ts";
import { type AnswerMode, formatOf, instructionOf } from "./answerMode.ts";
import type { Completed } from "./exchange.ts";
import { toEditorMessages } from "./editorMessages.ts";
import { scrubber } from "./explain.ts";
import { readReply } from "./readReply.ts";
import type { ModelLog } from "./retry.ts";
import type { FunctionShape } from "./verbCalls.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

/** The way to the editor's models. */
export interface EditorModels {
  /** What the editor offers; empty where it knows no models. Rejects never. */
  list(): Promise<readonly EditorModelRow[]>;
  /**
   * One exchange; `alive` is called at each sign of life. The signal ends the model's work. Never rejects: what went wrong is a
   * variant.
   */
  ask(
    params: Omit<AskEditorModelParams, "request">,
    alive: () => void,
    signal: AbortSignal,
  ): Promise<AskEditorModelResult>;
}

export interface EditorModelOptions {
  readonly row: EditorModelRow;
  readonly models: EditorModels;
  /** Longest silence of the model. */
  readonly idleTimeoutMs: number;
  readonly now: Now;
  readonly log: ModelLog;
}

const TOTAL_TIMEOUT_MS = 15 * 60_000;
const scrub = scrubber(null);
/** The editor does not say what a call cost. */
const USAGE = { prompt: 0, completion: 0 };

/** The editor's model as it stands in every record. */
export function editorIdentity(row: Pick<EditorModelRow, "vendor" | "id" | "family">): ModelIdentity {
  const family = familyOf(row.family) ?? familyOf(row.id);
  return { provider: `editor:${row.vendor}`, model: row.id, ...(family === null ? {} : { family }) };
}

/**
 * One of the editor's own language models (`vscode.lm`), asked through the client. Evidence and answer are tool calls; it offers
 * neither schemas nor token counts. Only runs that a person started may ask it for the first time: who makes it checks that.
 */
export function createEditorModel(options: EditorModelOptions): Model {
  const { row, now, log } = options;
  const asker = new Asker(options);
  return {
    identity: editorIdentity(row),
    async ask(request, signal) {
      signal.throwIfAborted();
      const started = now().getTime();
      const reply = await asker.ask(request, signal);
      const took = now().getTime() - started;
      log("debug", `editor:${row.vendor} ${row.id}: ${request.schemaName} ${reply.kind} in ${took} ms.`);
      return reply;
    },
  };
}

class Asker {
  readonly #options: EditorModelOptions;
  /** Some models take `required` with a single tool only; learnt from the first exchange that failed. */
  #manyRequired = true;

  constructor(options: EditorModelOptions) {
    this.#options = options;
  }

  async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
    const mode: AnswerMode = { kind: request.tools ? "functions" : "answer-function", turn: false };
    const schema = request.wire ?? request.schema;
    const format = formatOf(mode, schema, request.schemaName);
    const tools: readonly FunctionShape[] = format.kind === "functions" ? format.functions : [];
    const messages = toEditorMessages(request.messages, instructionOf(mode, schema), request.tools);
    const { vendor, id } = this.#options.row;
    const result = await this.#send({ vendor, id, messages, tools }, signal);
    signal.throwIfAborted();
    if (result.kind === "failed") return this.#failure(result);
    const { text: content, calls } = result;
    const completed: Completed = { content, refusal: "", calls, finish: "stop", usage: USAGE };
    return readReply({ request, mode, usage: USAGE, scrub }, completed);
  }

  async #send(
    params: Omit<AskEditorModelParams, "request" | "toolMode">,
    signal: AbortSignal,
  ): Promise<AskEditorModelResult | Silence> {
    const many = params.tools.length > 1;
    const required = !many || this.#manyRequired;
    const first = await this.#exchange({ ...params, toolMode: required ? "required" : "auto" }, signal);
    if (first.kind !== "failed" || first.failure !== "other" || signal.aborted) return first;
    // The second try is the one of ruling 36; where the first asked for more than the model takes, it asks for less.
    const second = await this.#exchange({ ...params, toolMode: many ? "auto" : "required" }, signal);
    if (many && required && second.kind === "ended") this.#manyRequired = false;
    return second;
  }

  async #exchange(
    params: Omit<AskEditorModelParams, "request">,
    cancelled: AbortSignal,
  ): Promise<AskEditorModelResult | Silence> {
    const watchdog: Watchdog = startWatchdog(this.#options.idleTimeoutMs, TOTAL_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([cancelled, watchdog.signal]);
      const result = await this.#options.models.ask(params, () => watchdog.alive(), signal);
      const silence = watchdog.fired();
      return silence === null ? result : { kind: "failed", failure: "silence", why: silence };
    } finally {
      watchdog.stop();
    }
  }

  #failure<T>({ failure, why }: Extract<AskEditorModelResult, { kind: "failed" }> | Silence): ModelReply<T> {
    const { name, vendor } = this.#options.row;
    const who = `The editor's model ${scrub(name)} (${scrub(vendor)})`;
    const said = scrub(why) === "" ? "" : ` It said: ${scrub(why)}`;
    if (failure === "filtered")
      return { kind: "refused", reason: `The content filter of ${lower(who)} stopped the answer.`, usage: USAGE };
    return {
      kind: "failed",
      reason: `${who} ${WORDS[failure]}${failure === "silence" ? `: ${why}.` : said}`,
      usage: USAGE,
    };
  }
}

/** Ended by our own watch. */
interface Silence {
  readonly kind: "failed";
  readonly failure: "silence";
  readonly why: string;
}

const WORDS: Readonly<
  Record<Exclude<Extract<AskEditorModelResult, { kind: "failed" }>["failure"], "filtered"> | "silence", string>
> = {
  "not-found": "is not offered any more. Choose another one with Set Up a Model.",
  "no-permission": "may not be asked: permission for it was not given in the editor.",
  blocked: "is blocked for this extension, for the moment or by the account's rules.",
  quota: "has no quota left for this account.",
  empty: "gave no answer at all.",
  "too-long": "gave an answer longer than 4 MB, which was given up.",
  cancelled: "stopped before its answer was complete.",
  other: "failed.",
  silence: "was given up",
};

function lower(text: string): string {
  return text.replace(/^The/, "the");
}
