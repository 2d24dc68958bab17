import type { LogRecord, TriagedRecord } from "../../core/audit.ts";
import type { Remembered } from "../../core/carry.ts";
import type { Outcome } from "../../core/outcome.ts";
import { QUESTIONS, type Round } from "../../core/round.ts";
import { countVotes } from "../../core/vote.ts";
import type { Triaged } from "../../core/triage.ts";
import type { Decided } from "./entry.ts";
import { TriagedEntry } from "./triagedSchema.ts";

/** The last triage and decision of every key in a log, in the order of its lines. A later triage ends an earlier decision. */
export function lastOf(records: readonly LogRecord[]): {
  triaged: Map<string, TriagedRecord>;
  decided: Map<string, Decided>;
  known: Map<string, Remembered>;
} {
  const triaged = new Map<string, TriagedRecord>();
  const decided = new Map<string, Decided>();
  const known = new Map<string, Remembered>();
  for (const record of records) {
    if (record.kind !== "warned") known.set(record.key, remember(record, known.get(record.key)));
    if (record.kind === "triaged") {
      triaged.set(record.key, record);
      decided.delete(record.key);
    } else if (record.kind === "decided") {
      const { decision, reason, at, regions } = record;
      decided.set(record.key, { decision, reason, at, regions });
    } else if (record.kind === "reopened") {
      decided.set(record.key, { decision: "reopened", reason: record.reason, at: record.at, regions: [] });
    }
  }
  return { triaged, decided, known };
}

/** A record's finding; a reopening holds no regions, so it keeps the code that was flagged before. */
function remember(record: Exclude<LogRecord, { kind: "warned" }>, before: Remembered | undefined): Remembered {
  const { key, file, line, tool, rule } = record;
  const regions = record.kind === "reopened" ? [] : record.regions;
  const flagged = regions.find(({ role }) => role === "flagged")?.hash ?? before?.flagged ?? null;
  return { key, file, line, tool, rule, flagged };
}

/**
 * A triage as the log knows it, redrawn from the journal where that tells the same story. The log decides: a journal
 * that was damaged or edited by hand adds nothing.
 */
export function recallTriaged(record: TriagedRecord, journal: unknown): Triaged {
  const logged = fromRecord(record);
  const kept = TriagedEntry.safeParse(journal);
  if (!kept.success || !sameStory(kept.data, logged)) return logged;
  return {
    ...kept.data,
    key: record.key,
    outcome: { ...logged.outcome, next: kept.data.outcome.next, because: kept.data.outcome.because },
  };
}

function fromRecord(record: TriagedRecord): Triaged {
  const rounds = record.rounds.map((round): Round => {
    const question = QUESTIONS[round.n - 1] ?? "premise";
    if (round.verdict === null) return { kind: "abstained", n: round.n, question, reason: round.crux };
    const { verdict, crux, grepUsed } = round;
    return {
      kind: "counted",
      n: round.n,
      question,
      verdict,
      stated: verdict,
      crux,
      reasoning: "",
      citations: [],
      grepUsed,
      note: null,
    };
  });
  const { arbiter } = record;
  return {
    key: record.key,
    checks: [],
    rounds,
    vote: rounds.length === 0 ? null : countVotes(rounds),
    ruling: arbiter === null ? null : { ...arbiter, reasoning: "", citations: [] },
    outcome: outcomeOf(record),
    receipts: [],
    regions: record.regions,
    reviewer: record.reviewer,
    calls: record.calls,
    tokens: record.tokens,
  };
}

function outcomeOf(record: TriagedRecord): Outcome {
  const { action, finalSeverity, settledAs, proposesDismissal, because } = record;
  const person = record.severity === "P0" || record.severity === "P1";
  // The log is a file that can be edited: a line that closes a P0 or P1 without a person says what no writer of ours says.
  const authorization = person && record.authorization === "automated" ? "human-required" : record.authorization;
  const next = proposesDismissal
    ? `${record.severity}: a false alarm needs your confirmation.`
    : "As the log says; triage it again to see the evidence.";
  return { action, severity: finalSeverity, authorization, settledAs, proposesDismissal, because, next };
}

function sameStory(kept: Triaged, logged: Triaged): boolean {
  return (
    kept.outcome.action === logged.outcome.action &&
    kept.outcome.authorization === logged.outcome.authorization &&
    kept.ruling?.verdict === logged.ruling?.verdict &&
    verdicts(kept) === verdicts(logged) &&
    JSON.stringify(kept.regions) === JSON.stringify(logged.regions)
  );
}

function verdicts(triaged: Triaged): string {
  return JSON.stringify(triaged.rounds.map((round) => (round.kind === "counted" ? round.verdict : "-")));
}
