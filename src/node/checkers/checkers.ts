import { join } from "node:path";
import type { Checkers, CheckerQuestion, CheckerUnknown, FileAnswer, RuleAnswer } from "../../core/checkers.ts";
import { CHECKER_TOOLS, type CheckerTool } from "../../core/checkerClaim.ts";
import type { CheckerRow } from "../../protocol/checkers.ts";
import { holdPath } from "../paths.ts";
import { bareEnvironment, runProgram } from "../program.ts";
import type { WorkspaceRepository } from "../repository/repository.ts";
import { type AcceptedRun, proposeReproduction, runAccepted } from "./accepted.ts";
import { openBench, type Work, type Workshop } from "./bench.ts";
import { type Checker, failed, type Failed, type Project, type RuleState, type SetReport } from "./checker.ts";
import type { Consent } from "./consent.ts";
import { hashOf, type KnownHash, projectFor, stampOf } from "./fileSet.ts";
import { type Located, locate } from "./locate.ts";
import { jsonOf } from "./output.ts";
import { otherwiseCalled } from "./projectScripts.ts";
import { projectVersion, sameLine } from "./projectVersion.ts";
import { SharedRuns } from "./shared.ts";
import { CHECKERS } from "./table.ts";

/** What running checkers over one workspace folder needs. */
export interface CheckersOptions extends Omit<Workshop, "consent"> {
  readonly repository: WorkspaceRepository;
  readonly consent: Consent;
  /** False: no program is started, whatever was accepted. */
  readonly trusted: () => boolean;
  /** False: a person has switched checkers off. */
  readonly wanted: () => boolean;
  /** Absolute paths of programs the person named, by tool. */
  readonly programs: () => Readonly<Record<string, string>>;
}

/** The port, and what a person may see of it. */
export interface WorkspaceCheckers extends Checkers {
  readonly consent: Consent;
  /** Why no program is started now, whatever was accepted; null where nothing forbids it. */
  held(): string | null;
  /** Every checker of the table, found or not. Starts programs for their version only in a trusted workspace. */
  states(signal: AbortSignal): Promise<readonly CheckerRow[]>;
  /** A finding's reproduction as a line to accept; nothing is started (R3.1). */
  reproduction(text: string): ReturnType<typeof proposeReproduction>;
  /** Runs a proposed line that was accepted to the letter. */
  run(line: string, signal: AbortSignal): Promise<AcceptedRun>;
}

interface Parts extends CheckersOptions {
  readonly known: Map<string, KnownHash>;
  /** Versions by program and the stamp of its file. */
  readonly versions: Map<string, string>;
}

/** Everything a run rests on, found before anything but `--version` is started. */
interface Ready {
  readonly checker: Checker;
  readonly project: Project;
  readonly hash: string;
  readonly program: Located & { readonly version: string };
  readonly asks: string | null;
}

interface Done<T> {
  readonly value: T;
  readonly work: Pick<Work, "receipts" | "proposal">;
}

const VERSION_MS = 20_000;
const UNTRUSTED = "Checkers are programs: none is started in a workspace that is not trusted.";
const OFF = "Checkers are switched off in the settings (skepticalTriage.runCheckers): no program is started.";
const IN_TREE = "The program itself is a file of this repository.";

/** Runs the checkers of the table over one folder, once a file set, remembered by its contents. */
export function createCheckers(given: CheckersOptions): WorkspaceCheckers {
  const options: Parts = { ...given, known: new Map(), versions: new Map() };
  const sets = new SharedRuns<Done<SetReport>>(({ work }) => work.proposal() === null);
  const rules = new SharedRuns<Done<RuleState>>(({ work }) => work.proposal() === null);
  return {
    consent: options.consent,
    held: () => heldBack(options),
    report: async (question, signal) =>
      await orUnknown(signal, async () => await reportOn(question, sets, options, signal)),
    rule: async (question, signal) =>
      await orUnknown(signal, async () => await ruleFor(question, rules, options, signal)),
    projectTools: async (role, file, signal) => {
      const found: CheckerTool[] = [];
      for (const tool of CHECKER_TOOLS) {
        const checker = CHECKERS[tool];
        const fits = role === "compile" ? tool === "tsc" || tool === "go vet" : checker.role === role;
        if (!fits || !checker.reads(file)) continue;
        if ((await projectFor(checker, options, signal)).configs.size > 0) found.push(tool);
      }
      return found;
    },
    reproduction: async (text) => await proposeReproduction(text, options),
    run: async (line, signal) => await runAccepted(line, { shop: options, held: heldBack(options) }, signal),
    states: async (signal) => {
      const states: CheckerRow[] = [];
      for (const tool of CHECKER_TOOLS) states.push(await stateOf(CHECKERS[tool], options, signal));
      return states;
    },
  };
}

