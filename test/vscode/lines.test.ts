import assert from "node:assert/strict";
import test from "node:test";
import type { AcceptLineParams, AcceptLineResult } from "../../src/protocol/checkers.ts";
import type { LineView, PanelState } from "../../src/protocol/panel.ts";
import { RUN_ALWAYS, RUN_ONCE, runLine } from "../../src/vscode/lines.ts";
import * as states from "../support/panelStates.ts";

const [VIEW] = states.waitingLine.lines;
assert.ok(VIEW);

/** A worker that shows one state, and a person who presses one button. */
function rig(state: PanelState | null, answers: { readonly press?: string; readonly result?: AcceptLineResult } = {}) {
  const sent: AcceptLineParams[] = [];
  const asked: { text: string; detail: string; buttons: readonly string[] }[] = [];
  const ask = {
    async choose(text: string, detail: string, ...buttons: readonly string[]) {
      asked.push({ text, detail, buttons });
      return answers.press;
    },
  };
  const worker = {
    panelState: async () => state,
    async acceptLine(params: AcceptLineParams): Promise<AcceptLineResult> {
      sent.push(params);
      return answers.result ?? { kind: "started" };
    },
  };
  return { ports: { worker, ask }, sent, asked };
}

const showing = (more: Partial<LineView>): PanelState => ({ ...states.waitingLine, lines: [{ ...VIEW, ...more }] });

test("the dialog repeats the exact line, its folder, why, and what running it means; its title holds nothing of the repository", async () => {
  const { ports, asked } = rig(states.waitingLine);
  assert.equal(await runLine(ports, "k", VIEW.line), null);
  const [dialog] = asked;
  assert.equal(dialog?.text, "Run this command line?");
  assert.deepEqual(dialog?.buttons, [RUN_ONCE, RUN_ALWAYS]);
  const paragraphs = dialog?.detail.split("\n\n") ?? [];
  assert.equal(paragraphs[0], VIEW.line);
  assert.equal(paragraphs[1], `In the folder: ${VIEW.folder}`);
  assert.equal(paragraphs[2], VIEW.why);
  assert.match(paragraphs[3] ?? "", /runs code that this repository chooses.*with your rights/);
});

for (const [press, remember] of [
  [RUN_ONCE, false],
  [RUN_ALWAYS, true],
] as const)
  test(`${press}: the worker gets exactly the line that was shown, remembered: ${remember}`, async () => {
    const { ports, sent } = rig(states.waitingLine, { press });
    assert.equal(await runLine(ports, "k", VIEW.line), null);
    assert.deepEqual(sent, [{ key: "k", line: VIEW.line, remember }]);
  });

for (const press of [undefined, "Cancel", ""])
  test(`a dialog that ends with ${JSON.stringify(press)} runs nothing`, async () => {
    const { ports, sent } = rig(states.waitingLine, press === undefined ? {} : { press });
    assert.equal(await runLine(ports, "k", VIEW.line), null);
    assert.deepEqual(sent, []);
  });

test("a line that is not offered at this moment is not even asked about", async () => {
  for (const line of [`${VIEW.line} `, "rm -rf /", ""]) {
    const { ports, sent, asked } = rig(states.waitingLine, { press: RUN_ALWAYS });
    assert.match((await runLine(ports, "k", line)) ?? "", /not proposed/);
    assert.deepEqual([sent, asked], [[], []]);
  }
});

test("what the worker's permit forbids, and a finding that is gone, are told and not asked about", async () => {
  const held = rig(showing({ permit: { allowed: false, why: "It is running." } }), { press: RUN_ONCE });
  assert.equal(await runLine(held.ports, "k", VIEW.line), "It is running.");
  const gone = rig(null, { press: RUN_ONCE });
  assert.match((await runLine(gone.ports, "k", VIEW.line)) ?? "", /gone/);
  assert.deepEqual([held.sent, held.asked, gone.sent, gone.asked], [[], [], [], []]);
});

test("a line that was accepted for the workspace runs without a second question, and is not remembered anew", async () => {
  const { ports, sent, asked } = rig(showing({ accepted: true }));
  assert.equal(await runLine(ports, "k", VIEW.line), null);
  assert.deepEqual(asked, []);
  assert.deepEqual(sent, [{ key: "k", line: VIEW.line, remember: false }]);
});

test("what the worker refuses in the end comes back with its reason", async () => {
  const { ports } = rig(states.waitingLine, { press: RUN_ONCE, result: { kind: "refused", why: "Not any more." } });
  assert.equal(await runLine(ports, "k", VIEW.line), "Not any more.");
});

test("a line that no dialog can hold is cut there, says by how much, and is sent whole", async () => {
  const line = `bandit ${"a.py ".repeat(1000)}`.trim();
  const { ports, sent, asked } = rig(showing({ line }), { press: RUN_ONCE });
  await runLine(ports, "k", line);
  assert.ok(asked[0]?.detail.startsWith(line.slice(0, 2000)));
  assert.match(
    asked[0]?.detail ?? "",
    new RegExp(`${line.length - 2000} more characters: the whole line stands in the panel`),
  );
  assert.equal(sent[0]?.line, line);
});
