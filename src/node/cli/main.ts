import path from "node:path";
import type { Prompts } from "../../core/ports.ts";
import { verifyLog } from "../log/readLog.ts";
import { logPathOf } from "../engine/logHistory.ts";
import { openPrompts } from "../prompts.ts";
import { type Command, readArguments } from "./arguments.ts";
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
  if (command.kind === "help") streams.stdout.write(HELP);
  if (command.kind === "version") streams.stdout.write(`${version}\n`);
  if (command.kind === "wrong") {
    streams.stderr.write(`${command.why}\nSee skeptical-triage --help.\n`);
    return command.exit ?? EXIT.usage;
  }
  if (command.kind === "gate") return await runGate(command, streams);
  if (command.kind === "log-verify") return await runLogVerify(path.resolve(command.workspace), streams);
  if (command.kind === "help" || command.kind === "version") return EXIT.nothingOpen;
  if (command.kind === "models") return await runModels(command, streams, signal);
  const prompts = promptsOf(command, invocation);
  if (prompts === null) return EXIT.usage;
  if (command.kind === "findings") return await runFindings(command, prompts, streams);
  if (command.kind === "triage") return await runTriage(command, prompts, version, streams, signal);
  return await runListChecks(command, prompts, streams, signal);
}

/** All prompts, checked before anything runs; null where one of ours is broken, which is told with file and line. */
function promptsOf(command: Command, { prompts, streams }: Invocation): Prompts | null {
  const warn = (text: string): void => void streams.stderr.write(`${text}\n`);
  const own = command.kind === "triage" ? command : { prompts: {}, workspace: "." };
  try {
    return openPrompts(prompts, { files: own.prompts, outside: [path.resolve(own.workspace)], warn });
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
    return null;
  }
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
