import { lensTitle } from "../lens.ts";
import type { OpinionAnswer } from "../opinion.ts";
import type { RefuterAnswer } from "../refuter.ts";
import type { Given, OpinionTask, RefuteTask } from "../reviewer.ts";
import type { Answer } from "../round.ts";
import type { Adapters } from "../evidence/site.ts";
import { confirmedBy } from "./look.ts";
import { answerPremise } from "./premise.ts";

/**
 * The built-in reviewer as a refuter: it looks at what bears on the claim and can break nothing that checks did not. The claim survives
 * where a check confirms it; else it says that a check is needed, with the lines it looked at, so that nobody takes its word for a defence.
 */
export async function answerRefuter(task: RefuteTask, adapters: Adapters): Promise<Given<RefuterAnswer>> {
  const looked = await look(task, adapters);
  if (looked.kind === "abstained") return looked;
  const { answer } = looked;
  const confirmed = confirmedBy(task.checks) !== undefined;
  const holds = task.polarity === "safe" ? "survives" : "confirmed_bug";
  return {
    kind: "gave",
    answer: {
      claimId: task.finding.key,
      lens: task.lens.kind === "own" ? task.lens.id : lensTitle(task.lens),
      verdict: confirmed ? holds : "needs_oracle",
      refuted: false,
      severity: "medium",
      confidence: confirmed ? "high" : "low",
      workDone: true,
      reReadSources: [...new Set(answer.citations.map(({ file }) => file))],
      evidence: refsOf(answer),
      attack: "",
      scenario: confirmed ? answer.crux : "",
      needsOracle: "",
    },
  };
}

/** The built-in reviewer as a second opinion: actionable where a check confirms a part of the claim, else uncertain. */
export async function answerOpinion(task: OpinionTask, adapters: Adapters): Promise<Given<OpinionAnswer>> {
  const looked = await look(task, adapters);
  if (looked.kind === "abstained") return looked;
  const { answer } = looked;
  const confirmed = confirmedBy(task.checks) !== undefined;
  return {
    kind: "gave",
    answer: {
      verdict: confirmed ? "ACTIONABLE" : "UNCERTAIN",
      impact: task.intent === "clarify" ? "UNCERTAIN" : "NOT_ASSESSED",
      verdictConfidence: confirmed ? 1 : 0,
      evidenceRefs: refsOf(answer),
      reasoning: `${answer.crux} ${answer.reasoning}`,
    },
  };
}

async function look(task: RefuteTask | OpinionTask, adapters: Adapters): Promise<Given<Answer>> {
  return await answerPremise({ ...task, n: 1, question: "premise", earlier: [], visibility: "blind" }, adapters);
}

function refsOf({ citations }: Answer): string[] {
  return citations.map(
    ({ file, line, endLine, quote }) => `${file}:${line}${endLine > line ? `-${endLine}` : ""}: ${quote}`,
  );
}
