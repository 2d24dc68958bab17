import assert from "node:assert/strict";
import type { Claimed, ReviewReading } from "../../../../src/core/finding.ts";
import { readReview } from "../../../../src/core/intake/readReview.ts";

/** Reads a report as a tool wrote it: an object stands for its JSON, a list of objects for JSON lines where `lines` is set. */
export function read(report: unknown, lines = false): ReviewReading {
  const text =
    typeof report === "string"
      ? report
      : lines && Array.isArray(report)
        ? report.map((row) => JSON.stringify(row)).join("\n")
        : JSON.stringify(report);
  return readReview(text, "report");
}

/** The only finding of a report that has nothing unread. */
export function only(report: unknown, lines = false): Claimed {
  const { claimed, unread } = read(report, lines);
  assert.deepEqual(unread, []);
  const [first] = claimed;
  assert.ok(first !== undefined && claimed.length === 1, `${claimed.length} findings`);
  return first;
}

/** `path:line:severity` with the severity as the source wrote it. */
export function placed({ path, span, sourceSeverity }: Claimed): string {
  return `${path ?? "-"}:${span.line ?? "-"}:${sourceSeverity.value}`;
}

/** A claim's span as `line-endLine:column-endColumn`. */
export function spanned({ span }: Claimed): string {
  const [line, endLine, column, endColumn] = [span.line, span.endLine, span.column, span.endColumn].map((n) => n ?? "");
  return `${line}-${endLine}:${column}-${endColumn}`;
}
