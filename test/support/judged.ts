import { UNJUDGED } from "../../src/core/judgement.ts";
import { USUAL_METHOD } from "../../src/core/method.ts";
import type { Opinion } from "../../src/core/opinion.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { recount, type Refuter } from "../../src/core/refuter.ts";
import type { CheckedCitation } from "../../src/core/round.ts";
import type { Triaged } from "../../src/core/triage.ts";
import { type Entry, freshEntry } from "../../src/node/engine/entry.ts";
import { PLAIN_OUTCOME } from "./asked.ts";
import { finding } from "./panelStates.ts";

// Finished triages by refuters and second opinions, as the engine keeps them.

export type Counted = Extract<Refuter, { kind: "counted" }>;
export type Gave = Extract<Opinion, { kind: "gave" }>;

/** A cited line that was read again. */
export function line(file: string, at: number, shown = "const one = 1;"): CheckedCitation {
  return { file, line: at, endLine: at, quote: shown, ok: true, shown, note: null };
}

/** A refuter that did its work: against the claim, sure of it. */
export function counted(more: Partial<Counted> = {}): Counted {
  return {
    kind: "counted",
    lens: { kind: "own", id: "forgery" },
    pass: 1,
    side: "against",
    stated: "refuted",
    refuterConfidence: "high",
    impact: "medium",
    attack: "The guard runs first.",
    scenario: "",
    citations: [line("src/a.ts", 3)],
    reReadSources: ["src/a.ts"],
    note: null,
    ...more,
  };
}

export function abstained(reason = "it opened no source again"): Refuter {
  return { kind: "abstained", lens: { kind: "own", id: "limits" }, pass: 1, reason, attack: "It cannot happen." };
}

export function gave(more: Partial<Gave> = {}): Gave {
  return {
    kind: "gave",
    intent: "dismiss",
    thread: "t1",
    verdict: "NON_ACTIONABLE",
    stated: "NON_ACTIONABLE",
    impact: "NOT_ASSESSED",
    verdictConfidence: 0.96,
    refs: [{ text: "src/a.ts:3", ok: true, citation: line("src/a.ts", 3), receipt: null }],
    reasoning: "The guard runs before it.",
    by: { provider: "https://second.example", model: "blind", family: "blind" },
    note: null,
    rebuttal: null,
    ...more,
  };
}

/** A finished triage; `outcome` needs a person where nothing else is said. */
export function triagedBy(parts: Partial<Triaged>, outcome: Partial<Outcome> = {}): Triaged {
  return {
    ...UNJUDGED,
    key: finding.key,
    method: USUAL_METHOD,
    checks: [],
    receipts: [],
    regions: [],
    reviewer: { provider: "https://models.example", model: "large", family: "large" },
    calls: 3,
    tokens: { prompt: 10, completion: 2 },
    ledger: [],
    outcome: {
      ...PLAIN_OUTCOME,
      action: "needs-human",
      severity: "P1",
      authorization: "none",
      settledAs: null,
      proposesDismissal: false,
      because: [{ rule: "R4.15", text: "Neither side carries." }],
      next: "It is yours.",
      ...outcome,
    },
    ...parts,
  };
}

/** A triage by these refuters. */
export function refutedBy(
  refuters: readonly Refuter[],
  outcome: Partial<Outcome> = {},
  polarity: "bug" | "safe" = "bug",
): Triaged {
  const refutation = {
    polarity,
    refuters,
    recount: recount(refuters),
    passes: 1,
    stopped: null,
    untouched: ["No refuter cites src/b.ts:1-9 (calls it)."],
  } as const;
  return triagedBy({ method: { ...USUAL_METHOD, strategy: "refute" }, refutation }, outcome);
}

/** A triage by a second opinion alone. */
export function opinedBy(opinion: Opinion, outcome: Partial<Outcome> = {}): Triaged {
  return triagedBy({ method: { ...USUAL_METHOD, strategy: "verdict" }, opinion }, outcome);
}

export function entryOf(triaged: Triaged | null, more: Partial<Entry> = {}): Entry {
  return { ...freshEntry(finding, 0), triaged, ...more };
}
