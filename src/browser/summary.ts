import type { PanelState } from "../protocol/panel.ts";
import type { CountedRound, Round, RoundNumber, Ruling, Verdict, Vote } from "./shapes.ts";
import { QUESTIONS, questionOf, VERDICTS, type Tone, type Word } from "./words.ts";

/** What stands in the place of one round: its card is there from the start, so that nothing jumps when it arrives. */
export type RoundSlot =
  | { readonly kind: "done"; readonly n: RoundNumber; readonly round: Round }
  | { readonly kind: "running"; readonly n: RoundNumber }
  | { readonly kind: "waiting"; readonly n: RoundNumber }
  | { readonly kind: "not-run"; readonly n: RoundNumber };

/** The same for the arbiter. */
export type ArbiterSlot =
  | { readonly kind: "done"; readonly ruling: Ruling }
  | { readonly kind: "running" | "waiting" | "not-run" };

/** One mark of the vote: a round or the arbiter, in one word. */
export interface Pip {
  readonly name: string;
  readonly word: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly busy: boolean;
  readonly arbiter: boolean;
}

/** How rounds and arbiter stand to each other, said plainly (R0.22). */
export interface Standing {
  readonly kind: "agree" | "differ" | "overrule" | "none";
  /** The short statement; empty where there is nothing to say yet. */
  readonly lead: string;
  /** The figures behind it. */
  readonly text: string;
}

const NUMBERS: readonly RoundNumber[] = [1, 2, 3];

/** True where the cards of three rounds and the arbiter have their place: while triage runs and after rounds ran. */
export function hasRounds({ state, rounds, ruling, method }: PanelState): boolean {
  return rounds.length > 0 || ruling !== null || (state === "running" && (method?.strategy ?? "rounds") === "rounds");
}

/** The three round cards in order. */
export function roundSlots(state: PanelState): readonly RoundSlot[] {
  return NUMBERS.map((n) => {
    const round = state.rounds.find((candidate) => candidate.n === n);
    if (round !== undefined) return { kind: "done", n, round };
    if (state.stage?.kind === "round" && state.stage.n === n) return { kind: "running", n };
    return { kind: state.state === "running" ? "waiting" : "not-run", n };
  });
}

/** The arbiter's card. */
export function arbiterSlot(state: PanelState): ArbiterSlot {
  if (state.ruling !== null) return { kind: "done", ruling: state.ruling };
  if (state.stage?.kind === "arbiter") return { kind: "running" };
  return { kind: state.state === "running" ? "waiting" : "not-run" };
}

/** Three round marks and the arbiter's. */
export function pipsOf(state: PanelState): readonly Pip[] {
  const slot = arbiterSlot(state);
  const last = slot.kind === "done" ? VERDICTS[slot.ruling.verdict ?? "UNCERTAIN"] : PENDING[slot.kind];
  const rounds = roundSlots(state).map((one) => pip(QUESTIONS[questionOf(one.n)].short, roundWord(one), one.kind));
  return [...rounds, { ...pip("Arbiter", last, slot.kind), arbiter: true }];
}

function pip(name: string, { text, icon, tone }: Word, kind: RoundSlot["kind"]): Pip {
  return { name, word: text, icon, tone, busy: kind === "running", arbiter: false };
}

/** What a round without a verdict of its own shows. */
export const PENDING = {
  running: { text: "running", icon: "sync", tone: "info" },
  waiting: { text: "waiting", icon: "circle-outline", tone: "off" },
  "not-run": { text: "did not run", icon: "circle-slash", tone: "off" },
} as const satisfies Record<Exclude<RoundSlot["kind"], "done">, Word>;

const ABSTAINED: Word = { text: "no answer", icon: "circle-slash", tone: "off" };

/** The word for a round: its counted verdict, or why there is none yet. */
export function roundWord(slot: RoundSlot): Word {
  if (slot.kind !== "done") return PENDING[slot.kind];
  return slot.round.kind === "counted" ? VERDICTS[slot.round.verdict] : ABSTAINED;
}

