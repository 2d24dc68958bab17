import * as z from "zod";
import { SEVERITIES } from "./finding.ts";
import { INTENTS, STRATEGIES, VISIBILITIES } from "./method.ts";
import { IMPACT_ASSESSMENTS, MAPPED, OPINIONS } from "./opinion.ts";
import { ACTIONS } from "./outcome.ts";
import type { Hash } from "./ports.ts";
import { IMPACTS } from "./impact.ts";
import { REFUTER_CONFIDENCES } from "./refuter.ts";

// The triage log, one JSON object a line (design, section 5). A record holds no source text, no diff, no secret and no
// person's name (R1.33, ruling 23). Each session is a chain of hashes; a line's own hash is its last member.

/** SHA-256, 64 hex digits. */
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Severity = z.enum(SEVERITIES);
/** 1-based. */
const Line = z.number().int().min(1);
const RoundVerdict = z.enum(["VALID", "INVALID", "UNCERTAIN"]);
const FinalVerdict = z.enum(["VALID", "INVALID"]);
/** `file:line`, never text (R1.33). */
const Evidence = z.array(z.string().max(1000));

/** A flagged or cited region with the hash of its text: a decision expires only when one of them changes (C17). */
const LoggedRegion = z.object({
  role: z.enum(["flagged", "cited"]),
  file: z.string(),
  line: Line,
  endLine: Line,
  hash: Digest,
});

const aboutFinding = {
  key: z.string().min(1),
  /** Workspace-relative with `/`; null where the finding names no file. */
  file: z.string().nullable(),
  line: Line.nullable(),
  tool: z.string(),
  rule: z.string().nullable(),
  /** As ingested (ruling 2). */
  severity: Severity,
  finalSeverity: Severity,
};

const By = z.object({ provider: z.string(), model: z.string(), family: z.string().optional() });

/** How a finding was judged; absent where nobody was asked, and in lines of earlier versions. */
const LoggedMethod = z.object({
  strategy: z.enum(STRATEGIES),
  visibility: z.enum(VISIBILITIES),
  intent: z.enum(INTENTS),
});

const LoggedRefutation = z.object({
  polarity: z.enum(["bug", "safe"]),
  refuters: z.array(
    z.object({
      lens: z.string(),
      pass: z.number().int().min(1),
      status: z.enum(["counted", "abstained"]),
      side: z.enum(["against", "for", "needs-check"]).nullable(),
      refuterConfidence: z.enum(REFUTER_CONFIDENCES).nullable(),
      impact: z.enum(IMPACTS).nullable(),
      /** The attack of a counted refuter, the reason of one that abstained. */
      text: z.string(),
      by: By.optional(),
    }),
  ),
  result: z.enum(["survives", "refuted", "undecided", "none"]),
  /** The recount in words (R4.13). */
  recount: z.string(),
  passes: z.number().int().min(1),
  stopped: z.string().nullable(),
});

/** A blind second opinion: no text of its reasoning, places as evidence (R1.33). */
const LoggedOpinion = z.object({
  status: z.enum(["gave", "abstained"]),
  intent: z.enum(INTENTS),
  thread: z.string(),
  verdict: z.enum(OPINIONS).nullable(),
  impact: z.enum(IMPACT_ASSESSMENTS).nullable(),
  /** 0..1, as it says of itself (C5). */
  verdictConfidence: z.number().min(0).max(1).nullable(),
  /** References that resolved. */
  refs: z.number().int().min(0),
  mapped: z.enum(MAPPED),
  rebutted: z.boolean(),
  by: By,
});
export type LoggedOpinion = z.infer<typeof LoggedOpinion>;

const TriagedEntry = z.object({
  kind: z.literal("triaged"),
  ...aboutFinding,
  action: z.enum(ACTIONS),
  authorization: z.enum(["none", "automated", "human-required", "human-confirmed"]),
  settledAs: z.enum(["refuted", "confirmed"]).nullable(),
  proposesDismissal: z.boolean(),
  /** The arbiter's; null where none ruled. */
  verdict: FinalVerdict.nullable(),
  rounds: z.array(
    z.object({
      n: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      status: z.enum(["counted", "abstained"]),
      verdict: RoundVerdict.nullable(),
      /** The crux of a counted round, the reason of one that abstained. */
      crux: z.string(),
      grepUsed: z.boolean().nullable(),
      by: By.optional(),
    }),
  ),
  arbiter: z
    .object({
      verdict: FinalVerdict.nullable(),
      crux: z.string(),
      overrideRejected: z.boolean(),
      reason: z.string().nullable(),
      by: By.optional(),
    })
    .nullable(),
  /** VALID / counted rounds, 0..1 (R0.17, C6). */
  validShare: z.number().min(0).max(1).nullable(),
  counted: z.number().int().min(0),
  because: z.array(z.object({ rule: z.string(), text: z.string() })),
  receipts: z.array(
    z.object({ id: z.string(), verb: z.string(), outputHash: Digest, exitCode: z.number().int().nullable() }),
  ),
  reviewer: By.nullable(),
  /** Prompt id to `version:hash`. */
  prompts: z.record(z.string(), z.string()),
  calls: z.number().int().min(0),
  tokens: z.object({ prompt: z.number().min(0), completion: z.number().min(0) }),
  evidence: Evidence,
  regions: z.array(LoggedRegion),
  /** Key of the exact duplicate whose verdict this is: one verdict, however many findings it is applied to (C18). */
  twinOf: z.string().optional(),
  method: LoggedMethod.optional(),
  refutation: LoggedRefutation.optional(),
  opinion: LoggedOpinion.optional(),
  /** Everything that was left out, in sentences (R4.23). */
  reductions: z.array(z.string()).optional(),
  severitySuggestion: z.object({ to: Severity, why: z.string() }).optional(),
  /** VCS revision of the workspace; null where there is none. */
  commit: z.string().nullable().optional(),
  /** Hash of the branch's name: a switch ends streak and caps (R1.28, R1.29). */
  branch: z.string().nullable().optional(),
});

