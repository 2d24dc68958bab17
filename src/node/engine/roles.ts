import type { ZodType } from "zod";
import type { ArbiterTask, Given, OpinionTask, RefuteTask, Reviewer, RoundTask } from "../../core/reviewer.ts";
import { ArbiterGiven, OpinionGiven, RefuterGiven, RoundGiven } from "./givenSchema.ts";

/** Any task of a reviewer. */
export type AnyTask = RoundTask | ArbiterTask | RefuteTask | OpinionTask;

/**
 * Does something around one answer of a reviewer. `role` tells the answers of one judgement apart, null where an answer rests on more
 * than the judgement itself (what a person put against it); `shape` is that of the answer.
 */
export type Around = <T, K extends AnyTask>(
  role: string | null,
  task: K,
  shape: ZodType<T>,
  give: (task: K) => Promise<Given<T>>,
) => Promise<Given<T>>;

/** A reviewer with something around each of its answers: one line a role. */
export function aroundAnswers(inner: Reviewer, around: Around): Reviewer {
  const { identity, models } = inner;
  return {
    identity,
    models,
    round: async (task) => await around(`round-${task.n}`, task, RoundGiven, async (now) => await inner.round(now)),
    arbiter: async (task) => await around("arbiter", task, ArbiterGiven, async (now) => await inner.arbiter(now)),
    refute: async (task) =>
      await around(`refuter-${task.lens.id}`, task, RefuterGiven, async (now) => await inner.refute(now)),
    opinion: async (task) =>
      await around(opinionRole(task), task, OpinionGiven, async (now) => await inner.opinion(now)),
  };
}

function opinionRole({ intent, rebuttal }: OpinionTask): string | null {
  return rebuttal === null ? `opinion-${intent}` : null;
}
