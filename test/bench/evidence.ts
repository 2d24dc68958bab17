// What evidence costs and what it is worth:
//   npm run bench evidence [FILES]
// Sufficiency: in how many rows of the corpus a pack holds all hand-chosen deciding lines, beside plain stretches of the file.
// Speed: checks and packs of findings all over a generated repository, with the real repository, parser and search.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runChecks } from "../../src/core/oracle.ts";
import { buildPack } from "../../src/core/evidence/gather.ts";
import type { Finding } from "../../src/core/finding.ts";
import { sha256 } from "../../src/node/hash.ts";
import { createMask } from "../../src/node/mask/mask.ts";
import { findProgram } from "../../src/node/program.ts";
import { createRepository } from "../../src/node/repository/repository.ts";
import { createStructures } from "../../src/node/syntax/structures.ts";
import { createVerbs } from "../../src/node/verbs/verbs.ts";
import { findingIn } from "../support/memoryWorkspace.ts";
import { measureSufficiency, summarise } from "../support/sufficiency.ts";

const FILES = Number(process.argv[2] ?? 2000);
const FINDINGS = 200;
const EDITORS_RIPGREP = path.resolve(
  import.meta.dirname,
  "../host/node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin",
  `${process.platform}-${process.arch}`,
  "rg",
);

console.log("\nEvidence of 37 rows with hand-chosen deciding lines");
for (const [way, choices] of await measureSufficiency()) {
  const { share, median, p95 } = summarise(choices);
  const target = way === "pack" ? ">= 90 %, median <= 1,500, 95th percentile <= 4,000" : "";
  row(way, `${(100 * share).toFixed(0)} % of rows, ${median} tokens (95th percentile ${p95})`, target);
}
await measureSpeed();

async function measureSpeed(): Promise<void> {
  const root = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  try {
    writeRepository(root);
    const ripgrep = existsSync(EDITORS_RIPGREP) ? EDITORS_RIPGREP : await findProgram("rg", process.env["PATH"], root);
    const repository = createRepository({ root, liveText: () => undefined });
    const structures = createStructures({ repository });
    const mask = createMask();
    const verbs = createVerbs({ root, repository, ripgrep, mask, now: () => new Date(), hash: sha256 });
    const { signal } = new AbortController();
    const search = ripgrep === null ? "without ripgrep" : "with the editor's ripgrep";
    console.log(`\n${FINDINGS} findings in ${FILES.toLocaleString("en")} generated files, ${search}`);
    const times: number[] = [];
    const packs: number[] = [];
    for (let index = 0; index < FINDINGS; index += 1) {
      const finding = await findingAt(index, repository);
      const from = performance.now();
      const context = { repository, structures, verbs, mask, signal, receipt: () => undefined };
      const checks = await runChecks(finding, context, () => undefined);
      const checked = performance.now();
      await buildPack(finding, checks, { ...context, desk: { run: (call) => verbs.run(call, "pack", signal) } });
      times.push(performance.now() - from);
      packs.push(performance.now() - checked);
    }
    row("first finding, cold", `${(times[0] ?? 0).toFixed(0)} ms`, "");
    row("checks and pack", percentiles(times), "95 % <= 300 ms");
    row("pack alone", percentiles(packs), "<= 100 ms");
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function findingAt(index: number, repository: ReturnType<typeof createRepository>): Promise<Finding> {
  const file = (index * 37) % FILES;
  const claims = [
    `\`total${file}\` divides by the number of items, which is zero for an empty list.`,
    `\`LIMIT_${file}\` is larger than the buffer.`,
    `\`load${file}\` is never used.`,
    `\`parse${(file + 1) % FILES}\` is not imported in this file.`,
  ];
  return await findingIn(repository, claims[index % claims.length] ?? "", fileName(file), 14);
}

function fileName(index: number): string {
  return `src/area${index % 40}/module${index}.ts`;
}

/** Modules that import, call and guard each other, as code does. */
function writeRepository(root: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const other = (index + 1) % FILES;
    const text = [
      `import { parse${other} } from "../area${other % 40}/module${other}";`,
      "",
      `export const LIMIT_${index} = ${index} * 2 + 1;`,
      "",
      `/** Reads a value; never call it with text that was not trimmed. */`,
      `export function parse${index}(text: string): number {`,
      "  const value = Number(text);",
      "  if (Number.isNaN(value)) throw new Error(text);",
      "  return value;",
      "}",
      "",
      `export function total${index}(items: readonly string[]): number {`,
      `  if (items.length > LIMIT_${index}) return 0;`,
      `  const sum = items.map((item) => parse${other}(item)).reduce((a, b) => a + b, 0);`,
      "  return sum / items.length;",
      "}",
      "",
      `function load${index}(name: string): number {`,
      `  return total${index}(name.split(","));`,
      "}",
      "",
      `export const run${index} = (names: readonly string[]): number[] => names.map(load${index});`,
      ...Array.from({ length: 60 }, (_unused, line) => `// line ${line} of module ${index}`),
      "",
    ];
    const file = path.join(root, fileName(index));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.join("\n"));
  }
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}

function row(name: string, value: string, target: string): void {
  console.log(`  ${name.padEnd(22)} ${value.padEnd(58)} ${target}`);
}
