import * as z from "zod/mini";
import type { CheckResult, Receipt } from "../core/check.ts";
import type { PanelAction, Permit } from "../core/decision.ts";
import type { Pack } from "../core/evidence/pack.ts";
import type { Finding } from "../core/finding.ts";
import type { LedgerRow } from "../core/ledger.ts";
import type { Method } from "../core/method.ts";
import type { Opinion } from "../core/opinion.ts";
import type { Outcome, Stage, State } from "../core/outcome.ts";
import type { Recount, Refutation, Refuter } from "../core/refuter.ts";
import type { Round, Ruling, Vote } from "../core/round.ts";
import type { Streak } from "../core/streak.ts";

/** What a person decided earlier. */
export interface DecisionView {
  readonly decision: "confirmed" | "dismissed" | "reopened";
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
}

export type { PanelAction, Permit };

/** Another finding that looks like the same defect: shown beside it, with a verdict of its own (C18, ruling 11). */
export interface AlikeView {
  readonly key: string;
  /** One line, cut. */
  readonly title: string;
  readonly tool: string;
  /** Its state in words, as the lens says it. */
  readonly summary: string;
  /** What a person decided, else what its triage came to; null while neither holds. */
  readonly verdict: "VALID" | "INVALID" | null;
}

/** A command line that waits for a person's word, with what the person must know before. */
export interface LineView {
  /** As it would run, to the letter; acceptance is bound to it. */
  readonly line: string;
  /** Absolute path of the folder it would run in. */
  readonly folder: string;
  /** What makes asking needful. */
  readonly why: string;
  /** Whether it may be run now; where not, why not. */
  readonly permit: Permit;
  /** True where it was accepted for good: it runs without being asked again. */
  readonly accepted: boolean;
}

/** How to reproduce the finding, as its source says, and what became of running that (R3.1). It settles nothing by itself. */
export interface ReproductionView {
  /** The source's own words, at most 4,000 characters. */
  readonly text: string;
  /** The line it comes to, one of `PanelState.lines`; null where it cannot be run, and `refused` says why. */
  readonly line: string | null;
  readonly refused: string | null;
  /** The last run of this window; null before any. */
  readonly run:
    | { readonly kind: "running" }
    | { readonly kind: "ran"; readonly receipt: Receipt }
    | { readonly kind: "failed"; readonly why: string; readonly receipt: Receipt | null }
    | null;
}

/** A refuter as it is shown. */
export type RefuterView = Refuter & {
  /** Its lens in words. */
  readonly title: string;
  /** Cited lines that are left out for lack of room. */
  readonly uncited: number;
};

/** What refuters said, finished or on the way. */
export interface RefutationView {
  /** By pass, then by title, so that one that arrives moves none that was there. */
  readonly refuters: readonly RefuterView[];
  /** Titles of the lenses of this pass whose refuters have not answered. */
  readonly awaited: readonly string[];
  /** Null until all have answered. */
  readonly recount: Recount | null;
  /** `safe`: the claim says that all is well, so that whoever breaks it speaks for a defect (R4.10); null until that is known. */
  readonly polarity: Refutation["polarity"] | null;
  readonly passes: number;
  readonly stopped: Refutation["stopped"];
  readonly untouched: readonly string[];
}

/** A second opinion as it is shown. */
export type OpinionView = Opinion & {
  /** Who gave it, in words. */
  readonly who: string;
  /** Whether its model is of another family than whoever judged besides; null where nobody did or that cannot be told. */
  readonly family: "another" | "same" | null;
  /** References that count. */
  readonly counted: number;
};

/** What one role cost with one model. */
export type LedgerView = Omit<LedgerRow, "model"> & {
  /** In words; null where whoever answered did not say. */
  readonly model: string | null;
};

/** Longest line, in characters, that a person can be asked about. */
export const MOST_LINE = 16_000;

