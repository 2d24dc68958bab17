import { appendFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createBuiltInReviewer } from "../core/builtIn/reviewer.ts";
import { createModelReviewer, sameModel } from "../core/conversation.ts";
import type { Hash, Mask, Model, ModelMessage, Now, Prompts, Repository, Structures } from "../core/ports.ts";
import type { Reviewer } from "../core/reviewer.ts";
import type { SealedStore } from "./cache/sealedStore.ts";
import { maskThoroughly } from "./mask/mask.ts";
import { budgetModel, type TokenBudget } from "./models/budget.ts";
import type { CallQueues } from "./models/callQueue.ts";
import { journalModel } from "./models/journaledModel.ts";
import { recordModel } from "./models/recording.ts";
import { createReplayModel } from "./models/replayModel.ts";
import type { ModelLog } from "./models/retry.ts";
import { createServerModel } from "./models/serverModel.ts";
import type { ProbeCache } from "./models/serverTraits.ts";

/** Who is to judge. */
export type ReviewerChoice =
  | { readonly kind: "built-in" }
  | { readonly kind: "replay"; readonly file: string }
  | { readonly kind: "server"; readonly url: string; readonly model: string; readonly apiKey: string | null };

/** What reviewers are made from. */
export interface ReviewerParts {
  readonly repository: Repository;
  readonly structures: Structures;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly now: Now;
  readonly prompts: Prompts;
  readonly probeCache: ProbeCache;
  /** Of the whole process: calls of all reviewers wait in them. */
  readonly queues: CallQueues;
  readonly idleTimeoutMs: number;
  readonly log: ModelLog;
  /** Keeps replies for a resumption; null: none are kept. */
  readonly store: SealedStore | null;
  /** True: everybody is asked anew, whatever is kept. */
  readonly fresh: boolean;
  /** What the run may spend; null: no limit. */
  readonly budget: TokenBudget | null;
  /** File that every request and answer is appended to, for replay; null: none. */
  readonly record: string | null;
}

/** Makes the reviewer of a choice; the one place that knows all of them. */
export function createReviewer(choice: ReviewerChoice, parts: ReviewerParts): Reviewer {
  if (choice.kind === "built-in") return createBuiltInReviewer(parts);
  const model = choice.kind === "replay" ? createReplayModel(choice.file, parts.log) : keptModel(choice, parts);
  const { record } = parts;
  const kept = record === null ? model : recordModel(model, async (line) => await appendFile(record, line));
  return createModelReviewer(sameModel(maskingModel(kept)), parts.prompts, parts.hash);
}

/** A server's model whose calls wait their turn and whose replies outlive the process. */
function keptModel(choice: Extract<ReviewerChoice, { kind: "server" }>, parts: ReviewerParts): Model {
  const { store, fresh, budget } = parts;
  const server = serverModel(choice, parts);
  // Inside the queue: what was spent while a call waited counts too.
  const queued = parts.queues.queued(budget === null ? server : budgetModel(server, budget));
  return store === null ? queued : journalModel(queued, { store, fresh });
}

function serverModel(choice: Extract<ReviewerChoice, { kind: "server" }>, parts: ReviewerParts): Model {
  return createServerModel({
    baseUrl: choice.url,
    model: choice.model,
    apiKey: choice.apiKey,
    idleTimeoutMs: parts.idleTimeoutMs,
    now: parts.now,
    sleep: async (milliseconds, signal) => await delay(milliseconds, undefined, { signal }),
    log: parts.log,
    probeCache: parts.probeCache,
    jitter: Math.random,
  });
}

/** Whatever leaves goes through the thorough masking once more, whoever put it together (R1.33). */
function maskingModel(model: Model): Model {
  return {
    identity: model.identity,
    async ask(request, signal) {
      const messages: ModelMessage[] = [];
      for (const message of request.messages)
        messages.push({ ...message, content: await maskThoroughly(message.content) });
      return await model.ask({ ...request, messages }, signal);
    },
  };
}

const OPENAI_HOST = "api.openai.com";

/**
 * The key for a server on the command line (ruling 31): `OPENAI_API_KEY` goes to OpenAI's own host alone, every other
 * server gets `SKEPTICAL_TRIAGE_API_KEY` or none.
 */
export function keyFromEnvironment(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const host = URL.parse(url)?.host;
  const own = environment["SKEPTICAL_TRIAGE_API_KEY"];
  if (host === OPENAI_HOST) return own ?? environment["OPENAI_API_KEY"] ?? null;
  return own ?? null;
}
