import { type Estimate, estimateRun, type PromptSizes, type RunPlan } from "../../core/estimate.ts";
import type { Finding } from "../../core/finding.ts";
import type { Method } from "../../core/method.ts";
import type { ModelIdentity } from "../../core/modelIdentity.ts";
import { admit, type Terms } from "../../core/policy.ts";
import type { Prompts } from "../../core/ports.ts";
import type { PromptId } from "../../core/promptIds.ts";
import type { CallQueues } from "../models/callQueue.ts";

/** What an estimate is made from. */
export interface EstimateParts {
  readonly findings: readonly Finding[];
  /** True where every severity is to be judged. */
  readonly asked: boolean;
  readonly costMode: Terms["costMode"];
  readonly method: Method;
  readonly model: ModelIdentity;
  readonly prompts: Prompts;
  readonly queues: CallQueues;
  /** Money per million tokens, by model name. */
  readonly prices: Readonly<Record<string, NonNullable<RunPlan["price"]>>>;
  readonly concurrency: number;
}

/** What triaging these findings with this model may come to. */
export function estimateFor(parts: EstimateParts): Estimate {
  const { findings, asked, costMode, method, model, prompts, queues, prices, concurrency } = parts;
  const judged = findings.filter((finding) => admit(finding, asked, costMode).kind === "triage");
  return estimateRun({
    severities: judged.map(({ severity }) => severity),
    method,
    sizes: sizesOf(prompts),
    measured: queues.measured(model.provider),
    price: Object.hasOwn(prices, model.model) ? (prices[model.model] ?? null) : null,
    concurrency,
  });
}

const BYTES_PER_TOKEN = 3;

function sizesOf(prompts: Prompts): PromptSizes {
  const size = (id: PromptId): number => {
    try {
      return Math.ceil(Buffer.byteLength(prompts(id).body) / BYTES_PER_TOKEN);
    } catch {
      // A prompt that cannot be read is told when it is asked with.
      return 0;
    }
  };
  const questions = (["round-1-premise", "round-2-defences", "round-3-missed", "arbiter"] as const).map(size);
  return {
    rules: size("rules"),
    question: questions.reduce((sum, one) => sum + one, 0) / questions.length,
    refuter: size("refute"),
    opinion: size("verdict"),
  };
}

/** An estimate in one sentence, and what it rests on. */
export function estimateWords(estimate: Estimate, model: ModelIdentity, budgetTokens: number): string {
  const { findings, calls, prompt, completion, money, durationMs, assumed } = estimate;
  const parts = [
    `about ${figure(calls)} calls of ${model.model}`,
    `${figure(prompt)} tokens of prompts and ${figure(completion)} of answers`,
    ...(money === null ? [] : [`${money.toFixed(2)} by your prices`]),
    ...(durationMs === null ? [] : [duration(durationMs)]),
  ];
  const count = `${figure(findings)} finding${findings === 1 ? "" : "s"}`;
  const cap = budgetTokens > 0 ? [`The run stops asking at ${figure(budgetTokens)} tokens.`] : [];
  return [`${count}: ${parts.join(", ")}.`, ...cap, ...assumed].join(" ");
}

function figure(value: number): string {
  return value.toLocaleString("en-US");
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
