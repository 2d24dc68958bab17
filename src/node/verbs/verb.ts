import type { ZodType } from "zod";
import type { CallOf, VerbCalls, VerbName } from "../../core/ports.ts";
import type { VerbContext, VerbResult } from "./receipt.ts";

/** A member of a call as models see it. */
export interface Member {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
}

/** One verb: what models call it, what it takes, and what it does. A file of this folder exports one; `table.ts` names it. */
export interface Verb<V extends VerbName> {
  /** The function name that models are offered, then other names that are understood. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  /** All members, each required of a model; `arguments` may forgive what has an obvious meaning. */
  readonly members: Readonly<Record<keyof VerbCalls[V], Member>>;
  readonly arguments: ZodType<CallOf<V>>;
  /** Never throws but for cancellation: what went wrong stands in the result's `error`. */
  readonly run: (call: CallOf<V>, context: VerbContext, signal: AbortSignal) => Promise<VerbResult>;
}

/** Parses the members of a call into the call itself. */
export function callTo<V extends VerbName>(verb: V, members: ZodType<VerbCalls[V]>): ZodType<CallOf<V>> {
  return members.transform((given) => ({ verb, ...given }));
}
