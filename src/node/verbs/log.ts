import * as z from "zod";
import type { CallOf } from "../../core/ports.ts";
import { isPrivate } from "../paths.ts";
import { QUIET_LOG } from "../repository/gitRun.ts";
import { failed, type VerbContext, type VerbResult } from "./receipt.ts";
import { gitProblem, heldFor, resolveRevision } from "./revision.ts";
import { callTo, type Verb } from "./verb.ts";

declare module "../../core/ports.ts" {
  interface VerbCalls {
    /** Commits that touched a file or folder (`.`: anything), newest first, at most `count`, from a revision on back. */
    readonly log: { readonly path: string; readonly count: number; readonly revision: string };
  }
}

const MOST_COMMITS = 100;
const LARGEST_OUTPUT = 1024 * 1024;

/** `COMMIT DATE AUTHOR: SUBJECT`, then the files of each commit with their status; renames are followed for one file. */
async function listCommits(call: CallOf<"log">, context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const count = Math.min(call.count, MOST_COMMITS);
  const argv = ["log", "-n", String(count), call.revision.slice(0, 200), "--", context.mask(call.path.slice(0, 300))];
  const held = await heldFor(call.path, context);
  if (held.kind === "refused") return failed(argv, held.why);
  const commit = await resolveRevision(call.revision, context, signal);
  if ("why" in commit) return failed(argv, commit.why);
  const one = (await context.repository.text(held.file)) !== null ? ["--follow"] : [];
  const format = ["--format=%x1e%h %as %an: %s%x1f", "--name-status", "-z", "-M", ...QUIET_LOG];
  const path = held.file === "" ? "." : `./${held.file}`;
  const done = await context.repository.git(["log", "-n", String(count), ...one, ...format, commit.id, "--", path], {
    maxBytes: LARGEST_OUTPUT,
    signal,
  });
  if (done?.kind !== "ran" || (done.exitCode !== 0 && !done.truncated))
    return failed(argv, gitProblem(done, "the history"));
  const lines = context.mask(readLog(done.stdout, context).join("\n")).split("\n");
  const notes = lines.length === 1 && lines[0] === "" ? ["no commit touched it"] : [];
  return { argv, exitCode: 0, hits: [], lines, notes, truncated: done.truncated || count < call.count, error: null };
}

/** Files that are no source, and reviews, are left out of what a commit touched. */
function readLog(output: string, context: VerbContext): string[] {
  const lines: string[] = [];
  for (const commit of output.split("\x1e").slice(1)) {
    const [head = "", rest = ""] = commit.split("\x1f");
    lines.push(head.replace(/\s+/g, " ").trim());
    const fields = rest.split("\0").map((field) => field.replace(/^\n+/, ""));
    for (let at = 0; at < fields.length; at += 1) {
      const status = fields[at] ?? "";
      if (!/^[A-Z]\d*$/.test(status)) continue;
      const files = fields.slice(at + 1, at + (/^[RC]/.test(status) ? 3 : 2));
      at += files.length;
      if (files.every((file) => !isPrivate(file) && !context.withheld(file)))
        lines.push(`  ${status} ${files.join(" -> ")}`);
    }
  }
  return lines;
}

export const log: Verb<"log"> = {
  names: ["git_log"],
  description:
    "List commits that touched a file or folder, newest first, with what each did to files; renames are followed.",
  members: {
    path: { type: "string", description: "file or folder; . for the whole repository" },
    count: { type: "integer", description: `commits to list, 1 to ${MOST_COMMITS}` },
    revision: { type: "string", description: "where to start: HEAD, HEAD~n, a commit id or a branch" },
  },
  arguments: callTo(
    "log",
    z.object({
      path: z
        .string()
        .nullish()
        .transform((path) => path ?? "."),
      count: z.coerce
        .number()
        .int()
        .min(1)
        .nullish()
        .transform((count) => count ?? 20),
      revision: z
        .string()
        .nullish()
        .transform((revision) => revision ?? "HEAD"),
    }),
  ),
  run: listCommits,
};