/** Everything the panel shows of one finding: a complete snapshot, never a delta. At most 350 KB as JSON. */
export interface PanelState {
  readonly finding: Finding;
  /** Lines around the flagged region as the program read them, secrets masked; empty where there is no text. */
  readonly excerpt: readonly { readonly line: number; readonly text: string; readonly flagged: boolean }[];
  readonly state: State;
  /** Why it is stale; null otherwise. */
  readonly staleReason: string | null;
  readonly stage: Stage | null;
  /** Who judges or judged: "built-in reviewer", "gpt-x at api.example". Null before any triage. */
  readonly reviewer: string | null;
  /** The lines that bear on it, as they stand now; null while they are being collected. */
  readonly pack: Pack | null;
  readonly checks: readonly CheckResult[];
  /** How it is or was judged; null where nobody was asked. */
  readonly method: Method | null;
  readonly rounds: readonly Round[];
  readonly vote: Vote | null;
  readonly ruling: Ruling | null;
  /** Null where no refuter was asked. */
  readonly refutation: RefutationView | null;
  readonly opinion: OpinionView | null;
  /** Checks that somebody asked for on the way (C7); they settle nothing by themselves. */
  readonly asked: readonly CheckResult[];
  /** What was left out, each in a sentence (R4.23). */
  readonly reductions: readonly string[];
  readonly outcome: Outcome | null;
  readonly receipts: readonly Receipt[];
  /** Receipts beyond those, for lack of room. */
  readonly receiptsLeft: number;
  /** What its checks and its reproduction would run once a person accepts it. */
  readonly lines: readonly LineView[];
  /** Null where its source tells none. */
  readonly reproduction: ReproductionView | null;
  readonly decision: DecisionView | null;
  readonly permits: Readonly<Record<PanelAction, Permit>>;
  /** True where a dismissal asks once more in a modal (P0, P1 and hard findings). */
  readonly dismissNeedsModal: boolean;
  /** Findings in the same exact cluster, this one included. */
  readonly clusterSize: number;
  /** What looks like the same defect, nearest first; at most eight. */
  readonly alike: readonly AlikeView[];
  /** All of them, also those beyond the eight. */
  readonly alikeCount: number;
  /** True where one of this finding and all its likes is real and another a false alarm. */
  readonly conflict: boolean;
  /** Model calls and tokens spent on the last triage. */
  readonly cost: { readonly calls: number; readonly prompt: number; readonly completion: number };
  /** The same by who answered. */
  readonly ledger: readonly LedgerView[];
  /** A message of the worker about the last thing the person tried; null where there is none. */
  readonly notice: string | null;
  /** Dismissals in a row of this session (R1.26-R1.28). */
  readonly streak: Streak;
  /** Name of the model that a person can ask instead of the usual one; null where none is set. */
  readonly otherModel: string | null;
}

/** What a person can ask of a finding once more: each is one way of judging it, asked afresh. */
export const CHALLENGES = ["refuters", "opinion", "rounds", "other-model", "confirm", "clarify"] as const;
export type ChallengeKind = (typeof CHALLENGES)[number];

/** Longest text of an artefact and of its source, in characters. */
export const MOST_ARTEFACT = { source: 400, text: 8000 } as const;

/** Extension host -> page. Sent whenever the state of the shown finding changes, and once after `ready`. */
export type ToPanel =
  | { readonly type: "state"; readonly state: PanelState }
  /** The finding is gone (its review file was deleted), or the worker is down; `text` says so. */
  | { readonly type: "empty"; readonly text: string };

/** Page -> extension host. Everything the page can ask for; parsed, never trusted. */
export const FromPanel = z.discriminatedUnion("type", [
  /** The page has loaded and can show a state. */
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("triage"), key: z.string() }),
  /** Have it judged in another way, whatever is remembered of earlier answers. */
  z.object({ type: z.literal("challenge"), key: z.string(), how: z.enum(CHALLENGES) }),
  /** Put objective artefacts against a second opinion that asks for a fix (R1.25). */
  z.object({
    type: z.literal("rebut"),
    key: z.string(),
    artefacts: z
      .array(
        z.object({
          kind: z.enum(["test-output", "specification", "language-rule"]),
          source: z.string().check(z.minLength(1), z.maxLength(MOST_ARTEFACT.source)),
          text: z.string().check(z.minLength(1), z.maxLength(MOST_ARTEFACT.text)),
        }),
      )
      .check(z.minLength(1), z.maxLength(5)),
  }),
  z.object({ type: z.literal("cancel"), key: z.string() }),
  z.object({ type: z.literal("confirm"), key: z.string(), reason: z.string().check(z.maxLength(4000)) }),
  z.object({ type: z.literal("dismiss"), key: z.string(), reason: z.string().check(z.maxLength(4000)) }),
  z.object({ type: z.literal("reopen"), key: z.string(), reason: z.string().check(z.maxLength(4000)) }),
  /** Open a file of the workspace at a 1-based line; the extension host checks that the path stays inside. */
  z.object({
    type: z.literal("open"),
    key: z.string(),
    file: z.string().check(z.maxLength(4096)),
    line: z.int().check(z.minimum(1)),
  }),
  /** Open the review file the finding came from. */
  z.object({ type: z.literal("openSource"), key: z.string() }),
  /** Open the triage log at the record of this finding. */
  z.object({ type: z.literal("openLog"), key: z.string() }),
  /** Show another finding, one of those alike, in the place of this one. */
  z.object({ type: z.literal("show"), key: z.string(), other: z.string() }),
  /** The person wants to run one of `lines`; the extension host asks before anything happens. */
  z.object({
    type: z.literal("runLine"),
    key: z.string(),
    line: z.string().check(z.minLength(1), z.maxLength(MOST_LINE)),
  }),
  /** Stop the reproduction that runs. */
  z.object({ type: z.literal("stopLine"), key: z.string() }),
]);
export type FromPanel = z.infer<typeof FromPanel>;
