import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/vscode/contributions.ts";
import { application, EXTENSION_ID } from "./harness.ts";

/** Ruling 38. */
const MOST_ACTIVATION_MS = 100;

suite("activation", () => {
  test("every command of the manifest is registered", async () => {
    await application();
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      COMMANDS.filter((id) => !registered.has(id)),
      [],
    );
  });

  test("activation as the editor reports it, call and finish, stays under 100 ms (ruling 38)", async () => {
    await application();
    const row = await activationRow();
    const [, , , loadMs, callMs, finishMs] = row;
    console.log(`activation: load ${loadMs} ms, call ${callMs} ms, finish ${finishMs} ms`);
    assert.ok(Number(callMs) + Number(finishMs) < MOST_ACTIVATION_MS, row.join(" | "));
  });
});

/** Our row of the table "Extension Activation Stats": id, eager, load code, call activate, finish activate, event, by. */
async function activationRow(): Promise<readonly string[]> {
  await vscode.commands.executeCommand("perfview.show");
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, "the performance view did not open");
  const find = (): string | undefined =>
    document
      .getText()
      .split("\n")
      .find((line) => line.startsWith(`| ${EXTENSION_ID} `) && /\d/.test(line));
  const deadline = Date.now() + 20_000;
  // The view fills itself without an event that reaches extensions.
  while (find() === undefined && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
  const line = find();
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  assert.ok(line, "the performance view does not name the extension");
  return line.split("|").map((cell) => cell.trim());
}
