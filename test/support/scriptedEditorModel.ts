import type { AskEditorModelParams, AskEditorModelResult, EditorModelRow } from "../../src/protocol/models.ts";
import { ChatRequest, type Script } from "./scriptedReplies.ts";

/** One of the editor's models, to which nobody objects. */
export const EDITOR_MODEL: EditorModelRow = {
  vendor: "fake",
  id: "large-1",
  name: "Fake Large",
  family: "claude-sonnet-4",
  version: "1",
  maxInputTokens: 64_000,
  access: "granted",
  agreed: false,
};

/** What a persona sees of a request to one of the editor's models. */
export function asChatRequest({ messages, tools }: AskEditorModelParams): ChatRequest {
  return ChatRequest.parse({
    messages: messages.flatMap(({ role, text, results }) => [
      ...results.map((result) => ({ role: "tool", content: result.text })),
      { role, content: text },
    ]),
    tools: tools.map(({ name, parameters }) => ({ function: { name, parameters } })),
  });
}

/** Answers as a persona would behind a server: by tool calls. */
export async function answerAs(
  script: Script,
  params: AskEditorModelParams,
  index: number,
): Promise<AskEditorModelResult> {
  const behaviour = typeof script === "function" ? await script(asChatRequest(params), index) : script[index];
  switch (behaviour?.does) {
    case "answer":
      return ended("", [{ name: "answer", arguments: behaviour.value }]);
    case "call":
      return ended(behaviour.content ?? "", behaviour.calls);
    case "say":
      return ended(behaviour.text, []);
    default:
      return { kind: "failed", failure: behaviour?.does === "refuse" ? "filtered" : "other", why: "" };
  }
}

function ended(
  text: string,
  calls: readonly { readonly name: string; readonly arguments: unknown }[],
): AskEditorModelResult {
  return {
    kind: "ended",
    text,
    calls: calls.map((call, index) => ({
      id: `call-${index}`,
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    })),
  };
}
