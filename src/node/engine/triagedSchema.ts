import * as z from "zod";
import { CHECKER_TOOLS } from "../../core/checkerClaim.ts";
import { ACTIONS } from "../../core/outcome.ts";
import { SEVERITIES } from "../../core/finding.ts";
import type { Triaged } from "../../core/triage.ts";

const Verdict = z.enum(["VALID", "INVALID", "UNCERTAIN"]);
const Final = z.enum(["VALID", "INVALID"]);
const N = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const Question = z.enum(["premise", "defences", "missed"]);
const Citation = z.object({
  file: z.string(),
  line: z.number(),
  endLine: z.number(),
  quote: z.string(),
  ok: z.boolean(),
  shown: z.string(),
  note: z.string().nullable(),
});
const CheckerClaim = z.object({
  tool: z.enum(CHECKER_TOOLS).nullable(),
  role: z.enum(["types", "lint", "compile"]),
  says: z.enum(["forbids", "enforces", "reports", "fails", "syntax", "compile"]),
  code: z.string().nullable(),
  strict: z.boolean(),
});
const Atom = z.object({
  id: z.number(),
  kind: z.enum(["checker", "structural", "attribution", "behaviour", "judgement"]),
  claimClass: z.number().nullable(),
  text: z.string(),
  weight: z.boolean(),
  subject: z.string().nullable(),
  checker: CheckerClaim.optional(),
});
const Check = z.object({
  check: z.string(),
  atom: Atom.nullable(),
  verdict: z.enum(["refuted", "confirmed", "inapplicable", "unknown"]),
  text: z.string(),
  citations: z.array(Citation),
  receipts: z.array(z.string()),
  notice: z
    .object({
      claimClass: z.literal([15, 16, 17, 18, 19, 20]),
      does: z.enum(["route", "demote", "escalate", "tell"]),
    })
    .optional(),
  proposal: z.object({ line: z.string(), argv: z.array(z.string()), cwd: z.string(), why: z.string() }).optional(),
});
const Round = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("counted"),
    n: N,
    question: Question,
    verdict: Verdict,
    stated: Verdict,
    crux: z.string(),
    reasoning: z.string(),
    citations: z.array(Citation),
    grepUsed: z.boolean().nullable(),
    note: z.string().nullable(),
  }),
  z.object({ kind: z.literal("abstained"), n: N, question: Question, reason: z.string() }),
]);
const Vote = z.object({
  counted: z.number(),
  valid: z.number(),
  invalid: z.number(),
  uncertain: z.number(),
  validShare: z.number().nullable(),
  unanimous: Verdict.nullable(),
  dropped: z.array(z.string()),
});
const Ruling = z.object({
  verdict: Final.nullable(),
  crux: z.string(),
  reasoning: z.string(),
  citations: z.array(Citation),
  overrideRejected: z.boolean(),
  reason: z.string().nullable(),
});
const Outcome = z.object({
  action: z.enum(ACTIONS),
  severity: z.enum(SEVERITIES),
  authorization: z.enum(["none", "automated", "human-required", "human-confirmed"]),
  settledAs: z.enum(["refuted", "confirmed"]).nullable(),
  proposesDismissal: z.boolean(),
  because: z.array(z.object({ rule: z.string(), text: z.string() })),
  next: z.string(),
});
const Receipt = z.object({
  id: z.string(),
  verb: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  exitCode: z.number().nullable(),
  durationMs: z.number(),
  outputHash: z.string(),
  truncated: z.boolean(),
  lines: z.array(z.string()),
  by: z.string(),
});
const Region = z.object({
  role: z.enum(["flagged", "cited"]),
  file: z.string(),
  line: z.number(),
  endLine: z.number(),
  hash: z.string(),
});

/** A finished triage as the journal keeps it; whatever does not fit is as good as absent. */
export const TriagedEntry: z.ZodType<Triaged> = z.object({
  key: z.string(),
  checks: z.array(Check),
  rounds: z.array(Round),
  vote: Vote.nullable(),
  ruling: Ruling.nullable(),
  outcome: Outcome,
  receipts: z.array(Receipt),
  regions: z.array(Region),
  reviewer: z.object({ provider: z.string(), model: z.string() }).nullable(),
  calls: z.number(),
  tokens: z.object({ prompt: z.number(), completion: z.number() }),
});
