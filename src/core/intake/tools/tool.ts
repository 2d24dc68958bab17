import type { Claimed, ReviewReading, SourceSeverity, Unread } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { severityOf } from "../../severity.ts";
import type { JsonObject } from "../json.ts";
import { isObject, shortValue, step } from "../json.ts";
import { BLANK_CLAIM, unread } from "../reader.ts";

/** One entry of a tool's report with what it stands in: a message of a file, a warning of a list. */
export interface Member {
  readonly value: unknown;
  /** What several members share (a file with its messages, the whole report); empty where there is nothing. */
  readonly owner: JsonObject;
  /** JSON pointer below the document. */
  readonly pointer: string;
}

/** A claim before its severity is decided: `severities` are tried in order, the first that its scale knows is taken. */
export interface Draft extends Partial<Omit<Claimed, "severity" | "sourceSeverity" | "pointer">> {
  readonly tool: string;
  readonly message: string;
  readonly severities: readonly SourceSeverity[];
}

/** What a tool says of its own work: a file it could not parse, a check that failed. Listed, but no finding. */
export interface Problem {
  readonly pointer: string;
  readonly text: string;
  readonly reason: string;
}

/** One JSON format of a tool, known by its content alone. None of its functions throws. */
export interface ToolFormat {
  readonly format: string;
  /** Named in the sentence that says which formats are read. */
  readonly title: string;
  /** Every entry of a document of this format, good or broken; null where the document is another's. */
  readonly members: (root: unknown) => readonly Member[] | null;
  /** One entry as a draft, or a sentence that says why it cannot be read (C20). */
  readonly read: (value: JsonObject, member: Member) => Draft | string;
  readonly problems?: (root: unknown) => readonly Problem[];
}

/** What the readers of one document share. */
export interface ToolContext {
  /** The review file, as it will stand in `Unread.path`. */
  readonly path: string;
  readonly severityMap: SeverityMap;
}

/** Where a document stands in its file: its pointer prefix, and its 1-based line if the file holds several. */
export interface Standing {
  readonly locate: (pointer: string) => { readonly pointer: string; readonly line: number | null };
}

/** The document is the whole file. */
export const WHOLE_FILE: Standing = { locate: (pointer) => ({ pointer, line: null }) };

/** A draft as a claim. A severity that no scale knows, or none, is P2: it is kept as written and stays on the list (R0.21). */
export function finishDraft(draft: Draft, pointer: string, map: SeverityMap): Claimed {
  const { severities, ...said } = draft;
  const known = severities.find((each) => severityOf(each, map) !== null);
  const sourceSeverity = known ?? severities[0] ?? { scale: "unstated", value: "" };
  return {
    ...BLANK_CLAIM,
    ...said,
    severity: severityOf(sourceSeverity, map) ?? "P2",
    sourceSeverity,
    pointer,
  };
}

/** Reads a document in a format; null where it is another's. One broken entry costs no other (C20). */
export function readTool(
  format: ToolFormat,
  root: unknown,
  context: ToolContext,
  standing: Standing = WHOLE_FILE,
): ReviewReading | null {
  const members = format.members(root);
  if (members === null) return null;
  const claimed: Claimed[] = [];
  const missed: Unread[] = [];
  for (const member of members) {
    const { pointer, line } = standing.locate(member.pointer);
    const draft = isObject(member.value) ? format.read(member.value, member) : "This entry is not an object.";
    if (typeof draft !== "string") claimed.push(finishDraft(draft, pointer, context.severityMap));
    else missed.push(notRead(context.path, { pointer, line }, shortValue(member.value), draft));
  }
  for (const { pointer, text, reason } of format.problems?.(root) ?? []) {
    missed.push(toolProblem(context.path, standing.locate(pointer), text, reason));
  }
  return { format: format.format, claimed, unread: missed, revision: null };
}

/** An entry that should be a finding and could not be read: it counts for the exit code (ruling 21). */
export function notRead(
  path: string,
  where: { readonly pointer: string; readonly line: number | null },
  text: string,
  reason: string,
): Unread {
  return unread(path, whereOf(where), text, reason, true);
}

/** What a tool says of its own work is listed, and does not count as a finding that was lost, whatever words it uses. */
function toolProblem(
  path: string,
  where: { readonly pointer: string; readonly line: number | null },
  text: string,
  reason: string,
): Unread {
  return { ...unread(path, whereOf(where), text, reason), severityWord: false };
}

function whereOf(where: { readonly pointer: string; readonly line: number | null }): {
  pointer: string;
  line?: number;
} {
  return where.line === null ? { pointer: where.pointer } : { pointer: where.pointer, line: where.line };
}

/** The entries of a list as members; empty where the value is no list. */
export function membersOf(list: unknown, pointer: string, owner: JsonObject = {}): Member[] {
  return Array.isArray(list)
    ? list.map((value: unknown, index) => ({ value, owner, pointer: step(pointer, index) }))
    : [];
}

/** The members of a document that is a list of rows, or one row: null unless at least one of them is such a row. */
export function rowsOf(root: unknown, isRow: (value: JsonObject) => boolean): Member[] | null {
  if (Array.isArray(root)) {
    return root.some((value: unknown) => isObject(value) && isRow(value)) ? membersOf(root, "") : null;
  }
  return isObject(root) && isRow(root) ? [{ value: root, owner: {}, pointer: "" }] : null;
}
