import type { Reviewer } from "../reviewer.ts";
import { answerDefences } from "./defences.ts";
import { type Adapters } from "../evidence/site.ts";
import { confirmedBy } from "./look.ts";
import { answerMissed } from "./missed.ts";
import { answerOpinion, answerRefuter } from "./others.ts";
import { answerPremise } from "./premise.ts";

/**
 * The embedded default (design, section 7; ruling 6): three rounds answered from the program's own evidence, no model, no
 * network. It says VALID only where a check confirms, and never INVALID: a claim that checks refute is settled before any
 * round. Its arbiter leaves the rest to the person (R0.21).
 */
export function createBuiltInReviewer(adapters: Adapters): Reviewer {
  return {
    identity: { provider: "built-in", model: "built-in" },
    async round(task) {
      if (task.question === "premise") return await answerPremise(task, adapters);
      if (task.question === "defences") return await answerDefences(task, adapters);
      return await answerMissed(task, adapters);
    },
    arbiter(task) {
      const confirmed = confirmedBy(task.checks);
      if (confirmed === undefined) {
        const reason = "The program's own evidence decides neither way; a model or a person has to.";
        return Promise.resolve({ kind: "abstained", reason });
      }
      const reasoning = "A check confirms a part of the claim that carries weight.";
      const { text, citations } = confirmed;
      return Promise.resolve({ kind: "gave", answer: { verdict: "VALID", crux: text, reasoning, citations } });
    },
    refute: async (task) => await answerRefuter(task, adapters),
    opinion: async (task) => await answerOpinion(task, adapters),
  };
}
