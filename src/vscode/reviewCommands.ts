import * as vscode from "vscode";
import type { Unread } from "../core/finding.ts";
import type { PanelState } from "../protocol/panel.ts";
import type { Application } from "./application.ts";
import { findInWorkspace, openAt } from "./openFile.ts";
import { confirmRun } from "./triageCommands.ts";

/** Lets the person choose a review file, unless one is given, and says what was read in it. */
export async function openReviewFile(app: Application, [given]: readonly unknown[]): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : await chooseFile();
  if (uri === undefined) return;
  const { format, keys, unread, problem } = await app.worker.openReview({ path: uri.fsPath });
  const name = vscode.workspace.asRelativePath(uri);
  if (problem !== null) return void (await app.ask.tell("warning", problem));
  await app.store.reload();
  const lines = unread === 0 ? "" : ` ${count(unread, "line")} that look like findings were not understood.`;
  const text = `${name}: ${count(keys.length, "finding")} read (${format}).${lines}`;
  const buttons = [...(keys.length > 0 ? ["Triage"] : []), ...(unread > 0 ? ["Show Lines"] : [])];
  const pressed = await app.ask.tell(unread > 0 ? "warning" : "info", text, ...buttons);
  const params = { kind: "review", path: uri.fsPath } as const;
  if (pressed === "Triage" && (await confirmRun(app, params))) await app.runs.start(params, `Triage of ${name}`);
  if (pressed === "Show Lines") await showUnread(app);
}

/** Lists what looked like a finding and was not understood (C20); the chosen one is opened in its file. */
export async function showUnread(app: Application): Promise<void> {
  await app.store.reload();
  const { unread, unreadCount } = app.store.current;
  if (unread.length === 0)
    return void (await app.ask.tell("info", "Everything that looks like a finding was understood."));
  const choices = unread.map((line) => ({
    label: line.text.replace(/\s+/gu, " ").replaceAll("$(", "$\u200B(") || "(empty)",
    description: `${vscode.workspace.asRelativePath(line.path)}${line.line === null ? "" : `:${line.line}`}`,
    detail: line.reason,
    value: line,
  }));
  const chosen = await app.ask.pick(
    choices,
    `${count(unreadCount, "line")} not understood${unreadCount > unread.length ? `, the first ${unread.length} of them` : ""}`,
  );
  if (chosen !== undefined) await openUnread(app, chosen);
}

/** Opens a line that was not understood, as a row of the view or the pick above gives it. */
export async function openUnread(app: Application, unread: unknown): Promise<void> {
  if (!isUnread(unread)) return;
  const { path, line } = unread;
  const why = await openReviewAt(path, line ?? 1, app.loadedPanel()?.column);
  if (why !== null) await app.ask.tell("warning", why);
}

/** Opens the review file of a finding, or the code itself for a live diagnostic; resolves to why not, or null. */
export async function openSource(
  { finding }: PanelState,
  besides: vscode.ViewColumn | undefined,
): Promise<string | null> {
  const { path, pointer } = finding.source;
  if (path === "editor") return await openWorkspaceFile(finding.place.file ?? "", finding.place.line ?? 1, besides);
  return await openReviewAt(path, Number(/^L(\d+)$/.exec(pointer)?.[1] ?? 1), besides);
}

/** Opens a file of the workspace at a 1-based line; resolves to why not, or null. */
export async function openWorkspaceFile(
  file: string,
  line: number,
  besides: vscode.ViewColumn | undefined,
): Promise<string | null> {
  const uri = await findInWorkspace(file);
  if (uri === null) return `${file === "" ? "The file" : file} is not in this workspace.`;
  await openAt(uri, line, besides);
  return null;
}

/** Opens the triage log at a finding's last record, or at its end; resolves to why not, or null. */
export async function openLog(
  app: Application,
  key: string | null,
  besides: vscode.ViewColumn | undefined,
): Promise<string | null> {
  const place = await app.worker.logPlace({ key });
  if (place === null)
    return key === null ? "There is no triage log yet." : "The triage log holds no record of this finding yet.";
  await openAt(vscode.Uri.file(place.path), place.line, besides);
  return null;
}

export async function verifyLog(app: Application): Promise<void> {
  const { path, records, problem } = await app.worker.verifyLog();
  if (problem !== null) {
    const pressed = await app.ask.tell(
      "warning",
      `The triage log is not intact: ${problem}`,
      ...(path === null ? [] : ["Open Log"]),
    );
    if (pressed === "Open Log" && path !== null) await openAt(vscode.Uri.file(path), 1, undefined);
    return;
  }
  const text =
    path === null
      ? "There is no triage log yet."
      : `The triage log is intact: ${count(records, "record")}, every chain checked.`;
  await app.ask.tell("info", text);
}

/** A review file may lie outside the workspace: the person has opened it by command. */
async function openReviewAt(
  path: string,
  line: number,
  besides: vscode.ViewColumn | undefined,
): Promise<string | null> {
  const inside = await findInWorkspace(path);
  const uri = inside ?? vscode.Uri.file(path);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return `${path} is gone.`;
  }
  await openAt(uri, line, besides);
  return null;
}

function isUnread(value: unknown): value is Pick<Unread, "path" | "line"> {
  return (
    typeof value === "object" && value !== null && "path" in value && typeof value.path === "string" && "line" in value
  );
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: "Open Review File",
    openLabel: "Read Findings",
    filters: { "Review files": ["sarif", "json", "jsonl", "md", "txt"], "All files": ["*"] },
    ...(folder === undefined ? {} : { defaultUri: folder }),
  });
  return chosen?.[0];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
