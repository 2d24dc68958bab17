import type { Triaged } from "../../core/triage.ts";
import type { Entry } from "./entry.ts";

/** True where the last record of a finding already tells this judgement, wherever its lines stand now. */
export function isTold({ triaged, decided }: Entry, again: Triaged): boolean {
  return triaged !== null && decided === null && story(triaged) === story(again);
}

/** What a record tells of a judgement: outcome, verdicts, who judged and how, and the code that it rests on. */
function story(triaged: Triaged): string {
  const { outcome, method, rounds, ruling, refutation, opinion, regions, reviewer } = triaged;
  const { action, severity, authorization, settledAs, proposesDismissal, mapped } = outcome;
  const code = regions.map(({ role, file, hash }) => `${role} ${file} ${hash}`).toSorted();
  return JSON.stringify([
    [action, severity, authorization, settledAs, proposesDismissal, mapped],
    method?.strategy,
    rounds.map((round) => (round.kind === "counted" ? round.verdict : "-")),
    ruling?.verdict,
    (refutation?.refuters ?? []).map((one) => [one.lens.id, one.kind === "counted" ? one.side : "-"]),
    opinion?.kind === "gave" ? [opinion.verdict, opinion.by.model] : opinion?.kind,
    [reviewer?.provider, reviewer?.model],
    code,
  ]);
}
