import type { LineView } from "../protocol/panel.ts";
import type { Asker } from "./asker.ts";
import type { WorkerClient } from "./workerClient.ts";

export interface LinePorts {
  readonly worker: Pick<WorkerClient, "panelState" | "acceptLine">;
  readonly ask: Pick<Asker, "choose">;
}

export const RUN_ONCE = "Run Once";
export const RUN_ALWAYS = "Always in This Workspace";

/** Longest line that fits into a dialog; a longer one stands whole in the panel. */
const MOST_SHOWN = 2000;

/**
 * Asks about one line of a finding and has the worker run it. Nothing is run that the worker does not propose at this very
 * moment, and nothing but the line to the letter. Resolves to why it does not run; null where it does, or the person stepped back.
 */
export async function runLine({ worker, ask }: LinePorts, key: string, line: string): Promise<string | null> {
  const state = await worker.panelState({ key });
  if (state === null) return "This finding is gone: its review file was changed or deleted.";
  const offer = state.lines.find((one) => one.line === line);
  if (offer === undefined) return "This line is not proposed for this finding any more.";
  if (!offer.permit.allowed) return offer.permit.why;
  const remember = offer.accepted ? false : await asked(ask, offer);
  if (remember === null) return null;
  const result = await worker.acceptLine({ key, line, remember });
  return result.kind === "refused" ? result.why : null;
}

/** Whether to remember the line; null where it may not be run. Closing the dialog is a No. */
async function asked(ask: LinePorts["ask"], offer: LineView): Promise<boolean | null> {
  const answer = await ask.choose("Run this command line?", detailOf(offer), RUN_ONCE, RUN_ALWAYS);
  if (answer === RUN_ALWAYS) return true;
  return answer === RUN_ONCE ? false : null;
}

function detailOf({ line, folder, why }: LineView): string {
  const cut = line.length - MOST_SHOWN;
  const shown =
    cut > 0 ? `${line.slice(0, MOST_SHOWN)}…\n(${cut} more characters: the whole line stands in the panel)` : line;
  return [
    shown,
    `In the folder: ${folder}`,
    why,
    "It runs code that this repository chooses, on this machine and with your rights: it can read, change and send whatever you can. " +
      "It is started without a shell, with a bare environment, and only as it stands here.",
    `“${RUN_ALWAYS}” does not ask again for exactly this line. “Skeptical Triage: Accepted Command Lines…” takes that back.`,
  ].join("\n\n");
}
