import * as z from "zod";
import type { CallOf } from "../../core/ports.ts";
import { splitLines } from "../repository/decode.ts";
import { createGit } from "../repository/git.ts";
import { failed, type VerbContext, type VerbResult } from "./receipt.ts";
import { heldFor, resolveRevision } from "./revision.ts";
import { callTo, type Verb } from "./verb.ts";

declare module "../../core/ports.ts" {
  interface VerbCalls {
    /** A file's live text against a revision; `.` lists the files of the change under review. */
    readonly diff: { readonly file: string; readonly revision: string };
  }
}

/**
 * The unified diff of one file from a revision to its live text, unsaved edits included. Both texts are compared outside of the
 * repository, so that no filter, attribute or diff driver of it has a say.
 */
async function compare(call: CallOf<"diff">, context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const argv = ["diff", call.revision.slice(0, 200), "--", context.mask(call.file.slice(0, 300))];
  const held = await heldFor(call.file, context);
  if (held.kind === "refused") return failed(argv, held.why);
  if (held.file === "") return await listChanged(argv, context, signal);
  const commit = await resolveRevision(call.revision, context, signal);
  if ("why" in commit) return failed(argv, commit.why);
  const git = createGit(context.root, context.repository.git);
  const before = await git.committed(held.file, signal, commit.id);
  const now = await context.repository.text(held.file);
  if (before === null || now?.truncated === true)
    return failed(argv, "One side of this file is no text, or too large to be compared.");
  if (before === "absent" && now === null) return failed(argv, "Neither side holds this file.");
  const old = before === "absent" ? null : splitLines(before.text).join("\n");
  const compared = await git.compare(held.file, old, now?.lines.join("\n") ?? "", signal);
  if (compared === null) return failed(argv, "The two sides could not be compared.");
  const { text, cut } = compared;
  const lines = text === "" ? [] : context.mask(text.replace(/\n$/, "")).split("\n");
  const notes = [
    ...(lines.length === 0 ? ["no difference"] : []),
    ...(cut ? ["the diff goes on; it was cut here"] : []),
  ];
  return { argv, exitCode: 0, hits: [], lines, notes, truncated: cut, error: null };
}

async function listChanged(argv: readonly string[], context: VerbContext, signal: AbortSignal): Promise<VerbResult> {
  const files = await context.repository.changedFiles(signal);
  if (files === null) return failed(argv, "This folder has no commits to compare with.");
  const lines = files.filter((file) => !context.withheld(file));
  const notes = ["files that differ from the base of the change under review; ask for one to see its diff"];
  return { argv, exitCode: 0, hits: [], lines, notes, truncated: false, error: null };
}

export const diff: Verb<"diff"> = {
  names: ["git_diff"],
  description:
    "Show how a file differs from a revision, uncommitted edits included; or list the files of the change under review.",
  members: {
    file: { type: "string", description: "path of one file; . lists the changed files" },
    revision: {
      type: "string",
      description: "base for where the change under review began, HEAD, HEAD~n, a commit id or a branch",
    },
  },
  arguments: callTo(
    "diff",
    z.object({
      file: z.string().min(1),
      revision: z
        .string()
        .nullish()
        .transform((revision) => revision ?? "base"),
    }),
  ),
  run: compare,
};
