import type { LogRecord, TriagedRecord } from "./audit.ts";
import type { Intent } from "./method.ts";
import { BRAKE_AFTER, MOST_ASKED, WARN_AFTER } from "./policy.ts";

/** Where a session stands with dismissals (R1.26-R1.28). `run` counts those in a row; `warned` stays until session or branch end. */
export interface Streak {
  readonly run: number;
  readonly warned: boolean;
}

export const NO_STREAK: Streak = { run: 0, warned: false };

/** What a session has done so far on the branch it is on: read from the log, so that a crash of the worker forgets nothing (ruling 20). */
export interface SessionLog {
  readonly records: readonly LogRecord[];
  readonly session: string;
  /** Hash of the present branch's name. */
  readonly branch: string | null;
}

/** The streak as the session's records tell it, in their order. */
export function streakOf(log: SessionLog): Streak {
  return sinceSwitch(log).reduce(after, NO_STREAK);
}

/** The streak after one more record. Reopening and facts neither count nor break it; a warning stays (R1.28). */
export function after(streak: Streak, record: LogRecord): Streak {
  const effect = effectOf(record);
  if (effect === "none") return streak;
  if (effect === "breaks") return { ...streak, run: 0 };
  const run = streak.run + 1;
  return { run, warned: streak.warned || run >= WARN_AFTER };
}

/** Whether a record is a dismissal, the contrary, or neither. What a check settles is no verdict; one verdict for many duplicates is one. */
function effectOf(record: LogRecord): "counts" | "breaks" | "none" {
  if (record.kind === "decided") return record.decision === "dismissed" ? "counts" : "breaks";
  if (record.kind !== "triaged") return "none";
  const { action, authorization, opinion, twinOf } = record;
  if (twinOf !== undefined) return "none";
  if (opinion !== undefined && opinion.intent !== "dismiss") return "none";
  if (action === "filter" && authorization === "automated") return "counts";
  return action === "filter" || action === "keep" || action === "demote" || action === "needs-human"
    ? "breaks"
    : "none";
}

/**
 * The claim class of which checks have closed several findings in a row, so that a person looks at the next (ruling 35); null where none
 * has. Anything else that was judged or decided ends the row, also the one that a person was shown.
 */
export function brakedClass(log: SessionLog): number | null {
  const row = sinceSwitch(log).reduce<{ claimClass: number | null; count: number }>(
    (before, record) => {
      if (record.kind === "triaged" ? isFact(record) : record.kind !== "decided") return before;
      const claimClass = closedByCheck(record);
      if (claimClass === null) return { claimClass: null, count: 0 };
      return { claimClass, count: claimClass === before.claimClass ? before.count + 1 : 1 };
    },
    { claimClass: null, count: 0 },
  );
  return row.count >= BRAKE_AFTER ? row.claimClass : null;
}

/** What nobody judged: it neither closes anything nor ends a row. */
function isFact({ action }: TriagedRecord): boolean {
  return action === "bypass" || action === "advisory" || action === "route";
}

/** The claim class in which a check alone closed the finding; null where none did. */
function closedByCheck(record: LogRecord): number | null {
  if (record.kind !== "triaged" || record.settledAs !== "refuted" || record.authorization !== "automated") return null;
  const rule = record.because.flatMap((because) => /^class (\d+)$/.exec(because.rule)?.[1] ?? []);
  return rule.length === 0 ? null : Number(rule[0]);
}

/** Why a finding may not be asked about once more with an informational intent; null where it may (R1.29). */
export function capOn(log: SessionLog, key: string, intent: Intent, commit: string | null): string | null {
  if (intent === "dismiss") return null;
  const asked = sinceSwitch(log).filter(
    (record): record is TriagedRecord =>
      record.kind === "triaged" &&
      record.key === key &&
      record.opinion?.intent === intent &&
      // A question that got no answer is no verdict (R1.37).
      record.opinion.status === "gave" &&
      (record.commit ?? null) === commit,
  );
  return asked.length < MOST_ASKED
    ? null
    : `It was asked about already at this commit with the intent to ${intent}: once is all that counts (R1.29).`;
}

/** The session's own records since the last switch of branches; none where the switch came after the last of them. */
function sinceSwitch({ records, session, branch }: SessionLog): readonly LogRecord[] {
  const own = records.filter((record) => record.session === session);
  const start = own.findLastIndex((record) => branchOf(record) !== undefined && branchOf(record) !== branch);
  return own.slice(start + 1);
}

function branchOf(record: LogRecord): string | null | undefined {
  return record.kind === "triaged" || record.kind === "decided" ? record.branch : undefined;
}
