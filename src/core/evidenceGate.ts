import type { Claimed, GateDowngrade } from "./finding.ts";

/** Phrases that hedge a finding (R3.19): substring, any case. */
export const HEDGES = [
  "might be",
  "could potentially",
  "appears to",
  "seems like",
  "may not",
  "possibly",
  "it is possible",
  "there could be",
  "it might",
  "perhaps",
  "conceivably",
  "one could argue",
] as const;

/** What counts as evidence in prose (R3.20). Purely lexical: `10:30` passes too (R3.30); the place check looks behind it. */
export const EVIDENCE_MARKERS: readonly RegExp[] = [
  /output:/i,
  /error:/i,
  /line \d/i,
  /:\d/,
  /stack trace/i,
  /exit code/i,
  /\$ /,
  /```/,
  /command:/i,
  /result:/i,
  /observed:/i,
  /expected:/i,
  /actual:/i,
  /reproduction:/i,
  /steps to reproduce/i,
];

/** The lexical decision over the whole text of one finding (R3.21): null keeps it, else the reason to downgrade it. */
export function missingEvidence(text: string): GateDowngrade["reason"] | null {
  if (EVIDENCE_MARKERS.some((marker) => marker.test(text))) return null;
  const lower = text.toLowerCase();
  return HEDGES.some((hedge) => lower.includes(hedge)) ? "hedge_without_evidence" : "no_evidence";
}

/** Everything the source wrote about a prose finding; readers keep the raw text in `extra.text`. */
function wholeText(claimed: Claimed): string {
  const raw = claimed.extra["text"];
  return [typeof raw === "string" ? raw : "", claimed.message, claimed.quote ?? "", claimed.help ?? ""].join("\n");
}

/**
 * The evidence gate for one finding (R3.18-R3.21, ruling 12). Only prose at P0 or P1 can be downgraded, to Nit, and only for
 * display (ruling 2). A structured line counts as a marker; a finding without any location is flagged by its place, not downgraded.
 */
export function gateFinding(claimed: Claimed): GateDowngrade | null {
  if (!claimed.prose || (claimed.severity !== "P0" && claimed.severity !== "P1")) return null;
  if (claimed.path === null || claimed.span.line !== null) return null;
  const reason = missingEvidence(wholeText(claimed));
  return reason === null ? null : { from: claimed.severity, to: "Nit", reason };
}
