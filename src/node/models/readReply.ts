import * as z from "zod";
import type { ModelCall, ModelReply, ModelRequest, Usage } from "../../core/ports.ts";
import type { AnswerMode } from "./answerMode.ts";
import { parseAnswer } from "./answerSchema.ts";
import type { Completed } from "./exchange.ts";
import { extractJson } from "./extractJson.ts";
import { callFromEntry, callFromFunction } from "./verbCalls.ts";

/** What reading needs beside the answer itself. */
export interface Reading<T> {
  readonly request: ModelRequest<T>;
  readonly mode: AnswerMode;
  readonly usage: Usage;
  readonly scrub: (text: string) => string;
}

const turn = z.looseObject({ request: z.array(z.unknown()).nullish(), answer: z.unknown() });

/** Ids must differ within a conversation, and servers leave them out or repeat them: position makes them unique. */
function callId(request: ModelRequest<unknown>, given: string, position: number): string {
  const earlier = request.messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  return given === "" || earlier.some((call) => call.callId === given)
    ? `call-${earlier.length + position + 1}`
    : given;
}

function answered<T>({ request, usage }: Reading<T>, value: unknown, raw: string): ModelReply<T> {
  const parsed = parseAnswer(request.schema, value);
  return "value" in parsed
    ? { kind: "answered", value: parsed.value, raw, usage }
    : { kind: "malformed", raw, problem: parsed.problem, usage };
}

function fromFunctions<T>(reading: Reading<T>, { content, calls }: Completed): ModelReply<T> {
  const { request, usage } = reading;
  const answer = calls.find(({ name }) => name === "answer");
  const wishes = request.tools ? calls.filter(({ name }) => name !== "answer") : [];
  // A call beside an answer wins: an answer given before its evidence was read is a guess.
  if (wishes.length > 0) {
    const parsed: ModelCall[] = wishes.map((wish, position) =>
      callFromFunction(callId(request, wish.id, position), wish.name, wish.arguments),
    );
    return { kind: "wants", calls: parsed, content, usage };
  }
  if (answer === undefined) {
    const names = calls.map(({ name }) => name.slice(0, 60)).join(", ");
    return { kind: "malformed", raw: content, problem: `it called ${names} where only an answer was asked for`, usage };
  }
  const extracted = extractJson(answer.arguments);
  return "value" in extracted
    ? answered(reading, extracted.value, answer.arguments)
    : { kind: "malformed", raw: answer.arguments, problem: extracted.problem, usage };
}

function fromTurn<T>(reading: Reading<T>, value: unknown, raw: string): ModelReply<T> {
  const parsed = turn.safeParse(value);
  const { request, usage } = reading;
  // Weaker models leave the wrapper out.
  if (!parsed.success || !("request" in parsed.data || "answer" in parsed.data)) return answered(reading, value, raw);
  const entries = parsed.data.request ?? [];
  if (entries.length > 0) {
    const calls = entries.map((entry, position) => callFromEntry(callId(request, "", position), entry));
    return { kind: "wants", calls, content: raw, usage };
  }
  if (parsed.data.answer === null || parsed.data.answer === undefined) {
    return { kind: "malformed", raw, problem: "both request and answer are empty", usage };
  }
  return answered(reading, parsed.data.answer, raw);
}

function fromText<T>(reading: Reading<T>, content: string): ModelReply<T> {
  const extracted = extractJson(content);
  if ("problem" in extracted)
    return { kind: "malformed", raw: content, problem: extracted.problem, usage: reading.usage };
  return reading.request.tools
    ? fromTurn(reading, extracted.value, content)
    : answered(reading, unwrapped(extracted.value), content);
}

/** A model that asked for evidence before may keep to the wrapper when only the answer is asked for. */
function unwrapped(value: unknown): unknown {
  const parsed = turn.safeParse(value);
  return parsed.success && "request" in parsed.data && z.looseObject({}).safeParse(parsed.data.answer).success
    ? parsed.data.answer
    : value;
}

/**
 * The answer in a raw text that was kept, read as when it came; null where it holds none that fits. Of an answer only its raw text can be
 * read again: a schema may have made something else of it.
 */
export function answerIn<T>(schema: z.ZodType<T>, raw: string): { readonly value: T } | null {
  const extracted = extractJson(raw);
  if ("problem" in extracted) return null;
  const wrapped = turn.safeParse(extracted.value);
  const inner = wrapped.success ? z.looseObject({}).safeParse(wrapped.data.answer) : null;
  const parsed = parseAnswer(schema, inner?.success === true ? inner.data : extracted.value);
  return "value" in parsed ? parsed : null;
}

/** Makes of a whole answer what the engine asked for. Every text of the server is data: nothing counts before it is parsed. */
export function readReply<T>(reading: Reading<T>, completed: Completed): ModelReply<T> {
  const { usage, scrub } = reading;
  const { content, refusal, calls, finish } = completed;
  if (refusal !== "") return { kind: "refused", reason: `The model refused to answer: ${scrub(refusal)}`, usage };
  if (finish === "content_filter") {
    return { kind: "refused", reason: "The server's content filter stopped the answer.", usage };
  }
  const raw = content === "" ? (calls.at(-1)?.arguments ?? "") : content;
  if (finish === "length" || finish === "max_tokens") {
    return {
      kind: "malformed",
      raw,
      problem: "the answer was cut at the length limit before it was complete; answer more briefly",
      usage,
    };
  }
  return calls.length > 0 ? fromFunctions(reading, completed) : fromText(reading, content);
}
