import { missingEvidence } from "./evidenceGate.ts";
import type { GateDowngrade } from "./finding.ts";
import type { CutText, GateLine, GateSeverity, SeverityToken } from "./gateLines.ts";
import { cutText, readLines, withoutRewrites } from "./gateLines.ts";

/** One finding the gate takes back to INFO. `line` is 1-based: where its severity first stands. */
export interface Downgrade {
  readonly from: Exclude<GateSeverity, "INFO">;
  readonly reason: GateDowngrade["reason"];
  readonly line: number;
}

/** What the gate makes of a review's text (R3.14-R3.25). */
export interface GateScan {
  /** Findings that were parsed, INFO included. */
  readonly findings: number;
  readonly downgrades: readonly Downgrade[];
  /** R3.16: nothing was parsed, yet a severity word in capitals stands somewhere. */
  readonly unreadable: boolean;
}

/** A scan with the rewritten text: equal to the given one but for the downgraded severities. */
export interface GateRewrite extends GateScan {
  readonly text: string;
  /** How many severity words were replaced. */
  readonly rewritten: number;
}

interface GateFinding {
  readonly severity: GateSeverity;
  readonly tokens: readonly SeverityToken[];
  readonly text: string;
}

/** Exit codes of the gate (R3.15): something was downgraded; nothing was; no finding was parsed where there should be some. */
export const GATE_EXIT = { downgraded: 0, nothing: 1, unreadable: 3 } as const;

/** Reports what would be downgraded (R3.14 `scan`). Pure; linear in the text. */
export function scanEvidence(text: string): GateScan {
  const { text: _text, rewritten: _rewritten, ...scan } = validateEvidence(text, "");
  return scan;
}

/**
 * Takes findings without evidence back to INFO (R3.14 `validate`). `name` is the file's own name, written into each replaced severity
 * (R3.25). Every other character of the text stays; a second run changes nothing (R3.26, R3.27).
 */
export function validateEvidence(text: string, name: string): GateRewrite {
  const readable = withoutRewrites(text);
  const cut = cutText(readable);
  const findings = collect(cut, readLines(cut));
  const downgrades: Downgrade[] = [];
  const edits: { token: SeverityToken; words: string }[] = [];
  for (const { severity, tokens, text: whole } of findings) {
    const reason = severity === "INFO" ? null : missingEvidence(whole);
    if (severity === "INFO" || reason === null) continue;
    downgrades.push({ from: severity, reason, line: (tokens[0]?.line ?? 0) + 1 });
    const words = `INFO (downgraded: ${reason.replaceAll("_", " ")}; original in ${oneLine(name)}.orig)`;
    for (const token of tokens) if (token.severity !== "INFO") edits.push({ token, words });
  }
  return {
    findings: findings.length,
    downgrades,
    unreadable: findings.length === 0 && speaksOfSeverities(text),
    text: applyEdits(text, edits),
    rewritten: edits.length,
  };
}

/** A file name may hold line ends, and what ends the gate's own words; a review's line may not. */
function oneLine(name: string): string {
  return name.replace(/\p{Cc}/gu, "?").replaceAll(".orig)", ".orig?");
}

/** The exit code of a scan (R3.15). */
export function gateExitCode(scan: GateScan): number {
  if (scan.downgrades.length > 0) return GATE_EXIT.downgraded;
  return scan.unreadable ? GATE_EXIT.unreadable : GATE_EXIT.nothing;
}

const NONE_COUNTED =
  /(?<![\p{L}\p{N}_.])(?:\*\*)?(?:0|[Nn][Oo]|[Zz][Ee][Rr][Oo])(?:\*\*)?\s{1,8}(?:\*\*)?(?:CRITICAL|WARNING|INFO)(?![\p{L}\p{N}_])/gu;

/** R3.16: a severity word in capitals, as a whole word, that is not counted as none. */
function speaksOfSeverities(text: string): boolean {
  return /(?<![\p{L}\p{N}_])(?:CRITICAL|WARNING|INFO)(?![\p{L}\p{N}_])/u.test(text.replace(NONE_COUNTED, ""));
}

function applyEdits(text: string, edits: readonly { token: SeverityToken; words: string }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { token, words } of edits.toSorted((a, b) => a.token.from - b.token.from)) {
    parts.push(text.slice(at, token.from), words);
    at = token.to;
  }
  return parts.join("") + text.slice(at);
}

