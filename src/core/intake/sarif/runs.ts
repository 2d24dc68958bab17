import type { Unread } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, shortValue, textAt } from "../json.ts";
import { unread } from "../reader.ts";

/** By content: the schema's name, runs beside a version, or runs that are what only runs are. */
export function isSarif(log: JsonObject): boolean {
  return (
    /sarif/i.test(textAt(log, "$schema") ?? "") ||
    (Object.hasOwn(log, "runs") && Object.hasOwn(log, "version")) ||
    listAt(log, "runs").some(
      (run) => isObject(run) && (Object.hasOwn(run, "results") || isObject(at(run, "tool", "driver"))),
    )
  );
}

/** Why a member of a list of results is no finding. */
export function notRead(result: unknown): string {
  return isObject(result) ? "This result has no message, no rule and no location." : "This result is not an object.";
}

/** A run may keep its results in another file, or have none because the tool failed: neither is the same as nothing found. */
export function withoutResults(path: string, run: JsonObject, results: unknown, pointer: string): Unread[] {
  const elsewhere = filledAt(run, "externalPropertyFileReferences", "results", 0, "location", "uri");
  if (elsewhere !== null) {
    const reason = "The results of this run stand in another file, which is not read.";
    return [unread(path, { pointer: `${pointer}/externalPropertyFileReferences/results` }, elsewhere, reason, true)];
  }
  const absent = results === undefined || results === null;
  const reason = absent
    ? "This run has no list of results: the tool may have failed before it looked."
    : "The results of this run are not a list.";
  return [unread(path, { pointer: `${pointer}/results` }, shortValue(results), reason, !absent)];
}
