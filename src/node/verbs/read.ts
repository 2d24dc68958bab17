import type { CallOf } from "../../core/ports.ts";
import { holdPath } from "../paths.ts";
import { LINES_MEMBERS, linesArguments } from "./members.ts";
import { failed, type VerbContext, type VerbResult } from "./receipt.ts";
import { callTo, type Verb } from "./verb.ts";

/** Lines one call of `read` gives at most. */
export const MOST_LINES = 400;

/** Reads lines `from`..`to` (1-based, inclusive) of a file inside the workspace: live buffer first, numbered, secrets masked. */
async function readLines(call: CallOf<"read">, context: VerbContext): Promise<VerbResult> {
  const argv = ["read", context.mask(call.file.slice(0, 300)), `${call.from}-${call.to}`];
  const from = Math.max(1, Math.trunc(call.from));
  const asked = Math.trunc(call.to);
  if (!Number.isFinite(from) || !Number.isFinite(asked) || asked < from)
    return failed(argv, `Lines ${call.from} to ${call.to} are no range; lines count from 1 and the first comes first.`);
  const held = await holdPath(context.root, call.file);
  if (held.kind === "refused") return failed(argv, held.why);
  if (context.withheld(held.file)) return failed(argv, "This file is a review, not source; reviews are not shown.");
  const text = await context.repository.text(held.file);
  if (text === null) return failed(argv, `There is no text file ${call.file.slice(0, 300)} in the workspace.`);
  const count = text.lines.length;
  if (from > count) {
    const where = text.truncated
      ? `only the first ${count} lines of this large file are read`
      : `it has ${count} lines`;
    return failed(argv, `Line ${from} is past the end: ${where}.`);
  }
  const to = Math.min(asked, count, from + MOST_LINES - 1);
  const width = String(to).length;
  const masked = context.maskedLines(text).slice(from - 1, to);
  const notes: string[] = [];
  if (to < Math.min(asked, count))
    notes.push(`lines ${to + 1}-${Math.min(asked, count)} are not shown: at most ${MOST_LINES} lines a call`);
  if (asked > count)
    notes.push(
      text.truncated ? `only the first ${count} lines of this large file are read` : `the file ends at line ${count}`,
    );
  return {
    argv,
    exitCode: 0,
    hits: [],
    lines: masked.map((line, index) => `${String(from + index).padStart(width)}\t${line}`),
    notes,
    truncated: to < Math.min(asked, count) || (asked > count && text.truncated),
    error: null,
  };
}

export const read: Verb<"read"> = {
  names: ["read_file"],
  description: "Read numbered lines of one file of the repository.",
  members: LINES_MEMBERS,
  arguments: callTo("read", linesArguments),
  run: readLines,
};
