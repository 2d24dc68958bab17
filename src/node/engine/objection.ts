import { PERMITS } from "../../core/decision.ts";
import type { Artefact } from "../../core/opinion.ts";
import type { Hash, Mask, Repository } from "../../core/ports.ts";
import { refuseRebuttal } from "../../core/rebuttal.ts";
import type { Reviewer } from "../../core/reviewer.ts";
import type { Triaged } from "../../core/triage.ts";
import type { Entry } from "./entry.ts";
import { modelsOf } from "./recallingReviewer.ts";
import { freshness } from "./stale.ts";

/** Why an objection to the second opinion of an entry is not put now (R1.25), with what is stale of it; null where it may be. */
export async function refuseObjection(
  entry: Entry,
  triaged: Triaged,
  artefacts: readonly Artefact[],
  reviewer: Reviewer,
  ports: { readonly repository: Repository; readonly mask: Mask; readonly hash: Hash },
): Promise<{ readonly why: string; readonly staleReason: string | null } | null> {
  const staleReason = entry.staleReason ?? (await freshness(entry, ports)).staleReason;
  // An opinion about other code is neither defended nor taken back.
  if (staleReason !== null) return { why: PERMITS.stale.dismiss.why, staleReason };
  const why = await refuseRebuttal(triaged, artefacts, modelsOf(reviewer), ports);
  return why === null ? null : { why, staleReason };
}
