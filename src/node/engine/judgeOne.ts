import type { Finding } from "../../core/finding.ts";
import type { Artefact } from "../../core/opinion.ts";
import type { Terms } from "../../core/policy.ts";
import type { EvidenceBudget, Reviewer } from "../../core/reviewer.ts";
import { rebut, triage, type Triaged, type TriageEvent, type TriagePorts } from "../../core/triage.ts";
import { judgeTwin } from "../../core/twin.ts";
import { overBudget, type TokenBudget } from "../models/budget.ts";
import { advance, type Entry, STARTED } from "./entry.ts";
import type { History } from "./history.ts";
import type { Judgements, RunMethod } from "./judgements.ts";
import type { Recall } from "./recallingReviewer.ts";
import { aroundAnswers } from "./roles.ts";
import { isTold } from "./sameJudgement.ts";

/** What judging findings of one workspace folder works with; who judges, and how, is each run's own. */
export interface JudgingOptions extends Omit<TriagePorts, "reviewer" | "method" | "urgency" | "budget"> {
  readonly history: History;
  /** Answers of earlier runs; left out: none are remembered. */
  readonly judgements?: Judgements | undefined;
  budget(): EvidenceBudget;
  entry(key: string): Entry | undefined;
  readonly update: (key: string, change: (entry: Entry) => Entry) => void;
  log(level: "debug" | "info" | "warning" | "error", text: string): void;
}

