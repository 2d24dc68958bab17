import type { EditorMessage } from "../../protocol/models.ts";
import type { ModelMessage } from "../../core/ports.ts";
import { functionOf } from "./verbCalls.ts";

type Evidence = Extract<ModelMessage, { role: "evidence" }>;

/**
 * The conversation as the editor's models take it: two roles, so the standing part and `instruction` open the first message of
 * the user. `native` false writes earlier calls and their results as text, for a request that offers no evidence functions.
 */
export function toEditorMessages(
  messages: readonly ModelMessage[],
  instruction: string,
  native: boolean,
): readonly EditorMessage[] {
  const end = messages.findIndex(({ role }) => role !== "system");
  const standing = messages.slice(0, end === -1 ? messages.length : end).map(({ content }) => content);
  const result: EditorMessage[] = [say("user", [...standing, instruction].filter((text) => text !== "").join("\n\n"))];
  for (const message of messages.slice(standing.length)) {
    const next = toMessage(message, native);
    const before = result.at(-1);
    if (before?.role === next.role) result[result.length - 1] = joined(before, next);
    else result.push(next);
  }
  return result;
}

function say(role: EditorMessage["role"], text: string): EditorMessage {
  return { role, text, calls: [], results: [] };
}

function toMessage(message: ModelMessage, native: boolean): EditorMessage {
  if (message.role === "evidence") return evidence(message, native);
  if (message.role !== "assistant") return say("user", message.content);
  const calls = message.calls.map((call) => ({ id: call.callId, ...functionOf(call) }));
  if (native) return { ...say("assistant", message.content), calls: calls };
  const asked = calls.map(({ name, arguments: text }) => `${name}(${text})`);
  const text = [message.content, ...asked].filter((line) => line !== "").join("\n");
  return say("assistant", text === "" ? "(no answer)" : text);
}

function evidence({ callId, content }: Evidence, native: boolean): EditorMessage {
  if (!native) return say("user", `Result of ${callId}:\n${content}`);
  return { ...say("user", ""), results: [{ id: callId, text: content }] };
}

function joined(before: EditorMessage, next: EditorMessage): EditorMessage {
  return {
    role: before.role,
    text: [before.text, next.text].filter((text) => text !== "").join("\n\n"),
    calls: [...before.calls, ...next.calls],
    results: [...before.results, ...next.results],
  };
}
