import type { CheckerTool } from "../core/checkerClaim.ts";

// Messages about programs that the worker may start: which checkers there are, and which lines a person accepted.

/** Client -> worker request, after a person read this exact line and accepted it: runs it, and what it settles, for one finding. */
export const acceptLine = "skepticalTriage/acceptLine";
export interface AcceptLineParams {
  readonly key: string;
  /** To the letter as `PanelState.lines` has it; it must still be among the finding's proposals. */
  readonly line: string;
  /** True: it may run again without being asked, in this workspace, until it is revoked. */
  readonly remember: boolean;
}
export type AcceptLineResult = { readonly kind: "started" } | { readonly kind: "refused"; readonly why: string };

/** Client -> worker request: stops the reproduction of a finding; resolves when it runs no more. */
export const stopLine = "skepticalTriage/stopLine";
export interface StopLineParams {
  readonly key: string;
}

/** One checker of the engine's table, as one workspace folder has it. */
export interface CheckerRow {
  readonly tool: CheckerTool;
  /** Absolute path; null where it was not found. */
  readonly program: string | null;
  readonly version: string | null;
  /** 1: runs in a trusted workspace; 2: only after a person accepted the exact line. */
  readonly tier: 1 | 2;
  /** Why it is of tier 2, or why it cannot be used. */
  readonly why: string | null;
  /** True where the folder holds a configuration of it. */
  readonly configured: boolean;
}

/** Client -> worker request: every checker, found or not, of every folder. Programs are asked for their version, nothing more. */
export const listCheckers = "skepticalTriage/listCheckers";
export interface ListCheckersResult {
  readonly folders: readonly {
    readonly root: string;
    /** Why none of them is started here; null where nothing forbids it. */
    readonly held: string | null;
    readonly checkers: readonly CheckerRow[];
  }[];
}

/** Client -> worker request: the lines that may run without being asked, of every folder. */
export const acceptedLines = "skepticalTriage/acceptedLines";
export interface AcceptedLine {
  readonly root: string;
  readonly line: string;
  /** When it was accepted, ISO 8601. */
  readonly at: string;
}
export interface AcceptedLinesResult {
  readonly lines: readonly AcceptedLine[];
}

/** Client -> worker request: takes an acceptance back. */
export const revokeLine = "skepticalTriage/revokeLine";
export interface RevokeLineParams {
  readonly root: string;
  readonly line: string;
}
export interface RevokeLineResult {
  /** False where it was not accepted any more. */
  readonly revoked: boolean;
}
