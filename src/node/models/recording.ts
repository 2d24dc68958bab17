import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Model, ModelReply, ModelRequest } from "../../core/ports.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { sha256 } from "../hash.ts";

const Usage = z.object({ prompt: z.number(), completion: z.number() });
const Call = z.object({
  callId: z.string(),
  call: z
    .discriminatedUnion("verb", [
      z.object({ verb: z.literal("read"), file: z.string(), from: z.number(), to: z.number() }),
      z.object({ verb: z.literal("grep"), pattern: z.string(), path: z.string(), literal: z.boolean() }),
    ])
    .nullable(),
  problem: z.string().nullable(),
  raw: z.string(),
});

const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered"), value: z.unknown(), raw: z.string(), usage: Usage }),
  z.object({ kind: z.literal("wants"), calls: z.array(Call), content: z.string(), usage: Usage }),
  z.object({ kind: z.literal("refused"), reason: z.string(), usage: Usage }),
  z.object({ kind: z.literal("malformed"), raw: z.string(), problem: z.string(), usage: Usage }),
  z.object({ kind: z.literal("failed"), reason: z.string(), usage: Usage }),
]);

/** One line of a recording: which request (by hash) got which reply from which model. Holds no message of the request. */
export const RecordedReply = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  identity: z.object({ provider: z.string(), model: z.string() }),
  /** For people who read the file. */
  schemaName: z.string(),
  reply: Reply,
});
export type RecordedReply = z.output<typeof RecordedReply>;

/** A line of a recording that cannot be used. `line` is 1-based. */
export interface DamagedLine {
  readonly line: number;
  readonly reason: string;
}

export interface Recording {
  readonly entries: readonly RecordedReply[];
  readonly damaged: readonly DamagedLine[];
}

/** Identity of a request: SHA-256 over the model that was asked, all messages, the schema's name, and whether evidence was allowed. */
export function requestHash(identity: ModelIdentity, request: Omit<ModelRequest<unknown>, "schema">): string {
  const { provider, model } = identity;
  const messages = request.messages.map((message) => {
    if (message.role === "evidence") return ["evidence", message.callId, message.content];
    if (message.role !== "assistant") return [message.role, message.content];
    return ["assistant", message.content, message.calls.map(({ callId, raw }) => [callId, raw])];
  });
  return sha256(JSON.stringify([provider, model, messages, request.schemaName, request.tools]));
}

function parseLine(text: string): RecordedReply | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  const parsed = RecordedReply.safeParse(value);
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

/** Reads the text of a recording (JSONL). Damaged lines are left out and listed. */
export function parseRecording(text: string): Recording {
  const entries: RecordedReply[] = [];
  const damaged: DamagedLine[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === "") continue;
    const entry = parseLine(line);
    if (typeof entry === "string") damaged.push({ line: index + 1, reason: entry });
    else entries.push(entry);
  }
  return { entries, damaged };
}

/** Reads a recording from disk; rejects where the file cannot be read. */
export async function readRecording(file: string): Promise<Recording> {
  return parseRecording(await readFile(file, "utf8"));
}

/** The model, with every reply written to `sink` as one line (with its line end) before it is given back. */
export function recordModel(model: Model, sink: (line: string) => void | Promise<void>): Model {
  const { provider, model: name } = model.identity;
  return {
    identity: model.identity,
    async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
      const reply = await model.ask(request, signal);
      const { schemaName } = request;
      const hash = requestHash(model.identity, request);
      await sink(`${JSON.stringify({ hash, identity: { provider, model: name }, schemaName, reply })}\n`);
      return reply;
    },
  };
}
