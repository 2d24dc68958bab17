import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import * as vscode from "vscode";
import type { Application } from "../../src/vscode/application.ts";
import type { GroupNode, Node } from "../../src/vscode/findingsTree.ts";
import { MOST_AT_ONCE } from "../../src/vscode/targets.ts";
import { answering, application, fileUri, list, run, workspaceRoot } from "./harness.ts";

const RESULTS = Number(process.env["SCALE_RESULTS"] ?? 20_000);
const FILES = ["src/checkout.ts", "src/config.ts", "src/courier.ts", "src/money.ts", "src/store.ts"] as const;
const LEVELS = ["error", "warning", "note"] as const;
/** Of the demo itself. */
const DEMO = 8;

const ALL = (DEMO + RESULTS).toLocaleString("en");

const LARGE = "reviews/large.sarif";

/** A log with so many results: file, rule and level go round with different periods, so that every count is known. */
function largeLog(): string {
  const results = Array.from({ length: RESULTS }, (_, index) => {
    const region = { startLine: 1 + (index % 9) };
    const physicalLocation = { artifactLocation: { uri: FILES[index % FILES.length] }, region };
    return {
      ruleId: `rule-${index % 40}`,
      level: LEVELS[index % LEVELS.length],
      message: {
        text: `Generated finding ${index} of ${RESULTS}: the value of field-${index % 977}- is never checked`,
      },
      locations: [{ physicalLocation }],
    };
  });
  return JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Generator" } }, results }] });
}

/** The longest time, in ms, in which the extension host could do nothing else while `body` ran. */
async function longestBlock(body: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await body();
  delay.disable();
  return delay.max / 1e6;
}

