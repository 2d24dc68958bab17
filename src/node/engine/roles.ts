import type { ZodType } from "zod";
import { ArbiterGiven, RoundGiven } from "./givenSchema.ts";
import type { ArbiterTask, Given, Reviewer, RoundTask } from "../../core/reviewer.ts";

/** Any task of a reviewer. */
export type AnyTask = RoundTask | ArbiterTask;

/** Does something around one answer of a reviewer: `role` names it as receipts do, `shape` is that of its answer. */
export type Around = <T, K extends AnyTask>(
  role: string,
  task: K,
  shape: ZodType<T>,
  give: (task: K) => Promise<Given<T>>,
) => Promise<Given<T>>;

/** A reviewer with something around each of its answers: one line a role. */
export function aroundAnswers(inner: Reviewer, around: Around): Reviewer {
  return {
    get identity() {
      return inner.identity;
    },
    round: async (task) => await around(`round-${task.n}`, task, RoundGiven, async (now) => await inner.round(now)),
    arbiter: async (task) => await around("arbiter", task, ArbiterGiven, async (now) => await inner.arbiter(now)),
  };
}
