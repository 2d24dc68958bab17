import assert from "node:assert/strict";
import test from "node:test";
import type { PanelState, Permit } from "../../src/protocol/panel.ts";
import type { DecideParams, DecideResult } from "../../src/protocol/worker.ts";
import type { Asker } from "../../src/vscode/asker.ts";
import { decide } from "../../src/vscode/decisions.ts";
import { refutationView } from "../../src/node/server/judges.ts";
import { finding } from "../support/arbitraries.ts";
import { candidate } from "../support/judgeStates.ts";
import { counted, entryOf, refutedBy } from "../support/judged.ts";

const YES: Permit = { allowed: true };

const STATE: PanelState = {
  finding: finding({
    sourceSeverity: { scale: "sarif", value: "error" },
    tool: "lint",
    message: "The total is\nnever rounded",
    place: {
      status: "exact",
      file: "src/cart.ts",
      line: 14,
      endLine: 14,
      column: null,
      endColumn: null,
      note: null,
      cited: { line: 14, endLine: null, column: null, endColumn: null },
    },
    citedPath: "src/cart.ts",
    source: { path: "review.md", pointer: "L3" },
  }),
  excerpt: [],
  state: "proposed",
  staleReason: null,
  pack: null,
  stage: null,
  reviewer: "built-in reviewer",
  checks: [],
  method: null,
  refutation: null,
  opinion: null,
  asked: [],
  reductions: [],
  streak: { run: 0, warned: false },
  otherModel: null,
  rounds: [],
  vote: null,
  ruling: {
    verdict: "INVALID",
    crux: "round() is called in total()",
    reasoning: "",
    citations: [],
    overrideRejected: false,
    reason: null,
  },
  outcome: null,
  receipts: [],
  receiptsLeft: 0,
  ledger: [],
  lines: [],
  reproduction: null,
  decision: null,
  permits: { triage: YES, cancel: YES, confirm: YES, dismiss: YES, reopen: YES },
  dismissNeedsModal: true,
  clusterSize: 1,
  alike: [],
  alikeCount: 0,
  conflict: false,
  cost: { calls: 0, prompt: 0, completion: 0 },
  notice: null,
};

/** A worker that shows one state, and a person who answers as told. */
function rig(state: PanelState | null, answers: { modal?: boolean; input?: string; result?: DecideResult } = {}) {
  const sent: DecideParams[] = [];
  const asked: string[] = [];
  const ask: Pick<Asker, "modal" | "input"> = {
    async modal(message, detail) {
      asked.push(`${message}\n${detail}`);
      return answers.modal ?? false;
    },
    async input({ prompt }) {
      asked.push(prompt);
      return answers.input;
    },
  };
  const worker = {
    panelState: async () => state,
    async decide(params: DecideParams): Promise<DecideResult> {
      sent.push(params);
      return answers.result ?? { kind: "settled" };
    },
  };
  return { ports: { worker, ask }, sent, asked };
}

test("a P1 dismissal is sent only after a modal that repeats claim, crux and reason", async () => {
  const { ports, sent, asked } = rig(STATE, { modal: true });
  assert.deepEqual(await decide(ports, "k", "dismiss", "rounded elsewhere"), { kind: "settled" });
  for (const part of [
    "src/cart.ts:14",
    "The total is never rounded",
    "round() is called in total()",
    "rounded elsewhere",
  ]) {
    assert.ok(asked[0]?.includes(part), part);
  }
  assert.equal(sent.length, 1);
});

test("the record carries the very sentence the person agreed to (R1.21)", async () => {
  const { ports, sent, asked } = rig(STATE, { modal: true });
  await decide(ports, "k", "dismiss", "rounded elsewhere");
  assert.equal(
    sent[0]?.prompt,
    "Dismiss the P1 finding at src/cart.ts:14 as a false alarm: The total is never rounded",
  );
  assert.ok(asked[0]?.startsWith(`${sent[0]?.prompt}\n`));
});

