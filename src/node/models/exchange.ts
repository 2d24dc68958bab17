import type { OpenAI } from "openai";
import type { Now, Usage } from "../../core/ports.ts";

/** A request body; streaming is always on. */
export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;

/** A function call as the server reported it; `arguments` is the text the model wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A whole answer: it has a finish reason, without one it does not count. */
export interface Completed {
  readonly content: string;
  readonly refusal: string;
  readonly calls: readonly FunctionCall[];
  readonly finish: string;
  readonly usage: Usage;
}

/** What it takes to explain a failure without giving anything away. */
export interface Explain {
  /** `https://host:port`, as shown to the person. */
  readonly origin: string;
  readonly model: string;
  /** Takes the key out of a text and cuts it to a size for one line. */
  readonly scrub: (text: string) => string;
  readonly now: Now;
}

/** What one HTTP exchange came to. Every `reason` is a sentence for a person and never holds the key. */
export type Attempt =
  | ({ readonly kind: "completed" } & Completed)
  /** 429 or 503: `waitMs` as the server asked, null where it did not say. */
  | { readonly kind: "wait"; readonly waitMs: number | null; readonly reason: string }
  /** The exchange broke; another may work. `status` where the server itself said so (5xx). */
  | { readonly kind: "broken"; readonly status: number | null; readonly reason: string }
  /** 400 or 422: the server does not take this request. `named` is the text in which it may name the culprit. */
  | { readonly kind: "rejected"; readonly code: string | null; readonly named: string; readonly reason: string }
  /** Nothing that a second try could mend. */
  | { readonly kind: "denied"; readonly status: number | null; readonly reason: string };

/** What every exchange with one server shares. */
export interface Connection extends Explain {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}
