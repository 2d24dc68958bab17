import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import test, { after, afterEach, before } from "node:test";
import type { FrameLocator } from "playwright-core";
import { rounds, SPLITS } from "../support/personas.ts";
import { startScriptedServer, type ScriptedServer } from "../support/scriptedServer.ts";
import { gate, type Gate } from "./gate.ts";
import { button, headline } from "./panel.ts";
import { startSession, VIEW, type Session } from "./session.ts";

// Pictures of editor, lens, view and panel in every kind of theme, for people to look at, and what a machine can judge of them.

const THEMES = {
  "Dark 2026": "vscode-dark",
  "Light 2026": "vscode-light",
  "Dark High Contrast": "vscode-high-contrast",
  "Light High Contrast": "vscode-high-contrast-light",
} as const;

let gates: Gate;
let server: ScriptedServer;
let session: Session;
let frame: FrameLocator;

before(async () => {
  const script = rounds(SPLITS, 5);
  gates = gate((request, index) => (typeof script === "function" ? script(request, index) : { does: "reset" }));
  server = await startScriptedServer(gates.script);
  const machine = {
    "skepticalTriage.model": "server",
    "skepticalTriage.serverUrl": server.url,
    "skepticalTriage.serverModel": "scripted-model",
  };
  session = await startSession({ machine, file: "src/labels.ts" });
  const { workbench, panel } = session;
  await workbench.openViewContainer(VIEW);
  await workbench.clickLens(workbench.editor("labels.ts"), "P1 · not triaged · Triage");
  frame = await panel.of("src/labels.ts:7");
});
after(async () => {
  await session.close();
  await server.close();
});
afterEach((context) => session.keepFailure(context));

test("an untriaged finding looks right in every theme", async () => {
  await headline(frame).filter({ hasText: "Not judged yet" }).waitFor();
  await inEveryTheme("untriaged");
});

test("a running triage looks right in every theme", async () => {
  await button(frame, "triage").click();
  await session.workbench.answerDialog("Send Code");
  gates.let("premise");
  await headline(frame).filter({ hasText: "Round 2 of 3" }).waitFor();
  await inEveryTheme("running");
});

test("a proposed dismissal looks right in every theme", async () => {
  gates.let("defences", "missed", "arbiter", "opinion");
  await headline(frame).filter({ hasText: "Proposed: dismiss as a false alarm" }).waitFor();
  await inEveryTheme("proposed");
});

async function inEveryTheme(state: string): Promise<void> {
  for (const [theme, kind] of Object.entries(THEMES)) {
    await session.workbench.setTheme(theme);
    await frame.locator(`body.${kind}`).waitFor();
    await session.screenshot(`${state}-${theme.replaceAll(" ", "-").toLowerCase()}`);
    assert.deepEqual(await complaints(), [], theme);
  }
}

/** What axe finds wrong with the panel's page, inside the frames that hold it. */
async function complaints(): Promise<readonly string[]> {
  const inPanel = ["iframe.webview.ready", "#active-frame", "#skeptical-triage"];
  const { violations, passes } = await new AxeBuilder({ page: session.page }).include(inPanel).analyze();
  assert.ok(passes.length > 10, "axe has seen the page");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}
