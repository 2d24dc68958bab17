import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type SetReport } from "./checker.ts";
import { addReport, complaint, jsonOf, neverStrict } from "./output.ts";

const Place = z.looseObject({ line: z.int() });
const Output = z.looseObject({
  version: z.string(),
  generalDiagnostics: z.array(
    z.looseObject({
      file: z.string(),
      severity: z.enum(["error", "warning", "information"]),
      message: z.string(),
      range: z.looseObject({ start: Place, end: Place }).optional(),
      rule: z.string().optional(),
    }),
  ),
  summary: z.looseObject({ filesAnalyzed: z.int() }),
});

/** Pyright. It names no file that it found nothing in, so it can confirm and never refute. */
export const pyright: Checker = {
  tool: "pyright",
  role: "types",
  program: "pyright",
  versionArgv: ["--version"],
  version: /^pyright (\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "pypi", name: "pyright" },
  reads: (file) => /\.pyi?$/i.test(file),
  configNames: /(?:^|\/)(?:pyrightconfig\.json|pyproject\.toml)$/i,
  configures: (file, text) => /pyrightconfig\.json$/i.test(file) || /^\[tool\.pyright\b/m.test(text),
  asks: () => null,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  const ran = await bench.run(["--outputjson"]);
  if (ran.kind === "failed") return ran;
  const parsed = Output.safeParse(jsonOf(ran.stdout));
  if (ran.exitCode > 1 || !parsed.success)
    return failed(`pyright gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const reports = new Map<string, CheckerReport[]>();
  for (const { file, severity, message, range, rule } of parsed.data.generalDiagnostics) {
    // 0-based, as editors count.
    const line = (range?.start.line ?? 0) + 1;
    const report = { line, endLine: (range?.end.line ?? 0) + 1, code: rule ?? null, message };
    addReport(reports, bench, file, { ...report, severity: severity === "error" ? "error" : "warning" });
  }
  return {
    kind: "checked",
    reports,
    covered: new Set(reports.keys()),
    listing: null,
    silence: () => "pyright does not list the files it checked.",
    strict: neverStrict,
  };
}
