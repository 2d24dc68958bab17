import path from "node:path";
import { SEVERITIES, type Severity } from "../../core/finding.ts";
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

/** What the order of a list rests on: `path` empty and `line` 0 where there is none. */
export interface Placed {
  readonly key: string;
  readonly path: string;
  readonly severity: Severity;
  readonly line: number;
}

/** By file, severity, line. */
export function comparePlaced(a: Placed, b: Placed): number {
  // Plain comparison: collation of 100,000 paths takes seconds.
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.line - b.line || (a.key < b.key ? -1 : 1);
}

/** The same order for entries. */
export function compareEntries(a: Entry, b: Entry): number {
  return comparePlaced(placedOf(a), placedOf(b));
}

/** Where an entry stands in a list. */
export function placedOf({ finding: { key, place, citedPath, severity } }: Entry): Placed {
  return { key, path: place.file ?? citedPath ?? "", severity, line: place.line ?? 0 };
}

/** Entries whose place covers a 1-based line of a file. */
export function entriesAt(engine: Engine, file: string, line: number): Entry[] {
  return engine.entriesIn(file).filter(({ finding }) => {
    const { place } = finding;
    return place.line !== null && place.line <= line && line <= Math.max(place.line, place.endLine ?? place.line);
  });
}
