import { bareEnvironment, findProgram, runProgram, type ProgramRun } from "../program.ts";

/** How one run of git is bounded, and where it runs. */
export interface GitRunOptions {
  /** Default: the workspace folder. */
  readonly cwd?: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Text for standard input. */
  readonly input?: string;
  /** Keeps every byte as one character. */
  readonly raw?: boolean;
  /** For the commands that refuse `--literal-pathspecs`; their paths must begin with `./`. */
  readonly magicPaths?: boolean;
}

/** Runs git with everything off by which a repository can make it run programs or use the network; null without git. */
export type GitRun = (argv: readonly string[], options: GitRunOptions) => Promise<ProgramRun | null>;

const TIMEOUT_MS = 10_000;

/** `root` is the absolute workspace folder, `searchPath` a `PATH`; git inside the workspace is never used. */
export function createGitRun(root: string, searchPath: string | undefined): GitRun {
  let program: Promise<string | null> | undefined;
  return async (argv, { cwd = root, maxBytes, signal, input, raw = false, magicPaths = false }) => {
    program ??= findProgram("git", searchPath, root);
    const file = await program;
    if (file === null) return null;
    const env = { ...bareEnvironment(searchPath, root), ...quietEnvironment() };
    const paths = magicPaths ? [] : ["--literal-pathspecs"];
    const call = {
      file,
      argv: [...quietOptions(), ...paths, ...argv],
      cwd,
      env,
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      signal,
    };
    return await runProgram({ ...call, ...(input === undefined ? {} : { input }), encoding: raw ? "latin1" : "utf8" });
  };
}

/** Standard output of a run that ended well and whole; null otherwise. */
export function wholeOutput(done: ProgramRun | null): string | null {
  return done?.kind === "ran" && done.exitCode === 0 && !done.truncated ? done.stdout : null;
}

/** What a command that prints commits or patches gets besides: no external diff, no text conversion, no signature program. */
export const QUIET_DIFF = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules",
  "--submodule=short",
  "--relative",
] as const;
export const QUIET_LOG = [...QUIET_DIFF, "--no-show-signature", "--no-mailmap", "--encoding=UTF-8"] as const;

const NOTHING = process.platform === "win32" ? "NUL" : "/dev/null";

function quietOptions(): readonly string[] {
  const off = [
    "core.fsmonitor=false",
    `core.hooksPath=${NOTHING}`,
    "core.pager=cat",
    `core.attributesFile=${NOTHING}`,
    "core.quotePath=false",
    "log.showSignature=false",
  ];
  return [...off.flatMap((option) => ["-c", option]), "--no-pager", "--no-replace-objects"];
}

/** No configuration but the repository's own, no locks, no questions, and no transport that a missing object could start. */
function quietEnvironment(): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: NOTHING,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
