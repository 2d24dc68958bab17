import * as z from "zod";
import type { CallOf } from "../../core/ports.ts";
import { isPrivate } from "../paths.ts";
import { splitLines } from "../repository/decode.ts";
import { createGit } from "../repository/git.ts";
import { QUIET_LOG } from "../repository/gitRun.ts";
import { failed, type VerbContext, type VerbResult } from "./receipt.ts";
import { gitProblem, heldFor, resolveRevision } from "./revision.ts";
import { callTo, type Verb } from "./verb.ts";

declare module "../../core/ports.ts" {
  interface VerbCalls {
    /** A file as a revision holds it, numbered; `.` shows the commit itself, message and patch. */
    readonly show: { readonly file: string; readonly revision: string };
  }
}

const LARGEST_PATCH = 512 * 1024;

async function showRevision(call: CallOf<"show">, context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const argv = ["show", call.revision.slice(0, 200), "--", context.mask(call.file.slice(0, 300))];
  const held = await heldFor(call.file, context);
  if (held.kind === "refused") return failed(argv, held.why);
  const commit = await resolveRevision(call.revision, context, signal);
  if ("why" in commit) return failed(argv, commit.why);
  if (held.file === "") return await showCommit(argv, commit.id, context, signal);
  const text = await createGit(context.root, context.repository.git).committed(held.file, signal, commit.id);
  if (text === "absent") return failed(argv, `${call.revision} does not hold this file.`);
  if (text === null) return failed(argv, "The file is no text in that revision, or too large.");
  // Masked as a whole, so that a key of many lines is seen as one.
  const lines = context.mask(splitLines(text.text).join("\n")).split("\n");
  const numbered = lines.map((line, index) => `${index + 1}\t${line}`);
  return { argv, exitCode: 0, hits: [], lines: numbered, notes: [], truncated: false, error: null };
}

/** Message and patch of a commit, without the parts that are no source or are reviews. */
async function showCommit(
  argv: readonly string[],
  id: string,
  context: VerbContext,
  signal: AbortSignal,
): Promise<VerbResult> {
  // The prefixes by which the paths of a patch are read are set, since a repository's configuration could change them.
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  const format = [
    "--format=%h %as %an%n%n%B",
    "--patch",
    "--diff-merges=first-parent",
    "-M",
    ...prefixes,
    ...QUIET_LOG,
  ];
  const done = await context.repository.git(["show", ...format, id, "--", "."], { maxBytes: LARGEST_PATCH, signal });
  if (done?.kind !== "ran" || (done.exitCode !== 0 && !done.truncated))
    return failed(argv, gitProblem(done, "this commit"));
  const [head = "", ...patches] = done.stdout.split(/^(?=diff --git )/m);
  const shown = patches.filter((patch) => isShown(patch, context));
  const left = patches.length - shown.length;
  const notes = left === 0 ? [] : [`${left} files that are no source are left out`];
  if (done.truncated) notes.push("the patch goes on; it was cut here");
  const text = context.mask([head.trim(), ...shown].join("\n").trimEnd());
  return { argv, exitCode: 0, hits: [], lines: text.split("\n"), notes, truncated: done.truncated, error: null };
}

/** A patch is shown where every path in its header can be read and none of them is private or withheld. */
function isShown(patch: string, context: VerbContext): boolean {
  const header = patch.slice(0, patch.search(/^@@ /m) >>> 0);
  const paths = Array.from(
    header.matchAll(/^(?:--- a\/|\+\+\+ b\/|(?:rename|copy) (?:from|to) )(.+)$/gm),
    ([, path]) => path ?? "",
  );
  const plain = /^diff --git a\/(.+) b\/\1$/m.exec(header)?.[1];
  const all = [...paths, ...(plain === undefined ? [] : [plain])].map((path) => path.replace(/\t$/, ""));
  return all.length > 0 && all.every((path) => !path.startsWith('"') && !isPrivate(path) && !context.withheld(path));
}

export const show: Verb<"show"> = {
  names: ["git_show"],
  description: "Show a file as a revision holds it, or a commit's message and patch.",
  members: {
    file: { type: "string", description: "path of one file; . for the commit itself" },
    revision: {
      type: "string",
      description: "base for where the change under review began, HEAD, HEAD~n, a commit id or a branch",
    },
  },
  arguments: callTo(
    "show",
    z.object({
      file: z
        .string()
        .nullish()
        .transform((file) => file ?? "."),
      revision: z
        .string()
        .nullish()
        .transform((revision) => revision ?? "HEAD"),
    }),
  ),
  run: showRevision,
};
