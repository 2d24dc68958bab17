import * as z from "zod";
import { ArbiterReply, RoundReply } from "../../core/answers.ts";
import type { ArbiterAnswer } from "../../core/reviewer.ts";
import type { Answer } from "../../core/round.ts";

/** What a round gave, as the cache keeps it; its citations are re-read whenever it is used. */
export const RoundGiven: z.ZodType<Answer> = z.object({ ...RoundReply.shape, grepUsed: z.boolean().exactOptional() });

/** What the arbiter gave, as the cache keeps it. */
export const ArbiterGiven: z.ZodType<ArbiterAnswer> = ArbiterReply;
