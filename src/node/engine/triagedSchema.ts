import * as z from "zod";
import { CHECKER_TOOLS } from "../../core/checkerClaim.ts";
import { LENS_IDS } from "../../core/lens.ts";
import { INTENTS, STRATEGIES, VISIBILITIES } from "../../core/method.ts";
import { ARTEFACT_KINDS, IMPACT_ASSESSMENTS, MAPPED, OPINIONS } from "../../core/opinion.ts";
import { ACTIONS } from "../../core/outcome.ts";
import { IMPACTS } from "../../core/impact.ts";
import { REFUTER_CONFIDENCES } from "../../core/refuter.ts";
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
const By = z.object({ provider: z.string(), model: z.string(), family: z.string().optional() });
const Method = z.object({
  strategy: z.enum(STRATEGIES),
  visibility: z.enum(VISIBILITIES),
  intent: z.enum(INTENTS),
  refuters: z.number(),
  lenses: z.array(z.string()),
  secondOpinion: z.enum(["when-needed", "always"]),
  quietRounds: z.number(),
  earlyStop: z.boolean(),
});
const Lens = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("own"), id: z.enum(LENS_IDS) }),
  z.object({ kind: z.literal("given"), id: z.string(), text: z.string() }),
]);
const Refuter = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("counted"),
    lens: Lens,
    pass: z.number(),
    side: z.enum(["against", "for", "needs-check"]),
    stated: z.enum(["confirmed_bug", "refuted", "survives", "needs_oracle"]),
    refuterConfidence: z.enum(REFUTER_CONFIDENCES),
    impact: z.enum(IMPACTS),
    attack: z.string(),
    scenario: z.string(),
    citations: z.array(Citation),
    reReadSources: z.array(z.string()),
    note: z.string().nullable(),
    by: By.optional(),
  }),
  z.object({ kind: z.literal("abstained"), lens: Lens, pass: z.number(), reason: z.string(), attack: z.string() }),
]);
const Refutation = z.object({
  polarity: z.enum(["bug", "safe"]),
  refuters: z.array(Refuter),
  recount: z.object({
    asked: z.number(),
    counted: z.number(),
    against: z.number(),
    forClaim: z.number(),
    needsCheck: z.number(),
    threshold: z.number(),
    result: z.enum(["survives", "refuted", "undecided", "none"]),
    text: z.string(),
    dropped: z.array(z.string()),
  }),
  passes: z.number(),
  stopped: z.enum(["quiet", "angles exhausted", "refuted", "undecided", "budget"]).nullable(),
  untouched: z.array(z.string()),
});
const Opinion = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("gave"),
    intent: z.enum(INTENTS),
    thread: z.string(),
    verdict: z.enum(OPINIONS),
    stated: z.enum(OPINIONS),
    impact: z.enum(IMPACT_ASSESSMENTS),
    verdictConfidence: z.number(),
    refs: z.array(
      z.object({ text: z.string(), ok: z.boolean(), citation: Citation.nullable(), receipt: z.string().nullable() }),
    ),
    reasoning: z.string(),
    by: By,
    note: z.string().nullable(),
    rebuttal: z.array(z.object({ kind: z.enum(ARTEFACT_KINDS), source: z.string(), text: z.string() })).nullable(),
  }),
  z.object({ kind: z.literal("abstained"), intent: z.enum(INTENTS), reason: z.string(), by: By }),
]);
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
    by: By.optional(),
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
  suggests: z.object({ impact: z.enum(IMPACTS), argument: z.string() }).optional(),
  by: By.optional(),
});
const Outcome = z.object({
  action: z.enum(ACTIONS),
  severity: z.enum(SEVERITIES),
  authorization: z.enum(["none", "automated", "human-required", "human-confirmed"]),
  settledAs: z.enum(["refuted", "confirmed"]).nullable(),
  proposesDismissal: z.boolean(),
  because: z.array(z.object({ rule: z.string(), text: z.string() })),
  next: z.string(),
  mapped: z.enum(MAPPED).nullable().default(null),
  bar: z.object({ confidence: z.number(), refs: z.number(), heightened: z.boolean() }).optional(),
  severitySuggestion: z
    .object({ to: z.enum(SEVERITIES), why: z.string() })
    .nullable()
    .default(null),
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

const LedgerRow = z.object({
  role: z.string(),
  model: By.nullable(),
  calls: z.number(),
  prompt: z.number(),
  completion: z.number(),
  cached: z.number(),
});

/** A finished triage as the journal keeps it; whatever does not fit is as good as absent. */
export const TriagedEntry: z.ZodType<Triaged> = z.object({
  key: z.string(),
  twinOf: z.string().optional(),
  checks: z.array(Check),
  method: Method.nullable().default(null),
  rounds: z.array(Round),
  vote: Vote.nullable(),
  ruling: Ruling.nullable(),
  refutation: Refutation.nullable().default(null),
  opinion: Opinion.nullable().default(null),
  asked: z.array(Check).default([]),
  reductions: z.array(z.string()).default([]),
  outcome: Outcome,
  receipts: z.array(Receipt),
  regions: z.array(Region),
  reviewer: By.nullable(),
  calls: z.number(),
  tokens: z.object({ prompt: z.number(), completion: z.number() }),
  ledger: z.array(LedgerRow).default([]),
});
