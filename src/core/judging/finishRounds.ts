import { overlap } from "../citation.ts";
import type { Duty } from "../evidence/pack.ts";
import type { Mask } from "../ports.ts";
import type { ArbiterAnswer, Given } from "../reviewer.ts";
import type { Answer, CheckedCitation, Question, Round, RoundNumber, Ruling, Vote } from "../round.ts";
import { contradictsItself } from "../statedChecks.ts";
import {
  type Footing,
  type Ground,
  madeUpReport,
  MOST_CRUX,
  MOST_REASONING,
  reread,
  shorten,
  unlooked,
} from "./footing.ts";

/** Note on a round whose INVALID did not carry (C8). */
export const UNSUPPORTED = "It said false alarm but named no line that could be re-read: counted as not decided.";

/**
 * Turns what a reviewer gave into a round: citations re-read, an INVALID without a resolving one, or before everything was looked
 * at that the claim asks for, counted as UNCERTAIN (C8). An
 * answer that contradicts itself, or decides on the report of a checker that never ran, is an abstention (R0.16, R2.7).
 */
export async function finishRound(
  n: RoundNumber,
  question: Question,
  given: Given<Answer>,
  ground: Ground,
): Promise<Round> {
  const { mask, footing } = ground;
  if (given.kind === "abstained") return { kind: "abstained", n, question, reason: mask(given.reason) };
  const { answer, by } = given;
  const flaw = flawOf(answer, footing);
  if (flaw !== null) return { kind: "abstained", n, question, reason: mask(flaw) };
  const citations = await reread(answer.citations, answer.verdict === "INVALID", ground);
  const note = answer.verdict === "INVALID" ? weakness(citations, footing.duties) : null;
  return {
    kind: "counted",
    n,
    question,
    verdict: note === null ? answer.verdict : "UNCERTAIN",
    stated: answer.verdict,
    crux: shorten(mask(answer.crux), MOST_CRUX),
    reasoning: shorten(mask(answer.reasoning), MOST_REASONING),
    citations,
    grepUsed: answer.grepUsed ?? null,
    note,
    ...(by === undefined ? {} : { by }),
  };
}

/** Why an INVALID does not carry; null where it does. */
function weakness(citations: readonly CheckedCitation[], duties: readonly Duty[]): string | null {
  if (!citations.some((citation) => citation.ok)) return UNSUPPORTED;
  const open = unlooked(duties);
  return open === null ? null : `It said false alarm before everything was looked at: counted as not decided. ${open}`;
}

/**
 * Turns what the arbiter gave into a ruling. INVALID needs a counted INVALID round behind it or a resolving citation that no
 * round has, and flipping a unanimous vote needs such a new line too: else the vote stands (R0.14, C8, C14). Two rounds
 * that agree on INVALID beside an abstention are no unanimous three: there the arbiter may say VALID freely.
 */
export async function finishRuling(
  given: Given<ArbiterAnswer>,
  rounds: readonly Round[],
  vote: Vote,
  ground: Ground,
): Promise<Ruling> {
  const { mask, footing } = ground;
  if (given.kind === "abstained") return undecided(mask(given.reason));
  const { answer, by } = given;
  const flaw = flawOf(answer, footing);
  if (flaw !== null) return undecided(mask(flaw));
  const citations = await reread(answer.citations, answer.verdict === "INVALID", ground);
  const said = {
    crux: shorten(mask(answer.crux), MOST_CRUX),
    reasoning: shorten(mask(answer.reasoning), MOST_REASONING),
    citations,
    ...(by === undefined ? {} : { by }),
  };
  // Towards dismissal a line is new only beside three counted rounds: one that abstained might have named that very line,
  // and an abstention must never help a dismissal.
  const fresh = bringsNewLine(citations, rounds) && (answer.verdict === "VALID" || vote.dropped.length === 0);
  if (mustStand(vote, answer.verdict) && !fresh) {
    const reason = `It said ${answer.verdict} against a unanimous vote without a new line that resolves: the vote stands.`;
    const verdict = vote.unanimous === "UNCERTAIN" ? null : vote.unanimous;
    return { ...said, verdict, overrideRejected: true, reason };
  }
  const open = answer.verdict === "INVALID" ? unlooked(footing.duties) : null;
  if (open !== null) {
    const reason = `It said false alarm before everything was looked at. ${open}`;
    return { ...said, verdict: null, overrideRejected: false, reason };
  }
  if (answer.verdict === "INVALID" && !fresh && !rounds.some(refutes)) {
    const reason = "It said false alarm, but no round did, and it brings no new line that could be re-read.";
    return { ...said, verdict: null, overrideRejected: false, reason };
  }
  return { ...said, ...suggested(answer, mask), verdict: answer.verdict, overrideRejected: false, reason: null };
}

/** What the arbiter thinks of the damage, where it says how the place is reached (C15). */
function suggested({ verdict, impact, reach }: ArbiterAnswer, mask: Mask): Pick<Ruling, "suggests"> {
  const argument = mask(reach ?? "").trim();
  if (verdict !== "VALID" || impact === undefined || impact === null || argument === "") return {};
  return { suggests: { impact, argument: shorten(argument, MOST_CRUX) } };
}

/** A ruling without a verdict. */
export function undecided(reason: string): Ruling {
  return { verdict: null, crux: "", reasoning: "", citations: [], overrideRejected: false, reason };
}

/** Whether the vote stands against this verdict unless new evidence comes. */
function mustStand(vote: Vote, verdict: "VALID" | "INVALID"): boolean {
  if (vote.unanimous === null || vote.unanimous === verdict) return false;
  return vote.unanimous !== "INVALID" || vote.dropped.length === 0;
}

/** Why an answer cannot count at all; null where it can. */
function flawOf(answer: Answer, footing: Footing): string | null {
  if (answer.verdict === "UNCERTAIN") return null;
  if (contradictsItself(answer.verdict, answer.crux))
    return `it contradicts itself: it says ${answer.verdict}, and its crux says the opposite`;
  return madeUpReport(`${answer.crux}\n${answer.reasoning}`, footing);
}

function bringsNewLine(citations: readonly CheckedCitation[], rounds: readonly Round[]): boolean {
  const known = rounds.flatMap((round) => (round.kind === "counted" ? round.citations : []));
  return citations.some((citation) => citation.ok && !known.some((other) => overlap(citation, other)));
}

function refutes(round: Round): boolean {
  return round.kind === "counted" && round.verdict === "INVALID";
}