/** "vote 67 % (2 of 3)": the share of counted rounds that say real (R0.17, C5); null where fewer than two counted (C6). */
export function voteFigure(vote: Vote): string | null {
  if (vote.validShare === null) return null;
  return `vote ${Math.round(vote.validShare * 100)} % (${vote.valid} of ${vote.counted})`;
}

/** "2 of 3 rounds say real, 1 says false alarm": every round accounted for, abstentions named as such. */
export function voteWords(vote: Vote): string {
  const others: string[] = [];
  if (vote.invalid > 0) others.push(`${vote.invalid} ${vote.invalid === 1 ? "says" : "say"} false alarm`);
  if (vote.uncertain > 0) others.push(`${vote.uncertain} could not decide`);
  const verb = vote.valid === 1 ? "says" : "say";
  const counted =
    vote.counted === 1 ? "round that counted" : vote.dropped.length > 0 ? "rounds that counted" : "rounds";
  const missing = vote.dropped.length > 0 ? `; ${vote.dropped.length} gave no answer` : "";
  return `${[`${vote.valid} of ${vote.counted} ${counted} ${verb} real`, ...others].join(", ")}${missing}`;
}

/** The verdict of more than half of the counted rounds; null where there is none. */
export function majorityOf(vote: Vote): Verdict | null {
  const half = vote.counted / 2;
  if (vote.valid > half) return "VALID";
  if (vote.invalid > half) return "INVALID";
  return vote.uncertain > half ? "UNCERTAIN" : null;
}

/** Where rounds and arbiter agree, differ, or one overrules the other (R0.22, C14). */
export function standingOf({ vote, ruling, rounds, state }: PanelState): Standing {
  if (vote === null) return soFar(rounds, state === "running");
  const votes = sentence(voteWords(vote));
  if (vote.validShare === null) {
    return { kind: "none", lead: "No verdict: fewer than two rounds counted.", text: vote.counted === 0 ? "" : votes };
  }
  if (ruling === null) return { kind: "none", lead: "", text: votes };
  if (ruling.overrideRejected) {
    const text = `${votes} The arbiter said otherwise without a new line of evidence.`;
    return { kind: "overrule", lead: "Override rejected: the vote stands.", text };
  }
  if (ruling.verdict === null) {
    const why = ruling.reason === null ? "" : ` ${sentence(ruling.reason)}`;
    return { kind: "none", lead: "The arbiter could not decide.", text: `${votes}${why}` };
  }
  return ruled(vote, ruling.verdict, votes);
}

function ruled(vote: Vote, verdict: "VALID" | "INVALID", votes: string): Standing {
  const word = VERDICTS[verdict].text;
  const majority = majorityOf(vote);
  if (vote.unanimous === verdict) {
    return { kind: "agree", lead: `Rounds and arbiter agree: ${word}.`, text: votes };
  }
  if (majority === verdict) {
    return { kind: "differ", lead: "The rounds differ; the arbiter sides with the majority.", text: votes };
  }
  const says = `${votes} The arbiter says ${word}.`;
  if (majority === null || majority === "UNCERTAIN") {
    return { kind: "differ", lead: "The vote is open; the arbiter decides.", text: says };
  }
  return { kind: "overrule", lead: "The arbiter overrules the vote.", text: says };
}

function soFar(rounds: readonly Round[], running: boolean): Standing {
  const counted = rounds.filter((round): round is CountedRound => round.kind === "counted");
  if (rounds.length === 0) return { kind: "none", lead: "", text: "" };
  const words = counted.map((round) => `round ${round.n} says ${VERDICTS[round.verdict].text}`);
  const silent = rounds.filter((round) => round.kind === "abstained").map((round) => `round ${round.n} gave no answer`);
  const lead = running ? "So far" : "Before it stopped";
  return { kind: "none", lead: "", text: `${lead}: ${[...words, ...silent].join(", ")}.` };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
