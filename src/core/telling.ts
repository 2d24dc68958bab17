import { fenceData, oneLine, plainPath } from "./fence.ts";
import { MOST_REASONING } from "./judging/footing.ts";
import { lensTitle } from "./lens.ts";
import type { Hash, ModelMessage, Prompts } from "./ports.ts";
import { lensPrompt } from "./promptIds.ts";
import type { OpinionTask, RefuteTask } from "./reviewer.ts";
import type { CheckedCitation, Round } from "./round.ts";

/** An earlier round as later ones and the arbiter read it: its words are data too. */
export function tellRound(round: Round, hash: Hash): string {
  const title = `Round ${round.n} (${round.question})`;
  if (round.kind === "abstained") return `${title} gave no answer that counts.`;
  // Its own words stay on one line each, so that none of them can pass for a line that the program has re-read.
  const lines = [
    `verdict: ${round.verdict}${round.note === null ? "" : ` (${oneLine(round.note, 2000)})`}`,
    `crux: ${oneLine(round.crux)}`,
    `reasoning: ${oneLine(round.reasoning, MOST_REASONING)}`,
    ...round.citations.map(tellCitation),
  ];
  return fenceData("ROUND", [title, ...lines].join("\n"), hash);
}

function tellCitation({ ok, file, line, shown, quote }: CheckedCitation): string {
  const head = `${ok ? "re-read" : "NOT FOUND"} ${plainPath(file)}:${line}: `;
  return head + (ok ? shown : quote).split("\n").join("\n  | ");
}

/** A refuter's lens: our prompt file, or a person's own words as they are (R4.5). */
export function tellLens({ lens, polarity, packet }: RefuteTask, prompts: Prompts): string {
  const words = lens.kind === "own" ? prompts(lensPrompt(lens.id)).body : lens.text;
  const claims = polarity === "bug" ? "that something is wrong" : "that something is in order";
  return [
    `claimId: ${packet.key}`,
    `lens: ${lens.kind === "own" ? lens.id : oneLine(lensTitle(lens))}`,
    `The claim says ${claims}; \`refuted\` speaks about the claim.`,
    words,
  ].join("\n");
}

/** Whether the impact is asked for (R1.12). Nothing else of the intent is told: a wish to dismiss would lean the answer (R1.9). */
export function tellImpact(intent: OpinionTask["intent"]): string {
  return intent === "clarify"
    ? "The impact is asked for: fill `impact_assessment`."
    : "The impact is not asked for: `impact_assessment` is `NOT_ASSESSED`.";
}

/** What checks said that were asked for on the way; nothing where none were. */
export function tellAsked(asked: readonly string[], hash: Hash): string[] {
  if (asked.length === 0) return [];
  const text = asked.map((line) => `- ${oneLine(line, 2000)}`).join("\n");
  return [`The check you asked for has been run; its result stands in CHECKED.\n${fenceData("CHECKED", text, hash)}`];
}

/** The same conversation goes on: its first answer, then what a person puts against it (R1.25). */
export function tellObjection(
  { to, artefacts }: NonNullable<OpinionTask["rebuttal"]>,
  prompts: Prompts,
  hash: Hash,
): ModelMessage[] {
  const answer = {
    codex_verdict: to.stated,
    impact_assessment: to.impact,
    confidence: to.verdictConfidence,
    evidence_refs: to.refs.map(({ text }) => text),
    reasoning: to.reasoning,
  };
  const things = artefacts.map(({ kind, source, text }) => fenceData("ARTEFACT", `${kind} (${source})\n${text}`, hash));
  return [
    { role: "assistant", content: JSON.stringify(answer), calls: [] },
    { role: "user", content: [prompts("rebuttal").body, ...things].join("\n\n") },
  ];
}
