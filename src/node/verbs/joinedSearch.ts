import { setTimeout as delay } from "node:timers/promises";
import { ripgrepArguments, type RipgrepCall, type RipgrepRun, runRipgrep } from "./ripgrep.ts";

/** Patterns searched for in one run. */
const MOST_PATTERNS = 16;
/** How long a search waits for the run before it, in milliseconds: starting a program costs about as much as such a search. */
const PATIENCE_MS = 40;

interface Waiting {
  readonly call: RipgrepCall;
  readonly signal: AbortSignal;
  /** Null where it could not be told from the shared run. */
  readonly answer: PromiseWithResolvers<RipgrepRun | null>;
}

/** One search. Rejects with the signal's reason only. */
export type Search = (call: RipgrepCall, signal: AbortSignal) => Promise<RipgrepRun>;

/**
 * Searches for plain words that are asked for while another search runs share the next run of ripgrep. Nothing is remembered: each
 * run starts after everybody who gets an answer from it has asked. What comes of it is what a run for the one pattern gives,
 * `argv` too; where that cannot be told for sure, the pattern gets a run of its own. `run` starts ripgrep.
 */
export function createJoinedSearch(run: Search = runRipgrep): Search {
  const queues = new Map<string, Queue>();
  return async (call, signal) => {
    signal.throwIfAborted();
    if (!isPlain(call)) return await run(call, signal);
    const scope = JSON.stringify([call.program, call.root, call.path, call.wide]);
    const queue = queues.get(scope) ?? new Queue(run, () => void queues.delete(scope));
    queues.set(scope, queue);
    return (await queue.wait(call, signal)) ?? (await run(call, signal));
  };
}

/** Plain words in ASCII read the same in a line whatever its bytes are. */
function isPlain({ literal, pattern, input }: RipgrepCall): boolean {
  return literal && input === undefined && /^[\x20-\x7e]+$/.test(pattern);
}

/** What waits for a search of one scope. */
class Queue {
  readonly #run: Search;
  readonly #emptied: () => void;
  #waiting: Waiting[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #due = false;

  constructor(run: Search, emptied: () => void) {
    this.#run = run;
    this.#emptied = emptied;
  }

  async wait(call: RipgrepCall, signal: AbortSignal): Promise<RipgrepRun | null> {
    const answer = Promise.withResolvers<RipgrepRun | null>();
    const onAbort = (): void => answer.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push({ call, signal, answer });
    if (!this.#due) void this.#start();
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #start(): Promise<void> {
    this.#due = true;
    // A run that takes long holds nobody up.
    await Promise.race([this.#last, delay(PATIENCE_MS)]);
    const taken = this.#waiting.splice(0, MOST_PATTERNS).filter(({ signal }) => !signal.aborted);
    this.#due = false;
    const done = share(taken, this.#run);
    this.#last = done;
    if (this.#waiting.length > 0) void this.#start();
    await done;
    if (this.#waiting.length === 0 && this.#last === done) this.#emptied();
  }
}

/** One run for all that wait; it is stopped when nobody waits any more. Never rejects. */
async function share(taken: readonly Waiting[], run: Search): Promise<void> {
  const [first] = taken;
  if (first === undefined) return;
  const others = [...new Set(taken.map(({ call }) => call.pattern))].filter((other) => other !== first.call.pattern);
  const stop = new AbortController();
  const onAbort = (): void => {
    if (taken.every(({ signal }) => signal.aborted)) stop.abort();
  };
  for (const { signal } of taken) signal.addEventListener("abort", onAbort, { once: true });
  try {
    const done = await run({ ...first.call, others }, stop.signal);
    for (const { call, answer } of taken) answer.resolve(others.length === 0 ? done : partOf(done, call));
  } catch {
    for (const { answer } of taken) answer.resolve(null);
  } finally {
    for (const { signal } of taken) signal.removeEventListener("abort", onAbort);
  }
}

/** What a run for several patterns says of one of them; null where that is not sure. */
function partOf(done: RipgrepRun, call: RipgrepCall): RipgrepRun | null {
  if (done.kind !== "searched" || done.truncated || done.exitCode === null) return null;
  const hits = done.hits.filter(({ text }) => text.includes(call.pattern));
  // Whether an error matters depends on the hits; a run of its own tells.
  if (done.problem !== null && hits.length === 0) return null;
  const exitCode = done.problem !== null ? done.exitCode : hits.length > 0 ? 0 : 1;
  return { ...done, argv: ripgrepArguments(call), exitCode, hits };
}
