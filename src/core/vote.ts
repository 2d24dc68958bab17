import type { Round, Verdict, Vote } from "./round.ts";

/** Counted rounds below which there is no verdict (C6). */
export const FEWEST_COUNTED = 2;

/** Counts the rounds that did their work; UNCERTAIN counts in the denominator and not as VALID (R0.17, C6, C7). */
export function countVotes(rounds: readonly Round[]): Vote {
  const counted: Verdict[] = [];
  const dropped: string[] = [];
  for (const round of rounds) {
    if (round.kind === "counted") counted.push(round.verdict);
    else dropped.push(`round ${round.n}: ${round.reason}`);
  }
  const count = (verdict: Verdict): number => counted.filter((v) => v === verdict).length;
  const enough = counted.length >= FEWEST_COUNTED;
  const first = counted[0];
  return {
    counted: counted.length,
    valid: count("VALID"),
    invalid: count("INVALID"),
    uncertain: count("UNCERTAIN"),
    validShare: enough ? count("VALID") / counted.length : null,
    unanimous: enough && first !== undefined && counted.every((v) => v === first) ? first : null,
    dropped,
  };
}

/** The vote in letters, `VVI->V`: `-` is an abstention, `?` an arbiter that did not decide (R0.23). */
export function voteNotation(rounds: readonly Round[], ruling: "VALID" | "INVALID" | null): string {
  const letter = { VALID: "V", INVALID: "I", UNCERTAIN: "U" } as const;
  const votes = rounds.map((round) => (round.kind === "counted" ? letter[round.verdict] : "-")).join("");
  return `${votes}→${ruling === null ? "?" : letter[ruling]}`;
}