test("a person who steps back from the modal has decided nothing", async () => {
  const { ports, sent } = rig(STATE, { modal: false });
  assert.deepEqual(await decide(ports, "k", "dismiss", "rounded elsewhere"), { kind: "withdrawn" });
  assert.deepEqual(sent, []);
});

test("a P2 dismissal asks no second time", async () => {
  const { ports, sent, asked } = rig({ ...STATE, dismissNeedsModal: false });
  await decide(ports, "k", "dismiss", "rounded elsewhere");
  assert.deepEqual(asked, []);
  assert.equal(sent.length, 1);
});

test("a dismissal without a reason is refused before anything is asked", async () => {
  const { ports, sent, asked } = rig(STATE, { modal: true });
  const decided = await decide(ports, "k", "dismiss", "  ");
  assert.equal(decided.kind, "refused");
  assert.deepEqual([sent, asked], [[], []]);
});

test("without a given reason it is asked for, and Escape decides nothing", async () => {
  const { ports, sent, asked } = rig(STATE, {});
  assert.deepEqual(await decide(ports, "k", "confirm", null), { kind: "withdrawn" });
  assert.deepEqual(asked, ["Confirm the P1 finding at src/cart.ts:14 as real: The total is never rounded"]);
  assert.deepEqual(sent, []);
});

test("what the worker's permit forbids is not even asked", async () => {
  const permits = { ...STATE.permits, confirm: { allowed: false, why: "It is decided already." } as const };
  const { ports, sent, asked } = rig({ ...STATE, permits }, { input: "x", modal: true });
  assert.deepEqual(await decide(ports, "k", "confirm", null), { kind: "refused", why: "It is decided already." });
  assert.deepEqual([sent, asked], [[], []]);
});

test("what the worker refuses in the end comes back with its reason", async () => {
  const { ports } = rig(STATE, { modal: true, result: { kind: "refused", why: "The code changed." } });
  assert.deepEqual(await decide(ports, "k", "dismiss", "x y z"), { kind: "refused", why: "The code changed." });
});

test("a finding that is gone cannot be decided", async () => {
  const { ports } = rig(null);
  assert.equal((await decide(ports, "k", "confirm", "x")).kind, "refused");
});

test("untriaged, the modal says that only the person's judgement stands behind it", async () => {
  const { ports, asked } = rig({ ...STATE, ruling: null }, { modal: false });
  await decide(ports, "k", "dismiss", "never called");
  assert.match(asked[0] ?? "", /only your own judgement/);
});

test("a check that refutes the claim stands in the modal, where no round was needed", async () => {
  const check = {
    check: "imports",
    atom: null,
    verdict: "refuted",
    text: "It is imported in line 2.",
    citations: [],
    receipts: [],
  } as const;
  const { ports, asked } = rig({ ...STATE, ruling: null, checks: [check] }, { modal: false });
  await decide(ports, "k", "dismiss", "imported");
  assert.match(asked[0] ?? "", /Check: It is imported in line 2\./);
  assert.doesNotMatch(asked[0] ?? "", /only your own judgement/);
});

test("R1.19, R1.21: the modal repeats what refuters and second opinion said, and never says that nothing looked", async () => {
  const shown: string[] = [];
  const unruled = { ...STATE, ruling: null };
  for (const state of [
    { ...unruled, opinion: candidate.opinion },
    { ...unruled, refutation: refuters() },
  ]) {
    const { ports, asked } = rig(state);
    await decide(ports, "k", "dismiss", "guarded above");
    shown.push(asked.join("\n"));
  }
  assert.match(shown[0] ?? "", /Second opinion, not actionable: The id is parsed/);
  assert.match(shown[1] ?? "", /Refuters: 2 against it, 0 for it\.[\s\S]*against it: /);
  for (const detail of shown) assert.doesNotMatch(detail, /Nothing has looked/);
});

function refuters(): PanelState["refutation"] {
  const { refutation } = refutedBy([counted(), counted({ lens: { kind: "own", id: "limits" } })]);
  return refutationView(entryOf({ ...refutedBy([]), refutation }));
}
