import type { CheckResult } from "../check.ts";
import type { Judgement } from "../judgement.ts";
import { QUESTIONS, type Question, type Round, type RoundNumber } from "../round.ts";
import { countVotes } from "../vote.ts";
import { finishRound, finishRuling } from "./finishRounds.ts";
import { askWithChecks, groundWith, orAbstain, type Sitting, taskOf } from "./sitting.ts";

const ROUNDS = [1, 2, 3] as const satisfies readonly RoundNumber[];
const EARLY = "not asked: two rounds uphold the finding, and the setting for an early stop is on";

/** Three rounds in a row and the arbiter (R0.8). The arbiter always runs, whatever the rounds came to (R0.15). */
export async function judgeByRounds(
  sitting: Sitting,
): Promise<Pick<Judgement, "rounds" | "vote" | "ruling" | "asked" | "reductions">> {
  const { method, report, signal } = sitting;
  const rounds: Round[] = [];
  const asked: CheckResult[] = [];
  const reductions: string[] = [];
  for (const n of ROUNDS) {
    const question: Question = QUESTIONS[n - 1] ?? "premise";
    if (method.earlyStop && upheldTwice(rounds)) {
      reductions.push(`Round ${n} was ${EARLY}.`);
      rounds.push({ kind: "abstained", n, question, reason: EARLY });
    } else {
      report({ kind: "stage", stage: { kind: "round", n } });
      const done = await oneRound(sitting, n, question, rounds);
      rounds.push(done.round);
      asked.push(...done.asked);
    }
    report({ kind: "round", round: rounds[n - 1] ?? { kind: "abstained", n, question, reason: EARLY } });
  }
  const vote = countVotes(rounds);
  report({ kind: "vote", vote });
  report({ kind: "stage", stage: { kind: "arbiter" } });
  const given = await orAbstain(signal, () =>
    sitting.reviewer.arbiter({ ...taskOf(sitting, "arbiter", asked), rounds }),
  );
  const ruling = await finishRuling(given, rounds, vote, groundWith(sitting, asked));
  report({ kind: "ruling", ruling });
  return { rounds, vote, ruling, asked, reductions };
}

async function oneRound(
  sitting: Sitting,
  n: RoundNumber,
  question: Question,
  earlier: readonly Round[],
): Promise<{ round: Round; asked: readonly CheckResult[] }> {
  const { method, reviewer } = sitting;
  const by = `round-${n}`;
  const told = method.visibility === "blind" ? [] : [...earlier];
  const { given, asked } = await askWithChecks(
    sitting,
    async (checked) =>
      await reviewer.round({
        ...taskOf(sitting, by, checked),
        n,
        question,
        earlier: told,
        visibility: method.visibility,
      }),
  );
  const round = await finishRound(n, question, given, groundWith(sitting, asked));
  // A round searched where a search of its own left a receipt: its word alone is a claim like any other (R0.10, design, idea 3).
  if (round.kind !== "counted" || round.grepUsed === null) return { round, asked };
  return { round: { ...round, grepUsed: sitting.receiptsOf(by).some(({ verb }) => verb === "grep") }, asked };
}

/** Two rounds uphold the finding, each with a line that resolves: the third cannot take it off the list. */
function upheldTwice(rounds: readonly Round[]): boolean {
  return (
    rounds.length === 2 &&
    rounds.every(
      (round) => round.kind === "counted" && round.verdict === "VALID" && round.citations.some(({ ok }) => ok),
    )
  );
}
