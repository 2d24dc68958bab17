import assert from "node:assert/strict";
import * as vscode from "vscode";
import { buildTree } from "../../src/vscode/findingsTree.ts";
import { answering, application, fileUri, forgetLog, list, run } from "./harness.ts";

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
    const ids = () => [...buildTree(app.store.current, "file").children.values()].flat().map(({ id }) => id);
    await list(app, ({ total }) => total >= 8, "the findings");
    const before = ids();
    await app.store.reload();
    assert.deepEqual(ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  test("grouping changes and is kept", async () => {
    const app = await application();
    await run("skepticalTriage.groupBySeverity");
    assert.deepEqual(
      app.view.getChildren().filter(({ kind }) => kind === "file"),
      [],
    );
    await run("skepticalTriage.groupByFile");
    assert.ok(app.view.getChildren().some(({ kind }) => kind === "file"));
  });

  test("a review file outside the globs is read by command, and what it held is said (C20)", async () => {
    const app = await application();
    const asked = await answering(app, {}, () => run("skepticalTriage.openReviewFile", fileUri("README.md")));
    assert.equal(asked.filter(({ how }) => how === "tell").length, 1, JSON.stringify(asked));
  });

  test("nothing takes the focus while findings are read", async () => {
    await application();
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });
});
