import type { Claimed, Unread } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { at, filledAt, isObject, listAt, shortValue, textAt } from "../json.ts";
import { unread } from "../reader.ts";
import { contextOf, type RunContext, readResult } from "./result.ts";
import { isSarif, notRead, withoutResults } from "./runs.ts";
import type { ResultRange } from "./split.ts";

/** A log without its results: what every piece of it shares. */
export interface SarifFrame {
  readonly path: string;
  /** By position in `runs`; null for a run that is no object. */
  readonly contexts: readonly (RunContext | null)[];
  /** What was not understood about the runs themselves. */
  readonly unread: readonly Unread[];
  readonly revision: string | null;
}

export type OpenedFrame =
  | { readonly kind: "frame"; readonly frame: SarifFrame }
  /** No SARIF 2.1 log: an older draft, or something else; to be read as a whole, if at all. */
  | { readonly kind: "whole" }
  | { readonly kind: "broken"; readonly why: string };

/** Reads a log's skeleton, as `SarifSplitter` found it. */
export function openFrame(skeleton: string, path: string, severityMap: SeverityMap): OpenedFrame {
  let log: unknown;
  try {
    log = JSON.parse(skeleton.startsWith("\ufeff") ? skeleton.slice(1) : skeleton);
  } catch (error) {
    return { kind: "broken", why: error instanceof Error ? error.message : String(error) };
  }
  if (!isObject(log) || !isSarif(log) || !/^2\.1(?:\.|$)/.test(textAt(log, "version") ?? "2.1.0"))
    return { kind: "whole" };
  const runs = listAt(log, "runs");
  const missed: Unread[] = [];
  const contexts = runs.map((run, index) => {
    const pointer = `/runs/${index}`;
    if (!isObject(run)) {
      missed.push(unread(path, { pointer }, shortValue(run), "This run is not an object.", true));
      return null;
    }
    if (!Array.isArray(at(run, "results"))) missed.push(...withoutResults(path, run, at(run, "results"), pointer));
    return contextOf(run, severityMap);
  });
  const revision = runs
    .map((run) => filledAt(run, "versionControlProvenance", 0, "revisionId"))
    .find((id) => id !== null);
  return { kind: "frame", frame: { path, contexts, unread: missed, revision: revision ?? null } };
}

/** One result from its own text, holes filled with `null`; what does not fit costs nobody else anything. */
export function readPiece(
  frame: SarifFrame,
  range: Pick<ResultRange, "run" | "index">,
  text: string,
): Claimed | Unread {
  // Joined, not put together: half a million of these are kept, and a text made of parts keeps its parts.
  const pointer = ["/runs", range.run, "results", range.index].join("/");
  const context = frame.contexts[range.run];
  let result: unknown;
  try {
    result = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unread(frame.path, { pointer }, text.slice(0, 400), `This result is not valid JSON (${why}).`, true);
  }
  const read =
    context === null || context === undefined || !isObject(result) ? null : readResult(context, result, pointer);
  return read ?? unread(frame.path, { pointer }, shortValue(result), notRead(result), true);
}

/** True for what `readPiece` could not understand. */
export function isUnread(piece: Claimed | Unread): piece is Unread {
  return "reason" in piece;
}
