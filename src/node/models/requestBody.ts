import type { ChatBody } from "./exchange.ts";
import type { ChatMessage } from "./conversation.ts";
import type { JsonSchema } from "./answerSchema.ts";
import type { Settled } from "./retry.ts";
import type { FunctionShape } from "./verbCalls.ts";

/** Members of a request that some server refuses and none needs. `stream_options` stands last: without it no tokens are counted. */
export const OPTIONAL_MEMBERS = [
  "temperature",
  "max_completion_tokens",
  "max_tokens",
  "parallel_tool_calls",
  "tool_choice",
  "strict",
  "provider",
  "stream_options",
] as const;
export type OptionalMember = (typeof OPTIONAL_MEMBERS)[number];

/** How the answer is asked for. */
export type Format =
  | { readonly kind: "schema"; readonly name: string; readonly schema: JsonSchema }
  | { readonly kind: "functions"; readonly functions: readonly FunctionShape[]; readonly choice: "required" | "answer" }
  | { readonly kind: "text" };

export interface BodyParts {
  readonly host: string;
  readonly model: string;
  readonly messages: ChatMessage[];
  readonly format: Format;
  /** Members this server refused earlier. */
  readonly dropped: ReadonlySet<OptionalMember>;
}

/** Room for a reasoned answer with thoughts; a small local model that never stops is cut here, and the reply says so. */
const MOST_TOKENS = 16_384;

function formatMembers(format: Format, dropped: ReadonlySet<OptionalMember>): Partial<ChatBody> {
  const strict = dropped.has("strict") ? {} : { strict: true };
  if (format.kind === "text") return {};
  if (format.kind === "schema") {
    const json_schema = { name: format.name, schema: { ...format.schema }, ...strict };
    return { response_format: { type: "json_schema", json_schema } };
  }
  const tools = format.functions.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters: { ...parameters }, ...strict },
  }));
  const choice =
    format.choice === "required" ? "required" : { type: "function" as const, function: { name: "answer" } };
  return {
    tools,
    ...(dropped.has("tool_choice") ? {} : { tool_choice: choice }),
    ...(dropped.has("parallel_tool_calls") ? {} : { parallel_tool_calls: false }),
  };
}

/** True for the hosts that know only the newer name of the length limit. */
function takesCompletionTokens(host: string): boolean {
  return host === "api.openai.com" || host.endsWith(".openai.azure.com") || host.endsWith(".services.ai.azure.com");
}

/** Builds the request body, without the members this server refused earlier. */
export function requestBody({ host, model, messages, format, dropped }: BodyParts): ChatBody {
  const limit = takesCompletionTokens(host) ? "max_completion_tokens" : "max_tokens";
  const members = {
    model,
    stream: true as const,
    ...formatMembers(format, dropped),
    ...(dropped.has("temperature") ? {} : { temperature: 0 }),
    ...(dropped.has(limit) ? {} : { [limit]: MOST_TOKENS }),
    ...(dropped.has("stream_options") ? {} : { stream_options: { include_usage: true } }),
    // Without it the router drops the answer's schema silently for providers that do not know it.
    ...(host === "openrouter.ai" && !dropped.has("provider") ? { provider: { require_parameters: true } } : {}),
    // Last: what stays the same over the calls of a finding stands before what differs, in the text of the request too.
    messages,
  };
  return members;
}

/** The optional members a body holds, in the order they are given up. */
function heldMembers(body: ChatBody): readonly OptionalMember[] {
  const text = JSON.stringify({ ...body, messages: [] });
  return OPTIONAL_MEMBERS.filter((member) => (member === "strict" ? text.includes('"strict":true') : member in body));
}

/**
 * What to leave out after a 400 or 422: the member the server names, else all but `stream_options`, else that too; empty
 * where nothing is left to leave out or the request is at fault. Servers have no common field for the culprit, so its name
 * is looked for in what they say.
 */
export function membersToDrop(
  body: ChatBody,
  rejection: Extract<Settled, { kind: "rejected" }>,
): readonly OptionalMember[] {
  if (rejection.code === "context_length_exceeded") return [];
  const held = heldMembers(body);
  const named = held.find((member) => rejection.named.includes(member));
  if (named !== undefined) return [named];
  const first = held.filter((member) => member !== "stream_options");
  return first.length > 0 ? first : held;
}
