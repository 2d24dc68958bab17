import path from "node:path";
import { SEVERITIES } from "../../core/finding.ts";
import type { FindingRow } from "../../protocol/worker.ts";
import type { Engine } from "../engine/engine.ts";
import { type Entry, stateOf } from "../engine/entry.ts";
import { EDITOR } from "../engine/findings.ts";
import { shortLine } from "../report/clean.ts";
import { summaryOf } from "../report/words.ts";

/** Longest title of a row, in characters. */
const MOST_TITLE = 200;

/** An entry as the Findings view shows it. */
export function rowOf(entry: Entry, engine: Engine): FindingRow {
  const { finding, triaged, decided } = entry;
  const { file } = finding.place;
  return {
    key: finding.key,
    severity: finding.severity,
    shownSeverity: triaged?.outcome.severity ?? finding.severity,
    title: shortLine(finding.message, MOST_TITLE),
    file: file ?? finding.citedPath,
    absolute: file === null ? null : path.join(engine.root, file),
    line: finding.place.line,
    tool: shortLine(finding.tool, 60),
    rule: finding.rule === null ? null : shortLine(finding.rule, 80),
    state: stateOf(entry),
    action: triaged?.outcome.action ?? null,
    decision: decided === null || decided.decision === "reopened" ? null : decided.decision,
    status: finding.status,
    place: finding.place.status,
    hard: finding.hard !== null,
    summary: summaryOf(entry),
    clusterSize: engine.clusterSize(entry),
    fromEditor: finding.source.path === EDITOR,
  };
}

/** True for entries that the view and the lenses show: those of review files, and diagnostics once they were triaged. */
export function isListed(entry: Entry): boolean {
  return (
    entry.finding.source.path !== EDITOR || entry.triaged !== null || entry.progress !== null || entry.decided !== null
  );
}

/** By file, severity, line. */
export function compareEntries(a: Entry, b: Entry): number {
  const [first, second] = [fileOf(a), fileOf(b)];
  // Plain comparison: collation of 100,000 paths takes seconds.
  if (first !== second) return first < second ? -1 : 1;
  return (
    SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity) ||
    (a.finding.place.line ?? 0) - (b.finding.place.line ?? 0) ||
    (a.finding.key < b.finding.key ? -1 : 1)
  );
}

/** Entries whose place covers a 1-based line of a file. */
export function entriesAt(engine: Engine, file: string, line: number): Entry[] {
  return engine.entriesIn(file).filter(({ finding }) => {
    const { place } = finding;
    return place.line !== null && place.line <= line && line <= Math.max(place.line, place.endLine ?? place.line);
  });
}

function fileOf({ finding }: Entry): string {
  return finding.place.file ?? finding.citedPath ?? "";
}
