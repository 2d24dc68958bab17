import { mkdir } from "node:fs/promises";
import type { Receipt } from "../../core/check.ts";
import type { Proposal } from "../../core/proposal.ts";
import { MOST_LINE } from "../../protocol/panel.ts";
import type { Hash, Mask, Now } from "../../core/ports.ts";
import { bareEnvironment, findProgram, runProgram, type ProgramRun } from "../program.ts";
import { writeRun } from "../verbs/receipt.ts";
import { type Bench, type Checker, failed, type Failed, type Project, type Ran, type RunOptions } from "./checker.ts";
import { lineOf } from "./commandLine.ts";
import type { Consent } from "./consent.ts";
import type { Located } from "./locate.ts";

/** Longest run of one checker, and of asking for its version. */
export const LONGEST_RUN_MS = 60_000;
const LARGEST_OUTPUT = 16 * 1024 * 1024;
/** Characters of output that are masked and kept for a person; the hash is over all of it. */
const SHOWN = 32_768;

export interface Workshop {
  readonly root: string;
  readonly searchPath: string | undefined;
  /** Folder of the user's own that programs get as their home: caches go there, not into the workspace. */
  readonly home: string;
  readonly consent: Consent;
  readonly mask: Mask;
  readonly hash: Hash;
  readonly now: Now;
  /** Longest run in milliseconds; default a minute, and what a checker itself asks for. */
  readonly longestMs?: number | undefined;
}

/** What was done on a bench: receipts in order, and the line that still waits for a person. */
export interface Work {
  readonly bench: Bench;
  readonly receipts: Receipt[];
  readonly proposal: () => Proposal | null;
}

/** A bench for one checker and file set. `asks` says why every line must be accepted first; null: it may run. */
export function openBench(
  checker: Pick<Checker, "tool">,
  project: Project,
  program: Located & { readonly version: string },
  { strict, asks }: { readonly strict: boolean; readonly asks: string | null },
  shop: Workshop,
  signal: AbortSignal,
): Work {
  const receipts: Receipt[] = [];
  let waiting: Proposal | null = null;
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<Ran | Failed> => {
    const other =
      options.program === undefined ? program.start : await findProgram(options.program, shop.searchPath, shop.root);
    if (other === null) return failed(`There is no ${options.program} on the search path.`);
    if (asks !== null && (program.inTree || options.harmless !== true)) {
      const line = lineOf([other, ...argv]);
      if (line === null)
        return failed("A file name holds characters that cannot be shown, so nobody can accept this line.");
      if (line.length > MOST_LINE) return failed("The line is too long for a person to read, so nobody can accept it.");
      if (!(await shop.consent.allows(line))) {
        const proposal = { line, argv: [other, ...argv], cwd: ".", why: asks };
        shop.consent.propose(proposal);
        waiting ??= proposal;
        return failed(`${asks} It is run only after you accept the exact line.`);
      }
    }
    const named = [options.program ?? checker.tool, ...argv];
    return await startProgram(
      { file: other, named, argv, options, id: `${checker.tool.replace(" ", "-")}-${receipts.length}`, by: "check" },
      receipts,
      shop,
      signal,
    );
  };
  const bench = { ...project, strict, program: program.real, version: program.version, run };
  return { bench, receipts, proposal: () => waiting };
}

interface Start {
  readonly file: string;
  readonly named: readonly string[];
  readonly argv: readonly string[];
  readonly options: RunOptions;
  readonly id: string;
  /** Who asked, for the receipt. */
  readonly by: string;
}

/** Runs a program bounded and bare, keeps the receipt, and says why an end was no answer. */
export async function startProgram(
  { file, named, argv, options, id, by }: Start,
  receipts: Receipt[],
  shop: Workshop,
  signal: AbortSignal,
): Promise<Ran | Failed> {
  await mkdir(shop.home, { recursive: true, mode: 0o700 });
  const begun = shop.now().getTime();
  const ran = await runProgram({
    file,
    argv,
    cwd: options.cwd ?? shop.root,
    env: {
      ...bareEnvironment(shop.searchPath, shop.root),
      HOME: shop.home,
      NO_COLOR: "1",
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONSAFEPATH: "1",
      ...options.env,
    },
    timeoutMs: shop.longestMs ?? options.timeoutMs ?? LONGEST_RUN_MS,
    maxBytes: LARGEST_OUTPUT,
    signal,
  });
  const result = read(ran, named[0] ?? "");
  const durationMs = Math.max(0, shop.now().getTime() - begun);
  receipts.push(receiptOf(named, ran, result, { id, durationMs, by }, shop));
  return result;
}

function read(ran: ProgramRun, name: string): Ran | Failed {
  if (ran.kind === "timed-out") return failed(`${name} was stopped after ${ran.timeoutMs / 1000} seconds.`);
  if (ran.kind === "failed") return failed(`${name} could not be run: ${ran.why}`);
  if (ran.truncated) return failed(`${name} printed more than is read.`);
  if (ran.exitCode === null) return failed(`${name} was killed.`);
  return { kind: "ran", exitCode: ran.exitCode, stdout: ran.stdout, stderr: ran.stderr };
}

function receiptOf(
  named: readonly string[],
  ran: ProgramRun,
  result: Ran | Failed,
  head: { readonly id: string; readonly durationMs: number; readonly by: string },
  { mask, hash }: Workshop,
): Receipt {
  const output = ran.kind === "ran" ? `${ran.stdout}${ran.stderr === "" ? "" : `\n${ran.stderr}`}` : "";
  const { receipt } = writeRun(
    {
      argv: named.map((argument) => mask(argument)),
      exitCode: ran.kind === "ran" ? ran.exitCode : null,
      hits: [],
      lines: mask(output.slice(0, SHOWN)).split(/\r?\n/),
      notes: output.length > SHOWN ? [`${output.length - SHOWN} more characters are not kept`] : [],
      truncated: ran.kind === "ran" && ran.truncated,
      error: result.kind === "failed" ? result.why : null,
    },
    { ...head, id: `${head.id}-${hash(output).slice(0, 12)}`, verb: head.by === "person" ? "run" : "checker" },
    hash,
  );
  return { ...receipt, outputHash: hash(output) };
}
