import { confirmationPromptHash, type DecidedEntry, type ReopenedEntry, type TriagedEntry } from "./audit.ts";
import type { Finding } from "./finding.ts";
import type { Hash, Prompt } from "./ports.ts";
import type { Region } from "./regions.ts";
import type { CheckedCitation } from "./round.ts";
import type { Triaged } from "./triage.ts";

/** What a person did: on which finding, why, and what the screen asked. */
interface Click {
  readonly finding: Finding;
  readonly reason: string;
  readonly prompt: string;
  readonly commit: string | null;
  /** When it was done. */
  readonly now: Date;
}

/** The `triaged` entry of a finished triage; `prompts` are those that were used, none for the built-in reviewer. */
export function triagedEntry(
  finding: Finding,
  triaged: Triaged,
  prompts: readonly Pick<Prompt, "id" | "version" | "hash">[],
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
        ? { n: round.n, status: "counted", verdict: round.verdict, crux: round.crux, grepUsed: round.grepUsed }
        : { n: round.n, status: "abstained", verdict: null, crux: round.reason, grepUsed: null },
    ),
    arbiter: ruling && {
      verdict: ruling.verdict,
      crux: ruling.crux,
      overrideRejected: ruling.overrideRejected,
      reason: ruling.reason,
    },
    validShare: vote?.validShare ?? null,
    counted: vote?.counted ?? 0,
    because: outcome.because.map(({ rule, text }) => ({ rule, text })),
    receipts: triaged.receipts.map(({ id, verb, outputHash, exitCode }) => ({ id, verb, outputHash, exitCode })),
    reviewer: triaged.reviewer && { provider: triaged.reviewer.provider, model: triaged.reviewer.model },
    prompts: Object.fromEntries(prompts.map(({ id, version, hash }) => [id, `${version}:${hash}`])),
    calls: triaged.calls,
    tokens: { ...triaged.tokens },
    evidence: evidenceOf(citationsOf(triaged)),
    regions: [...triaged.regions],
  };
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
    blindVerdict: null,
    commit: given.commit,
    evidence: triaged === null ? [] : evidenceOf(citationsOf(triaged)),
    regions: [...given.regions],
  };
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
  return [
    ...triaged.checks.flatMap((check) => check.citations),
    ...triaged.rounds.flatMap((round) => (round.kind === "counted" ? round.citations : [])),
    ...(triaged.ruling?.citations ?? []),
  ];
}

/** Only citations that resolve are evidence; place, never text. */
function evidenceOf(citations: readonly CheckedCitation[]): string[] {
  return [...new Set(citations.filter((citation) => citation.ok).map(({ file, line }) => `${file}:${line}`))];
}
