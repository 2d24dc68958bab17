import type { Diagnostic } from "vscode";

/** The source that the Problems view shows beside our own diagnostics. */
const OURS = "Skeptical Triage";

/** Whether a diagnostic is one of ours: those are never taken in as findings (ruling 27). */
export function isOurs(source: string | undefined): boolean {
  return source?.startsWith(OURS) ?? false;
}

/** Makes a diagnostic of the worker recognisable as ours, keeping the tool's name that it may carry. */
export function markAsOurs(diagnostic: Diagnostic): void {
  diagnostic.source = diagnostic.source === undefined ? OURS : `${OURS} (${diagnostic.source})`;
}
