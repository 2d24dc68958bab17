import path from "node:path";
import { codeSeen, decidedEntry, reopenedEntry, type Standing, triagedEntry } from "../../core/auditEntry.ts";
import type { LogEntry, LogRecord } from "../../core/audit.ts";
import { dismissLine, type KeyParts, seekLine, warningLine } from "../../core/auditLines.ts";
import type { Finding } from "../../core/finding.ts";
import { topicOf } from "../../core/claimKind.ts";
import type { Mask, Now, Prompt, Prompts } from "../../core/ports.ts";
import { promptsOf } from "../../core/promptIds.ts";
import { redactForLog } from "../../core/redaction.ts";
import { capOn, streakOf } from "../../core/streak.ts";
import type { Triaged } from "../../core/triage.ts";
import { sha256 } from "../hash.ts";
import { createJournal } from "../journal.ts";
import { type Appended, createLog, type TriageLog } from "../log/log.ts";
import { readLog } from "../log/readLog.ts";
import type { Decided } from "./entry.ts";
import type { History, Written } from "./history.ts";
import { lastOf, recallTriaged } from "./recall.ts";

/** Where records go, by the person's settings. */
export interface LogPlacement {
  readonly logLocation: "workspace" | "extensionStorage";
  /** Also write rows in the shape of R0.24 to the path of R0.24. */
  readonly compatibleRows: boolean;
}

export interface LogHistoryOptions {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  /** Where the log goes with `logLocation: extensionStorage`: a folder of this workspace's own, outside of it. */
  readonly storage: string;
  /** The journal's folder in the user's cache, shared by editor and command line (ruling 26). */
  readonly journal: string;
  /** Asked at each record, so that a changed setting counts at once. */
  readonly where: () => LogPlacement;
  /** One editor window or one command-line run (ruling 20). */
  readonly session: string;
  readonly mask: Mask;
  readonly now: Now;
  head(): Promise<string | null>;
  /** Name of the branch; null where there is none. */
  branch(): Promise<string | null>;
  /** Prompts of a model reviewer, named in the log. */
  readonly prompts: Prompts;
  /** Told when something beside the log could not be written. */
  note(text: string): void;
  /** Told the token lines of second opinions and of the streak guard (R1.26, R1.30, R1.31): for the output channel only. */
  tell(line: string): void;
}

/** Where the log of a workspace lies. */
export function logPathOf(root: string, storage: string, location: LogPlacement["logLocation"]): string {
  const folder = location === "workspace" ? path.join(root, ".skeptical-triage") : storage;
  return path.join(folder, "triage-log.jsonl");
}

