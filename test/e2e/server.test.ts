import assert from "node:assert/strict";
import test, { after, afterEach, before } from "node:test";
import { DISMISSES, rounds, SPLITS, type Persona } from "../support/personas.ts";
import { startScriptedServer, type ScriptedServer } from "../support/scriptedServer.ts";
import type { ChatRequest } from "../support/scriptedReplies.ts";
import { gate, type Gate } from "./gate.ts";
import { button, card, cardWords, giveReason, headline } from "./panel.ts";
import { startSession, type Session } from "./session.ts";

// With a model server that streams slowly and waits for the test before each round, so that every state can be looked at.

const PLACE = "src/labels.ts:7";
const REASON = "The web server resolves the path first.";

let persona: Persona = SPLITS;
let gates: Gate;
let server: ScriptedServer;
let session: Session;

before(async () => {
  gates = gate((request: ChatRequest, index) => {
    const script = rounds(persona, 10);
    return typeof script === "function" ? script(request, index) : { does: "reset" };
  });
  server = await startScriptedServer(gates.script);
  const machine = {
    "skepticalTriage.model": "server",
    "skepticalTriage.serverUrl": server.url,
    "skepticalTriage.serverModel": "scripted-model",
  };
  session = await startSession({ machine, file: "src/labels.ts" });
});
after(async () => {
  await session.close();
  await server.close();
});
afterEach((context) => session.keepFailure(context));

test("before code goes to a server for the first time a person is asked, and told which one (ruling 32)", async () => {
  const { workbench, panel } = session;
  const editor = workbench.editor("labels.ts");
  await workbench.clickLens(editor, "P1 · not triaged · Triage");
  const frame = await panel.of(PLACE);
  await headline(frame).filter({ hasText: "Not judged yet" }).waitFor();
  await button(frame, "triage").click();
  const { origin } = new URL(server.url);
  const asked = await workbench.dialog.innerText();
  assert.ok(asked.includes(`Send code of this workspace to ${origin}?`), asked);
  assert.ok(asked.includes("scripted-model"), asked);
  await workbench.answerDialog("Cancel");
  await frame.locator(".notice", { hasText: `You did not allow sending code to ${origin}.` }).waitFor();
  assert.equal(server.requests.length + server.probes.length, 0, "nothing was sent");
});

test("three rounds and the arbiter arrive one after the other, and every moment in between is shown (R0.8, R0.15)", async () => {
  const { workbench, panel, page } = session;
  const frame = await panel.of(PLACE);
  await button(frame, "triage").click();
  await workbench.answerDialog("Send Code");
  await headline(frame).filter({ hasText: "Round 1 of 3 tests the premise" }).waitFor();
  assert.deepEqual(await cardWords(frame), ["running", "waiting", "waiting", "waiting"]);
  await workbench.lens(workbench.editor("labels.ts"), "P1 · triage: round 1 of 3").waitFor();

  gates.let("premise");
  await headline(frame).filter({ hasText: "Round 2 of 3 looks for defences" }).waitFor();
  assert.deepEqual(await cardWords(frame), ["real", "running", "waiting", "waiting"]);
  await card(frame, "round-1").filter({ hasText: "Input from outside reaches this line." }).waitFor();
  for (const action of ["confirm", "dismiss"])
    assert.equal(await button(frame, action).getAttribute("aria-disabled"), "true", action);

  gates.let("defences");
  await headline(frame).filter({ hasText: "Round 3 of 3 looks for missed angles" }).waitFor();
  assert.deepEqual(await cardWords(frame), ["real", "false alarm", "running", "waiting"]);

  gates.let("missed");
  await headline(frame).filter({ hasText: "The arbiter weighs the rounds" }).waitFor();
  assert.deepEqual(await cardWords(frame), ["real", "false alarm", "false alarm", "running"]);

  gates.let("arbiter");
  await headline(frame).filter({ hasText: "A blind second opinion looks into it" }).waitFor();
  assert.equal(await button(frame, "dismiss").getAttribute("aria-disabled"), "true");

  gates.let("opinion");
  await headline(frame).filter({ hasText: "Proposed: dismiss as a false alarm" }).waitFor();
  assert.deepEqual(await cardWords(frame), ["real", "false alarm", "false alarm", "false alarm"]);
  await frame.locator(".standing", { hasText: "The rounds differ; the arbiter sides with the majority." }).waitFor();
  await frame.getByText("judged by scripted-model at").waitFor();
  await workbench
    .lens(workbench.editor("labels.ts"), "P1 · 1 of 3 say real · arbiter: false alarm · second opinion: false alarm · waits for you")
    .waitFor();
  assert.equal(await page.locator(".editor-group-container").count(), 2);
});

test("a P1 that the model calls a false alarm stays open until a person says so in the modal (C4)", async () => {
  const { workbench, panel } = session;
  const frame = await panel.of(PLACE);
  await giveReason(frame, REASON);
  const asked = await workbench.dialog.innerText();
  for (const part of ["Dismiss the P1 finding at src/labels.ts:7", "The cited guard runs on every path.", REASON])
    assert.ok(asked.includes(part), `${part} in:\n${asked}`);
  await workbench.answerDialog("Dismiss Finding");
  await headline(frame).filter({ hasText: "Dismissed by a person" }).waitFor();
  const log = await session.log();
  assert.deepEqual(
    log.map(({ kind, reason }) => [kind, reason]),
    [
      ["triaged", undefined],
      ["decided", REASON],
    ],
  );
  await workbench.lens(workbench.editor("labels.ts"), "P1").waitFor({ state: "hidden" });
});

test("Cancel ends a triage at once and leaves nothing running, and the finding as it was", async () => {
  const { workbench, panel } = session;
  persona = DISMISSES;
  gates.hold("defences", "missed", "arbiter", "opinion");
  const editor = await workbench.openFile("store.ts");
  await workbench.contextMenuOnLine(editor, "ORDER BY", "Triage Finding");
  const frame = await panel.of("src/store.ts:16");
  await headline(frame).filter({ hasText: "Round 2 of 3" }).waitFor();
  const sent = server.requests.length;
  await button(frame, "cancel").click();
  await frame.locator(".notice", { hasText: "Cancelled" }).waitFor();
  await headline(frame).filter({ hasText: "Not judged yet" }).waitFor();
  await workbench.lens(editor, "P1 · not triaged · Triage").waitFor();
  await Promise.all(server.requests.map(({ over }) => over));
  assert.equal(server.running(), 0);
  assert.equal(server.requests.length, sent, "no further round was asked");
  assert.equal((await session.log()).length, 2, "a cancelled triage writes nothing");
});

test("a run over many findings shows how far it is, and its Cancel ends all of it", async () => {
  const { workbench } = session;
  gates.hold("premise", "defences", "missed", "arbiter", "opinion");
  await workbench.runCommand("Skeptical Triage: Triage All Open P0/P1");
  const progress = workbench.toast("Triage of open P0 and P1 findings");
  await progress.filter({ hasText: /\d of \d/ }).waitFor();
  await progress.getByRole("button", { name: "Cancel", exact: true }).click();
  await progress.waitFor({ state: "hidden" });
  await workbench.statusBar
    .getByText(/cancelled/)
    .first()
    .waitFor();
  await Promise.all(server.requests.map(({ over }) => over));
  assert.equal(server.running(), 0);
});
