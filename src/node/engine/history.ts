import type { Remembered as RememberedFinding } from "../../core/carry.ts";
import type { Finding } from "../../core/finding.ts";
import type { Intent } from "../../core/method.ts";
import { NO_STREAK, type Streak } from "../../core/streak.ts";
import type { Triaged } from "../../core/triage.ts";
import type { Decided } from "./entry.ts";

/** What disk remembers of findings: the log of decisions, and the journal that redraws rounds. */
export interface History {
  /** The last decision and the last triage of every key, as found at start. */
  load(): Promise<Remembered>;
  /** Writes a finished triage; resolves when it is on disk. */
  triaged(finding: Finding, triaged: Triaged): Promise<Written>;
  /** Dismissals in a row of this session on the present branch (R1.26-R1.28). */
  streak(): Streak;
  /** The claim class of which checks closed several findings in a row (ruling 35); null: none. */
  braked(): number | null;
  /** Why a finding may not be asked about with this intent any more; null where it may (R1.29). */
  capped(key: string, intent: Intent): string | null;
  /** Looks again where version control stands. */
  refresh(): Promise<void>;
  /** Writes a person's decision; resolves when it is on disk. */
  decided(finding: Finding, decided: Decided & { readonly prompt: string }, triaged: Triaged | null): Promise<Written>;
}

export interface Remembered {
  readonly triaged: ReadonlyMap<string, Triaged>;
  readonly decided: ReadonlyMap<string, Decided>;
  /** Every finding that the log speaks of, as it was when it was last judged or decided. */
  readonly known: readonly RememberedFinding[];
  /** Sentences about lines that could not be read. */
  readonly problems: readonly string[];
}

export type Written = { readonly kind: "written" } | { readonly kind: "failed"; readonly why: string };

/** A history that remembers nothing and writes nothing: for looking at findings only. */
export const NO_HISTORY: History = {
  load: async () => await Promise.resolve({ triaged: new Map(), decided: new Map(), known: [], problems: [] }),
  triaged: async () => await Promise.resolve({ kind: "written" }),
  decided: async () => await Promise.resolve({ kind: "written" }),
  streak: () => NO_STREAK,
  capped: () => null,
  braked: () => null,
  refresh: async () => await Promise.resolve(),
};
