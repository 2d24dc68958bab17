import assert from "node:assert/strict";
import test, { after, afterEach, before } from "node:test";
import { button, giveReason, headline } from "./panel.ts";
import { startSession, VIEW, type Session } from "./session.ts";

// One person's way through one finding with the built-in reviewer; each test goes on where the one before it ended.

/** The claim's first words; the panel sets the name as code, without its backticks. */
const CLAIM = "`formatMoney` is not imported in src/routes.ts";
const PLACE = "src/routes.ts:30";
const REASON = "It is imported in line 4.";

let session: Session;
before(async () => {
  session = await startSession({ file: "src/routes.ts" });
});
after(async () => await session.close());
afterEach((context) => session.keepFailure(context));

test("nothing opens and nothing takes the focus while the findings are read (ruling 9)", async () => {
  const { workbench, page } = session;
  const editor = workbench.editor("routes.ts");
  await workbench.lens(editor, "P1 · not triaged · Triage").waitFor();
  assert.equal(await page.getByRole("tab", { name: /^(?!routes\.ts).+, Editor Group/ }).count(), 0);
  assert.equal(await page.locator(".editor-group-container").count(), 1);
  assert.equal(await page.locator("iframe.webview").count(), 0);
  assert.equal(await workbench.toasts.count(), 0);
  assert.equal(await workbench.dialog.count(), 0);
  assert.equal(await workbench.activityIcon("Explorer").getAttribute("aria-selected"), "true");
  assert.ok(await editor.locator(":focus").count(), "the editor has kept the focus");
});

test("the Findings view lists files with their counts, and its icon counts only what waits for a person", async () => {
  const { workbench, page } = session;
  await workbench.openViewContainer(VIEW);
  const rows = page.getByRole("tree", { name: "Findings" }).getByRole("treeitem");
  await workbench.treeRow("Findings", /^src\/checkout\.ts\s1 P0 · 1 P1/).waitFor();
  await workbench.treeRow("Findings", /^src\/store\.ts\s2 P1/).waitFor();
  await workbench.treeRow("Findings", /is not imported.*src\/routes\.ts:30, P1 · not triaged/).waitFor();
  await workbench.treeRow("Findings", /access key.*P1 · hard fact/).waitFor();
  assert.equal(await rows.count(), 14, "six files and eight findings");
  await badge(0);
  await workbench.runCommand("Skeptical Triage: Group Findings by Severity");
  await workbench.treeRow("Findings", /^P0/).waitFor();
  assert.equal(await rows.count(), 10, "two severities and eight findings");
  await workbench.runCommand("Skeptical Triage: Group Findings by File");
  await workbench.treeRow("Findings", /^src\/checkout\.ts/).waitFor();
});

test("right-click, Triage Finding: the panel opens beside, a check refutes the claim, a person is asked (ruling 1)", async () => {
  const { workbench, page, panel } = session;
  const editor = workbench.editor("routes.ts");
  await workbench.contextMenuOnLine(editor, "You owe", "Triage Finding");
  const frame = await panel.of(PLACE);
  await headline(frame).filter({ hasText: "A check refutes it: proposed to dismiss" }).waitFor();
  assert.equal(await page.locator(".editor-group-container").count(), 2);
  await frame.locator(".claim-text", { hasText: CLAIM.replaceAll("`", "") }).waitFor();
  await frame.locator(".check", { hasText: "refutes the claim" }).filter({ hasText: "src/money.ts:5" }).waitFor();
  await workbench.lens(editor, "P1 · refuted by a check, waits for you").waitFor();
  await workbench.treeRow("Findings", /is not imported.*refuted by a check, waits for you/).waitFor();
  await badge(1);
  for (const action of ["triage", "confirm", "dismiss"])
    assert.equal(await button(frame, action).getAttribute("aria-disabled"), "false", action);
  const [triaged, ...more] = await session.log();
  assert.deepEqual([triaged?.kind, triaged?.["action"], more], ["triaged", "settled", []]);
});

test("a cited line opens its file there, beside the panel", async () => {
  const { workbench, panel, page } = session;
  const frame = await panel.of(PLACE);
  const position = page.locator('[id="status.editor.selection"]');
  await frame.locator(".citation").getByRole("button", { name: "src/money.ts:5" }).click();
  await workbench.editor("money.ts").waitFor();
  await position.filter({ hasText: "Ln 5, Col 1" }).waitFor();
  await frame.locator(".citation").getByRole("button", { name: "src/routes.ts:4" }).click();
  await position.filter({ hasText: "Ln 4, Col 1" }).waitFor();
  await workbench.line(workbench.editor("routes.ts"), "import { formatMoney }").waitFor();
  assert.equal(await page.locator(".editor-group-container").count(), 2);
});

