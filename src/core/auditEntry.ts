import {
  confirmationPromptHash,
  type DecidedEntry,
  type LoggedOpinion,
  type ReopenedEntry,
  type TriagedEntry,
} from "./audit.ts";
import type { Finding } from "./finding.ts";
import { citationsIn } from "./judgement.ts";
import { countedRefs, type Mapped, type Opinion } from "./opinion.ts";
import type { Hash, Prompt } from "./ports.ts";
import type { ModelIdentity } from "./modelIdentity.ts";
import type { Refutation } from "./refuter.ts";
import type { Region } from "./regions.ts";
import type { CheckedCitation } from "./round.ts";
import type { Triaged } from "./triage.ts";

/** What a person did: on which finding, why, and what the screen asked. */
interface Click {
  readonly finding: Finding;
  readonly reason: string;
  readonly prompt: string;
  readonly commit: string | null;
  /** Hash of the branch's name. */
  readonly branch?: string | null;
  /** When it was done. */
  readonly now: Date;
}

/** The `triaged` entry of a finished triage; `prompts` are those that were used, none for the built-in reviewer. */
export function triagedEntry(
  finding: Finding,
  triaged: Triaged,
  prompts: readonly Pick<Prompt, "id" | "version" | "hash">[],
  at: Standing = NOWHERE,
): TriagedEntry {
  const { outcome, ruling, vote } = triaged;
  return {
    kind: "triaged",
    ...about(finding),
    finalSeverity: outcome.severity,
    action: outcome.action,
    authorization: outcome.authorization,
    settledAs: outcome.settledAs,
    proposesDismissal: outcome.proposesDismissal,
    verdict: ruling?.verdict ?? null,
    rounds: triaged.rounds.map((round) =>
      round.kind === "counted"
        ? {
            n: round.n,
            status: "counted",
            verdict: round.verdict,
            crux: round.crux,
            grepUsed: round.grepUsed,
            ...byOf(round.by),
          }
        : { n: round.n, status: "abstained", verdict: null, crux: round.reason, grepUsed: null },
    ),
    arbiter: ruling && {
      verdict: ruling.verdict,
      crux: ruling.crux,
      overrideRejected: ruling.overrideRejected,
      reason: ruling.reason,
      ...byOf(ruling.by),
    },
    validShare: vote?.validShare ?? null,
    counted: vote?.counted ?? 0,
    because: outcome.because.map(({ rule, text }) => ({ rule, text })),
    receipts: triaged.receipts.map(({ id, verb, outputHash, exitCode }) => ({ id, verb, outputHash, exitCode })),
    reviewer: triaged.reviewer && identity(triaged.reviewer),
    prompts: Object.fromEntries(prompts.map(({ id, version, hash }) => [id, `${version}:${hash}`])),
    calls: triaged.calls,
    tokens: { ...triaged.tokens },
    evidence: evidenceOf(citationsOf(triaged)),
    regions: [...triaged.regions],
    ...(triaged.twinOf === undefined ? {} : { twinOf: triaged.twinOf }),
    ...howJudged(triaged),
    commit: at.commit,
    branch: at.branch,
  };
}

/** Where version control stands: the revision, and the hash of the branch's name; null where there is none. */
export interface Standing {
  readonly commit: string | null;
  readonly branch: string | null;
}
const NOWHERE: Standing = { commit: null, branch: null };

function howJudged({ method, refutation, opinion, outcome, reductions }: Triaged) {
  const { severitySuggestion } = outcome;
  return {
    ...(method === null
      ? {}
      : { method: { strategy: method.strategy, visibility: method.visibility, intent: method.intent } }),
    ...(refutation === null ? {} : { refutation: loggedRefutation(refutation) }),
    ...(opinion === null || outcome.mapped === null ? {} : { opinion: loggedOpinion(opinion, outcome.mapped) }),
    ...(reductions.length === 0 ? {} : { reductions: [...reductions] }),
    ...(severitySuggestion === null ? {} : { severitySuggestion: { ...severitySuggestion } }),
  };
}

