import type { Triaged } from "../../core/triage.ts";
import type { Entry } from "./entry.ts";

/** True where the last record of a finding already tells this judgement, wherever its lines stand now. */
export function isTold({ triaged, decided }: Entry, again: Triaged): boolean {
  return triaged !== null && decided === null && story(triaged) === story(again);
}

/** What a record tells of a judgement: outcome, verdicts, who judged, and the code that it rests on. */
function story({ outcome, rounds, ruling, regions, reviewer }: Triaged): string {
  const { action, severity, authorization, settledAs, proposesDismissal } = outcome;
  const code = regions.map(({ role, file, hash }) => `${role} ${file} ${hash}`).toSorted();
  return JSON.stringify([
    [action, severity, authorization, settledAs, proposesDismissal],
    rounds.map((round) => (round.kind === "counted" ? round.verdict : "-")),
    ruling?.verdict,
    [reviewer?.provider, reviewer?.model],
    code,
  ]);
}