suite(`${RESULTS} findings`, () => {
  suiteSetup(async () => {
    const app = await application();
    await vscode.commands.executeCommand("skepticalTriage.findings.focus");
    await list(app, ({ total }) => total >= DEMO, "the findings of the demo");
    const file = path.join(workspaceRoot(), LARGE);
    // Made before: what the test itself costs this process is not what is measured.
    const log = Buffer.from(largeLog());
    const block = await longestBlock(async () => {
      await writeFile(file, log);
      await list(app, ({ total, reading }) => total === DEMO + RESULTS && !reading, "all findings of the log", 60_000);
    });
    console.log(`longest block of the extension host while ${RESULTS} findings came: ${block.toFixed(0)} ms`);
  });

  suiteTeardown(async () => {
    const app = await application();
    await run("skepticalTriage.clearFilter");
    await run("skepticalTriage.groupByFile");
    await rm(path.join(workspaceRoot(), LARGE));
    await list(app, ({ total }) => total === DEMO, "the demo alone", 60_000);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  test("groups appear with their counts, and a group gives out its rows a thousand at a time", async () => {
    const app = await application();
    const roots = await app.view.getChildren();
    const groups = roots.flatMap((node) => (node.kind === "group" ? [node] : []));
    const checkout = groups.find(({ group }) => group.id === "src/checkout.ts");
    assert.ok(checkout);
    assert.equal(checkout.group.total, RESULTS / FILES.length + 2);
    const rows = await app.view.getChildren(checkout);
    assert.equal(rows.length, 1001);
    assert.deepEqual(rows.at(-1), {
      kind: "more",
      id: "file:more:src/checkout.ts",
      group: "src/checkout.ts",
      left: RESULTS / FILES.length + 2 - 1000,
    });
    await run("_skepticalTriage.loadMore", "src/checkout.ts");
    assert.equal((await app.view.getChildren(checkout)).length, 2001);
  });

  test("regrouping and filtering keep every count true", async () => {
    const app = await application();
    const block = await longestBlock(async () => {
      await run("skepticalTriage.groupByRule");
      assert.equal(app.store.current.groupCount, 40 + demoRules(app));
      await narrowed(app, { rules: ["rule-7"] }, RESULTS / 40);
      const ofLevel = [0, 1, 2].map((level) => countOf((index) => index % 40 === 7 && index % 3 === level));
      await narrowed(app, { rules: ["rule-7"], severities: ["P1"] }, ofLevel[0] ?? 0);
      const { bySeverity } = app.store.current;
      assert.deepEqual([bySeverity.P1, bySeverity.P2, bySeverity.Nit], ofLevel);
      assert.equal(app.view.description, `${ofLevel[0]} of ${ALL}`);
      await narrowed(
        app,
        { text: "field-500-", rules: ["rule-20"] },
        countOf((index) => index % 977 === 500 && index % 40 === 20),
      );
      await narrowed(app, { tools: ["Generator"], path: "money" }, RESULTS / FILES.length);
      await narrowed(app, { text: "there is nothing like it" }, 0);
      assert.equal(app.view.description, `0 of ${ALL}`);
      await narrowed(app, {}, DEMO + RESULTS);
    });
    console.log(`longest block of the extension host while filtering and regrouping: ${block.toFixed(0)} ms`);
  });

  test("a large group is triaged only after a question that says how many it is; groups and rows can be chosen together", async () => {
    const app = await application();
    await run("skepticalTriage.groupByRule");
    const [one, other] = [await groupNode(app, "rule-1"), await groupNode(app, "rule-2")];
    const [row] = await app.view.getChildren(one);
    assert.ok(row);
    const each = RESULTS / 40;
    const asked = await answering(app, { modal: false }, () =>
      run("skepticalTriage.triageGroup", one, [one, other, row]),
    );
    const count = Math.min(2 * each, MOST_AT_ONCE).toLocaleString("en");
    assert.deepEqual(
      asked.map(({ how, text }) => `${how} ${text}`),
      [`modal Triage ${count} findings?`],
    );
    assert.equal((await app.worker.panelState({ key: keyOf(row) }))?.state, "new", "nothing was started");
    const refused = await answering(app, { input: "no" }, () => run("skepticalTriage.dismissFinding", one));
    assert.match(refused[0]?.text ?? "", /one finding at a time/);
  });

  test("next and previous walk through what the filter leaves, across files, and around its ends", async () => {
    const app = await application();
    await run("skepticalTriage.groupByFile");
    const count = countOf((index) => index % 977 === 500);
    await narrowed(app, { text: "field-500-" }, count);
    await vscode.window.showTextDocument(fileUri("README.md"));
    const seen: string[] = [];
    for (let step = 0; step < count; step += 1) seen.push(await go("nextFinding"));
    // A second time round, since the first file of a language brings up its extension.
    const block = await longestBlock(async () => {
      for (let step = 0; step < count; step += 1) await go("nextFinding");
    });
    console.log(`longest block of the extension host while walking: ${block.toFixed(0)} ms`);
    assert.deepEqual(new Set(seen.map((place) => place.split(":")[0])), new Set(FILES));
    assert.equal(await go("nextFinding"), seen[0], "after the last comes the first");
    assert.equal(await go("previousFinding"), seen.at(-1), "before the first comes the last");
    assert.equal(await go("previousFinding"), seen.at(-2));
  });
});

function keyOf(node: Node): string {
  assert.ok(node.kind === "finding");
  return node.row.key;
}

/** The group of this id, as the view gives it to the editor. */
async function groupNode(app: Application, id: string): Promise<GroupNode> {
  const found = (await app.view.getChildren()).find((node) => node.kind === "group" && node.group.id === id);
  assert.ok(found?.kind === "group", `no group ${id}`);
  return found;
}

/** Rules of the demo's own findings, the missing one counted as one. */
function demoRules(app: Application): number {
  return app.store.current.groups.filter(({ id }) => !id.startsWith("rule-")).length;
}

/** Filters like this and waits until the view shows so many. */
async function narrowed(
  app: Application,
  conditions: Partial<Application["filter"]["query"]>,
  shown: number,
): Promise<void> {
  await app.filter.clear();
  await app.filter.change(conditions);
  await list(app, (listing) => listing.shown === shown, `${shown} findings`);
  assert.equal(app.store.current.total, DEMO + RESULTS);
}

/** Runs a command and says where the cursor then stands. */
async function go(command: string): Promise<string> {
  await run(`skepticalTriage.${command}`);
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  return `${vscode.workspace.asRelativePath(editor.document.uri)}:${editor.selection.active.line + 1}`;
}

/** How many results of the log are such. */
function countOf(such: (index: number) => boolean): number {
  return Array.from({ length: RESULTS }, (_, index) => index).filter(such).length;
}
