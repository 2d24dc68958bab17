import path from "node:path";
import { codeSeen, decidedEntry, reopenedEntry, type Standing, triagedEntry } from "../../core/auditEntry.ts";
import type { LogEntry } from "../../core/audit.ts";
import type { Finding } from "../../core/finding.ts";
import { topicOf } from "../../core/claimKind.ts";
import type { Prompt, Prompts } from "../../core/ports.ts";
import { PROMPT_IDS, type PromptId, promptsOf } from "../../core/promptIds.ts";
import type { Triaged } from "../../core/triage.ts";
import { sha256 } from "../hash.ts";
import { createJournal, type Journal } from "../journal.ts";
import { type Appended, createLog, type TriageLog } from "../log/log.ts";
import { readLog } from "../log/readLog.ts";
import type { Decided } from "./entry.ts";
import type { History, Remembered, Written } from "./history.ts";
import { LogSession, type LogSessionOptions } from "./logSession.ts";
import { lastOf, recallTriaged } from "./recall.ts";

/** Where records go, by the person's settings. */
export interface LogPlacement {
  readonly logLocation: "workspace" | "extensionStorage";
  /** Also write rows in the shape of R0.24 to the path of R0.24. */
  readonly compatibleRows: boolean;
}

export interface LogHistoryOptions extends LogSessionOptions {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  /** Where the log goes with `logLocation: extensionStorage`: a folder of this workspace's own, outside of it. */
  readonly storage: string;
  /** The journal's folder in the user's cache, shared by editor and command line (ruling 26). */
  readonly journal: string;
  /** Asked at each record, so that a changed setting counts at once. */
  readonly where: () => LogPlacement;
  /** Prompts of a model reviewer, named in the log. */
  readonly prompts: Prompts;
  /** Told when something beside the log could not be written. */
  note(text: string): void;
}

/** Where the log of a workspace lies. */
export function logPathOf(root: string, storage: string, location: LogPlacement["logLocation"]): string {
  const folder = location === "workspace" ? path.join(root, ".skeptical-triage") : storage;
  return path.join(folder, "triage-log.jsonl");
}

/** History in the triage log, with a local journal beside it that redraws rounds after a restart (ruling 23). */
export function createHistory(
  options: LogHistoryOptions,
): History & { readonly path: () => string; readonly advice: () => string | null } {
  const logs = new Map<string, TriageLog>();
  const log = (): TriageLog => {
    const where = options.where();
    const id = `${where.logLocation} ${where.compatibleRows}`;
    const known = logs.get(id) ?? openLog(where, options);
    logs.set(id, known);
    return known;
  };
  const journal = createJournal(options.journal);
  const session = new LogSession(options);
  const append = async (entry: LogEntry, code: readonly string[]): Promise<Written> => {
    const appended = await log().append(entry, code);
    if (appended.kind === "written") session.add(appended.record);
    return said(appended, options);
  };
  const warn = async (warnedBefore: boolean): Promise<void> => {
    const warning = session.warning(warnedBefore);
    if (warning !== null) await append(warning, []);
  };
  return {
    path: () => log().path,
    advice: () => session.advice(),
    streak: () => session.streak(),
    capped: (key, intent) => session.capped(key, intent),
    braked: () => session.braked(),
    refresh: async () => await session.refresh(),
    load: async () => {
      await session.refresh();
      return await remember(log().path, journal, session);
    },
    async triaged(finding, triaged) {
      await session.refresh();
      const { warned } = session.streak();
      const entry = triagedEntry(finding, triaged, promptsUsed(finding, triaged, options.prompts), session.at);
      const written = await append(entry, codeSeen(finding, triaged));
      if (written.kind === "failed") return written;
      session.tellOpinion(finding, entry);
      await warn(warned);
      // The journal only redraws: without it the log still tells what was judged.
      await journal
        .put(finding.key, triaged)
        .catch((error: unknown) => options.note(`The journal was not written: ${String(error)}`));
      return written;
    },
    async decided(finding, decided, triaged) {
      await session.refresh();
      const { warned } = session.streak();
      const entry = entryOf(finding, decided, triaged, session.at);
      const written = await append(entry, triaged === null ? [] : codeSeen(finding, triaged));
      if (written.kind === "failed" || entry.kind !== "decided" || entry.decision !== "dismissed") return written;
      session.tellDismissal(finding, entry, triaged);
      await warn(warned);
      return written;
    },
  };
}

/** What log and journal know of findings. */
async function remember(file: string, journal: Journal, session: LogSession): Promise<Remembered> {
  const { records: lines, problems } = await readLog(file);
  const records = lines.map(({ record }) => record);
  session.read(records);
  const { triaged, decided, known } = lastOf(records);
  const recalled = new Map<string, Triaged>();
  for (const [key, record] of triaged) recalled.set(key, recallTriaged(record, await journal.get(key)));
  return {
    triaged: recalled,
    decided,
    known: [...known.values()],
    problems: problems.map(({ line, why }) => `${path.basename(file)}, line ${line}: ${why}`),
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

/** A print of all prompts that models are asked with: what was said in answer to others counts no more. */
export function promptsPrint(prompts: Prompts): string {
  return sha256(JSON.stringify(PROMPT_IDS.map((id) => [id, promptHash(id, prompts)])));
}

/** Null for a prompt that cannot be read: whoever asks with it says so. */
function promptHash(id: PromptId, prompts: Prompts): string | null {
  try {
    return prompts(id).hash;
  } catch {
    return null;
  }
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
