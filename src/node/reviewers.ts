import { appendFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createBuiltInReviewer } from "../core/builtIn/reviewer.ts";
import { createModelReviewer, type RoleModels } from "../core/conversation.ts";
import type { ModelRole } from "../core/method.ts";
import type { Hash, Mask, Model, ModelMessage, Now, Prompts, Repository, Structures } from "../core/ports.ts";
import type { Reviewer } from "../core/reviewer.ts";
import type { EditorModelRow } from "../protocol/models.ts";
import { sha256 } from "./hash.ts";
import { RecentTexts } from "./recentTexts.ts";
import { createArbiterBatch } from "./engine/arbiterBatch.ts";
import type { SealedStore } from "./cache/sealedStore.ts";
import { maskThoroughly } from "./mask/mask.ts";
import { budgetModel, type TokenBudget } from "./models/budget.ts";
import type { CallQueues } from "./models/callQueue.ts";
import { createEditorModel, type EditorModels } from "./models/editorModel.ts";
import { journalModel } from "./models/journaledModel.ts";
import { recordModel } from "./models/recording.ts";
import { createReplayModel } from "./models/replayModel.ts";
import type { ModelLog } from "./models/retry.ts";
import { createServerModel, type ServerModelOptions } from "./models/serverModel.ts";
import type { ProbeCache } from "./models/serverTraits.ts";

/** Who is to judge. */
export type ReviewerChoice =
  | { readonly kind: "built-in" }
  | { readonly kind: "replay"; readonly file: string }
  | { readonly kind: "server"; readonly url: string; readonly model: string; readonly apiKey: string | null }
  | { readonly kind: "editor"; readonly row: EditorModelRow };

/** A choice that asks a language model. */
export type ModelChoice = Exclude<ReviewerChoice, { kind: "built-in" }>;

/** Models of their own for single roles; the model of the rounds takes the others. */
export type RoleChoices = Readonly<Partial<Record<ModelRole, ModelChoice>>>;

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
  /** The editor's own models; absent where there is no editor. */
  readonly editorModels?: EditorModels;
  /** Keeps replies for a resumption; null: none are kept. */
  readonly store: SealedStore | null;
  /** True: everybody is asked anew, whatever is kept. */
  readonly fresh: boolean;
  /** What the run may spend; null: no limit. */
  readonly budget: TokenBudget | null;
  /** True: the arbiter rules on several independent findings in one call (C11). */
  readonly batchArbiter: boolean;
  /** File that every request and answer is appended to, for replay; null: none. */
  readonly record: string | null;
}

/** Makes the reviewer of a choice; the one place that knows all of them. A role without a model of its own has that of the rounds. */
export function createReviewer(choice: ReviewerChoice, parts: ReviewerParts, roles: RoleChoices = {}): Reviewer {
  if (choice.kind === "built-in") return createBuiltInReviewer(parts);
  const rounds = modelOf(choice, parts);
  const modelFor = (role: ModelRole): Model | null => {
    const own = roles[role];
    return own === undefined ? null : modelOf(own, parts);
  };
  const models: RoleModels = {
    rounds,
    arbiter: modelFor("arbiter") ?? rounds,
    secondOpinion: modelFor("secondOpinion") ?? rounds,
    fallback: modelFor("fallback"),
  };
  const reviewer = createModelReviewer(models, parts.prompts, parts.hash);
  return parts.batchArbiter ? createArbiterBatch(reviewer, async () => await delay(COMPANY_MS)) : reviewer;
}

/** How long a finding waits for others that the arbiter can rule on in the same call, in milliseconds. */
const COMPANY_MS = 1500;

/** The model of a choice, recorded where that is wanted; what leaves for it is masked. */
function modelOf(choice: ModelChoice, parts: ReviewerParts): Model {
  const model = choice.kind === "replay" ? createReplayModel(choice.file, parts.log) : keptModel(choice, parts);
  const { record } = parts;
  const kept = record === null ? model : recordModel(model, async (line) => await appendFile(record, line));
  return maskingModel(kept);
}

/** A model whose calls wait their turn and whose replies outlive the process. */
function keptModel(choice: Exclude<ModelChoice, { kind: "replay" }>, parts: ReviewerParts): Model {
  const { store, fresh, budget } = parts;
  const model = choice.kind === "server" ? serverModel(choice, parts) : editorModel(choice, parts);
  // Inside the queue: what was spent while a call waited counts too.
  const queued = parts.queues.queued(budget === null ? model : budgetModel(model, budget));
  return store === null ? queued : journalModel(queued, { store, fresh });
}

function editorModel({ row }: Extract<ReviewerChoice, { kind: "editor" }>, parts: ReviewerParts): Model {
  const { idleTimeoutMs, now, log, editorModels } = parts;
  if (editorModels === undefined) throw new Error("an editor's model was chosen where there is no editor");
  return createEditorModel({ row, models: editorModels, idleTimeoutMs, now, log });
}

function serverModel(choice: Extract<ReviewerChoice, { kind: "server" }>, parts: ReviewerParts): Model {
  return createServerModel(serverOptions(choice, parts));
}

/** How a server is asked, in runs and in test calls. */
export function serverOptions(
  { url, model, apiKey }: Omit<Extract<ReviewerChoice, { kind: "server" }>, "kind">,
  { idleTimeoutMs, now, log, probeCache }: Pick<ReviewerParts, "idleTimeoutMs" | "now" | "log" | "probeCache">,
): ServerModelOptions {
  return {
    baseUrl: url,
    model,
    apiKey,
    idleTimeoutMs,
    now,
    sleep: async (milliseconds, signal) => await delay(milliseconds, undefined, { signal }),
    log,
    probeCache,
    jitter: Math.random,
  };
}

/** Characters of masked messages that are kept. */
const KEPT_CHARACTERS = 1024 * 1024;

/**
 * Whatever leaves goes through the thorough masking once more, whoever put it together (R1.33). A conversation is sent again and
 * again as it grows: what a text was masked to is kept under its hash.
 */
function maskingModel(model: Model): Model {
  // Nearly every text is left as it is: then nothing but its hash is kept.
  const kept = new RecentTexts<string | null>(KEPT_CHARACTERS, (masked) => 64 + (masked?.length ?? 0));
  const mask = async (text: string): Promise<string> => {
    const name = sha256(text);
    const known = kept.get(name);
    if (known !== undefined) return known ?? text;
    const masked = await maskThoroughly(text);
    kept.put(name, masked === text ? null : masked);
    return masked;
  };
  return {
    identity: model.identity,
    async ask(request, signal) {
      const messages: ModelMessage[] = [];
      for (const message of request.messages) messages.push({ ...message, content: await mask(message.content) });
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
