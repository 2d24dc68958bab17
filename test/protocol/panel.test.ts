import assert from "node:assert/strict";
import test from "node:test";
import { FromPanel } from "../../src/protocol/panel.ts";

/** One of each kind, as the page sends it. */
const SENT = [
  { type: "ready" },
  { type: "triage", key: "k" },
  { type: "challenge", key: "k", how: "refuters" },
  { type: "rebut", key: "k", artefacts: [{ kind: "test-output", source: "a.test.ts:1", text: "ok 1" }] },
  { type: "cancel", key: "k" },
  { type: "confirm", key: "k", reason: "" },
  { type: "dismiss", key: "k", reason: "checked before" },
  { type: "reopen", key: "k", reason: "the guard is gone" },
  { type: "open", key: "k", file: "src/a.ts", line: 1 },
  { type: "openSource", key: "k" },
  { type: "openLog", key: "k" },
  { type: "show", key: "k", other: "l" },
  { type: "runLine", key: "k", line: "eslint ." },
  { type: "stopLine", key: "k" },
] as const;

test("every message of the page is understood as it was sent", () => {
  assert.deepEqual(
    SENT.map((message) => FromPanel.parse(message)),
    SENT,
  );
});

test("the table above holds every kind of message, so that a new one is not forgotten here", () => {
  const kinds = FromPanel.def.options.map((option) => option.shape.type.def.values[0]);
  assert.deepEqual(
    SENT.map(({ type }) => type),
    kinds,
  );
});

/** What a page that went wrong, or one that is not ours, might send. */
const REFUSED: readonly (readonly [what: string, message: unknown])[] = [
  ["nothing", undefined],
  ["text", "ready"],
  ["a kind that does not exist", { type: "approve", key: "k" }],
  ["a triage without a finding", { type: "triage" }],
  ["a finding that is no text", { type: "triage", key: 1 }],
  ["a dismissal without a reason", { type: "dismiss", key: "k" }],
  ["a reason beyond 4,000 characters", { type: "dismiss", key: "k", reason: "x".repeat(4001) }],
  ["line 0: lines are counted from 1", { type: "open", key: "k", file: "a.ts", line: 0 }],
  ["another finding that is not named", { type: "show", key: "k" }],
  ["a command line that is empty", { type: "runLine", key: "k", line: "" }],
  ["a command line that nobody can read", { type: "runLine", key: "k", line: "x".repeat(16_001) }],
  ["a challenge that does not exist", { type: "challenge", key: "k", how: "force" }],
  ["an objection without a thing", { type: "rebut", key: "k", artefacts: [] }],
  [
    "an objection of a kind that is no objective thing",
    { type: "rebut", key: "k", artefacts: [{ kind: "opinion", source: "me", text: "no" }] },
  ],
  [
    "an objection from nowhere",
    { type: "rebut", key: "k", artefacts: [{ kind: "specification", source: "", text: "x" }] },
  ],
  [
    "an objection beyond 8,000 characters",
    { type: "rebut", key: "k", artefacts: [{ kind: "specification", source: "s", text: "x".repeat(8001) }] },
  ],
  ["half a line", { type: "open", key: "k", file: "a.ts", line: 1.5 }],
  ["a path beyond 4,096 characters", { type: "open", key: "k", file: "x".repeat(4097), line: 1 }],
];

for (const [what, message] of REFUSED) {
  test(`the page is not trusted: ${what} is refused (design 8)`, () => {
    assert.equal(FromPanel.safeParse(message).success, false);
  });
}

test("what a message does not know of is left out, so that nothing unread is passed on", () => {
  assert.deepEqual(FromPanel.parse({ type: "triage", key: "k", confirmed: true }), { type: "triage", key: "k" });
});