function heldBack({ trusted, wanted }: Pick<CheckersOptions, "trusted" | "wanted">): string | null {
  if (!trusted()) return UNTRUSTED;
  return wanted() ? null : OFF;
}

async function reportOn(
  question: CheckerQuestion,
  sets: SharedRuns<Done<SetReport>>,
  options: Parts,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const ready = await prepare(question, options, signal);
  if ("kind" in ready) return unknown(ready.why);
  const { strict } = question;
  const { value, work } = await sets.get(
    keyOf(ready, strict, []),
    async (own) => await onBench(ready, strict, options, own, async (bench) => await ready.checker.check(bench)),
    signal,
  );
  return answerOf(question, ready, value, work);
}

async function ruleFor(
  question: CheckerQuestion,
  rules: SharedRuns<Done<RuleState>>,
  options: Parts,
  signal: AbortSignal,
): Promise<RuleAnswer> {
  const { code, file, tool } = question;
  const ready = await prepare(question, options, signal);
  if ("kind" in ready) return unknown(ready.why);
  const look = ready.checker.rule;
  if (look === undefined || code === null) return unknown(`${tool} has no list of rules that can be asked.`);
  const { value, work } = await rules.get(
    keyOf(ready, false, [code, file]),
    async (own) => await onBench(ready, false, options, own, async (bench) => await look(bench, code, file)),
    signal,
  );
  if (value.kind === "failed") return { ...unknown(value.why), proposal: work.proposal(), receipts: work.receipts };
  return { kind: value.kind, version: ready.program.version, receipts: work.receipts };
}

/** Whatever the disk or a program does: an answer, never a throw but the caller's own cancellation. */
async function orUnknown<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | CheckerUnknown> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    return unknown(
      `The checker could not be run: ${error instanceof Error ? error.message.slice(0, 200) : "unexpected"}`,
    );
  }
}

function unknown(why: string): CheckerUnknown {
  return { kind: "unknown", why, proposal: null, receipts: [] };
}

async function prepare({ tool, file }: CheckerQuestion, options: Parts, signal: AbortSignal): Promise<Ready | Failed> {
  const back = heldBack(options);
  if (back !== null) return failed(back);
  const held = await holdPath(options.root, file);
  if (held.kind !== "held" || held.file !== file) return failed("The file is not a plain file of this workspace.");
  const checker = CHECKERS[tool];
  if (!checker.reads(file)) return failed(`${tool} does not read files of this kind.`);
  const located = await locate(checker, { ...options, programs: options.programs() });
  if (located === null) return failed(`${tool} was not found outside of this repository.`);
  const project = await projectFor(checker, options, signal);
  const version = await versionOf(checker, located, project, options, signal);
  if (typeof version !== "string") return version;
  const wanted = await projectVersion(checker, project);
  if (wanted !== null && !sameLine(wanted, version))
    return failed(`The project uses ${tool} ${wanted}, the one found is ${version}.`);
  const otherwise = await otherwiseCalled(tool, project);
  if (otherwise !== null) return failed(otherwise);
  const hashed = await hashOf(project, options, signal);
  if ("kind" in hashed) return hashed;
  const asks = located.inTree ? IN_TREE : checker.asks(project);
  return { checker, project, hash: hashed.hash, program: { ...located, version }, asks };
}

