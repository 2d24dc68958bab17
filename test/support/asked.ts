import { UNJUDGED } from "../../src/core/judgement.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { USUAL_TERMS } from "../../src/core/policy.ts";

/** What a case of the policy holds besides what a test is about: judged in the usual way, by nobody in particular. */
export const ASKED = { ...UNJUDGED, method: USUAL_METHOD, terms: USUAL_TERMS, reviewers: [] };

/** What an outcome holds where no second opinion was asked for. */
export const PLAIN_OUTCOME = { mapped: null, severitySuggestion: null };

/** What every task of a reviewer holds besides. */
export const PLAIN_TASK = { topic: "correctness", asked: [], visibility: "sequential" } as const;

/** True where an outcome takes the finding off the list, or proposes to. */
export function dismisses(outcome: Outcome): boolean {
  return outcome.action === "filter" || outcome.settledAs === "refuted";
}

/** True where an outcome takes it off without a person. */
export function closes(outcome: Outcome): boolean {
  return outcome.authorization === "automated";
}
