import type { CheckerReport } from "../../core/checkers.ts";
import type { CheckerRole, CheckerTool } from "../../core/checkerClaim.ts";

/** What could not be done, in one sentence. */
export interface Failed {
  readonly kind: "failed";
  readonly why: string;
}

export function failed(why: string): Failed {
  return { kind: "failed", why };
}

/** One program that ran to its end: not killed, not cut, its exit code its own. */
export interface Ran {
  readonly kind: "ran";
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The files of the workspace as a checker may look at them before anything is started. */
export interface Project {
  /** Absolute folder, links resolved. */
  readonly root: string;
  /** Every file that is not ignored, sorted, workspace-relative with `/`. */
  readonly all: readonly string[];
  /** The files of this checker's kind. */
  readonly files: readonly string[];
  /** The texts of this checker's configuration files, by path. */
  readonly configs: ReadonlyMap<string, string>;
  /** The text of a file; null where it is absent, outside, or not text. */
  readonly text: (file: string) => Promise<string | null>;
}

/** A project with a way to start the one program of its checker. */
export interface Bench extends Project {
  readonly strict: boolean;
  /** Absolute path of the program, links resolved. */
  readonly program: string;
  readonly version: string;
  /** Runs the program with fixed arguments in the workspace folder, or `with` another program the checker names itself. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Ran | Failed>;
}

export interface RunOptions {
  /** Name of another program than the checker's own, looked for outside of the workspace. */
  readonly program?: string;
  /** True for a run that loads nothing of the repository: a program from outside needs no word of a person for it. */
  readonly harmless?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Absolute working folder; only ever one of our own making. */
  readonly cwd?: string;
}

/** What one run over the file set gave. Paths workspace-relative. */
export type SetReport =
  | Failed
  | {
      readonly kind: "checked";
      readonly reports: ReadonlyMap<string, readonly CheckerReport[]>;
      /** The files that the tool itself says it checked. */
      readonly covered: ReadonlySet<string>;
      /** How a file that is not covered was told to be outside; null where the listing is not complete. */
      readonly listing: string | null;
      /** Why silence about a file, or about a code in it, proves nothing; null where it counts. */
      readonly silence: (file: string, code: string | null) => string | null;
      /** True where strict mode was in force for a file. */
      readonly strict: (file: string) => boolean;
    };

export type RuleState = Failed | { readonly kind: "absent" | "off" | "warn" | "error" };

/** One checker: a new one is a file with this shape and a line in `table.ts`. */
export interface Checker {
  readonly tool: CheckerTool;
  /** Null for scanners and audits, which no project means by its lint or type check. */
  readonly role: CheckerRole | null;
  /** The program's name on the search path. */
  readonly program: string;
  readonly versionArgv: readonly string[];
  /** What the program's version output must look like; its first group is the version. */
  readonly version: RegExp;
  /** The package in lock files that brings it; null where none does. */
  readonly package: { readonly registry: "npm" | "pypi"; readonly name: string } | null;
  readonly reads: (file: string) => boolean;
  /** True for a file that configures this tool, by its path and text. */
  readonly configures: (file: string, text: string) => boolean;
  /** Names of files that may configure it: only these are opened to find out. */
  readonly configNames: RegExp;
  /** Why a person must accept the exact line first (tier 2): it would run the repository's own code or reach outside; null: tier 1. */
  readonly asks: (project: Project) => string | null;
  /** Checks the file set. */
  readonly check: (bench: Bench) => Promise<SetReport>;
  /** Looks one rule up for one file; left out where the tool has no registry that can be asked. */
  readonly rule?: (bench: Bench, rule: string, file: string) => Promise<RuleState>;
}
