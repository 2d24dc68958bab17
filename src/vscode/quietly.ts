import type { LogOutputChannel } from "vscode";
import { WorkerDown } from "./workerLife.ts";

/** Lets something run that nobody waits for: what it throws stands in the log. That the worker is down is said elsewhere. */
export function quietly(log: LogOutputChannel, doing: Promise<unknown>): void {
  doing.catch((error: unknown) => {
    if (!(error instanceof WorkerDown))
      log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
}
