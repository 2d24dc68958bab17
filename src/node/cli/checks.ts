import type { Prompts } from "../../core/ports.ts";
import type { CheckerRow } from "../../protocol/checkers.ts";
import type { ChecksCommand } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import type { Streams } from "./output.ts";
import { openWorkspace } from "./workspace.ts";

/** `checks`: which checkers there are, and which lines are accepted from now on; takes acceptances back. */
export async function runListChecks(
  command: ChecksCommand,
  prompts: Prompts,
  { stdout, stderr }: Streams,
  signal: AbortSignal,
): Promise<number> {
  const warn = (text: string): void => void stderr.write(`${text}\n`);
  const options = { history: false, checkers: true, prompts, warn, changed: () => undefined };
  const workspace = await openWorkspace({ workspace: command.workspace, roots: {} }, options);
  const checkers = workspace?.checkers;
  if (checkers == null) {
    warn(`There is no folder ${command.workspace}.`);
    return EXIT.usage;
  }
  let missing = false;
  for (const line of command.revoke)
    if (!(await checkers.consent.revoke(line))) {
      missing = true;
      warn(`This line was not accepted: ${line}`);
    }
  const states = await checkers.states(signal);
  const remembered = await checkers.consent.remembered();
  if (command.format === "jsonl") {
    for (const state of states) stdout.write(`${JSON.stringify({ kind: "checker", ...state })}\n`);
    for (const row of remembered) stdout.write(`${JSON.stringify({ kind: "accepted", ...row })}\n`);
  } else {
    for (const state of states) stdout.write(`${stateLine(state)}\n`);
    stdout.write(remembered.length === 0 ? "No line is accepted from now on.\n" : "Accepted from now on:\n");
    for (const { line, at } of remembered) stdout.write(`  ${line}  (since ${at})\n`);
  }
  return missing ? EXIT.usage : EXIT.nothingOpen;
}

function stateLine({ tool, program, version, tier, why, configured }: CheckerRow): string {
  if (program === null)
    return `${tool.padEnd(10)}  not found${configured ? ", though this project configures it" : ""}`;
  const use = tier === 1 ? "tier 1" : "tier 2, each line needs your word";
  return `${tool.padEnd(10)}  ${version ?? "version not told"}  ${use}  ${program}${why === null ? "" : `\n${" ".repeat(12)}${why}`}`;
}
