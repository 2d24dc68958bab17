import type { OpinionAnswer } from "../../src/core/opinion.ts";
import type { RefuterAnswer } from "../../src/core/refuter.ts";
import type { ArbiterTask, Given, OpinionTask, RefuteTask, Reviewer, RoundTask } from "../../src/core/reviewer.ts";
import type { Answer } from "../../src/core/round.ts";
import type { ArbiterAnswer } from "../../src/core/reviewer.ts";

/** What a scripted reviewer says in each role; a role that a test leaves out abstains. */
export interface Script {
  readonly round?: (task: RoundTask) => Given<Answer>;
  readonly arbiter?: (task: ArbiterTask) => Given<ArbiterAnswer>;
  readonly refute?: (task: RefuteTask, nth: number) => Given<RefuterAnswer>;
  readonly opinion?: (task: OpinionTask) => Given<OpinionAnswer> | Promise<Given<OpinionAnswer>>;
}

export interface ScriptedReviewer extends Reviewer {
  /** Everything that was asked, in order. */
  readonly tasks: readonly (RoundTask | ArbiterTask | RefuteTask | OpinionTask)[];
}

const SILENT = { kind: "abstained", reason: "nobody answers" } as const;

/** A reviewer that answers by a script, without any model. */
export function scriptedReviewer(script: Script): ScriptedReviewer {
  const tasks: (RoundTask | ArbiterTask | RefuteTask | OpinionTask)[] = [];
  let refuters = 0;
  return {
    tasks,
    identity: { provider: "scripted", model: "one", family: "scripted" },
    round: async (task) => {
      tasks.push(task);
      return await Promise.resolve(script.round?.(task) ?? SILENT);
    },
    arbiter: async (task) => {
      tasks.push(task);
      return await Promise.resolve(script.arbiter?.(task) ?? SILENT);
    },
    refute: async (task) => {
      tasks.push(task);
      refuters += 1;
      return await Promise.resolve(script.refute?.(task, refuters) ?? SILENT);
    },
    opinion: async (task) => {
      tasks.push(task);
      return await Promise.resolve(script.opinion?.(task) ?? SILENT);
    },
  };
}

/** A refuter's answer that did its work, with members changed. */
export function refuterSays(task: RefuteTask, more: Partial<RefuterAnswer> = {}): Given<RefuterAnswer> {
  const refuted = more.refuted ?? false;
  return {
    kind: "gave",
    answer: {
      claimId: task.finding.key,
      lens: task.lens.id,
      verdict: refuted ? "refuted" : "confirmed_bug",
      refuted,
      severity: "medium",
      confidence: "high",
      workDone: true,
      reReadSources: ["src/a.ts"],
      evidence: ["src/a.ts:1: const one = 1;"],
      attack: refuted ? "It is guarded." : "",
      scenario: "",
      needsOracle: "",
      ...more,
    },
  };
}

/** A second opinion, with members changed. */
export function opinionSays(more: Partial<OpinionAnswer> = {}): Given<OpinionAnswer> {
  return {
    kind: "gave",
    answer: {
      verdict: "NON_ACTIONABLE",
      impact: "NOT_ASSESSED",
      verdictConfidence: 1,
      evidenceRefs: [],
      reasoning: "The guard runs before it.",
      ...more,
    },
  };
}
