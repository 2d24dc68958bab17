import type { Atom, CheckResult } from "../check.ts";
import { type Sides, sidesOf } from "../change.ts";
import type { Finding } from "../finding.ts";
import type { Change, History } from "../ports.ts";
import type { CheckContext } from "./check.ts";

/** What shows that something is nowhere: version control, and both sides of every changed file. */
export interface Ground {
  readonly history: History;
  readonly change: Change;
  readonly sides: readonly Sides[];
}

/**
 * Why absence cannot be shown in this workspace, as a sentence; else what to look in (classes 8 and 10, ruling 8): the reviewed
 * tree, whole, with the other side of every change and no part of it elsewhere.
 */
export async function groundOf(finding: Finding, context: CheckContext): Promise<Ground | string> {
  const { repository, signal } = context;
  if (context.reviewedTree?.(finding) !== true) return "This workspace is not shown to be the tree that was reviewed.";
  const { history } = repository;
  if (history === undefined) return "There is no version control to ask about earlier code.";
  const change = await history.change(signal);
  if (change === null || !change.complete) return "The other side of the change under review could not be read whole.";
  const sides = change.files.map(sidesOf);
  if (sides.some(({ cut }) => cut)) return "The diff of the change under review is too large to be read whole.";
  const elsewhere = await emptySubmodule(context);
  if (elsewhere !== null) return `The submodule ${elsewhere} is not checked out, and it may hold this code.`;
  return { history, change, sides };
}

/** A submodule that `.gitmodules` names and that holds no file here; null where there is none. */
async function emptySubmodule(context: CheckContext): Promise<string | null> {
  const { repository, signal } = context;
  if ((await repository.text(".gitmodules")) === null) return null;
  const paths = await submodulePaths(context);
  if (paths.length === 0) return ".gitmodules";
  const files = await repository.files(signal);
  return paths.find((path) => !files.some((file) => file.startsWith(`${path}/`))) ?? null;
}

/** The folders that `.gitmodules` gives to submodules, without a slash at their end. */
export async function submodulePaths({ repository }: CheckContext): Promise<readonly string[]> {
  const text = await repository.text(".gitmodules");
  const paths = text?.lines.map((line) => /^\s*path\s*=\s*(.+?)\/?\s*$/.exec(line)?.[1]) ?? [];
  return paths.filter((path) => path !== undefined);
}

/** The claim that a finding makes by quoting code or naming a file: all else in it rests on that. */
export function premiseAtom(claimClass: 8 | 10, id: number, text: string, subject: string): Atom {
  return { id, kind: "structural", claimClass, text, weight: true, subject };
}

/** What came of looking for the premise: `refuted` with its atom, or why it stands undecided. */
export type Premise =
  | { readonly kind: "refuted"; readonly result: CheckResult }
  | { readonly kind: "open"; readonly result: CheckResult | null };

/** Files and whole-word hits of a name in the whole workspace, ignored files too; null where the search was not complete. */
export async function searchWord(
  name: string,
  context: CheckContext,
): Promise<{ readonly files: readonly string[]; readonly receipt: string } | null> {
  const run = await context.verbs.run(
    { verb: "grep", pattern: name, path: ".", literal: true },
    "check",
    context.signal,
  );
  context.receipt(run.receipt);
  if (run.error !== null || run.receipt.truncated) return null;
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`, "u");
  const hits = run.hits.filter(({ text }) => word.test(text) || /… \[line cut,/.test(text));
  return { files: [...new Set(hits.map(({ file }) => file))], receipt: run.receipt.id };
}
