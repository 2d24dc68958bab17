import { type CodeLens, type Diagnostic, DiagnosticSeverity, type Hover, MarkupKind } from "vscode-languageserver";
import type { Engine } from "../engine/engine.ts";
import { closedByProgram, type Entry, isOpen, stateOf } from "../engine/entry.ts";
import { EDITOR } from "../engine/findings.ts";
import { cleanLine, shortLine } from "../report/clean.ts";
import { summaryOf } from "../report/words.ts";
import { compareEntries, entriesAt, isListed } from "./listing.ts";

/** More findings than this on one line share a lens: a row of many would push the others out of sight. */
const MOST_LENSES = 3;

/**
 * Lenses of a file: the state of each listed finding in words, above its line; a click opens the panel. Where a line carries
 * many, one lens counts them, and a click asks which.
 */
export function lensesOf(engine: Engine, file: string, uri: string): CodeLens[] {
  const listed = engine
    .entriesIn(file)
    .filter((entry) => entry.finding.place.line !== null && isListed(entry) && isOpen(entry))
    .sort(compareEntries);
  const byLine = Map.groupBy(listed, ({ finding }) => finding.place.line ?? 1);
  return [...byLine].flatMap(([line, entries]) =>
    entries.length > MOST_LENSES
      ? [lens(line, countWords(entries), { uri, line })]
      : entries.map((entry) => lens(line, stateWords(entry), entry.finding.key)),
  );
}

function lens(line: number, title: string, target: unknown): CodeLens {
  const at = { line: line - 1, character: 0 };
  return {
    range: { start: at, end: at },
    command: { title, command: "skepticalTriage.openPanel", arguments: [target] },
  };
}

function stateWords(entry: Entry): string {
  const todo = stateOf(entry) === "new" && entry.triaged === null && entry.finding.hard === null;
  return `${summaryOf(entry)}${todo ? " · Triage" : ""}`;
}

/** "12 findings · 1 P0 · 11 P1": entries come worst first. */
function countWords(entries: readonly Entry[]): string {
  const counts = [...Map.groupBy(entries, ({ finding }) => finding.severity)].map(
    ([level, of]) => `${of.length} ${level}`,
  );
  return [`${entries.length} findings`, ...counts].join(" · ");
}

/** What the pointer over a finding's line shows: claim, state, and where it comes from; plain text only. */
export function hoverAt(engine: Engine, file: string, line: number): Hover | null {
  const entries = entriesAt(engine, file, line).filter(
    (entry) => isListed(entry) && entry.finding.source.path !== EDITOR,
  );
  if (entries.length === 0) return null;
  const value = entries
    .map(
      ({ finding, ...entry }) =>
        `${summaryOf({ finding, ...entry })}\n${shortLine(finding.message, 400)}\n${cleanLine(`${finding.tool} ${finding.rule ?? ""}`).trim()}`,
    )
    .join("\n\n");
  return { contents: { kind: MarkupKind.PlainText, value } };
}

const LEVEL = {
  P0: DiagnosticSeverity.Error,
  P1: DiagnosticSeverity.Error,
  P2: DiagnosticSeverity.Warning,
  Nit: DiagnosticSeverity.Information,
} as const;

/** A character past every line's end: clients cut it to the line. */
const END_OF_LINE = 10_000;

/** Diagnostics of open review-file findings of a file, for the Problems view (0-based positions). */
export function diagnosticsOf(entries: readonly Entry[]): Diagnostic[] {
  return entries
    .filter((entry) => isOpen(entry) && !closedByProgram(entry) && entry.finding.source.path !== EDITOR)
    .map(({ finding, triaged }) => {
      const { place } = finding;
      const line = (place.line ?? 1) - 1;
      const endLine = Math.max(line, (place.endLine ?? line + 1) - 1);
      const character = Math.max(0, (place.column ?? 1) - 1);
      return {
        range: {
          start: { line, character },
          end: { line: endLine, character: place.endColumn === null ? END_OF_LINE : place.endColumn - 1 },
        },
        severity: LEVEL[triaged?.outcome.severity ?? finding.severity],
        source: "Skeptical Triage",
        ...(finding.rule === null ? {} : { code: shortLine(finding.rule, 80) }),
        message: shortLine(finding.message, 1000),
      };
    });
}
