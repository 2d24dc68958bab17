import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { appendFile } from "node:fs/promises";
import path from "node:path";
import test, { after, afterEach, before } from "node:test";
import { headline } from "./panel.ts";
import { startSession, VIEW, type Session } from "./session.ts";

// Every way to start a triage that is not the right-click on a finding.

const WRONG = 'export const LIMIT: number = "many";';

let session: Session;
before(async () => {
  session = await startSession({
    file: "src/limits.ts",
    prepare: async (workspace) => await appendFile(path.join(workspace, "src", "limits.ts"), `\n${WRONG}\n`),
  });
});
after(async () => await session.close());
afterEach((context) => session.keepFailure(context));

test("the lightbulb of another tool's diagnostic offers Triage Finding, and its finding is triaged and listed", async () => {
  const { workbench, panel } = session;
  const editor = workbench.editor("limits.ts");
  await editor.locator(".squiggly-error").first().waitFor();
  await workbench.line(editor, "LIMIT: number").click();
  await workbench.quickFix("Triage Finding");
  const frame = await panel.of("src/limits.ts:10");
  await frame.locator(".head", { hasText: "live from the editor" }).waitFor();
  await frame.locator(".claim-text", { hasText: "is not assignable to type 'number'" }).waitFor();
  await workbench.openViewContainer(VIEW);
  await workbench.treeRow("Findings", /^src\/limits\.ts/).waitFor();
});

test("a diagnostic's line offers Triage Finding in the editor's menu too; a line without anything offers the file's findings", async () => {
  const { workbench, page } = session;
  const editor = workbench.editor("limits.ts");
  await workbench.contextMenuOnLine(editor, "PAGE_SIZE", "Triage Finding");
  await workbench.quickInput.getByText("Nothing stands on line 2.").waitFor();
  await workbench.quickInput.getByRole("option", { name: /is not assignable/ }).waitFor();
  await page.keyboard.press("Escape");
});

test("Triage Findings in File on a review in the explorer triages what it holds", async () => {
  const { workbench, page } = session;
  // The folder of the log comes with its first record, and moves the rows below it.
  await logged(1);
  await workbench.openViewContainer("Explorer");
  const tree = page.getByRole("tree", { name: "Files Explorer" });
  await tree.getByRole("treeitem", { name: /^\.skeptical-triage/ }).waitFor();
  await tree.getByRole("treeitem", { name: /^reviews/ }).click();
  await tree.getByRole("treeitem", { name: /^scan\.sarif/ }).click({ button: "right" });
  await workbench.chooseMenuItem("Triage Findings in File");
  await workbench.openViewContainer(VIEW);
  await workbench.treeRow("Findings", /reaches readFile\(\).*(yours to decide|say real)/).waitFor();
  await workbench.treeRow("Findings", /concatenated into an SQL.*(yours to decide|say real|waits for you)/).waitFor();
  await workbench.treeRow("Findings", /is not imported.*not triaged/).waitFor();
});

test("Triage All Open P0/P1 triages every one of them and leaves the focus alone", async () => {
  const { workbench } = session;
  await workbench.runCommand("Skeptical Triage: Triage All Open P0/P1");
  // The status bar may still tell of an earlier run: what counts is that nothing is left, and what stands in the log.
  await workbench.treeRow("Findings", /is not imported.*waits for you/).waitFor();
  await workbench.treeRow("Findings", /not triaged/).waitFor({ state: "hidden" });
  const kinds = await logged(6);
  assert.ok(kinds.length >= 6 && kinds.every((kind) => kind === "triaged"), kinds.join(" "));
  await workbench.statusBar
    .getByText(/\d+ triaged/)
    .first()
    .waitFor();
});

/** The kinds of the log's records, once there are so many of them; what there is where they do not come. */
async function logged(count: number): Promise<readonly string[]> {
  const until = Date.now() + 30_000;
  for (;;) {
    const kinds = (await session.log()).map(({ kind }) => kind);
    if (kinds.length >= count || Date.now() > until) return kinds;
    await delay(100);
  }
}

test("Open Triage Log and Verify Triage Log work from the palette", async () => {
  const { workbench } = session;
  await workbench.runCommand("Skeptical Triage: Verify Triage Log");
  await workbench.toast(/The triage log is intact: \d+ records/).waitFor();
  await workbench.runCommand("Skeptical Triage: Open Triage Log");
  await workbench.editor("triage-log.jsonl").waitFor();
});

test("a finding that is chosen in the view opens in the panel; a hard fact is called one", async () => {
  const { workbench, panel } = session;
  await workbench.treeRow("Findings", /access key/).click();
  const frame = await panel.of("src/config.ts:6");
  await headline(frame).filter({ hasText: "A hard fact" }).waitFor();
});
