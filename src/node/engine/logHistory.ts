import path from "node:path";
import { codeSeen, decidedEntry, reopenedEntry, triagedEntry } from "../../core/auditEntry.ts";
import type { LogEntry } from "../../core/audit.ts";
import type { Finding } from "../../core/finding.ts";
import { PROMPT_OF } from "../../core/conversation.ts";
import type { Mask, Now, Prompt, Prompts } from "../../core/ports.ts";
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
  const append = async (entry: LogEntry, code: readonly string[]): Promise<Written> =>
    said(await log().append(entry, code), options);
  return {
    path: () => log().path,
    async load() {
      const { records, problems } = await readLog(log().path);
      const { triaged, decided, known } = lastOf(records.map(({ record }) => record));
      const recalled = new Map<string, Triaged>();
      for (const [key, record] of triaged) recalled.set(key, recallTriaged(record, await journal.get(key)));
      return {
        triaged: recalled,
        decided,
        known: [...known.values()],
        problems: problems.map(({ line, why }) => `${path.basename(log().path)}, line ${line}: ${why}`),
      };
    },
    async triaged(finding, triaged) {
      const written = await append(
        triagedEntry(finding, triaged, promptsOf(triaged, options.prompts)),
        codeSeen(finding, triaged),
      );
      if (written.kind === "failed") return written;
      // The journal only redraws: without it the log still tells what was judged.
      await journal
        .put(finding.key, triaged)
        .catch((error: unknown) => options.note(`The journal was not written: ${String(error)}`));
      return written;
    },
    async decided(finding, decided, triaged) {
      const entry = entryOf(finding, decided, triaged, await options.head());
      return await append(entry, triaged === null ? [] : codeSeen(finding, triaged));
    },
  };
}

/** The prompts a triage was judged with; none for the built-in reviewer and where no round ran. */
function promptsOf(triaged: Triaged, prompts: Prompts): Prompt[] {
  if (triaged.reviewer === null || triaged.reviewer.provider === "built-in") return [];
  return modelPrompts(prompts);
}

function modelPrompts(prompts: Prompts): Prompt[] {
  return (["rules", ...Object.values(PROMPT_OF), "arbiter"] as const).map((id) => prompts(id));
}

/** A print of all prompts that models are asked with: what was said in answer to others counts no more. */
export function promptsPrint(prompts: Prompts): string {
  return sha256(JSON.stringify(modelPrompts(prompts).map(({ id, hash }) => [id, hash])));
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
  commit: string | null,
): LogEntry {
  const { decision, reason, prompt, regions } = decided;
  const now = new Date(decided.at);
  if (decision === "reopened") return reopenedEntry({ finding, reason, prompt, commit, now }, sha256);
  return decidedEntry({ finding, triaged, regions, decision, reason, prompt, commit, now }, sha256);
}

function said(appended: Appended, options: LogHistoryOptions): Written {
  if (appended.kind === "failed") return appended;
  if (appended.note !== null) options.note(appended.note);
  return { kind: "written" };
}
