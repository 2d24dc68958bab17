import path from "node:path";
import { codeSeen, decidedEntry, reopenedEntry, triagedEntry } from "../../core/auditEntry.ts";
import type { LogEntry } from "../../core/audit.ts";
import type { Finding } from "../../core/finding.ts";
import { PROMPT_OF } from "../../core/conversation.ts";
import type { Mask, Now, Prompt, Prompts } from "../../core/ports.ts";
import type { Triaged } from "../../core/triage.ts";
import { sha256 } from "../hash.ts";
import { createJournal } from "../journal.ts";
import { createLog, type Appended } from "../log/log.ts";
import { readLog } from "../log/readLog.ts";
import type { Decided } from "./entry.ts";
import type { History, Written } from "./history.ts";
import { lastOf, recallTriaged } from "./recall.ts";

export interface LogHistoryOptions {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  /** Where the log goes with `logLocation: extensionStorage`: a folder of this workspace's own, outside of it. */
  readonly storage: string;
  /** The journal's folder in the user's cache, shared by editor and command line (ruling 26). */
  readonly journal: string;
  readonly logLocation: "workspace" | "extensionStorage";
  readonly compatibleRows: boolean;
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
export function logPathOf(options: Pick<LogHistoryOptions, "root" | "storage" | "logLocation">): string {
  const folder = options.logLocation === "workspace" ? path.join(options.root, ".skeptical-triage") : options.storage;
  return path.join(folder, "triage-log.jsonl");
}

/** History in the triage log, with a local journal beside it that redraws rounds after a restart (ruling 23). */
export function createHistory(options: LogHistoryOptions): History & { readonly path: () => string } {
  const file = logPathOf(options);
  const within = options.logLocation === "workspace" ? options.root : options.storage;
  const compatible = options.compatibleRows
    ? { path: path.join(options.root, ".great_cto", "triage-log.jsonl"), caller: "review" as const }
    : null;
  const { session, now, mask } = options;
  const log = createLog({
    path: file,
    within,
    session,
    hash: sha256,
    now,
    mask,
    compatible: within === options.root ? compatible : null,
  });
  const journal = createJournal(options.journal);
  const append = async (entry: LogEntry, code: readonly string[]): Promise<Written> =>
    said(await log.append(entry, code), options);
  return {
    path: () => file,
    async load() {
      const { records, problems } = await readLog(file);
      const { triaged, decided } = lastOf(records.map(({ record }) => record));
      const recalled = new Map<string, Triaged>();
      for (const [key, record] of triaged) recalled.set(key, recallTriaged(record, await journal.get(key)));
      return {
        triaged: recalled,
        decided,
        problems: problems.map(({ line, why }) => `${path.basename(file)}, line ${line}: ${why}`),
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
  return (["rules", ...Object.values(PROMPT_OF), "arbiter"] as const).map((id) => prompts(id));
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
