import * as z from "zod";
import { RefuterForm } from "../../core/answers.ts";
import { IMPACTS } from "../../core/impact.ts";
import { IMPACT_ASSESSMENTS, type OpinionAnswer, OPINIONS } from "../../core/opinion.ts";
import type { RefuterAnswer } from "../../core/refuter.ts";
import type { ArbiterAnswer } from "../../core/reviewer.ts";
import type { Answer } from "../../core/round.ts";

// Answers as the core takes them from a reviewer, so that the cache can give them once more. Citations are re-read then.

const Citation = z.object({ file: z.string(), line: z.number(), endLine: z.number(), quote: z.string() });
const said = { crux: z.string(), reasoning: z.string(), citations: z.array(Citation) };

export const RoundGiven: z.ZodType<Answer> = z.object({
  verdict: z.enum(["VALID", "INVALID", "UNCERTAIN"]),
  ...said,
  grepUsed: z.boolean().exactOptional(),
  needsOracle: z.string().optional(),
});

export const ArbiterGiven: z.ZodType<ArbiterAnswer> = z.object({
  verdict: z.enum(["VALID", "INVALID"]),
  ...said,
  impact: z.enum(IMPACTS).nullish(),
  reach: z.string().exactOptional(),
});

export const RefuterGiven: z.ZodType<RefuterAnswer> = RefuterForm;

export const OpinionGiven: z.ZodType<OpinionAnswer> = z.object({
  verdict: z.enum(OPINIONS),
  impact: z.enum(IMPACT_ASSESSMENTS),
  verdictConfidence: z.number(),
  evidenceRefs: z.array(z.string()),
  reasoning: z.string(),
});
