import * as z from "zod";
import type { Model, ModelCall, ModelReply, ModelRequest } from "../../core/ports.ts";
import type { SealedStore } from "../cache/sealedStore.ts";
import { sha256 } from "../hash.ts";
import { answerIn } from "./readReply.ts";
import { requestHash } from "./recording.ts";
import { callFromFunction } from "./verbCalls.ts";

const Usage = z.object({ prompt: z.number(), completion: z.number() });
const Call = z.object({ callId: z.string(), understood: z.boolean(), problem: z.string().nullable(), raw: z.string() });
type KeptCall = z.output<typeof Call>;

/** A reply as it is kept: `failed` never is. */
const Kept = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered"), raw: z.string(), usage: Usage }),
  z.object({ kind: z.literal("wants"), calls: z.array(Call), content: z.string(), usage: Usage }),
  z.object({ kind: z.literal("refused"), reason: z.string(), usage: Usage }),
  z.object({ kind: z.literal("malformed"), raw: z.string(), problem: z.string(), usage: Usage }),
]);
type Kept = z.output<typeof Kept>;

/** A reply that a later run may ask for again: a server that refused or broke off once need not do so again. */
const Passing = z.looseObject({ kind: z.enum(["refused", "malformed"]) });

/** Costs nothing: the call was paid for by an earlier run. */
const NOTHING = { prompt: 0, completion: 0, cached: true } as const;

export interface ReplyJournalOptions {
  readonly store: SealedStore;
  /** True: nothing is read, so that every question is asked anew; replies are written all the same. */
  readonly fresh: boolean;
}

/**
 * A model whose replies outlive the process: each is on disk before it is given on, and the same request is answered from
 * there without a call. A run that was killed goes on where it was (R4.24). What failed is not kept; what was refused or
 * malformed is kept until its finding is judged (`forgetPassing`), so that a resumption does not ask again, and a later run does.
 */
export function journalModel(model: Model, { store, fresh }: ReplyJournalOptions): Model {
  // Whoever puts a question once more to which there was no answer wants it asked (R4.4).
  const passed = new Set<string>();
  return {
    identity: model.identity,
    async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
      signal.throwIfAborted();
      const id = journalHash(model, request);
      const kept = fresh ? undefined : await store.get("reply", id);
      signal.throwIfAborted();
      const put = passed.has(id) && Passing.safeParse(kept).success;
      const known = kept === undefined || put ? null : readKept(kept, request);
      const reply = known ?? (await model.ask(request, signal));
      if (Passing.safeParse(reply).success) passed.add(id);
      if (known !== null) return known;
      if (reply.kind !== "failed") await store.put("reply", id, request.about ?? "", toKept(reply));
      return reply;
    },
  };
}

/** Drops what is kept of a finding for a resumption only; called once its judgement is on disk. */
export async function forgetPassing(store: SealedStore, finding: string): Promise<void> {
  await store.removeAbout("reply", finding, (value) => Passing.safeParse(value).success);
}

/** SHA-256 of all that a reply depends on: who is asked, the whole conversation, and the form the answer is held to. */
function journalHash({ identity }: Model, request: ModelRequest<unknown>): string {
  const held = [request.schema, request.wire].map((form) => (form === undefined ? null : formOf(form)));
  return sha256(JSON.stringify([requestHash(identity, request), ...held]));
}

/** All findings are asked with the same few forms. */
const forms = new WeakMap<z.ZodType, unknown>();

function formOf(form: z.ZodType): unknown {
  const known = forms.get(form) ?? z.toJSONSchema(form, { io: "input", unrepresentable: "any" });
  forms.set(form, known);
  return known;
}

function toKept(reply: Exclude<ModelReply<unknown>, { kind: "failed" }>): Kept {
  if (reply.kind === "answered") return { kind: "answered", raw: reply.raw, usage: reply.usage };
  if (reply.kind !== "wants") return reply;
  const calls = reply.calls.map(({ callId, call, problem, raw }) => ({
    callId,
    understood: call !== null,
    problem,
    raw,
  }));
  return { kind: "wants", calls, content: reply.content, usage: reply.usage };
}

/** The reply as the request wants it; null where what is kept does not fit it any more. */
function readKept<T>(value: unknown, request: ModelRequest<T>): ModelReply<T> | null {
  const kept = Kept.safeParse(value);
  if (!kept.success) return null;
  const reply = kept.data;
  if (reply.kind === "answered") {
    const answer = answerIn(request.schema, reply.raw);
    return answer === null ? null : { kind: "answered", value: answer.value, raw: reply.raw, usage: NOTHING };
  }
  if (reply.kind !== "wants") return { ...reply, usage: NOTHING };
  const calls = reply.calls.map(readCall);
  const understood = calls.filter((call) => call !== null);
  if (understood.length < calls.length) return null;
  return { kind: "wants", calls: understood, content: reply.content, usage: NOTHING };
}

/** A call, parsed again from the model's own words by today's verbs. */
function readCall({ callId, understood, problem, raw }: KeptCall): ModelCall | null {
  if (!understood) return { callId, call: null, problem, raw };
  const parts = /^([\w-]{1,64})\((.*)\)$/s.exec(raw);
  const call = callFromFunction(callId, parts?.[1] ?? "", parts?.[2] ?? "");
  return call.call === null ? null : { ...call, raw };
}
