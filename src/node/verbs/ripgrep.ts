import * as z from "zod";
import { bareEnvironment, runProgram } from "../program.ts";

/** A line that ripgrep matched; `text` as ripgrep read it, without its line end. */
export interface RawHit {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** One search by ripgrep. `argv` names the program `rg`, whatever its real place. */
export type RipgrepRun =
  | {
      readonly kind: "searched";
      readonly argv: readonly string[];
      readonly exitCode: number | null;
      readonly hits: readonly RawHit[];
      readonly truncated: boolean;
      /** What ripgrep could not read, in its words; null where it read everything it looked at. */
      readonly problem: string | null;
    }
  | { readonly kind: "failed"; readonly argv: readonly string[]; readonly why: string }
  /** The program could not be started. */
  | { readonly kind: "missing"; readonly why: string };

export interface RipgrepCall {
  /** Absolute path of ripgrep. */
  readonly program: string;
  /** Absolute workspace folder. */
  readonly root: string;
  readonly pattern: string;
  /** Further patterns that a line may hold instead. */
  readonly others?: readonly string[];
  readonly literal: boolean;
  /** Workspace-relative, links resolved; `.` for everything; `-` searches `input`. */
  readonly path: string;
  readonly input?: string;
  /** True: ignored and hidden files too, as a claim of absence needs. */
  readonly wide: boolean;
}

const TIMEOUT_MS = 10_000;
const LARGEST_STDOUT = 4 * 1024 * 1024;

/** Larger files are passed over by a search; said in every claim of absence. */
export const LARGEST_SEARCHED = "4M";

/**
 * Searches with ripgrep under the fixed calling rules: no configuration, no preprocessor, no PCRE, links not followed,
 * the pattern behind `-e` and the path behind `--`, so that neither can become an option.
 */
export async function runRipgrep(call: RipgrepCall, signal: AbortSignal): Promise<RipgrepRun> {
  const argv = ripgrepArguments(call);
  const done = await runProgram({
    file: call.program,
    argv: argv.slice(1),
    cwd: call.root,
    env: bareEnvironment(process.env["PATH"], call.root),
    ...(call.input === undefined ? {} : { input: call.input }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: LARGEST_STDOUT,
    signal,
  });
  if (done.kind === "timed-out")
    return {
      kind: "failed",
      argv,
      why: `The search was stopped after ${done.timeoutMs / 1000} seconds; nothing follows from it.`,
    };
  if (done.kind === "failed") return { kind: "missing", why: done.why };
  const hits = done.stdout.split("\n").flatMap(readMessage);
  const problem = done.exitCode === 2 ? firstProblem(done.stderr) : null;
  if (problem !== null && hits.length === 0) return { kind: "failed", argv, why: `The search failed: ${problem}` };
  return { kind: "searched", argv, exitCode: done.exitCode, hits, truncated: done.truncated, problem };
}

/** What ripgrep is started with; the first is its name. */
export function ripgrepArguments(call: RipgrepCall): readonly string[] {
  return [
    "rg",
    "--no-config",
    "--json",
    "--no-follow",
    "--no-require-git",
    "--max-columns=1000",
    `--max-filesize=${LARGEST_SEARCHED}`,
    "--threads=2",
    ...(call.literal ? ["--fixed-strings"] : []),
    ...(call.wide ? ["--no-ignore", "--hidden"] : []),
    // Narrowing only: what is no source stays out even of a wide search.
    "--iglob=!.git",
    "--iglob=!.skeptical-triage",
    "--iglob=!.great_cto",
    ...[call.pattern, ...(call.others ?? [])].flatMap((pattern) => ["-e", pattern]),
    "--",
    call.path,
  ];
}

function firstProblem(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  // A pattern's error comes over several lines, the last of which says what is wrong.
  const said = lines[0]?.includes("regex parse error") ? lines.at(-1) : lines[0];
  return (said ?? "it gave no reason").replace(/^(?:rg: )?(?:error: )?/, "").slice(0, 300);
}

/** ripgrep gives text, or base64 bytes where a line or a name is not UTF-8. */
const Text = z.union([
  z.object({ text: z.string() }).transform((value) => value.text),
  z.object({ bytes: z.string() }).transform((value) => Buffer.from(value.bytes, "base64").toString("latin1")),
]);
const Match = z.object({
  type: z.literal("match"),
  data: z.object({ path: Text, lines: Text, line_number: z.number().int() }),
});

function readMessage(line: string): readonly RawHit[] {
  if (!line.startsWith('{"type":"match"')) return [];
  const parsed = Match.safeParse(parseJson(line));
  // Only the last message can be broken, where the output was cut.
  if (!parsed.success) return [];
  const { path, lines, line_number } = parsed.data.data;
  const file = path.replaceAll("\\", "/").replace(/^\.\//, "");
  return [{ file, line: line_number, text: lines.replace(/\r?\n$/, "") }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
