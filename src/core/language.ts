import type { Receipt } from "./check.ts";
import type { LanguageAnswer, LanguageQuestion, LanguageServers } from "./ports.ts";

/** An answer with the receipt it stands on; null where nobody was asked. */
export interface LanguageFacts {
  readonly answer: LanguageAnswer;
  readonly receipt: string | null;
}

/** Asks the editor's language servers in the name of one asker. Rejects only when cancelled. */
export type AskLanguage = (question: LanguageQuestion) => Promise<LanguageFacts>;

/** Where one finding's triage asks the editor's language servers; the same question is asked once. */
export interface LanguageDesk {
  /** `by` goes into the receipt: `check`, `pack`, `round-1` ... */
  askFor(by: string): AskLanguage;
}

/** What one finding may cost: they are an accelerator, and a server that still starts must not hold up the rest. */
export interface LanguageBudget {
  readonly calls: number;
  /** Milliseconds of waiting in all. */
  readonly waitMs: number;
  /** After so many answers in a row of servers that were late or not ready, nothing more is asked. */
  readonly misses: number;
}

const BUDGET: LanguageBudget = { calls: 24, waitMs: 6000, misses: 2 };

/** A desk for one finding: keeps the budget, remembers answers, and hands on each receipt once. */
export function createLanguageDesk(
  servers: LanguageServers,
  receipt: (receipt: Receipt) => void,
  signal: AbortSignal,
  budget: LanguageBudget = BUDGET,
): LanguageDesk {
  const known = new Map<string, Promise<LanguageFacts>>();
  let [calls, waitedMs, misses] = [0, 0, 0];
  const ask = async (question: LanguageQuestion, by: string): Promise<LanguageFacts> => {
    if (calls >= budget.calls || waitedMs >= budget.waitMs || misses >= budget.misses)
      return { answer: { kind: "unknown", why: "What one finding may ask is spent." }, receipt: null };
    calls += 1;
    const run = await servers.ask(question, by, signal);
    if (run.receipt === null) return { answer: run.answer, receipt: null };
    waitedMs += run.receipt.durationMs;
    misses = run.answer.kind === "unknown" ? misses + 1 : 0;
    receipt(run.receipt);
    return { answer: run.answer, receipt: run.receipt.id };
  };
  return {
    askFor: (by) => async (question) => {
      const id = JSON.stringify(question);
      const there = known.get(id) ?? ask(question, by);
      known.set(id, there);
      return await there;
    },
  };
}
