import type { CheckResult, Receipt } from "../../core/check.ts";
import type { Opinion } from "../../core/opinion.ts";
import type { Recount, Refuter } from "../../core/refuter.ts";
import type { Finding } from "../../core/finding.ts";
import type { Method } from "../../core/method.ts";
import { needsPerson } from "../../core/policy.ts";
import type { Stage, State } from "../../core/outcome.ts";
import type { Region } from "../../core/regions.ts";
import type { Round, Ruling, Vote } from "../../core/round.ts";
import type { Triaged, TriageEvent } from "../../core/triage.ts";

/** What a running triage has brought so far. */
export interface Progress {
  readonly stage: Stage;
  /** How it is judged where checks leave it open; null until that is known. */
  readonly method: Method | null;
  readonly checks: readonly CheckResult[];
  readonly rounds: readonly Round[];
  readonly vote: Vote | null;
  readonly ruling: Ruling | null;
  readonly refuters: readonly Refuter[];
  readonly recount: Recount | null;
  readonly opinion: Opinion | null;
  /** Checks that somebody asked for on the way (C7). */
  readonly asked: readonly CheckResult[];
  readonly receipts: readonly Receipt[];
}

export const STARTED: Progress = {
  stage: { kind: "checks" },
  method: null,
  checks: [],
  rounds: [],
  vote: null,
  ruling: null,
  refuters: [],
  recount: null,
  opinion: null,
  asked: [],
  receipts: [],
};

/** An objection goes on from what was said before: all of it stays in view until there is an answer. */
export function objectedTo({ triaged }: Pick<Entry, "triaged">): Progress {
  if (triaged === null) return STARTED;
  const { method, rounds, vote, ruling, refutation, opinion, asked, receipts } = triaged;
  const [refuters, recount] = [refutation?.refuters ?? [], refutation?.recount ?? null];
  return { ...STARTED, method, rounds, vote, ruling, refuters, recount, opinion, asked, receipts };
}

/** The last thing a person did with a finding. */
export interface Decided {
  readonly decision: "confirmed" | "dismissed" | "reopened";
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
  /** What the decision rests on: it expires when one of them changes. */
  readonly regions: readonly Region[];
}

/** A finding with all that is known about it. Entries are replaced, never changed. */
export interface Entry {
  readonly finding: Finding;
  /** The finding as its source gave it, before its place followed any edit. */
  readonly source: Finding;
  /** Print of the flagged lines as they read when the finding was placed: with it they are followed through edits. */
  readonly print: number;
  readonly triaged: Triaged | null;
  readonly decided: Decided | null;
  readonly progress: Progress | null;
  /** Why what was judged or decided no longer fits the code; null while it does. */
  readonly staleReason: string | null;
  /** What to tell the person about the last try; null where there is nothing to tell. */
  readonly notice: string | null;
}

/** An entry of a finding that nobody has touched. */
export function freshEntry(finding: Finding, print: number): Entry {
  return {
    finding,
    source: finding,
    print,
    triaged: null,
    decided: null,
    progress: null,
    staleReason: null,
    notice: null,
  };
}

/** Where an entry stands in the workflow (ruling 14). */
export function stateOf(entry: Entry): State {
  if (entry.progress !== null) return "running";
  if (entry.staleReason !== null) return "stale";
  if (entry.decided !== null && entry.decided.decision !== "reopened") return "decided";
  if (entry.triaged?.outcome.proposesDismissal === true) return "proposed";
  return closedByProgram(entry) ? "decided" : "new";
}

/** True where the policy closed a P2 or Nit without a person; a person's reopening takes precedence. */
export function closedByProgram(entry: Entry): boolean {
  if (needsPerson(entry.finding)) return false;
  return entry.decided === null && entry.triaged?.outcome.authorization === "automated";
}

/** A judgement that closed a finding without a person ends where its source has since raised it to what only a person closes (C4). */
export function withoutOutgrown(entry: Entry): Entry {
  if (entry.triaged?.outcome.authorization !== "automated" || !needsPerson(entry.finding)) return entry;
  return {
    ...entry,
    triaged: null,
    notice: `It was closed before it was a ${entry.finding.severity}: it is open again.`,
  };
}

/** True while a finding is on the open list: only a dismissal, an automatic closure or its own source takes it off. */
export function isOpen(entry: Entry): boolean {
  if (entry.finding.status !== "open") return false;
  // A decision expires with the code it rests on (C17): what is stale is open again.
  if (entry.staleReason !== null) return true;
  return entry.decided?.decision !== "dismissed" && !closedByProgram(entry);
}

/** The findings of a file that nobody has dismissed: what a duplicate may be set aside for. */
export function openIn(file: string | null, entries: readonly Entry[]): Finding[] {
  return entries
    .filter(({ finding, decided }) => finding.place.file === file && decided?.decision !== "dismissed")
    .map(({ finding }) => finding);
}

/** True where the program can do no more and a person has to look. */
export function waitsForPerson(entry: Entry): boolean {
  if (!isOpen(entry) || entry.progress !== null || entry.decided?.decision === "confirmed") return false;
  const { triaged } = entry;
  return triaged !== null && (triaged.outcome.proposesDismissal || triaged.outcome.action === "needs-human");
}

/** A progress after one more event. */
export function advance(progress: Progress, event: TriageEvent): Progress {
  switch (event.kind) {
    case "stage":
      return { ...progress, stage: event.stage };
    case "receipt":
      return { ...progress, receipts: [...progress.receipts, event.receipt] };
    case "check":
      return { ...progress, checks: [...progress.checks, event.check] };
    case "asked":
      return { ...progress, asked: [...progress.asked, event.check] };
    case "round":
      return { ...progress, rounds: [...progress.rounds, event.round] };
    case "vote":
      return { ...progress, vote: event.vote };
    case "ruling":
      return { ...progress, ruling: event.ruling };
    case "refuter":
      return { ...progress, refuters: [...progress.refuters, event.refuter] };
    case "recount":
      return { ...progress, recount: event.recount };
    default:
      return { ...progress, opinion: event.opinion };
  }
}
