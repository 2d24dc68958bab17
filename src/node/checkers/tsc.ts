import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type Failed, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf, jsonOf } from "./output.ts";

/** More configurations than this are a build of their own, which one run over each would misread. */
const MOST_CONFIGS = 12;
const DIAGNOSTIC = /^(?<file>.+?)\((?<line>\d+),\d+\): (?<severity>error|warning|message) (?<code>TS\d+): (?<text>.*)$/;
const SCRIPT = /\.[cm]?jsx?$/i;

const Shown = z.looseObject({
  compilerOptions: z.looseObject({ strict: z.boolean().optional() }).default({}),
});
type Options = z.infer<typeof Shown>["compilerOptions"];

const STRICT_FAMILY = [
  "noImplicitAny",
  "noImplicitThis",
  "strictBindCallApply",
  "strictBuiltinIteratorReturn",
  "strictFunctionTypes",
  "strictNullChecks",
  "strictPropertyInitialization",
  "useUnknownInCatchVariables",
  "alwaysStrict",
];

/** One configuration's run. */
interface Program {
  readonly options: Options;
  readonly listed: ReadonlySet<string>;
  readonly reports: Map<string, CheckerReport[]>;
}

/**
 * The TypeScript compiler over every `tsconfig*.json` of the workspace: nothing is emitted, nothing incremental is read or
 * written. It runs no code of the repository; language-service plugins are for editors only.
 */
export const tsc: Checker = {
  tool: "tsc",
  role: "types",
  program: "tsc",
  versionArgv: ["--version"],
  version: /^Version (\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "npm", name: "typescript" },
  reads: (file) => /\.[cm]?[jt]sx?$/i.test(file),
  configNames: /(?:^|\/)tsconfig[^/]*\.json$/i,
  configures: () => true,
  asks: () => null,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  const configs = [...bench.configs.keys()].sort();
  if (configs.length === 0) return failed("There is no tsconfig.json, so what the project checks is not known.");
  if (configs.length > MOST_CONFIGS)
    return failed(`There are ${configs.length} tsconfig files; which count is not known.`);
  const programs: Program[] = [];
  for (const config of configs) {
    const program = await runProgramOf(bench, config);
    if ("kind" in program) return program;
    programs.push(program);
  }
  return joined(programs);
}

async function runProgramOf(bench: Bench, config: string): Promise<Program | Failed> {
  const shown = await bench.run(["--showConfig", "-p", asArgument(config)]);
  if (shown.kind === "failed") return shown;
  const parsed = Shown.safeParse(jsonOf(shown.stdout));
  if (shown.exitCode !== 0 || !parsed.success)
    return failed(`tsc cannot read ${config}: ${complaint(shown.stderr, shown.stdout)}`);
  const options = parsed.data.compilerOptions;
  // These make the compiler write files wherever the configuration says.
  if ("generateTrace" in options || "generateCpuProfile" in options)
    return failed(`${config} asks the compiler to write a trace, so it is not run.`);
  const fixed = ["--noEmit", "--pretty", "false", "--incremental", "false", "--composite", "false", "--listFiles"];
  const ran = await bench.run([...fixed, "-p", asArgument(config)]);
  return ran.kind === "failed" ? ran : readRun(bench, config, options, ran);
}

function readRun(
  bench: Bench,
  config: string,
  options: Options,
  ran: { readonly exitCode: number; readonly stdout: string; readonly stderr: string },
): Program | Failed {
  const garbled = failed(`tsc answered in words that are not understood: ${complaint(ran.stderr, ran.stdout)}`);
  if (ran.exitCode > 2) return failed(`tsc broke off with exit code ${ran.exitCode}.`);
  const reports = new Map<string, CheckerReport[]>();
  const listed = new Set<string>();
  let libraries = 0;
  let diagnostics = 0;
  for (const text of ran.stdout.split(/\r?\n/)) {
    const global = /^error (TS\d+): (.*)$/.exec(text);
    if (global !== null) return failed(`tsc cannot use ${config}: ${global[1]} ${global[2]?.slice(0, 160)}`);
    const found = DIAGNOSTIC.exec(text)?.groups;
    if (found !== undefined) {
      const file = fileOf(bench, found["file"] ?? "");
      if (file !== null && bench.configs.has(file))
        return failed(`tsc cannot use ${file}: ${found["code"]} ${message(found)}`);
      diagnostics += 1;
      const line = Number(found["line"]);
      const severity = found["severity"] === "error" ? "error" : "warning";
      addReport(reports, bench, found["file"] ?? "", {
        line,
        endLine: line,
        code: found["code"] ?? null,
        message: message(found),
        severity,
      });
    } else if (/^(?:\/|[A-Za-z]:[/\\])/.test(text)) {
      const file = fileOf(bench, text);
      if (file === null || file.includes("node_modules/")) libraries += 1;
      else listed.add(file);
    } else if (text !== "" && !/^\s/.test(text)) return garbled;
  }
  // A run that lists nothing, or whose exit code contradicts what it printed, was no check.
  if (listed.size + libraries === 0 || (ran.exitCode === 0) !== (diagnostics === 0)) return garbled;
  return { options, listed, reports };
}

function message(found: Readonly<Record<string, string>>): string {
  return found["text"]?.slice(0, 300) ?? "";
}

function joined(programs: readonly Program[]): SetReport {
  const reports = new Map<string, CheckerReport[]>();
  const covered = new Set<string>();
  for (const program of programs) {
    for (const [file, list] of program.reports) reports.set(file, [...(reports.get(file) ?? []), ...list]);
    for (const file of program.listed) covered.add(file);
  }
  const over = (file: string): readonly Program[] => programs.filter(({ listed }) => listed.has(file));
  const blind = blindness([...reports.values()].flat());
  return {
    kind: "checked",
    reports,
    covered,
    listing: "tsc --listFiles, every tsconfig of the workspace",
    silence: (file, code) => blind ?? silenceOf(file, code, over(file)),
    strict: (file) => over(file).every(({ options }) => isStrict(options)),
  };
}

/** What makes the compiler blind beyond the line it complains about. */
function blindness(all: readonly CheckerReport[]): string | null {
  const syntax = all.find(({ code }) => Number(code?.slice(2) ?? "0") < 2000);
  if (syntax !== undefined) return `tsc stops at a syntax error (${syntax.code}) before it checks types.`;
  const unresolved = all.find(({ code }) =>
    /^TS(?:23(?:0[4-7])|2503|2552|2580|259[1-3]|26(?:13|14|88|94)|2724|2732|2792|7016|6053|63\d\d|6504|5\d{3}|18\d{3})$/.test(
      code ?? "",
    ),
  );
  return unresolved === undefined
    ? null
    : `something is unresolved (${unresolved.code}: ${unresolved.message.slice(0, 120)})`;
}

function silenceOf(file: string, code: string | null, over: readonly Program[]): string | null {
  if (over.some(({ options }) => options["noCheck"] === true)) return "noCheck switches the type check off.";
  if (SCRIPT.test(file) && !over.every(({ options }) => options["checkJs"] === true))
    return "JavaScript is read here, but its types are not checked.";
  if (/\.d\.[cm]?ts$/i.test(file)) return "Declaration files may be skipped.";
  // 4xxx and 9xxx come only with declarations and only in a clean run; 6xxx and 8xxxx are hints that editors show.
  return code !== null && /^TS(?:[469]\d{3}|8\d{4})$/i.test(code) ? `${code} is not printed by every run.` : null;
}

function isStrict(options: Options): boolean {
  return options.strict === true && STRICT_FAMILY.every((name) => options[name] !== false);
}
