import type { Claimed } from "../../src/core/finding.ts";
import { BLANK_CLAIM } from "../../src/core/intake/reader.ts";

/** A claim with everything a test does not care about filled in. */
export function claim(more: Partial<Claimed> = {}): Claimed {
  return {
    ...BLANK_CLAIM,
    severity: "P1",
    sourceSeverity: { scale: "sarif-level", value: "error" },
    tool: "tool",
    message: "Something is wrong.",
    pointer: "/runs/0/results/0",
    ...more,
  };
}

/** A span of one line, or of several. */
export function at(line: number, endLine: number | null = null): Claimed["span"] {
  return { line, endLine, column: null, endColumn: null };
}
