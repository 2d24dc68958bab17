import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { type Decision, type PanelAction, PERMITS, refusal, SHORTEST_REASON } from "../../src/core/decision.ts";
import type { State } from "../../src/core/outcome.ts";
import { needsPerson } from "../../src/core/policy.ts";
import { finding, findings } from "../support/arbitraries.ts";

const STATES: readonly State[] = ["new", "running", "proposed", "decided", "stale"];
const ACTIONS: readonly PanelAction[] = ["triage", "cancel", "confirm", "dismiss", "reopen"];

const allowed = (action: PanelAction): State[] => STATES.filter((state) => PERMITS[state][action].allowed);

const decisions: fc.Arbitrary<Decision> = fc.record({
  decision: fc.constantFrom("confirm", "dismiss", "reopen"),
  reason: fc.oneof(fc.constantFrom("", " ", "\n\t", "ok", " a b ", "guarded in parse()"), fc.string()),
  prompt: fc.constantFrom("", "  ", "Dismiss this P1 finding"),
});

test("decision: confirm and dismiss are allowed in every state but running, stale and decided (ruling 22)", () => {
  assert.deepEqual(allowed("confirm"), ["new", "proposed"]);
  assert.deepEqual(allowed("dismiss"), ["new", "proposed"]);
  assert.deepEqual(allowed("reopen"), ["decided"]);
  assert.deepEqual(allowed("cancel"), ["running"]);
  assert.deepEqual(allowed("triage"), ["new", "proposed", "stale"]);
});

test("decision: what is not allowed says why in a sentence", () => {
  for (const state of STATES)
    for (const action of ACTIONS) {
      const permit = PERMITS[state][action];
      if (!permit.allowed) assert.match(permit.why, /^[A-Z].*\.$/);
    }
});

test("decision: nothing is recorded that the state does not permit", () => {
  fc.assert(
    fc.property(findings, fc.constantFrom(...STATES), decisions, (found, state, decision) => {
      const refused = refusal(found, state, decision);
      if (!PERMITS[state][decision.decision].allowed) assert.notEqual(refused, null);
      if (refused !== null) assert.notEqual(refused, "");
    }),
    { numRuns: 8_000 },
  );
});

test("decision: every recorded dismissal has a reason, and of a P0, P1 or hard fact the sentence agreed to (R1.19-R1.21)", () => {
  fc.assert(
    fc.property(findings, fc.constantFrom(...STATES), decisions, (found, state, decision) => {
      if (decision.decision !== "dismiss" || refusal(found, state, decision) !== null) return;
      assert.ok(decision.reason.replace(/\s/g, "").length >= SHORTEST_REASON);
      if (needsPerson(found)) assert.notEqual(decision.prompt.trim(), "");
    }),
    { numRuns: 8_000 },
  );
});

test("decision: a person may dismiss a finding that was never triaged, and a hard one, with the same gate (rulings 5 and 22)", () => {
  const decision = { decision: "dismiss", reason: "test data only", prompt: "Dismiss it" } as const;
  for (const found of [finding({ severity: "P0" }), finding({ severity: "Nit" }), finding({ hard: "secret" })])
    assert.equal(refusal(found, "new", decision), null);
});
