import type { Claimed, ReviewReading, Unread } from "../../finding.ts";
import { at, filledAt, isObject, listAt, shortValue, textAt } from "../json.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { unread } from "../reader.ts";
import { upgradeRun } from "./legacy.ts";
import { contextOf, readResult } from "./result.ts";
import { isSarif, notRead, withoutResults } from "./runs.ts";

/** SARIF 2.1.0; logs of 1.0.0 and of the 2.0.0 drafts are raised to it first. */
export const sarifReader: Reader = { format: "sarif", title: "SARIF", read: readSarif };

function readSarif(source: ReviewSource): ReviewReading | null {
  const log = source.json?.value;
  if (!isObject(log) || !isSarif(log)) return null;
  const runs = at(log, "runs");
  if (!Array.isArray(runs)) {
    const row = unread(
      source.path,
      { pointer: "/runs" },
      shortValue(runs),
      "This SARIF log has no list of runs.",
      true,
    );
    return { format: "sarif", claimed: [], unread: [row], revision: null };
  }
  const legacy = !/^2\.1(?:\.|$)/.test(textAt(log, "version") ?? "2.1.0");
  const claimed: Claimed[] = [];
  const missed: Unread[] = [];
  for (const [index, run] of runs.entries()) readRun(source, legacy, run, `/runs/${index}`, claimed, missed);
  const revision = listAt(log, "runs").map((run) => filledAt(run, "versionControlProvenance", 0, "revisionId"));
  return { format: "sarif", claimed, unread: missed, revision: revision.find((id) => id !== null) ?? null };
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
    missed.push(unread(source.path, { pointer }, shortValue(given), "This run is not an object.", true));
    return;
  }
  const run = legacy ? upgradeRun(given) : given;
  const results = at(run, "results");
  if (!Array.isArray(results)) {
    missed.push(...withoutResults(source.path, run, results, pointer));
    return;
  }
  const context = contextOf(run, source.severityMap);
  for (const [index, result] of results.entries()) {
    const place = `${pointer}/results/${index}`;
    const read = isObject(result) ? readResult(context, result, place) : null;
    if (read !== null) claimed.push(read);
    else missed.push(unread(source.path, { pointer: place }, shortValue(result), notRead(result), true));
  }
}
