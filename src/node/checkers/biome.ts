import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type SetReport } from "./checker.ts";
import { addReport, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";

const Output = z.looseObject({
  summary: z.looseObject({ unchanged: z.int(), diagnosticsNotPrinted: z.int() }),
  diagnostics: z.array(
    z.looseObject({
      severity: z.enum(["information", "info", "hint", "warning", "error", "fatal"]),
      message: z.string(),
      category: z.string().nullish(),
      location: z.looseObject({
        path: z.string().nullish(),
        start: z.looseObject({ line: z.int() }).nullish(),
        end: z.looseObject({ line: z.int() }).nullish(),
      }),
    }),
  ),
  command: z.literal("lint"),
});

const COMMON = ["--colors=off", "--max-diagnostics=none"];

/** Biome's linter, configured by data alone; its daemon is not used. */
export const biome: Checker = {
  tool: "biome",
  role: "lint",
  program: "biome",
  versionArgv: ["--version"],
  version: /^Version: (\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "npm", name: "@biomejs/biome" },
  reads: (file) => /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql|vue|svelte|astro|html)$/i.test(file),
  configNames: /(?:^|\/)\.?biome\.jsonc?$/i,
  configures: () => true,
  asks: () => null,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  const listed = await bench.run(["lint", "--verbose", ...COMMON, "."]);
  if (listed.kind === "failed") return listed;
  const ran = await bench.run(["lint", "--reporter=json", ...COMMON, "."]);
  if (ran.kind === "failed") return ran;
  const parsed = Output.safeParse(jsonOf(ran.stdout));
  const files = processedFiles(listed.stdout) ?? processedFiles(listed.stderr);
  if (ran.exitCode > 1 || !parsed.success || files === null)
    return failed(`biome gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const { diagnostics, summary } = parsed.data;
  if (summary.diagnosticsNotPrinted > 0) return failed("biome did not print all it found.");
  const reports = new Map<string, CheckerReport[]>();
  const broken = new Set<string>();
  for (const { severity, message, category, location } of diagnostics) {
    const line = location.start?.line ?? 1;
    const code = category?.startsWith("lint/") === true ? category : null;
    const level = severity === "error" || severity === "fatal" ? "error" : "warning";
    const report = { line, endLine: location.end?.line ?? line, code, message, severity: level } as const;
    if (location.path != null) addReport(reports, bench, location.path, report);
    const file = location.path == null ? null : fileOf(bench, location.path);
    if (file !== null && code === null) broken.add(file);
  }
  return {
    kind: "checked",
    reports,
    covered: new Set(files.map((file) => fileOf(bench, file)).filter((file) => file !== null)),
    listing: "biome lint --verbose",
    silence: (file, code) => {
      if (broken.has(file)) return "biome could not parse this file.";
      // ESLint calls the same rules by other names.
      return code === null || /(?:^|\/)(?:no|use)[A-Z]\w*$/.test(code)
        ? null
        : `${code} is no name of a rule of biome.`;
    },
    strict: neverStrict,
  };
}

/** The files below “Files processed:” of a verbose run; null where there is no such list. */
function processedFiles(output: string): readonly string[] | null {
  const list = /Files processed:\s*\n([\s\S]*?)(?:\n\s*VERBOSE\b|\n\s*i Files fixed:|$)/.exec(output)?.[1];
  if (list === undefined) return null;
  return [...list.matchAll(/^\s+- (.+)$/gm)].map((match) => (match[1] ?? "").trim());
}