/** A program of the tree is not started for its version: its package says it. */
async function versionOf(
  checker: Checker,
  located: Located,
  project: Project,
  options: Parts,
  signal: AbortSignal,
): Promise<string | Failed> {
  if (located.inTree) {
    const manifest = await project.text(join("node_modules", checker.package?.name ?? "", "package.json"));
    const version = manifest === null ? null : versionIn(jsonOf(manifest));
    return version ?? failed(`The version of the repository's own ${checker.tool} is not known.`);
  }
  const key = JSON.stringify([located.start, await stampOf(located.real)]);
  const before = options.versions.get(key);
  if (before !== undefined) return before;
  const ran = await runProgram({
    file: located.start,
    argv: checker.versionArgv,
    // Not in the workspace: what asks for a version needs none of it.
    cwd: "/",
    env: { ...bareEnvironment(options.searchPath, options.root), HOME: options.home, NO_COLOR: "1" },
    timeoutMs: options.longestMs ?? VERSION_MS,
    maxBytes: 65_536,
    signal,
  });
  const found = ran.kind === "ran" && ran.exitCode === 0 ? checker.version.exec(ran.stdout)?.[1] : undefined;
  if (found === undefined)
    return failed(`${checker.tool} does not tell its version, so its answers are not understood.`);
  options.versions.set(key, found);
  return found;
}

function versionIn(manifest: unknown): string | null {
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) return null;
  return typeof manifest.version === "string" ? manifest.version : null;
}

function keyOf({ checker, hash, program, asks }: Ready, strict: boolean, more: readonly string[]): string {
  return JSON.stringify([checker.tool, program.real, program.version, asks === null, strict, hash, ...more]);
}

/** Opens a bench, works on it, and throws the answer away where the files changed meanwhile. */
async function onBench<T>(
  ready: Ready,
  strict: boolean,
  options: Parts,
  signal: AbortSignal,
  use: (bench: Work["bench"]) => Promise<T | Failed>,
): Promise<Done<T | Failed>> {
  const { checker, project, program, asks } = ready;
  const work = openBench(checker, project, program, { strict, asks }, options, signal);
  const value = await use(work.bench);
  const after = await hashOf(await projectFor(checker, options, signal), options, signal);
  const same = "hash" in after && after.hash === ready.hash;
  return { value: same ? value : failed("The files changed while they were checked."), work };
}

function answerOf(
  { file, code, strict, tool }: CheckerQuestion,
  { program }: Ready,
  value: SetReport,
  { receipts, proposal }: Pick<Work, "receipts" | "proposal">,
): FileAnswer {
  const { version } = program;
  const no = (why: string): FileAnswer => ({ kind: "unknown", why, proposal: proposal(), receipts });
  if (value.kind === "failed") return no(value.why);
  const reports = value.reports.get(file) ?? [];
  if (!value.covered.has(file)) {
    if (value.listing === null || reports.length > 0)
      return no(`${tool} ${version} does not say whether it checked ${file}.`);
    return { kind: "excluded", how: value.listing, version, receipts };
  }
  if (strict && !value.strict(file)) return no(`The claim is about strict mode, in which ${tool} does not run here.`);
  const reportsInAll = [...value.reports.values()].reduce((sum, list) => sum + list.length, 0);
  return { kind: "covered", reports, silence: value.silence(file, code), reportsInAll, version, receipts };
}

async function stateOf(checker: Checker, options: Parts, signal: AbortSignal): Promise<CheckerRow> {
  const { tool } = checker;
  const project = await projectFor(checker, options, signal);
  const configured = project.configs.size > 0;
  const located = await locate(checker, { ...options, programs: options.programs() });
  const asks = located?.inTree === true ? IN_TREE : checker.asks(project);
  const base = { tool, configured, program: located?.start ?? null, tier: asks === null ? (1 as const) : (2 as const) };
  if (located === null) return { ...base, version: null, why: "not found" };
  const back = heldBack(options);
  const version = back === null ? await versionOf(checker, located, project, options, signal) : failed(back);
  return typeof version === "string" ? { ...base, version, why: asks } : { ...base, version: null, why: version.why };
}
