import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import type { PanelState } from "../../src/protocol/panel.ts";
import type { Application } from "../../src/vscode/application.ts";
import { runLine } from "../../src/vscode/lines.ts";
import { answering, application, eventually, fileUri, forgetLog, list, row, run, workspaceRoot } from "./harness.ts";

/** Part of what the linter checks, and opened by nobody: what an editor still holds would differ from the disk for a moment. */
const OTHER = "src/suiteMore.ts";
const FILES = {
  [OTHER]: "export const more = 1;\n",
  "src/suiteLint.ts": "export const same = (a: unknown, b: unknown): boolean => a == b;\n",
  "reviews/suite-lint.md":
    "| Location | Severity | Description |\n|---|---|---|\n| src/suiteLint.ts:1 | P2 | `eslint` reports `eqeqeq` here. |\n",
};

suite("command lines that need consent", () => {
  let folder: string;
  let line: string;
  let key: string;

  suiteSetup(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "lint-")));
    const eslint = path.join(folder, "eslint");
    await writeFile(
      eslint,
      `#!/bin/sh
if [ "$1" = --version ]; then echo v9.39.5; exit 0; fi
echo "$*" >> '${path.join(folder, "runs")}'
printf '[{"filePath":"%s/src/suiteLint.ts","messages":[]}]' "$PWD"
`,
    );
    await chmod(eslint, 0o755);
    line = `${eslint} --format json .`;
    const app = await application();
    await app.worker.start();
    await setting("checkers", { eslint });
    for (const [file, text] of Object.entries(FILES)) await writeFile(fileUri(file).fsPath, text);
    ({ key } = await row(app, ({ file }) => file === "src/suiteLint.ts", "the finding about a linter"));
  });

  suiteTeardown(async () => {
    await setting("checkers", undefined);
    for (const file of Object.keys(FILES)) await rm(fileUri(file).fsPath, { force: true });
    await rm(folder, { recursive: true, force: true });
    await list(await application(), ({ rows }) => !rows.some((one) => one.key === key), "the finding gone again");
    await forgetLog();
  });

  /** How often the linter was run for more than its version. */
  async function runs(): Promise<number> {
    const text = await readFile(path.join(folder, "runs"), "utf8").catch(() => "");
    return text.split("\n").filter((one) => one !== "").length;
  }

  /** Asks about the line as the panel's button does, with a person who presses a button of the dialog or closes it. */
  async function press(app: Application, choose?: number) {
    return await answering(app, choose === undefined ? {} : { choose }, async () => {
      assert.equal(await runLine(app, key, line), null);
    });
  }

  test("a check that waits proposes the exact line, and closing the dialog runs nothing", async () => {
    const app = await application();
    const state = await triaged(app, key);
    assert.deepEqual(
      state.lines.map((one) => [one.line, one.folder, one.permit.allowed]),
      [[line, await realpath(workspaceRoot()), true]],
    );
    const [dialog] = await press(app);
    assert.equal(dialog?.how, "choose");
    assert.ok(dialog?.detail.startsWith(`${line}\n\n`), dialog?.detail);
    assert.equal(await runs(), 0);
    assert.equal((await app.worker.panelState({ key }))?.lines.length, 1);
  });

  test("accepted once it runs once, settles the claim with its receipt, and is asked about again", async () => {
    const app = await application();
    await press(app, 0);
    const state = await settled(app, key);
    assert.ok(
      state.receipts.some(({ argv, exitCode }) => argv.join(" ") === "eslint --format json ." && exitCode === 0),
    );
    assert.equal(await runs(), 1);
    assert.equal((await changed(app, key, 1)).lines.length, 1);
    assert.equal(await runs(), 1);
  });

  test("accepted always it is not asked about again, until the command revokes it", async () => {
    const app = await application();
    await press(app, 1);
    await settled(app, key);
    const asked = await answering(app, {}, async () => {
      assert.deepEqual((await changed(app, key, 2)).lines, []);
    });
    assert.deepEqual(
      asked.filter(({ how }) => how === "choose"),
      [],
    );
    assert.equal(await runs(), 3);
    const [picked] = await answering(app, { pick: 0 }, () => run("skepticalTriage.acceptedLines"));
    assert.equal(picked?.detail, line);
    assert.equal((await changed(app, key, 3)).lines.length, 1);
    assert.equal(await runs(), 3);
    const [none] = await answering(app, {}, () => run("skepticalTriage.acceptedLines"));
    assert.match(none?.text ?? "", /No command line is accepted/);
  });

  test("the checkers are listed with what was found, and switched off none is looked for", async () => {
    const app = await application();
    const [listed] = await answering(app, {}, () => run("skepticalTriage.listCheckers"));
    assert.equal(listed?.how, "pick");
    assert.ok(listed?.detail.split("\n").includes("eslint 9.39.5"), listed?.detail);
    await setting("runCheckers", false);
    try {
      // The worker hears of a setting a moment after the editor has it.
      for (let tries = 0; tries < 40 && (await app.worker.listCheckers()).folders[0]?.held === null; tries += 1)
        await delay(50);
      const [held] = await answering(app, {}, () => run("skepticalTriage.listCheckers"));
      assert.match(held?.text ?? "", /switched off/);
    } finally {
      await setting("runCheckers", undefined);
    }
  });
});

async function setting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("skepticalTriage").update(name, value, vscode.ConfigurationTarget.Global);
}

/** The finding's state once a check has refuted its claim. */
async function settled(app: Application, key: string): Promise<PanelState> {
  const look = async (): Promise<PanelState | undefined> => {
    const state = await app.worker.panelState({ key });
    const done = state?.checks.some(({ atom, verdict }) => atom !== null && verdict === "refuted") === true;
    return state !== null && state.state !== "running" && done ? state : undefined;
  };
  return await eventually(app.worker.onRunFinished, look, "the check to settle the claim");
}

/** Triages the finding, reopened where it was closed, and waits for the end. */
async function triaged(app: Application, key: string): Promise<PanelState> {
  if ((await app.worker.panelState({ key }))?.state === "decided")
    await app.worker.decide({ key, decision: "reopen", reason: "look again", prompt: "Reopen it" });
  const ended = new Set<string>();
  const heard = app.worker.onRunFinished((finished) => void ended.add(finished.run));
  const { run: id, refused } = await app.worker.runTriage({ kind: "keys", keys: [key] });
  assert.deepEqual(refused, []);
  await eventually(app.worker.onRunFinished, () => ended.has(id) || undefined, "the end of the triage");
  heard.dispose();
  const state = await app.worker.panelState({ key });
  assert.ok(state);
  return state;
}

/** The same after the file set has changed, so that no earlier answer holds. */
async function changed(app: Application, key: string, version: number): Promise<PanelState> {
  await writeFile(fileUri(OTHER).fsPath, `${FILES[OTHER]}// version ${version}\n`);
  return await triaged(app, key);
}
