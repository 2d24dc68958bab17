import type { CheckResult } from "./check.ts";
import type { Method } from "./method.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { Opinion } from "./opinion.ts";
import type { Refutation } from "./refuter.ts";
import type { CheckedCitation, Round, Ruling, Vote } from "./round.ts";

/** What was said about a finding by those who were asked: the parts of its strategy, the others empty. */
export interface Judgement {
  /** How it was judged; null where nobody was asked. */
  readonly method: Method | null;
  readonly rounds: readonly Round[];
  readonly vote: Vote | null;
  readonly ruling: Ruling | null;
  readonly refutation: Refutation | null;
  readonly opinion: Opinion | null;
  /** Checks that somebody asked for on the way (C7): shown and told to who asked, never settling the finding. */
  readonly asked: readonly CheckResult[];
  /** What was left out, each in a sentence: rounds not asked, refuters dropped, checks that wait (R4.23). */
  readonly reductions: readonly string[];
}

export const UNJUDGED: Judgement = {
  method: null,
  rounds: [],
  vote: null,
  ruling: null,
  refutation: null,
  opinion: null,
  asked: [],
  reductions: [],
};

/** What was said in something that holds more, without what it came to. */
export function judgementOf(from: Judgement): Judgement {
  const { method, rounds, vote, ruling, refutation, opinion, asked, reductions } = from;
  return { method, rounds, vote, ruling, refutation, opinion, asked, reductions };
}

/** Every line that somebody named, re-read: of rounds, arbiter, refuters and second opinion. */
export function citationsIn({
  rounds,
  ruling,
  refutation,
  opinion,
}: Pick<Judgement, "rounds" | "ruling" | "refutation" | "opinion">): readonly CheckedCitation[] {
  return [
    ...rounds.flatMap((round) => (round.kind === "counted" ? round.citations : [])),
    ...(ruling?.citations ?? []),
    ...(refutation?.refuters ?? []).flatMap((one) => (one.kind === "counted" ? one.citations : [])),
    ...(opinion?.kind === "gave" ? opinion.refs.flatMap(({ citation }) => citation ?? []) : []),
  ];
}

/** Who gave an answer that counts, each once: rounds, arbiter and refuters; `usual` where an answer names nobody else. */
export function judgesIn(
  { rounds, ruling, refutation }: Pick<Judgement, "rounds" | "ruling" | "refutation">,
  usual: ModelIdentity | null,
): readonly ModelIdentity[] {
  const said = [...rounds, ...(refutation?.refuters ?? [])].flatMap((one) => (one.kind === "counted" ? [one.by] : []));
  const all = [...said, ...(ruling === null || ruling.verdict === null ? [] : [ruling.by])];
  const who = all.flatMap((by) => by ?? usual ?? []);
  return who.filter((one, at) => who.findIndex((other) => isSame(one, other)) === at);
}

function isSame(a: ModelIdentity, b: ModelIdentity): boolean {
  return a.provider === b.provider && a.model === b.model;
}
