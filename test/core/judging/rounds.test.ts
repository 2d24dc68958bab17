import assert from "node:assert/strict";
import test from "node:test";
import type { Finding } from "../../../src/core/finding.ts";
import { type Method, USUAL_METHOD } from "../../../src/core/method.ts";
import type { Answer } from "../../../src/core/round.ts";
import { triage } from "../../../src/core/triage.ts";
import { createMemoryWorkspace, findingIn } from "../../support/memoryWorkspace.ts";
import { type Script, scriptedReviewer } from "../../support/panelOf.ts";

const LINES = ["const one = 1;", "const two = 2;", "const three = 3;", "export const four = three / two;"];
const FILES = { "src/a.ts": `${LINES.join("\n")}\n` };

async function rounds(script: Script, method: Partial<Method> = {}, more: Partial<Finding> = {}) {
  const workspace = createMemoryWorkspace(FILES);
  const finding = {
    ...(await findingIn(workspace.repository, "The division crashes when nothing is configured.", "src/a.ts", 4)),
    ...more,
  };
  const reviewer = scriptedReviewer(script);
  const ports = { ...workspace, reviewer, budget: { calls: 3, bytes: 10_000 }, method: { ...USUAL_METHOD, ...method } };
  const triaged = await triage(finding, true, ports, () => undefined, new AbortController().signal);
  return { triaged, reviewer };
}

function says(verdict: Answer["verdict"], line: number, more: Partial<Answer> = {}) {
  const citations = [{ file: "src/a.ts", line, endLine: line, quote: LINES[line - 1] ?? "" }];
  return { kind: "gave", answer: { verdict, crux: "c", reasoning: "r", citations, ...more } } as const;
}

test("C1: a blind round is told of no earlier one, a sequential round of all; the arbiter always sees all", async () => {
  for (const visibility of ["blind", "sequential"] as const) {
    const { reviewer } = await rounds({ round: (task) => says("VALID", task.n) }, { visibility });
    const told = reviewer.tasks.flatMap((task) => ("earlier" in task ? [task.earlier.length] : []));
    assert.deepEqual(told, visibility === "blind" ? [0, 0, 0] : [0, 1, 2]);
    const arbiter = reviewer.tasks.find((task) => "rounds" in task);
    assert.ok(arbiter !== undefined && "rounds" in arbiter && arbiter.rounds.length === 3);
  }
});

test("early stop: a third round is not asked where two uphold the finding with lines that resolve, and it says so; the arbiter runs (R0.15, R4.23)", async () => {
  const upheld: Script = {
    round: (task) => says("VALID", task.n),
    arbiter: () => ({ kind: "gave", answer: { verdict: "VALID", crux: "c", reasoning: "r", citations: [] } }),
  };
  const { triaged, reviewer } = await rounds(upheld, { earlyStop: true });
  assert.equal(reviewer.tasks.length, 3);
  assert.deepEqual([triaged.vote?.counted, triaged.outcome.action], [2, "keep"]);
  assert.ok(triaged.reductions.some((text) => /Round 3 was not asked/.test(text)));
  const off = await rounds(upheld);
  assert.equal(off.reviewer.tasks.length, 4);
});

test("early stop: two rounds against a finding, or two without lines, stop nothing", async () => {
  for (const round of [
    (task: { n: number }) => says("INVALID", task.n),
    () => says("VALID", 1, { citations: [] }),
  ] as const) {
    const { reviewer } = await rounds({ round }, { earlyStop: true }, { severity: "P2" });
    assert.equal(reviewer.tasks.filter((task) => "earlier" in task).length, 3);
  }
});

test("C7: a round that wants a check gets it run by the program, once, and answers again with its result", async () => {
  const wish = { needsOracle: "`two` is never used." };
  const { triaged, reviewer } = await rounds({ round: (task) => says("VALID", task.n, task.n === 2 ? wish : {}) });
  const second = reviewer.tasks.filter((task) => "n" in task && task.n === 2);
  assert.deepEqual(
    second.map(({ asked }) => asked.length),
    [0, 1],
  );
  assert.equal(triaged.asked.length, 1);
  // What somebody wished for says nothing about the finding's own claims.
  assert.ok(triaged.checks.every(({ check }) => check !== "asked"));
});

test("C7: words that name no check, or try to be a command, run nothing but our own checks", async () => {
  for (const needsOracle of ["rm -rf /", "run `npm test`", "$(id)", "please run eslint --fix"]) {
    const { triaged } = await rounds({ round: (task) => says("VALID", task.n, { needsOracle }) });
    assert.ok(
      triaged.receipts.every(({ verb }) => verb === "read" || verb === "grep"),
      needsOracle,
    );
    assert.ok(triaged.asked.every(({ proposal }) => proposal === undefined));
  }
});

test("C15: an arbiter that upholds a finding and says how it is reached may argue for a higher severity, never without", async () => {
  const arbiter = (reach: string) => (): ReturnType<NonNullable<Script["arbiter"]>> => ({
    kind: "gave",
    answer: { ...says("VALID", 4).answer, verdict: "VALID", impact: "critical", reach },
  });
  const round = (task: { n: number }) => says("VALID", task.n);
  const argued = await rounds({ round, arbiter: arbiter("Every request reaches it.") });
  assert.deepEqual([argued.triaged.outcome.severitySuggestion?.to, argued.triaged.outcome.severity], ["P0", "P1"]);
  const bare = await rounds({ round, arbiter: arbiter("  ") });
  assert.equal(bare.triaged.outcome.severitySuggestion, null);
});

test("R4.1: a finding with a check at hand that has not run is not done, whichever way it is judged", async () => {
  const workspace = createMemoryWorkspace(FILES);
  const finding = await findingIn(workspace.repository, "ESLint reports `no-unused-vars` here.", "src/a.ts", 4);
  const reviewer = scriptedReviewer({
    round: (task) => says("VALID", task.n),
    arbiter: () => ({ kind: "gave", answer: { verdict: "VALID", crux: "c", reasoning: "r", citations: [] } }),
  });
  const proposal = {
    line: "eslint src/a.ts",
    argv: ["eslint", "src/a.ts"],
    cwd: ".",
    why: "its configuration is a program",
  };
  const waiting = { kind: "unknown", why: "It waits.", proposal, receipts: [] } as const;
  const checkers = {
    projectTools: async () => await Promise.resolve(["eslint"] as const),
    report: async () => await Promise.resolve(waiting),
    rule: async () => await Promise.resolve(waiting),
  };
  const run = async (ports: object) =>
    await triage(
      { ...finding, severity: "P1" },
      true,
      { ...workspace, reviewer, budget: { calls: 1, bytes: 100 }, ...ports },
      () => undefined,
      new AbortController().signal,
    );
  const { outcome } = await run({ checkers });
  assert.equal(outcome.action, "needs-human");
  assert.match(
    outcome.because.map(({ rule, text }) => `${rule} ${text}`).join(" "),
    /R4\.1 Not done.*eslint src\/a\.ts/,
  );
  assert.equal((await run({})).outcome.action, "keep", "without a checker at hand nothing is left to run");
});
