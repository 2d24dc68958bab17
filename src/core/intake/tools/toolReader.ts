import { shortValue } from "../json.ts";
import type { Claimed, ReviewReading, Unread } from "../../finding.ts";
import type { JsonPiece } from "../jsonValues.ts";
import { readJsonValues } from "../jsonValues.ts";
import { linesOfPointers } from "../pointerLines.ts";
import type { Reader, ReviewSource } from "../reader.ts";
import { unread } from "../reader.ts";
import { readAgentFindings } from "./agent.ts";
import { cargo } from "./cargo.ts";
import { eslint } from "./eslint.ts";
import { codeQuality, reviewdog } from "./forge.ts";
import { codeScanning, dependabot, secretScanning } from "./githubAlerts.ts";
import { golangci, gosec } from "./golang.ts";
import { jest } from "./jest.ts";
import { npmAudit } from "./npmAudit.ts";
import { gitlab, sonarqube } from "./platforms.ts";
import { bandit, mypy, pyright, ruff } from "./python.ts";
import { brakeman, gitleaks, infer } from "./scanners.ts";
import { semgrep } from "./semgrep.ts";
import { snyk } from "./snyk.ts";
import type { Standing, ToolContext, ToolFormat } from "./tool.ts";
import { WHOLE_FILE, readTool } from "./tool.ts";
import { trivy } from "./trivy.ts";

// In the order they are asked. Each knows its own by members that no other has; a new one is one more file and one more entry.
const FORMATS: readonly ToolFormat[] = [
  eslint,
  semgrep,
  bandit,
  gosec,
  golangci,
  ruff,
  mypy,
  pyright,
  snyk,
  trivy,
  npmAudit,
  infer,
  brakeman,
  gitleaks,
  codeScanning,
  dependabot,
  secretScanning,
  reviewdog,
  gitlab,
  codeQuality,
  sonarqube,
  cargo,
  jest,
];

const TITLES = [...new Set(FORMATS.map(({ title }) => title))].join(", ");

/** JSON reports of tools, and findings of agents in any JSON. */
export const toolReader: Reader = {
  format: "tools",
  title: `JSON of ${TITLES}, agent findings`,
  read: ({ json, text, path, severityMap }) => {
    const reading = json === null ? null : readJsonReport(json.value, { path, severityMap });
    return reading === null ? null : { ...reading, unread: withLines(reading.unread, text) };
  },
};

/** Where a broken entry stands, so that a person can go there (C20). */
function withLines(rows: readonly Unread[], text: string): Unread[] {
  const lines =
    rows.length === 0
      ? null
      : linesOfPointers(
          text,
          rows.flatMap(({ pointer }) => pointer ?? []),
        );
  return rows.map((row) => ({ ...row, line: row.line ?? lines?.get(row.pointer ?? "") ?? null }));
}

/** The same, one JSON value after the other: JSON lines, or reports that were written into one file. */
export const jsonLinesReader: Reader = { format: "jsonl", title: "JSON lines", read: readJsonLines };

/**
 * Findings of a parsed JSON value, by the first format that knows it, else as findings of an agent; null where it holds none. For JSON that
 * stands in another document give its `standing`.
 */
export function readJsonReport(
  value: unknown,
  context: ToolContext,
  standing: Standing = WHOLE_FILE,
): ReviewReading | null {
  return readByTool(value, context, standing) ?? readAgentFindings(value, context, standing);
}

function readByTool(value: unknown, context: ToolContext, standing: Standing): ReviewReading | null {
  for (const format of FORMATS) {
    const reading = readTool(format, value, context, standing);
    if (reading !== null) return reading;
  }
  return null;
}

function readJsonLines(source: ReviewSource): ReviewReading | null {
  if (source.json !== null) return null;
  const pieces = readJsonValues(source.text);
  if (pieces === null) return null;
  const { path, severityMap } = source;
  const values = pieces.filter((piece) => piece.kind === "value");
  const reading = readValues(values, { path, severityMap });
  if (reading === null) {
    if (values.length < 2 || values.length < pieces.length) return null;
    const row = unread(
      path,
      { line: 1 },
      source.text.slice(0, 400),
      "The values of this file hold no findings in a known form.",
    );
    return { format: "none", claimed: [], unread: [row], revision: null };
  }
  const broken = pieces.flatMap((piece) => (piece.kind === "broken" ? brokenRow(path, piece) : []));
  return { ...reading, unread: [...reading.unread, ...broken].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

/** A piece that began as JSON may have been a finding; anything else is what a shell or a script printed around it. */
function brokenRow(path: string, { text, line }: Extract<JsonPiece, { readonly kind: "broken" }>): Unread {
  const reason = "This is not valid JSON; the other values were read.";
  return unread(path, { line }, text, reason, /^\s*[{["]/.test(text));
}

type Value = Extract<JsonPiece, { readonly kind: "value" }>;

/** The values as the rows of one report; else each as a report of its own (runs that were appended, pages of a list); else as an agent's. */
function readValues(values: readonly Value[], context: ToolContext): ReviewReading | null {
  const rows = values.map(({ value }) => value);
  const standing: Standing = {
    locate(pointer) {
      const [, index = "", rest = ""] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
      const value = index === "" ? undefined : values[Number(index)];
      return value === undefined ? { pointer, line: null } : placeOf(value, rest);
    },
  };
  return readByTool(rows, context, standing) ?? readEach(values, context) ?? readAgentFindings(rows, context, standing);
}

function readEach(values: readonly Value[], context: ToolContext): ReviewReading | null {
  const byTool = values.map((each) => readByTool(each.value, context, standingOf(each)));
  const format = byTool.find((reading) => reading !== null)?.format;
  if (format === undefined) return null;
  const claimed: Claimed[] = [];
  const missed: Unread[] = [];
  for (const [index, each] of values.entries()) {
    const reading = byTool[index] ?? readAgentFindings(each.value, context, standingOf(each));
    for (const found of reading?.claimed ?? []) claimed.push(found);
    for (const row of reading?.unread ?? []) missed.push(row);
    const { pointer, line } = placeOf(each, "");
    if (reading === null)
      missed.push(unread(context.path, { pointer, line }, shortValue(each.value), "This value holds no findings."));
  }
  return { format, claimed, unread: missed, revision: null };
}

function standingOf(value: Value): Standing {
  return { locate: (pointer) => placeOf(value, pointer) };
}

function placeOf({ line, nth }: Value, rest: string): { readonly pointer: string; readonly line: number } {
  return { pointer: `L${line}${nth === 1 ? "" : `#${nth}`}${rest}`, line };
}
