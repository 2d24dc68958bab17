import type { ClaimTopic } from "./claimKind.ts";
import { LENS_IDS, type LensId } from "./lens.ts";
import type { Method } from "./method.ts";
import type { Question } from "./round.ts";

/** Prompt files beside those of lenses: rules, three questions in three wordings, arbiter, refuter, second opinion and its rebuttal. */
const NAMED = [
  "rules",
  "round-1-premise",
  "round-1-premise-regression",
  "round-1-premise-design",
  "round-2-defences",
  "round-2-defences-regression",
  "round-2-defences-design",
  "round-3-missed",
  "round-3-missed-regression",
  "round-3-missed-design",
  "arbiter",
  "refute",
  "verdict",
  "rebuttal",
] as const;

/** Id of a prompt; its file is `ID.md`, that of a lens `lenses/ID.md`. */
export type PromptId = (typeof NAMED)[number] | `lens-${LensId}`;

/** All prompts there are. */
export const PROMPT_IDS: readonly PromptId[] = [...NAMED, ...LENS_IDS.map(lensPrompt)];

const ROUND = { premise: "round-1-premise", defences: "round-2-defences", missed: "round-3-missed" } as const;

/** The prompt of a round: regressions and disputes about a design have wordings of their own (R0.9). */
export function roundPrompt(question: Question, topic: ClaimTopic): PromptId {
  return topic === "regression" || topic === "design" ? `${ROUND[question]}-${topic}` : ROUND[question];
}

export function lensPrompt(id: LensId): PromptId {
  return `lens-${id}`;
}

/** The prompts that a judgement of this kind reads, for the log: `lenses` are ids of lenses that were used. */
export function promptsOf(
  method: Method,
  topic: ClaimTopic,
  lenses: readonly string[],
  opinion: "none" | "asked" | "rebutted",
): readonly PromptId[] {
  const own = LENS_IDS.filter((id) => lenses.includes(id)).map(lensPrompt);
  const judged: Readonly<Record<Method["strategy"], readonly PromptId[]>> = {
    rounds: [
      ...(["premise", "defences", "missed"] as const).map((question) => roundPrompt(question, topic)),
      "arbiter",
    ],
    refute: ["refute", ...own],
    verdict: [],
  };
  return [
    "rules",
    ...judged[method.strategy],
    ...(opinion === "none" ? [] : (["verdict"] as const)),
    ...(opinion === "rebutted" ? (["rebuttal"] as const) : []),
  ];
}
