import assert from "node:assert/strict";
import test from "node:test";
import type { LogRecord, TriagedRecord } from "../../../src/core/audit.ts";
import { LogSession } from "../../../src/node/engine/logSession.ts";
import { triagedRecord } from "../../support/logRecords.ts";

const quiet = { head: async () => null, branch: async () => null, tell: () => undefined };

function sessionWith(records: readonly LogRecord[]): LogSession {
  const session = new LogSession({ ...quiet, session: "s", mask: (text) => text, now: () => new Date(0) });
  session.read(records);
  return session;
}

/** A triage of the log; `null`: no arbiter was asked. */
function ruled(verdict: "VALID" | "INVALID" | null | "none"): TriagedRecord {
  const arbiter = verdict === "none" ? null : { verdict, crux: "", overrideRejected: false, reason: null };
  return triagedRecord({ arbiter, verdict: verdict === "none" ? null : verdict });
}

const many = (count: number, verdict: Parameters<typeof ruled>[0]): TriagedRecord[] =>
  Array.from({ length: count }, () => ruled(verdict));

/** Triages that an arbiter ruled on, those called a false alarm among them, and what is advised. */
const CASES: readonly (readonly [what: string, records: readonly LogRecord[], advice: RegExp | null])[] = [
  ["too few to tell", many(49, "INVALID"), null],
  [
    "too many false alarms",
    [...many(30, "INVALID"), ...many(20, "VALID")],
    /^30 of 50 .*\(60 %\).*reports too readily/,
  ],
  ["hardly any", [...many(2, "INVALID"), ...many(48, null)], /^2 of 50 .*\(4 %\).*hardly earns its cost/],
  ["a fair share", [...many(10, "INVALID"), ...many(40, "VALID")], null],
  ["what no arbiter ruled on does not count", [...many(40, "INVALID"), ...many(40, "none")], null],
];
for (const [what, records, advice] of CASES) {
  test(`the share of false alarms is advice from 50 triages on: ${what} (R0.25, C21)`, () => {
    const said = sessionWith(records).advice();
    if (advice === null) assert.equal(said, null);
    else assert.match(said ?? "", advice);
  });
}
