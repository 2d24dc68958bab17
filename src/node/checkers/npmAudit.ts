import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type SetReport } from "./checker.ts";
import { addReport, complaint, jsonOf, neverStrict } from "./output.ts";

const Advisory = z.looseObject({ title: z.string(), url: z.string(), name: z.string() });
const Output = z.looseObject({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({ name: z.string(), via: z.array(z.union([z.string(), Advisory])) }),
  ),
});
const REGISTRY = "https://registry.npmjs.org/";

/**
 * `npm audit` from the lock file alone, in an empty folder: the repository's `.npmrc` may name another registry or a script
 * shell. It sends the names of all dependencies to the registry, so a person accepts it first.
 */
export const npmAudit: Checker = {
  tool: "npm audit",
  role: null,
  program: "npm",
  versionArgv: ["--version"],
  version: /^(\d+\.\d+\.\d+\S*)\s*$/,
  package: null,
  reads: (file) => /^package(?:-lock)?\.json$/.test(file),
  configNames: /^package-lock\.json$/,
  configures: () => false,
  asks: () => `It sends the names and versions of all dependencies to ${REGISTRY}.`,
  check,
};

async function check(bench: Bench): Promise<SetReport> {
  const manifest = await bench.text("package.json");
  const lock = await bench.text("package-lock.json");
  if (manifest === null || lock === null) return failed("There is no package.json with a package-lock.json.");
  const cwd = await mkdtemp(join(tmpdir(), "skeptical-triage-audit-"));
  try {
    await writeFile(join(cwd, "package.json"), manifest);
    await writeFile(join(cwd, "package-lock.json"), lock);
    const argv = ["audit", "--json", "--package-lock-only", "--ignore-scripts", `--registry=${REGISTRY}`];
    const ran = await bench.run(argv, { cwd });
    if (ran.kind === "failed") return ran;
    const parsed = Output.safeParse(jsonOf(ran.stdout));
    if (ran.exitCode > 1 || !parsed.success)
      return failed(`npm audit gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
    return audited(bench, manifest, parsed.data);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function audited(bench: Bench, manifest: string, { vulnerabilities }: z.infer<typeof Output>): SetReport {
  const reports = new Map<string, CheckerReport[]>();
  const lines = manifest.split("\n");
  for (const { via } of Object.values(vulnerabilities))
    for (const advisory of via) {
      if (typeof advisory === "string") continue;
      const line = Math.max(1, lines.findIndex((text) => text.includes(`"${advisory.name}"`)) + 1);
      const code = advisory.url.slice(advisory.url.lastIndexOf("/") + 1);
      const report = { line, endLine: line, code, message: `${advisory.name}: ${advisory.title}` };
      addReport(reports, bench, "package.json", { ...report, severity: "error" });
    }
  return {
    kind: "checked",
    reports,
    covered: new Set(["package.json"]),
    listing: null,
    silence: () => "the silence of an audit proves nothing.",
    strict: neverStrict,
  };
}
