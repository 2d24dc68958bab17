import type { Receipt } from "../../core/check.ts";
import type { Finding } from "../../core/finding.ts";
import type { Method } from "../../core/method.ts";
import type { Because, OpinionBar, SeveritySuggestion } from "../../core/outcome.ts";
import { settlement } from "../../core/settlement.ts";
import type { Round } from "../../core/round.ts";
import type { Triaged } from "../../core/triage.ts";
import {
  type CitationRecord,
  citationRecord,
  type OpinionRecord,
  opinionRecord,
  type RefutationRecord,
  refutationRecord,
} from "./judgeRows.ts";
import { judgedAs } from "./verdict.ts";

/** One line of `findings --format jsonl`: 1-based, end column exclusive, UTF-16 units; null where there is none. */
export interface FindingRecord {
  readonly key: string;
  readonly sourceId: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly endLine: number | null;
  readonly column: number | null;
  readonly endColumn: number | null;
  readonly severity: string;
  readonly sourceSeverity: { readonly scale: string; readonly value: string };
  readonly tool: string;
  readonly rule: string | null;
  readonly message: string;
  readonly category: string | null;
  readonly status: string;
  readonly hard: boolean;
  readonly place: string;
  readonly cluster: string | null;
  readonly gate: Finding["gate"];
  readonly source: { readonly path: string; readonly pointer: string };
}

/** The row of a finding. */
export function findingRecord(finding: Finding): FindingRecord {
  const { place } = finding;
  return {
    key: finding.key,
    sourceId: finding.sourceId,
    file: place.file ?? finding.citedPath,
    line: place.line,
    endLine: place.endLine,
    column: place.column,
    endColumn: place.endColumn,
    severity: finding.severity,
    sourceSeverity: finding.sourceSeverity,
    tool: finding.tool,
    rule: finding.rule,
    message: finding.message,
    category: finding.category,
    status: finding.status,
    hard: finding.hard !== null,
    place: place.status,
    cluster: finding.cluster,
    gate: finding.gate,
    source: finding.source,
  };
}

/** A round in a row: an abstention has its reason and nothing else. */
export interface RoundRecord {
  readonly round: number;
  readonly status: "counted" | "abstained";
  readonly verdict: string | null;
  readonly crux: string | null;
  readonly reason: string | null;
  readonly citations: readonly CitationRecord[];
}

/** One line of `triage --format jsonl`. */
export interface TriageRecord {
  readonly key: string;
  readonly sourceId: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly severity: string;
  readonly finalSeverity: string;
  readonly action: string;
  readonly settledAs: string | null;
  /** What it came to: what the checks entail, else what those who were asked say; null where nobody decided. */
  readonly verdict: "VALID" | "INVALID" | null;
  readonly validShare: number | null;
  readonly counted: number;
  readonly rounds: readonly RoundRecord[];
  readonly arbiter: {
    readonly verdict: string | null;
    readonly crux: string;
    readonly reasoning: string;
    readonly citations: readonly CitationRecord[];
    readonly overrideRejected: boolean;
    readonly reason: string | null;
  } | null;
  /** How it was judged; null where nobody was asked. */
  readonly method: Method | null;
  readonly refutation: RefutationRecord | null;
  readonly opinion: OpinionRecord | null;
  /** What the policy made of the second opinion. */
  readonly mapped: string | null;
  readonly bar: OpinionBar | null;
  readonly severitySuggestion: SeveritySuggestion | null;
  /** What was left out, in sentences (R4.23). */
  readonly reductions: readonly string[];
  readonly authorization: string;
  readonly because: readonly Because[];
  readonly next: string;
  readonly receipts: readonly Receipt[];
  readonly reviewer: { readonly provider: string; readonly model: string } | null;
  readonly calls: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** By role and model; `cached` answers cost no call. */
  readonly ledger: readonly {
    readonly role: string;
    readonly model: string | null;
    readonly calls: number;
    readonly prompt: number;
    readonly completion: number;
    readonly cached: number;
  }[];
}

/** The row of a triaged finding. */
export function triageRecord(finding: Finding, triaged: Triaged): TriageRecord {
  const { outcome, ruling, vote } = triaged;
  return {
    key: finding.key,
    sourceId: finding.sourceId,
    file: finding.place.file ?? finding.citedPath,
    line: finding.place.line,
    severity: finding.severity,
    finalSeverity: outcome.severity,
    action: outcome.action,
    settledAs: outcome.settledAs,
    verdict: verdictOf(finding, triaged),
    validShare: vote?.validShare ?? null,
    counted: vote?.counted ?? 0,
    rounds: triaged.rounds.map(roundRecord),
    arbiter: ruling === null ? null : { ...ruling, citations: ruling.citations.map(citationRecord) },
    method: triaged.method,
    refutation: triaged.refutation === null ? null : refutationRecord(triaged.refutation),
    opinion: triaged.opinion === null ? null : opinionRecord(triaged.opinion),
    mapped: outcome.mapped,
    bar: outcome.bar ?? null,
    severitySuggestion: outcome.severitySuggestion,
    reductions: triaged.reductions,
    authorization: outcome.authorization,
    because: outcome.because,
    next: outcome.next,
    receipts: triaged.receipts,
    reviewer: triaged.reviewer,
    calls: triaged.calls,
    tokens: triaged.tokens,
    ledger: triaged.ledger.map((row) => ({ ...row, model: row.model?.model ?? null })),
  };
}

/** What the checks entail, else what those who were asked came to; null where nobody decided. */
export function verdictOf(finding: Finding, triaged: Triaged): "VALID" | "INVALID" | null {
  const settled = settlement(finding, triaged.checks);
  if (settled !== null) return settled === "refuted" ? "INVALID" : "VALID";
  return judgedAs(triaged);
}

function roundRecord(round: Round): RoundRecord {
  if (round.kind === "abstained") {
    return { round: round.n, status: "abstained", verdict: null, crux: null, reason: round.reason, citations: [] };
  }
  const citations = round.citations.map(citationRecord);
  return { round: round.n, status: "counted", verdict: round.verdict, crux: round.crux, reason: round.note, citations };
}