/** What a person agreed to and when (R1.21); who it was is not stored. */
const confirmation = {
  reason: z.string(),
  confirmedBy: z.literal("human"),
  confirmationPromptHash: Digest,
  /** ISO 8601 UTC; goes into the prompt's hash. */
  confirmedAt: z.iso.datetime(),
};

const DecidedEntry = z.object({
  kind: z.literal("decided"),
  ...aboutFinding,
  decision: z.enum(["confirmed", "dismissed"]),
  authorization: z.literal("human-confirmed"),
  ...confirmation,
  /** The blind second opinion (ruling 5); null where there was none. */
  blindVerdict: z.looseObject({}).nullable(),
  /** VCS revision of the workspace; null where there is none. */
  commit: z.string().nullable(),
  branch: z.string().nullable().optional(),
  evidence: Evidence,
  regions: z.array(LoggedRegion),
});

const ReopenedEntry = z.object({ kind: z.literal("reopened"), ...aboutFinding, ...confirmation });

const WarnedEntry = z.object({
  kind: z.literal("warned"),
  /** Null where the warning is about no single finding. */
  key: z.string().nullable(),
  rule: z.string(),
  text: z.string(),
});

/** What every line has, whatever its kind: enough to check the chains of a log that a newer version wrote. */
export const Link = z.looseObject({
  v: z.number().int().min(1),
  kind: z.string(),
  /** One editor window or one command-line run (ruling 20). */
  session: z.string().min(1),
  /** Tells the chains of one session apart: another begins where the file was replaced under it, as on a branch switch. */
  chain: z.string().min(1),
  /** 1, 2, 3 ... within the chain. */
  seq: z.number().int().min(1),
  /** `hash` of the chain's record before; null for its first. */
  prev: Digest.nullable(),
  /** `hash` of the last record in the file when this one was written, of any session (ruling 24); null for an empty file. */
  after: Digest.nullable(),
  /** SHA-256 of a broken line that the writer found at the end and closed: it may stand there unread. Null otherwise. */
  torn: Digest.nullable(),
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
  /** SHA-256 of the line without this member. */
  hash: Digest,
});
export type Link = z.infer<typeof Link>;

const link = { ...Link.shape, v: z.literal(1) };

/** A line of the log. */
export const LogRecord = z.discriminatedUnion("kind", [
  z.object({ ...link, ...TriagedEntry.shape }),
  z.object({ ...link, ...DecidedEntry.shape }),
  z.object({ ...link, ...ReopenedEntry.shape }),
  z.object({ ...link, ...WarnedEntry.shape }),
]);
export type LogRecord = z.infer<typeof LogRecord>;

/** What a caller hands to the log; the log adds the link. */
export const LogEntry = z.discriminatedUnion("kind", [TriagedEntry, DecidedEntry, ReopenedEntry, WarnedEntry]);
export type LogEntry = z.infer<typeof LogEntry>;
export type TriagedEntry = z.infer<typeof TriagedEntry>;
export type DecidedEntry = z.infer<typeof DecidedEntry>;
export type ReopenedEntry = z.infer<typeof ReopenedEntry>;
export type TriagedRecord = Extract<LogRecord, { kind: "triaged" }>;

/** SHA-256 of what a person agreed to: the sentence shown, the finding, the commit and the time (R1.21). */
export function confirmationPromptHash(
  given: {
    readonly prompt: string;
    readonly key: string;
    readonly commit: string | null;
    readonly confirmedAt: string;
  },
  hash: Hash,
): string {
  return hash([given.prompt, given.key, given.commit ?? "", given.confirmedAt].join("\n"));
}

/** Who asked for a triage, in the words of R0.24; a reader also takes `tech-lead`. */
export type CompatibleCaller = "review" | "security-officer" | "qa-engineer" | "architect";

/** The row of R0.24, member for member. */
export interface CompatibleRow {
  readonly timestamp: string;
  readonly caller: CompatibleCaller;
  readonly finding_id: string;
  readonly file: string;
  readonly original_severity: string;
  readonly rounds: readonly {
    readonly round: number;
    readonly verdict: string;
    readonly crux: string;
    readonly grep_used?: boolean;
  }[];
  readonly arbiter: { readonly verdict: string | null; readonly crux: string };
  readonly confidence: number | null;
  readonly final_severity: string;
}

/**
 * A `triaged` record in the shape of R0.24. `file` is `path:line` (`path` alone without a line, empty without a file);
 * `confidence` is `validShare` with two decimals, null without a verdict; rounds that abstained are left out, as the
 * shape has no word for them.
 */
export function compatibleRow(record: TriagedRecord, caller: CompatibleCaller = "review"): CompatibleRow {
  return {
    timestamp: record.at,
    caller,
    finding_id: record.key,
    file: record.file === null ? "" : `${record.file}${record.line === null ? "" : `:${record.line}`}`,
    original_severity: record.severity,
    rounds: record.rounds.flatMap(({ n, verdict, crux, grepUsed }) =>
      verdict === null ? [] : [{ round: n, verdict, crux, ...(grepUsed === null ? {} : { grep_used: grepUsed }) }],
    ),
    arbiter: { verdict: record.arbiter?.verdict ?? null, crux: record.arbiter?.crux ?? "" },
    confidence: record.validShare === null ? null : Math.round(record.validShare * 100) / 100,
    final_severity: record.finalSeverity,
  };
}
