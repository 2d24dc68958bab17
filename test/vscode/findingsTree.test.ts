import assert from "node:assert/strict";
import test from "node:test";
import type { FindingRow } from "../../src/protocol/worker.ts";
import type { FindingsList } from "../../src/vscode/findingsStore.ts";
import { buildTree, countsInWords } from "../../src/vscode/findingsTree.ts";
import { lookOf, placeOf, tooltipOf } from "../../src/vscode/rowLook.ts";

const ROW: FindingRow = {
  key: "k",
  severity: "P1",
  shownSeverity: "P1",
  title: "Total is never rounded",
  file: "src/cart.ts",
  absolute: "/repo/src/cart.ts",
  line: 14,
  tool: "lint",
  rule: "round",
  state: "new",
  action: null,
  decision: null,
  status: "open",
  place: "exact",
  hard: false,
  summary: "P1 · not triaged",
  clusterSize: 1,
  fromEditor: false,
};

function listOf(rows: readonly FindingRow[], more: Partial<FindingsList> = {}): FindingsList {
  return { rows, total: rows.length, unread: [], waiting: 0, hidden: 0, ...more };
}

const ROWS: readonly FindingRow[] = [
  { ...ROW, key: "a" },
  { ...ROW, key: "b", severity: "P0" },
  { ...ROW, key: "c", file: "src/tax.ts", severity: "Nit" },
  { ...ROW, key: "d", file: null, absolute: null, line: null },
];

test("by file: a group for each file in the worker's order, findings without a file in one of their own", () => {
  const { roots, children } = buildTree(listOf(ROWS), "file");
  assert.deepEqual(
    roots.map(({ id }) => [id, children.get(id)?.map((node) => node.id)]),
    [
      ["file:src/cart.ts", ["file:a", "file:b"]],
      ["file:src/tax.ts", ["file:c"]],
      ["file", ["file:d"]],
    ],
  );
});

test("by severity: groups from worst to least, none that is empty", () => {
  const { roots, children } = buildTree(listOf(ROWS), "severity");
  assert.deepEqual(
    roots.map(({ id }) => [id, children.get(id)?.length]),
    [
      ["severity:P0", 1],
      ["severity:P1", 2],
      ["severity:Nit", 1],
    ],
  );
});

test("grouping and counts follow the severity as ingested, not the one shown (ruling 2)", () => {
  const demoted = { ...ROW, shownSeverity: "Nit" as const };
  assert.equal(buildTree(listOf([demoted]), "severity").roots[0]?.id, "severity:P1");
  assert.equal(countsInWords([demoted]), "1 P1");
});

test("lines that were not understood stand in the tree even where no finding does (C20)", () => {
  const unread = {
    path: "/repo/review.md",
    line: 4,
    pointer: null,
    text: "HIGH odd",
    reason: "no place",
    severityWord: true,
  };
  const { roots, children } = buildTree(listOf([], { unread: [unread, unread] }), "file");
  assert.deepEqual(
    roots.map(({ kind }) => kind),
    ["unreadGroup"],
  );
  const ids = children.get("unread")?.map(({ id }) => id) ?? [];
  assert.equal(new Set(ids).size, 2);
});

test("what is not loaded is a row that says so", () => {
  const last = buildTree(listOf(ROWS, { total: 2500 }), "file").roots.at(-1);
  assert.deepEqual(last, { kind: "more", id: "more", shown: 4, total: 2500 });
});

test("every finding knows its group, so that the view can reveal it", () => {
  const { children, parents } = buildTree(listOf(ROWS), "file");
  for (const [group, nodes] of children) for (const { id } of nodes) assert.equal(parents.get(id)?.id, group);
});

const LOOKS: readonly (readonly [string, Partial<FindingRow>, string])[] = [
  ["an untriaged P1", {}, "error"],
  ["an untriaged P2", { severity: "P2" }, "warning"],
  ["a hard fact", { hard: true }, "lock"],
  ["a running triage", { state: "running" }, "sync~spin"],
  ["a proposal that waits for a person", { state: "proposed" }, "question"],
  ["a finding whose code changed", { state: "stale", decision: "dismissed" }, "history"],
  ["a dismissed finding", { state: "decided", decision: "dismissed" }, "circle-slash"],
  ["a finding that only a person can judge", { action: "needs-human" }, "account"],
  ["a finding that the triage found real", { action: "keep" }, "bug"],
  ["a finding that a check confirmed", { action: "settled" }, "bug"],
  ["a claim that a check refuted and that waits for a person", { action: "settled", state: "proposed" }, "question"],
  ["a confirmed finding", { state: "decided", decision: "confirmed" }, "pass-filled"],
];
for (const [what, change, icon] of LOOKS) {
  test(`${what} is drawn as ${icon}`, () => assert.equal(lookOf({ ...ROW, ...change }).icon, icon));
}

test("the hover says place, state, tool, and where the shown severity differs", () => {
  const text = tooltipOf({ ...ROW, shownSeverity: "P2", clusterSize: 3, place: "relocated" });
  for (const part of [
    "src/cart.ts:14",
    "P1 · not triaged",
    "P1, shown as P2",
    "lint round",
    "3 times",
    "another line",
  ]) {
    assert.ok(text.includes(part), part);
  }
});

test("a place without a file is named as such", () => {
  assert.equal(placeOf({ ...ROW, file: null }), "no file");
  assert.equal(placeOf({ ...ROW, line: null }), "src/cart.ts");
});
