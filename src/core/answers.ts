import * as z from "zod";

const Citation = z.object({
  file: z.string(),
  line: z.int(),
  endLine: z.int(),
  quote: z.string(),
});

const shared = { crux: z.string(), reasoning: z.string(), citations: z.array(Citation) };

/** What rounds 1 and 3 answer with (R0.12). Every member is required, so that strict servers accept the schema. */
export const RoundReply = z.object({ verdict: z.enum(["VALID", "INVALID", "UNCERTAIN"]), ...shared });
export type RoundReply = z.infer<typeof RoundReply>;

/** Round 2 also says whether it searched for the defences it names (R0.10). */
export const DefencesReply = z.object({ ...RoundReply.shape, grepUsed: z.boolean() });

/** The arbiter may not say UNCERTAIN (R0.13): such an answer is malformed, asked for once more, and then no decision. */
export const ArbiterReply = z.object({ verdict: z.enum(["VALID", "INVALID"]), ...shared });
export type ArbiterReply = z.infer<typeof ArbiterReply>;
