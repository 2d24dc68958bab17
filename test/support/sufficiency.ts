import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { atomsOf } from "../../src/core/claim.ts";
import { result } from "../../src/core/checks/check.ts";
import { buildPack } from "../../src/core/evidence/gather.ts";
import { tokensOf } from "../../src/core/evidence/pack.ts";
import type { Finding } from "../../src/core/finding.ts";
import { corpusFiles, corpusRows, placeRows } from "./corpus.ts";
import { createMemoryWorkspace } from "./memoryWorkspace.ts";

/** Lines shown of one file: 1-based, inclusive. */
export interface Shown {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/** What one way of choosing lines shows of one row, and whether all deciding lines are among them. */
export interface Choice {
  readonly id: string;
  readonly sufficient: boolean;
  readonly missing: readonly Shown[];
  readonly tokens: number;
}

const Label = z.object({
  id: z.string(),
  label: z.object({
    deciding: z.array(z.object({ file: z.string(), line: z.int(), end_line: z.int().nullable() })),
    deciding_kind: z.string().nullable(),
  }),
});

/** The hand-chosen deciding lines of each row that has some, by row id. */
export function decidingLines(): ReadonlyMap<string, readonly Shown[]> {
  const rows = path.join(import.meta.dirname, "../fixtures/corpus/rows.jsonl");
  const labels = readFileSync(rows, "utf8")
    .trim()
    .split("\n")
    .map((line) => Label.parse(JSON.parse(line)));
  return new Map(
    labels
      .filter(({ label }) => label.deciding_kind === "hand" && label.deciding.length > 0)
      .map(({ id, label }) => [
        id,
        label.deciding.map(({ file, line, end_line }) => ({ file, line, endLine: end_line ?? line })),
      ]),
  );
}

/** Every way of choosing lines, held against the deciding ones: our packs, so many lines around the place, the whole file. */
export async function measureSufficiency(): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const files = corpusFiles();
  const workspace = createMemoryWorkspace(files);
  const placed = await placeRows(corpusRows(), workspace.repository);
  const lines = new Map(Object.entries(files).map(([file, text]) => [file, text.split("\n")]));
  const ways: Record<string, (finding: Finding) => Promise<readonly Shown[]>> = {
    pack: async (finding) => await packOf(finding, workspace),
    ...Object.fromEntries([10, 20, 50].map((n) => [`+-${n} lines`, async (f: Finding) => await around(f, n)])),
    "whole file": async (finding) => await around(finding, 100_000),
  };
  const measured = new Map<string, Choice[]>(Object.keys(ways).map((way) => [way, []]));
  for (const [id, deciding] of decidingLines()) {
    const finding = placed.get(id);
    if (finding === undefined) throw new Error(`${id} was not placed`);
    for (const [way, choose] of Object.entries(ways)) {
      const shown = await choose(finding);
      const missing = deciding.filter((wanted) => !isShown(wanted, shown));
      const texts = shown.flatMap(({ file, line, endLine }) => lines.get(file)?.slice(line - 1, endLine) ?? []);
      measured.get(way)?.push({ id, sufficient: missing.length === 0, missing, tokens: tokensOf(texts) });
    }
  }
  return measured;
}

async function packOf(
  finding: Finding,
  workspace: ReturnType<typeof createMemoryWorkspace>,
): Promise<readonly Shown[]> {
  const { context, verbs } = workspace;
  const desk = { run: async (call: Parameters<typeof verbs.run>[0]) => await verbs.run(call, "pack", context.signal) };
  const checks = atomsOf(finding.message).map((atom) => result("claim", atom, "unknown", "not run"));
  return (await buildPack(finding, checks, { ...context, desk })).pieces;
}

async function around({ place: { file, line } }: Finding, lines: number): Promise<readonly Shown[]> {
  return await Promise.resolve(
    file === null ? [] : [{ file, line: Math.max(1, (line ?? 1) - lines), endLine: (line ?? 1) + lines }],
  );
}

function isShown(wanted: Shown, shown: readonly Shown[]): boolean {
  for (let line = wanted.line; line <= wanted.endLine; line += 1)
    if (!shown.some((each) => each.file === wanted.file && each.line <= line && line <= each.endLine)) return false;
  return true;
}

/** Share of sufficient rows, and the median and 95th percentile of tokens. */
export function summarise(choices: readonly Choice[]): { share: number; median: number; p95: number } {
  const tokens = choices.map((choice) => choice.tokens).sort((a, b) => a - b);
  const at = (share: number): number => tokens[Math.min(tokens.length - 1, Math.floor(tokens.length * share))] ?? 0;
  return {
    share: choices.filter(({ sufficient }) => sufficient).length / choices.length,
    median: at(0.5),
    p95: at(0.95),
  };
}
