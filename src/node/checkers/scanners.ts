import * as z from "zod";
import type { CheckerReport } from "../../core/checkers.ts";
import { type Bench, type Checker, failed, type SetReport } from "./checker.ts";
import { GO_ENVIRONMENT } from "./goVet.ts";
import { addReport, asArgument, complaint, jsonOf, neverStrict } from "./output.ts";

/** A scanner's silence about a file settles nothing, ever (claims.md, section 3). */
const SCANNER = "the silence of a security scanner proves nothing.";

function scanned(reports: ReadonlyMap<string, readonly CheckerReport[]>): SetReport {
  const covered = new Set(reports.keys());
  return { kind: "checked", reports, covered, listing: null, silence: () => SCANNER, strict: neverStrict };
}

const Bandit = z.looseObject({
  results: z.array(
    z.looseObject({
      filename: z.string(),
      line_number: z.int(),
      line_range: z.array(z.int()).default([]),
      test_id: z.string(),
      issue_text: z.string(),
    }),
  ),
  metrics: z.record(z.string(), z.unknown()),
});

/** Bandit: parses Python, imports nothing of it. */
export const bandit: Checker = {
  tool: "bandit",
  role: null,
  program: "bandit",
  versionArgv: ["--version"],
  version: /^(?:bandit|__main__\.py) (\d+\.\d+\.\d+\S*)\s/,
  package: { registry: "pypi", name: "bandit" },
  reads: (file) => /\.py$/i.test(file),
  configNames: /(?:^|\/)\.bandit$/,
  configures: () => true,
  // Such a file supplies command line arguments, an output file among them.
  asks: ({ configs }) => {
    const [file] = configs.keys();
    return file === undefined ? null : `${file} adds arguments of this repository's choosing to the command line.`;
  },
  check: async (bench) => {
    const ran = await bench.run(["-r", "-f", "json", "-q", "."]);
    if (ran.kind === "failed") return ran;
    const parsed = Bandit.safeParse(jsonOf(ran.stdout));
    if (ran.exitCode > 1 || !parsed.success)
      return failed(`bandit gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
    const reports = new Map<string, CheckerReport[]>();
    for (const { filename, line_number, line_range, test_id, issue_text } of parsed.data.results) {
      const endLine = Math.max(line_number, ...line_range);
      addReport(reports, bench, filename, {
        line: line_number,
        endLine,
        code: test_id,
        message: issue_text,
        severity: "error",
      });
    }
    return scanned(reports);
  },
};

const Sarif = z.looseObject({
  runs: z
    .array(
      z.looseObject({
        results: z
          .array(
            z.looseObject({
              ruleId: z.string(),
              message: z.looseObject({ text: z.string() }),
              locations: z
                .array(
                  z.looseObject({
                    physicalLocation: z.looseObject({
                      artifactLocation: z.looseObject({ uri: z.string() }),
                      region: z.looseObject({ startLine: z.int(), endLine: z.int().optional() }),
                    }),
                  }),
                )
                .min(1),
            }),
          )
          .nullish(),
      }),
    )
    .min(1),
});

/** gosec, in its SARIF form. It compiles packages as `go vet` does. */
export const gosec: Checker = {
  tool: "gosec",
  role: null,
  program: "gosec",
  versionArgv: ["-version"],
  version: /^Version: v?(\d+\.\d+\.\d+\S*)/m,
  package: null,
  reads: (file) => /\.go$/i.test(file),
  configNames: /(?:^|\/)go\.mod$/,
  configures: () => false,
  asks: () => null,
  check: async (bench) => {
    const ran = await bench.run(["-fmt=sarif", "-quiet", "./..."], { env: GO_ENVIRONMENT, timeoutMs: 120_000 });
    if (ran.kind === "failed") return ran;
    const parsed = Sarif.safeParse(jsonOf(ran.stdout));
    if (ran.exitCode > 1 || !parsed.success)
      return failed(`gosec gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
    const reports = new Map<string, CheckerReport[]>();
    for (const { ruleId, message, locations } of parsed.data.runs.flatMap(({ results }) => results ?? []))
      for (const { physicalLocation } of locations) {
        const { startLine, endLine } = physicalLocation.region;
        const report = { line: startLine, endLine: endLine ?? startLine, code: ruleId, message: message.text };
        addReport(reports, bench, physicalLocation.artifactLocation.uri, { ...report, severity: "error" });
      }
    return scanned(reports);
  },
};

const Line = z.looseObject({ line: z.int() });
const Semgrep = z.looseObject({
  results: z.array(
    z.looseObject({
      check_id: z.string(),
      path: z.string(),
      start: Line,
      end: Line,
      extra: z.looseObject({ message: z.string() }),
    }),
  ),
  errors: z.array(z.unknown()),
});

/** Semgrep with the repository's own rule files, which are data; nothing is fetched and nothing sent. */
export const semgrep: Checker = {
  tool: "semgrep",
  role: null,
  program: "semgrep",
  versionArgv: ["--version"],
  version: /^(\d+\.\d+\.\d+\S*)\s*$/,
  package: { registry: "pypi", name: "semgrep" },
  reads: () => true,
  configNames: /^(?:\.semgrep\.ya?ml|\.semgrep\/[^/]+\.ya?ml)$/,
  configures: () => true,
  asks: () => null,
  check: runSemgrep,
};

async function runSemgrep(bench: Bench): Promise<SetReport> {
  const rules = [...bench.configs.keys()].sort();
  if (rules.length === 0) return failed("There are no semgrep rules in this workspace, and none are fetched.");
  const ran = await bench.run(
    [
      "scan",
      "--json",
      "--quiet",
      "--metrics=off",
      "--disable-version-check",
      ...rules.map((file) => `--config=${asArgument(file)}`),
      "--",
      ".",
    ],
    { env: { SEMGREP_SEND_METRICS: "off", SEMGREP_ENABLE_VERSION_CHECK: "0" }, timeoutMs: 120_000 },
  );
  if (ran.kind === "failed") return ran;
  const parsed = Semgrep.safeParse(jsonOf(ran.stdout));
  if (ran.exitCode > 1 || !parsed.success)
    return failed(`semgrep gave no verdict: ${complaint(ran.stderr, ran.stdout)}`);
  const reports = new Map<string, CheckerReport[]>();
  for (const { check_id, path, start, end, extra } of parsed.data.results) {
    const report = { line: start.line, endLine: end.line, code: check_id, message: extra.message };
    addReport(reports, bench, path, { ...report, severity: "error" });
  }
  return scanned(reports);
}
