import type { DecidedEntry, LogEntry, LogRecord, TriagedEntry } from "../../core/audit.ts";
import type { Standing } from "../../core/auditEntry.ts";
import { dismissLine, type KeyParts, seekLine, warningLine } from "../../core/auditLines.ts";
import type { Finding } from "../../core/finding.ts";
import type { Intent } from "../../core/method.ts";
import { adviceOn } from "../../core/policy.ts";
import type { Mask, Now } from "../../core/ports.ts";
import { redactForLog } from "../../core/redaction.ts";
import { brakedClass, capOn, type Streak, streakOf } from "../../core/streak.ts";
import type { Triaged } from "../../core/triage.ts";
import { sha256 } from "../hash.ts";

export interface LogSessionOptions {
  readonly session: string;
  readonly mask: Mask;
  readonly now: Now;
  head(): Promise<string | null>;
  branch(): Promise<string | null>;
  /** Told the token lines of second opinions and of the streak guard (R1.26, R1.30, R1.31): for the output channel only. */
  tell(line: string): void;
}

/** What one session has done so far, as the log's records tell it, and the lines it says about that. */
export class LogSession {
  readonly #options: LogSessionOptions;
  #records: readonly LogRecord[] = [];
  #at: Standing = { commit: null, branch: null };
  /** What the records tell of the session, with what it was worked out from. */
  #told: {
    readonly records: readonly LogRecord[];
    readonly branch: string | null;
    readonly streak: Streak;
    readonly braked: number | null;
  } | null = null;

  constructor(options: LogSessionOptions) {
    this.#options = options;
  }

  /** Where version control stood when it was last looked at; the branch as a hash of its name. */
  get at(): Standing {
    return this.#at;
  }

  read(records: readonly LogRecord[]): void {
    this.#records = records;
  }

  add(record: LogRecord): void {
    this.#records = [...this.#records, record];
  }

  async refresh(): Promise<void> {
    const name = await this.#options.branch();
    this.#at = { commit: await this.#options.head(), branch: name === null ? null : sha256(name).slice(0, 16) };
  }

  streak(): Streak {
    return this.#tell().streak;
  }

  braked(): number | null {
    return this.#tell().braked;
  }

  capped(key: string, intent: Intent): string | null {
    return capOn(this.#log(), key, intent, this.#at.commit);
  }

  /** What the share of false alarms among all triages of the log that an arbiter ruled on advises (R0.25); it changes nothing (C21). */
  advice(): string | null {
    const ruled = this.#records.flatMap((record) => (record.kind === "triaged" ? (record.arbiter ?? []) : []));
    return adviceOn(ruled.length, ruled.filter(({ verdict }) => verdict === "INVALID").length);
  }

  /** Tells the line of a second opinion. */
  tellOpinion(finding: Finding, entry: TriagedEntry): void {
    const { opinion } = entry;
    if (opinion === undefined) return;
    const [key, at] = [this.#keyParts(finding), this.#options.now()];
    const line =
      opinion.intent === "dismiss" ? dismissLine(entry, opinion, key, at) : seekLine(entry, opinion, key, at);
    this.#options.tell(line);
  }

  /** Tells the line of a dismissal by a person (R1.19). */
  tellDismissal(finding: Finding, entry: DecidedEntry, triaged: Triaged | null): void {
    const gave = entry.blindVerdict !== null && triaged?.opinion?.kind === "gave" ? triaged.opinion : null;
    const closed = {
      mapped: "DISMISS_VERIFIED",
      verdictConfidence: gave?.verdictConfidence ?? null,
      thread: gave?.thread ?? "none",
    } as const;
    this.#options.tell(dismissLine(entry, closed, this.#keyParts(finding), this.#options.now()));
  }

  /** The record of a warning, told at the same time, where the streak has just reached its length; null else (R1.26). */
  warning(warnedBefore: boolean): LogEntry | null {
    const streak = this.streak();
    if (warnedBefore || !streak.warned) return null;
    const text = warningLine(streak, this.#options.now());
    this.#options.tell(text);
    return { kind: "warned", key: null, rule: "R1.26", text };
  }

  /** Asked several times for each finding; a long log is gone through once for each record. */
  #tell(): { readonly streak: Streak; readonly braked: number | null } {
    const log = this.#log();
    const { records, branch } = log;
    if (this.#told?.records !== records || this.#told.branch !== branch)
      this.#told = { records, branch, streak: streakOf(log), braked: brakedClass(log) };
    return this.#told;
  }

  #log() {
    return { records: this.#records, session: this.#options.session, branch: this.#at.branch };
  }

  /** The finding as the token lines name it: a path and a summary without code (R1.33). */
  #keyParts(finding: Finding): KeyParts {
    const [first = ""] = finding.message.split("\n");
    const { file } = finding.place;
    const code = finding.quote === null ? [] : [finding.quote];
    return { file, issue: redactForLog(this.#options.mask(first), { code, place: file }) };
  }
}
