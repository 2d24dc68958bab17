import * as z from "zod";
import type { Region } from "../../core/regions.ts";
import { callFromEntry } from "../models/verbCalls.ts";
import type { Lookup } from "./lookedAt.ts";

const Identity = z.object({ provider: z.string(), model: z.string(), family: z.string().exactOptional() });
const KeptRegion: z.ZodType<Region> = z.object({
  role: z.enum(["flagged", "cited"]),
  file: z.string(),
  line: z.number(),
  endLine: z.number(),
  hash: z.string(),
});
/** A call of a verb, read by today's verbs. */
const KeptCall = z.looseObject({ verb: z.string() }).transform((entry, context) => {
  const { call } = callFromEntry("kept", entry);
  if (call !== null) return call;
  context.addIssue({ code: "custom", message: "no such verb any more" });
  return z.NEVER;
});
const KeptLookup = z.union([
  z.object({ kind: z.literal("lines"), call: KeptCall, region: KeptRegion }),
  z.object({ kind: z.literal("output"), call: KeptCall, print: z.string() }),
]);

/** The answers of one judgement of one finding, and what they rest on. Votes, citations and outcome are worked out anew. */
export const KeptJudgement = z.object({
  /** Print of all prompts. */
  prompts: z.string(),
  /** Who answered where an answer names nobody else. */
  reviewer: Identity,
  /** All who could have been asked. */
  models: z.array(Identity),
  /** True where the outcome kept the finding as it was: another model need not find that again. */
  upheld: z.boolean(),
  regions: z.array(KeptRegion),
  /** Print of what was put before the reviewer; null for a finding that was upheld. */
  shown: z.string().nullable(),
  /** By role, in the form of the role. */
  answers: z.record(
    z.string(),
    z.object({ answer: z.unknown(), by: Identity.nullable(), lookups: z.array(KeptLookup) }),
  ),
});
export type KeptJudgement = z.output<typeof KeptJudgement>;

/** A lookup as `lookedAt` wants it; null where a call of another verb stands beside lines. */
export function lookupOf(kept: z.output<typeof KeptLookup>): Lookup | null {
  if (kept.kind === "output") return kept;
  const { call, region } = kept;
  return call.verb === "read" ? { kind: "lines", call, region } : null;
}
