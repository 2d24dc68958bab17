/** Calls `run` once, `delayMs` after the first of any number of requests; a request during the wait adds nothing. */
export function coalesce(delayMs: number, run: () => void): { request(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    request() {
      timer ??= setTimeout(() => {
        timer = null;
        run();
      }, delayMs);
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/** Collects values and hands them over together, `delayMs` after the first. */
export function gather<T>(delayMs: number, run: (values: readonly T[]) => void): { add(value: T): void; stop(): void } {
  let values = new Set<T>();
  const due = coalesce(delayMs, () => {
    const taken = [...values];
    values = new Set();
    run(taken);
  });
  return {
    add(value) {
      values.add(value);
      due.request();
    },
    stop: () => due.stop(),
  };
}
