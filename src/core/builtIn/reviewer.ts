import type { Mask, Repository } from "../ports.ts";
import type { Reviewer } from "../reviewer.ts";
import { answerDefences } from "./defences.ts";
import { answerMissed } from "./missed.ts";
import { answerPremise } from "./premise.ts";

/**
 * The embedded default (design, section 7; ruling 6): three rounds answered from the program's own evidence, no model, no
 * network. It says VALID only where a check confirms, and never INVALID: a claim that checks refute is settled before any
 * round. Its arbiter leaves the rest to the person (R0.21).
 */
export function createBuiltInReviewer(adapters: { readonly repository: Repository; readonly mask: Mask }): Reviewer {
  return {
    identity: { provider: "built-in", model: "built-in" },
    async round(task) {
      if (task.question === "premise") return await answerPremise(task, adapters);
      if (task.question === "defences") return await answerDefences(task, adapters);
      return await answerMissed(task, adapters);
    },
    async arbiter(task) {
      const confirmed = task.checks.find((check) => check.atom?.weight === true && check.verdict === "confirmed");
      if (confirmed === undefined) {
        return await Promise.resolve({
          kind: "abstained",
          reason: "The program's own evidence decides neither way; a model or a person has to.",
        });
      }
      const reasoning = "A check confirms a part of the claim that carries weight.";
      return {
        kind: "gave",
        answer: { verdict: "VALID", crux: confirmed.text, reasoning, citations: confirmed.citations },
      };
    },
  };
}
