import type { Severity } from "./finding.ts";
import type { Method } from "./method.ts";

/** Tokens of what a role is told, one token for three bytes. */
export interface PromptSizes {
  /** The rules, which open every conversation. */
  readonly rules: number;
  /** The question of one round or of the arbiter, on average. */
  readonly question: number;
  readonly refuter: number;
  readonly opinion: number;
}

/** What calls of the model came to in this session, on average. */
export interface Measured {
  readonly latencyMs: number;
  readonly prompt: number;
  readonly completion: number;
}

export interface RunPlan {
  /** Severities of the findings that would be asked about; checks may settle some of them for nothing. */
  readonly severities: readonly Severity[];
  readonly method: Method;
  readonly sizes: PromptSizes;
  /** Null where nothing has been measured in this session. */
  readonly measured: Measured | null;
  /** Money for a million tokens; null where the person has set none for this model. */
  readonly price: { readonly prompt: number; readonly completion: number } | null;
  /** Calls at the same time. */
  readonly concurrency: number;
}

/** What a run may come to, before it starts. */
export interface Estimate {
  readonly findings: number;
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
  /** In the person's own currency; null without prices. */
  readonly money: number | null;
  /** Null where no latency has been measured. */
  readonly durationMs: number | null;
  /** What the figures rest on, one sentence each. */
  readonly assumed: readonly string[];
}

/** What a finding usually takes, where nothing has been measured. The one place these numbers stand. */
export const TYPICAL = {
  /** Tokens of a packet: claim, code, pack, diff. */
  packet: 1800,
  /** Tokens that each round adds for those who are told of it. */
  round: 300,
  /** Tokens of an answer. */
  answer: 350,
  /** Replies for each answer: a model asks for evidence before every other one. */
  turns: 1.5,
} as const;

/** Calls, tokens, money and time of a run, worked out before anything is asked (R0.27, R4.23). */
export function estimateRun(plan: RunPlan): Estimate {
  const { severities, method, measured, price, concurrency } = plan;
  const parts = severities.map((severity) => asks(severity, method, plan.sizes));
  const total = (of: (part: Asks) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
  const answers = total((part) => part.answers);
  const calls = Math.ceil(answers * TYPICAL.turns);
  const prompt = Math.ceil(measured === null ? total((part) => part.prompt) * TYPICAL.turns : calls * measured.prompt);
  const completion = Math.ceil(calls * (measured?.completion ?? TYPICAL.answer));
  return {
    findings: severities.length,
    calls,
    prompt,
    completion,
    money: price === null ? null : (prompt * price.prompt + completion * price.completion) / 1_000_000,
    durationMs: measured === null ? null : Math.ceil((calls * measured.latencyMs) / Math.max(1, concurrency)),
    assumed: assumptions(plan),
  };
}

interface Asks {
  readonly answers: number;
  /** Tokens of the first request of each. */
  readonly prompt: number;
}

/** Who is asked about one finding, if everybody is. */
function asks(severity: Severity, method: Method, sizes: PromptSizes): Asks {
  const head = sizes.rules + TYPICAL.packet;
  const opinion = { answers: 1, prompt: head + sizes.opinion };
  if (method.strategy === "verdict") return opinion;
  const judged =
    method.strategy === "refute" ? refuters(method, head + sizes.refuter) : rounds(method, head + sizes.question);
  // Where a P0 or P1 would be dismissed, one more is asked; half of them is a guess that no one should rely on.
  const more = method.secondOpinion === "always" ? 1 : severity === "P0" || severity === "P1" ? 0.5 : 0;
  return { answers: judged.answers + more, prompt: judged.prompt + more * opinion.prompt };
}

function rounds({ visibility }: Method, head: number): Asks {
  // Rounds 2 and 3 hear of 1 and 2 rounds, the arbiter of three.
  const told = (visibility === "sequential" ? 1 + 2 : 0) + 3;
  return { answers: 4, prompt: 4 * head + told * TYPICAL.round };
}

function refuters({ refuters: wanted, quietRounds }: Method, head: number): Asks {
  const answers = wanted * (1 + quietRounds);
  return { answers, prompt: answers * head };
}

function assumptions({ measured, price, method }: RunPlan): readonly string[] {
  const { strategy, secondOpinion } = method;
  return [
    measured === null
      ? "No call has been measured in this session: sizes are those of a usual finding, and the time is unknown."
      : "Sizes and times are those of this session's own calls.",
    "A model that asks for much evidence needs more; what checks settle, and what was judged before, needs nothing.",
    ...(strategy !== "verdict" && secondOpinion === "when-needed"
      ? ["Half of the P0 and P1 findings are taken to need a second opinion."]
      : []),
    ...(price === null ? ["No price is set for this model (skepticalTriage.prices)."] : []),
  ];
}
