import { checkCitations } from "./citation.ts";
import type { Mask, Repository } from "./ports.ts";
import type { Given } from "./reviewer.ts";
import type { Answer, CheckedCitation, Question, Round, RoundNumber, Ruling, Vote } from "./round.ts";
import type { ArbiterAnswer } from "./reviewer.ts";
import { placeOf } from "./policy.ts";

/** Note on a round whose INVALID did not carry (C8). */
export const UNSUPPORTED = "It said false alarm but named no line that could be re-read: counted as not decided.";

/** Longest crux and reasoning kept, in characters; what is cut is marked with an ellipsis. */
const MOST_CRUX = 600;
const MOST_REASONING = 8000;

/** Turns what a reviewer gave into a round: citations re-read, an INVALID without a resolving one counted as UNCERTAIN (C8). */
export async function finishRound(
  n: RoundNumber,
  question: Question,
  given: Given<Answer>,
  repository: Repository,
  mask: Mask,
): Promise<Round> {
  if (given.kind === "abstained") return { kind: "abstained", n, question, reason: mask(given.reason) };
  const { answer } = given;
  const citations = await checkCitations(answer.citations, repository, mask);
  const unsupported = answer.verdict === "INVALID" && !citations.some((citation) => citation.ok);
  return {
    kind: "counted",
    n,
    question,
    verdict: unsupported ? "UNCERTAIN" : answer.verdict,
    stated: answer.verdict,
    crux: shorten(mask(answer.crux), MOST_CRUX),
    reasoning: shorten(mask(answer.reasoning), MOST_REASONING),
    citations,
    grepUsed: answer.grepUsed ?? null,
    note: unsupported ? UNSUPPORTED : null,
  };
}

/**
 * Turns what the arbiter gave into a ruling. Flipping a unanimous vote takes a resolving citation that no round has:
 * else the vote stands (R0.14, C14). INVALID with no line that resolves anywhere is no decision (C8).
 */
export async function finishRuling(
  given: Given<ArbiterAnswer>,
  rounds: readonly Round[],
  vote: Vote,
  repository: Repository,
  mask: Mask,
): Promise<Ruling> {
  if (given.kind === "abstained") return undecided(mask(given.reason));
  const { answer } = given;
  const citations = await checkCitations(answer.citations, repository, mask);
  const said = {
    crux: shorten(mask(answer.crux), MOST_CRUX),
    reasoning: shorten(mask(answer.reasoning), MOST_REASONING),
    citations,
  };
  if (vote.unanimous !== null && vote.unanimous !== answer.verdict && !bringsNewLine(citations, rounds)) {
    const reason = `It said ${answer.verdict} against a unanimous vote without a new line that resolves: the vote stands.`;
    const verdict = vote.unanimous === "UNCERTAIN" ? null : vote.unanimous;
    return { ...said, verdict, overrideRejected: true, reason };
  }
  const supported = citations.some((citation) => citation.ok) || rounds.some(supportsInvalid);
  if (answer.verdict === "INVALID" && !supported) {
    return {
      ...said,
      verdict: null,
      overrideRejected: false,
      reason: "It said false alarm, but no line behind it could be re-read.",
    };
  }
  return { ...said, verdict: answer.verdict, overrideRejected: false, reason: null };
}

/** A ruling without a verdict. */
export function undecided(reason: string): Ruling {
  return { verdict: null, crux: "", reasoning: "", citations: [], overrideRejected: false, reason };
}

function bringsNewLine(citations: readonly CheckedCitation[], rounds: readonly Round[]): boolean {
  const known = new Set<string>();
  for (const round of rounds)
    if (round.kind === "counted") for (const citation of round.citations) known.add(placeOf(citation));
  return citations.some((citation) => citation.ok && !known.has(placeOf(citation)));
}

function supportsInvalid(round: Round): boolean {
  return round.kind === "counted" && round.verdict === "INVALID";
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
