import type { PanelState } from "../protocol/panel.ts";
import { plain } from "./clean.ts";
import { runEndWords } from "./figures.ts";
import { opinionStanding, refutersStanding } from "./judges.ts";
import { standingOf } from "./summary.ts";
import { outcomeWord, stageWords, stateWord, VERDICTS } from "./words.ts";

/** What a screen reader is told when the state changes: stages and results, not every change; empty where nothing new was said. */
export function announce(before: PanelState | null, after: PanelState): string {
  if (before === null || before.finding.key !== after.finding.key) return "";
  const said: string[] = [
    ...reproductionNews(before, after),
    ...roundNews(before, after),
    ...rulingNews(before, after),
    ...refuterNews(before, after),
    ...opinionNews(before, after),
  ];
  if (after.outcome !== null && before.outcome === null) {
    said.push(`${outcomeWord(after.outcome, after.finding).text}.`, after.outcome.next);
  }
  const stage = after.stage === null ? "" : stageWords(after.stage);
  if (stage !== "" && stage !== (before.stage === null ? "" : stageWords(before.stage))) said.push(`${stage}.`);
  if (after.state !== before.state && after.state !== "running") said.push(`${stateWord(after).text}.`);
  return plain(said.join(" "));
}

function reproductionNews(before: PanelState, after: PanelState): string[] {
  const run = after.reproduction?.run ?? null;
  if (before.reproduction?.run?.kind !== "running" || run === null || run.kind === "running") return [];
  return [runEndWords(run)];
}

function roundNews(before: PanelState, after: PanelState): string[] {
  return after.rounds
    .filter((round) => !before.rounds.some((known) => known.n === round.n && known.kind === round.kind))
    .map((round) =>
      round.kind === "counted"
        ? `Round ${round.n} says ${VERDICTS[round.verdict].text}.`
        : `Round ${round.n} gave no answer: ${round.reason}`,
    );
}

function refuterNews(before: PanelState, after: PanelState): string[] {
  const [known, now] = [before.refutation, after.refutation];
  if (now === null) return [];
  const fresh = now.refuters.length - (known?.refuters.length ?? 0);
  const came = after.state === "running" && fresh > 0 ? [answeredWords(now.refuters.length)] : [];
  if (now.recount === null || (known?.recount ?? null) !== null) return came;
  const { lead, text } = refutersStanding(now);
  return [`${lead} ${text}`];
}

function answeredWords(count: number): string {
  return count === 1 ? "1 refuter has answered." : `${count} refuters have answered.`;
}

function opinionNews(before: PanelState, after: PanelState): string[] {
  if (after.opinion === null || before.opinion !== null) return [];
  const { lead, text } = opinionStanding(after.opinion, after.outcome);
  return [`${lead} ${text}`.trim()];
}

function rulingNews(before: PanelState, after: PanelState): string[] {
  if (after.ruling === null || before.ruling !== null) return [];
  const { verdict } = after.ruling;
  const said = verdict === null ? "The arbiter could not decide." : `The arbiter says ${VERDICTS[verdict].text}.`;
  const { kind, lead } = standingOf(after);
  return kind === "overrule" ? [said, lead] : [said];
}
