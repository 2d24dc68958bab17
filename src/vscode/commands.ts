import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Application } from "./application.ts";
import { challengeFindings } from "./challenges.ts";
import { listCheckers, showAcceptedLines } from "./checkerCommands.ts";
import type { CommandId, InternalCommandId } from "./contributions.ts";
import { decide } from "./decisions.ts";
import { applySavedFilter, deleteSavedFilter, filterBy, filterByText, saveFilter } from "./filterCommands.ts";
import { findInWorkspace, previewAt } from "./openFile.ts";
import { openLog, openReviewFile, openUnread, showUnread, verifyLog } from "./reviewCommands.ts";
import { rootPorts } from "./rootPorts.ts";
import { mapSourceRoot } from "./sourceRoots.ts";
import { chooseKeys, targetOf } from "./targets.ts";
import { cancel, cancelAll, targetPorts, triageFinding, triageInFile, triageOpen } from "./triageCommands.ts";
import { WorkerDown } from "./workerLife.ts";

const ClickedRow = z.object({ key: z.string(), absolute: z.nullable(z.string()), line: z.nullable(z.int()) });

type Handler = (app: Application, args: readonly unknown[]) => Promise<void>;

/** Every command of the manifest and what it does; the record is exhaustive, so none can be forgotten. */
export const HANDLERS: Readonly<Record<CommandId | InternalCommandId, Handler>> = {
  "skepticalTriage.triageFinding": triageFinding,
  "skepticalTriage.triageFindingsInFile": triageInFile,
  "skepticalTriage.triageGroup": triageFinding,
  "skepticalTriage.triageOpen": triageOpen,
  "skepticalTriage.challengeWithRefuters": (app, args) => challengeFindings(app, args, "refuters"),
  "skepticalTriage.challengeWithSecondOpinion": (app, args) => challengeFindings(app, args, "opinion"),
  "skepticalTriage.challengeWithOtherModel": (app, args) => challengeFindings(app, args, "other-model"),
  "skepticalTriage.openReviewFile": openReviewFile,
  "skepticalTriage.openPanel": openPanel,
  "skepticalTriage.confirmFinding": (app, args) => decideOn(app, args, "confirm"),
  "skepticalTriage.dismissFinding": (app, args) => decideOn(app, args, "dismiss"),
  "skepticalTriage.reopenFinding": (app, args) => decideOn(app, args, "reopen"),
  "skepticalTriage.cancelTriage": cancel,
  "skepticalTriage.cancelAll": cancelAll,
  "skepticalTriage.refresh": (app) => app.store.reload(),
  "skepticalTriage.groupByFile": (app) => app.view.group("file"),
  "skepticalTriage.groupByRule": (app) => app.view.group("rule"),
  "skepticalTriage.groupBySeverity": (app) => app.view.group("severity"),
  "skepticalTriage.groupByTool": (app) => app.view.group("tool"),
  "skepticalTriage.groupByState": (app) => app.view.group("state"),
  "skepticalTriage.showDismissed": (app) => app.filter.change({ dismissed: true }),
  "skepticalTriage.hideDismissed": (app) => app.filter.change({ dismissed: false }),
  "skepticalTriage.showSuppressed": (app) => app.filter.change({ suppressed: true }),
  "skepticalTriage.hideSuppressed": (app) => app.filter.change({ suppressed: false }),
  "skepticalTriage.filterFindings": filterByText,
  "skepticalTriage.filterBy": filterBy,
  "skepticalTriage.clearFilter": (app) => app.filter.clear(),
  "skepticalTriage.saveFilter": saveFilter,
  "skepticalTriage.applySavedFilter": applySavedFilter,
  "skepticalTriage.deleteSavedFilter": deleteSavedFilter,
  "skepticalTriage.nextFinding": (app) => app.walk.go(app, { direction: "next", untriaged: false }),
  "skepticalTriage.previousFinding": (app) => app.walk.go(app, { direction: "previous", untriaged: false }),
  "skepticalTriage.nextUntriaged": (app) => app.walk.go(app, { direction: "next", untriaged: true }),
  "skepticalTriage.previousUntriaged": (app) => app.walk.go(app, { direction: "previous", untriaged: true }),
  "skepticalTriage.showUnread": showUnread,
  "skepticalTriage.mapSourceRoot": (app) => mapSourceRoot(rootPorts(app)),
  "skepticalTriage.setServerKey": (app) => app.keys.set(),
  "skepticalTriage.deleteServerKey": (app) => app.keys.delete(),
  "skepticalTriage.forgetConsent": forgetConsent,
  "skepticalTriage.listCheckers": ({ worker, ask }) => listCheckers({ worker, ask, openSetting }),
  "skepticalTriage.acceptedLines": showAcceptedLines,
  "skepticalTriage.showLog": async (app) => app.log.show(),
  "skepticalTriage.openTriageLog": openTriageLog,
  "skepticalTriage.verifyLog": verifyLog,
  "skepticalTriage.restartWorker": restartWorker,
  "_skepticalTriage.loadMore": (app, [group]) => app.view.loadMore(typeof group === "string" ? group : null),
  "_skepticalTriage.openRow": openRow,
  "_skepticalTriage.openUnread": (app, [line]) => openUnread(app, line),
};

