/** Ends a call that has gone silent. */
export interface Watchdog {
  /** Aborted when the watchdog fires. */
  readonly signal: AbortSignal;
  /** The server sent something: the idle time starts anew. */
  alive(): void;
  /** Why it fired, for a person; null while it has not. */
  fired(): string | null;
  /** Ends the watch; nothing fires afterwards. */
  stop(): void;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
}

/**
 * Watches one call: `idleMs` without a byte, or `totalMs` in all, ends it. The client library times out neither a stalled
 * stream nor a server that keeps sending comments only.
 */
export function startWatchdog(idleMs: number, totalMs: number): Watchdog {
  const controller = new AbortController();
  let reason: string | null = null;
  const fire = (text: string): void => {
    reason ??= text;
    controller.abort(new Error(reason));
  };
  const idle = setTimeout(() => fire(`the server sent nothing for ${seconds(idleMs)}`), idleMs);
  const total = setTimeout(() => fire(`the answer was not complete after ${seconds(totalMs)}`), totalMs);
  return {
    signal: controller.signal,
    alive: () => void idle.refresh(),
    fired: () => reason,
    stop: () => {
      clearTimeout(idle);
      clearTimeout(total);
    },
  };
}

/** Settles as `work` does, but rejects with the signal's reason the moment it is aborted. */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody will look at the work any more; its own rejection must not end the process.
    work.catch(() => undefined);
    throw signal.reason;
  }
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
