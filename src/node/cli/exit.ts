/** Exit codes by precedence 2 > 3 > 1 > 0 (ruling 21). */
export const EXIT = { nothingOpen: 0, open: 1, usage: 2, notTriaged: 3 } as const;

/** What a run of `triage` came to. */
export interface RunFacts {
  /** A review file could not be read at all, or the output could not be written. */
  readonly inputError: boolean;
  /** Findings that failed, were left by `--max-findings`, or lines with severity words that were not read. */
  readonly notTriaged: boolean;
  /** Open at P0 or P1 as ingested, bypassed and proposed ones included. */
  readonly open: boolean;
}

export function exitCodeOf(facts: RunFacts): number {
  if (facts.inputError) return EXIT.usage;
  if (facts.notTriaged) return EXIT.notTriaged;
  return facts.open ? EXIT.open : EXIT.nothingOpen;
}