/** Registers all commands. What a handler throws is logged with its stack and told in one sentence, here and nowhere else. */
export function registerCommands(app: Application): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(HANDLERS).map(([id, handle]) =>
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
        try {
          await handle(app, args);
        } catch (error) {
          await tellFailure(app, id, error);
        }
      }),
    ),
  );
}

async function tellFailure(app: Application, id: string, error: unknown): Promise<void> {
  app.log.error(`${id}:`, error instanceof Error ? (error.stack ?? error.message) : error);
  const message = error instanceof Error ? error.message : String(error);
  const down = error instanceof WorkerDown;
  const buttons = down ? ["Restart", "Show Log"] : ["Show Log"];
  const pressed = await app.ask.tell("error", down ? message : `Skeptical Triage: ${message}`, ...buttons);
  if (pressed === "Restart") await vscode.commands.executeCommand("skepticalTriage.restartWorker" satisfies CommandId);
  if (pressed === "Show Log") app.log.show();
}

/** A row of the view was clicked: the code at its line as a preview, the panel beside it; the view keeps the focus. */
async function openRow(app: Application, [row]: readonly unknown[]): Promise<void> {
  const parsed = ClickedRow.safeParse(row);
  if (!parsed.success) return;
  const { key, absolute, line } = parsed.data;
  const uri = absolute === null ? null : await findInWorkspace(absolute);
  const panel = await app.panel();
  if (uri !== null) await previewAt(uri, line ?? 1, panel.column);
  await panel.show(key);
}

async function openPanel(app: Application, args: readonly unknown[]): Promise<void> {
  const [key] = (await chooseKeys(targetPorts(app), args, "Open")) ?? [];
  if (key !== undefined) await (await app.panel()).show(key);
}

async function decideOn(
  app: Application,
  args: readonly unknown[],
  decision: "confirm" | "dismiss" | "reopen",
): Promise<void> {
  const verb = ({ confirm: "Confirm", dismiss: "Dismiss", reopen: "Reopen" } as const)[decision];
  const [key, ...more] = (await chooseKeys(targetPorts(app), args, verb)) ?? [];
  if (key === undefined) return;
  if (more.length > 0)
    return void (await app.ask.tell("info", `${verb} one finding at a time: each decision needs its own look.`));
  const decided = await decide(app, key, decision, null);
  if (decided.kind === "refused") await app.ask.tell("warning", decided.why);
  if (decided.kind === "settled")
    app.ask.say(
      `${{ confirm: "Confirmed", dismiss: "Dismissed", reopen: "Reopened" }[decision]}; it stands in the triage log.`,
    );
}

async function openSetting(id: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", id);
}

async function openTriageLog(app: Application, args: readonly unknown[]): Promise<void> {
  const target = args.length > 0 ? targetOf(targetPorts(app), args) : null;
  const key = target?.kind === "keys" ? (target.keys[0] ?? null) : null;
  const why = await openLog(app, key, undefined);
  if (why !== null) await app.ask.tell("info", why);
}

/** A worker that runs may remember the consent of a run: it is started anew, so that none outlives being taken back. */
async function forgetConsent(app: Application): Promise<void> {
  const forgotten = await app.consent.forget();
  if (forgotten && app.worker.state === "running") await app.worker.restart();
}

async function restartWorker(app: Application): Promise<void> {
  await app.worker.restart();
  app.ask.say("The background worker runs again.");
}
