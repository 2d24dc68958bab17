import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { collectFindings } from "./collect.ts";
import type { Claimed, Finding } from "../../src/core/finding.ts";
import type { Repository } from "../../src/core/ports.ts";
import { severityOf } from "../../src/core/severity.ts";
import { at, claim } from "./claims.ts";
import { readFolder } from "./memoryWorkspace.ts";
import { sha256 } from "./memoryRepository.ts";

const CORPUS = path.join(import.meta.dirname, "../fixtures/corpus");

const Row = z.object({
  id: z.string(),
  finding: z.object({
    tool: z.string(),
    rule: z.string(),
    severity: z.string(),
    message: z.string(),
    file: z.string(),
    line: z.int(),
    end_line: z.int().nullable(),
    quote: z.string(),
  }),
  repo: z.object({ diff: z.string().nullable() }),
});

const Label = z.object({
  id: z.string(),
  label: z.object({
    truth: z.enum(["true_positive", "false_positive"]),
    hard: z.boolean(),
    oracle: z.object({ expect: z.enum(["refute", "confirm", "route", "hard", "none"]), class: z.string() }),
    actual: z.object({ file: z.string(), line: z.int().nullable() }).nullable(),
    tags: z.array(z.string()),
  }),
});
export type CorpusLabel = z.infer<typeof Label>["label"];

/** What a triage tool is given of one row: never its label. */
export interface CorpusRow {
  readonly id: string;
  readonly claimed: Claimed;
  /** True where the row is about the project with its change under review. */
  readonly changed?: boolean;
}

/** The texts of the project that the rows are about. */
export function corpusFiles(): Record<string, string> {
  return readFolder(path.join(CORPUS, "ts-shop"));
}

/** `src/http.ts` before the change under review, which adds `preview()` to it. */
export function beforeChange(files: Readonly<Record<string, string>>): Record<string, string> {
  const now = files["src/http.ts"] ?? "";
  const before = now.replace(/async function preview[\s\S]*?\n\}\r?\n\r?\n/, "");
  if (before === now) throw new Error("the change under review is not in src/http.ts");
  return { "src/http.ts": before };
}

/** The rows of the corpus as claims. */
export function corpusRows(): CorpusRow[] {
  return readLines("rows.jsonl").map((line) => {
    const { id, finding, repo } = Row.parse(line);
    const severity = severityOf({ scale: "word", value: finding.severity });
    if (severity === null) throw new Error(`${id}: no severity ${finding.severity}`);
    const claimed = claim({
      sourceId: id,
      message: finding.message,
      path: finding.file,
      span: at(finding.line, finding.end_line),
      severity,
      sourceSeverity: { scale: "word", value: finding.severity },
      tool: finding.tool,
      rule: finding.rule,
      quote: finding.quote,
    });
    return { id, claimed, changed: repo.diff !== null };
  });
}

/** The labels, for assertions only. */
export function corpusLabels(): ReadonlyMap<string, CorpusLabel> {
  return new Map(
    readLines("rows.jsonl")
      .map((line) => Label.parse(line))
      .map(({ id, label }) => [id, label]),
  );
}

/** The rows as findings of a workspace, by row id. */
export async function placeRows(
  rows: readonly CorpusRow[],
  repository: Repository,
): Promise<ReadonlyMap<string, Finding>> {
  const reading = { format: "test", claimed: rows.map((row) => row.claimed), unread: [], revision: null };
  const { findings } = await collectFindings([{ path: "review", reading }], repository, sha256);
  return new Map(findings.map((finding) => [finding.sourceId ?? "", finding]));
}

function readLines(file: string): unknown[] {
  return readFileSync(path.join(CORPUS, file), "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}
