import type { Attempt } from "./exchange.ts";
import { orAbort } from "./watchdog.ts";

/** One levelled line for the log channel: never code, prompts or keys. */
export type ModelLog = (level: "debug" | "info" | "warn", text: string) => void;

/** Waits; may but need not heed the signal. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** How often and how long a call is tried again (ruling 36, C19). The one place these numbers stand. */
export const RETRY = {
  /** 429 and 503, which ask to wait. */
  waits: 3,
  waitBudgetMs: 120_000,
  /** Every other transport error. */
  again: 1,
  firstDelayMs: 1000,
  againDelayMs: 500,
} as const;

export interface RetryPorts {
  readonly sleep: Sleep;
  /** 0..1, spreads the waits a server did not fix itself. */
  readonly jitter: () => number;
  readonly log: ModelLog;
}

/** An attempt after all retries: what is left is final. */
export type Settled =
  | Exclude<Attempt, { kind: "wait" | "broken" }>
  | { readonly kind: "gaveUp"; readonly status: number | null; readonly reason: string };

function secondsOf(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/** Repeats `once` within the limits of ruling 36. Rejects only with the signal's reason. */
export async function withRetries(
  once: () => Promise<Attempt>,
  ports: RetryPorts,
  signal: AbortSignal,
): Promise<Settled> {
  let waits = 0;
  let waitedMs = 0;
  let broke = 0;
  for (;;) {
    const result = await orAbort(once(), signal);
    if (result.kind === "wait") {
      const delayMs = result.waitMs ?? RETRY.firstDelayMs * 2 ** waits * (1 + ports.jitter());
      if (waits === RETRY.waits) {
        return { kind: "gaveUp", status: null, reason: `${result.reason} Gave up after ${waits} waits.` };
      }
      if (waitedMs + delayMs > RETRY.waitBudgetMs) {
        const reason = `${result.reason} It asks to wait ${secondsOf(delayMs)}, more than is left of the ${secondsOf(RETRY.waitBudgetMs)} we wait for one answer. Try again later.`;
        return { kind: "gaveUp", status: null, reason };
      }
      waits += 1;
      waitedMs += delayMs;
      ports.log("info", `${result.reason} Waiting ${secondsOf(delayMs)}.`);
      await orAbort(ports.sleep(delayMs, signal), signal);
    } else if (result.kind === "broken") {
      if (broke === RETRY.again)
        return { kind: "gaveUp", status: result.status, reason: `${result.reason} Tried twice.` };
      broke += 1;
      ports.log("info", `${result.reason} Trying once more.`);
      await orAbort(ports.sleep(RETRY.againDelayMs * (1 + ports.jitter()), signal), signal);
    } else return result;
  }
}
