import { areIndependent } from "../../core/independent.ts";
import type { ArbiterAnswer, ArbiterTask, Given, Reviewer } from "../../core/reviewer.ts";
import { orAbort } from "../models/watchdog.ts";

/** Findings that one call rules on at most. */
const MOST = 4;

interface Waiting {
  readonly task: ArbiterTask;
  readonly settle: (given: Promise<Given<ArbiterAnswer>>) => void;
}

/**
 * A reviewer whose arbiter waits a moment for other findings that it can rule on in the same call (C11). Only findings whose cruxes are
 * independent share one; what the shared call leaves unanswered is asked about alone. `pause` is how long a finding waits for company.
 */
export function createArbiterBatch(reviewer: Reviewer, pause: () => Promise<void>): Reviewer {
  if (reviewer.arbiters === undefined) return reviewer;
  let waiting: Waiting[] = [];

  const alone = async (task: ArbiterTask): Promise<Given<ArbiterAnswer>> => await reviewer.arbiter(task);
  const together = async (group: readonly Waiting[]): Promise<void> => {
    const tasks = group.map(({ task }) => task);
    const [first] = group;
    if (first !== undefined && group.length === 1) return first.settle(alone(first.task));
    // It ends early only where nobody waits for it any more.
    const all = new AbortController();
    const gone = (): void => {
      if (tasks.every(({ signal }) => signal.aborted)) all.abort(tasks[0]?.signal.reason);
    };
    for (const { signal } of tasks) signal.addEventListener("abort", gone, { once: true });
    const given = (await reviewer.arbiters?.(tasks, all.signal).catch(() => [])) ?? [];
    for (const { signal } of tasks) signal.removeEventListener("abort", gone);
    for (const [index, { task, settle }] of group.entries()) {
      const own = given[index];
      settle(own?.kind === "gave" ? Promise.resolve(own) : alone(task));
    }
  };
  const flush = (): void => {
    const still = waiting.filter(({ task }) => !task.signal.aborted);
    waiting = [];
    for (const group of groupsOf(still)) void together(group);
  };
  return {
    ...reviewer,
    arbiter: async (task) => {
      const { promise, resolve } = Promise.withResolvers<Given<ArbiterAnswer>>();
      waiting.push({ task, settle: resolve });
      if (waiting.length >= MOST) flush();
      else if (waiting.length === 1) void pause().then(flush);
      return await orAbort(promise, task.signal);
    },
  };
}

/** Those that wait, in groups whose members are all independent of each other. */
function groupsOf(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const groups: Waiting[][] = [];
  for (const one of waiting) {
    const group = groups.find(
      (members) => members.length < MOST && members.every(({ task }) => areIndependent(task, one.task)),
    );
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}
