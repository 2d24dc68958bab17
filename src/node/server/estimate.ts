import type { ModelIdentity } from "../../core/modelIdentity.ts";
import type { Prompts } from "../../core/ports.ts";
import type { EstimateRunResult, RunTriageParams, WorkerSettings } from "../../protocol/worker.ts";
import { methodOf } from "../../core/method.ts";
import { estimateFor, estimateWords } from "../engine/estimateRun.ts";
import { stateOf } from "../engine/entry.ts";
import type { CallQueues } from "../models/callQueue.ts";
import { usualMethod } from "./folders.ts";
import { wantedKeys } from "./runs.ts";
import type { WorkerSession } from "./session.ts";

const NOTHING: EstimateRunResult = {
  findings: 0,
  model: null,
  calls: 0,
  prompt: 0,
  completion: 0,
  money: null,
  durationMs: null,
  text: "No model is asked: the built-in reviewer answers, and it costs nothing.",
  asks: false,
};

/** Answers `estimateRun`: nothing is asked of anyone, and nothing leaves the machine. */
export function answerEstimate(
  session: WorkerSession,
  params: RunTriageParams,
  { prompts, queues }: { readonly prompts: Prompts; readonly queues: CallQueues },
): EstimateRunResult {
  const { settings } = session;
  const model = plannedModel(settings, session.options.trusted);
  if (model === null) return NOTHING;
  const { byFolder } = wantedKeys(session, params);
  const findings = [...byFolder].flatMap(([folder, keys]) =>
    keys.flatMap((key) => {
      const entry = folder.engine.entry(key);
      return entry === undefined || stateOf(entry) === "decided" ? [] : [entry.finding];
    }),
  );
  const estimate = estimateFor({
    findings,
    asked: params.kind !== "open",
    costMode: settings.costMode,
    method: methodOf(usualMethod(settings), params.how),
    model,
    prompts,
    queues,
    prices: settings.prices,
    concurrency: settings.concurrency,
  });
  const { findings: count, calls, prompt, completion, money, durationMs } = estimate;
  const limit = settings.confirmAboveTokens;
  return {
    findings: count,
    model: model.model,
    calls,
    prompt,
    completion,
    money,
    durationMs,
    text: estimateWords(estimate, model, settings.budgetTokens),
    asks: limit > 0 && prompt + completion > limit,
  };
}

/** Who would judge by the settings, before anybody has agreed to it; null for the built-in reviewer. */
function plannedModel(settings: WorkerSettings, trusted: boolean): ModelIdentity | null {
  const { model, serverUrl, serverModel, editorModel } = settings;
  if (!trusted || model === "built-in") return null;
  if (model === "editor") return { provider: "editor", model: editorModel === "" ? "the editor's model" : editorModel };
  const origin = URL.parse(serverUrl)?.origin;
  return origin === undefined || serverModel === "" ? null : { provider: origin, model: serverModel };
}
