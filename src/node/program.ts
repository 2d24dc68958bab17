import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { execa } from "execa";
import { insideWorkspace } from "./paths.ts";

/** How one run of a fixed program ended. `stdout` and `stderr` are text; `truncated` where output was cut at `maxBytes`. */
export type ProgramRun =
  | {
      readonly kind: "ran";
      readonly exitCode: number | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly truncated: boolean;
    }
  | { readonly kind: "timed-out"; readonly timeoutMs: number }
  | { readonly kind: "failed"; readonly why: string };

/** One run: never a shell, only the environment given, everything bounded. */
export interface ProgramCall {
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text for standard input; without it the program reads nothing. */
  readonly input?: string;
  /** `latin1` keeps every byte as one character, for output that is not known to be UTF-8. */
  readonly encoding?: "utf8" | "latin1";
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long after its own time-out a program that cannot be killed is waited for. */
const GRACE_MS = 1500;

/**
 * Runs a program. Rejects only with the signal's reason, at once; the program and all it started are killed then.
 * A grandchild that escaped into its own session can hold the pipes open for ever, so a deadline of our own races the run.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramRun> {
  call.signal?.throwIfAborted();
  const stop = new AbortController();
  const child = execa(call.file, call.argv, {
    cwd: call.cwd,
    env: call.env,
    extendEnv: false,
    preferLocal: false,
    reject: false,
    stripFinalNewline: false,
    encoding: call.encoding ?? "utf8",
    killDescendants: true,
    timeout: call.timeoutMs,
    forceKillAfterDelay: 500,
    maxBuffer: call.maxBytes,
    cancelSignal: stop.signal,
    ...(call.input === undefined ? { stdin: "ignore" } : { input: call.input }),
  });
  const { promise: early, resolve, reject } = Promise.withResolvers<ProgramRun>();
  const onAbort = (): void => {
    stop.abort();
    reject(call.signal?.reason);
  };
  call.signal?.addEventListener("abort", onAbort, { once: true });
  const deadline = setTimeout(() => {
    stop.abort();
    child.stdout?.destroy();
    child.stderr?.destroy();
    resolve({ kind: "timed-out", timeoutMs: call.timeoutMs });
  }, call.timeoutMs + GRACE_MS);
  try {
    return await Promise.race([early, child.then((result) => readResult(result, call.timeoutMs), describeFailure)]);
  } finally {
    clearTimeout(deadline);
    call.signal?.removeEventListener("abort", onAbort);
  }
}

interface Finished {
  readonly timedOut: boolean;
  readonly isMaxBuffer: boolean;
  readonly exitCode?: number | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly code?: string | undefined;
}

function readResult(result: Finished, timeoutMs: number): ProgramRun {
  if (result.timedOut) return { kind: "timed-out", timeoutMs };
  if (result.exitCode === undefined && !result.isMaxBuffer)
    return { kind: "failed", why: `The program did not run (${result.code ?? "it was stopped"}).` };
  return {
    kind: "ran",
    exitCode: result.exitCode ?? null,
    stdout: result.stdout ?? "",
    stderr: result.stderr ?? "",
    truncated: result.isMaxBuffer,
  };
}

function describeFailure(error: unknown): ProgramRun {
  return { kind: "failed", why: error instanceof Error ? error.message.slice(0, 200) : "The program did not run." };
}

/**
 * Absolute path of a program on a search path (`PATH`), or null. Relative entries and everything inside `workspace` are
 * passed over: a reviewed repository must not be able to put its own `git` or `rg` in our way.
 */
export async function findProgram(
  name: string,
  searchPath: string | undefined,
  workspace: string,
): Promise<string | null> {
  const realWorkspace = await realpath(workspace).catch(() => workspace);
  const names = process.platform === "win32" ? [`${name}.exe`] : [name];
  for (const folder of safeFolders(searchPath, workspace))
    for (const candidate of names) {
      const found = await executable(join(folder, candidate));
      if (found !== null && !insideWorkspace(realWorkspace, found)) return join(folder, candidate);
    }
  return null;
}

/** The file behind a path, links resolved, where it may be started; null where it may not. */
export async function executable(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile() ? await realpath(file) : null;
  } catch {
    return null;
  }
}

function safeFolders(searchPath: string | undefined, workspace: string): readonly string[] {
  return (searchPath ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !insideWorkspace(workspace, folder));
}

/** The bare environment a program gets: a search path without the workspace, plain output, and what Windows cannot start without. */
export function bareEnvironment(searchPath: string | undefined, workspace: string): Record<string, string> {
  const systemRoot = process.env["SystemRoot"];
  return {
    PATH: safeFolders(searchPath, workspace).join(delimiter),
    LC_ALL: "C.UTF-8",
    ...(systemRoot === undefined ? {} : { SystemRoot: systemRoot }),
  };
}