/** The block that is being read: a heading waits for its label, the others are findings. */
interface Open {
  readonly kind: "line" | "severity" | "heading" | "label";
  readonly level: number;
  readonly tokens: readonly SeverityToken[];
  readonly from: number;
}

/** All findings of a review, in its order (R3.22-R3.24). */
function collect(cut: CutText, lines: readonly GateLine[]): GateFinding[] {
  const findings: GateFinding[] = [];
  const add = (tokens: readonly SeverityToken[], from: number, to: number): void => {
    if (tokens.length > 0)
      findings.push({ severity: highest(tokens), tokens, text: cut.lines.slice(from, to).join("\n") });
  };
  const own = findingHeadings(lines);
  let open: Open | null = null;
  let column: Column | null = null;
  const close = (to: number): void => {
    if (open !== null && open.kind !== "heading") add(open.tokens, open.from, to);
    open = null;
  };
  for (const [index, line] of lines.entries()) {
    if (line.kind === "row") {
      close(index);
      const row = readRow(line, column);
      column = row.column;
      if (row.token !== null) add([row.token], index, index + 1);
      continue;
    }
    column = null;
    const grown = grow(open, line, own.has(index));
    if (grown !== null) open = grown;
    else {
      close(index);
      open = start(line, index);
    }
  }
  close(lines.length);
  return findings;
}

/** The open block with this line in it; null where the line does not belong to it. */
function grow(open: Open | null, line: GateLine, startsFinding: boolean): Open | null {
  if (open === null || line.kind === "row") return null;
  if (line.kind === "code") return open;
  if (line.kind === "text") return open;
  const joined: Open = { ...open, tokens: [...open.tokens, ...line.tokens] };
  if (line.kind === "heading") {
    // A severity heading owns all that is deeper (R3.24); a label block owns what is no finding of its own.
    const owns = open.kind === "severity" || (open.kind === "label" && !startsFinding);
    return owns && line.level > open.level ? joined : null;
  }
  if (open.kind === "severity") return joined;
  if (line.kind === "severity") return null;
  return open.kind === "line" ? open : { ...joined, kind: "label" };
}

function start(line: GateLine, index: number): Open | null {
  if (line.kind === "severity") return { kind: "line", level: 0, tokens: line.tokens, from: index };
  if (line.kind !== "heading") return null;
  const kind = line.tokens.length > 0 ? "severity" : "heading";
  return { kind, level: line.level, tokens: line.tokens, from: index };
}

/** Headings that carry a severity, or have a label of their own before the next heading, row or severity line. */
function findingHeadings(lines: readonly GateLine[]): ReadonlySet<number> {
  const own = new Set<number>();
  let heading = -1;
  for (const [index, line] of lines.entries()) {
    if (line.kind === "heading") {
      heading = index;
      if (line.tokens.length > 0) own.add(index);
    } else if (line.kind === "label" && heading >= 0) own.add(heading);
    else if (line.kind === "row" || line.kind === "severity") heading = -1;
  }
  return own;
}

/** The severity column that a header fixed, and how many cells the header has. */
interface Column {
  readonly index: number;
  readonly cells: number;
}

/** R3.23: a header cell names the column; without one the first cell that is a severity counts. */
function readRow(
  row: Extract<GateLine, { kind: "row" }>,
  column: Column | null,
): { readonly column: Column | null; readonly token: SeverityToken | null } {
  for (const name of ["SEVERITY", "IMPACT"]) {
    const index = row.cells.findIndex(({ value }) => value === name);
    if (index !== -1) return { column: { index, cells: row.cells.length }, token: null };
  }
  const isStrict = column !== null && row.cells.length !== column.cells && row.strict.length === column.cells;
  const cells = isStrict ? row.strict : row.cells;
  const cell = column === null ? cells.find(({ token }) => token !== null) : cells[column.index];
  return { column, token: cell?.token ?? null };
}

function highest(tokens: readonly SeverityToken[]): GateSeverity {
  for (const severity of ["CRITICAL", "WARNING"] as const) {
    if (tokens.some((token) => token.severity === severity)) return severity;
  }
  return "INFO";
}
