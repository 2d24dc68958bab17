import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Downgrade } from "../../core/gate.ts";
import type { Now } from "../../core/ports.ts";

/** The run and the reviewer that a review's path names. */
export interface GateRun {
  /** The folder that holds `.archeflow`. */
  readonly root: string;
  readonly run: string;
  readonly role: string;
}

const SHAPE = /^(.*?)[\\/]?\.archeflow[\\/]artifacts[\\/]([\w.@+-]{1,200})[\\/]check-([\w.@+-]{1,100})\.md$/s;

/** Reads `.archeflow/artifacts/<run>/check-<role>.md` (R3.29); null for any other path. `file` is absolute. */
export function gateRunOf(file: string): GateRun | null {
  const found = SHAPE.exec(file);
  const [run, role] = [found?.[2] ?? "", found?.[3] ?? ""];
  if (found === null || /^\.+$/.test(run)) return null;
  return { root: found[1] === "" ? path.parse(file).root : (found[1] ?? ""), run, role };
}

/**
 * Appends one event `evidence.downgrade` a finding to `.archeflow/events/<run>.jsonl` (R3.29). Never rejects: a log that cannot be
 * written is the returned sentence, and the gate's result stands.
 */
export async function logDowngrades(
  file: string,
  run: GateRun,
  downgrades: readonly Downgrade[],
  now: Now,
): Promise<string | null> {
  try {
    const folder = path.join(run.root, ".archeflow", "events");
    await mkdir(folder, { recursive: true });
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    const handle = await open(path.join(folder, `${run.run}.jsonl`), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o644);
    try {
      const known = await handle.readFile("utf8");
      const torn = known !== "" && !known.endsWith("\n");
      const first = known.split("\n").filter((line) => line.trim() !== "").length + 1;
      const ts = now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z");
      const events = downgrades.map((downgrade, index) => eventOf(downgrade, { file, run, ts, seq: first + index }));
      // One write, so that two gates never mix their lines.
      await handle.appendFile(`${torn ? "\n" : ""}${events.map((event) => `${JSON.stringify(event)}\n`).join("")}`);
    } finally {
      await handle.close();
    }
    return null;
  } catch (error) {
    return `The event log of run ${run.run} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function eventOf(
  { from, reason, line }: Downgrade,
  { file, run, ts, seq }: { file: string; run: GateRun; ts: string; seq: number },
): Readonly<Record<string, unknown>> {
  const data = { from, to: "INFO", reason, line, file, archetype: run.role };
  return { ts, run_id: run.run, seq, parent: [], type: "evidence.downgrade", phase: "check", agent: run.role, data };
}
