import path from "node:path";
import { verifyLog } from "../log/readLog.ts";
import { logPathOf } from "../engine/logHistory.ts";
import { loadPrompts } from "../prompts.ts";
import { readArguments } from "./arguments.ts";
import { runListChecks } from "./checks.ts";
import { EXIT } from "./exit.ts";
import { runFindings } from "./findings.ts";
import { runGate } from "./gate.ts";
import { HELP } from "./help.ts";
import { runModels } from "./models.ts";
import type { Streams } from "./output.ts";
import { runTriage } from "./triage.ts";

/** What the command line needs from its entry. */
export interface Invocation {
  /** `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  /** Folder of the shipped prompt files. */
  readonly prompts: string;
  readonly version: string;
  readonly streams: Streams;
  /** Aborted by Ctrl+C: what runs is cancelled, what is decided stays. */
  readonly signal: AbortSignal;
}

/** Runs one command; resolves to the exit code. */
export async function main(invocation: Invocation): Promise<number> {
  const { streams, version, signal } = invocation;
  const command = readArguments(invocation.argv);
  const prompts = loadPrompts(invocation.prompts);
  if (command.kind === "help") streams.stdout.write(HELP);
  if (command.kind === "version") streams.stdout.write(`${version}\n`);
  if (command.kind === "wrong") {
    streams.stderr.write(`${command.why}\nSee skeptical-triage --help.\n`);
    return command.exit ?? EXIT.usage;
  }
  if (command.kind === "gate") return await runGate(command, streams);
  if (command.kind === "findings") return await runFindings(command, prompts, streams);
  if (command.kind === "triage") return await runTriage(command, prompts, version, streams, signal);
  if (command.kind === "checks") return await runListChecks(command, prompts, streams, signal);
  if (command.kind === "models") return await runModels(command, streams, signal);
  if (command.kind === "log-verify") return await runLogVerify(path.resolve(command.workspace), streams);
  return EXIT.nothingOpen;
}

async function runLogVerify(root: string, streams: Streams): Promise<number> {
  const file = logPathOf(root, root, "workspace");
  const verified = await verifyLog(file);
  if (verified.problem !== null) {
    streams.stderr.write(`${file}, line ${verified.problem.line}: ${verified.problem.why}\n`);
    return EXIT.open;
  }
  const torn = verified.tornTail ? " The last line is torn: it was never acknowledged." : "";
  const text =
    verified.records === 0
      ? "There is no record in the log."
      : `${verified.records} records of ${verified.sessions} session${verified.sessions === 1 ? "" : "s"}: every chain is whole.`;
  streams.stdout.write(`${text}${torn}\n`);
  return EXIT.nothingOpen;
}
