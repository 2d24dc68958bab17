import type { Claimed, ReviewReading, Unread } from "../../finding.ts";
import type { JsonObject } from "../json.ts";
import { at, filledAt, isObject, listAt, textAt } from "../json.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { unread } from "../reader.ts";
import { upgradeRun } from "./legacy.ts";
import type { RunContext } from "./result.ts";
import { readResult } from "./result.ts";
import { indexRules } from "./rules.ts";

/** SARIF 2.1.0; logs of 1.0.0 and of the 2.0.0 drafts are raised to it first. */
export const sarifReader: Reader = { format: "sarif", title: "SARIF", read: readSarif };

function readSarif(source: ReviewSource): ReviewReading | null {
  const log = source.json?.value;
  if (!isObject(log) || !isSarif(log)) return null;
  const runs = at(log, "runs");
  if (!Array.isArray(runs)) {
    const row = unread(source.path, { pointer: "/runs" }, cut(runs), "This SARIF log has no list of runs.", true);
    return { format: "sarif", claimed: [], unread: [row], revision: null };
  }
  const legacy = !/^2\.1(?:\.|$)/.test(textAt(log, "version") ?? "2.1.0");
  const claimed: Claimed[] = [];
  const missed: Unread[] = [];
  for (const [index, run] of runs.entries()) readRun(source, legacy, run, `/runs/${index}`, claimed, missed);
  const revision = listAt(log, "runs").map((run) => filledAt(run, "versionControlProvenance", 0, "revisionId"));
  return { format: "sarif", claimed, unread: missed, revision: revision.find((id) => id !== null) ?? null };
}

/** By content: the schema's name, or runs beside a version. */
function isSarif(log: JsonObject): boolean {
  return (
    /sarif/i.test(textAt(log, "$schema") ?? "") ||
    (Object.hasOwn(log, "runs") && Object.hasOwn(log, "version")) ||
    listAt(log, "runs").some((run) => Object.hasOwn(isObject(run) ? run : {}, "results"))
  );
}

function readRun(
  source: ReviewSource,
  legacy: boolean,
  given: unknown,
  pointer: string,
  claimed: Claimed[],
  missed: Unread[],
): void {
  if (!isObject(given)) {
    missed.push(unread(source.path, { pointer }, cut(given), "This run is not an object.", true));
    return;
  }
  const run = legacy ? upgradeRun(given) : given;
  const results = at(run, "results");
  if (!Array.isArray(results)) {
    missed.push(...withoutResults(source.path, run, results, pointer));
    return;
  }
  const context: RunContext = {
    run,
    tool: filledAt(run, "tool", "driver", "name")?.trim() ?? "unknown tool",
    components: indexRules(run),
    severityMap: source.severityMap,
  };
  for (const [index, result] of results.entries()) {
    const place = `${pointer}/results/${index}`;
    const read = isObject(result) ? readResult(context, result, place) : null;
    if (read !== null) claimed.push(read);
    else missed.push(unread(source.path, { pointer: place }, cut(result), notRead(result), true));
  }
}

function notRead(result: unknown): string {
  return isObject(result) ? "This result has no message, no rule and no location." : "This result is not an object.";
}

/** A run may keep its results in another file, or have none because the tool failed: neither is the same as nothing found. */
function withoutResults(path: string, run: JsonObject, results: unknown, pointer: string): Unread[] {
  const elsewhere = filledAt(run, "externalPropertyFileReferences", "results", 0, "location", "uri");
  if (elsewhere !== null) {
    const reason = "The results of this run stand in another file, which is not read.";
    return [unread(path, { pointer: `${pointer}/externalPropertyFileReferences/results` }, elsewhere, reason, true)];
  }
  const absent = results === undefined || results === null;
  const reason = absent
    ? "This run has no list of results: the tool may have failed before it looked."
    : "The results of this run are not a list.";
  return [unread(path, { pointer: `${pointer}/results` }, cut(results), reason, !absent)];
}

/** The start of a value that was not understood, without walking a deep or large one as JSON.stringify would. */
function cut(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return value === null ? "null" : "";
  return Object.entries(value)
    .slice(0, 8)
    .map(([name, member]) => `${name}: ${typeof member === "object" && member !== null ? "…" : String(member)}`)
    .join(", ");
}
