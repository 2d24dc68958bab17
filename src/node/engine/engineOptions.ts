import type { Checkers } from "../../core/checkers.ts";
import type { Finding } from "../../core/finding.ts";
import type { SeenLenses } from "../../core/judging/sitting.ts";
import type { Method } from "../../core/method.ts";
import type { Terms } from "../../core/policy.ts";
import type { Hash, LanguageServers, Mask, Now, Repository, Structures, Verbs } from "../../core/ports.ts";
import type { EvidenceBudget } from "../../core/reviewer.ts";
import type { SeverityMap } from "../../core/severity.ts";
import type { SourceRoots } from "../../core/sourceRoots.ts";
import type { History } from "./history.ts";
import type { Judgements } from "./judgements.ts";

/** What one workspace folder's engine is built from. */
export interface EngineOptions {
  readonly root: string;
  readonly repository: Repository;
  readonly structures: Structures;
  readonly verbs: Verbs;
  /** Left out where no checker may be run. */
  readonly checkers?: Checkers | undefined;
  /** The editor's language servers; absent on the command line. */
  readonly languages?: LanguageServers | undefined;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly now: Now;
  readonly history: History;
  /** Answers of earlier runs; left out: none are remembered. */
  readonly judgements?: Judgements | undefined;
  /** Calls of a model at the same time. */
  readonly concurrency: () => number;
  readonly severityMap: () => SeverityMap;
  readonly sourceRoots: () => SourceRoots;
  readonly budget: () => EvidenceBudget;
  /** How findings are judged where a run asks for nothing else. */
  readonly method: () => Method;
  readonly costMode: () => Terms["costMode"];
  /** Why the program never closes a finding alone, by a person's settings; null where it may. */
  readonly untouchable: (finding: Finding) => string | null;
  /** Lenses that refuters have used before; left out: none are remembered. */
  readonly lenses?: SeenLenses | undefined;
  /** Called after every change of an entry; null where the list itself changed. */
  readonly changed: (key: string | null) => void;
  readonly log: (level: "debug" | "info" | "warning" | "error", text: string) => void;
}

export type DecideOutcome = { readonly kind: "settled" } | { readonly kind: "refused"; readonly why: string };
