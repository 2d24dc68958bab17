import assert from "node:assert/strict";
import test from "node:test";
import type { FindingGroup, Grouping, ListGroupsResult } from "../../src/protocol/query.ts";
import type { FindingRow } from "../../src/protocol/worker.ts";
import {
  countsInWords,
  emptiness,
  type GroupNode,
  rootNodes,
  rowNodes,
  shownInWords,
  unreadNodes,
} from "../../src/vscode/findingsTree.ts";
import { labelOf, lookOf, placeOf, restOf, tooltipOf } from "../../src/vscode/rowLook.ts";

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

const NONE = { P0: 0, P1: 0, P2: 0, Nit: 0 };

function group(id: string, total: number): FindingGroup {
  return { id, label: id, total, bySeverity: { ...NONE, P1: total }, waiting: 0 };
}

function listOf(groups: readonly FindingGroup[], more: Partial<ListGroupsResult> = {}): ListGroupsResult {
  const total = groups.reduce((sum, one) => sum + one.total, 0);
  const counts = { groupCount: groups.length, shown: total, total, waiting: 0, bySeverity: NONE };
  return { groups, ...counts, unread: [], unreadCount: more.unread?.length ?? 0, reading: false, note: null, ...more };
}

function node(id: string, grouping: Grouping = "file"): GroupNode {
  return { kind: "group", id: `${grouping}:group:${id}`, grouping, group: group(id, 2), open: true };
}

const UNREAD = {
  path: "/repo/review.md",
  line: 4,
  pointer: null,
  text: "HIGH odd",
  reason: "no place",
  severityWord: true,
};

test("the roots are the worker's groups in its order, also the one of findings without a file", () => {
  const roots = rootNodes(listOf([group("src/cart.ts", 2), group("", 1)]), "file");
  assert.deepEqual(
    roots.map(({ kind, id }) => `${kind} ${id}`),
    ["group file:group:src/cart.ts", "group file:group:"],
  );
});

test("of many findings only the first groups are open, so that no more rows are asked for than fit a screen or two", () => {
  const open = (sizes: readonly number[]): readonly boolean[] =>
    rootNodes(listOf(sizes.map((size, index) => group(`g${index}`, size))), "rule").map(
      (root) => root.kind === "group" && root.open,
    );
  assert.deepEqual(open([3, 4, 5]), [true, true, true]);
  assert.deepEqual(open([150, 50, 1, 1]), [true, true, false, false]);
  assert.deepEqual(open([90_000, 3]), [true, false], "one is open all the same, so that there is something to see");
});

test("groups that are not loaded are a row that says how many", () => {
  const last = rootNodes(listOf([group("a", 1)], { groupCount: 2500 }), "file").at(-1);
  assert.deepEqual(last, { kind: "more", id: "file:more", group: null, left: 2499 });
});

test("rows of a group that are not loaded are a row of that group", () => {
  const nodes = rowNodes(node("src/cart.ts"), { rows: [ROW], total: 1001 });
  assert.deepEqual(
    nodes.map(({ kind, id }) => `${kind} ${id}`),
    ["finding file:finding:k", "more file:more:src/cart.ts"],
  );
  assert.deepEqual(nodes.at(-1), { kind: "more", id: "file:more:src/cart.ts", group: "src/cart.ts", left: 1000 });
});

test("no group, row or remainder can be taken for another, whatever names groups have", () => {
  const names = ["", "more", "more:x", "group:", "finding:k", "x"];
  const roots = rootNodes(
    listOf(
      names.map((name) => group(name, 1)),
      { groupCount: 99, unread: [UNREAD] },
    ),
    "rule",
  );
  const rows = roots.flatMap((root) =>
    root.kind === "group" ? rowNodes(root, { rows: [{ ...ROW, key: `${root.group.id}!` }], total: 2 }) : [],
  );
  const ids = [...roots, ...rows].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("lines that were not understood stand in the tree even where no finding does (C20)", () => {
  const roots = rootNodes(listOf([], { unread: [UNREAD, UNREAD] }), "file");
  assert.deepEqual(
    roots.map(({ kind }) => kind),
    ["unreadGroup"],
  );
  assert.equal(new Set(unreadNodes([UNREAD, UNREAD]).map(({ id }) => id)).size, 2);
});

test("counts are written worst first, large ones with separators", () => {
  assert.equal(countsInWords({ P0: 0, P1: 1204, P2: 3, Nit: 0 }), "1,204 P1 · 3 P2");
});

test("beside the title stands how many of all are shown, and only the number where it is all", () => {
  assert.equal(shownInWords({ shown: 12, total: 8412 }), "12 of 8,412");
  assert.equal(shownInWords({ shown: 8412, total: 8412 }), "8,412");
  assert.equal(shownInWords({ shown: 0, total: 0 }), "");
});

test("an empty view knows why: no finding, all dismissed or suppressed, or the filter", () => {
  assert.equal(emptiness({ shown: 1, total: 9 }, true), null);
  assert.equal(emptiness({ shown: 0, total: 0 }, true), "none");
  assert.equal(emptiness({ shown: 0, total: 9 }, false), "closed");
  assert.equal(emptiness({ shown: 0, total: 9 }, true), "filter");
});

const LABELS: readonly (readonly [Grouping, string, string])[] = [
  ["file", "P1 :14 Total is never rounded", "not triaged"],
  ["severity", "cart.ts:14 Total is never rounded", "not triaged · src"],
  ["rule", "P1 cart.ts:14 Total is never rounded", "not triaged · src"],
  ["tool", "P1 cart.ts:14 Total is never rounded", "not triaged · src"],
  ["state", "P1 cart.ts:14 Total is never rounded", "not triaged · src"],
];
for (const [grouping, label, rest] of LABELS) {
  test(`by ${grouping}, a row begins with what its group does not say: "${label}"`, () => {
    assert.equal(labelOf(ROW, grouping), label);
    assert.equal(restOf(ROW, grouping), rest);
  });
}

test("a row without a line or a file says what there is", () => {
  assert.equal(labelOf({ ...ROW, line: null }, "file"), "P1 Total is never rounded");
  assert.equal(labelOf({ ...ROW, file: null, line: null }, "rule"), "P1 Total is never rounded");
  assert.equal(
    restOf({ ...ROW, summary: "P1 (shown as P2) · 1 of 3 say real" }, "file"),
    "P1 (shown as P2) · 1 of 3 say real",
  );
});

test("a long title leaves room for the state, and is cut between words", () => {
  const title = "The value that comes from the request is used to build a path without any check of what it names";
  assert.equal(labelOf({ ...ROW, title }, "file"), "P1 :14 The value that comes from the request is used to build a…");
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
