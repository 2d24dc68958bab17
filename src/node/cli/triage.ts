import type { Prompts } from "../../core/ports.ts";
import { type Finding, SEVERITIES } from "../../core/finding.ts";
import { FEWEST_REFUTERS } from "../../core/refuter.ts";
import type { Reviewer } from "../../core/reviewer.ts";
import { type Entry, isOpen, stateOf } from "../engine/entry.ts";
import { type EstimateParts, estimateFor, estimateWords } from "../engine/estimateRun.ts";
import { sha256 } from "../hash.ts";
import { markdownReport } from "../report/markdown.ts";
import { refutationResult } from "../report/refutation.ts";
import { triageRecord } from "../report/rows.ts";
import { sarifReport } from "../report/sarif.ts";
import { type Paint, paintFor, summaryLines, triagedBlock, unreadLine } from "../report/text.ts";
import { placeWords, stageWords } from "../report/words.ts";
import { openProbeFile, probeFilePath } from "../models/probeFile.ts";
import { createReviewer, keyFromEnvironment, type ReviewerChoice } from "../reviewers.ts";
import { createBudget, cutShort } from "../models/budget.ts";
import { createCallQueues } from "../models/callQueue.ts";
import { compareEntries } from "../server/listing.ts";
import { EXIT, exitCodeOf } from "./exit.ts";
import { openSink, type Sink, type Streams } from "./output.ts";
import type { TriageCommand } from "./triageArguments.ts";
import { type CliWorkspace, CONCURRENCY, openWorkspace } from "./workspace.ts";

/** Longest silence of a model server on the command line, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;

/** `triage FILE…`: each finding as soon as it is decided, then the counts. The signal cancels what runs. */
export async function runTriage(
  command: TriageCommand,
  prompts: Prompts,
  version: string,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const say = (text: string): void => void streams.stderr.write(`${text}\n`);
  const printer: { changed: (key: string | null) => void } = { changed: () => undefined };
  const workspace = await openWorkspace(command, {
    history: command.log,
    checkers: command.checkers !== null,
    prompts,
    method: command.method,
    untouchable: command.untouchable,
    costMode: command.costMode,
    warn: onceEach(say),
    tell: say,
    changed: (key) => printer.changed(key),
  });
  if (workspace === null) {
    say(`There is no folder ${command.workspace}.`);
    return EXIT.usage;
  }
  const { engine } = workspace;
  await acceptLines(command, workspace);
  if (command.method.strategy === "refute" && command.method.refuters < FEWEST_REFUTERS)
    say("One refuter is never a verdict: what it says is shown, and a person decides (R4.4).");
  for (const problem of command.log ? await engine.restore() : []) say(problem);
  const loaded = await engine.loadReviews(command.files.map((file) => workspace.resolve(file)));
  for (const row of engine.unread()) say(unreadLine(row));
  const all = [...engine.entries()].sort(bySeverity);
  const chosen = all.slice(0, command.mostFindings ?? all.length);
  const sink = openSink(command.out, streams);
  const paint = paintFor(command.out === null ? streams.stdout : {}, process.env);
  const shown = printAsDecided(engine, chosen.length, command, { streams, sink, paint });
  printer.changed = shown.changed;
  const tally = await runAll(workspace, chosen, command, prompts, say, signal);
  shown.rest(chosen);
  const left = tellLeft(all.length - chosen.length, command, workspace, say);
  const entries = engine.entries();
  const problem = finish(entries, workspace, command, version, sink, paint);
  const advice = workspace.advice();
  if (advice !== null && command.format !== "text") say(advice);
  if (problem !== null) say(problem);
  return exitCodeOf({
    inputError: problem !== null || loaded.some((review) => review.problem !== null),
    notTriaged: tally > 0 || left > 0 || entries.some(isIncomplete) || engine.unread().some((row) => row.severityWord),
    open: entries.some(
      (entry) => isOpen(entry) && (entry.finding.severity === "P0" || entry.finding.severity === "P1"),
    ),
  });
}

/** Prints each finding once, as soon as it is decided; `rest` prints those that were decided before. */
function printAsDecided(
  engine: CliWorkspace["engine"],
  total: number,
  command: TriageCommand,
  { streams, sink, paint }: { readonly streams: Streams; readonly sink: Sink; readonly paint: Paint },
): { readonly changed: (key: string | null) => void; readonly rest: (entries: readonly Entry[]) => void } {
  const shown = new Set<string>();
  const progress = progressLine(streams, total);
  const print = (key: string): void => {
    const entry = engine.entry(key);
    if (entry?.triaged == null || shown.has(key)) return;
    shown.add(key);
    printEntry(entry, command, sink, paint);
  };
  return {
    changed: (key) => {
      const entry = key === null ? undefined : engine.entry(key);
      if (entry === undefined) return;
      progress.show(shown.size, entry);
      if (entry.progress !== null || entry.triaged === null) return;
      progress.clear();
      print(entry.finding.key);
    },
    rest: (entries) => {
      progress.clear();
      for (const { finding } of entries) print(finding.key);
    },
  };
}

/** What the person typed counts to the letter: a line that nothing would run does nothing. */
async function acceptLines({ checkers }: TriageCommand, workspace: CliWorkspace): Promise<void> {
  for (const line of checkers?.accept ?? [])
    await workspace.checkers?.consent.accept(line, checkers?.remember === true);
}

/** What was not done: lines without a person's word, findings over the limit. */
function tellLeft(
  left: number,
  command: TriageCommand,
  { checkers }: CliWorkspace,
  say: (text: string) => void,
): number {
  for (const { line, why } of checkers?.consent.proposals() ?? [])
    say(`Not run without your word: ${line}\n  ${why} To run it: --accept with exactly that line.`);
  if (left > 0) say(`${left} finding${left === 1 ? "" : "s"} left out by --max-findings ${command.mostFindings}.`);
  return left;
}

