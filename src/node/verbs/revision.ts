import type { HeldPath } from "../paths.ts";
import { holdPath } from "../paths.ts";
import { mergeBase } from "../repository/changes.ts";
import { wholeOutput } from "../repository/gitRun.ts";
import type { VerbContext } from "./receipt.ts";

/** The word for where the change under review began. */
export const BASE = "base";
const LONGEST_REVISION = 200;
/** A commit id, HEAD and what stands before it, or a name of a branch or tag: nothing that git reads as an option or a range. */
const REVISION = /^(?:[0-9a-fA-F]{4,64}|HEAD|[A-Za-z0-9][\w./-]*)(?:[~^]\d{0,4}){0,4}$/;

/** The commit that a reviewer's word means, as a full id; or why not. */
export async function resolveRevision(
  revision: string,
  context: VerbContext,
  signal: AbortSignal,
): Promise<{ readonly id: string } | { readonly why: string }> {
  const limits = { maxBytes: 4096, signal };
  const git = context.repository.git;
  const known = revision.length <= LONGEST_REVISION && REVISION.test(revision) && !/\.\.|\/\/|\.lock\b/.test(revision);
  if (!known) return { why: "This is no revision: give HEAD, HEAD~n, a commit id, a branch, or base." };
  const name = revision === BASE ? await mergeBase(async (argv) => await git(argv, limits)) : revision;
  const verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const id = wholeOutput(await git(verify, limits))?.trim();
  if (id === undefined || !/^[0-9a-f]{40,64}$/.test(id))
    return { why: `There is no commit ${revision} in this repository.` };
  return { id };
}

/** A path that a reviewer gave, held in the workspace; or why it is not shown. `.` is the workspace itself. */
export async function heldFor(
  path: string,
  context: VerbContext,
): Promise<Exclude<HeldPath, { readonly kind: "refused" }> | { readonly kind: "refused"; readonly why: string }> {
  const held = await holdPath(context.root, path);
  if (held.kind !== "refused" && context.withheld(held.file))
    return { kind: "refused", why: "This file is a review, not source; reviews are not shown." };
  return held;
}

/** Why git gave nothing, in a sentence without its own words. */
export function gitProblem(done: { readonly kind: string; readonly truncated?: boolean } | null, what: string): string {
  if (done === null) return "git is not there.";
  if (done.kind === "timed-out") return `git needed too long for ${what}.`;
  return `git could not give ${what}.`;
}
