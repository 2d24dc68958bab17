import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { Application } from "../../src/vscode/application.ts";
import { application, eventually, forgetLog, list, row, run } from "./harness.ts";

suite("worker", () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await forgetLog();
  });

  test("a killed worker comes back by itself with the same findings", async () => {
    const app = await application();
    const before = (await list(app, ({ total }) => total >= 8, "the findings")).rows.map(({ key }) => key);
    const pid = await kill();
    await eventually(app.worker.onDidChangeState, () => app.worker.state === "running" || undefined, "the new worker");
    assert.notEqual(await app.worker.pid(), pid);
    const after = await list(app, ({ rows }) => rows.length === before.length, "the same findings");
    assert.deepEqual(
      after.rows.map(({ key }) => key),
      before,
    );
  });

  test("a request that is under way when the worker dies is answered with what happened", async () => {
    const app = await application();
    await app.worker.start();
    const pid = await app.worker.pid();
    assert.ok(pid !== null);
    // Stopped first, so that it cannot answer before it dies.
    process.kill(pid, "SIGSTOP");
    const pending = app.worker.listRows({
      query: app.filter.query,
      groupBy: "file",
      group: null,
      offset: 0,
      limit: 1,
    });
    const failed = assert.rejects(pending, (error) => error instanceof Error && error.name === "WorkerDown");
    setTimeout(() => process.kill(pid, "SIGKILL"), 50);
    await failed;
    await app.worker.start();
  });

  test("the panel that was open shows its finding again after a crash", async () => {
    const app = await application();
    const finding = await row(app, ({ absolute }) => absolute !== null, "a placed finding");
    await run("skepticalTriage.openPanel", finding.key);
    const panel = await app.panel();
    assert.equal(panel.shown?.finding.key, finding.key);
    await kill();
    assert.equal(panel.shown, null);
    const shown = await eventually(panel.onDidChange, () => panel.shown ?? undefined, "the finding again");
    assert.equal(shown.finding.key, finding.key);
  });

  test("a restart by command gives a new process and no crash", async () => {
    const app = await application();
    await app.worker.start();
    const pid = await app.worker.pid();
    await run("skepticalTriage.restartWorker");
    assert.equal(app.worker.state, "running");
    assert.notEqual(await app.worker.pid(), pid);
  });

  test("secrets of the editor's environment do not reach the worker", async function () {
    if (process.platform !== "linux") this.skip();
    process.env["SUITE_API_KEY"] = "not for the worker";
    const app = await application();
    await run("skepticalTriage.restartWorker");
    const environment = await readFile(`/proc/${await app.worker.pid()}/environ`, "utf8");
    delete process.env["SUITE_API_KEY"];
    assert.ok(environment.includes("PATH="));
    assert.ok(!environment.includes("SUITE_API_KEY"));
  });

  test("the editor's proxy and certificates reach the worker, and a change of them starts it anew", async function () {
    if (process.platform !== "linux") this.skip();
    const app = await application();
    await app.worker.start();
    const before = await app.worker.pid();
    const http = vscode.workspace.getConfiguration("http");
    const renewed = async (): Promise<true | undefined> =>
      app.worker.state === "running" && (await app.worker.pid()) !== before ? true : undefined;
    await http.update("noProxy", ["*.corp.example"], vscode.ConfigurationTarget.Global);
    await http.update("proxy", "http://127.0.0.1:9", vscode.ConfigurationTarget.Global);
    try {
      await eventually(app.worker.onDidChangeState, renewed, "a new worker");
      const environment = async (): Promise<string | undefined> => {
        const text = await environmentOf(app);
        return text.includes("HTTPS_PROXY=http://127.0.0.1:9\0") ? text : undefined;
      };
      const set = await eventually(app.worker.onDidChangeState, environment, "the proxy in the worker's environment");
      assert.match(set, /NODE_USE_ENV_PROXY=1\0/);
      assert.match(set, /NO_PROXY=\*\.corp\.example,localhost,127\.0\.0\.1,::1\0/);
      assert.match(set, /NODE_USE_SYSTEM_CA=1\0/);
    } finally {
      await http.update("proxy", undefined, vscode.ConfigurationTarget.Global);
      await http.update("noProxy", undefined, vscode.ConfigurationTarget.Global);
    }
    // Each change renews the worker once more: what comes after this test wants one that stays.
    const plain = async (): Promise<true | undefined> =>
      app.worker.state === "running" && !(await environmentOf(app)).includes("HTTPS_PROXY=http") ? true : undefined;
    await eventually(app.worker.onDidChangeState, plain, "a worker without the proxy");
  });
});

/** The variables of the running worker; empty where it has just ended. */
async function environmentOf(app: Application): Promise<string> {
  return await readFile(`/proc/${await app.worker.pid()}/environ`, "utf8").catch(() => "");
}

/** Ends the worker the hard way; resolves when the extension has noticed. */
async function kill(): Promise<number> {
  const app = await application();
  await app.worker.start();
  const pid = await app.worker.pid();
  assert.ok(pid !== null);
  const noticed = eventually(
    app.worker.onDidChangeState,
    () => app.worker.state === "restarting" || undefined,
    "the crash",
  );
  process.kill(pid, "SIGKILL");
  await noticed;
  return pid;
}