/** Runs every chosen finding; decided ones keep what a person said. Resolves to the number that were not triaged. */
async function runAll(
  workspace: CliWorkspace,
  chosen: readonly Entry[],
  command: TriageCommand,
  prompts: Prompts,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const { engine } = workspace;
  const { budgetTokens, fresh } = command;
  const limits = { fresh, budget: budgetTokens === null ? null : createBudget(budgetTokens) };
  const choice = choiceOf(command);
  const queues = createCallQueues(() => CONCURRENCY, workspace.now);
  const reviewer = createReviewer(choice, {
    ...limits,
    repository: workspace.repository,
    structures: workspace.structures,
    mask: workspace.mask,
    hash: sha256,
    now: workspace.now,
    prompts,
    probeCache: openProbeFile(probeFilePath(), workspace.now),
    store: workspace.store,
    queues,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    log: (level, text) => {
      if (level === "warn") say(text);
    },
    batchArbiter: command.batchArbiter,
    record: command.record,
  });
  const findings = chosen.filter((entry) => stateOf(entry) !== "decided").map(({ finding }) => finding);
  if (choice.kind === "server") say(estimateOf(findings, command, reviewer, { prompts, queues }));
  const keys = findings.map(({ key }) => key);
  const cancel = (): void => void engine.cancel(null);
  signal.addEventListener("abort", cancel);
  const run = await engine.triage(
    keys,
    command.all,
    reviewer,
    // A recording needs every request; those whose replies are kept still cost no call.
    { fresh: fresh || command.record !== null },
    limits.budget,
  );
  const tally = await run.finished;
  signal.removeEventListener("abort", cancel);
  for (const { key, why } of run.refused) say(`${placeOf(engine.entry(key))}${why}`);
  for (const { finding, notice } of engine.entries()) if (notice !== null) say(`${placeWords(finding)}: ${notice}`);
  if (limits.budget?.isOver() === true)
    say(
      `The budget of ${budgetTokens} tokens is spent: ${tally.left} of ${keys.length} findings were not begun, and others may lack a round.`,
    );
  const cut = keys.filter((key) => {
    const triaged = engine.entry(key)?.triaged ?? null;
    return limits.budget !== null && triaged !== null && cutShort(triaged, limits.budget);
  });
  return tally.failed + tally.cancelled + tally.left + run.refused.length + cut.length;
}

function placeOf(entry: Entry | undefined): string {
  return entry === undefined ? "" : `${placeWords(entry.finding)}: `;
}

/** What a run may come to, told before it starts. */
function estimateOf(
  findings: readonly Finding[],
  command: TriageCommand,
  { identity }: Reviewer,
  parts: Pick<EstimateParts, "prompts" | "queues">,
): string {
  const how = { asked: command.all, costMode: command.costMode, method: command.method };
  const estimate = estimateFor({ ...parts, ...how, findings, model: identity, prices: {}, concurrency: CONCURRENCY });
  return estimateWords(estimate, identity, command.budgetTokens ?? 0);
}

function choiceOf(command: TriageCommand): ReviewerChoice {
  const { model, modelName } = command;
  if (model === "built-in") return { kind: "built-in" };
  if (model.startsWith("replay:")) return { kind: "replay", file: model.slice("replay:".length) };
  return { kind: "server", url: model, model: modelName ?? "", apiKey: keyFromEnvironment(model, process.env) };
}

function printEntry(entry: Entry, command: TriageCommand, sink: Sink, paint: Paint): void {
  if (entry.triaged === null) return;
  if (command.format === "jsonl") sink.write(`${JSON.stringify(triageRecord(entry.finding, entry.triaged))}\n`);
  if (command.format === "text") sink.write(`${triagedBlock(entry, entry.triaged, paint)}\n\n`);
}

function finish(
  entries: readonly Entry[],
  { engine, advice }: CliWorkspace,
  command: TriageCommand,
  version: string,
  sink: Sink,
  paint: Paint,
): string | null {
  const sorted = [...entries].sort(compareEntries);
  if (command.format === "md") sink.write(markdownReport(sorted, engine.unread()));
  if (command.format === "sarif") sink.write(sarifReport(sorted, version));
  if (command.format === "text") sink.write(`${summaryLines(sorted, engine.unread(), advice(), paint)}\n`);
  if (command.format === "jsonl" && command.method.strategy === "refute")
    sink.write(`${JSON.stringify(refutationResult(sorted))}\n`);
  return sink.close();
}

/** Too few counted, or the one who was asked gave no answer: nobody judged it, so it was not triaged (C6, R4.4, R1.37). */
function isIncomplete({ triaged }: Entry): boolean {
  if (triaged === null || triaged.outcome.settledAs !== null) return false;
  const { method, vote, refutation, opinion } = triaged;
  if (method?.strategy === "refute") return refutation?.recount.result === "none";
  if (method?.strategy === "verdict") return opinion?.kind === "abstained";
  return vote !== null && vote.validShare === null;
}

/** Worst first, so that a limit leaves out the least. */
function bySeverity(a: Entry, b: Entry): number {
  return SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity) || compareEntries(a, b);
}

/** One line on a terminal's standard error that tells where the run is; nothing elsewhere. */
function progressLine(streams: Streams, total: number): { show(done: number, entry: Entry): void; clear(): void } {
  const live = streams.stderr.isTTY === true;
  return {
    show(done, entry) {
      if (live)
        streams.stderr.write(`\r\u001b[K${done} of ${total} · ${stageWords(entry)} · ${placeWords(entry.finding)}`);
    },
    clear() {
      if (live) streams.stderr.write("\r\u001b[K");
    },
  };
}

function onceEach(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}
