import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { KEYBINDINGS } from "../../src/vscode/contributions.ts";
import type { FindingRow } from "../../src/protocol/worker.ts";
import type { Application } from "../../src/vscode/application.ts";
import { answering, application, eventually, fileUri, forgetLog, list, row, run } from "./harness.ts";

suite("findings view", () => {
  suiteSetup(forgetLog);

  test("the worker starts by itself where the workspace holds review files, and the view lists their findings", async () => {
    const app = await application();
    const { rows, total } = await list(app, ({ total: count }) => count >= 8, "the eight findings of the demo");
    assert.equal(app.worker.state, "running");
    assert.equal(rows.length, total);
    assert.ok(
      rows.some(({ severity, file }) => severity === "P1" && file?.startsWith("src/")),
      JSON.stringify(rows),
    );
  });

  test("rows of the same finding keep their ids over a reload, so that selection and expansion survive", async () => {
    const app = await application();
    await list(app, ({ total }) => total >= 8, "the findings");
    const before = await allIds(app);
    await app.store.reload();
    assert.deepEqual(await allIds(app), before);
    assert.equal(new Set(before).size, before.length);
    assert.ok(before.length > 8);
  });

  test("grouping changes by command, each with its own groups, and is kept", async () => {
    const app = await application();
    const groups = async (command: string): Promise<readonly string[]> => {
      await run(command);
      return (await app.view.getChildren()).flatMap((node) => (node.kind === "group" ? [node.group.id] : []));
    };
    assert.deepEqual(await groups("skepticalTriage.groupBySeverity"), ["P0", "P1"]);
    assert.deepEqual(await groups("skepticalTriage.groupByTool"), ["review", "Semgrep OSS", "gitleaks"]);
    assert.deepEqual(await groups("skepticalTriage.groupByState"), ["new"]);
    assert.ok((await groups("skepticalTriage.groupByRule")).includes("aws-access-token"));
    assert.ok((await groups("skepticalTriage.groupByFile")).includes("src/checkout.ts"));
  });

  test("a filter narrows the view, says how many of all are shown, and is cleared by command", async () => {
    const app = await application();
    await answering(app, { input: "quantity" }, () => run("skepticalTriage.filterFindings"));
    await list(app, ({ shown }) => shown === 2, "the two findings about a quantity");
    assert.equal(app.view.description, "2 of 8");
    await run("skepticalTriage.clearFilter");
    await list(app, ({ shown }) => shown === 8, "all findings again");
    assert.equal(app.view.description, "8");
  });

  test("tools are picked from those that are there, a filter is saved by name, applied and deleted", async () => {
    const app = await application();
    const asked = await answering(app, { pick: 3 }, () => run("skepticalTriage.filterBy"));
    assert.deepEqual(
      asked.map(({ how }) => how),
      ["pick", "pickMany"],
    );
    assert.match(asked[1]?.detail ?? "", /gitleaks/);
    assert.equal(app.filter.query.tools.length, 0, "the fourth of three tools is none");
    await app.filter.set({ ...app.filter.query, tools: ["gitleaks"] });
    await answering(app, { input: "secrets" }, () => run("skepticalTriage.saveFilter"));
    await run("skepticalTriage.clearFilter");
    await answering(app, { pick: 0 }, () => run("skepticalTriage.applySavedFilter"));
    await list(app, ({ shown }) => shown === 1, "the one finding of gitleaks");
    assert.equal(app.filter.name, "secrets");
    await answering(app, { pick: 0 }, () => run("skepticalTriage.deleteSavedFilter"));
    assert.deepEqual([app.filter.saved.length, app.filter.name], [0, null]);
    await run("skepticalTriage.clearFilter");
  });

  test("next and previous go through the files by key, and start from the cursor", async () => {
    const app = await application();
    await list(app, ({ shown }) => shown === 8, "all findings");
    const at = (): string => {
      const editor = vscode.window.activeTextEditor;
      const name = editor === undefined ? "" : vscode.workspace.asRelativePath(editor.document.uri);
      return `${name}:${(editor?.selection.active.line ?? -1) + 1}`;
    };
    const config = await vscode.window.showTextDocument(fileUri("src/config.ts"));
    config.selection = new vscode.Selection(0, 0, 0, 0);
    const seen: string[] = [];
    for (const command of ["nextFinding", "nextFinding", "previousFinding", "previousFinding", "nextUntriaged"]) {
      await run(`skepticalTriage.${command}`);
      seen.push(at());
    }
    assert.deepEqual(seen, [
      "src/config.ts:6",
      "src/courier.ts:6",
      "src/config.ts:6",
      "src/checkout.ts:11",
      "src/config.ts:6",
    ]);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  test("our default keys are taken by nothing else in this editor", async () => {
    await vscode.commands.executeCommand("workbench.action.openDefaultKeybindingsFile");
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.ok(text.length > 10_000, "the default keys did not open");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    const bound = Array.from(text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g), ([, key, command]) => ({
      key: key ?? "",
      command: command ?? "",
    }));
    for (const { key, mac, command } of KEYBINDINGS) {
      const here = bound.filter((one) => one.key === key || one.key === mac);
      assert.deepEqual(
        here.map((one) => one.command),
        [command],
        key,
      );
    }
  });

  test("the bar above the view comes up and is told of the filter", async () => {
    const app = await application();
    await vscode.commands.executeCommand("skepticalTriage.filter.focus");
    await list(app, ({ total }) => total >= 8, "the findings");
    await eventually(app.bar.onDidChange, () => app.bar.ready || undefined, "the page of the bar", 30_000);
  });

  test("a review file outside the globs is read by command, and what it held is said (C20)", async () => {
    const app = await application();
    const asked = await answering(app, {}, () => run("skepticalTriage.openReviewFile", fileUri("README.md")));
    assert.equal(asked.filter(({ how }) => how === "tell").length, 1, JSON.stringify(asked));
  });

  test("a source root is mapped by command: what it fixes is said before and after, and the workspace remembers it", async () => {
    const app = await application();
    const made = ["one/same.ts", "two/same.ts", "reviews/elsewhere.sarif"];
    const place = { artifactLocation: { uri: "ci/same.ts" }, region: { startLine: 1 } };
    const results = [{ message: { text: "Cited from elsewhere" }, locations: [{ physicalLocation: place }] }];
    const log = { version: "2.1.0", runs: [{ tool: { driver: { name: "scan" } }, results }] };
    const section = vscode.workspace.getConfiguration("skepticalTriage");
    try {
      for (const file of made) {
        const text = file.endsWith(".sarif") ? JSON.stringify(log) : "export const same = 1;\n";
        await mkdir(path.dirname(fileUri(file).fsPath), { recursive: true });
        await writeFile(fileUri(file).fsPath, text);
      }
      const cited = ({ title }: FindingRow): boolean => title.startsWith("Cited from elsewhere");
      assert.equal((await row(app, cited, "the finding without its file")).place, "missing-file");
      const asked = await answering(app, { pick: 1 }, () => run("skepticalTriage.mapSourceRoot"));
      assert.deepEqual(
        asked.map(({ how, text }) => `${how}: ${text}`),
        [
          "pick: 1 finding without a file",
          "tell: 1 of 1 finding found a file. The mapping stands in the workspace's settings.",
        ],
      );
      assert.equal(asked[0]?.detail, "ci/ → one\nci/ → two\nEnter a folder…");
      const { file } = await row(app, (each) => cited(each) && each.place === "relocated", "the finding with its file");
      assert.equal(file, "two/same.ts");
    } finally {
      await section.update("sourceRoots", undefined, vscode.ConfigurationTarget.Workspace);
      for (const file of made) await rm(fileUri(file).fsPath, { force: true });
    }
    await list(app, ({ total }) => total === 8, "the demo alone");
  });

  test("nothing takes the focus while findings are read", async () => {
    await application();
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });
});

/** Ids of all rows and groups, as the view gives them to the editor. */
async function allIds(app: Application): Promise<readonly string[]> {
  const roots = await app.view.getChildren();
  const below = await Promise.all(roots.map(async (node) => await app.view.getChildren(node)));
  return [...roots, ...below.flat()].map(({ id }) => id);
}
