import type { ModelIdentity } from "./modelIdentity.ts";
import type { Usage } from "./ports.ts";

/** What one role of one finding cost with one model. */
export interface LedgerRow {
  /** As receipts name it: `round-1`, `arbiter`, `refuter-1-2-LENS`, `second-opinion`. */
  readonly role: string;
  /** Null where whoever answered did not say. */
  readonly model: ModelIdentity | null;
  /** Calls that were made, and tokens as the server counted them. */
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
  /** Replies and answers that were kept from earlier, for which no call was made. */
  readonly cached: number;
}

/** The running account of one finding. */
export interface Ledger {
  /** `calls` were made for this reply; a kept one cost none, whatever is said. */
  add(role: string, usage: Usage, calls: number, model: ModelIdentity | undefined): void;
  /** One row for each role and model, in the order in which they first answered. */
  rows(): readonly LedgerRow[];
  calls(): number;
  tokens(): Usage;
}

export function createLedger(): Ledger {
  const rows = new Map<string, LedgerRow>();
  const sum = (of: (row: LedgerRow) => number): number => [...rows.values()].reduce((total, row) => total + of(row), 0);
  return {
    add(role, { prompt, completion, cached = false }, calls, model) {
      const id = JSON.stringify([role, model?.provider, model?.model]);
      const row = rows.get(id) ?? { role, model: model ?? null, calls: 0, prompt: 0, completion: 0, cached: 0 };
      rows.set(id, {
        ...row,
        calls: row.calls + (cached ? 0 : calls),
        prompt: row.prompt + prompt,
        completion: row.completion + completion,
        cached: row.cached + (cached ? 1 : 0),
      });
    },
    rows: () => [...rows.values()],
    calls: () => sum(({ calls }) => calls),
    tokens: () => ({ prompt: sum(({ prompt }) => prompt), completion: sum(({ completion }) => completion) }),
  };
}
