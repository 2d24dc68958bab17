import type { OpenAI } from "openai";
import * as z from "zod";
import type { ModelCall, ModelMessage } from "../../core/ports.ts";
import { functionOf } from "./verbCalls.ts";

/** A message as chat completions take it. */
export type ChatMessage = OpenAI.ChatCompletionMessageParam;

/** Earlier calls as the text of a request/answer turn. */
function turnText(calls: readonly ModelCall[]): string {
  const request = calls.map((call) => {
    const { name, arguments: text } = functionOf(call);
    return { verb: name, ...z.looseObject({}).parse(JSON.parse(text)) };
  });
  return JSON.stringify({ request, answer: null });
}

function plain(role: "system" | "user" | "assistant", content: string): ChatMessage {
  return { role, content };
}

function nativeMessage(message: ModelMessage): ChatMessage {
  if (message.role === "evidence") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return plain("user", message.content);
  // Servers refuse an empty assistant message; it stands only where the model said nothing at all.
  if (message.calls.length === 0) return plain("assistant", message.content === "" ? "(no answer)" : message.content);
  return {
    role: "assistant",
    content: message.content === "" ? null : message.content,
    tool_calls: message.calls.map((call) => ({ id: call.callId, type: "function", function: functionOf(call) })),
  };
}

function textMessage(message: ModelMessage, calls: ReadonlyMap<string, ModelCall>): ChatMessage {
  if (message.role === "evidence") {
    const call = calls.get(message.callId);
    const asked = call === undefined ? message.callId : `${functionOf(call).name}(${functionOf(call).arguments})`;
    return plain("user", `Result of ${asked}:\n${message.content}`);
  }
  if (message.role !== "assistant" || message.calls.length === 0) return nativeMessage(message);
  return plain("assistant", turnText(message.calls));
}

function joinedUser(previous: ChatMessage | undefined, next: ChatMessage): ChatMessage | null {
  if (previous?.role !== "user" || next.role !== "user") return null;
  return typeof previous.content === "string" && typeof next.content === "string"
    ? plain("user", `${previous.content}\n\n${next.content}`)
    : null;
}

/**
 * The conversation as a server takes it. `instruction` says how to answer and stands at the end of the standing part, so
 * that the head stays the same for every finding and the server's cache of it works. Neighbours of one role are joined and
 * later system messages become user messages: many chat templates accept neither. `native` false writes earlier calls and
 * their results as text, for a request that offers no functions.
 */
export function toChat(messages: readonly ModelMessage[], instruction: string, native: boolean): ChatMessage[] {
  const end = messages.findIndex((message) => message.role !== "system");
  const standing = messages.slice(0, end === -1 ? messages.length : end);
  const system = [...standing.map((message) => message.content), instruction].filter((text) => text !== "");
  const result: ChatMessage[] = system.length === 0 ? [] : [plain("system", system.join("\n\n"))];
  const calls = new Map(
    messages
      .flatMap((message) => (message.role === "assistant" ? message.calls : []))
      .map((call) => [call.callId, call]),
  );
  for (const message of messages.slice(standing.length)) {
    const next = native ? nativeMessage(message) : textMessage(message, calls);
    const previous = result.at(-1);
    const joined = joinedUser(previous, next);
    if (joined === null) result.push(next);
    else result[result.length - 1] = joined;
  }
  return result;
}
