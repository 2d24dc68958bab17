import type { CallOf } from "../../core/ports.ts";
import { LINES_MEMBERS, linesArguments } from "./members.ts";
import { failed, type VerbContext, type VerbResult } from "./receipt.ts";
import { gitProblem, heldFor } from "./revision.ts";
import { callTo, type Verb } from "./verb.ts";

/** Lines one call gives at most. */
const MOST_LINES = 200;
const LARGEST_OUTPUT = 1024 * 1024;

/**
 * Who last changed each line, as committed in HEAD: `LINE<tab>COMMIT DATE AUTHOR<tab>TEXT`. The commit, not the working file, is read,
 * because git would run the repository's filters on the file.
 */
async function blameLines(call: CallOf<"blame">, context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const argv = ["blame", `${call.from}-${call.to}`, "HEAD", "--", context.mask(call.file.slice(0, 300))];
  if (call.to < call.from) return failed(argv, "The last line comes before the first.");
  const held = await heldFor(call.file, context);
  if (held.kind === "refused") return failed(argv, held.why);
  const to = Math.min(call.to, call.from + MOST_LINES - 1);
  const range = ["-L", `${call.from},${to}`];
  const quiet = ["--no-textconv", "--ignore-revs-file=", "--encoding=UTF-8", "--line-porcelain", "-w"];
  const limits = { maxBytes: LARGEST_OUTPUT, signal };
  const done = await context.repository.git(["blame", ...quiet, ...range, "HEAD", "--", `./${held.file}`], limits);
  if (done?.kind !== "ran" || (done.exitCode !== 0 && !done.truncated))
    return failed(argv, `${gitProblem(done, "the blame of these lines")} HEAD may not hold them.`);
  const lines = context.mask(readBlame(done.stdout).join("\n")).split("\n");
  const notes = to < call.to ? [`at most ${MOST_LINES} lines a call; ask for the rest`] : [];
  if ((await context.repository.diff(held.file, signal))?.text !== "")
    notes.push("the working file differs from HEAD, whose line numbers these are");
  return { argv, exitCode: 0, hits: [], lines, notes, truncated: done.truncated || to < call.to, error: null };
}

/** One line of output for each of `--line-porcelain`: a header, members, then the text behind a tab. */
function readBlame(output: string): string[] {
  const lines: string[] = [];
  let now = { line: "", commit: "", author: "", date: "" };
  for (const raw of output.split("\n")) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(raw);
    if (raw.startsWith("\t")) lines.push(`${now.line}\t${now.commit} ${now.date} ${now.author}\t${raw.slice(1)}`);
    else if (header !== null)
      now = { line: header[2] ?? "", commit: header[1]?.slice(0, 10) ?? "", author: "", date: "" };
    else if (raw.startsWith("author ")) now = { ...now, author: raw.slice(7).replaceAll("\t", " ") };
    else if (raw.startsWith("author-time ")) now = { ...now, date: dayOf(Number(raw.slice(12))) };
  }
  return lines;
}

/** The day (UTC) of a time in seconds. */
function dayOf(seconds: number): string {
  return Number.isFinite(seconds) && Math.abs(seconds) < 1e11
    ? new Date(seconds * 1000).toISOString().slice(0, 10)
    : "0000-00-00";
}

export const blame: Verb<"blame"> = {
  names: ["git_blame"],
  description: "Say for lines of a file, as committed, which commit last changed each, when and by whom.",
  members: LINES_MEMBERS,
  arguments: callTo("blame", linesArguments),
  run: blameLines,
};
