import assert from "node:assert/strict";
import * as vscode from "vscode";
import { answering, application, eventually, fileUri, list, row, run } from "./harness.ts";

suite("editor", () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  test("a lens above a finding says where it stands", async () => {
    const app = await application();
    const finding = await row(app, ({ absolute, line }) => absolute !== null && line !== null, "a placed finding");
    const uri = vscode.Uri.file(finding.absolute ?? "");
    await vscode.window.showTextDocument(uri);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
    const ours = lenses.filter(({ command }) => command?.command.startsWith("skepticalTriage."));
    const titles = ours.map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
    assert.ok(
      titles.some((title) => title.startsWith(`${finding.line}: `) && title.includes(finding.severity)),
      titles.join("\n"),
    );
  });

  test("files with findings and files with diagnostics of others carry the menu entry", async () => {
    const app = await application();
    const finding = await row(app, ({ absolute }) => absolute !== null, "a placed finding");
    assert.ok(app.menu.paths.includes(vscode.Uri.file(finding.absolute ?? "").fsPath));
    const uri = fileUri("README.md");
    assert.ok(!app.menu.paths.includes(uri.fsPath));
    await withDiagnostic(uri, 0, async () => {
      await eventually(
        app.menu.onDidChange,
        () => app.menu.paths.includes(uri.fsPath) || undefined,
        "the diagnostic's file",
      );
    });
    await eventually(
      app.menu.onDidChange,
      () => !app.menu.paths.includes(uri.fsPath) || undefined,
      "the file to leave",
    );
  });

  test("the lightbulb offers Triage Finding for a diagnostic of another source, not as the preferred fix", async () => {
    await application();
    const uri = fileUri("README.md");
    await vscode.workspace.openTextDocument(uri);
    await withDiagnostic(uri, 2, async () => {
      const range = new vscode.Range(2, 0, 2, 1);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        uri,
        range,
      );
      const offered = actions.filter(({ title }) => title === "Triage Finding");
      assert.equal(offered.length, 1, actions.map(({ title }) => title).join("\n"));
      assert.equal(offered[0]?.isPreferred ?? false, false);
      assert.deepEqual(offered[0]?.command?.arguments, [{ uri: uri.toString(), line: 3 }]);
    });
  });

  test("a diagnostic can be triaged: the worker knows it before it is asked", async () => {
    const app = await application();
    const uri = fileUri("src/money.ts");
    await vscode.workspace.openTextDocument(uri);
    await withDiagnostic(uri, 0, async () => {
      await answering(app, { pick: 0 }, () => run("skepticalTriage.openPanel", { uri: uri.toString(), line: 1 }));
      const panel = await app.panel();
      assert.ok(panel.shown, panel.emptyText ?? "nothing is shown");
      assert.equal(panel.shown.finding.message, "suspicious, says the test");
    });
  });

  test("a line that carries nothing says so and offers the findings of its file", async () => {
    const app = await application();
    const finding = await row(app, ({ absolute, line }) => absolute !== null && line !== null, "a placed finding");
    const rows = (await list(app, () => true, "the list")).rows.filter(({ file }) => file === finding.file);
    const uri = vscode.Uri.file(finding.absolute ?? "");
    const free = [1, 2, 3, 4, 5, 6].find((line) => rows.every((other) => other.line !== line)) ?? 1;
    const asked = await answering(app, {}, () =>
      run("skepticalTriage.triageFinding", { uri: uri.toString(), line: free }),
    );
    assert.deepEqual(
      asked.map(({ how }) => how),
      ["pick"],
    );
    assert.match(asked[0]?.text ?? "", new RegExp(`^Nothing stands on line ${free}\\.`));
  });
});

async function withDiagnostic(uri: vscode.Uri, line: number, body: () => Promise<void>): Promise<void> {
  const collection = vscode.languages.createDiagnosticCollection("suite");
  const diagnostic = new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), "suspicious, says the test");
  diagnostic.source = "suite";
  try {
    collection.set(uri, [diagnostic]);
    await body();
  } finally {
    collection.dispose();
  }
}
