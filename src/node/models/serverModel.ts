import { familyOf } from "../../core/modelFamily.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import type { Model, ModelReply, ModelRequest, Now } from "../../core/ports.ts";
import { type AnswerMode, chooseMode, formatOf, instructionOf } from "./answerMode.ts";
import type { Connection } from "./exchange.ts";
import { toChat } from "./conversation.ts";
import { scrubber } from "./explain.ts";
import { extractJson } from "./extractJson.ts";
import { type Abilities, abilitiesOf } from "./probe.ts";
import { readReply } from "./readReply.ts";
import type { ModelLog, Sleep } from "./retry.ts";
import { callServer, type Meter, type Server, startMeter } from "./server.ts";
import { type ProbeCache, traitStore } from "./serverTraits.ts";

export interface ServerModelOptions {
  /** Address of the API, as `https://host/v1`; http and https. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent to this server's origin alone, never logged; null for servers that want none. */
  readonly apiKey: string | null;
  /** Longest silence of the server, before its headers and between two pieces of its answer. */
  readonly idleTimeoutMs: number;
  /** Longest time for one exchange in all; 15 minutes where not given. */
  readonly totalTimeoutMs?: number;
  readonly now: Now;
  readonly sleep: Sleep;
  readonly log: ModelLog;
  readonly probeCache: ProbeCache;
  readonly fetch?: typeof fetch;
  /** 0..1, spreads waits; none where not given. */
  readonly jitter?: () => number;
}

const TOTAL_TIMEOUT_MS = 15 * 60_000;

/** Why this cannot be a server's address, as a sentence; null where it can. */
export function addressProblem(baseUrl: string): string | null {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return `"${baseUrl.slice(0, 200)}" is no server address. It has to begin with http:// or https:// and often ends in /v1.`;
  }
  return url.username !== "" || url.password !== ""
    ? "The server address holds a user name or password. Take it out and store it as the server's key."
    : null;
}

/** The server of a model, with what is known of it. */
export function serverOf(options: ServerModelOptions): Server {
  const origin = URL.parse(options.baseUrl)?.origin ?? options.baseUrl;
  const { apiKey, model } = options;
  const connection: Connection = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    apiKey: apiKey === "" ? null : apiKey,
    fetch: options.fetch ?? globalThis.fetch,
    idleTimeoutMs: options.idleTimeoutMs,
    totalTimeoutMs: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    origin,
    model,
    scrub: scrubber(apiKey),
    now: options.now,
  };
  return {
    connection,
    retry: { sleep: options.sleep, jitter: options.jitter ?? (() => 0), log: options.log },
    traits: traitStore(options.probeCache, connection.baseUrl, model),
  };
}

interface Asking {
  readonly server: Server;
  readonly abilities: Abilities;
  readonly meter: Meter;
  readonly mode: AnswerMode;
}

async function askIn<T>(asking: Asking, request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
  const { server, abilities, meter, mode } = asking;
  // One name for one form: the name is part of the head of a request that servers cache.
  const form = request.wire ?? request.schema;
  const name = request.wire === undefined ? request.schemaName : "answer";
  const messages = toChat(request.messages, instructionOf(mode, form), mode.kind === "functions");
  const format = formatOf(mode, form, name);
  const result = await callServer(server, { messages, format, meter }, signal);
  if (result.kind !== "completed") return { kind: "failed", reason: result.reason, usage: meter.total() };
  abilities.answered();
  const reply = readReply({ request, mode, usage: meter.total(), scrub: server.connection.scrub }, result.completed);
  // The probe saw the schema kept, this answer did not keep to it: the next request says in words what it wants.
  if (mode.kind === "schema" && reply.kind === "malformed" && result.completed.finish === "stop") {
    if ("problem" in extractJson(reply.raw)) abilities.broken("schema");
  }
  return reply;
}

/**
 * A model behind any OpenAI-compatible server. How it gives answers (JSON schema, function call, JSON in text) is probed
 * once and validated, never assumed. Retries, silence and cancellation as in ruling 36; every failure comes back as a
 * reply, `ask` rejects only with the signal's reason.
 */
export function createServerModel(options: ServerModelOptions): Model {
  const problem = addressProblem(options.baseUrl);
  const origin = URL.parse(options.baseUrl)?.origin ?? options.baseUrl;
  const family = familyOf(options.model);
  const identity: ModelIdentity = { provider: origin, model: options.model, ...(family === null ? {} : { family }) };
  if (problem !== null) {
    const usage = { prompt: 0, completion: 0 };
    return { identity, ask: async () => ({ kind: "failed", reason: problem, usage }) };
  }
  const server = serverOf(options);
  const abilities = abilitiesOf(server);
  return {
    identity,
    async ask(request, signal) {
      signal.throwIfAborted();
      const meter = startMeter();
      const mode = await chooseMode(request.tools, abilities, meter, signal);
      if (mode.kind === "failed") return { kind: "failed", reason: mode.reason, usage: meter.total() };
      const started = options.now().getTime();
      const reply = await askIn({ server, abilities, meter, mode }, request, signal);
      const { prompt, completion } = reply.usage;
      const took = options.now().getTime() - started;
      options.log(
        "debug",
        `${origin} ${options.model}: ${request.schemaName} ${reply.kind} by ${mode.kind} in ${took} ms, ${prompt}+${completion} tokens.`,
      );
      return reply;
    },
  };
}
