import type { Judgement } from "../../core/judgement.ts";
import type { Model, ModelReply, ModelRequest, Usage } from "../../core/ports.ts";

/** Bytes of text that are counted as one token where a server does not count itself: on the safe side. */
const BYTES_PER_TOKEN = 3;

/** The tokens that one run may spend, over all its findings and roles. A hard cap: what would not fit is not asked. */
export interface TokenBudget {
  /** Tokens of prompts and answers together. */
  readonly limit: number;
  /** Tokens spent so far. */
  spent(): number;
  /** True once a call was turned away: nothing more is asked in this run. */
  isOver(): boolean;
  /** Takes tokens for a call that begins; the answer tells what it came to. Null where they are not there: the call must not be made. */
  take(tokens: number): ((used: number) => void) | null;
}

/** A budget of `limit` tokens. */
export function createBudget(limit: number): TokenBudget {
  let spent = 0;
  let taken = 0;
  let over = false;
  return {
    limit,
    spent: () => spent,
    isOver: () => over,
    take(tokens) {
      over ||= spent + taken + tokens > limit;
      if (over) return null;
      taken += tokens;
      return (used) => {
        taken -= tokens;
        spent += used;
        over ||= spent >= limit;
      };
    },
  };
}

/**
 * A model that asks only while its run's budget holds out. The server's own figures count; where it gives none, the bytes of
 * prompt and answer do. What is turned away fails with its reason, so that the round abstains and nobody takes it for a verdict.
 */
export function budgetModel(model: Model, budget: TokenBudget): Model {
  return {
    identity: model.identity,
    async ask<T>(request: ModelRequest<T>, signal: AbortSignal): Promise<ModelReply<T>> {
      const expected = tokensOf(request.messages.map(({ content }) => content).join("\n"));
      const settle = budget.take(expected);
      if (settle === null) return { kind: "failed", reason: overBudget(budget), usage: { prompt: 0, completion: 0 } };
      let used = expected;
      try {
        const reply = await model.ask(request, signal);
        used = usedBy(reply, expected);
        return reply;
      } finally {
        settle(used);
      }
    },
  };
}

/** Why something was not asked, for a person. */
export function overBudget({ limit }: TokenBudget): string {
  return `the budget of ${limit.toLocaleString("en-US")} tokens for this run is spent`;
}

/** True where somebody was to be asked in a judgement and was not, because the budget was spent. */
export function cutShort(
  { rounds, ruling, refutation, opinion }: Pick<Judgement, "rounds" | "ruling" | "refutation" | "opinion">,
  budget: TokenBudget,
): boolean {
  const spent = overBudget(budget);
  const others = [...rounds, ...(refutation?.refuters ?? []), ...(opinion === null ? [] : [opinion])];
  return (
    ruling?.reason?.includes(spent) === true ||
    others.some((one) => one.kind === "abstained" && one.reason.includes(spent))
  );
}

function usedBy(reply: ModelReply<unknown>, expected: number): number {
  const counted = sum(reply.usage);
  // A call that failed before it was answered cost nothing that anybody counted.
  if (counted > 0 || reply.kind === "failed") return counted;
  return expected + tokensOf(textOf(reply));
}

function textOf(reply: Exclude<ModelReply<unknown>, { kind: "failed" }>): string {
  if (reply.kind === "refused") return reply.reason;
  return reply.kind === "wants" ? reply.content + reply.calls.map(({ raw }) => raw).join("") : reply.raw;
}

function sum({ prompt, completion }: Usage): number {
  return prompt + completion;
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
