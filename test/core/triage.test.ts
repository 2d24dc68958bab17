import assert from "node:assert/strict";
import test from "node:test";
import { createModelReviewer, sameModel } from "../../src/core/conversation.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { Reviewer } from "../../src/core/reviewer.ts";
import { triage, type TriageEvent, type Triaged } from "../../src/core/triage.ts";
import { judgeTwin } from "../../src/core/twin.ts";
import { sha256 } from "../support/memoryRepository.ts";
import { createMemoryWorkspace, findingIn } from "../support/memoryWorkspace.ts";
import { type Asked, cites, createScriptedModel, type Said, says, scriptedPrompts } from "../support/scriptedModel.ts";

const FILES = {
  "src/a.ts": 'import { load } from "./m";\nconst first = load(1);\nconst second = save(2);\nconst third = keep(3);\n',
  "src/m.ts": "export const load = (n) => n;\n",
};
const BUDGET = { calls: 3, bytes: 10_000 };

const scripted = (script: (asked: Asked) => Said): Reviewer =>
  createModelReviewer(sameModel(createScriptedModel(script)), scriptedPrompts, sha256);

async function setUp(message: string, more: Partial<Finding> = {}) {
  const workspace = createMemoryWorkspace(FILES);
  const finding = { ...(await findingIn(workspace.repository, message, "src/a.ts", 2)), ...more };
  return { workspace, finding };
}

async function run(
  finding: Finding,
  workspace: ReturnType<typeof createMemoryWorkspace>,
  reviewer: Reviewer,
  asked = true,
) {
  const events: TriageEvent[] = [];
  const signal = new AbortController().signal;
  const triaged = await triage(
    finding,
    asked,
    { ...workspace, reviewer, budget: BUDGET },
    (event) => events.push(event),
    signal,
  );
  return { triaged, events };
}

const stages = (events: readonly TriageEvent[]): string[] =>
  events.flatMap((event) =>
    event.kind === "stage"
      ? [event.stage.kind === "round" ? `round ${event.stage.n}` : event.stage.kind]
      : event.kind === "receipt" || event.kind === "check"
        ? []
        : [`${event.kind} done`],
  );

test("triage: checks, three rounds, the vote and the arbiter are reported when they happen, in this order (R0.8, R0.15)", async () => {
  const { workspace, finding } = await setUp("The loop never ends.");
  const { events } = await run(
    finding,
    workspace,
    scripted(() => says("UNCERTAIN")),
  );
  assert.deepEqual(stages(events), [
    "checks",
    "round 1",
    "round done",
    "round 2",
    "round done",
    "round 3",
    "round done",
    "vote done",
    "arbiter",
    "ruling done",
  ]);
  const at = (wanted: (event: TriageEvent) => boolean): number => events.findIndex(wanted);
  assert.ok(at(({ kind }) => kind === "check") < at((event) => event.kind === "stage" && event.stage.kind === "round"));
});

test("triage: a claim that checks settle goes to no round, and no model is called (R4.1)", async () => {
  const { workspace, finding } = await setUp("`load` is not imported.");
  const { triaged, events } = await run(
    finding,
    workspace,
    scripted(() => says("VALID")),
  );
  assert.deepEqual(stages(events), ["checks"]);
  assert.deepEqual([triaged.calls, triaged.vote, triaged.reviewer], [0, null, null]);
  assert.equal(triaged.outcome.settledAs, "refuted");
});

test("triage: a hard fact goes to no round, whatever is asked (R0.2)", async () => {
  const { workspace, finding } = await setUp("A key is committed.", { hard: "secret" });
  const { triaged } = await run(
    finding,
    workspace,
    scripted(() => says("INVALID")),
  );
  assert.deepEqual([triaged.outcome.action, triaged.calls], ["bypass", 0]);
});

test("triage: a P2 goes to the rounds only when asked for (C12)", async () => {
  const { workspace, finding } = await setUp("The loop never ends.", { severity: "P2" });
  assert.equal(
    (
      await run(
        finding,
        workspace,
        scripted(() => says("VALID")),
        false,
      )
    ).triaged.outcome.action,
    "advisory",
  );
  assert.equal(
    (
      await run(
        finding,
        workspace,
        scripted(() => says("VALID")),
        true,
      )
    ).triaged.outcome.action,
    "keep",
  );
});

test("triage: the severity of the gate decides nothing: the one ingested does (ruling 2)", async () => {
  const { workspace, finding } = await setUp("The loop never ends.", {
    gate: { from: "P1", to: "Nit", reason: "no_evidence" },
  });
  const { triaged } = await run(
    finding,
    workspace,
    scripted(() => says("VALID")),
    false,
  );
  assert.equal(triaged.outcome.action, "keep");
});

test("triage: calls and tokens of all rounds and the arbiter are summed, receipts kept with who asked", async () => {
  const { workspace, finding } = await setUp("The loop never ends.");
  const read = { verb: "read", file: "src/a.ts", from: 1, to: 1 } as const;
  const wanting = scripted(({ nth }) =>
    nth === 0 ? { wants: [{ callId: "c", call: read, problem: null, raw: "{}" }] } : says("VALID"),
  );
  const { triaged } = await run(finding, workspace, wanting);
  assert.deepEqual([triaged.calls, triaged.tokens], [8, { prompt: 800, completion: 80 }]);
  assert.deepEqual(
    triaged.receipts.map(({ by }) => by),
    ["check", "pack", "round-1", "round-2", "round-3", "arbiter"],
  );
});

