import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import type { PanelState } from "../../src/protocol/panel.ts";
import type { FindingRow } from "../../src/protocol/worker.ts";
import { LanguageFacts } from "../../src/vscode/languageFacts.ts";
import { languageHost } from "../../src/vscode/languageHost.ts";
import { application, eventually, fileUri, forgetLog, list, row } from "./harness.ts";

const UNUSED = "suiteLabel is unused";
const UNBOUND = "prefix is not defined";

/** A function that is used through a namespace only, which a search by name does not follow, and two wrong findings about it. */
const FILES = {
  "src/suiteLabel.ts":
    'export function suiteLabel(ids: readonly number[]): string[] {\n  const prefix = "label-";\n  return ids.map((id) => prefix + id);\n}\n',
  "src/suitePrint.ts":
    'import * as labels from "./suiteLabel.ts";\n\nexport function printAll(): string {\n  return labels.suiteLabel([1, 2]).join();\n}\n',
  "reviews/suite-language.md": `| Location | Severity | Description |\n|---|---|---|\n| src/suiteLabel.ts:1 | P2 | \`suiteLabel\` is unused. |\n| src/suiteLabel.ts:3 | P2 | \`prefix\` is not defined. |\n`,
};

const never = new vscode.CancellationTokenSource().token;

suite("the editor's language servers", () => {
  suiteSetup(async () => {
    for (const [file, text] of Object.entries(FILES)) await writeFile(fileUri(file).fsPath, text);
  });

  suiteTeardown(async () => {
    for (const file of Object.keys(FILES)) await rm(fileUri(file).fsPath, { force: true });
    const app = await application();
    await list(app, ({ rows }) => !rows.some(({ file }) => file === "src/suiteLabel.ts"), "the findings gone again");
    await forgetLog();
  });

  test("a use that only the TypeScript server knows settles “unused”, re-read and with its receipt", async function () {
    this.timeout(120_000);
    const state = await settled(UNUSED);
    const check = state.checks.find(({ atom }) => atom?.claimClass === 12);
    assert.deepEqual(
      check?.citations.map(({ file, line, quote }) => [file, line, quote]),
      [["src/suitePrint.ts", 4, "return labels.suiteLabel([1, 2]).join();"]],
    );
    const receipt = state.receipts.find(({ id, verb }) => verb === "language" && check?.receipts.includes(id));
    assert.deepEqual([receipt?.argv, receipt?.by], [["references", "src/suiteLabel.ts:1:16"], "check"]);
    assert.ok(receipt?.lines.some((line) => line.startsWith("src/suitePrint.ts:4:16: return labels.suiteLabel")));
  });

  test("a binding in an inner scope that the TypeScript server leads to settles “not defined”", async function () {
    this.timeout(120_000);
    const state = await settled(UNBOUND);
    const check = state.checks.find(({ atom }) => atom?.claimClass === 11);
    assert.deepEqual(
      check?.citations.map(({ file, line }) => `${file}:${line}`),
      ["src/suiteLabel.ts:2"],
    );
    const asked = state.receipts.flatMap(({ verb, argv }) => (verb === "language" ? [argv[0]] : []));
    assert.ok(asked.includes("definition") && asked.includes("hover"), asked.join());
  });

  test("hover, incoming calls and implementations are answered too, and no editor is opened for them", async function () {
    this.timeout(120_000);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const facts = new LanguageFacts(languageHost);
    const path = fileUri("src/suiteLabel.ts").fsPath;
    const answers = new Map<string, unknown>();
    for (const ask of ["incomingCalls", "hover", "implementations", "diagnostics"] as const)
      answers.set(ask, await facts.answer({ ask, path, line: 1, column: 16, deadlineMs: 10_000 }, never));
    const calls = answers.get("incomingCalls");
    assert.deepEqual(calls, {
      kind: "answered",
      places: [{ path: fileUri("src/suitePrint.ts").fsPath, line: 4, column: 16 }],
      texts: [],
      cut: false,
    });
    assert.match(JSON.stringify(answers.get("hover")), /function suiteLabel\(ids: readonly number\[\]\)/);
    for (const ask of ["implementations", "diagnostics"]) assert.match(JSON.stringify(answers.get(ask)), /"answered"/);
    assert.deepEqual(vscode.window.visibleTextEditors, []);
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
  });

  test("a file for which no server is there stays unknown, and what is outside the folder is not asked about", async () => {
    const facts = new LanguageFacts(languageHost);
    const ask = { ask: "definition", line: 1, column: 0, deadlineMs: 2000 } as const;
    const file = "src/suite.nolanguage";
    await writeFile(fileUri(file).fsPath, "name\n");
    try {
      assert.equal((await facts.answer({ ...ask, path: fileUri(file).fsPath }, never)).kind, "unknown");
      const outside = await facts.answer({ ...ask, path: process.execPath }, never);
      assert.deepEqual(outside, { kind: "unknown", why: "The file is in no open folder." });
    } finally {
      await rm(fileUri(file).fsPath);
    }
  });
});

/** Triages until the server has started: until then it answers with nothing, and that is unknown, never absence. */
async function settled(title: string): Promise<PanelState> {
  const app = await application();
  const titled = (one: FindingRow): boolean => one.title.replaceAll("`", "").includes(title);
  const { key } = await row(app, titled, title);
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const ended = new Set<string>();
    const heard = app.worker.onRunFinished(({ run }) => void ended.add(run));
    const { run } = await app.worker.runTriage({ kind: "keys", keys: [key] });
    await eventually(app.worker.onRunFinished, () => ended.has(run) || undefined, "the end of the run", 60_000);
    heard.dispose();
    const state = await app.worker.panelState({ key });
    const claims = state?.checks.filter(({ atom }) => atom !== null) ?? [];
    assert.ok(claims.every(({ verdict }) => verdict === "refuted" || verdict === "unknown"));
    if (state !== null && claims.some(({ verdict }) => verdict === "refuted")) return state;
    await delay(1000);
  }
  throw new Error(`no server settled '${title}'`);
}
