import assert from "node:assert/strict";
import test, { after, afterEach, before } from "node:test";
import { AGREES, rounds } from "../support/personas.ts";
import { startScriptedServer, type ScriptedServer } from "../support/scriptedServer.ts";
import { button, cardWords, headline } from "./panel.ts";
import { startSession, VIEW, type Session } from "./session.ts";

let server: ScriptedServer;
let session: Session;
before(async () => {
  server = await startScriptedServer(rounds(AGREES));
  const machine = {
    "skepticalTriage.model": "auto",
    "skepticalTriage.serverUrl": server.url,
    "skepticalTriage.serverModel": "scripted-model",
  };
  session = await startSession({ machine, restricted: true, file: "src/labels.ts" });
});
after(async () => {
  await session.close();
  await server.close();
});
afterEach((context) => session.keepFailure(context));

test("Restricted Mode lists the findings and triages with the built-in reviewer only (ruling 31)", async () => {
  const { workbench, panel, page } = session;
  await page.locator('[id="status.workspaceTrust"]').waitFor();
  const editor = workbench.editor("labels.ts");
  await workbench.lens(editor, "P1 · not triaged · Triage").waitFor();
  await workbench.openViewContainer(VIEW);
  await workbench.treeRow("Findings", /^src\/checkout\.ts/).waitFor();
  await workbench.contextMenuOnLine(editor, "path.join", "Triage Finding");
  const frame = await panel.of("src/labels.ts:7");
  await frame.getByText("judged by built-in reviewer").waitFor();
  await headline(frame)
    .filter({ hasText: /It stands|Not decided/ })
    .waitFor();
  assert.equal((await cardWords(frame)).length, 4);
  assert.equal(await button(frame, "dismiss").getAttribute("aria-disabled"), "false");
  assert.equal(server.requests.length + server.probes.length, 0, "nothing left this machine");
  assert.equal(await workbench.dialog.count(), 0, "and nobody was asked whether it may");
});