/** History in the triage log, with a local journal beside it that redraws rounds after a restart (ruling 23). */
export function createHistory(options: LogHistoryOptions): History & { readonly path: () => string } {
  const logs = new Map<string, TriageLog>();
  const log = (): TriageLog => {
    const where = options.where();
    const id = `${where.logLocation} ${where.compatibleRows}`;
    const known = logs.get(id) ?? openLog(where, options);
    logs.set(id, known);
    return known;
  };
  const journal = createJournal(options.journal);
  let records: readonly LogRecord[] = [];
  let at: Standing = { commit: null, branch: null };
  const session = () => ({ records, session: options.session, branch: at.branch });
  const refresh = async (): Promise<void> => {
    const branch = await options.branch();
    at = { commit: await options.head(), branch: branch === null ? null : sha256(branch).slice(0, 16) };
  };
  const append = async (entry: LogEntry, code: readonly string[]): Promise<Written> => {
    const appended = await log().append(entry, code);
    if (appended.kind === "written") records = [...records, appended.record];
    return said(appended, options);
  };
  /** Warns once, when the streak has just reached its length (R1.26). */
  const warn = async (before: boolean): Promise<void> => {
    const streak = streakOf(session());
    if (before || !streak.warned) return;
    const text = warningLine(streak, options.now());
    options.tell(text);
    await append({ kind: "warned", key: null, rule: "R1.26", text }, []);
  };
  return {
    path: () => log().path,
    async load() {
      const { records: lines, problems } = await readLog(log().path);
      records = lines.map(({ record }) => record);
      await refresh();
      const { triaged, decided, known } = lastOf(records);
      const recalled = new Map<string, Triaged>();
      for (const [key, record] of triaged) recalled.set(key, recallTriaged(record, await journal.get(key)));
      return {
        triaged: recalled,
        decided,
        known: [...known.values()],
        problems: problems.map(({ line, why }) => `${path.basename(log().path)}, line ${line}: ${why}`),
      };
    },
    streak: () => streakOf(session()),
    capped: (key, intent) => capOn(session(), key, intent, at.commit),
    refresh,
    async triaged(finding, triaged) {
      await refresh();
      const before = streakOf(session()).warned;
      const entry = triagedEntry(finding, triaged, promptsUsed(finding, triaged, options.prompts), at);
      const written = await append(entry, codeSeen(finding, triaged));
      if (written.kind === "failed") return written;
      const { opinion } = entry;
      const key = keyParts(finding, options.mask);
      if (opinion?.intent === "dismiss") options.tell(dismissLine(entry, opinion, key, options.now()));
      else if (opinion !== undefined) options.tell(seekLine(entry, opinion, key, options.now()));
      await warn(before);
      // The journal only redraws: without it the log still tells what was judged.
      await journal
        .put(finding.key, triaged)
        .catch((error: unknown) => options.note(`The journal was not written: ${String(error)}`));
      return written;
    },
    async decided(finding, decided, triaged) {
      await refresh();
      const before = streakOf(session()).warned;
      const entry = entryOf(finding, decided, triaged, at);
      const written = await append(entry, triaged === null ? [] : codeSeen(finding, triaged));
      if (written.kind === "failed" || entry.kind !== "decided" || entry.decision !== "dismissed") return written;
      const blind = entry.blindVerdict === null ? null : triaged?.opinion;
      const gave = blind?.kind === "gave" ? blind : null;
      const closed = {
        mapped: "DISMISS_VERIFIED" as const,
        verdictConfidence: gave?.verdictConfidence ?? null,
        thread: gave?.thread ?? "none",
      };
      options.tell(dismissLine(entry, closed, keyParts(finding, options.mask), options.now()));
      await warn(before);
      return written;
    },
  };
}

/** The prompts a triage was judged with; none for the built-in reviewer and where nobody was asked. */
function promptsUsed(finding: Finding, triaged: Triaged, prompts: Prompts): Prompt[] {
  const { method, reviewer, refutation, opinion } = triaged;
  if (method === null || reviewer === null || reviewer.provider === "built-in") return [];
  const lenses = (refutation?.refuters ?? []).map(({ lens }) => lens.id);
  const asked = opinion === null ? "none" : opinion.kind === "gave" && opinion.rebuttal !== null ? "rebutted" : "asked";
  return promptsOf(method, topicOf(finding), lenses, asked).map((id) => prompts(id));
}

/** The finding as the token lines name it: a path and a summary without code (R1.33). */
function keyParts(finding: Finding, mask: Mask): KeyParts {
  const [first = ""] = finding.message.split("\n");
  const file = finding.place.file;
  return {
    file,
    issue: redactForLog(mask(first), { code: finding.quote === null ? [] : [finding.quote], place: file }),
  };
}

function openLog(where: LogPlacement, options: LogHistoryOptions): TriageLog {
  const { root, storage, session, now, mask } = options;
  const inWorkspace = where.logLocation === "workspace";
  const compatible =
    where.compatibleRows && inWorkspace
      ? { path: path.join(root, ".great_cto", "triage-log.jsonl"), caller: "review" as const }
      : null;
  const file = logPathOf(root, storage, where.logLocation);
  return createLog({ path: file, within: inWorkspace ? root : storage, session, hash: sha256, now, mask, compatible });
}

function entryOf(
  finding: Finding,
  decided: Decided & { readonly prompt: string },
  triaged: Triaged | null,
  { commit, branch }: Standing,
): LogEntry {
  const { decision, reason, prompt, regions } = decided;
  const now = new Date(decided.at);
  if (decision === "reopened") return reopenedEntry({ finding, reason, prompt, commit, branch, now }, sha256);
  return decidedEntry({ finding, triaged, regions, decision, reason, prompt, commit, branch, now }, sha256);
}

function said(appended: Appended, options: LogHistoryOptions): Written {
  if (appended.kind === "failed") return appended;
  if (appended.note !== null) options.note(appended.note);
  return { kind: "written" };
}