/** One finding with its exact cluster, on its way. */
export interface One {
  readonly asked: boolean;
  readonly by: RunMethod & { readonly reviewer: Reviewer; readonly budget: TokenBudget | null };
  readonly key: string;
  readonly members: readonly string[];
  readonly urgency: number;
  /** Called when its checks and its pack are there. */
  readonly prepared: () => void;
  /** Keys whose last judgement the log does not hold, because it could not be written. */
  readonly unwritten: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * Judges a finding and then its duplicates; each is on disk and shown before the next begins. False where the run's budget was spent
 * before anybody had answered: nothing is recorded then.
 */
export async function runOne(one: One, all: JudgingOptions): Promise<boolean> {
  const { key, members, asked, signal, unwritten } = one;
  const first = all.entry(key)?.finding;
  if (first === undefined) return true;
  // One verdict is held to one bar, however many duplicates it is applied to.
  const { heightened, braked } = all.terms(first);
  const options = { ...all, terms: (finding: Finding): Terms => ({ ...all.terms(finding), heightened, braked }) };
  const judged = await judgeOne(first, members, one, options);
  if (judged === null) return false;
  const { result, served, loose } = judged;
  for (const member of members.filter((other) => other !== key)) {
    const twin = options.entry(member)?.finding;
    if (twin === undefined) continue;
    // Its own checks and severity decide: a cluster masks names, and a check on one name says nothing about another.
    const own = await judgeTwin(twin, asked, result, options, signal);
    // Answers that were good for keeping the first are good for no more than that.
    const stands = own === null || own.method === null || !loose || own.outcome.action === "keep";
    if (own !== null && stands) await save(member, own, { served: own.method !== null && served, unwritten }, options);
    else if ((await judgeOne(twin, [member], one, options)) === null && one.by.budget !== null)
      leave([member], one.by.budget, options);
  }
  return true;
}

/** Puts an objection against a finding's second opinion (R1.25). What was contested is not served again. */
export async function objectTo(
  { finding, triaged }: Entry,
  artefacts: readonly Artefact[],
  { by, urgency, unwritten, signal }: Pick<One, "urgency" | "unwritten" | "signal"> & { by: Omit<One["by"], "budget"> },
  options: JudgingOptions,
): Promise<void> {
  if (triaged === null) return;
  const ports = { ...options, ...by, urgency, budget: options.budget() };
  const result = await rebut(finding, triaged, artefacts, ports, showOn([finding.key], options), signal);
  await save(finding.key, result, { served: false, unwritten }, options);
  await options.judgements?.forget(finding, by);
}

/** Judges one finding, with what is remembered of it, and saves it; what happens on the way is shown on `shownOn`. */
async function judgeOne(
  finding: Finding,
  shownOn: readonly string[],
  one: One,
  options: JudgingOptions,
): Promise<{ readonly result: Triaged; readonly served: boolean; readonly loose: boolean } | null> {
  const { asked, by, urgency, prepared, signal } = one;
  const judge = async (recall: Recall | null): Promise<Triaged> => {
    const called = calledFirst(recall?.reviewer ?? by.reviewer, prepared);
    const ports = { ...options, reviewer: called, method: by.method, urgency, budget: options.budget() };
    return await triage(finding, asked, ports, showOn(shownOn, options), signal);
  };
  const { judgements } = options;
  let recall = (await judgements?.recall(finding, by.reviewer, by)) ?? null;
  let result = await judge(recall);
  if (judgements !== undefined && recall !== null && !recall.stands(result)) {
    for (const key of shownOn) options.update(key, (now) => ({ ...now, progress: STARTED }));
    recall = await judgements.recall(finding, by.reviewer, { ...by, fresh: true });
    result = await judge(recall);
  }
  signal.throwIfAborted();
  if (by.budget?.isOver() === true && nobodyAnswered(result)) return null;
  const served = recall?.served() ?? false;
  await save(finding.key, result, { served, unwritten: one.unwritten }, options);
  if (recall !== null) {
    // It is on disk: whatever goes wrong from here costs a question in a later run, and undoes nothing.
    await judgements
      ?.keep(finding, result, recall, by)
      .catch((error: unknown) => options.log("debug", `A judgement was not kept for later runs: ${String(error)}`));
  }
  return { result, served, loose: recall?.isLoose() ?? false };
}

/** True where somebody was to be asked and nobody gave an answer, nor spent a token on trying. */
function nobodyAnswered({ method, rounds, refutation, ruling, opinion, ledger }: Triaged): boolean {
  const said =
    rounds.some(({ kind }) => kind === "counted") ||
    (refutation?.refuters ?? []).some(({ kind }) => kind === "counted") ||
    (ruling?.verdict ?? null) !== null ||
    opinion?.kind === "gave";
  return (
    method !== null && !said && ledger.every(({ prompt, completion, cached }) => prompt + completion + cached === 0)
  );
}

/** Findings that are not begun stay as they were, and say why (R4.23). */
export function leave(
  members: readonly string[],
  budget: TokenBudget,
  { update }: Pick<JudgingOptions, "update">,
): void {
  const notice = `Not triaged: ${overBudget(budget)}.`;
  for (const key of members) update(key, (now) => ({ ...now, progress: null, notice }));
}

/** The reviewer, with a word to whoever waits for the first question to it: until then the finding was prepared. */
function calledFirst(reviewer: Reviewer, called: () => void): Reviewer {
  return aroundAnswers(reviewer, async (_role, task, _shape, give) => {
    called();
    return await give(task);
  });
}

/** Shows what happens in a triage on some entries, as it happens. */
function showOn(keys: readonly string[], options: JudgingOptions): (event: TriageEvent) => void {
  return (event) => {
    for (const key of keys) {
      options.update(key, (now) => (now.progress === null ? now : { ...now, progress: advance(now.progress, event) }));
    }
  };
}

/** On disk first, shown as done after. */
async function save(
  key: string,
  triaged: Triaged,
  { served, unwritten }: { readonly served: boolean; readonly unwritten: Set<string> },
  options: JudgingOptions,
): Promise<void> {
  const entry = options.entry(key);
  if (entry === undefined) return;
  if (served && !unwritten.has(key) && isTold(entry, triaged)) {
    // A second record would tell of a judgement that nobody made.
    return options.update(key, (now) => ({ ...now, triaged, progress: null, staleReason: null, notice: null }));
  }
  options.update(key, (now) =>
    now.progress === null ? now : { ...now, progress: { ...now.progress, stage: { kind: "saving" } } },
  );
  const written = await options.history.triaged(entry.finding, triaged);
  if (written.kind === "failed") unwritten.add(key);
  else unwritten.delete(key);
  const notice = written.kind === "failed" ? `The result could not be written to the log: ${written.why}` : null;
  // A decision that the code outgrew ends here: what was judged anew is decided anew.
  options.update(key, (now) => ({ ...now, triaged, progress: null, staleReason: null, decided: null, notice }));
}
