import { basename } from "node:path";
import type { CheckerRow, ListCheckersResult } from "../protocol/checkers.ts";
import type { Asker, Choice } from "./asker.ts";
import { SECTION } from "./contributions.ts";
import { plainLabel } from "./plainLabel.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface CheckerPorts {
  readonly worker: Pick<WorkerClient, "listCheckers" | "acceptedLines" | "revokeLine">;
  readonly ask: Pick<Asker, "pick" | "tell" | "say">;
  /** Opens the editor's settings at one of them. */
  readonly openSetting: (id: string) => Promise<void>;
}

/** Lists every checker with its version, its tier and why it cannot be used; a chosen one opens the setting that names its program. */
export async function listCheckers({ worker, ask, openSetting }: CheckerPorts): Promise<void> {
  ask.say("Looking for checkers…");
  const { folders } = await worker.listCheckers();
  const held = folders.find((folder) => folder.held !== null)?.held;
  if (folders.length === 0 || held != null)
    return void (await ask.tell("info", held ?? "Open a folder: checkers are looked for in a workspace."));
  const picked = await ask.pick(checkerChoices(folders), "Checkers (choose one to name its program)");
  if (picked !== undefined) await openSetting(`${SECTION}.checkers`);
}

/** Lists what may run without being asked, and takes one back. */
export async function showAcceptedLines({ worker, ask }: Omit<CheckerPorts, "openSetting">): Promise<void> {
  const { lines } = await worker.acceptedLines();
  if (lines.length === 0)
    return void (await ask.tell("info", "No command line is accepted: each one is asked about before it runs."));
  const choices = lines.map((accepted) => ({
    label: plainLabel(accepted.line),
    description: plainLabel(basename(accepted.root)),
    detail: `Accepted ${new Date(accepted.at).toLocaleString()}`,
    value: accepted,
  }));
  const picked = await ask.pick(choices, "Accepted Command Lines (choose one to revoke it)");
  if (picked === undefined) return;
  const { revoked } = await worker.revokeLine({ root: picked.root, line: picked.line });
  ask.say(revoked ? "Revoked: you are asked again before this line runs." : "This line was not accepted any more.");
}

/** The rows of the list; the folder's name stands there only where there is more than one. */
function checkerChoices(folders: ListCheckersResult["folders"]): readonly Choice<CheckerRow>[] {
  const many = folders.length > 1;
  return folders.flatMap(({ root, checkers }) =>
    checkers.map((row) => ({
      label: row.version === null ? row.tool : `${row.tool} ${plainLabel(row.version)}`,
      description: `${stateOf(row)}${many ? ` · ${plainLabel(basename(root))}` : ""}`,
      ...(row.program === null
        ? {}
        : { detail: plainLabel(row.why === null ? row.program : `${row.program} · ${row.why}`) }),
      value: row,
    })),
  );
}

function stateOf({ program, version, tier, configured }: CheckerRow): string {
  if (program === null) return configured ? "not found, though this project configures it" : "not found";
  if (version === null) return "cannot be used";
  return tier === 1 ? "runs by itself" : "each line needs your word";
}
