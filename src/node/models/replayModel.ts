import * as z from "zod";
import type { Model, ModelReply, ModelRequest } from "../../core/ports.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { answerIn } from "./readReply.ts";
import { readRecording, type RecordedReply, requestHash } from "./recording.ts";
import type { ModelLog } from "./retry.ts";

const NO_USAGE = { prompt: 0, completion: 0 };

/** Recorded replies, ready to be asked. */
interface Library {
  readonly replies: ReadonlyMap<string, RecordedReply["reply"]>;
  readonly identities: readonly ModelIdentity[];
}

function libraryOf(entries: readonly RecordedReply[]): Library {
  const identities = new Map(
    entries.map(({ identity }) => [JSON.stringify([identity.provider, identity.model]), identity]),
  );
  // A request recorded again replaces its earlier reply: the newest recording is the one that was wanted.
  return {
    replies: new Map(entries.map(({ hash, reply }) => [hash, reply])),
    identities: [...identities.values()],
  };
}

async function load(file: string, log: ModelLog): Promise<Library | string> {
  try {
    const { entries, damaged } = await readRecording(file);
    for (const { line, reason } of damaged) log("warn", `${file}, line ${line} is left out: ${reason}`);
    return libraryOf(entries);
  } catch (error) {
    return `The recording ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function replayed<T>(reply: RecordedReply["reply"], request: ModelRequest<T>): ModelReply<T> {
  if (reply.kind !== "answered") return reply;
  const { raw, usage } = reply;
  // The raw text first: `value` is what a schema made of it, and need not fit that schema itself.
  const read = answerIn(request.schema, raw);
  if (read !== null) return { kind: "answered", value: read.value, raw, usage };
  const parsed = request.schema.safeParse(reply.value);
  return parsed.success
    ? { kind: "answered", value: parsed.data, raw, usage }
    : { kind: "malformed", raw, problem: `the recorded answer: ${z.prettifyError(parsed.error)}`, usage };
}

function find<T>({ replies, identities }: Library, request: ModelRequest<T>): ModelReply<T> {
  if (identities.length === 0) return { kind: "failed", reason: "The recording holds no reply.", usage: NO_USAGE };
  const hashes = identities.map((identity) => requestHash(identity, request));
  const reply = hashes.map((hash) => replies.get(hash)).find((found) => found !== undefined);
  if (reply !== undefined) return replayed(reply, request);
  const reason = `The recording holds no reply to this ${request.schemaName} request (${hashes.join(", ")}). Prompts, code or model have changed since; record it anew.`;
  return { kind: "failed", reason, usage: NO_USAGE };
}

/**
 * A model that gives recorded replies, by the hash of the whole request. `source` is a recording's path, read at the first
 * request, or its entries. What was not recorded fails with the hash; nothing is guessed.
 */
export function createReplayModel(source: string | readonly RecordedReply[], log: ModelLog): Model {
  let loading: Promise<Library | string> | null = null;
  const library = (): Promise<Library | string> => {
    loading ??= typeof source === "string" ? load(source, log) : Promise.resolve(libraryOf(source));
    return loading;
  };
  return {
    identity: { provider: "replay", model: typeof source === "string" ? source.replace(/^.*[\\/]/, "") : "entries" },
    async ask(request, signal) {
      signal.throwIfAborted();
      const loaded = await library();
      signal.throwIfAborted();
      return typeof loaded === "string" ? { kind: "failed", reason: loaded, usage: NO_USAGE } : find(loaded, request);
    },
  };
}
