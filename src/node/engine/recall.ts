import type { LogRecord, TriagedRecord } from "../../core/audit.ts";
import type { Remembered } from "../../core/carry.ts";
import type { Triaged } from "../../core/triage.ts";
import type { Decided } from "./entry.ts";
import { fromRecord } from "./fromRecord.ts";
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
    outcome: {
      ...logged.outcome,
      next: kept.data.outcome.next,
      because: kept.data.outcome.because,
      bar: kept.data.outcome.bar,
    },
  };
}

function sameStory(kept: Triaged, logged: Triaged): boolean {
  return (
    kept.outcome.action === logged.outcome.action &&
    kept.outcome.authorization === logged.outcome.authorization &&
    kept.ruling?.verdict === logged.ruling?.verdict &&
    kept.outcome.mapped === logged.outcome.mapped &&
    verdicts(kept) === verdicts(logged) &&
    JSON.stringify(kept.regions) === JSON.stringify(logged.regions)
  );
}

function verdicts(triaged: Triaged): string {
  const rounds = triaged.rounds.map((round) => (round.kind === "counted" ? round.verdict : "-"));
  const refuters = (triaged.refutation?.refuters ?? []).map((one) => (one.kind === "counted" ? one.side : "-"));
  return JSON.stringify([triaged.method?.strategy ?? null, rounds, refuters, opinionOf(triaged)]);
}

function opinionOf({ opinion }: Triaged): string {
  return opinion?.kind === "gave" ? opinion.verdict : (opinion?.kind ?? "none");
}