function loggedRefutation({ polarity, refuters, recount, passes, stopped }: Refutation) {
  return {
    polarity,
    refuters: refuters.map((one) =>
      one.kind === "counted"
        ? {
            lens: one.lens.id,
            pass: one.pass,
            status: "counted" as const,
            side: one.side,
            refuterConfidence: one.refuterConfidence,
            impact: one.impact,
            text: one.attack === "" ? one.scenario : one.attack,
            ...byOf(one.by),
          }
        : {
            lens: one.lens.id,
            pass: one.pass,
            status: "abstained" as const,
            side: null,
            refuterConfidence: null,
            impact: null,
            text: one.reason,
          },
    ),
    result: recount.result,
    recount: recount.text,
    passes,
    stopped,
  };
}

/** A second opinion as the log holds it: verdict, figures and who, never its words. */
export function loggedOpinion(opinion: Opinion, mapped: Mapped): LoggedOpinion {
  const { intent, by } = opinion;
  const gave = opinion.kind === "gave" ? opinion : null;
  return {
    status: opinion.kind,
    intent,
    thread: gave?.thread ?? "",
    verdict: gave?.verdict ?? null,
    impact: gave?.impact ?? null,
    verdictConfidence: gave?.verdictConfidence ?? null,
    refs: gave === null ? 0 : countedRefs(gave.refs),
    mapped,
    rebutted: (gave?.rebuttal ?? null) !== null,
    by: identity(by),
  };
}

function identity({ provider, model, family }: ModelIdentity) {
  return { provider, model, ...(family === undefined ? {} : { family }) };
}

function byOf(by: ModelIdentity | undefined) {
  return by === undefined ? {} : { by: identity(by) };
}

/** A person's confirmation or dismissal. `triaged` null: decided without a triage (ruling 22). */
export function decidedEntry(
  given: Click & {
    readonly triaged: Triaged | null;
    readonly regions: readonly Region[];
    readonly decision: "confirmed" | "dismissed";
  },
  hash: Hash,
): DecidedEntry {
  const { finding, triaged } = given;
  return {
    kind: "decided",
    ...about(finding),
    finalSeverity: triaged?.outcome.severity ?? finding.severity,
    decision: given.decision,
    authorization: "human-confirmed",
    ...confirmation(given, hash),
    blindVerdict: blindVerdictOf(triaged),
    commit: given.commit,
    branch: given.branch ?? null,
    evidence: triaged === null ? [] : evidenceOf(citationsOf(triaged)),
    regions: [...given.regions],
  };
}

function blindVerdictOf(triaged: Triaged | null): LoggedOpinion | null {
  if (triaged === null || triaged.opinion === null || triaged.outcome.mapped === null) return null;
  return loggedOpinion(triaged.opinion, triaged.outcome.mapped);
}

/** A person takes a decision back. */
export function reopenedEntry(given: Click, hash: Hash): ReopenedEntry {
  const { finding } = given;
  return { kind: "reopened", ...about(finding), finalSeverity: finding.severity, ...confirmation(given, hash) };
}

/** Lines of code that a model saw and may have copied into a crux: `redactEntry` takes them out (R1.33). */
export function codeSeen(finding: Finding, triaged: Triaged): readonly string[] {
  const cited = citationsOf(triaged).flatMap((citation) => [citation.shown, citation.quote]);
  return [...cited, finding.quote ?? ""].filter((text) => text !== "");
}

function about(finding: Finding) {
  const { key, tool, rule, severity } = finding;
  return { key, file: finding.place.file, line: finding.place.line, tool, rule, severity };
}

function confirmation(given: Click, hash: Hash) {
  const confirmedAt = given.now.toISOString();
  const { prompt, commit, reason } = given;
  const promptHash = confirmationPromptHash({ prompt, key: given.finding.key, commit, confirmedAt }, hash);
  return { reason, confirmedBy: "human" as const, confirmationPromptHash: promptHash, confirmedAt };
}

function citationsOf(triaged: Triaged): readonly CheckedCitation[] {
  return [...triaged.checks.flatMap((check) => check.citations), ...citationsIn(triaged)];
}

/** Only citations that resolve are evidence; place, never text. */
function evidenceOf(citations: readonly CheckedCitation[]): string[] {
  return [...new Set(citations.filter((citation) => citation.ok).map(({ file, line }) => `${file}:${line}`))];
}
