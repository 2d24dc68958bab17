/** When a crashing worker is given up, and how long the first restart waits; each further one waits twice as long. */
export const CRASH_LIMIT = { crashes: 5, withinMs: 180_000, firstDelayMs: 500 } as const;

/** What to do after a crash. `crashes` holds the times (ms) that still count, the new one included. */
export type AfterCrash =
  | { readonly kind: "restart"; readonly delayMs: number; readonly crashes: readonly number[] }
  | { readonly kind: "giveUp"; readonly crashes: readonly number[] };

/** Decides after a crash at `now` (ms): restart after 0.5, 1, 2, 4 s, give up at the fifth crash within three minutes. */
export function afterCrash(earlier: readonly number[], now: number): AfterCrash {
  const crashes = [...earlier.filter((at) => now - at < CRASH_LIMIT.withinMs), now];
  if (crashes.length >= CRASH_LIMIT.crashes) return { kind: "giveUp", crashes };
  return { kind: "restart", delayMs: CRASH_LIMIT.firstDelayMs * 2 ** (crashes.length - 1), crashes };
}
