import type { CheckResult } from "../../core/check.ts";
import type { Finding } from "../../core/finding.ts";
import type { Method } from "../../core/method.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { changedRegion } from "../../core/regions.ts";
import type { Reviewer } from "../../core/reviewer.ts";
import type { Triaged } from "../../core/triage.ts";
import { KeptJudgement, lookupOf } from "../cache/keptJudgement.ts";
import { type LookPorts, packPrint, readsSame } from "../cache/lookedAt.ts";
import type { SealedStore } from "../cache/sealedStore.ts";
import { forgetPassing } from "../models/journaledModel.ts";
import { modelsOf, Recall, sameModels } from "./recallingReviewer.ts";

/** What a judgement must have been made with to count again in a run. */
export interface RunMethod {
  readonly method: Method;
  /** True: everybody is asked anew, and what they say is kept. */
  readonly fresh: boolean;
}

export interface JudgementParts extends LookPorts {
  readonly store: SealedStore;
  /** A print of all prompts that models are asked with. */
  readonly prompts: () => string;
}

/** Who need not be remembered: the built-in reviewer costs nothing, and a recording is a memory itself. */
const WITHOUT_MEMORY: ReadonlySet<string> = new Set(["built-in", "replay"]);

/**
 * Answers of earlier judgements, for findings whose code stands as it did (design, section 5). Only answers are kept: citations
 * are re-read, votes, duties and policy worked out anew each time. What kept a finding also counts under another model; what
 * spoke for a dismissal counts only under the same models, and while all that was looked at reads the same.
 */
export class Judgements {
  readonly #parts: JudgementParts;

  constructor(parts: JudgementParts) {
    this.#parts = parts;
  }

  /** The reviewer for one finding in one run, with what is remembered of it. */
  async recall(finding: Finding, reviewer: Reviewer, run: RunMethod): Promise<Recall> {
    if (WITHOUT_MEMORY.has(reviewer.identity.provider)) return new Recall(reviewer, null, null, this.#parts);
    const kept = run.fresh ? null : await this.#find(finding, modelsOf(reviewer), run);
    return new Recall(
      reviewer,
      kept,
      async (checks, signal) => await this.#reads(finding, kept, checks, signal),
      this.#parts,
    );
  }

  /** Keeps what a recall has heard, once the judgement is on disk; what was for a resumption only goes. */
  async keep(finding: Finding, triaged: Triaged, recall: Recall, run: RunMethod): Promise<void> {
    const { store, prompts } = this.#parts;
    const heard = recall.heard();
    if (heard !== null) {
      const upheld = triaged.outcome.action === "keep";
      const shown = upheld
        ? null
        : await recall.shown(async (checks, signal) => await packPrint(finding, checks, this.#parts, signal));
      // A dismissal whose code changed while it was judged rests on nothing that could be named.
      if (upheld || shown !== null) {
        const { identity: reviewer, models } = recall;
        const kept = { prompts: prompts(), reviewer, models, upheld, regions: triaged.regions, shown, answers: heard };
        await store.put("judgement", this.#idOf(finding, run), finding.key, kept);
      }
    }
    await forgetPassing(store, finding.key);
  }

  /** Drops what was answered about a finding by this method: it was contested, so the next run asks anew. */
  async forget(finding: Finding, run: RunMethod): Promise<void> {
    await this.#parts.store.remove("judgement", this.#idOf(finding, run));
    await forgetPassing(this.#parts.store, finding.key);
  }

  async #find(finding: Finding, models: readonly ModelIdentity[], run: RunMethod): Promise<KeptJudgement | null> {
    const { store, prompts, repository, hash } = this.#parts;
    const parsed = KeptJudgement.safeParse(await store.get("judgement", this.#idOf(finding, run)));
    if (!parsed.success) return null;
    const kept = parsed.data;
    const fits = kept.prompts === prompts() && (kept.upheld || sameModels(kept.models, models));
    return fits && (await changedRegion(kept.regions, repository, hash)) === null ? kept : null;
  }

  /** True where all that a judgement against the finding was shown and had looked up reads the same now. */
  async #reads(
    finding: Finding,
    kept: KeptJudgement | null,
    checks: readonly CheckResult[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (kept === null) return false;
    if (kept.upheld) return true;
    for (const [role, { lookups }] of Object.entries(kept.answers)) {
      for (const lookup of lookups.map(lookupOf))
        if (lookup === null || !(await readsSame(lookup, this.#parts, role, signal))) return false;
    }
    return kept.shown === (await packPrint(finding, checks, this.#parts, signal)).print;
  }

  #idOf({ key }: Finding, { method }: RunMethod): string {
    const { strategy, visibility, intent, refuters, lenses, quietRounds, earlyStop } = method;
    return this.#parts.hash(
      JSON.stringify([key, strategy, visibility, intent, refuters, lenses, quietRounds, earlyStop]),
    );
  }
}
