import * as z from "zod";
import { IMPACT_ASSESSMENTS, type OpinionAnswer, OPINIONS } from "./opinion.ts";
import { IMPACTS } from "./impact.ts";
import { REFUTER_CONFIDENCES } from "./refuter.ts";

const Citation = z.object({
  file: z.string(),
  line: z.int(),
  endLine: z.int(),
  quote: z.string(),
});

const shared = { crux: z.string(), reasoning: z.string(), citations: z.array(Citation) };
const wish = { needsOracle: z.string().optional() };

/** What rounds 1 and 3 answer with (R0.12). */
export const RoundReply = z.object({ verdict: z.enum(["VALID", "INVALID", "UNCERTAIN"]), ...shared, ...wish });

/** Round 2 also says whether it searched for the defences it names (R0.10). */
export const DefencesReply = z.object({ ...RoundReply.shape, grepUsed: z.boolean() });

/** The arbiter may not say UNCERTAIN (R0.13): such an answer is malformed, asked for once more, and then no decision. */
export const ArbiterReply = z.object({
  verdict: z.enum(["VALID", "INVALID"]),
  ...shared,
  impact: z
    .enum([...IMPACTS, "none"])
    .optional()
    .transform((impact) => (impact === "none" ? null : impact)),
  reach: z.string().optional(),
});

/** The arbiter's answers about several claims, each named by its id (C11). */
export const ArbitersReply = z.object({ answers: z.array(ArbiterReply.extend({ claimId: z.string() })) });

/**
 * What a server is told of the form of all four: one form, so that the head of their requests is the same and its cache hits. Every
 * member is required, so that strict servers accept it; what a question does not ask for stays empty.
 */
export const JudgeForm = z.object({
  ...RoundReply.shape,
  grepUsed: z.boolean(),
  needsOracle: z.string(),
  impact: z.enum([...IMPACTS, "none"]),
  reach: z.string(),
});

/** The form of a refuter's answer as a server is told of it (R4.8); `needsOracle` goes with the verdict `needs_oracle`. */
export const RefuterForm = z.object({
  claimId: z.string(),
  lens: z.string(),
  verdict: z.enum(["confirmed_bug", "refuted", "survives", "needs_oracle"]),
  refuted: z.boolean(),
  severity: z.enum(IMPACTS),
  confidence: z.enum(REFUTER_CONFIDENCES),
  workDone: z.boolean(),
  reReadSources: z.array(z.string()),
  evidence: z.array(z.string()),
  attack: z.string(),
  scenario: z.string(),
  needsOracle: z.string(),
});

/** What a refuter answers with: texts may be left out, but a claim that it refutes needs the attack. */
export const RefuterReply = RefuterForm.partial({ attack: true, scenario: true, needsOracle: true })
  .refine(({ refuted, attack }) => !refuted || (attack ?? "").trim() !== "", {
    path: ["attack"],
    message: "a refuted claim needs its attack",
  })
  .transform(({ attack = "", scenario = "", needsOracle = "", ...rest }) => ({
    ...rest,
    attack,
    scenario,
    needsOracle: rest.verdict === "needs_oracle" ? needsOracle : "",
  }));

/** Exactly the members of R1.11; any other, and any word of the mapping, is no answer. */
export const OpinionForm = z.strictObject({
  codex_verdict: z.enum(OPINIONS),
  impact_assessment: z.enum(IMPACT_ASSESSMENTS),
  confidence: z.number().min(0).max(1),
  evidence_refs: z.array(z.string()),
  reasoning: z.string().min(1),
});

export const OpinionReply = OpinionForm.transform((reply): OpinionAnswer => ({
  verdict: reply.codex_verdict,
  impact: reply.impact_assessment,
  verdictConfidence: reply.confidence,
  evidenceRefs: reply.evidence_refs,
  reasoning: reply.reasoning,
}));

/** The form of several answers as a server is told of it. */
export const ArbitersForm = z.object({
  answers: z.array(
    z.object({
      claimId: z.string(),
      verdict: z.enum(["VALID", "INVALID"]),
      ...shared,
      impact: z.enum([...IMPACTS, "none"]),
      reach: z.string(),
    }),
  ),
});
