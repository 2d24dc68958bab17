import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { PROBE_TEXT } from "../../src/node/models/probe.ts";

const Properties = z.looseObject({}).optional();
const Parameters = z.looseObject({ properties: Properties }).optional();

/** A chat completions request, as far as scripts look at it. */
export const ChatRequest = z.looseObject({
  model: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean() }).optional(),
  messages: z
    .array(
      z.looseObject({ role: z.string(), content: z.string().nullish(), tool_calls: z.array(z.unknown()).optional() }),
    )
    .default([]),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: Parameters }) })).optional(),
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string(), schema: Parameters }) }).optional(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

export interface FunctionWish {
  readonly name: string;
  /** An object is written as JSON; a string goes out as it is, broken or not. */
  readonly arguments: unknown;
}

/** What the server does with one request. `pieceMs` is the pause between two pieces of a stream. */
export type Behaviour =
  /** Answers in the form the request asks for: function, schema (with the request/answer wrapper where wanted) or text. */
  | {
      readonly does: "answer";
      readonly value: unknown;
      readonly pieceMs?: number;
      readonly usage?: readonly [number, number];
    }
  /** Asks for evidence, by functions or by a request/answer turn. */
  | {
      readonly does: "call";
      readonly calls: readonly FunctionWish[];
      readonly content?: string;
      readonly pieceMs?: number;
    }
  /** Streams this text, whatever was asked for. */
  | { readonly does: "say"; readonly text: string; readonly finish?: string; readonly pieceMs?: number }
  | { readonly does: "refuse"; readonly text: string }
  /** Replies with one JSON body instead of a stream. */
  | { readonly does: "whole"; readonly body: unknown }
  | { readonly does: "stall"; readonly at: "headers" | "first piece" | "middle" | "comments" }
  /** Ends the stream after this text, without a finish reason; `hard` tears the connection instead of ending it. */
  | { readonly does: "cut"; readonly text: string; readonly hard?: boolean }
  /** Streams these `data:` payloads word for word. */
  | { readonly does: "events"; readonly events: readonly string[] }
  | {
      readonly does: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly error?: Readonly<Record<string, unknown>>;
    }
  | { readonly does: "html" }
  | { readonly does: "reset" }
  | { readonly does: "redirect"; readonly to: string; readonly status?: number };

/** A list is used up one request after the other; a function is asked for each, and may hold it back for a while. */
export type Script = readonly Behaviour[] | ((request: ChatRequest, index: number) => Behaviour | Promise<Behaviour>);

const WORDS = /[\s\S]{1,24}/g;

function deltaEvent(delta: unknown, finish: string | null = null): string {
  return JSON.stringify({
    id: "r",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
}

function textEvents(text: string, finish: string): readonly string[] {
  return [...(text.match(WORDS) ?? []).map((content) => deltaEvent({ content })), deltaEvent({}, finish)];
}

function callEvents(calls: readonly FunctionWish[], content: string): readonly string[] {
  const events = content === "" ? [] : [deltaEvent({ content })];
  for (const [index, { name, arguments: given }] of calls.entries()) {
    const text = typeof given === "string" ? given : JSON.stringify(given);
    const id = `call_${name}_${index}`;
    events.push(deltaEvent({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of text.match(WORDS) ?? []) {
      events.push(deltaEvent({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  return [...events, deltaEvent({}, "tool_calls")];
}

/** True where the request asks for a request/answer turn. */
function wantsTurn(request: ChatRequest): boolean {
  const properties = request.response_format?.json_schema.schema?.properties;
  if (properties !== undefined) return "request" in properties && "answer" in properties;
  return request.messages.some(
    ({ role, content }) => role === "system" && (content ?? "").includes("two members, `request`"),
  );
}

function offers(request: ChatRequest, name: string): boolean {
  return request.tools?.some((tool) => tool.function.name === name) ?? false;
}

function answerEvents(request: ChatRequest, value: unknown): readonly string[] {
  if (offers(request, "answer")) return callEvents([{ name: "answer", arguments: value }], "");
  return textEvents(JSON.stringify(wantsTurn(request) ? { request: null, answer: value } : value), "stop");
}

function wishEvents(request: ChatRequest, calls: readonly FunctionWish[], content: string): readonly string[] {
  if (offers(request, "read_file")) return callEvents(calls, content);
  const entries = calls.map(({ name, arguments: given }) => ({ verb: name, ...z.looseObject({}).parse(given) }));
  return textEvents(JSON.stringify({ request: entries, answer: null }), "stop");
}

/** True for the capability probes of the model adapter. */
export function isProbe(request: ChatRequest): boolean {
  return request.messages.some(({ content }) => content === PROBE_TEXT);
}

/** The value that only the probe's schema holds. */
function probeValue(request: ChatRequest): unknown {
  const schema = request.response_format?.json_schema.schema ?? request.tools?.[0]?.function.parameters;
  const state = z.looseObject({ enum: z.array(z.string()) }).parse(schema?.properties?.["state"]);
  return { state: state.enum[0] };
}

/** How a server takes the capability probes; true: as one that can. */
export interface Abilities {
  readonly schema?: boolean | Behaviour;
  readonly functions?: boolean | Behaviour;
}

/** What the server does with a probe. */
export function probeBehaviour(request: ChatRequest, abilities: Abilities): Behaviour {
  const able = (request.tools === undefined ? abilities.schema : abilities.functions) ?? true;
  if (typeof able !== "boolean") return able;
  return able ? { does: "answer", value: probeValue(request) } : { does: "say", text: "Sure! I am ready." };
}

function usageEvent(request: ChatRequest, behaviour: Behaviour): readonly string[] {
  if (request.stream_options?.include_usage !== true) return [];
  const [prompt_tokens, completion_tokens] = (behaviour.does === "answer" ? behaviour.usage : undefined) ?? [100, 20];
  return [JSON.stringify({ id: "r", choices: [], usage: { prompt_tokens, completion_tokens } })];
}

async function stream(response: ServerResponse, events: readonly string[], pieceMs = 0): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    if (response.destroyed) return;
    response.write(`data: ${event}\n\n`);
    if (pieceMs > 0) await pause(pieceMs);
  }
}

async function comments(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  while (!response.destroyed) {
    response.write(": still here\n\n");
    await pause(10);
  }
}

async function stall(response: ServerResponse, at: "headers" | "first piece" | "middle" | "comments"): Promise<void> {
  if (at === "comments") await comments(response);
  if (at === "middle") await stream(response, [deltaEvent({ content: '{"verdict": "INV' })]);
  if (at === "first piece") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string, headers = {}): void {
  response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

function eventsOf(request: ChatRequest, behaviour: Behaviour): readonly string[] | null {
  switch (behaviour.does) {
    case "answer":
      return answerEvents(request, behaviour.value);
    case "call":
      return wishEvents(request, behaviour.calls, behaviour.content ?? "");
    case "say":
      return textEvents(behaviour.text, behaviour.finish ?? "stop");
    case "refuse":
      return [deltaEvent({ refusal: behaviour.text }), deltaEvent({}, "stop")];
    default:
      return null;
  }
}

/** Does with a request what the script says. */
export async function act(request: ChatRequest, behaviour: Behaviour, response: ServerResponse): Promise<void> {
  const events = eventsOf(request, behaviour);
  if (events !== null) {
    await stream(
      response,
      [...events, ...usageEvent(request, behaviour), "[DONE]"],
      "pieceMs" in behaviour ? behaviour.pieceMs : 0,
    );
    response.end();
  } else await actBadly(behaviour, response);
}

async function actBadly(behaviour: Behaviour, response: ServerResponse): Promise<void> {
  switch (behaviour.does) {
    case "whole":
      return reply(
        response,
        200,
        "application/json",
        typeof behaviour.body === "string" ? behaviour.body : JSON.stringify(behaviour.body),
      );
    case "stall":
      return stall(response, behaviour.at);
    case "cut":
      await stream(response, [deltaEvent({ content: behaviour.text })]);
      return behaviour.hard === true ? void setImmediate(() => response.destroy()) : void response.end();
    case "events":
      await stream(response, behaviour.events);
      return void response.end();
    case "status": {
      const error = { message: "scripted error", type: "error", param: null, code: null, ...behaviour.error };
      return reply(response, behaviour.status, "application/json", JSON.stringify({ error }), behaviour.headers);
    }
    case "html":
      return reply(response, 200, "text/html; charset=utf-8", "<!doctype html><title>Sign in</title>");
    case "redirect":
      return void response.writeHead(behaviour.status ?? 307, { location: behaviour.to }).end();
    default:
      return void response.socket?.resetAndDestroy();
  }
}
