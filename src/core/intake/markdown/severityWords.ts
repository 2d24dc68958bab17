import type { Severity, SourceSeverity } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { severityOf } from "../../severity.ts";

/** A severity as it was read from prose. */
export interface ReadSeverity {
  readonly severity: Severity;
  readonly sourceSeverity: SourceSeverity;
}

/** Alternatives of a regular expression: the words a review may rank a finding with. */
export const SEVERITY_WORDS =
  "critical|blocker|high|major|medium|moderate|minor|low|warning|error|informational|info|nit|trivial|P[0-4]";

const FIRST_WORD = new RegExp(
  `^(?:[^\\p{L}\\p{N}]|ℹ)*(${SEVERITY_WORDS}|note|style|suggestion)(?![\\p{L}\\p{N}])`,
  "iu",
);

/**
 * The severity a cell or label starts with (`**HIGH**`, `🔴 Critical`, `INFO (downgraded: …)`); null where it starts with none. In the
 * table of R3.5 WARNING ranks higher than elsewhere. A word of the person's own `severityMap` counts as a whole.
 */
export function readSeverity(text: string, map: SeverityMap, ofFindingTable = false): ReadSeverity | null {
  const own: SourceSeverity = { scale: "word", value: text.replace(/[*_`]/g, "").trim() };
  const word = FIRST_WORD.exec(text)?.[1];
  const candidates: SourceSeverity[] = [own];
  if (word !== undefined && /^(?:P\d|nit)$/i.test(word)) candidates.push({ scale: "p-scale", value: word });
  if (word !== undefined && ofFindingTable) candidates.unshift({ scale: "archeflow-table", value: word });
  if (word !== undefined) candidates.push({ scale: "word", value: word });
  for (const sourceSeverity of candidates) {
    const severity = severityOf(sourceSeverity, map);
    if (severity !== null) return { severity, sourceSeverity };
  }
  return null;
}
