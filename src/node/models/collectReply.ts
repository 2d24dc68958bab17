import * as z from "zod";
import type { Usage } from "../../core/ports.ts";
import type { Attempt, Completed } from "./exchange.ts";

/** More than any answer needs; a server that never ends must not fill the memory. */
const LONGEST_ANSWER = 4_000_000;

// Some servers send content as a list of typed parts; only the text parts are the answer, the others are thoughts.
const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((value) => {
    if (typeof value === "string") return value;
    return (value ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
  });

const message = z.looseObject({
  content,
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        id: z.string().nullish(),
        function: z
          .looseObject({
            name: z.string().nullish(),
            arguments: z.union([z.string(), z.looseObject({})]).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

const reply = z.looseObject({
  choices: z
    .array(z.looseObject({ delta: message.nullish(), message: message.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

interface Slot {
  id: string;
  name: string;
  arguments: string;
}

/** Grows an answer from the pieces of a stream, or from one whole reply. */
class Collector {
  #content = "";
  #refusal = "";
  #finish: string | null = null;
  #usage: Usage = { prompt: 0, completion: 0 };
  readonly #slots: Slot[] = [];
  readonly #slotOfIndex = new Map<number, Slot>();
  length = 0;

  add(piece: z.output<typeof reply>): void {
    if (piece.usage !== null && piece.usage !== undefined) {
      this.#usage = { prompt: piece.usage.prompt_tokens ?? 0, completion: piece.usage.completion_tokens ?? 0 };
    }
    const choice = piece.choices?.[0];
    if (choice === undefined) return;
    this.#finish = choice.finish_reason ?? this.#finish;
    const part = choice.delta ?? choice.message;
    if (part === null || part === undefined) return;
    this.#content += part.content;
    this.#refusal += part.refusal ?? "";
    this.length += part.content.length;
    for (const call of part.tool_calls ?? []) this.#addCall(call);
  }

  #addCall(call: NonNullable<z.output<typeof message>["tool_calls"]>[number]): void {
    const known =
      call.index === null || call.index === undefined ? this.#slots.at(-1) : this.#slotOfIndex.get(call.index);
    const id = call.id ?? "";
    // Servers differ: pieces of one call share an index; whole calls may come without one, or all with index 0.
    const isNew = known === undefined || (id !== "" && known.id !== "" && id !== known.id);
    const slot = isNew ? { id, name: "", arguments: "" } : known;
    if (isNew) this.#slots.push(slot);
    if (call.index !== null && call.index !== undefined) this.#slotOfIndex.set(call.index, slot);
    const text = call.function?.arguments ?? "";
    const written = typeof text === "string" ? text : JSON.stringify(text);
    slot.name ||= call.function?.name ?? "";
    slot.arguments += written;
    this.length += written.length;
  }

  /** The answer; null while no finish reason has arrived. */
  completed(): Completed | null {
    if (this.#finish === null) return null;
    return {
      content: this.#content,
      refusal: this.#refusal,
      calls: this.#slots,
      finish: this.#finish,
      usage: this.#usage,
    };
  }
}

function broken(reason: string): Attempt {
  return { kind: "broken", status: null, reason };
}

function finished(collector: Collector, otherwise: string): Attempt {
  const completed = collector.completed();
  if (completed === null) return broken(otherwise);
  return completed.finish === "error"
    ? broken("The server reported an error in the middle of its answer.")
    : { kind: "completed", ...completed };
}

const CUT = "The server's answer broke off before it was complete.";

/** Reads a stream to its end. A stream that fails after its finish reason is still a whole answer. */
export async function collectReply(stream: AsyncIterable<unknown>, signal: AbortSignal): Promise<Attempt> {
  const collector = new Collector();
  let choices = 0;
  try {
    for await (const data of stream) {
      const piece = reply.safeParse(data);
      if (!piece.success) return broken("The server sent a stream of another shape than chat completions have.");
      choices += piece.data.choices?.length ?? 0;
      collector.add(piece.data);
      if (collector.length > LONGEST_ANSWER) return broken("The server's answer is longer than 4 MB and was given up.");
    }
  } catch (error) {
    if (collector.completed() === null) throw error;
  }
  // The library ends an aborted stream without a word, as if it were complete.
  if (collector.completed() === null) signal.throwIfAborted();
  return finished(collector, choices === 0 ? "The server sent an answer without any content." : CUT);
}

/** Reads a reply from a server that does not stream. */
export function readWhole(text: string): Attempt {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return broken(CUT);
  }
  const piece = reply.safeParse(data);
  if (!piece.success || piece.data.choices === undefined || piece.data.choices === null) {
    return broken("The server sent JSON that is not a model's answer.");
  }
  const collector = new Collector();
  collector.add(piece.data);
  return finished(collector, piece.data.choices.length === 0 ? "The server sent an answer without any content." : CUT);
}
