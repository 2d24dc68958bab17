import type { CheckResult } from "../check.ts";
import type { Intent } from "../method.ts";
import type { Artefact, Opinion } from "../opinion.ts";
import { finishOpinion } from "./finishOpinion.ts";
import { orAbstain, type Sitting, taskOf } from "./sitting.ts";

/** What an objection goes against. */
export interface Objection {
  readonly to: Extract<Opinion, { kind: "gave" }>;
  readonly artefacts: readonly Artefact[];
}

/**
 * A blind second opinion in a fresh conversation (R1.8-R1.13): it has seen no round and no refuter, and looks into the repository itself. With
 * an objection the same conversation goes on, once (R1.25).
 */
export async function askOpinion(
  sitting: Sitting,
  intent: Intent,
  asked: readonly CheckResult[],
  objection: Objection | null = null,
): Promise<Opinion> {
  const { finding, reviewer, ground, hash, report, signal } = sitting;
  report({ kind: "stage", stage: { kind: "opinion" } });
  const by = objection === null ? "second-opinion" : "rebuttal";
  const given = await orAbstain(signal, () =>
    reviewer.opinion({ ...taskOf(sitting, by, asked), intent, rebuttal: objection }),
  );
  const opinion = await finishOpinion(
    {
      key: finding.key,
      intent,
      by: reviewer.identity,
      receipts: sitting.receiptsOf(by),
      rebuttal: objection === null ? null : { thread: objection.to.thread, artefacts: objection.artefacts },
    },
    given,
    ground,
    hash,
  );
  report({ kind: "opinion", opinion });
  return opinion;
}
