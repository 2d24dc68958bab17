import assert from "node:assert/strict";
import test from "node:test";
import type { LogRecord, TriagedRecord } from "../../src/core/audit.ts";
import { dismissLine, readTokenLine, seekLine, warningLine } from "../../src/core/auditLines.ts";
import { brakedClass, capOn, type SessionLog, streakOf } from "../../src/core/streak.ts";
import { ABOUT, LINK, triagedRecord } from "../support/logRecords.ts";

function judged(
  action: TriagedRecord["action"],
  authorization: TriagedRecord["authorization"],
  more: Partial<TriagedRecord> = {},
): TriagedRecord {
  return triagedRecord({ action, authorization, branch: "main", commit: "c1", ...more });
}
const closed = (more: Partial<TriagedRecord> = {}): TriagedRecord => judged("filter", "automated", more);

function byPerson(decision: "dismissed" | "confirmed", branch: string | null = "main"): LogRecord {
  const confirmation = {
    reason: "r",
    confirmedBy: "human",
    confirmationPromptHash: "0".repeat(64),
    confirmedAt: LINK.at,
  } as const;
  return {
    ...LINK,
    kind: "decided",
    ...ABOUT,
    decision,
    authorization: "human-confirmed",
    ...confirmation,
    blindVerdict: null,
    commit: null,
    branch,
    evidence: [],
    regions: [],
  };
}

const log = (records: readonly LogRecord[], more: Partial<SessionLog> = {}): SessionLog => ({
  records,
  session: "s",
  branch: "main",
  ...more,
});

test("R1.26: three dismissals in a row warn, a person's among them", () => {
  assert.deepEqual(streakOf(log([closed(), closed()])), { run: 2, warned: false });
  assert.deepEqual(streakOf(log([closed(), byPerson("dismissed"), closed()])), { run: 3, warned: true });
});

test("R1.28: any other verdict breaks the run and lifts no warning; facts do neither", () => {
  const kept = judged("keep", "none");
  const candidate = judged("filter", "human-required", { proposesDismissal: true });
  for (const other of [kept, candidate, judged("needs-human", "none"), byPerson("confirmed")])
    assert.deepEqual(streakOf(log([closed(), closed(), other, closed()])), { run: 1, warned: false });
  assert.deepEqual(streakOf(log([closed(), closed(), closed(), kept])), { run: 0, warned: true });
  const fact = judged("settled", "automated", { settledAs: "refuted" });
  assert.deepEqual(streakOf(log([closed(), fact, closed(), fact, closed()])), { run: 3, warned: true });
});

test("R1.28, ruling 20: another session or another branch begins anew, a crash of the worker does not", () => {
  const three = [closed(), closed(), closed()];
  assert.equal(streakOf(log(three, { session: "other" })).warned, false);
  assert.equal(streakOf(log(three, { branch: "feature" })).warned, false);
  assert.equal(streakOf(log([...three, closed({ branch: "feature" }), closed()])).run, 1);
  assert.equal(streakOf(log(three)).warned, true);
});

test("ruling 35: three findings of one class closed by checks in a row show the next to a person, and anything else ends the row", () => {
  const checked = (claimClass: number, more: Partial<TriagedRecord> = {}): TriagedRecord =>
    judged("settled", "automated", {
      settledAs: "refuted",
      because: [{ rule: `class ${claimClass}`, text: "t" }],
      ...more,
    });
  const three = [checked(11), checked(11), checked(11)];
  assert.equal(brakedClass(log(three)), 11);
  assert.equal(brakedClass(log(three.slice(1))), null);
  assert.equal(brakedClass(log([checked(11), checked(12), checked(11), checked(11)])), null);
  assert.equal(brakedClass(log([...three, judged("advisory", "none")])), 11, "what nobody judged ends nothing");
  assert.equal(brakedClass(log([...three, judged("settled", "human-required", { settledAs: "refuted" })])), null);
  assert.equal(brakedClass(log([...three, byPerson("dismissed")])), null);
  assert.equal(brakedClass(log(three, { session: "other" })), null);
});

test("R1.29: an informational question counts once at a commit, in a session, on a branch; dismissing has no cap", () => {
  const opinion = {
    status: "gave",
    intent: "confirm",
    thread: "t",
    verdict: "ACTIONABLE",
    impact: "NOT_ASSESSED",
    verdictConfidence: 0.8,
    refs: 1,
    mapped: "CONFIRMED",
    rebutted: false,
    by: { provider: "p", model: "m" },
  } as const;
  const asked = [judged("keep", "none", { opinion })];
  assert.match(capOn(log(asked), "k", "confirm", "c1") ?? "", /once/);
  assert.equal(capOn(log(asked), "k", "clarify", "c1"), null);
  assert.equal(capOn(log(asked), "other", "confirm", "c1"), null);
  assert.equal(capOn(log(asked), "k", "confirm", "c2"), null, "a new commit");
  const silent = [judged("needs-human", "none", { opinion: { ...opinion, status: "abstained" } })];
  assert.equal(capOn(log(silent), "k", "confirm", "c1"), null, "no answer is no question spent (R1.37)");
  assert.equal(capOn(log(asked, { branch: "feature" }), "k", "confirm", "c1"), null);
  assert.equal(capOn(log([closed(), closed()]), "k", "dismiss", "c1"), null);
});

test("R1.26, R1.30-R1.33: the token lines have their members in their order, hold no code, and can be read back", () => {
  const at = new Date(0);
  const opinion = { mapped: "DISMISS_CANDIDATE", verdictConfidence: 0.9, thread: "abc" } as const;
  const key = { file: "src/a.ts", issue: `The pipe | breaks ${"x".repeat(200)}` };
  const line = dismissLine(
    { severity: "P1", evidence: ["src/a.ts:3", "src/b.ts:9"], authorization: "human-required" },
    opinion,
    key,
    at,
  );
  const read = readTokenLine(line);
  assert.equal(read?.token, "DISMISS_VERDICT");
  assert.deepEqual(
    [...read.members.keys()],
    ["key", "severity", "verdict", "confidence", "codex_thread", "evidence", "timestamp", "intent", "authorization"],
  );
  assert.ok(
    (read.members.get("key") ?? "").startsWith("src/a.ts|The pipe") && (read.members.get("key") ?? "").length <= 120,
  );
  assert.equal(read.members.get("authorization"), "human-required");
  const logged = {
    status: "gave",
    intent: "clarify",
    verdict: "UNCERTAIN",
    impact: "HIGH_IMPACT",
    refs: 0,
    rebutted: false,
    by: { provider: "p", model: "m" },
  } as const;
  const seek = readTokenLine(
    seekLine({ severity: "P2", evidence: [] }, { ...logged, ...opinion, mapped: "HIGH_IMPACT" }, key, at),
  );
  assert.deepEqual(
    [...(seek?.members.keys() ?? [])],
    ["key", "severity", "intent", "verdict", "confidence", "codex_thread", "evidence", "timestamp"],
  );
  assert.equal(
    warningLine({ run: 3, warned: true }, at),
    "[DISMISS_PATTERN_WARN] streak=3 | scope=all-severity | reason=systematic-over-dismiss-risk | action=heightened-scrutiny | timestamp=1970-01-01T00:00:00.000Z",
  );
});
