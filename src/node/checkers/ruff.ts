import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type RuleState, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";

const Place = z.looseObject({ row: z.int() });
const Output = z.array(
  z.looseObject({
    code: z.string().nullable(),
    message: z.string(),
    filename: z.string(),
    location: Place,
    end_location: Place,
  }),
);
const Rules = z.array(z.looseObject({ name: z.string(), code: z.string().nullable() })).min(50);

/** ruff: one binary, configured by data alone. */
export const ruff: Checker = {
  tool: "ruff",
  role: "lint",
  program: "ruff",
  versionArgv: ["--version"],
  version: /^ruff (\d+\.\d+\.\d+\S*)(?: \([^)]*\))?\s*$/,
  package: { registry: "pypi", name: "ruff" },
  reads: (file) => /\.(?:pyi?|ipynb)$/i.test(file),
  configNames: /(?:^|\/)(?:\.?ruff\.toml|pyproject\.toml)$/i,
  configures: (file, text) => /ruff\.toml$/i.test(file) || /^\[tool\.ruff\b/m.test(text),
  asks: () => null,
  check,
  rule,
};

/** Ruff reports a rule by its number, whatever a claim calls it. */
const NUMBERED = /^[A-Z]+\d+$/i;
/** Prefixes that ruff has renamed: a claim may use the old one. */
const RENAMED = /^(?:TCH|PDV|PGH|TRY2|U)\d+$/i;

async function check(bench: Bench): Promise<SetReport> {
  const listed = await bench.run(["check", "--no-cache", "--show-files", "--", "."]);
  if (listed.kind === "failed") return listed;
  const ran = await bench.run([
    "check",
    "--output-format",
    "json",
    "--no-cache",
    "--no-fix",
    "--force-exclude",
    "--",
    ".",
  ]);
  if (ran.kind === "failed") return ran;
  const parsed = Output.safeParse(jsonOf(ran.stdout));
  if (listed.exitCode !== 0 || ran.exitCode > 1 || !parsed.success)
    return failed(`ruff gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  if ((ran.exitCode === 0) !== (parsed.data.length === 0)) return failed("ruff's exit code contradicts its output.");
  const reports = new Map<string, CheckerReport[]>();
  const broken = new Set<string>();
  for (const { code, message, filename, location, end_location } of parsed.data) {
    const report = { line: location.row, endLine: end_location.row, code, message, severity: "error" } as const;
    addReport(reports, bench, filename, report);
    const file = fileOf(bench, filename);
    if (file !== null && (code === null || code === "invalid-syntax" || code === "E999")) broken.add(file);
  }
  const lines = listed.stdout.split(/\r?\n/).filter((line) => line !== "");
  return {
    kind: "checked",
    reports,
    covered: new Set(lines.map((line) => fileOf(bench, line)).filter((file) => file !== null)),
    listing: "ruff check --show-files",
    silence: (file, code) => {
      if (broken.has(file)) return "ruff could not parse this file.";
      return code === null || (NUMBERED.test(code) && !RENAMED.test(code))
        ? null
        : `ruff may report ${code} by another name.`;
    },
    strict: neverStrict,
  };
}

async function rule(bench: Bench, name: string, file: string): Promise<RuleState> {
  const listed = await bench.run(["rule", "--all", "--output-format", "json"]);
  if (listed.kind === "failed") return listed;
  const rules = Rules.safeParse(jsonOf(listed.stdout));
  if (listed.exitCode !== 0 || !rules.success) return failed("This ruff does not list its rules.");
  const known = rules.data.find((entry) => entry.code === name.toUpperCase() || entry.name === name);
  if (known === undefined) {
    // A number that is missing may be a rule that was removed or renamed; letters that no linter has never were one.
    const letters = /^([A-Z]+)\d{2,4}$/.exec(name)?.[1];
    const foreign = letters !== undefined && rules.data.every(({ code }) => code?.startsWith(letters) !== true);
    return foreign ? { kind: "absent" } : failed(`ruff ${bench.version} has no ${name}; another version may have.`);
  }
  const shown = await bench.run(["check", "--no-cache", "--show-settings", "--", asArgument(file)]);
  if (shown.kind === "failed") return shown;
  const about = /^Resolved settings for: "(.*)"$/m.exec(shown.stdout)?.[1];
  const enabled = /^linter\.rules\.enabled = \[\n((?:\t.*\n)*)\]/m.exec(shown.stdout)?.[1];
  if (shown.exitCode !== 0 || about === undefined || fileOf(bench, about) !== file || enabled === undefined)
    return failed(`ruff does not show its settings for ${file}.`);
  const on = enabled.split("\n").some((line) => /^\t([\w-]+)/.exec(line)?.[1] === known.name);
  return { kind: on ? "error" : "off" };
}
