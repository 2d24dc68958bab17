import { UNJUDGED } from "../../src/core/judgement.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import { USUAL_TERMS } from "../../src/core/policy.ts";

/** What a case of the policy holds besides what a test is about: judged in the usual way, by nobody in particular. */
export const ASKED = { ...UNJUDGED, method: USUAL_METHOD, terms: USUAL_TERMS, reviewers: [] };

/** What an outcome holds where no second opinion was asked for. */
export const PLAIN_OUTCOME = { mapped: null, severitySuggestion: null };

/** What every task of a reviewer holds besides. */
export const PLAIN_TASK = { topic: "correctness", asked: [], visibility: "sequential" } as const;
