import assert from "node:assert/strict";
import * as vscode from "vscode";
import { answering, application, eventually, list, row, run } from "./harness.ts";

suite("panel", () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  test("it opens beside the code, keeps the focus there, and its page comes up and asks for a state", async () => {
    const app = await application();
    const finding = await row(app, ({ absolute, line }) => absolute !== null && line !== null, "a placed finding");
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(finding.absolute ?? ""), {
      viewColumn: vscode.ViewColumn.One,
    });
    await run("skepticalTriage.openPanel", finding.key);
    const panel = await app.panel();
    await eventually(
      panel.onDidChange,
      () => (panel.ready && panel.shown !== null) || undefined,
      "the page to be ready",
    );
    assert.equal(panel.shown?.finding.key, finding.key);
    assert.equal(panel.title, `Triage: ${finding.file?.split("/").at(-1)}:${finding.line}`);
    assert.equal(panel.column, 2);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
  });

  test("another finding takes its place in the same panel", async () => {
    const app = await application();
    const panel = await app.panel();
    const before = panel.key;
    const other = await row(app, ({ key, absolute }) => key !== before && absolute !== null, "a second finding");
    await run("skepticalTriage.openPanel", other.key);
    assert.equal(panel.shown?.finding.key, other.key);
    const panels = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ label }) => label.startsWith("Triage: "));
    assert.equal(panels.length, 1);
  });

  test("a click on a row of the view shows the code at its line as a preview and the panel beside it", async () => {
    const app = await application();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const finding = await row(app, ({ absolute, line }) => absolute !== null && line !== null, "a placed finding");
    await run("_skepticalTriage.openRow", { key: finding.key, absolute: finding.absolute, line: finding.line });
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === finding.absolute);
    assert.equal(editor?.selection.active.line, (finding.line ?? 0) - 1);
    const panel = await app.panel();
    assert.equal(panel.key, finding.key);
    assert.notEqual(panel.column, editor?.viewColumn);
  });

  test("a triage started from the editor shows its rounds in the panel and ends with a ruling or its reason", async () => {
    const app = await application();
    const finding = await row(
      app,
      ({ severity, hard, state }) => severity === "P1" && !hard && state === "new",
      "an untriaged P1",
    );
    await answering(app, {}, () => run("skepticalTriage.triageFinding", finding.key));
    const panel = await app.panel();
    assert.equal(panel.key, finding.key);
    const state = await eventually(
      panel.onDidChange,
      () => (panel.shown?.outcome != null && panel.shown.stage === null ? panel.shown : undefined),
      "the outcome",
      40_000,
    );
    assert.ok(state.outcome?.next);
    assert.ok(state.checks.length + state.rounds.length > 0);
  });

  test("a challenge with refuters, then with a second opinion, is shown in the panel with who judged", async () => {
    const app = await application();
    const panel = await app.panel();
    const finding = await row(
      app,
      // Checks settle the one in src/routes.ts: nobody is asked about that.
      ({ severity, hard, state, file }) => severity === "P1" && !hard && state === "new" && file !== "src/routes.ts",
      "an open P1",
    );
    const shown = async (command: string, holds: () => boolean | undefined, what: string): Promise<void> => {
      await answering(app, {}, () => run(command, finding.key));
      assert.equal(panel.key, finding.key);
      await eventually(panel.onDidChange, () => (panel.shown?.stage === null && holds()) || undefined, what, 40_000);
    };
    const recount = () => panel.shown?.refutation?.recount;
    await shown("skepticalTriage.challengeWithRefuters", () => recount() != null, "the refuters' recount");
    assert.equal(recount()?.asked, 3);
    assert.equal(panel.shown?.method?.strategy, "refute");
    assert.deepEqual(panel.shown?.rounds, []);
    const opinion = () => panel.shown?.opinion;
    await shown("skepticalTriage.challengeWithSecondOpinion", () => opinion() != null, "the second opinion");
    assert.equal(opinion()?.who, "built-in reviewer");
    assert.equal(panel.shown?.refutation, null);
    assert.notEqual(panel.shown?.outcome?.mapped, null);
  });

  test("without another model the command says where to set one, and starts nothing", async () => {
    const app = await application();
    const finding = await row(app, ({ hard }) => !hard, "a finding");
    const asked = await answering(app, {}, () => run("skepticalTriage.challengeWithOtherModel", finding.key));
    assert.deepEqual(
      asked.map(({ how, text }) => [how, /skepticalTriage\.roles/.test(text)]),
      [["tell", true]],
    );
  });

  test("all open P0 and P1 are triaged by one command, and the badge then counts what waits for a person", async () => {
    const app = await application();
    const asked = await answering(app, {}, async () => {
      const ended = eventually(app.worker.onRunFinished, nextCall(), "the end of the run", 60_000);
      await run("skepticalTriage.triageOpen");
      await ended;
    });
    assert.deepEqual(
      asked.filter(({ how }) => how === "modal" || how === "input" || how === "pick"),
      [],
    );
    const { waiting } = await list(
      app,
      // The demo's refuted P1 waits for a person (ruling 1).
      ({ waiting: count, rows }) =>
        count > 0 && rows.some(({ state, severity }) => state === "proposed" && severity === "P1"),
      "the proposal that waits",
    );
    assert.equal(app.view.badge?.value, waiting);
  });
});

/** A probe that is empty when `eventually` first tries it, and full at the first event. */
function nextCall(): () => true | undefined {
  let calls = 0;
  return () => (++calls > 1 ? true : undefined);
}
