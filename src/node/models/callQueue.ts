import PQueue from "p-queue";
import type { Measured } from "../../core/estimate.ts";
import type { Model, ModelReply, ModelRequest, Now, Usage } from "../../core/ports.ts";

/** How many of a provider's last calls its latency is told from. */
const MEASURED = 50;
/**
 * How long a place stays free for the finding whose call came back, in milliseconds: reading an answer takes a moment, and a
 * less urgent call that slipped in meanwhile would hold the next question up for a whole latency.
 */
const KEPT_FREE_MS = 20;
/** Where that is more than this share of a call, it is done for the most urgent finding alone: places that stand free cost the whole run. */
const KEPT_FREE_SHARE = 0.01;

/** The calls of one process to its models: a bounded number at a time for each provider, whoever asks. */
export interface CallQueues {
  /** The model, with each call waiting its turn: in falling order of urgency, among equals in the order of asking (R4.3). */
  queued(model: Model): Model;
  /** What a provider's last calls in this process came to: median time without their waiting, mean tokens; null where none came back. */
  measured(provider: string): Measured | null;
}

/** Queues for as long as the process lives. `limit` is asked at every call, so that a changed setting counts at once. */
export function createCallQueues(limit: () => number, now: Now, keptFreeMs: number = KEPT_FREE_MS): CallQueues {
  const lines = new Map<string, Line>();
  const lineOf = (provider: string): Line => {
    const line = lines.get(provider) ?? new Line(limit(), keptFreeMs);
    lines.set(provider, line);
    return line;
  };
  return {
    queued: (model) => ({
      identity: model.identity,
      async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
        const line = lineOf(model.identity.provider);
        const call = async (): Promise<ModelReply<T>> => {
          const started = now().getTime();
          const reply = await model.ask(request, signal);
          // What failed may have failed at once, or after minutes of retries: it says nothing about the next call.
          if (reply.kind !== "failed") line.measure({ took: now().getTime() - started, ...reply.usage });
          return reply;
        };
        return await line.wait(call, request.urgency ?? 0, limit(), signal);
      },
    }),
    measured: (provider) => lines.get(provider)?.measured() ?? null,
  };
}

/** The queue of one provider. */
class Line {
  readonly #queue: PQueue;
  readonly #keptFreeMs: number;
  /** Places that wait for a question as urgent as their last one. */
  readonly #kept = new Set<{ readonly urgency: number; readonly give: () => void }>();
  /** Urgencies of the calls that run. */
  readonly #running: number[] = [];
  /** The last calls, the newest last; `took` in milliseconds. */
  readonly #calls: (Usage & { readonly took: number })[] = [];

  constructor(limit: number, keptFreeMs: number) {
    this.#queue = new PQueue({ concurrency: limit });
    this.#keptFreeMs = keptFreeMs;
  }

  async wait<T>(call: () => Promise<T>, urgency: number, limit: number, signal: AbortSignal): Promise<T> {
    if (this.#queue.concurrency !== limit) this.#queue.concurrency = limit;
    const came = Promise.withResolvers<T>();
    const turn = async (): Promise<void> => {
      this.#running.push(urgency);
      await call().then(came.resolve, came.reject);
      this.#running.splice(this.#running.indexOf(urgency), 1);
      await this.#keepFree(urgency);
    };
    void this.#queue.add(turn, { signal, priority: urgency }).catch(came.reject);
    const [nearest] = [...this.#kept]
      .filter((kept) => kept.urgency <= urgency)
      .toSorted((left, right) => right.urgency - left.urgency);
    nearest?.give();
    return await came.promise;
  }

  measure(call: Usage & { readonly took: number }): void {
    this.#calls.push(call);
    if (this.#calls.length > MEASURED) this.#calls.shift();
  }

  measured(): Measured | null {
    const calls = this.#calls.toSorted((left, right) => left.took - right.took);
    const middle = calls[calls.length >> 1];
    if (middle === undefined) return null;
    const mean = (of: (call: Usage) => number): number => calls.reduce((sum, call) => sum + of(call), 0) / calls.length;
    return {
      latencyMs: middle.took,
      prompt: mean(({ prompt }) => prompt),
      completion: mean(({ completion }) => completion),
    };
  }

  /** Keeps the place of a call that came back, until as urgent a question is there or the time is over. */
  async #keepFree(urgency: number): Promise<void> {
    // With nobody waiting a place is free anyway.
    if (this.#keptFreeMs === 0 || this.#queue.size === 0) return;
    const { latencyMs } = this.measured() ?? { latencyMs: Number.POSITIVE_INFINITY };
    const cheap = this.#keptFreeMs <= latencyMs * KEPT_FREE_SHARE;
    if (!cheap && this.#running.some((other) => other > urgency)) return;
    const given = Promise.withResolvers<void>();
    const kept = { urgency, give: given.resolve };
    this.#kept.add(kept);
    const timer = setTimeout(given.resolve, this.#keptFreeMs);
    await given.promise;
    clearTimeout(timer);
    this.#kept.delete(kept);
  }
}
