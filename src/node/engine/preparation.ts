import PQueue from "p-queue";

/** Findings whose checks and packs are made at the same time: enough to use the waits for searches, too few to hold the first one up. */
const AT_ONCE = 3;
/** A preparation that takes longer waits for another program most likely: the next one starts. */
const PATIENCE_MS = 400;

/** The place where findings are prepared, in order, so that work for later ones does not delay the first (R4.3). */
export interface Preparation {
  /**
   * Waits for a turn, in falling order of urgency. What it resolves to is called when the finding is prepared, once or
   * more often. Rejects with the signal's reason.
   */
  enter(urgency: number, signal: AbortSignal): Promise<() => void>;
}

export function createPreparation(): Preparation {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return {
    async enter(urgency, signal) {
      if (queue.pending + queue.size === 0) queue.concurrency = 1;
      const entered = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const stay = async (): Promise<void> => {
        entered.resolve();
        // The first of all has the machine to itself: until its verdict there is nothing to see.
        const timer = setTimeout(left.resolve, PATIENCE_MS);
        await left.promise;
        clearTimeout(timer);
        queue.concurrency = AT_ONCE;
      };
      void queue.add(stay, { priority: urgency, signal }).catch(entered.reject);
      await entered.promise;
      return left.resolve;
    },
  };
}
