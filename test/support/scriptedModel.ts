import type { Model, ModelCall, ModelReply, ModelRequest, Prompts, Usage } from "../../src/core/ports.ts";
import { sha256 } from "./memoryRepository.ts";

/** Who is asked: the question of a round, the arbiter, a refuter, a second opinion, or its answer to an objection. */
export type Role = "premise" | "defences" | "missed" | "arbiter" | "refuter" | "opinion" | "rebuttal";

/** What a script sees of one request. */
export interface Asked {
  readonly role: Role;
  /** All messages as one text. */
  readonly prompt: string;
  /** How often this role was asked before in this conversation or an earlier one. */
  readonly nth: number;
  readonly tools: boolean;
  readonly request: ModelRequest<unknown>;
}

/** What a script answers: a value that is parsed by the request's schema, or what else can happen to a request. */
export type Said =
  | { readonly answer: unknown }
  | { readonly wants: readonly ModelCall[] }
  | { readonly refused: string }
  | { readonly failed: string }
  | { readonly raw: string };

export interface ScriptedModel extends Model {
  readonly asked: readonly Asked[];
}

const USAGE: Usage = { prompt: 100, completion: 10 };

const ROLES: Readonly<Record<string, Role>> = {
  "round-1-premise": "premise",
  "round-2-defences": "defences",
  "round-3-missed": "missed",
  arbiter: "arbiter",
  refute: "refuter",
  verdict: "opinion",
  rebuttal: "rebuttal",
};

/** Prompt files whose bodies name themselves. */
export const scriptedPrompts: Prompts = (id) => ({ id, version: 1, body: `PROMPT ${id}`, hash: sha256(id) });

/** A model that answers by a script. What does not fit the request's schema comes back as malformed, as adapters do it. */
export function createScriptedModel(script: (asked: Asked) => Said | Promise<Said>): ScriptedModel {
  const asked: Asked[] = [];
  return {
    asked,
    identity: { provider: "scripted", model: "script" },
    async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
      signal.throwIfAborted();
      const prompt = request.messages.map(({ content }) => content).join("\n");
      const named = prompt
        .match(/PROMPT (?:round-\d-[a-z]+|arbiter|refute|verdict|rebuttal)/g)
        ?.at(-1)
        ?.slice(7);
      const role = ROLES[named ?? ""] ?? "arbiter";
      const nth = asked.filter((earlier) => earlier.role === role).length;
      const seen: Asked = { role, prompt, nth, tools: request.tools, request };
      asked.push(seen);
      return toReply(await script(seen), request);
    },
  };
}

function toReply<T>(said: Said, request: ModelRequest<T>): ModelReply<T> {
  if ("wants" in said) return { kind: "wants", calls: said.wants, content: "", usage: USAGE };
  if ("refused" in said) return { kind: "refused", reason: said.refused, usage: USAGE };
  if ("failed" in said) return { kind: "failed", reason: said.failed, usage: { prompt: 0, completion: 0 } };
  if ("raw" in said) return { kind: "malformed", raw: said.raw, problem: "not the required form", usage: USAGE };
  const parsed = request.schema.safeParse(said.answer);
  const raw = JSON.stringify(said.answer);
  return parsed.success
    ? { kind: "answered", value: parsed.data, raw, usage: USAGE }
    : { kind: "malformed", raw, problem: parsed.error.message, usage: USAGE };
}

/** An answer in the form of rounds and arbiter. */
export function says(
  verdict: "VALID" | "INVALID" | "UNCERTAIN",
  citations: readonly {
    readonly file: string;
    readonly line: number;
    readonly endLine: number;
    readonly quote: string;
  }[] = [],
  words: { readonly crux?: string; readonly reasoning?: string } = {},
): Said {
  return {
    answer: {
      verdict,
      crux: words.crux ?? "the key fact",
      reasoning: words.reasoning ?? "why",
      citations,
      grepUsed: true,
    },
  };
}

/** A citation of one line. */
export function cites(file: string, line: number, quote: string) {
  return { file, line, endLine: line, quote };
}
