import type { TriagedRecord } from "../../src/core/audit.ts";

/** What links a record into its chain; no test of the core looks at more than the session and the time. */
export const LINK = {
  v: 1,
  session: "s",
  chain: "c",
  seq: 1,
  prev: null,
  after: null,
  torn: null,
  at: "2026-01-01T00:00:00.000Z",
  hash: "0".repeat(64),
} as const;

/** The finding that a record is about. */
export const ABOUT = {
  key: "k",
  file: "src/a.ts",
  line: 3,
  tool: "t",
  rule: null,
  severity: "P2",
  finalSeverity: "P2",
} as const;

/** A triage as the log holds it: kept by nobody in particular where nothing else is said. */
export function triagedRecord(more: Partial<TriagedRecord> = {}): TriagedRecord {
  return {
    ...LINK,
    kind: "triaged",
    ...ABOUT,
    action: "keep",
    authorization: "none",
    settledAs: null,
    proposesDismissal: false,
    verdict: null,
    rounds: [],
    arbiter: null,
    validShare: null,
    counted: 0,
    because: [],
    receipts: [],
    reviewer: null,
    prompts: {},
    calls: 0,
    tokens: { prompt: 0, completion: 0 },
    evidence: ["src/a.ts:3"],
    regions: [],
    ...more,
  };
}
