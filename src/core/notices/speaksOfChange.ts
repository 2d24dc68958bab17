const CHANGE =
  /\b(?:this|the)\s+(?:proposed\s+|current\s+)?(?:change|commit|diff|patch|pull\s+request|merge\s+request|PR|MR)\b|\b(?:newly|just)\s+(?:added|introduced)\b|\bchange\s+under\s+review\b/i;

/** True where a finding places itself in or outside of a change: only then does the change say whether it belongs here (class 15). */
export function speaksOfChange(message: string): boolean {
  return CHANGE.test(message);
}
