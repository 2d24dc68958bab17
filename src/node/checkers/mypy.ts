import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type Failed, type Ran, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf } from "./output.ts";

const LINE =
  /^(?<file>.+?):(?<line>\d+)(?::\d+){0,3}: (?<severity>error|warning|note): (?<text>.*?)(?:  \[(?<code>[\w-]+)\])?$/;
const SOURCE = /Found source:\s+BuildSource\(path='(?<file>[^'\\]*)'/;
/** Where mypy itself looks, first found. */
const ORDER = ["mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"];
/**
 * Settings that start a program, load code, or write files wherever they say: anywhere in the text, in whatever spelling INI
 * and TOML allow. An escaped character could spell any of them.
 */
const ACTIVE = /plugins|python_executable|junit_xml|_report|\\[ux]/i;
const BLIND =
  /(?:ignore_errors|ignore_missing_imports|follow_imports|follow_untyped_imports|disable_error_code|enable_error_code)\s*[=:"']/i;

const FIXED = [
  "--no-site-packages",
  "--no-incremental",
  `--cache-dir=${process.platform === "win32" ? "nul" : "/dev/null"}`,
  "--show-error-codes",
  "--no-error-summary",
  "--no-pretty",
  "--no-color-output",
  "--verbose",
];

/** mypy over the targets of its configuration, without the packages of any environment: finding them would start a Python that the repository names. */
export const mypy: Checker = {
  tool: "mypy",
  role: "types",
  program: "mypy",
  versionArgv: ["--version"],
  version: /^mypy (\d+\.\d+(?:\.\d+)?\S*)(?: \(compiled: \w+\))?\s*$/,
  package: { registry: "pypi", name: "mypy" },
  reads: (file) => /\.pyi?$/i.test(file),
  configNames: /(?:^|\/)(?:\.?mypy\.ini|pyproject\.toml|setup\.cfg)$/i,
  configures: (file, text) => (/mypy\.ini$/i.test(file) ? true : /^\[(?:tool\.)?mypy\b/m.test(text)),
  asks: (project) => {
    const active = [...project.configs].find(([, text]) => ACTIVE.test(text));
    return active === undefined ? null : `${active[0]} loads plugins or starts programs of this repository.`;
  },
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  const config = ORDER.find((name) => bench.configs.has(name)) ?? null;
  if ([...bench.configs.keys()].some((file) => file.includes("/")))
    return failed("mypy is configured in folders below; where the project starts it is not known.");
  const text = config === null ? "" : (bench.configs.get(config) ?? "");
  const targets = /^\s*(?:files|modules|packages)\s*[=:]/im.test(text) ? [] : ["--", "."];
  const ran = await bench.run([
    ...FIXED,
    ...(bench.strict ? ["--strict"] : []),
    config === null ? "--config-file=" : `--config-file=${asArgument(config)}`,
    ...targets,
  ]);
  if (ran.kind === "failed") return ran;
  const reports = reportsIn(ran, bench);
  if ("kind" in reports) return reports;
  const covered = sourcesIn(ran.stderr, bench);
  if (covered.size === 0) return failed("mypy does not say which files it checked.");
  const blind = blindness(text, [...reports.values()].flat());
  return {
    kind: "checked",
    reports,
    covered,
    listing: "the sources mypy itself lists",
    silence: () => blind,
    strict: () => bench.strict,
  };
}

function reportsIn(ran: Ran, bench: Bench): Map<string, CheckerReport[]> | Failed {
  const reports = new Map<string, CheckerReport[]>();
  let errors = 0;
  for (const line of ran.stdout.split(/\r?\n/)) {
    const found = LINE.exec(line)?.groups;
    if (found === undefined && line !== "")
      return failed(`mypy answered in words that are not understood: ${line.slice(0, 160)}`);
    if (found === undefined || found["severity"] === "note") continue;
    errors += 1;
    const at = Number(found["line"]);
    const report = { line: at, endLine: at, code: found["code"] ?? null, message: found["text"] ?? "" };
    addReport(reports, bench, found["file"] ?? "", { ...report, severity: "error" });
  }
  return ran.exitCode > 1 || (ran.exitCode === 0) !== (errors === 0)
    ? failed(`mypy gave no verdict: ${complaint(ran.stdout, notLog(ran.stderr))}`)
    : reports;
}

/** The files that mypy, told to be verbose, names as what it was given. */
function sourcesIn(stderr: string, bench: Bench): ReadonlySet<string> {
  const named = stderr.split(/\r?\n/).map((line) => SOURCE.exec(line)?.groups?.["file"]);
  const files = named.map((file) => (file === undefined ? null : fileOf(bench, file)));
  return new Set(files.filter((file) => file !== null));
}

function blindness(config: string, all: readonly CheckerReport[]): string | null {
  const setting = BLIND.exec(config);
  if (setting !== null) return `the configuration silences it (${setting[0].trim()}).`;
  const unresolved = all.find(({ code }) => code !== null && /^(?:import|syntax)/.test(code));
  return unresolved === undefined ? null : `something is unresolved (${unresolved.message.slice(0, 120)})`;
}

function notLog(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !line.startsWith("LOG:"))
    .join("\n");
}
