import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { answering, application, list, row, run, workspaceRoot } from "./harness.ts";

const LOG = path.join(".skeptical-triage", "triage-log.jsonl");

suite("decisions", () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  test("a P1 dismissal that is not repeated in the modal changes nothing", async () => {
    const app = await application();
    const finding = await openP1();
    const asked = await answering(app, { input: "a guard stands above it", modal: false }, () =>
      run("skepticalTriage.dismissFinding", finding.key),
    );
    assert.deepEqual(
      asked.map(({ how }) => how),
      ["input", "modal"],
    );
    const state = await app.worker.panelState({ key: finding.key });
    assert.notEqual(state?.state, "decided");
    assert.equal(state?.decision ?? null, null);
  });

  test("the modal repeats severity, place and claim, and the person's reason", async () => {
    const app = await application();
    const finding = await openP1();
    const asked = await answering(app, { input: "a guard stands above it" }, () =>
      run("skepticalTriage.dismissFinding", finding.key),
    );
    const modal = asked.find(({ how }) => how === "modal");
    const claim =
      (await app.worker.panelState({ key: finding.key }))?.finding.message.replace(/\s+/gu, " ").trim() ?? "";
    assert.ok(modal?.text.startsWith(`Dismiss the P1 finding at ${finding.file}`), modal?.text);
    assert.ok(modal?.text.includes(claim.slice(0, 60)), modal?.text);
    assert.ok(modal?.detail.includes("a guard stands above it"));
  });

  test("a repeated P1 dismissal stands in the log with its reason, and leaves the view", async () => {
    const app = await application();
    const finding = await openP1();
    await answering(app, { input: "a guard stands above it", modal: true }, () =>
      run("skepticalTriage.dismissFinding", finding.key),
    );
    const records = await logRecords();
    const decided = records.findLast(({ kind }) => kind === "decided");
    assert.ok(decided, "no record of the decision");
    assert.ok(JSON.stringify(decided).includes("a guard stands above it"));
    await list(app, ({ rows }) => rows.every(({ key }) => key !== finding.key), "the row to leave the view");
    await run("skepticalTriage.showDismissed");
    const shown = await row(app, ({ key }) => key === finding.key, "the dismissed row");
    assert.equal(shown.decision, "dismissed");
    await run("skepticalTriage.hideDismissed");
  });

  test("what is decided is refused with the worker's reason, and can be reopened", async () => {
    const app = await application();
    await run("skepticalTriage.showDismissed");
    const finding = await row(app, ({ decision }) => decision === "dismissed", "the dismissed row");
    const refused = await answering(app, { input: "again", modal: true }, () =>
      run("skepticalTriage.dismissFinding", finding.key),
    );
    assert.deepEqual(
      refused.map(({ how, detail }) => `${how} ${detail}`),
      ["tell warning"],
    );
    await answering(app, { input: "looked again" }, () => run("skepticalTriage.reopenFinding", finding.key));
    const state = await app.worker.panelState({ key: finding.key });
    assert.notEqual(state?.state, "decided");
    await run("skepticalTriage.hideDismissed");
  });

  test("the log that came out of it is intact", async () => {
    const app = await application();
    const asked = await answering(app, {}, () => run("skepticalTriage.verifyLog"));
    assert.match(asked[0]?.text ?? "", /^The triage log is intact: \d+ records?/);
  });
});

async function openP1() {
  const app = await application();
  return await row(
    app,
    ({ severity, hard, state }) => severity === "P1" && !hard && (state === "new" || state === "proposed"),
    "an open P1",
  );
}

async function logRecords(): Promise<readonly { readonly kind?: string }[]> {
  const text = await readFile(path.join(workspaceRoot(), LOG), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): { readonly kind?: string } => JSON.parse(line));
}