test("a dismissal needs a reason and a second yes, and stands in the log with both (R1.21, C4)", async () => {
  const { workbench, panel } = session;
  const frame = await panel.of(PLACE);
  await giveReason(frame, "no");
  await frame.locator("#reason-problem", { hasText: "at least 5 characters" }).waitFor();
  await frame.locator("#reason").fill(REASON);
  await frame.locator('[data-action="submit"]').click();
  const asked = await workbench.dialog.innerText();
  for (const part of ["Dismiss the P1 finding at src/routes.ts:30", CLAIM, REASON, "src/money.ts:5 exports it"])
    assert.ok(asked.includes(part), `${part} in:\n${asked}`);
  await workbench.answerDialog("Cancel");
  assert.equal((await session.log()).length, 1, "whoever steps back has decided nothing");

  await button(frame, "dismiss").click();
  assert.equal(await frame.locator("#reason").inputValue(), REASON, "the reason is kept for the next try");
  await frame.locator('[data-action="submit"]').click();
  await workbench.answerDialog("Dismiss Finding");
  await headline(frame).filter({ hasText: "Dismissed by a person" }).waitFor();
  const [, decided] = await session.log();
  assert.deepEqual(
    [decided?.kind, decided?.["decision"], decided?.["reason"], decided?.["authorization"]],
    ["decided", "dismissed", REASON, "human-confirmed"],
  );
  await workbench.lens(workbench.editor("routes.ts"), "P1").waitFor({ state: "hidden" });
  await workbench.treeRow("Findings", /is not imported/).waitFor({ state: "hidden" });
  await badge(0);
});

test("a dismissed finding can be listed and reopened, and the log verifies and opens at its record", async () => {
  const { workbench, panel, page } = session;
  await workbench.runCommand("Skeptical Triage: Show Dismissed Findings");
  await workbench.treeRow("Findings", /is not imported.*dismissed by you/).click();
  const frame = await panel.of(PLACE);
  assert.equal(await button(frame, "triage").getAttribute("aria-disabled"), "true");
  await frame.locator(".why-not", { hasText: "It is decided already: reopen it first." }).waitFor();
  await button(frame, "reopen").click();
  await workbench.treeRow("Findings", /is not imported.*waits for you/).waitFor();
  assert.deepEqual(
    (await session.log()).map(({ kind }) => kind),
    ["triaged", "decided", "reopened"],
  );
  await workbench.runCommand("Skeptical Triage: Verify Triage Log");
  await workbench.toast("The triage log is intact: 3 records, every chain checked.").waitFor();
  await frame.getByRole("button", { name: "Open in the triage log" }).click();
  await workbench.editor("triage-log.jsonl").waitFor();
  await page.locator('[id="status.editor.selection"]', { hasText: "Ln 3, Col 1" }).waitFor();
  await workbench.closeTab("triage-log.jsonl");
});

test("typing in the flagged line takes the verdict back and says so; undo brings it back (design, section 5)", async () => {
  const { workbench, panel, page } = session;
  const frame = await panel.of(PLACE);
  const editor = await workbench.openFile("routes.ts");
  await workbench.line(editor, "You owe").click();
  await page.keyboard.press("End");
  // One word: the editor undoes word by word.
  await page.keyboard.type("//later");
  await frame.locator(".head .state", { hasText: "Out of date: the code changed" }).waitFor();
  await frame.locator(".claim", { hasText: "The verdict below is out of date." }).waitFor();
  for (const action of ["confirm", "dismiss"])
    assert.equal(await button(frame, action).getAttribute("aria-disabled"), "true", action);
  await frame.locator(".why-not", { hasText: "triage it again before you decide" }).waitFor();
  await workbench.lens(editor, "code changed since").waitFor();
  await page.keyboard.press("Control+Z");
  await frame.locator(".head .state", { hasText: "Waits for your decision" }).waitFor();
  assert.equal(await button(frame, "dismiss").getAttribute("aria-disabled"), "false");
});

test("a reload of the window brings the panel back with its finding and its verdict (ruling 41)", async () => {
  const { workbench, panel } = session;
  await session.open();
  const frame = await panel.of(PLACE);
  await headline(frame).filter({ hasText: "A check refutes it" }).waitFor();
  assert.equal(await panel.tab.count(), 1);
  await workbench.openViewContainer(VIEW);
  await workbench.treeRow("Findings", /is not imported.*waits for you/).waitFor();
  await giveReason(frame, REASON);
  await workbench.answerDialog("Dismiss Finding");
  await headline(frame).filter({ hasText: "Dismissed by a person" }).waitFor();
});

/** Waits until the icon of the view counts this many findings that wait for a person. */
async function badge(waiting: number): Promise<void> {
  const words = waiting === 0 ? "$" : ` - .*${waiting} finding${waiting === 1 ? "" : "s"} waiting for you`;
  await session.page
    .locator(".part.activitybar")
    .getByRole("tab", { name: new RegExp(`^${VIEW}${words}`) })
    .waitFor();
}
