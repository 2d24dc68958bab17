import path from "node:path";
import { type GateRewrite, GATE_EXIT, gateExitCode } from "../../core/gate.ts";
import type { Now } from "../../core/ports.ts";
import { gateRunOf, logDowngrades } from "../gate/eventLog.ts";
import { gateFile } from "../gate/gateFile.ts";
import { unresolvedPlaces } from "../gate/places.ts";
import type { Command } from "./arguments.ts";
import type { Streams } from "./output.ts";

/** `gate validate|scan FILE` (R3.14-R3.30): the lines of R3.28, then with a workspace the cited places that do not resolve. */
export async function runGate(
  command: Extract<Command, { kind: "gate" }>,
  streams: Streams,
  now: Now = () => new Date(),
): Promise<number> {
  const out = (line: string): void => void streams.stdout.write(`${line}\n`);
  const say = (line: string): void => void streams.stderr.write(`${line}\n`);
  const file = path.resolve(command.file);
  const gated = await gateFile(file, command.action === "validate");
  if (gated.kind === "refused") {
    say(visible(gated.why));
    return GATE_EXIT.nothing;
  }
  const { scan } = gated;
  out(`Evidence validation: ${visible(command.file)}`);
  for (const line of resultLines(scan, command)) out(line);
  if (command.action === "validate" && scan.downgrades.length > 0) {
    const run = gateRunOf(file);
    const problem = run === null ? null : await logDowngrades(command.file, run, scan.downgrades, now);
    if (problem !== null) say(visible(problem));
  }
  if (scan.unreadable) {
    say(
      `${visible(command.file)}: no finding could be read, yet severity words stand in it. Have it rewritten as the table | Location | Severity | Category | Description | Fix |, or check each one by hand.`,
    );
  }
  if (command.workspace !== null)
    for (const line of await unresolvedPlaces(file, command.workspace)) out(visible(line));
  return gateExitCode(scan);
}

function resultLines(scan: GateRewrite, command: Extract<Command, { kind: "gate" }>): string[] {
  const lines = scan.downgrades.map(
    ({ from, reason, line }) => `  DOWNGRADE: ${from} → INFO (${reason}) [line ${line}]`,
  );
  if (command.action === "validate" && scan.rewritten > 0) {
    const words = scan.rewritten === 1 ? "1 severity" : `${scan.rewritten} severities`;
    lines.push(`  Rewritten: ${words}; the original is ${visible(path.basename(command.file))}.orig`);
  }
  return [...lines, `Findings: ${scan.findings} | Downgrades: ${scan.downgrades.length}`];
}

/** A name or a cited path as it may stand on a terminal (ruling 33); blanks stay as they are. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
