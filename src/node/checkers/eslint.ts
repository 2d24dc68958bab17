import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type Failed, type RuleState, type SetReport } from "./checker.ts";
import { addReport, asArgument, complaint, fileOf, jsonOf, neverStrict } from "./output.ts";
import { pluginHasRule } from "./ruleNames.ts";

const Message = z.looseObject({
  ruleId: z.string().nullable(),
  fatal: z.boolean().optional(),
  severity: z.union([z.literal(1), z.literal(2)]),
  message: z.string(),
  line: z.int().optional(),
  endLine: z.int().nullish(),
});
const Results = z.array(z.looseObject({ filePath: z.string(), messages: z.array(Message) }));
const Config = z.looseObject({
  rules: z.record(z.string(), z.tuple([z.union([z.literal(0), z.literal(1), z.literal(2)])], z.unknown())).default({}),
  plugins: z.array(z.string()).default([]),
});

/** Prints the names of ESLint's own rules. The module's path is an argument, so that nothing is pasted into code. */
const LIST_RULES = "process.stdout.write(JSON.stringify([...require(process.argv[1]).builtinRules.keys()]))";

/** ESLint. Its configuration and plugins are programs of the repository, so each line is run only after a person accepted it. */
export const eslint: Checker = {
  tool: "eslint",
  role: "lint",
  program: "eslint",
  versionArgv: ["--version"],
  version: /^v(\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "npm", name: "eslint" },
  reads: (file) => /\.(?:[cm]?[jt]sx?|vue|svelte)$/i.test(file),
  configNames: /(?:^|\/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.[a-z]+)?)$/i,
  configures: () => true,
  asks: () => "ESLint's configuration and plugins are programs of this repository.",
  check,
  rule,
};

async function check(bench: Bench): Promise<SetReport> {
  const ran = await bench.run(["--format", "json", "."]);
  if (ran.kind === "failed") return ran;
  const parsed = Results.safeParse(jsonOf(ran.stdout));
  if (ran.exitCode > 1 || !parsed.success)
    return failed(`eslint gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const reports = new Map<string, CheckerReport[]>();
  const covered = new Set<string>();
  const fatal = new Set<string>();
  for (const { filePath, messages } of parsed.data) {
    const file = fileOf(bench, filePath);
    if (file === null) continue;
    covered.add(file);
    for (const { ruleId, fatal: broken, severity, message, line = 1, endLine } of messages) {
      if (broken === true || ruleId === null) fatal.add(file);
      const report = { line, endLine: endLine ?? line, code: ruleId, message } as const;
      addReport(reports, bench, filePath, { ...report, severity: severity === 2 ? "error" : "warning" });
    }
  }
  return {
    kind: "checked",
    reports,
    covered,
    listing: null,
    silence: (file) => (fatal.has(file) ? "eslint could not parse this file." : null),
    strict: neverStrict,
  };
}

async function rule(bench: Bench, name: string, file: string): Promise<RuleState> {
  const shown = await bench.run(["--print-config", asArgument(file)]);
  const known = await builtInRules(bench);
  if (shown.kind === "failed") return shown;
  if (!Array.isArray(known)) return known;
  if (shown.exitCode !== 0 || shown.stdout.trim() === "undefined")
    return failed(`eslint has no configuration for ${file}: ${complaint(shown.stderr, shown.stdout)}`);
  const parsed = Config.safeParse(jsonOf(shown.stdout));
  if (!parsed.success) return failed("eslint printed a configuration that is not understood.");
  const { rules, plugins } = parsed.data;
  const level = rules[name]?.[0];
  if (level === 1 || level === 2) return { kind: level === 1 ? "warn" : "error" };
  const instead = standIn(name, rules);
  if (instead !== null) return failed(`${name} is off here, but ${instead} is on and may be what is meant.`);
  const core = known.includes(name);
  if (core || level === 0) return { kind: "off" };
  return judgeUnknownName(name, plugins, Object.keys(rules), known);
}

/** A rule of the same bare name under another plugin that is on: `@typescript-eslint/no-unused-vars` stands in for `no-unused-vars`. */
export function standIn(name: string, rules: Readonly<Record<string, readonly [number, ...unknown[]]>>): string | null {
  const bare = name.slice(name.lastIndexOf("/") + 1);
  const on = Object.entries(rules).find(
    ([other, [level]]) => level > 0 && other !== name && other.slice(other.lastIndexOf("/") + 1) === bare,
  );
  return on?.[0] ?? null;
}

/** A name that is no rule of ESLint itself: absent only where no plugin can bring it and no spelling is near. */
function judgeUnknownName(
  name: string,
  plugins: readonly string[],
  configured: readonly string[],
  known: readonly string[],
): RuleState {
  if (name.includes("/")) return failed(`${name} belongs to a plugin, whose rules cannot be listed from outside.`);
  const others = plugins.filter((plugin) => plugin !== "@");
  if (others.length > 0) return failed(`${name} may be a rule of a plugin in use: ${others.join(", ").slice(0, 120)}.`);
  if (configured.some((other) => other.endsWith(`/${name}`))) return failed(`${name} is a rule of a plugin here.`);
  if (pluginHasRule(name)) return failed(`${name} is a rule of a well-known plugin that is not set up here.`);
  const near = known.find((other) => isNear(other, name));
  return near === undefined ? { kind: "absent" } : failed(`There is no ${name}, but there is ${near}.`);
}

async function builtInRules(bench: Bench): Promise<string[] | Failed> {
  const module = join(dirname(bench.program), "..", "lib", "unsupported-api.js");
  try {
    await access(module);
  } catch {
    return failed("This ESLint does not list its rules.");
  }
  const ran = await bench.run(["-e", LIST_RULES, module], { program: "node", harmless: true });
  if (ran.kind === "failed") return ran;
  const parsed = z.array(z.string()).min(100).safeParse(jsonOf(ran.stdout));
  return ran.exitCode === 0 && parsed.success ? parsed.data : failed("This ESLint does not list its rules.");
}

/** True where two names differ by at most two letters, or one is the other without a hyphen. */
export function isNear(left: string, right: string): boolean {
  if (left.replaceAll("-", "") === right.replaceAll("-", "").toLowerCase()) return true;
  if (Math.abs(left.length - right.length) > 2) return false;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of left.split("").entries()) {
    const next = [i + 1];
    for (const [j, b] of right.split("").entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    row = next;
  }
  return (row.at(-1) ?? 3) <= 2;
}
