import { APIError, OpenAI } from "openai";
import { Stream } from "openai/streaming";
import * as z from "zod";
import { collectReply, readWhole } from "./collectReply.ts";
import type { Attempt, ChatBody, Connection } from "./exchange.ts";
import { connectionProblem, statusProblem } from "./explain.ts";
import { guardedFetch } from "./guardedFetch.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

function clientOf(connection: Connection, callFetch: typeof fetch): OpenAI {
  // Each of these would otherwise be read from environment variables that belong to another program.
  return new OpenAI({
    baseURL: connection.baseUrl,
    apiKey: connection.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: connection.totalTimeoutMs + 1000,
    fetch: callFetch,
    ...(connection.apiKey === null ? { defaultHeaders: { authorization: null } } : {}),
  });
}

async function readResponse(response: Response, client: OpenAI, signal: AbortSignal): Promise<Attempt> {
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") return readWhole(await response.text());
  if (type !== "text/event-stream" && type !== "") {
    await response.body?.cancel();
    const reason = `The server answered with ${type} instead of a model's answer. Is the address that of its API (it often ends in /v1)?`;
    return { kind: "denied", status: response.status, reason };
  }
  const controller = new AbortController();
  const stream = Stream.fromSSEResponse<unknown>(response, controller, client);
  return collectReply(stream, signal);
}

interface Exchange {
  readonly connection: Connection;
  readonly watchdog: Watchdog;
  readonly cancelled: AbortSignal;
  readonly redirectedTo: () => string | null;
}

function explainFailure(error: unknown, { connection, watchdog, cancelled, redirectedTo }: Exchange): Attempt {
  cancelled.throwIfAborted();
  const silence = watchdog.fired();
  if (silence !== null) return { kind: "broken", status: null, reason: `${connection.origin}: ${silence}.` };
  const elsewhere = redirectedTo();
  if (elsewhere !== null) {
    const reason = `${connection.origin} sends the request on to ${elsewhere}. Key and code were not sent there; set that address as the server if you trust it.`;
    return { kind: "denied", status: null, reason };
  }
  if (error instanceof APIError && typeof error.status === "number")
    return statusProblem(error, error.status, connection);
  if (error instanceof SyntaxError) {
    return { kind: "broken", status: null, reason: `${connection.origin} sent a stream that is not JSON.` };
  }
  return { kind: "broken", status: null, reason: connectionProblem(error, connection) };
}

/** One use of the server: no retry, ended by silence or cancellation. Rejects only with the signal's reason. */
async function exchange<T>(
  connection: Connection,
  cancelled: AbortSignal,
  use: (client: OpenAI, signal: AbortSignal) => Promise<T>,
): Promise<T | Attempt> {
  cancelled.throwIfAborted();
  const watchdog = startWatchdog(connection.idleTimeoutMs, connection.totalTimeoutMs);
  const over = new AbortController();
  const signal = AbortSignal.any([cancelled, watchdog.signal, over.signal]);
  let redirectedTo: string | null = null;
  const callFetch = guardedFetch({
    fetch: connection.fetch,
    signal,
    alive: () => watchdog.alive(),
    onForeignRedirect: (origin) => {
      redirectedTo = origin;
    },
  });
  try {
    const result = await use(clientOf(connection, callFetch), signal);
    cancelled.throwIfAborted();
    return result;
  } catch (error) {
    return explainFailure(error, { connection, watchdog, cancelled, redirectedTo: () => redirectedTo });
  } finally {
    watchdog.stop();
    // Whatever the outcome, no request and no body may go on behind it.
    over.abort();
  }
}

/** One answer of the model: no retry, ended by silence or cancellation. Rejects only with the signal's reason. */
export async function attempt(connection: Connection, body: ChatBody, cancelled: AbortSignal): Promise<Attempt> {
  return await exchange(connection, cancelled, async (client, signal) => {
    const response = await client.chat.completions.create(body).asResponse();
    return await readResponse(response, client, signal);
  });
}

/** The names of a server's models, sorted. `unlisted`: it answers with something else. */
export type Listed = { readonly kind: "listed"; readonly models: readonly string[] } | { readonly kind: "unlisted" };

/** What a server says it serves; without the list, why there is none. Rejects only with the signal's reason. */
export async function listModels(connection: Connection, cancelled: AbortSignal): Promise<Listed | Attempt> {
  return await exchange(connection, cancelled, async (client): Promise<Listed> => {
    const text = await (await client.models.list().asResponse()).text();
    return readModels(text);
  });
}

const Models = z.object({ data: z.array(z.looseObject({ id: z.string().min(1).max(500) })).max(20_000) });

function readModels(text: string): Listed {
  try {
    const { data } = Models.parse(JSON.parse(text));
    return { kind: "listed", models: [...new Set(data.map(({ id }) => id))].sort() };
  } catch {
    return { kind: "unlisted" };
  }
}
