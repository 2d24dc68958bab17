import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type Failed, type RuleState, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";

const Output = z.looseObject({
  diagnostics: z.array(
    z.looseObject({
      message: z.string(),
      code: z.string().optional(),
      severity: z.enum(["error", "warning", "advice"]),
      filename: z.string(),
      labels: z.array(z.looseObject({ span: z.looseObject({ line: z.int() }) })),
    }),
  ),
  number_of_files: z.int(),
});
const Rules = z.array(z.looseObject({ scope: z.string(), value: z.string(), type_aware: z.boolean() })).min(50);
const Levels = z.record(z.string(), z.unknown());
const Config = z.looseObject({
  rules: Levels,
  overrides: z.array(z.looseObject({ rules: Levels.default({}) })).default([]),
});

/** oxlint. Plugins in JavaScript, a configuration that is a program, and type-aware rules start code of the repository. */
export const oxlint: Checker = {
  tool: "oxlint",
  role: "lint",
  program: "oxlint",
  versionArgv: ["--version"],
  version: /^Version: (\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "npm", name: "oxlint" },
  reads: (file) => /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i.test(file),
  configNames: /(?:^|\/)(?:\.?oxlintrc\.jsonc?|oxlint\.config\.[cm]?[jt]s)$/i,
  configures: () => true,
  asks: ({ configs }) => {
    for (const [file, text] of configs) {
      if (/\.[cm]?[jt]s$/i.test(file)) return `${file} is a program of this repository.`;
      if (/js_?plugins|type_?aware|type_?check|extends|\\u/i.test(text))
        return `${file} may load plugins or start programs of this repository.`;
    }
    return null;
  },
  check,
  rule,
};

/** The one configuration, named so that no other is looked for; null where there is none, or several, which oxlint would mix. */
function pinned(bench: Bench): readonly string[] | null {
  const [config, ...more] = bench.configs.keys();
  if (config === undefined || more.length > 0 || config.includes("/")) return null;
  return ["--disable-nested-config", "-c", asArgument(config)];
}

const SEVERAL = "There is no single oxlint configuration at the root, so which one applies is not known.";

async function check(bench: Bench): Promise<SetReport> {
  const pin = pinned(bench);
  if (pin === null) return failed(SEVERAL);
  const listed = await bench.run([...pin, "--debug=files", "."]);
  if (listed.kind === "failed") return listed;
  const ran = await bench.run([...pin, "--format", "json", "."]);
  if (ran.kind === "failed") return ran;
  const parsed = Output.safeParse(jsonOf(ran.stdout));
  if (ran.exitCode > 1 || listed.exitCode !== 0 || !parsed.success)
    return failed(`oxlint gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const rules = await registry(bench);
  if (!Array.isArray(rules)) return rules;
  const lines = listed.stdout.split(/\r?\n/).filter((line) => line !== "");
  if (lines.length !== parsed.data.number_of_files) return failed("oxlint lists other files than it checks.");
  const covered = new Set(lines.map((line) => fileOf(bench, line)).filter((file) => file !== null));
  const reports = new Map<string, CheckerReport[]>();
  const broken = new Set<string>();
  for (const { message, code, severity, filename, labels } of parsed.data.diagnostics) {
    const line = labels[0]?.span.line ?? 1;
    const level = severity === "error" ? "error" : "warning";
    addReport(reports, bench, filename, { line, endLine: line, code: ruleOf(code), message, severity: level });
    const file = fileOf(bench, filename);
    if (code === undefined && file !== null) broken.add(file);
  }
  const typed = new Set(rules.filter((known) => known.type_aware).map((known) => known.value));
  return {
    kind: "checked",
    reports,
    covered,
    listing: "oxlint --debug=files",
    silence: (file, code) => {
      if (broken.has(file)) return "oxlint could not parse this file.";
      if (code !== null && !rules.some(({ value }) => value === shortName(code)))
        return `oxlint has no ${code}, and may report it by another name.`;
      return code !== null && typed.has(shortName(code)) ? `${code} needs types, which this run did not load.` : null;
    },
    strict: neverStrict,
  };
}

async function rule(bench: Bench, name: string): Promise<RuleState> {
  const rules = await registry(bench);
  if (!Array.isArray(rules)) return rules;
  const known = rules.filter(({ value }) => value === shortName(name));
  if (known.length === 0) return failed(`oxlint has no ${name}; whether an older or newer one has is not known.`);
  const pin = pinned(bench);
  if (pin === null) return failed(SEVERAL);
  const shown = await bench.run([...pin, "--print-config"]);
  if (shown.kind === "failed") return shown;
  const parsed = Config.safeParse(jsonOf(shown.stdout));
  if (shown.exitCode !== 0 || !parsed.success) return failed("oxlint printed a configuration that is not understood.");
  const levels = [parsed.data.rules, ...parsed.data.overrides.map(({ rules: own }) => own)].flatMap((own) =>
    Object.entries(own)
      .filter(([key]) => shortName(key) === shortName(name))
      .map(([, level]) => String(Array.isArray(level) ? level[0] : level)),
  );
  if (levels.every((level) => level === "off" || level === "allow" || level === "0")) return { kind: "off" };
  if (levels.length > 1) return failed(`${name} is set differently in parts of the project.`);
  return { kind: levels[0] === "warn" || levels[0] === "1" ? "warn" : "error" };
}

async function registry(bench: Bench): Promise<z.infer<typeof Rules> | Failed> {
  const ran = await bench.run(["--rules", "--format", "json"]);
  if (ran.kind === "failed") return ran;
  const parsed = Rules.safeParse(jsonOf(ran.stdout));
  return ran.exitCode === 0 && parsed.success ? parsed.data : failed("This oxlint does not list its rules.");
}

/** `eslint(no-eval)` is `no-eval`, `unicorn(no-new-array)` is `unicorn/no-new-array`. */
function ruleOf(code: string | undefined): string | null {
  const parts = /^([\w@-]+)\(([^()]+)\)$/.exec(code ?? "");
  if (parts === null) return code ?? null;
  return parts[1] === "eslint" ? (parts[2] ?? null) : `${parts[1]}/${parts[2]}`;
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
