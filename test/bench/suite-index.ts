// Measures inside the extension host, started by .scripts/bench.mjs through the same door as the in-editor suite.
// It asserts no times: it writes figures to the file named by BENCH_FIGURES.
import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { TestAccess } from "../../src/extension.ts";

const EXTENSION = "skeptical-triage.skeptical-triage";

interface Blocked {
  /** The longest time in which the host could do nothing else, in ms. */
  readonly longestMs: number;
  readonly tookMs: number;
}

/** Called by the editor. Rejects where something does not load at all. */
export async function run(): Promise<void> {
  const started = performance.now();
  const extension = vscode.extensions.getExtension<TestAccess>(EXTENSION);
  if (extension === undefined) throw new Error(`${EXTENSION} is not installed`);
  const { app } = await extension.activate();
  const activation = await activationTimes();
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await calm();
  // What the editor itself costs at rest, so that the next figure can be judged.
  const rest = await blocked(() => sleep(3000));
  const wanted = Number(process.env["BENCH_FINDINGS"]);
  const loading = await profiled(() =>
    blocked(async () => {
      await vscode.commands.executeCommand("skepticalTriage.findings.focus");
      arrive();
      await until(() => app.store.current.total >= wanted, `${wanted} findings in the view`);
      await until(() => published() >= wanted, `${wanted} findings in the Problems view`);
      // The view and the lenses draw after the last one has come.
      await sleep(1000);
    }),
  );
  write("BENCH_FIGURES", { activation, rest, loading, findings: app.store.current.total });
  const test = { title: "figures", state: "passed", ms: Math.round(performance.now() - started) };
  write("HOST_TEST_RESULTS", { ms: test.ms, tests: [test] });
}

/** Our row of the editor's own table `Extension Activation Stats`, in ms. */
async function activationTimes(): Promise<Record<string, number>> {
  await vscode.commands.executeCommand("perfview.show");
  await until(() => rowOf(EXTENSION) !== null, "the performance view");
  const head = rowOf("Extension") ?? [];
  const own = rowOf(EXTENSION) ?? [];
  const names = ["Load Code", "Call Activate", "Finish Activate"];
  return Object.fromEntries(names.map((name) => [name, Number(own[head.indexOf(name)])]));
}

/** The cells of the first table row that starts with this one; null where the view has no such row yet. */
function rowOf(first: string): readonly string[] | null {
  const lines = vscode.window.activeTextEditor?.document.getText().split("\n") ?? [];
  const rows = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.find(([, name]) => name === first) ?? null;
}

/** Puts the prepared log into the workspace, as a scanner would. */
function arrive(): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  copyFileSync(process.env["BENCH_SARIF"] ?? "", path.join(folder, "scan.sarif"));
}

/** Findings in the Problems view. */
function published(): number {
  const all = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  return all.filter(({ source }) => source === "Skeptical Triage").length;
}

async function blocked(work: () => Promise<void>): Promise<Blocked> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  const from = performance.now();
  monitor.enable();
  await work();
  monitor.disable();
  return { longestMs: monitor.max / 1e6, tookMs: performance.now() - from };
}

/** The editor goes on with its own start for some seconds. */
async function calm(): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const { longestMs } = await blocked(() => sleep(1500));
    if (longestMs < 25) return;
  }
}

/** Writes what the host did meanwhile as a CPU profile to the file named by BENCH_PROFILE: it tells whose block it was. */
async function profiled<Result>(work: () => Promise<Result>): Promise<Result> {
  const target = process.env["BENCH_PROFILE"] ?? "";
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 500 });
    await session.post("Profiler.start");
    const result = await work();
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(target, JSON.stringify(profile));
    return result;
  } finally {
    session.disconnect();
  }
}

/** Looks again and again, seldom enough not to be measured itself. */
async function until(done: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!done()) {
    if (performance.now() > deadline) throw new Error(`waited a minute for ${what}`);
    await sleep(100);
  }
}

function write(variable: string, value: unknown): void {
  const target = process.env[variable];
  if (target === undefined) return;
  writeFileSync(`${target}.tmp`, JSON.stringify(value));
  renameSync(`${target}.tmp`, target);
}
