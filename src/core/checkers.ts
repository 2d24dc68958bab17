import type { Receipt } from "./check.ts";
import type { CheckerRole, CheckerTool } from "./checkerClaim.ts";
import type { Proposal } from "./proposal.ts";

/** One line that a checker printed about one file. Lines 1-based. */
export interface CheckerReport {
  readonly line: number;
  readonly endLine: number;
  /** Its code or rule (`TS2322`, `eqeqeq`); null where it has none. */
  readonly code: string | null;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** What can always go wrong: missing, untrusted, crashed, out of time, another version, not consented to. */
export interface CheckerUnknown {
  readonly kind: "unknown";
  readonly why: string;
  /** What would settle it once a person accepts it; null where nothing would. */
  readonly proposal: Proposal | null;
  readonly receipts: readonly Receipt[];
}

interface Answered {
  readonly version: string;
  readonly receipts: readonly Receipt[];
}

/** What a checker says about one file. */
export type FileAnswer =
  | CheckerUnknown
  /** The checker itself lists the file as outside of what it checks. `how` names the listing. */
  | ({ readonly kind: "excluded"; readonly how: string } & Answered)
  | ({
      readonly kind: "covered";
      readonly reports: readonly CheckerReport[];
      /** Why what is not reported proves nothing (unresolved imports, a scanner, ...); null where silence counts. */
      readonly silence: string | null;
      /** Reports of the whole run, for claims about the project: 0 is a clean run. */
      readonly reportsInAll: number;
    } & Answered);

/** What a checker's own registry and resolved configuration say about one rule and one file. */
export type RuleAnswer =
  | CheckerUnknown
  /** `absent`: no rule, alias or old name of that spelling in any plugin in use; `off` and `on`: for this file. */
  | ({ readonly kind: "absent" | "off" | "warn" | "error" } & Answered);

export interface CheckerQuestion {
  readonly tool: CheckerTool;
  /** Workspace-relative with `/`. */
  readonly file: string;
  /** Code or rule the claim is about; null where it names none. Never part of a command line. */
  readonly code: string | null;
  /** The claim speaks of strict mode: an answer of a run without it is none. */
  readonly strict: boolean;
}

/** Runs checkers over one workspace (design, section 6). Nothing rejects but with the signal's reason; all else is `unknown`. */
export interface Checkers {
  /** The tools that this workspace configures for a file of this kind; empty where none is seen. */
  projectTools(role: CheckerRole, file: string, signal: AbortSignal): Promise<readonly CheckerTool[]>;
  report(question: CheckerQuestion, signal: AbortSignal): Promise<FileAnswer>;
  /** Asks about the rule in `code`. */
  rule(question: CheckerQuestion, signal: AbortSignal): Promise<RuleAnswer>;
}
