interface Run<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
  ended: boolean;
}

const MOST_KEPT = 64;

/**
 * Work that many may wait for and that is done once a key. It is stopped when nobody waits for it any more; each waiter
 * rejects with its own signal's reason. What `keep` refuses is done anew for the next who asks.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();
  readonly #keep: (value: T) => boolean;

  constructor(keep: (value: T) => boolean) {
    this.#keep = keep;
  }

  async get(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const run = this.#runs.get(key) ?? this.#start(key, work);
    run.waiting += 1;
    const gone = Promise.withResolvers<never>();
    const onAbort = (): void => gone.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([run.result, gone.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      run.waiting -= 1;
      if (run.waiting === 0 && !run.ended) this.#drop(key, run);
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const stop = new AbortController();
    const run: Run<T> = { result: work(stop.signal), stop, waiting: 0, ended: false };
    this.#runs.set(key, run);
    for (const [oldest, { ended }] of this.#runs) {
      if (this.#runs.size <= MOST_KEPT) break;
      if (ended) this.#runs.delete(oldest);
    }
    run.result.then(
      (value) => {
        run.ended = true;
        if (!this.#keep(value)) this.#forget(key, run);
      },
      () => {
        run.ended = true;
        this.#forget(key, run);
      },
    );
    return run;
  }

  #drop(key: string, run: Run<T>): void {
    this.#forget(key, run);
    run.stop.abort(new DOMException("nobody waits for it any more", "AbortError"));
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}
