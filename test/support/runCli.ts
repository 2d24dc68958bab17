import { spawn } from "node:child_process";
import { CLI, copyDemo, type DemoCopy, ROOT } from "./workerProcess.ts";

/** How one run of the built command line ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line. */
export async function run(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out: out.join(""), err: err.join("") };
}

/** Works in a copy of the demo with a cache of its own, and removes both. */
export async function inDemo(work: (demo: DemoCopy, env: Record<string, string>) => Promise<void>): Promise<void> {
  const demo = await copyDemo();
  try {
    await work(demo, { XDG_CACHE_HOME: demo.cache });
  } finally {
    await demo.remove();
  }
}