test("triage: a reviewer that throws has abstained, with what it threw as the reason", async () => {
  const { workspace, finding } = await setUp("The loop never ends.");
  const broken: Reviewer = {
    identity: { provider: "p", model: "m" },
    round: () => Promise.reject(new Error("the disk is gone")),
    arbiter: () => Promise.reject(new Error("the disk is gone")),
    refute: () => Promise.reject(new Error("the disk is gone")),
    opinion: () => Promise.reject(new Error("the disk is gone")),
  };
  const { triaged } = await run(finding, workspace, broken);
  assert.equal(triaged.outcome.action, "needs-human");
  assert.ok(triaged.rounds.every((round) => round.kind === "abstained" && round.reason.includes("the disk is gone")));
});

for (const stage of ["checks", "round 1", "round 3", "arbiter"]) {
  test(`triage: cancelling in ${stage} rejects with the signal's reason and asks nothing more`, async () => {
    const { workspace, finding } = await setUp("The loop never ends.");
    const controller = new AbortController();
    const reason = new Error("cancelled by the person");
    const model = createScriptedModel(() => says("VALID"));
    const reviewer = createModelReviewer(sameModel(model), scriptedPrompts, sha256);
    let asked = -1;
    const report = (event: TriageEvent): void => {
      if (stages([event])[0] !== stage) return;
      asked = model.asked.length;
      controller.abort(reason);
    };
    await assert.rejects(
      triage(finding, true, { ...workspace, reviewer, budget: BUDGET }, report, controller.signal),
      reason,
    );
    assert.equal(model.asked.length, asked);
  });
}

test("triage: the regions a verdict rests on are the flagged line and what was cited", async () => {
  const { workspace, finding } = await setUp("The loop never ends.");
  const reviewer = scripted(() => says("VALID", [cites("src/m.ts", 1, "export const load = (n) => n;")]));
  const { triaged } = await run(finding, workspace, reviewer);
  assert.deepEqual(
    triaged.regions.map(({ role, file, line }) => `${role} ${file}:${line}`),
    ["flagged src/a.ts:2", "cited src/m.ts:1"],
  );
});

async function twin(
  first: Triaged,
  message: string,
  line: number,
  more: Partial<Finding> = {},
): Promise<Triaged | null> {
  const workspace = createMemoryWorkspace(FILES);
  const finding = { ...(await findingIn(workspace.repository, message, "src/a.ts", line)), ...more };
  return await judgeTwin(finding, true, first, workspace, new AbortController().signal);
}

test("twin: a check that refutes one name refutes nothing about another of the same cluster (C18, ruling 11)", async () => {
  const { workspace, finding } = await setUp("`load` is not imported.", { severity: "P2" });
  const { triaged } = await run(
    finding,
    workspace,
    scripted(() => says("VALID")),
  );
  assert.equal(triaged.outcome.authorization, "automated");
  assert.equal(await twin(triaged, "`save` is not imported.", 3, { severity: "P2" }), null);
});

test("twin: one that its own checks refute is settled by them", async () => {
  const { workspace, finding } = await setUp("`load` is not imported.");
  const { triaged } = await run(
    finding,
    workspace,
    scripted(() => says("VALID")),
  );
  const same = await twin(triaged, "`load` is not imported.", 2);
  assert.equal(same?.outcome.settledAs, "refuted");
  assert.equal(same.outcome.authorization, "human-required");
});

test("twin: rounds are shared, and its own severity decides what may happen", async () => {
  const { workspace, finding } = await setUp("The loop in `first` never ends.", { severity: "P2" });
  const line = { premise: 2, defences: 3, missed: 4, arbiter: 2, refuter: 2, opinion: 2, rebuttal: 2 } as const;
  const lines = FILES["src/a.ts"].split("\n");
  const reviewer = scripted(({ role }) =>
    says("INVALID", [cites("src/a.ts", line[role], lines[line[role] - 1] ?? "")]),
  );
  const { triaged } = await run(finding, workspace, reviewer);
  assert.equal(triaged.outcome.authorization, "automated");
  const worse = await twin(triaged, "The loop in `second` never ends.", 3, { severity: "P1" });
  assert.equal(worse, null, "a P1 needs a second opinion, so a triage of its own (C1)");
  const hard = await twin(triaged, "The loop in `second` never ends.", 3, { severity: "P2", hard: "secret" });
  assert.equal(hard?.outcome.action, "bypass");
});

test("R0.10: a round that says it searched without a search of its own did not", async () => {
  const { workspace, finding } = await setUp("The loop never ends.");
  const call = { verb: "grep", pattern: "load", path: ".", literal: true } as const;
  const wants = { wants: [{ callId: "1", call, problem: null, raw: "" }] };
  for (const searches of [false, true]) {
    const reviewer = scripted(({ role, nth }) =>
      role === "defences" && searches && nth === 0 ? wants : says("UNCERTAIN"),
    );
    const { triaged } = await run(finding, workspace, reviewer);
    const round = triaged.rounds[1];
    assert.equal(round?.kind === "counted" ? round.grepUsed : null, searches);
  }
});
